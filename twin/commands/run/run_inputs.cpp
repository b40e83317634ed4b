#include "twin/commands/run/run_inputs.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/printable.hpp"
#include "twin/platform/program_files.hpp"
#include "twin/platform/system_file.hpp"
#include "twin/platform/version.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view of_environment = "environment";
constexpr std::size_t most_reported_changes = 5;

std::string file_line(const InputFile& input) {
  const SystemFile file(input.path, SystemFile::Access::read);
  return fmt::format("{} {:08x} {}", input.role, checksum_of(file, file.size()), printable(input.name));
}

/// Half of a checksum of name and value: the whole one would give a value of four letters away.
std::string variable_line(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  const std::uint32_t checksum = checksum_of(fmt::format("{}={}", name, value == nullptr ? "" : value));
  return fmt::format("{} {:04x} {}", of_environment, (checksum ^ (checksum >> 16U)) & 0xffffU, printable(name));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string role_of(const std::string& line) { return line.substr(0, line.find(' ')); }

/// Of what the text of a scenario is made.
bool is_of_text(std::string_view role) { return role == "scenario" || role == "base" || role == "library"; }

/// The lines, those of the files that are wanted, and those of variables.
template <class Wanted>
std::string with_inputs(std::set<std::string> lines, const Scenario& scenario, const Wanted& is_wanted) {
  for (const InputFile& input : scenario.input_files)
    if (is_wanted(input)) lines.insert(file_line(input));
  for (const std::string& name : scenario.variables) lines.insert(variable_line(name));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// Checksums by what they are of: "trace x.csv".
std::map<std::string, std::set<std::string>> by_input(const std::string& text) {
  std::map<std::string, std::set<std::string>> checksums;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string role, checksum, name;
    words >> role >> checksum >> std::ws;
    std::getline(words, name);
    checksums[fmt::format("{} {}", role, name)].insert(checksum);
  }
  return checksums;
}

}  // namespace

std::string input_lines(const Scenario& scenario, const std::string& repeated) {
  std::set<std::string> lines;
  for (const std::string& line : lines_of(repeated)) {
    if (is_of_text(role_of(line))) lines.insert(line);
  }
  return with_inputs(std::move(lines), scenario, [](const InputFile&) { return true; });
}

std::string input_lines_beside_text(const Scenario& scenario) {
  return with_inputs({}, scenario, [](const InputFile& input) { return !is_of_text(input.role); });
}

std::string program_text() {
  std::string text = fmt::format("{} {}", version(), commit());
  const std::filesystem::path program = program_reported_apart();
  if (program.empty()) return text;
  const SystemFile file(program, SystemFile::Access::read);
  return text + fmt::format(" {:08x}", checksum_of(file, file.size()));
}

std::string input_changes(const std::string& before, const std::string& now) {
  if (before.empty()) return {};
  const auto earlier = by_input(before), later = by_input(now);
  std::vector<std::string> changes;
  for (const auto& [input, checksums] : later) {
    const auto found = earlier.find(input);
    if (found == earlier.end()) {
      changes.push_back(input + " is new");
    } else if (found->second != checksums) {
      changes.push_back(input + " changed");
    }
  }
  for (const auto& [input, checksums] : earlier) {
    if (!later.contains(input)) changes.push_back(input + " is gone");
  }
  if (changes.size() > most_reported_changes) {
    const std::size_t more = changes.size() - most_reported_changes;
    changes.resize(most_reported_changes);
    changes.push_back(fmt::format("and {} more", more));
  }
  return fmt::format("{}", fmt::join(changes, ", "));
}

}  // namespace wattloop::twin
