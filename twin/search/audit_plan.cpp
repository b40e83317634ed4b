#include "twin/search/audit_plan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/name_pattern.hpp"
#include "core/text/nearest.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

Problem command_line_problem(std::string option, std::string message, std::string hint) {
  return {{std::move(option), 0, 0}, std::move(message), std::move(hint), {}};
}

bool can_fail(const PartRow& part) { return std::ranges::find(part.events, "fail") != part.events.end(); }

std::vector<std::string> parts_of(const AuditOptions& options, const StudyBase& base, Problems& problems) {
  std::vector<std::string> names, found;
  for (const PartRow& part : base.parts) names.push_back(part.name);
  const auto add = [&](const std::string& pattern) {
    bool fits = false;
    for (const PartRow& part : base.parts) {
      if (!can_fail(part) || !fits_pattern(part.name, pattern)) continue;
      fits = true;
      if (std::ranges::find(found, part.name) == found.end()) found.push_back(part.name);
    }
    return fits;
  };
  if (options.patterns.empty()) {
    for (const PartRow& part : base.parts) {
      if (can_fail(part)) found.push_back(part.name);
    }
  }
  for (const std::string& pattern : options.patterns) {
    if (!add(pattern))
      problems.add(
          command_line_problem("--of " + pattern, "no part with this name can fail", nearest_hint(pattern, names)));
  }
  if (found.empty() && problems.empty())
    problems.add(command_line_problem(options.scenario.string(), "the hall has no part that can fail", ""));
  return found;
}

Node scalar(std::string text) { return scalar_at(Node{}, std::move(text)); }

/// Something that fails at a time, perhaps for a while; the last value is nothing.
Parameter outage(std::string column, double at_s, double for_s, const std::vector<std::string>& parts) {
  Parameter parameter{.name = std::move(column)};
  parameter.event.kind = Node::Kind::map;
  parameter.event.entries.push_back({scalar("at"), scalar(fmt::format("{} s", at_s))});
  if (for_s > 0.0) parameter.event.entries.push_back({scalar("for"), scalar(fmt::format("{} s", for_s))});
  parameter.event.entries.push_back({scalar("fail"), scalar("value")});
  for (const std::string& part : parts) parameter.values.push_back(scalar(part));
  parameter.values.emplace_back();
  add_columns(parameter);
  parameter.columns.front().is_number = false;
  return parameter;
}

std::vector<AuditCase> cases_of(std::size_t parts, bool has_pairs) {
  using Kind = AuditCase::Kind;
  std::vector<AuditCase> cases{{Kind::nothing, parts, parts}};
  for (std::size_t i = 0; i < parts; ++i) cases.push_back({Kind::maintained, i, parts});
  for (std::size_t i = 0; i < parts; ++i) cases.push_back({Kind::failed, i, parts});
  for (std::size_t i = 0; has_pairs && i < parts; ++i) {
    for (std::size_t j = i + 1; j < parts; ++j) cases.push_back({Kind::pair, i, j});
  }
  return cases;
}

Expansion expansion_of(const AuditPlan& audit, double duration_s) {
  Expansion runs;
  runs.parameters.push_back(outage("maintained", 0.0, 0.5 * duration_s, audit.parts));
  runs.parameters.push_back(outage("failed", audit_fails_at_s, 0.0, audit.parts));
  runs.parameters.push_back(outage("failed_too", audit_fails_at_s, 0.0, audit.parts));
  StudyAxis axis{.parameters = 3};
  const std::size_t none = audit.parts.size();
  for (const AuditCase& one : audit.cases) {
    const bool is_maintained = one.kind == AuditCase::Kind::maintained;
    axis.choices.push_back({.parameter = 0, .value = is_maintained ? one.first : none});
    axis.choices.push_back({.parameter = 1, .value = is_maintained ? none : one.first});
    axis.choices.push_back({.parameter = 2, .value = one.second});
  }
  runs.axes.push_back(std::move(axis));
  return runs;
}

/// What kinds of work the racks do, each once.
std::string work_text(const Scenario& scenario) {
  std::vector<std::string> kinds;
  for (const RacksSpec& racks : scenario.racks) {
    const std::string word(workload_of(scenario, racks).noun());
    if (std::ranges::find(kinds, word) == kinds.end()) kinds.push_back(word);
  }
  return fmt::format("{}", fmt::join(kinds, " and "));
}

}  // namespace

Study audit_study(const AuditOptions& options) {
  Study study{.file = options.scenario, .title = options.scenario.stem().string(), .base = options.scenario};
  study.fixed.push_back({"duration", scalar(options.duration)});
  study.fixed.back().value.place.file = "--duration";
  for (const char* figure : {"lost_gpu_time", "first_loss_time", "first_loss", "limits_beyond_log", "first_limit_time",
                             "first_limit", "mean_node_power"})
    study.keep.push_back({.name = figure, .written = scalar(figure)});
  study.text = fmt::format("audit of {} for {}, pairs: {}", fmt::join(options.patterns, " "), options.duration,
                           options.has_pairs);
  return study;
}

AuditPlan plan_audit(const AuditOptions& options, const StudyBase& base, Problems& problems) {
  AuditPlan audit;
  audit.parts = parts_of(options, base, problems);
  const auto count = static_cast<double>(audit.parts.size());
  const double runs = 1.0 + 2.0 * count + (options.has_pairs ? 0.5 * count * (count - 1.0) : 0.0);
  if (runs > most_runs)
    problems.add(command_line_problem(
        "--pairs", fmt::format("{:.0f} runs of {:.0f} parts, expected at most 1,000,000", runs, count),
        "choose fewer parts with --of \"ups_*\""));
  if (!(base.scenario.duration_s > 2.0 * audit_fails_at_s))
    problems.add(command_line_problem("--duration " + options.duration,
                                      "parts fail at 1 min, and the run must last another minute at least",
                                      "write --duration \"20 min\""));
  if (!problems.empty()) return audit;
  audit.duration = options.duration;
  audit.work = work_text(base.scenario);
  for (const RacksSpec& racks : base.scenario.racks)
    audit.nameplate_w += racks.count * racks.nodes * racks.hardware.nameplate_w;
  audit.cases = cases_of(audit.parts.size(), options.has_pairs);
  audit.plan = plan_runs(audit_study(options), expansion_of(audit, base.scenario.duration_s), base, problems);
  return audit;
}

}  // namespace wattloop::twin
