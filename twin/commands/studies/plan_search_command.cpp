#include "twin/commands/studies/plan_search_command.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/studies/job_text.hpp"
#include "twin/document/field_reader.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/planning/work/explained_job.hpp"
#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

namespace {

constexpr int most_plans = 1000;
constexpr FieldInfo most_info{"most", "", Range::positive, "Number of plans that are printed.", {}};

WantedPlans read_wanted(const Study& study, Problems& problems) {
  MapReader reader(study.search, "search", problems);
  const Node& sought = *reader.require("plans");
  const auto add = [&](const Node& node, std::string message, std::string hint) {
    problems.add(problem_at(node, std::move(message), std::move(hint)));
  };
  if (sought.text != "throughput" && sought.text != "energy")
    add(sought, fmt::format("plans: {} is no order of plans", describe(sought)),
        nearest_hint(sought.text, std::array<std::string, 2>{"throughput", "energy"}));
  int most = 10;
  if (const Node* node = reader.find("most");
      node != nullptr && read_field(*node, {&most, most_info}, problems) && most > most_plans)
    add(*node, fmt::format("most: {} is more than {} plans", most, most_plans), "write fewer plans");
  reader.report_unknown_keys();
  for (const StudyChange& change : study.changes)
    add(change.written, fmt::format("a search for plans does not move '{}'", change.name),
        "delete the change, or write its value under `set`");
  return {static_cast<std::size_t>(std::max(most, 1)), sought.text == "energy"};
}

}  // namespace

bool seeks_plans(const Study& study) {
  return study.search.is_map() &&
         std::ranges::any_of(study.search.entries, [](const Entry& entry) { return entry.key.text == "plans"; });
}

int search_plans_of(const Study& study, const std::vector<std::string>& overrides, bool is_json) {
  Problems problems;
  const WantedPlans wanted = read_wanted(study, problems);
  problems.throw_if_any(study.file.string());
  ScenarioBase base(study.base, overrides, study.fixed);
  std::vector<std::string> warnings;
  const std::vector<ExplainedJob> jobs = explained_jobs(base.with({}), wanted, &warnings);
  for (const std::string& warning : warnings) report("warning: " + printable(warning));
  if (jobs.empty()) {
    problems.add({{study.base.string(), 0, 0},
                  "the base has no job of `kind: transformer`, so that it has no plans",
                  "write workload: { kind: transformer, ... }",
                  {}});
    problems.throw_if_any(study.file.string());
  }
  if (is_json) {
    fmt::print("{}\n", jobs_json(jobs));
  } else {
    for (const ExplainedJob& job : jobs)
      fmt::print("{}{}, {} on {} GPUs\n{}", &job == &jobs.front() ? "" : "\n",
                 job.name.empty() ? "job of the hall" : printable(job.name),
                 job.job.model.name.empty() ? "a transformer" : job.job.model.name, job.job.gpus, plans_text(job));
  }
  return done;
}

}  // namespace wattloop::twin
