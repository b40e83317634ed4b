// The project as text: what the architecture rules read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::tests {

struct TextFile {
  std::string path;  ///< from the project's root, with '/'
  std::vector<std::string> lines;

  bool has_extension(std::string_view extension) const { return path.ends_with(extension); }
  bool is_code() const { return has_extension(".hpp") || has_extension(".cpp"); }
};

struct Project {
  std::filesystem::path root;
  std::vector<TextFile> files;  ///< text, sorted by path; without build/, results/ and git's own
};

/// Reads every text file below `root`.
Project read_project(const std::filesystem::path& root);

/// What breaks a rule, as "file:line: reason".
using Violations = std::vector<std::string>;

std::string violation(const TextFile& file, std::size_t line_index, std::string_view reason);

/// The comment of a line of C++ or YAML, without its marker; empty where there is none.
std::string_view comment_of(const TextFile& file, const std::string& line);

}  // namespace wattloop::tests
