#include <cmath>

#include <nlohmann/json.hpp>

#include "twin/commands/studies/search_json.hpp"
#include "twin/commands/studies/search_text.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;
using Kind = SearchSpec::Kind;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json value_of(const SearchPlan& plan, double at) {
  if (plan.spec.is_list) return plan.value_text(at);
  return {{"value", at}, {"unit", plan.sought().range->unit}};
}

std::string word_of(Kind kind) {
  switch (kind) {
    case Kind::largest:
      return "largest";
    case Kind::smallest:
      return "smallest";
    case Kind::minimise:
      return "minimise";
    case Kind::maximise:
      return "maximise";
    case Kind::tornado:
      return "tornado";
    case Kind::sobol:
      break;
  }
  return "sobol";
}

std::string word_of(Bisection::Outcome outcome) {
  switch (outcome) {
    case Bisection::Outcome::found:
      return "found";
    case Bisection::Outcome::all_hold:
      return "all_hold";
    case Bisection::Outcome::none_holds:
      return "none_holds";
    case Bisection::Outcome::reversed:
      break;
  }
  return "reversed";
}

void add_limit(const SearchPlan& plan, const Bisection& made, Json& json) {
  json["outcome"] = word_of(made.outcome);
  if (made.outcome == Bisection::Outcome::found || made.outcome == Bisection::Outcome::all_hold)
    json["answer"] = value_of(plan, made.holding);
  json["monotone"] = made.is_monotone();
}

void add_optimum(const SearchPlan& plan, const Optimum& made, Json& json) {
  json["answer"] = value_of(plan, made.at);
  json["figure"] = plan.spec.figure;
  json["value"] = number(plan.spec.kind == Kind::minimise ? made.value : -made.value);
  json["at_end"] = made.is_at_end;
  json["one_valley"] = !made.has_valleys;
}

Json json_of(const FigureSensitivity& one, const TableColumn& column) {
  Json json{{"figure", column.name}, {"unit", column.unit}};
  if (one.indices.empty()) json["in_base"] = number(one.in_base);
  for (const TornadoBar& bar : one.bars)
    json["changes"].push_back({{"change", bar.change},
                               {"from", bar.from},
                               {"to", bar.to},
                               {"at_from", number(bar.at_low)},
                               {"at_to", number(bar.at_high)}});
  for (std::size_t i = 0; i < one.indices.size(); ++i) {
    const SobolIndex& index = one.indices[i];
    json["changes"].push_back({{"change", one.changes[i]},
                               {"first", number(index.first)},
                               {"first_interval", {number(index.first_low), number(index.first_high)}},
                               {"total", number(index.total)},
                               {"total_interval", {number(index.total_low), number(index.total_high)}}});
  }
  return json;
}

}  // namespace

std::string search_json(const SearchPlan& plan, const SearchFindings& findings,
                        const std::vector<TableColumn>& columns) {
  Json json{{"study", plan.plan.study.title}, {"search", word_of(plan.spec.kind)}, {"changes", plan.spec.changes}};
  const bool is_family = plan.spec.is_of_families();
  if (is_family && plan.spec.figure.empty()) add_limit(plan, findings.bisection, json);
  if (is_family && !plan.spec.figure.empty()) add_optimum(plan, findings.optimum, json);
  for (const SearchTrial& trial : findings.trials) {
    Json one{{"at", value_of(plan, trial.at)},
             {"holds", trial.holds},
             {"runs", trial.runs},
             {"family", plan.family},
             {"run", trial.run}};
    if (!plan.spec.figure.empty()) one["value"] = number(trial.value);
    if (!trial.what.empty()) one["why"] = trial.what;
    if (!trial.unreached.empty()) one["unreached_settings"] = trial.unreached;
    if (!trial.exceeded.empty()) one["exceeded_limits"] = trial.exceeded;
    for (const CheckedValue& checked : findings.checked) {
      if (checked.at == trial.at && checked.warnings) one["check_warnings"] = *checked.warnings;
    }
    if (trial.is_probe) one["is_probe"] = true;
    json["trials"].push_back(std::move(one));
  }
  if (!is_family) json["failed"] = findings.failed;
  for (const FigureSensitivity& one : findings.sensitivities)
    json["figures"].push_back(json_of(one, columns[one.column]));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
