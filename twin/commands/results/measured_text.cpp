#include "twin/commands/results/measured_text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/printable.hpp"
#include "core/units/units.hpp"
#include "twin/commands/program/text_table.hpp"

namespace wattloop::twin {

namespace {

std::string percent(double ratio) { return std::isfinite(ratio) ? fmt::format("{:.2f} %", 100.0 * ratio) : "n/a"; }

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "n/a"; }

/// Of names that hold commas or quotes.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

}  // namespace

std::string measured_text(std::span<const MeasuredSeries> series) {
  TextTable scores({"Series", "unit", "points", "CV(RMSE)", "NMBE", "RMSE"});
  TextTable worst({"Worst intervals", "from", "to", "measured", "modelled", "off"});
  std::string notes;
  for (const MeasuredSeries& one : series) {
    const std::string name = printable(one.recorded);
    scores.add({name, printable(one.unit), fmt::format("{}", one.score.points), percent(one.score.cv_rmse_ratio),
                percent(one.score.nmbe_ratio), number(one.score.rmse)});
    for (const std::size_t k : one.worst) {
      const OverlayInterval& interval = one.overlay.intervals[k];
      worst.add({name, format_quantity(interval.begin_s, "s"), format_quantity(interval.end_s, "s"),
                 number(interval.measured), number(interval.modelled), number(interval.measured - interval.modelled)});
    }
    if (!one.score.reason.empty()) notes += fmt::format("  {}: {}\n", name, one.score.reason);
    if (one.overlay.left_out > 0) {
      notes += fmt::format("  {}: {} intervals of {} are left out, because only one side has a value\n", name,
                           one.overlay.left_out, format_quantity(one.overlay.interval_s, "s"));
    }
  }
  return scores.text() + notes + "  off and NMBE: measured minus modelled; negative if the model is too high\n" +
         (worst.empty() ? "" : "\n" + worst.text());
}

std::string measured_json(std::span<const MeasuredSeries> series) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (const MeasuredSeries& one : series) {
    Json shown{{"recorded", one.recorded},
               {"column", one.column},
               {"unit", one.unit},
               {"points", one.score.points},
               {"interval_s", one.overlay.interval_s},
               {"intervals_left_out", one.overlay.left_out},
               {"cv_rmse", one.score.cv_rmse_ratio},
               {"nmbe", one.score.nmbe_ratio},
               {"rmse", one.score.rmse}};
    if (!one.score.reason.empty()) shown["reason"] = one.score.reason;
    shown["worst"] = Json::array();
    for (const std::size_t k : one.worst) {
      const OverlayInterval& interval = one.overlay.intervals[k];
      shown["worst"].push_back({{"begin_s", interval.begin_s},
                                {"end_s", interval.end_s},
                                {"measured", interval.measured},
                                {"modelled", interval.modelled}});
    }
    json.push_back(std::move(shown));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string overlay_csv(std::span<const MeasuredSeries> series) {
  std::string text = overlay_head;
  for (const MeasuredSeries& one : series) {
    for (const OverlayInterval& interval : one.overlay.intervals) {
      text +=
          fmt::format("{},{},{},{},{},{},{}\n", interval.begin_s, interval.end_s, csv_cell(one.recorded),
                      csv_cell(one.unit), interval.measured, interval.modelled, interval.measured - interval.modelled);
    }
  }
  return text;
}

}  // namespace wattloop::twin
