#include "twin/report/run/value_sources.hpp"

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/quoted_text.hpp"
#include "twin/results/reader/scenario_lines.hpp"

namespace wattloop::twin {

namespace {

/// "cold_plate." of the keys around a value: the nearest that says what it is of.
std::string section_of(std::span<const std::string> keys) {
  for (std::size_t above = keys.size() - 1; above-- > 0;)
    if (keys[above] != "hardware") return keys[above] + ".";
  return {};
}

}  // namespace

ValuesBySource values_by_source(std::string_view scenario) {
  ValuesBySource values;
  std::string last_value;
  for (const ScenarioLine& line : scenario_lines(scenario)) {
    if (line.keys.back() == "value") last_value = line.value;
    if (line.keys.back() != "source" || line.keys.size() < 2) continue;
    const std::span around = std::span(line.keys).first(line.keys.size() - 1);
    values[line.value].push_back(section_of(around) + around.back() + (last_value.empty() ? "" : " " + last_value));
    last_value.clear();
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
  return "<table class='lines'><tr><th>source (docs/references.bib)</th><th>values</th><th>which</th></tr>\n" + rows +
         "</table>";
}

}  // namespace wattloop::twin
