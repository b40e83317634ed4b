#include "twin/commands/studies/calibrate_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units/units.hpp"
#include "twin/commands/program/text_table.hpp"

namespace wattloop::twin {

namespace {

using Kind = KnownParameter::Kind;

std::string shown(double value) { return std::isfinite(value) ? fmt::format("{:.5g}", value) : "-"; }

std::string percent(double ratio) { return std::isfinite(ratio) ? fmt::format("{:.2f} %", 100.0 * ratio) : "n/a"; }

std::string shown_unit(const std::string& unit) { return unit.empty() ? "1" : unit; }

std::string values_text(const CalibrationPlan& plan, const Calibration& made) {
  TextTable table({"parameter", "value", "5 %", "95 %", "unit", "from", "to"});
  for (std::size_t j = 0; j < made.parameters.size(); ++j) {
    const ParameterRange& range = made.parameters[j];
    const KnownParameter& known = made.uncertainty.parameters[j];
    table.add({plan.spec.parameters[j].name, shown(range.value), shown(known.low), shown(known.high),
               shown_unit(plan.spec.parameters[j].unit), shown(range.lower), shown(range.upper)});
  }
  return table.text();
}

std::string unreported_text(const CalibrationPlan& plan, const Calibration& made) {
  std::string text;
  for (std::size_t j = 0; j < made.parameters.size(); ++j) {
    if (made.uncertainty.parameters[j].kind != Kind::estimated)
      text += fmt::format("  {}: {}\n", plan.spec.parameters[j].name, meaning_of(plan, made, j));
  }
  return text.empty() ? text : "\nNot determined by the measurements\n" + text;
}

/// What a study takes as it stands: normal, with the deviation of the estimate, between the bounds of the fit.
std::string changes_text(const CalibrationPlan& plan, const Calibration& made) {
  std::string text;
  for (std::size_t j = 0; j < made.parameters.size(); ++j) {
    const KnownParameter& known = made.uncertainty.parameters[j];
    if (known.kind != Kind::estimated) continue;
    const CalibratedParameter& parameter = plan.spec.parameters[j];
    const auto written = [&](double value, const std::string& unit) {
      return fmt::format("{:.5g}{}{}", value, unit.empty() ? "" : " ", unit);
    };
    const std::string of_differences = parameter.unit == "degC" ? "K" : parameter.unit;
    text += fmt::format(
        "  {}:\n    path: [{}]\n    distribution: {{ kind: normal, mean: {}, deviation: {}, from: {}, to: {} }}\n",
        parameter.name, fmt::join(parameter.paths, ", "), written(made.parameters[j].value, parameter.unit),
        written(known.standard_error, of_differences), written(made.parameters[j].lower, parameter.unit),
        written(made.parameters[j].upper, parameter.unit));
  }
  return text.empty() ? text : "\nAs changes of a study\n" + text;
}

std::string correlation_text(const CalibrationPlan& plan, const Calibration& made) {
  const std::size_t count = made.parameters.size();
  if (count < 2) return {};
  std::vector<std::string> head{""};
  for (const CalibratedParameter& parameter : plan.spec.parameters) head.push_back(parameter.name);
  TextTable table(head);
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<std::string> row{plan.spec.parameters[j].name};
    for (const double value : made.uncertainty.correlation[j])
      row.push_back(std::isfinite(value) ? fmt::format("{:.3f}", value) : "-");
    table.add(std::move(row));
  }
  return "\nCorrelation\n" + table.text();
}

std::string noise_text(const Calibration& made) {
  TextTable table({"residuals", "spread", "of neighbours", "independent"});
  for (std::size_t k = 0; k < made.series.size(); ++k) {
    const SeriesNoise& noise = made.uncertainty.noise[k];
    table.add({made.series[k].column, fmt::format("{:.4g} {}", noise.standard_deviation, made.series[k].spread_unit),
               fmt::format("{:.3f}", noise.neighbour_correlation),
               fmt::format("{:.1f} of {}", noise.independent_points, made.series[k].fitted.size())});
  }
  return "\nResiduals in the fitted period: correlation of neighbouring residuals widens the intervals\n" +
         table.text();
}

/// The scores of one series in one period.
void add_scores(const CalibratedSeries& series, const std::vector<OverlayInterval>& intervals,
                const std::string& start_iso, const std::string& period, TextTable& table) {
  for (const GuidelineVerdict& verdict : guideline_verdicts(intervals, start_iso))
    table.add({fmt::format("{}, {}, {}", series.column, period, verdict.values),
               fmt::format("{:.4g} {}", verdict.score.rmse, series.spread_unit), percent(verdict.score.cv_rmse_ratio),
               fmt::format("{:.0f} %", 100.0 * verdict.most_cv_rmse_ratio), percent(verdict.score.nmbe_ratio),
               fmt::format("{:.0f} %", 100.0 * verdict.most_nmbe_ratio), verdict.holds() ? "held" : "NOT HELD"});
}

std::string scores_text(const Calibration& made) {
  TextTable table({"", "RMSE", "CV(RMSE)", "limit", "NMBE", "limit", ""});
  for (const CalibratedSeries& series : made.series) {
    add_scores(series, series.fitted, made.start_iso, "fitted", table);
    add_scores(series, series.predicted, made.start_iso, "predicted", table);
  }
  std::string text = "\nAgreement, and limits of ASHRAE Guideline 14\n" + table.text();
  const bool is_predicted =
      std::ranges::any_of(made.series, [](const CalibratedSeries& series) { return !series.predicted.empty(); });
  if (!is_predicted)
    text += "  no measurement is left for a prediction: write `fit: { to: TIME }` to keep the later ones for it\n";
  return text;
}

}  // namespace

std::string word_of(Kind kind) {
  switch (kind) {
    case Kind::estimated:
      return "estimated";
    case Kind::at_lower_bound:
      return "at_lower_bound";
    case Kind::at_upper_bound:
      return "at_upper_bound";
    case Kind::moves_nothing:
      return "moves_nothing";
    case Kind::not_alone:
      return "not_alone";
    case Kind::too_wide:
      break;
  }
  return "too_wide";
}

std::string meaning_of(const CalibrationPlan& plan, const Calibration& made, std::size_t j) {
  const KnownParameter& known = made.uncertainty.parameters[j];
  std::string others;
  for (const std::size_t other : known.with)
    others += fmt::format("{}{}", others.empty() ? "" : ", ", plan.spec.parameters[other].name);
  switch (known.kind) {
    case Kind::estimated:
      return "determined by the measurements";
    case Kind::at_lower_bound:
      return "at its lower bound; a lower value would fit better";
    case Kind::at_upper_bound:
      return "at its upper bound; a higher value would fit better";
    case Kind::moves_nothing:
      return "nothing that is measured depends on it";
    case Kind::not_alone:
      return fmt::format("not identifiable: {} can take its place", others.empty() ? "another" : others);
    case Kind::too_wide:
      break;
  }
  return "not identifiable: its interval is wider than its bounds";
}

std::string calibration_text(const CalibrationPlan& plan, const Calibration& made) {
  std::string text = fmt::format("{}\n{} after {} iterations, {} runs\n\nParameters with 90 % intervals\n",
                                 plan.spec.title, made.fit.end, made.fit.iterations, made.runs);
  return text + values_text(plan, made) + unreported_text(plan, made) + changes_text(plan, made) +
         correlation_text(plan, made) + noise_text(made) + scores_text(made);
}

}  // namespace wattloop::twin
