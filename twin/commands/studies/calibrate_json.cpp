#include <cmath>

#include <nlohmann/json.hpp>

#include "twin/commands/studies/calibrate_json.hpp"
#include "twin/commands/studies/calibrate_text.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json parameters_json(const CalibrationPlan& plan, const Calibration& made) {
  Json parameters = Json::object();
  for (std::size_t j = 0; j < made.parameters.size(); ++j) {
    const CalibratedParameter& parameter = plan.spec.parameters[j];
    const KnownParameter& known = made.uncertainty.parameters[j];
    Json one{{"paths", parameter.paths}, {"unit", parameter.unit}, {"value", number(made.parameters[j].value)}};
    one["lower_bound"] = parameter.lower;
    one["upper_bound"] = parameter.upper;
    one["state"] = word_of(known.kind);
    one["standard_error"] = number(known.standard_error);
    one["interval_90"] = {number(known.low), number(known.high)};
    if (!known.with.empty()) {
      one["with"] = Json::array();
      for (const std::size_t other : known.with) one["with"].push_back(plan.spec.parameters[other].name);
    }
    parameters[parameter.name] = std::move(one);
  }
  return parameters;
}

Json correlation_json(const Calibration& made) {
  Json rows = Json::array();
  for (const std::vector<double>& row : made.uncertainty.correlation) {
    Json cells = Json::array();
    for (const double value : row) cells.push_back(number(value));
    rows.push_back(std::move(cells));
  }
  return rows;
}

Json scores_json(const std::vector<OverlayInterval>& intervals, const std::string& start_iso) {
  Json scores = Json::array();
  for (const GuidelineVerdict& verdict : guideline_verdicts(intervals, start_iso)) {
    scores.push_back({{"values", verdict.values},
                      {"points", verdict.score.points},
                      {"rmse", number(verdict.score.rmse)},
                      {"cv_rmse", number(verdict.score.cv_rmse_ratio)},
                      {"cv_rmse_limit", verdict.most_cv_rmse_ratio},
                      {"nmbe", number(verdict.score.nmbe_ratio)},
                      {"nmbe_limit", verdict.most_nmbe_ratio},
                      {"holds", verdict.holds()}});
  }
  return scores;
}

Json series_json(const Calibration& made) {
  Json all = Json::array();
  for (std::size_t k = 0; k < made.series.size(); ++k) {
    const CalibratedSeries& series = made.series[k];
    const SeriesNoise& noise = made.uncertainty.noise[k];
    all.push_back({{"column", series.column},
                   {"recorded", series.recorded},
                   {"unit", series.unit},
                   {"scale", number(series.scale)},
                   {"residual_standard_deviation", number(noise.standard_deviation)},
                   {"neighbour_correlation", number(noise.neighbour_correlation)},
                   {"independent_points", number(noise.independent_points)},
                   {"fitted", scores_json(series.fitted, made.start_iso)},
                   {"predicted", scores_json(series.predicted, made.start_iso)}});
  }
  return all;
}

}  // namespace

std::string calibration_json(const CalibrationPlan& plan, const Calibration& made) {
  Json json{{"calibration", plan.spec.title},
            {"converged", made.fit.is_converged},
            {"iterations", made.fit.iterations},
            {"runs", made.runs},
            {"sum_of_squares", number(made.fit.sum_of_squares)}};
  json["parameters"] = parameters_json(plan, made);
  json["correlation"] = correlation_json(made);
  json["series"] = series_json(made);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
