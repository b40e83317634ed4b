// What a run says at its end, and again from its results: a dozen lines, everything, or JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/units.hpp"
#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/run/figures/verdict.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Which of the ways.
struct EndStyle {
  bool is_json = false;
  bool is_full = false;  ///< the whole summary after them
  UnitStyle units = UnitStyle::metric;
};

struct RunEnd {
  std::vector<NamedValue> figures;  ///< of the summary
  std::vector<NamedValue> about;    ///< provenance
  std::vector<EventRecord> events;
  std::vector<LimitRecord> limits;
  std::vector<Verdict> verdicts;  ///< on figures that were limited
  std::filesystem::path results;  ///< empty: not written
  std::string summary_text;       ///< all of it, in the units of the style
  std::string start{};            ///< local time at which the run begins
};

/// `--json`, `--full`, `--units`.
void add_end_style(CLI::App& command, EndStyle& style);

/// As text for people.
std::string end_text(const RunEnd& end, const EndStyle& style, bool is_coloured);

/// To standard output; coloured where that is a terminal, unless NO_COLOR is set.
void print_end(const RunEnd& end, const EndStyle& style);

}  // namespace wattloop::twin
