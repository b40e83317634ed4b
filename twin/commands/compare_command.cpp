#include "twin/commands/compare_command.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/problem.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/commands/compare_text.hpp"
#include "twin/commands/measured_text.hpp"
#include "twin/commands/written_file.hpp"

namespace wattloop::twin {

namespace {

[[noreturn]] void refuse(std::string place, std::string message, std::string hint) {
  throw InputError({{{std::move(place), 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

int compare_with_measured(const CompareOptions& options) {
  if (options.results.size() != 1) {
    refuse("--measured", fmt::format("{} results files, expected one", options.results.size()),
           "measurements are laid beside one run");
  }
  if (!options.limits.empty() || !options.tolerances.empty())
    refuse("--measured", "limits and tolerances are for results files", "compare these without --measured");
  if (!options.overlay.empty()) {
    demand_own_place(options.overlay, {options.results.front(), options.measured, options.map}, overlay_head,
                     options.is_forced);
  }
  const auto [series, notes] =
      compare_measured({.results = options.results.front(), .measured = options.measured, .map = options.map});
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  if (!options.overlay.empty()) write_whole(options.overlay, overlay_csv(series));
  if (options.is_json) {
    fmt::print("{}\n", measured_json(series));
  } else {
    fmt::print("{}", measured_text(series));
    if (!options.overlay.empty()) fmt::print("\noverlay            {}\n", printable(options.overlay.string()));
  }
  return done;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  if (!options.measured.empty()) return compare_with_measured(options);
  if (options.results.size() < 2) {
    refuse("compare", "one results file, expected two or more",
           "or measurements beside it: --measured telemetry.csv --map map.yaml");
  }
  const Comparison comparison =
      compare_results({.files = options.results, .tolerances = options.tolerances, .limits = options.limits});
  if (options.is_json) {
    fmt::print("{}\n", compare_json(comparison));
  } else {
    fmt::print("{}", compare_text(comparison, {options.units, options.lines, options.shows_equal}));
  }
  return comparison.is_any_limit_violated() ? limit_violated : done;
}

}  // namespace wattloop::twin
