#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <string_view>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

const std::regex rooms("twin/(integration|units)/.*");
const std::string catalog = "twin/parts/part_kinds.hpp";

/// Words in names of kinds that say no kind, and what they say in these rooms.
constexpr std::array<std::string_view, 9> words_of_any_plant{
    "unit",      // what rooms are about
    "switch",    // whether a branch of the power tree is closed; a word of C++
    "heat",      // as all quantities below
    "pressure",  //
    "mass",      //
    "coolant",   // what flows past a unit, in the text of a field
    "system",    // of equations
    "control",   // as an interval
    "loop",      // of a program
};

/// Words of an identifier or a sentence, in small letters, without the s of a plural: "CduPumps", "cdu_pumps" are "cdu", "pump".
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words{""};
  bool was_small = false;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    const bool begins = std::isalpha(code) == 0 || (was_small && std::isupper(code) != 0);
    if (begins && !words.back().empty()) words.emplace_back();
    if (std::isalpha(code) != 0) words.back() += static_cast<char>(std::tolower(code));
    was_small = std::islower(code) != 0;
  }
  for (std::string& word : words) {
    if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  }
  return words;
}

/// Words of the headers in the catalog of parts, and of the kinds that electrical equipment declares; a battery is part of one.
std::set<std::string> words_of_kinds(const Project& project) {
  static const std::regex header(R"re(#include "(?:physics|network|electrical)/(\w+)\.hpp".*)re");
  static const std::regex declared(R"re(.*std::string_view kind = "(\w+)".*)re");
  std::set<std::string> words{"battery", "batterie"};
  for (const TextFile& file : project.files) {
    const bool is_catalog = file.path == catalog;
    if (!is_catalog && !file.path.starts_with("electrical/")) continue;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!std::regex_match(line, match, is_catalog ? header : declared)) continue;
      for (const std::string& word : words_of(match[1].str())) words.insert(word);
    }
  }
  words.erase("");
  for (const std::string_view word : words_of_any_plant) words.erase(std::string(word));
  return words;
}

}  // namespace

Violations kind_violations(const Project& project) {
  const std::set<std::string> kinds = words_of_kinds(project);
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || !std::regex_match(file.path, rooms)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string_view comment = comment_of(file, file.lines[i]);
      const std::string_view code = std::string_view(file.lines[i]).substr(0, file.lines[i].size() - comment.size());
      for (const std::string& word : words_of(code)) {
        if (!kinds.contains(word)) continue;
        found.push_back(violation(file, i, fmt::format("names a kind of equipment: {}", word)));
      }
    }
  }
  return found;
}

}  // namespace wattloop::tests
