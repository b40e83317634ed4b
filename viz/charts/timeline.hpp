// Curves over the run, from a results file: power above, temperatures below, then what the run's events moved, and what happened.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/report/events/event_summary.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "viz/drawing/drawing.hpp"
#include "viz/hall/shown_field.hpp"

namespace wattloop::viz {

struct Curve {
  std::string label;
  Colour colour;
  std::vector<double> times_s;
  std::vector<double> values;  ///< in the panel's unit; not a number: a gap
  std::vector<double>
      lows{};  ///< with `highs` the band of all items, of which `values` is the worst; empty: there is none
  std::vector<double> highs{};
};

/// Curves that share a vertical axis.
struct Panel {
  std::string title;  ///< with unit: "power, kW"
  std::vector<Curve> curves;
  bool from_zero = false;
  double height_share = 1.0;  ///< of the panels' height, over that of the others
  double most = -1.0;         ///< that there can be: where the axis ends; negative: no such
};

struct Timeline {
  double begin_s = 0.0, end_s = 0.0;  ///< of the panels: the run, or what its events span
  double run_end_s = 0.0;
  double shown_s = 0.0;  ///< time of the hall picture
  std::vector<Panel> panels;
  std::vector<twin::EventSummaryLine> event_lines;

  bool is_zoomed() const { return end_s - begin_s < run_end_s; }
};

/// What curves are asked for.
struct TimelineRequest {
  double shown_s = 0.0;
  std::optional<ShownField> field{};  ///< that the reader chose: it has a panel of its own below the power
  std::string rack{};                 ///< curves of this rack only; empty: of the hall
};

/// Curves that were recorded; panels without any are left out, and so are those of flow, loading, air, batteries and GPUs in a run
/// that does not move them. Where causes and losses span less than a third of the run the panels show that time.
Timeline read_timeline(const twin::ResultsReader& results, const TimelineRequest& request);

}  // namespace wattloop::viz
