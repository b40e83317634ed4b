// What the documents report a reader to type: fenced blocks of Markdown, and whether they do what they say.
#pragma once

#include "tests/architecture/project.hpp"

namespace wattloop::tests {

/// One fenced block; `first_line` is the index of the line after the fence.
struct Snippet {
  std::string language;  ///< "console", "yaml", ...
  std::size_t first_line = 0;
  std::vector<std::string> lines;
};

std::vector<Snippet> read_snippets(const TextFile& document);

/// A command after "$ ", without its comment, and the output that the document shows below it.
struct Command {
  std::size_t line = 0;
  std::string text;
  std::vector<std::string> shown;
};

std::vector<Command> read_commands(const Snippet& snippet);

/// Follows a document in `folder`: writes each whole scenario (a yaml block that starts with `format:`) to
/// my_scenario.yaml, runs each `wattloop ...` with the program of `program_folder`, looks for each
/// `scripts/...` in the project. A command must succeed; one that is shown with "N problems in" must fail
/// with exactly that output.
Violations follow_document(const Project& project, const TextFile& document, const std::filesystem::path& folder,
                           const std::filesystem::path& program_folder);

}  // namespace wattloop::tests
