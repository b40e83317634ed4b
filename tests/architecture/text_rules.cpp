#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

constexpr std::size_t most_lines = 400;

/// Written in two parts, so that this file does not break its own rule.
const std::array machine_folders{std::string("/ho") + "me/",  std::string("/ro") + "ot/", std::string("/wo") + "rk/",
                                 std::string("/Us") + "ers/", std::string("/mn") + "t/",  std::string("C:") + "\\"};

/// Whether a machine's folder starts at `position`: a path that merely contains the word ("docs/work/") does
/// not count.
bool is_path_start(const std::string& line, std::size_t position) {
  if (position == 0) return true;
  const char before = line[position - 1];
  return !std::isalnum(static_cast<unsigned char>(before)) && std::string("._-/}").find(before) == std::string::npos;
}

/// What would make a test depend on others that run beside it, or on how fast a machine is. In two parts, as above.
struct Surrounding {
  std::string text, reason;
};
const std::array surroundings{
    Surrounding{std::string("temp_directory") + "_path", "takes a folder that others may take: TemporaryFolder"},
    Surrounding{std::string("_clock") + "::now", "depends on how long something takes"},
    Surrounding{std::string("TEST_CASE(") + "\"-", "has a name that Catch2 reads as an option: the test never runs"}};

bool has_pragma_once(const TextFile& file) {
  for (const std::string& line : file.lines) {
    if (line == "#pragma once") return true;
    if (!line.empty() && !line.starts_with("//")) return false;
  }
  return false;
}

}  // namespace

Violations shape_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code()) continue;
    const std::size_t count = file.lines.size();
    if (count > most_lines) found.push_back(violation(file, count - 1, fmt::format("more than {} lines", most_lines)));
    if (file.has_extension(".hpp") && !has_pragma_once(file)) {
      found.push_back(violation(file, 0, "the first thing after the opening comment is not #pragma once"));
    }
  }
  return found;
}

Violations machine_path_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string& folder : machine_folders) {
        const std::size_t position = file.lines[i].find(folder);
        if (position == std::string::npos || !is_path_start(file.lines[i], position)) continue;
        found.push_back(violation(file, i, fmt::format("names a folder of one machine, {}", folder)));
      }
    }
  }
  return found;
}

Violations memory_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || file.path.starts_with("tests/")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].find("thread_local") == std::string::npos) continue;
      found.push_back(violation(file, i, "memory belongs to who asks, not to a thread"));
    }
  }
  return found;
}

Violations test_surroundings_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || !file.path.starts_with("tests/") || file.path == "tests/support/temporary_folder.hpp")
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const Surrounding& one : surroundings) {
        if (file.lines[i].find(one.text) != std::string::npos) found.push_back(violation(file, i, one.reason));
      }
    }
  }
  return found;
}

}  // namespace wattloop::tests
