#include "twin/study/plan/study_fork.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/document/field_reader.hpp"
#include "twin/document/map_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo at_info{"at", "s", Range::positive, "Time until which the runs are equal.", {}};
constexpr std::size_t most_looked_at = 10000;  // runs; one beyond them that begins earlier runs by itself

/// Nothing where it is no time, which the reader of events reports.
std::optional<double> time_s(const Node& node) {
  const auto written = written_number(node.text);
  if (!written) return {};
  try {
    return to_si(written->number, written->unit, "s");
  } catch (const QuantityError&) {
    return {};
  }
}

bool is_named(const StudyFork& fork, const Parameter& parameter) {
  return std::ranges::any_of(fork.per, [&](const Node& name) { return name.text == parameter.name; });
}

void check_names(const StudyFork& fork, const std::vector<Parameter>& parameters, Problems& problems) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  for (const Node& name : fork.per) {
    const auto found = std::ranges::find(parameters, name.text, &Parameter::name);
    if (found == parameters.end()) {
      problems.add(problem_at(name, fmt::format("there is no change '{}'", name.text), nearest_hint(name.text, names)));
    } else if (found->paths.empty()) {
      problems.add(problem_at(name, fmt::format("'{}' is an event", name.text),
                              "`per` names changes of the hall; events may differ after the fork"));
    }
  }
}

void check_changes(const StudyFork& fork, const std::vector<Parameter>& parameters, Problems& problems) {
  const std::string at = format_quantity(fork.at_s, "s");
  for (const Parameter& parameter : parameters) {
    if (parameter.paths.empty() || is_named(fork, parameter)) continue;
    problems.add(problem_at(
        parameter.written,
        fmt::format("'{}' changes the hall from its start: the runs do not share their first {}", parameter.name, at),
        fmt::format("write fork: {{ at: {}, per: [{}] }}: runs of the same value then share this time", at,
                    parameter.name)));
  }
}

void check_events(const PlannedStudy& plan, Problems& problems) {
  const StudyFork& fork = *plan.study.fork;
  std::set<std::string> reported;
  for (std::size_t run = 1; run <= std::min(plan.runs.size(), most_looked_at); ++run) {
    for (const DocumentChange& change : plan.runs.run(run).changes) {
      const Node* at = change.appends ? find(change.value, "at") : nullptr;
      const std::optional<double> at_s = at != nullptr ? time_s(*at) : std::nullopt;
      if (!at_s || *at_s >= fork.at_s) continue;
      const Problem problem = problem_at(
          *at, fmt::format("an event at {}, before the fork at {}", at->text, format_quantity(fork.at_s, "s")),
          fmt::format("write a fork at {} or earlier: all runs share the time before the fork", at->text));
      if (reported.insert(format_problem(problem)).second) problems.add(problem);
    }
  }
}

}  // namespace

StudyFork read_fork(const Node& map, Problems& problems) {
  StudyFork fork{.written = map};
  MapReader reader(map, "fork", problems);
  if (!reader.is_map()) return fork;
  if (const Node* at = reader.require("at", "the time up to which the runs are the same: 5 min"))
    read_field(*at, {&fork.at_s, at_info}, problems);
  if (const Node* per = reader.find("per")) {
    if (per->is_scalar()) fork.per.push_back(*per);
    for (const Node& name : per->items) fork.per.push_back(name);
    if (fork.per.empty())
      problems.add(problem_at(*per, fmt::format("per is {}, expected names of changes", describe(*per))));
  }
  reader.report_unknown_keys();
  return fork;
}

void check_fork(const PlannedStudy& plan, const StudyBase& base, Problems& problems) {
  if (!plan.study.fork || plan.study.fork->at_s <= 0.0) return;
  const StudyFork& fork = *plan.study.fork;
  if (fork.at_s >= base.scenario.duration_s) {
    problems.add(problem_at(
        fork.written, fmt::format("the fork at {} is not before the end of the runs at {}",
                                  format_quantity(fork.at_s, "s"), format_quantity(base.scenario.duration_s, "s"))));
    return;
  }
  check_names(fork, plan.runs.parameters, problems);
  check_changes(fork, plan.runs.parameters, problems);
  check_events(plan, problems);
}

std::size_t shared_parts(const PlannedStudy& plan) {
  std::size_t parts = 1;
  for (const StudyAxis& axis : plan.runs.axes) {
    const bool moves_hall = std::ranges::any_of(
        axis.choices, [&](const Choice& choice) { return !plan.runs.parameters[choice.parameter].paths.empty(); });
    if (moves_hall) parts *= axis.size();
  }
  return parts;
}

}  // namespace wattloop::twin
