#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

/// Who says of itself that it is a kind, and the file that lists all of them.
struct Catalog {
  std::regex said;
  std::string path;
};

const std::array catalogs{
    Catalog{std::regex(R"(static_assert\(Part<(\w+)>\);)"), "twin/parts/part_kinds.hpp"},
    Catalog{std::regex(R"(static_assert\((?:Passage|Source)Kind<(\w+)>\);)"), "electrical/electrical_kinds.hpp"},
};

bool is_in(const Project& project, const Catalog& catalog, const std::string& kind) {
  const std::regex entry("\\b" + kind + "[,>]");
  return std::ranges::any_of(project.files, [&](const TextFile& file) {
    return file.path == catalog.path &&
           std::ranges::any_of(file.lines, [&](const std::string& line) { return std::regex_search(line, entry); });
  });
}

/// Names that kinds of electrical equipment give themselves; "feed" is a word of its own.
std::vector<std::string> electrical_names(const Project& project) {
  static const std::regex said(R"re(.*string_view kind = "(\w+)".*)re");
  std::vector<std::string> names;
  for (const TextFile& file : project.files) {
    std::smatch match;
    for (const std::string& line : file.lines) {
      if (!file.path.starts_with("electrical/") || !std::regex_match(line, match, said)) continue;
      if (match[1] != "feed") names.push_back(match[1]);
    }
  }
  return names;
}

bool knows_no_equipment(const std::string& path) {
  return path.starts_with("twin/integration/") || path.starts_with("twin/units/") ||
         path.starts_with("twin/simulation/") || path.starts_with("twin/run/");
}

}  // namespace

Violations part_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || file.path.starts_with("tests/")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const Catalog& catalog : catalogs) {
        std::smatch match;
        if (!std::regex_match(file.lines[i], match, catalog.said) || is_in(project, catalog, match[1])) continue;
        found.push_back(violation(file, i, fmt::format("{} is left out of {}", match[1].str(), catalog.path)));
      }
    }
  }
  return found;
}

Violations named_equipment_violations(const Project& project) {
  const std::vector<std::string> names = electrical_names(project);
  Violations found;
  if (names.empty()) return found;
  const std::regex word(fmt::format("\\b({})s?\\b", fmt::join(names, "|")), std::regex::icase);
  for (const TextFile& file : project.files) {
    if (!file.is_code() || !knows_no_equipment(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      std::smatch match;
      const std::string code = file.lines[i].substr(0, file.lines[i].find("//"));
      if (!std::regex_search(code, match, word)) continue;
      found.push_back(violation(file, i, fmt::format("'{}' is for its own header to name", match[1].str())));
    }
  }
  return found;
}

}  // namespace wattloop::tests
