#include "tests/architecture/snippets.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace wattloop::tests {

namespace {

struct Outcome {
  int exit_code = 0;
  std::string output;
};

Outcome run_in_shell(const std::string& command) {
  FILE* pipe = ::popen(("( " + command + " ) </dev/null 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  Outcome outcome;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) outcome.output += buffer;
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

std::string without_comment(const std::string& command) {
  const std::size_t comment = command.find("  #");
  const std::string text = command.substr(0, comment);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string wrong_with_program(const Command& command, const Outcome& outcome) {
  const std::string shown = joined(command.shown);
  const bool is_about_problems = shown.find(" problem") != std::string::npos && shown.find(" in ") != std::string::npos;
  if (!is_about_problems) {
    return outcome.exit_code == 0 ? "" : fmt::format("exit code {}:\n{}", outcome.exit_code, outcome.output);
  }
  if (outcome.exit_code != 1) return fmt::format("exit code {} instead of 1", outcome.exit_code);
  return outcome.output == shown ? "" : fmt::format("now says:\n{}", outcome.output);
}

/// What is wrong with a command; empty where nothing is, or where it is not ours.
std::string wrong_with(const Command& command, const Project& project, const std::filesystem::path& folder,
                       const std::filesystem::path& program_folder) {
  const std::string first = command.text.substr(0, command.text.find(' '));
  if (first.starts_with("scripts/")) {
    return std::filesystem::is_regular_file(project.root / first) ? "" : "no such script";
  }
  if (first != "wattloop") return {};
  const std::string line =
      fmt::format("PATH='{}':\"$PATH\" && cd '{}' && {}", program_folder.string(), folder.string(), command.text);
  return wrong_with_program(command, run_in_shell(line));
}

}  // namespace

std::vector<Snippet> read_snippets(const TextFile& document) {
  std::vector<Snippet> snippets;
  bool is_inside = false;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    const std::string& line = document.lines[i];
    if (line.starts_with("```")) {
      if (!is_inside) snippets.push_back({line.substr(3), i + 1, {}});
      is_inside = !is_inside;
    } else if (is_inside) {
      snippets.back().lines.push_back(line);
    }
  }
  return snippets;
}

std::vector<Command> read_commands(const Snippet& snippet) {
  std::vector<Command> commands;
  if (snippet.language != "console") return commands;
  for (std::size_t i = 0; i < snippet.lines.size(); ++i) {
    const std::string& line = snippet.lines[i];
    if (line.starts_with("$ ")) {
      commands.push_back({snippet.first_line + i, without_comment(line.substr(2)), {}});
    } else if (!commands.empty()) {
      commands.back().shown.push_back(line);
    }
  }
  return commands;
}

Violations follow_document(const Project& project, const TextFile& document, const std::filesystem::path& folder,
                           const std::filesystem::path& program_folder) {
  Violations found;
  for (const Snippet& snippet : read_snippets(document)) {
    if (snippet.language == "yaml" && !snippet.lines.empty() && snippet.lines[0].starts_with("format:")) {
      std::ofstream(folder / "my_scenario.yaml") << joined(snippet.lines);
    }
    for (const Command& command : read_commands(snippet)) {
      const std::string wrong = wrong_with(command, project, folder, program_folder);
      if (!wrong.empty()) found.push_back(violation(document, command.line, command.text + ": " + wrong));
    }
  }
  return found;
}

}  // namespace wattloop::tests
