#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

const std::string catalog = "twin/parts/part_kinds.hpp";

bool is_in_catalog(const Project& project, const std::string& kind) {
  const std::regex entry("\\w+::" + kind + "[,>]");
  return std::ranges::any_of(project.files, [&](const TextFile& file) {
    return file.path == catalog &&
           std::ranges::any_of(file.lines, [&](const std::string& line) { return std::regex_search(line, entry); });
  });
}

}  // namespace

Violations part_violations(const Project& project) {
  static const std::regex said(R"(static_assert\(Part<(\w+)>\);)");
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || file.path.starts_with("tests/")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      std::smatch match;
      if (!std::regex_match(file.lines[i], match, said) || is_in_catalog(project, match[1])) continue;
      found.push_back(violation(file, i, fmt::format("{} is left out of {}", match[1].str(), catalog)));
    }
  }
  return found;
}

}  // namespace wattloop::tests
