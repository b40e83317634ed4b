#include "twin/report/value_sources.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/drawings/page_text.hpp"

namespace wattloop::twin {

namespace {

/// A line "key: value" of YAML in blocks; the dash of a list counts as a blank.
struct Line {
  std::size_t indent = 0;
  std::string key{}, value{};
};

Line line_of(std::string text) {
  Line line;
  while (line.indent < text.size() && (text[line.indent] == ' ' || text[line.indent] == '-')) ++line.indent;
  const std::size_t colon = text.find(':', line.indent);
  if (colon == std::string::npos) return line;
  line.key = text.substr(line.indent, colon - line.indent);
  const std::size_t value = text.find_first_not_of(' ', colon + 1);
  if (value != std::string::npos) line.value = text.substr(value);
  return line;
}

/// "cold_plate." of the keys around a value: the nearest that says what it is of.
std::string section_of(const std::vector<Line>& open) {
  for (std::size_t above = open.size() - 1; above-- > 0;)
    if (open[above].key != "hardware") return open[above].key + ".";
  return {};
}

}  // namespace

ValuesBySource values_by_source(std::string_view scenario) {
  ValuesBySource values;
  std::vector<Line> open;  // keys around the line at hand
  std::string last_value;
  std::istringstream lines{std::string(scenario)};
  for (std::string text; std::getline(lines, text);) {
    Line line = line_of(std::move(text));
    if (line.key.empty()) continue;
    while (!open.empty() && open.back().indent >= line.indent) open.pop_back();
    if (line.key == "value") last_value = line.value;
    if (line.key == "source" && !open.empty()) {
      values[line.value].push_back(section_of(open) + open.back().key + (last_value.empty() ? "" : " " + last_value));
      last_value.clear();
    }
    open.push_back(std::move(line));
  }
  return values;
}

std::string sources_list(const ResultsReader& results) {
  std::string rows;
  for (const auto& [source, values] : values_by_source(results.provenance_text("scenario").value_or(""))) {
    constexpr std::size_t few = 4;
    std::string names = page_text(fmt::format("{}", fmt::join(values, "; ")));
    if (values.size() > few)
      names = fmt::format("<details><summary>{}; ...</summary>{}</details>", page_text(values.front()), names);
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", page_text(source), values.size(), names);
  }
  if (rows.empty()) return rows;
  return "<table><tr><th>source (docs/references.bib)</th><th>values</th><th>which</th></tr>\n" + rows + "</table>";
}

}  // namespace wattloop::twin
