#include "twin/calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/comparison/measured_comparison.hpp"

namespace wattloop::twin {

namespace {

constexpr double step_fraction = 1e-3;          // of a parameter's range, for slopes
constexpr std::size_t expected_iterations = 6;  // for the time that is left

class Calibrator {
 public:
  Calibrator(const CalibrationPlan& plan, const CalibrationWatch& watch)
      : plan_(plan),
        watch_(watch),
        names_(plan.names()),
        parameters_(plan.spec.parameters.size()),
        until_s_(std::min(plan.spec.fit.to_s, plan.duration_s)),
        runs_(plan.base, plan.spec.parameters, names_,
              {watch.threads, watch.is_stop_requested, [this] { watch_.when_run(runs_.count(), expected()); }}) {}

  Calibration calibrate() {
    Calibration made{.series = plan_.series, .window = plan_.spec.fit, .start_iso = plan_.start_iso};
    BoundedProblem problem;
    for (const CalibratedParameter& parameter : plan_.spec.parameters) {
      problem.lower.push_back(parameter.lower);
      problem.upper.push_back(parameter.upper);
      problem.start.push_back(parameter.start);
    }
    demand_start(problem.start);
    problem.residuals = [this](std::span<const double> at) { return residuals_at({at.begin(), at.end()}); };
    problem.slopes = [this](std::span<const double> at) { return forward_slopes({at.begin(), at.end()}); };
    problem.when_stepped = [this](int iteration, double) { iterations_ = static_cast<std::size_t>(iteration); };
    made.fit = fit_within_bounds(problem);
    is_fitted_ = true;
    finish(made);
    return made;
  }

 private:
  std::size_t expected() const {
    const std::size_t each = parameters_ + 2, at_end = 2 * parameters_ + 1;
    const std::size_t iterations = is_fitted_ ? iterations_ : std::max(expected_iterations, iterations_ + 1);
    return std::max(2 + iterations * each + at_end, runs_.count() + (is_fitted_ ? 0 : at_end));
  }

  /// Measured and modelled values of a series, laid over each other.
  Overlay overlay_of_series(const ModelRun& run, std::size_t k) const {
    const KeptSeries& kept = run.series[k];
    return overlay_of(plan_.measured[k], recorded_samples(plan_.map.series[k], kept.times_s, kept.values));
  }

  std::vector<OverlayInterval> fitted_of(const Overlay& overlay) const {
    std::vector<OverlayInterval> fitted;
    std::ranges::copy_if(overlay.intervals, std::back_inserter(fitted),
                         [&](const OverlayInterval& one) { return plan_.spec.fit.holds(one.begin_s, one.end_s); });
    return fitted;
  }

  /// All series one after the other, in scales. Empty where the run has no answer, or reports other intervals than the first one did.
  std::vector<double> residuals_of(const ModelRun& run) const {
    if (run.exit_code != 0) return {};
    std::vector<double> residuals;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      for (const OverlayInterval& one : fitted_of(overlay_of_series(run, k)))
        residuals.push_back((one.modelled - one.measured) / plan_.series[k].scale);
    }
    if (count_ > 0 && residuals.size() != count_) return {};
    return residuals;
  }

  ModelRun run_at(const ParameterPoint& point, double until_s) {
    return runs_.at(std::span(&point, 1), until_s).front();
  }

  std::vector<double> residuals_at(const ParameterPoint& point) {
    if (point == last_point_) return last_residuals_;
    last_residuals_ = residuals_of(run_at(point, until_s_));
    last_point_ = point;
    return last_residuals_;
  }

  void demand_start(const ParameterPoint& start) {
    const ModelRun first = run_at(start, until_s_);
    if (first.exit_code != 0) throw SolverError(fmt::format("the run at the start has no answer: {}", first.message));
    Problems problems;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (!fitted_of(overlay_of_series(first, k)).empty()) continue;
      Problem problem = plan_.map.series[k].at;
      problem.message = fmt::format("'{}' has no measurement in the period that is fitted", plan_.map.series[k].column);
      problem.hint =
          "the times of the map are simulated times after its offset; write the period as fit: { from: 0 s, to: 2 h }";
      problems.add(std::move(problem));
    }
    problems.throw_if_any(plan_.spec.file.string());
    count_ = residuals_of(first).size();
    if (count_ > parameters_) return;
    throw InputError({{{plan_.spec.file.string(), 0, 0},
                       fmt::format("{} intervals are too few for {} parameters", count_, parameters_),
                       "give a longer period, or a shorter interval under `record`",
                       {}}},
                     plan_.spec.file.string());
  }

  [[noreturn]] void refuse(const ParameterPoint& point, const ModelRun& run) const {
    std::string text;
    for (std::size_t j = 0; j < parameters_; ++j)
      text += fmt::format("{}{} = {:.6g} {}", j > 0 ? ", " : "", plan_.spec.parameters[j].name, point[j],
                          plan_.spec.parameters[j].unit);
    throw SolverError(fmt::format("the run at {} has no answer: {}", text,
                                  run.exit_code != 0 ? run.message : "it records at other times than the other runs"));
  }

  double step_of(std::size_t j) const {
    return step_fraction * (plan_.spec.parameters[j].upper - plan_.spec.parameters[j].lower);
  }

  std::vector<std::vector<double>> forward_slopes(const ParameterPoint& point) {
    const std::vector<double> here = residuals_at(point);
    std::vector<ParameterPoint> points(parameters_, point);
    for (std::size_t j = 0; j < parameters_; ++j)
      points[j][j] += point[j] + step_of(j) <= plan_.spec.parameters[j].upper ? step_of(j) : -step_of(j);
    const std::vector<ModelRun> runs = runs_.at(points, until_s_);
    std::vector<std::vector<double>> slopes;
    for (std::size_t j = 0; j < parameters_; ++j) {
      std::vector<double> there = residuals_of(runs[j]);
      if (there.empty()) refuse(points[j], runs[j]);
      for (std::size_t i = 0; i < there.size(); ++i) there[i] = (there[i] - here[i]) / (points[j][j] - point[j]);
      slopes.push_back(std::move(there));
    }
    return slopes;
  }

  /// From both sides, but for bounds.
  std::vector<std::vector<double>> central_slopes(const ParameterPoint& point) {
    std::vector<ParameterPoint> points(2 * parameters_, point);
    for (std::size_t j = 0; j < parameters_; ++j) {
      const CalibratedParameter& parameter = plan_.spec.parameters[j];
      points[2 * j][j] = std::max(point[j] - step_of(j), parameter.lower);
      points[2 * j + 1][j] = std::min(point[j] + step_of(j), parameter.upper);
    }
    const std::vector<ModelRun> runs = runs_.at(points, until_s_);
    std::vector<std::vector<double>> slopes;
    for (std::size_t j = 0; j < parameters_; ++j) {
      const std::vector<double> below = residuals_of(runs[2 * j]);
      std::vector<double> above = residuals_of(runs[2 * j + 1]);
      if (below.empty()) refuse(points[2 * j], runs[2 * j]);
      if (above.empty()) refuse(points[2 * j + 1], runs[2 * j + 1]);
      for (std::size_t i = 0; i < above.size(); ++i)
        above[i] = (above[i] - below[i]) / (points[2 * j + 1][j] - points[2 * j][j]);
      slopes.push_back(std::move(above));
    }
    return slopes;
  }

  /// Series, scores and intervals at the values found.
  void finish(Calibration& made) {
    const std::vector<std::vector<double>> slopes = central_slopes(made.fit.values);
    const ModelRun best = run_at(made.fit.values, plan_.duration_s);
    if (best.exit_code != 0) refuse(made.fit.values, best);
    std::vector<FittedSeries> fitted;
    std::size_t first = 0;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      CalibratedSeries& series = made.series[k];
      series.overlay = overlay_of_series(best, k);
      series.fitted = fitted_of(series.overlay);
      std::ranges::copy_if(series.overlay.intervals, std::back_inserter(series.predicted),
                           [&](const OverlayInterval& one) { return is_predicted(one); });
      fitted.push_back(fitted_series(series, slopes, first));
      first += series.fitted.size();
    }
    for (std::size_t j = 0; j < parameters_; ++j) {
      const CalibratedParameter& parameter = plan_.spec.parameters[j];
      made.parameters.push_back({made.fit.values[j], parameter.lower, parameter.upper});
    }
    made.uncertainty = uncertainty_of(fitted, made.parameters, interval_level);
    made.runs = runs_.count();
  }

  bool is_predicted(const OverlayInterval& one) const {
    const auto& predict = plan_.spec.predict;
    return predict ? predict->holds(one.begin_s, one.end_s) : !plan_.spec.fit.meets(one.begin_s, one.end_s);
  }

  FittedSeries fitted_series(const CalibratedSeries& series, const std::vector<std::vector<double>>& slopes,
                             std::size_t first) const {
    FittedSeries one{.interval_s = series.overlay.interval_s, .scale = series.scale};
    for (const OverlayInterval& interval : series.fitted) {
      one.times_s.push_back(interval.end_s);
      one.residuals.push_back(interval.modelled - interval.measured);
    }
    for (const std::vector<double>& all : slopes) {
      std::vector<double>& own = one.slopes.emplace_back();
      for (std::size_t i = 0; i < series.fitted.size(); ++i) own.push_back(series.scale * all.at(first + i));
    }
    return one;
  }

  const CalibrationPlan& plan_;
  const CalibrationWatch& watch_;
  const std::vector<SeriesName> names_;
  const std::size_t parameters_;
  const double until_s_;
  std::size_t count_ = 0, iterations_ = 0;
  bool is_fitted_ = false;
  ParameterPoint last_point_;
  std::vector<double> last_residuals_;
  ModelRuns runs_;
};

}  // namespace

Calibration calibrate(const CalibrationPlan& plan, const CalibrationWatch& watch) {
  return Calibrator(plan, watch).calibrate();
}

}  // namespace wattloop::twin
