#include "twin/run/figures/printed_summary.hpp"

#include <array>
#include <string_view>

namespace wattloop::twin {

namespace {

struct Printed {
  UnitStyle style;
  std::string_view name, long_name;
};
constexpr std::array all_printed{
    Printed{UnitStyle::metric, "summary_metric", "summary as it was printed"},
    Printed{UnitStyle::inch_pound, "summary_inch_pound", "summary as it was printed, in the units of --units ip"}};

}  // namespace

std::vector<NamedValue> printed_summaries(const FinishedRun& run) {
  std::vector<NamedValue> texts;
  for (const Printed& printed : all_printed) {
    texts.push_back({.name = std::string(printed.name),
                     .value = summary_text(run, printed.style),
                     .long_name = std::string(printed.long_name)});
  }
  return texts;
}

std::optional<std::string> printed_summary(const ResultsReader& results, UnitStyle style) {
  for (const Printed& printed : all_printed) {
    if (printed.style == style) return results.provenance_text(printed.name);
  }
  return std::nullopt;
}

}  // namespace wattloop::twin
