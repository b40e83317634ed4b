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

/// Folders whose code names no kind of equipment.
constexpr std::array<std::string_view, 4> folders{"twin/integration/", "twin/units/", "twin/simulation/", "twin/run/"};

const std::string catalog = "twin/parts/part_kinds.hpp";

/// Words in names of kinds that say no kind, and what they say in these rooms.
constexpr std::array<std::string_view, 20> words_of_any_plant{
    "unit",      // what rooms are about
    "switch",    // whether a branch of the power tree is closed; a word of C++
    "heat",      // as all quantities below
    "pressure",  //
    "mass",      //
    "coolant",   // what flows past a unit, in the text of a field
    "system",    // of equations
    "control",   // as an interval
    "loop",      // of a program
    "rack",      // what stations of units are
    "node",      // of coolant, water and air; what racks hold
    "row",       // of a table
    "room",      // which the power system heats
    "water",     // that is used up
    "air",       // of rooms, which the power system heats; around a unit
    "plate",     // of a cold plate, which is a unit
    "in",        // a word of any sentence
    "dry",       // as one of the temperatures of the air outside
    "storage",   // of checkpoints, for which jobs wait
    "feed",      // where all power is metered; what parts do to sinks
};

/// What a file may name nevertheless, and why.
struct Exception {
  std::string_view path;
  std::set<std::string> words;
  std::string_view reason;
};
const std::set<std::string> power_words{"feeder", "ups", "pdu", "transformer", "generator", "battery", "batterie"};
const std::set<std::string> node_words{"fan"};  // of nodes, which are units: no header of a kind reports them
const std::array exceptions{
    Exception{"twin/run/recording/recorded_power.cpp", power_words,
              "tables of the power tree, which has no headers of kinds"},
    Exception{"twin/run/recording/recorded_facility.cpp", power_words, "the same: its losses, and what batteries give"},
    Exception{"twin/run/meters/energy_parts.cpp", power_words, "the same: parts of PUE"},
    Exception{"twin/run/meters/energy_parts.hpp", power_words, "the same"},
    Exception{"twin/run/meters/energy_figures.cpp", power_words, "the same, as figures"},
    Exception{"twin/run/meters/energy_figures.hpp", power_words, "the same"},
    Exception{"twin/run/meters/source_energy.hpp", power_words, "the same, by who delivers it"},
    Exception{"twin/run/meters/cost_meter.cpp", power_words, "the same: fuel"},
    Exception{"twin/run/meters/cost_meter.hpp", power_words, "the same"},
    Exception{"twin/run/figures/cost_lines.cpp", power_words, "the same, in words"},
    Exception{"twin/run/figures/months.cpp", power_words, "the same, by month"},
    Exception{"twin/run/meters/statistics.cpp", power_words, "the same: their charge"},
    Exception{"twin/run/meters/statistics.hpp", power_words, "the same"},
    Exception{"twin/run/figures/summary.cpp", power_words, "the same, in values of the summary"},
    Exception{"twin/run/figures/summary_text.cpp", power_words, "the same, in its text"},
    Exception{"twin/run/recording/recorded_facility.cpp", node_words, "what all fans of nodes draw"},
    Exception{"twin/run/recording/recorded_tables.cpp", node_words, "how fast they turn"},
    Exception{"twin/run/meters/statistics.cpp", node_words, "the same over a run"},
    Exception{"twin/run/meters/statistics.hpp", node_words, "the same"},
    Exception{"twin/run/figures/summary.cpp", node_words, "the same, in values of the summary"},
    Exception{"twin/run/figures/summary_text.cpp", node_words, "the same, in its text"},
};

bool is_excepted(const std::string& path, const std::string& word) {
  return std::ranges::any_of(exceptions,
                             [&](const Exception& one) { return one.path == path && one.words.contains(word); });
}

bool is_in_folders(const std::string& path) {
  return std::ranges::any_of(folders, [&](std::string_view folder) { return path.starts_with(folder); });
}

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
  static const std::regex header(R"re(#include "(?:physics|network|electrical)/(?:\w+/)?(\w+)\.hpp".*)re");
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
    if (!file.is_code() || !is_in_folders(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string_view comment = comment_of(file, file.lines[i]);
      const std::string_view code = std::string_view(file.lines[i]).substr(0, file.lines[i].size() - comment.size());
      for (const std::string& word : words_of(code)) {
        if (!kinds.contains(word) || is_excepted(file.path, word)) continue;
        found.push_back(violation(file, i, fmt::format("names a kind of equipment: {}", word)));
      }
    }
  }
  return found;
}

}  // namespace wattloop::tests
