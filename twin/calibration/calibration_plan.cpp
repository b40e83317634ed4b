// plan_calibration(): base, map and measurements of a calibration, and what is wrong with them.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/calibration/calibration_plan.hpp"
#include "twin/comparison/telemetry_file.hpp"

namespace wattloop::twin {

namespace {

/// Values that cannot be read at a bound or at the start, reported once each.
void check_values(const CalibrationPlan& plan, Problems& problems) {
  ParameterPoint lower, upper, start;
  for (const CalibratedParameter& parameter : plan.spec.parameters) {
    lower.push_back(parameter.lower);
    upper.push_back(parameter.upper);
    start.push_back(parameter.start);
  }
  std::set<std::string> reported;
  for (const ParameterPoint& point : {start, lower, upper}) {
    try {
      build_plant(plan.base.with(changes_at(plan.spec.parameters, point)));
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) {
        if (reported.insert(format_problem(problem)).second) problems.add(problem);
      }
    }
  }
}

double spread_of(const std::vector<double>& values) {
  double sum = 0.0, squares = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// What `text` is as a difference in the unit of the series.
void read_accuracy(const MeasurementAccuracy& accuracy, const RecordedSeries& recorded, CalibratedSeries& series,
                   Problems& problems) {
  const std::string si = recorded.unit == "K" ? "delta_K" : recorded.unit;
  const double size = to_si(1.0, series.unit, recorded.unit) - to_si(0.0, series.unit, recorded.unit);
  try {
    series.scale = to_si(accuracy.text, si) / size;
    series.has_accuracy = true;
    if (!(series.scale > 0.0)) problems.add(problem_at(accuracy.written, "an accuracy must be above 0"));
  } catch (const QuantityError& error) {
    problems.add(problem_at(accuracy.written, fmt::format("accuracy: {}", error.what()), error.hint));
  }
}

void plan_series(CalibrationPlan& plan, Problems& problems) {
  std::set<std::string> columns;
  for (std::size_t k = 0; k < plan.map.series.size(); ++k) {
    const MappedSeries& mapped = plan.map.series[k];
    CalibratedSeries series{.recorded = mapped.recorded, .column = mapped.column, .unit = mapped.unit};
    series.spread_unit = mapped.series.unit == "K" && mapped.unit == "degC" ? "K" : mapped.unit;
    columns.insert(mapped.column);
    std::vector<double> fitted;
    for (std::size_t i = 0; k < plan.measured.size() && i < plan.measured[k].times_s.size(); ++i) {
      const double time_s = plan.measured[k].times_s[i];
      if (plan.spec.fit.holds(time_s, time_s) && time_s >= 0.0 && time_s <= plan.duration_s)
        fitted.push_back(plan.measured[k].values[i]);
    }
    const auto accuracy = std::ranges::find(plan.spec.accuracy, mapped.column, &MeasurementAccuracy::column);
    if (accuracy != plan.spec.accuracy.end()) {
      read_accuracy(*accuracy, mapped.series, series, problems);
    } else if (fitted.size() > 1) {
      series.scale = spread_of(fitted);
      if (!(series.scale > 0.0)) {
        Problem problem = mapped.at;
        problem.message = fmt::format("'{}' is constant in the period that is fitted", mapped.column);
        problem.hint = fmt::format("write its accuracy, which weights its residuals: accuracy: {{ \"{}\": 1 {} }}",
                                   mapped.column, series.spread_unit);
        problems.add(std::move(problem));
      }
    }
    plan.series.push_back(std::move(series));
  }
  const std::vector<std::string> known(columns.begin(), columns.end());
  for (const MeasurementAccuracy& accuracy : plan.spec.accuracy) {
    if (!columns.contains(accuracy.column))
      problems.add(problem_at(accuracy.written, fmt::format("accuracy: the map has no column '{}'", accuracy.column),
                              nearest_hint(accuracy.column, known)));
  }
}

}  // namespace

std::vector<SeriesName> CalibrationPlan::names() const {
  std::vector<SeriesName> names;
  for (const MappedSeries& one : map.series) names.push_back({one.series.table, one.series.column, one.series.item});
  return names;
}

CalibrationPlan plan_calibration(CalibrationSpec spec, const std::vector<std::string>& overrides) {
  ScenarioBase base(spec.base, overrides, spec.fixed);
  CalibrationPlan plan{.spec = std::move(spec), .base = std::move(base)};
  const Scenario scenario = plan.base.with({});
  plan.start_iso = scenario.start;
  plan.duration_s = scenario.duration_s;
  Problems problems;
  plan.map = read_telemetry_map(plan.spec.map, recorded_specs(build_plant(scenario), scenario.record), problems);
  if (problems.empty()) {
    Telemetry telemetry = read_telemetry(plan.spec.measured, plan.map, plan.start_iso, problems);
    plan.measured = std::move(telemetry.series);
    plan.notes = std::move(telemetry.notes);
  }
  if (problems.empty()) plan_series(plan, problems);
  check_values(plan, problems);
  problems.throw_if_any(plan.spec.file.string());
  return plan;
}

}  // namespace wattloop::twin
