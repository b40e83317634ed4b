#include "twin/study/plan/study_base.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "core/units/units.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/results/schema/figure_named.hpp"
#include "twin/run/figures/verdict_of_run.hpp"
#include "twin/study/plan/expander.hpp"
#include "twin/study/plan/study_fork.hpp"
#include "twin/study/runs/one_run.hpp"

namespace wattloop::twin {

namespace {

/// What every table has of its runs.
constexpr std::array<std::string_view, 3> always_kept{unreached_figure, exceeded_figure, check_warnings_figure};
constexpr std::size_t most_looked_at = 24;  // values of a change that are tried: the first, the last, some between

std::vector<std::string> names_of(std::span<const NamedValue> figures) {
  std::vector<std::string> names;
  for (const NamedValue& figure : figures) names.push_back(figure.name);
  return names;
}

void refuse(const StudyFigure& figure, std::string message, std::string hint, Problems& problems) {
  problems.add(problem_at(figure.written, std::move(message), std::move(hint)));
}

std::optional<KeptFigure> kept_figure(const StudyFigure& figure, const StudyBase& base, Problems& problems) {
  const NamedValue* found = figure_named(base.figures, figure.name);
  if (found == nullptr) {
    const std::string hint = nearest_hint(figure.name, names_of(base.figures));
    refuse(figure, fmt::format("the summary of this hall has no '{}'", figure.name),
           hint.empty() ? "wattloop run SCENARIO --json prints all names" : hint, problems);
    return {};
  }
  if (figure.name == "wall_time") {
    refuse(figure, "'wall_time' differs in every run", "delete it: the rows of a study must be equal on every computer",
           problems);
    return {};
  }
  KeptFigure kept{.name = found->name, .unit = unit_in_files(found->unit), .long_name = found->long_name};
  kept.is_text = std::holds_alternative<std::string>(found->value);
  kept.is_count = std::holds_alternative<std::int64_t>(found->value);
  if (figure.unit.empty()) return kept;
  if (kept.is_text || kept.is_count) {
    refuse(figure, fmt::format("'{}' has no unit", figure.name), found->long_name, problems);
    return {};
  }
  try {
    kept.zero = to_si(0.0, figure.unit, found->unit);
    kept.size = to_si(1.0, figure.unit, found->unit) - kept.zero;
    kept.unit = figure.unit;
  } catch (const QuantityError& error) {
    refuse(figure, fmt::format("{}: {}", figure.name, error.what()), error.hint, problems);
  }
  return kept;
}

void plan_figures(PlannedStudy& plan, const StudyBase& base, Problems& problems) {
  std::set<std::string> taken;
  for (const StudyColumn& column : plan.runs.columns()) taken.insert(column.name);
  for (const StudyFigure& figure : plan.study.keep) {
    const auto kept = kept_figure(figure, base, problems);
    if (!kept) continue;
    if (!taken.insert(kept->name).second)
      refuse(figure, fmt::format("the table has two columns '{}'", kept->name),
             "write each figure once, and give no change its name", problems);
    plan.kept.push_back(*kept);
  }
  for (const std::string_view name : always_kept) {
    const NamedValue* found = figure_named(base.figures, name);
    if (found == nullptr || !taken.insert(found->name).second) continue;
    plan.kept.push_back({.name = found->name, .long_name = found->long_name, .is_text = true});
  }
}

void plan_whole_results(PlannedStudy& plan, Problems& problems) {
  const Node& written = plan.study.whole;
  const auto chosen = read_chosen_runs(written.text);
  if (!chosen)
    return problems.add(problem_at(
        written, fmt::format("keep: '{}' does not choose runs", written.text),
        "write one of these forms: worst 5 by peak_die_temperature, largest 5 by pue, smallest 5 by pue, all, none"));
  plan.chosen = *chosen;
  const auto kept = std::ranges::find(plan.kept, chosen->figure, &KeptFigure::name);
  if (chosen->kind != ChosenRuns::Kind::some || (kept != plan.kept.end() && !kept->is_text)) return;
  std::vector<std::string> names;
  for (const KeptFigure& figure : plan.kept) names.push_back(figure.name);
  const std::string hint = nearest_hint(chosen->figure, names);
  problems.add(problem_at(written, fmt::format("'{}' is not a number under `keep`", chosen->figure),
                          hint.empty() ? "write it under `keep`, too" : hint));
}

void plan_limits(PlannedStudy& plan, const StudyBase& base, Problems& problems) {
  for (const Node& node : plan.study.limits) {
    Problems found;
    const std::vector<std::string> text{node.text};
    std::ranges::copy(read_limits(text, base.figures, found), std::back_inserter(plan.limits));
    for (const Problem& problem : found.all()) problems.add(problem_at(node, problem.message, problem.hint));
    if (!plan.limits.empty() && plan.limits.back().name == "wall_time")
      problems.add(problem_at(node, "'wall_time' differs in every run", "write a figure of the hall instead"));
  }
}

/// Runs that have each value of every change, or some of very many.
std::set<std::size_t> runs_to_look_at(const Expansion& runs) {
  std::set<std::size_t> numbers{1};
  std::size_t stride = 1;
  for (std::size_t a = runs.axes.size(); a-- > 0;) {
    const std::size_t size = runs.axes[a].size(), looked_at = std::min(size, most_looked_at);
    for (std::size_t i = 0; i < looked_at; ++i) {
      const std::size_t option = looked_at < 2 ? 0 : i * (size - 1) / (looked_at - 1);
      numbers.insert(1 + option * stride);
    }
    stride *= size;
  }
  return numbers;
}

void look_at(std::span<const DocumentChange> changes, const StudyBase& base, Problems& found) {
  try {
    const Scenario scenario = base.source.with(changes);
    if (std::ranges::any_of(changes, &DocumentChange::appends)) schedule_events(scenario, build_plant(scenario), found);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) found.add(problem);
  }
}

/// Of a run that cannot be read at all its events are looked at by themselves.
void look_at(const StudyRun& run, const StudyBase& base, Problems& found) {
  look_at(std::span(run.changes), base, found);
  if (found.empty()) return;
  std::vector<DocumentChange> events;
  std::ranges::copy_if(run.changes, std::back_inserter(events), &DocumentChange::appends);
  if (!events.empty()) look_at(std::span<const DocumentChange>(events), base, found);
}

/// An override of what the study varies would have no effect.
void check_overrides(const Expansion& runs, const StudyBase& base, Problems& problems) {
  const StudyRun first = runs.run(1);
  for (const std::string& override : base.overrides) {
    const std::string path = override.substr(0, override.find('='));
    const auto is_varied = [&](const DocumentChange& change) { return !change.appends && change.path == path; };
    if (std::ranges::any_of(first.changes, is_varied))
      problems.add({{fmt::format("--set {}", printable(override)), 0, 0},
                    "the study varies this value in each run, so that it would have no effect",
                    "leave it out, or change the study",
                    {}});
  }
}

void check_values(const PlannedStudy& plan, const StudyBase& base, Problems& problems) {
  std::set<std::string> reported;
  for (const std::size_t number : runs_to_look_at(plan.runs)) {
    Problems found;
    look_at(plan.runs.run(number), base, found);
    for (const Problem& problem : found.all()) {
      if (reported.insert(format_problem(problem)).second) problems.add(problem);
    }
  }
}

void add_by_place(const Problems& found, Problems& problems) {
  std::vector<Problem> sorted = found.all();
  std::ranges::stable_sort(sorted, {},
                           [](const Problem& problem) { return std::pair(problem.place.line, problem.place.column); });
  for (Problem& problem : sorted) problems.add(std::move(problem));
}

}  // namespace

StudyBase read_base(const Study& study, const std::vector<std::string>& overrides) {
  ScenarioBase source(study.base, overrides, study.fixed);
  Scenario scenario = source.with({});
  BaseFacts facts = facts_of(scenario);
  return {std::move(source), std::move(scenario), std::move(facts.parts), std::move(facts.figures), overrides};
}

PlannedStudy plan_study(Study study, const StudyBase& base, Problems& problems) {
  Problems found;
  Expansion runs = expand(study, base.parts, found);
  PlannedStudy plan = plan_runs(std::move(study), std::move(runs), base, found);
  add_by_place(found, problems);
  return plan;
}

PlannedStudy plan_runs(Study study, Expansion runs, const StudyBase& base, Problems& problems) {
  PlannedStudy plan{.study = std::move(study), .runs = std::move(runs), .kept = {}, .limits = {}};
  Problems found;
  plan_figures(plan, base, found);
  plan_whole_results(plan, found);
  plan_limits(plan, base, found);
  if (plan.runs.size() > 0) check_overrides(plan.runs, base, found);
  if (plan.runs.size() > 0) check_values(plan, base, found);
  check_fork(plan, base, found);
  add_by_place(found, problems);
  return plan;
}

}  // namespace wattloop::twin
