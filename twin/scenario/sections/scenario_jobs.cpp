// `jobs:` of a scenario: a queue of jobs that come and go, and who schedules them.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* queue_example = "queue: [{ name: pretrain, nodes: 1024, program: { kind: training } }]";

SpecialKey program_key(const std::string& path, WorkloadSpec& program) {
  return {
      .key = "program",
      .doc = "What its nodes do: `{ kind: training, ... }` or `{ kind: constant, ... }`, as in the section workload.",
      .is_required = true,
      .read = [path, &program](const Node& map, Problems& problems) {
        read_workload(map, path + ".program", program, problems);
      }};
}

void check_job(const Node& map, const JobSpec& job, Problems& problems) {
  const auto add = [&](const char* key, const std::string& text, const std::string& hint) {
    const Node* value = find(map, key);
    problems.add(problem_at(value != nullptr ? *value : map, text, hint));
  };
  if (job.program.get<workload::ReplayParams>() != nullptr)
    add("program", "program: replay is no program of jobs", "training or constant; a trace is replayed by `workload:`");
  const auto* training = job.program.get<workload::TrainingParams>();
  if (training != nullptr && training->spare_nodes > 0)
    add("program", "program: spare_nodes has no meaning for a job of a queue", "it waits for other nodes instead");
  if (training != nullptr && !training->failures.kinds.empty())
    add("program", "program: failures of a job of a queue are those of its nodes", "jobs: { failures: ... }");
  if (job.count > 1 && std::isinf(job.submit_s) && job.every_s > 0.0)
    add("every", "every has no meaning for jobs that are submitted before the run", "submit: 0 s");
}

void read_job(const Node& map, std::size_t number, JobsSpec& jobs, Problems& problems) {
  JobSpec& job = jobs.queue.emplace_back();
  job.mention = {map.place, map.excerpt};
  const std::string path = fmt::format("jobs.queue[{}]", number + 1);
  read_section(
      map, path,
      {.key = "queue", .doc = "A job.", .fields = field_refs(job), .special = {program_key(path, job.program)}},
      problems);
  if (map.is_map()) check_job(map, job, problems);
}

SpecialKey queue_key(JobsSpec& jobs) {
  return {.key = "queue",
          .doc = "Jobs in the order in which they are submitted.",
          .is_required = true,
          .read = [&jobs](const Node& list, Problems& problems) {
            if (!list.is_sequence() || list.items.empty()) {
              problems.add(
                  problem_at(list, fmt::format("queue is {}, expected a list of jobs", describe(list)), queue_example));
              return;
            }
            for (std::size_t k = 0; k < list.items.size(); ++k) read_job(list.items[k], k, jobs, problems);
          }};
}

std::vector<FieldRow> job_rows() {
  JobSpec job;
  SchedulerSpec scheduler;
  std::vector<FieldRow> rows;
  for (FieldRow& row : field_table(field_refs(scheduler))) {
    row.name = "scheduler." + row.name;
    if (row.default_value.find("inf") != std::string::npos) row.default_value = "none";
    rows.push_back(std::move(row));
  }
  for (FieldRow& row : field_table(field_refs(job))) {
    row.name = "queue." + row.name;
    if (row.default_value.find("inf") != std::string::npos)
      row.default_value = row.name == "queue.submit" ? "before" : "none";
    rows.push_back(std::move(row));
  }
  rows.push_back({"queue.program", "map", "required", "", program_key("", job.program).doc});
  return rows;
}

void check_beside_hall(const Scenario& scenario, Problems& problems) {
  int nodes = 0;
  for (const RacksSpec& racks : scenario.racks) {
    nodes += racks.count * racks.nodes;
    if (racks.workload) {
      const Mention& mention = racks.workload->mention;
      problems.add({mention.place, "racks have a workload, and the hall has jobs",
                    "jobs are done on all racks: leave out the workload of these", mention.excerpt});
    }
  }
  for (const JobSpec& job : scenario.jobs->queue) {
    if (job.nodes <= nodes) continue;
    problems.add({job.mention.place, fmt::format("{} needs {} nodes, the hall has {}", job.name, job.nodes, nodes),
                  "it would wait for ever", job.mention.excerpt});
  }
}

void read_jobs(const Node& map, Scenario& scenario, Problems& problems) {
  JobsSpec& jobs = scenario.jobs.emplace();
  jobs.mention = {map.place, map.excerpt};
  read_section(map, "jobs",
               {.key = "jobs",
                .doc = "Jobs.",
                .sections = {{.key = "scheduler",
                              .doc = "Who decides which job starts where.",
                              .fields = field_refs(jobs.scheduler),
                              .is_optional = true}},
                .special = {failures_key("jobs.failures", jobs.failures), queue_key(jobs)}},
               problems);
  check_beside_hall(scenario, problems);
}

}  // namespace

SpecialKey jobs_key(Scenario& scenario) {
  return {.key = "jobs",
          .doc = "Jobs that come and go, in the place of `workload`: who submits what, what fails, who schedules.",
          .rows = job_rows(),
          .read = [&scenario](const Node& map, Problems& problems) { read_jobs(map, scenario, problems); }};
}

}  // namespace wattloop::twin
