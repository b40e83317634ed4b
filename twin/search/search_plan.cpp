#include "twin/search/search_plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "twin/search/sobol_indices.hpp"
#include "twin/study/plan/expander.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

using Kind = SearchSpec::Kind;

bool is_change_of(const Combination& item, const std::string& name) {
  return item.kind == Combination::Kind::change && item.change == name;
}

void leave_out(Combination& combination, const std::string& name) {
  std::erase_if(combination.items, [&](const Combination& item) { return is_change_of(item, name); });
  for (Combination& item : combination.items) leave_out(item, name);
}

/// Movers of these changes; the samples that make them are thrown away.
std::vector<Parameter> parameters_of(const Study& study, const std::vector<std::string>& names, const StudyBase& base,
                                     Problems& problems) {
  Study alone = study;
  std::erase_if(alone.changes, [&](const StudyChange& change) { return std::ranges::count(names, change.name) == 0; });
  Combination sample{.kind = Combination::Kind::latin_hypercube, .runs = 1, .written = study.search};
  for (const std::string& name : names)
    sample.items.push_back({.kind = Combination::Kind::change, .change = name, .written = study.search});
  alone.combine = std::move(sample);
  return expand(alone, base.parts, problems).parameters;
}

std::size_t number_of(const std::vector<Parameter>& parameters, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(parameters, name, &Parameter::name) - parameters.begin());
}

/// Nothing changed, then each change at its first and at its last value, of distributions the ends of what nine in ten are.
StudyAxis tornado_axis(const SearchSpec& spec, const std::vector<Parameter>& parameters) {
  StudyAxis axis{.parameters = spec.changes.size()};
  const auto add = [&](std::size_t moved, double share) {
    for (std::size_t k = 0; k < spec.changes.size(); ++k) {
      const std::size_t parameter = number_of(parameters, spec.changes[k]);
      axis.choices.push_back(k == moved ? choice_at(parameters, parameter, share)
                                        : Choice{.parameter = parameter, .is_base = true});
    }
  };
  add(spec.changes.size(), 0.0);
  for (std::size_t k = 0; k < spec.changes.size(); ++k) {
    const bool is_likely = parameters[number_of(parameters, spec.changes[k])].distribution.has_value();
    add(k, is_likely ? 0.05 : 0.0);
    add(k, is_likely ? 0.95 : 1.0);
  }
  return axis;
}

StudyAxis sobol_axis(const SearchSpec& spec, const std::vector<Parameter>& parameters) {
  StudyAxis axis{.parameters = spec.changes.size()};
  const SobolDesign design{static_cast<std::size_t>(spec.samples), spec.changes.size()};
  for (const std::vector<double>& shares : sobol_shares(design, spec.seed)) {
    for (std::size_t k = 0; k < shares.size(); ++k)
      axis.choices.push_back(choice_at(parameters, number_of(parameters, spec.changes[k]), shares[k]));
  }
  return axis;
}

/// The family, with the sought change before it.
void add_family(SearchPlan& made, const Study& study, const StudyBase& base, Problems& problems) {
  const std::string& name = made.spec.changes.front();
  Study others = study;
  std::erase_if(others.changes, [&](const StudyChange& change) { return change.name == name; });
  if (is_change_of(others.combine, name)) others.combine = {.written = others.combine.written};
  leave_out(others.combine, name);
  made.plan.runs = expand(others, base.parts, problems);
  std::vector<Parameter> sought = parameters_of(study, {name}, base, problems);
  if (sought.empty()) return;
  made.family = std::max<std::size_t>(made.plan.runs.size(), 1);
  made.parameter = made.plan.runs.parameters.size();
  made.plan.runs.parameters.push_back(std::move(sought.front()));
  made.plan.runs.axes.insert(made.plan.runs.axes.begin(), StudyAxis{.parameters = 1});
  made.add_trial(made.spec.low);
  made.add_trial(made.spec.high);
  if (static_cast<double>(made.family * most_trials) > most_runs)
    problems.add(
        problem_at(study.combine.written, fmt::format("{} runs for each trial", made.family), "write 5,000 at most"));
}

}  // namespace

std::size_t SearchPlan::add_trial(double at) {
  StudyAxis& axis = plan.runs.axes.front();
  const Choice choice = spec.is_list ? Choice{.parameter = parameter, .value = static_cast<std::size_t>(at)}
                                     : Choice{.parameter = parameter, .number = at, .is_sample = true};
  const auto known = std::ranges::find_if(
      axis.choices, [&](const Choice& other) { return other.value == choice.value && other.number == choice.number; });
  const auto place = static_cast<std::size_t>(known - axis.choices.begin());
  if (known == axis.choices.end()) axis.choices.push_back(choice);
  return place * family + 1;
}

std::string SearchPlan::value_text(double at) const {
  if (spec.is_list) return flow_text(sought().values.at(static_cast<std::size_t>(at)));
  return with_unit(at, sought().range->unit);
}

SearchPlan plan_search(Study study, const StudyBase& base, Problems& problems) {
  SearchPlan made{.spec = read_search(study, problems), .plan = {}};
  if (!problems.empty()) return made;
  if (made.spec.is_of_families()) {
    add_family(made, study, base, problems);
  } else {
    Expansion& runs = made.plan.runs;
    runs.parameters = parameters_of(study, made.spec.changes, base, problems);
    if (runs.parameters.empty()) return made;
    runs.axes.push_back(made.spec.kind == Kind::sobol ? sobol_axis(made.spec, runs.parameters)
                                                      : tornado_axis(made.spec, runs.parameters));
    if (static_cast<double>(runs.size()) > most_runs)
      problems.add(
          problem_at(study.search, fmt::format("{} runs, expected at most 1,000,000", runs.size()), "fewer samples"));
  }
  if (!problems.empty()) return made;
  made.plan = plan_runs(std::move(study), std::move(made.plan.runs), base, problems);
  return made;
}

}  // namespace wattloop::twin
