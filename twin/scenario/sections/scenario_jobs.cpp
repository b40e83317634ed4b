// `jobs:` of a scenario: a queue of jobs that come and go, and who schedules them.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "twin/document/named_file.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "workload/burn_in/burn_in.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* other_classes = "other";
constexpr const char* queue_example = "queue: [{ name: pretrain, nodes: 1024, program: { kind: training } }]";

SpecialKey program_key(const std::string& path, WorkloadSpec& program) {
  return {.key = "program",
          .doc =
              "Work of its nodes: `{ kind: training, ... }`, `{ kind: replay, ... }` or `{ kind: constant, ... }`, as "
              "in the section workload.",
          .is_required = true,
          .read = [path, &program](const Node& map, Problems& problems) {
            read_workload(map, path + ".program", program, problems);
          }};
}

/// What no program of a job may be or say; `has_nodes`: how many nodes it is for is written beside it.
void refuse_programs(const Node& map, const WorkloadSpec& program, bool has_nodes, Problems& problems,
                     const Node* of_class = nullptr) {
  const Node* written = of_class != nullptr ? of_class : find(map, "program");
  const auto add = [&](const std::string& text, const std::string& hint) {
    problems.add(problem_at(written != nullptr ? *written : map, "program: " + text, hint));
  };
  if (program.get<workload::BurnInParams>() != nullptr)
    add("burn_in is not a program of jobs",
        "write it under `workload:` of the hall or of a group of racks: it tests all nodes of these racks");
  const auto* training = program.training();
  if (training != nullptr && training->spare_nodes > 0)
    add("spare_nodes has no effect on a job of a queue",
        "write jobs: { scheduler: { spare_nodes: 4 } }, for all jobs of the hall");
  if (training != nullptr && !training->failures.kinds.empty())
    add("failures of a job of a queue are the failures of its nodes", "write jobs: { failures: ... }");
  if (program.get<workload::TransformerParams>() != nullptr && !has_nodes)
    add("the plan of a transformer is for one number of nodes, and these jobs have many sizes",
        "write program: { kind: training }, or single jobs with `nodes`");
  else if (training != nullptr && training->checkpoint.is_given && !has_nodes)
    add("a checkpoint follows from one model, and these jobs have many sizes",
        "write checkpoint_time and restart_time");
}

void read_job(const Node& map, const std::string& path, JobsSpec& jobs, Problems& problems) {
  JobSpec& job = jobs.queue.emplace_back();
  if (jobs.queue.size() > 1) job.name = fmt::format("job_{}", jobs.queue.size());
  job.mention = {map.place, map.excerpt};
  job.program.may_share_storage = jobs.storage.is_shared;
  read_section(
      map, path,
      {.key = "queue", .doc = "A job.", .fields = field_refs(job), .special = {program_key(path, job.program)}},
      problems);
  if (!map.is_map()) return;
  refuse_programs(map, job.program, true, problems);
  if (job.count > 1 && std::isinf(job.submit_s) && job.every_s > 0.0)
    problems.add(problem_at(*find(map, "every"), "every has no effect on jobs that are submitted before the run",
                            "write submit: 0 s"));
}

/// `{ by: class, large: { kind: training }, other: { kind: constant } }`.
void read_programs_of_classes(const Node& map, const std::string& path, JobTraceSpec& trace, Problems& problems) {
  const Node& by = *find(map, "by");
  if (!by.is_scalar() || by.text != "class")
    problems.add(problem_at(by, fmt::format("by is {}, expected class", describe(by)), "write by: class"));
  trace.has_program = find(map, other_classes) != nullptr;
  for (const Entry& entry : map.entries) {
    if (entry.key.text == "by") continue;
    WorkloadSpec& program = entry.key.text == other_classes ? trace.program : trace.of_classes[entry.key.text];
    read_workload(entry.value, path + "." + entry.key.text, program, problems);
    refuse_programs(map, program, false, problems, &entry.value);
  }
}

SpecialKey trace_program_key(const std::string& path, JobTraceSpec& trace) {
  SpecialKey key = program_key(path, trace.program);
  key.read = [path, &trace](const Node& map, Problems& problems) {
    if (map.is_map() && find(map, "by") != nullptr)
      return read_programs_of_classes(map, path + ".program", trace, problems);
    read_workload(map, path + ".program", trace.program, problems);
  };
  return key;
}

/// Classes of the rows that have no program; without `other`, each must have one.
void check_classes(const Node& map, const JobTraceSpec& trace, Problems& problems) {
  const Node* program = find(map, "program");
  if (program == nullptr || !program->is_map() || find(*program, "by") == nullptr) return;
  std::vector<std::string> known, missing;
  for (const workload::JobRow& row : *trace.rows) {
    if (std::ranges::find(known, row.job_class) == known.end()) known.push_back(row.job_class);
  }
  for (const auto& [name, spec] : trace.of_classes) {
    if (std::ranges::find(known, name) != known.end()) continue;
    problems.add({spec.mention.place, fmt::format("program: no job of {} is of class '{}'", trace.trace, name),
                  nearest_hint(name, known), spec.mention.excerpt});
  }
  if (trace.has_program) return;
  for (const std::string& name : known) {
    if (!trace.of_classes.contains(name)) missing.push_back(name.empty() ? "none" : name);
  }
  if (missing.empty()) return;
  problems.add(problem_at(*program, fmt::format("program: jobs of class {} have no program", fmt::join(missing, ", ")),
                          "other: { kind: training } is that of all other classes"));
}

void read_trace(const Node& map, const std::string& path, JobsSpec& jobs, Problems& problems) {
  JobTraceSpec& trace = jobs.traces.emplace_back();
  trace.mention = {map.place, map.excerpt};
  read_section(
      map, path,
      {.key = "queue", .doc = "A trace.", .fields = field_refs(trace), .special = {trace_program_key(path, trace)}},
      problems);
  if (trace.has_program && trace.of_classes.empty()) refuse_programs(map, trace.program, false, problems);
  const auto file = find_named_file(map, "trace", "trace", problems);
  if (!file) return;
  trace.trace = file->string();
  const Node* name = find(map, "trace");
  const std::size_t before = problems.size();
  trace.rows = std::make_shared<const std::vector<workload::JobRow>>(
      workload::read_jobs_table(*file, problems, {name->place, name->excerpt}));
  if (problems.size() == before) check_classes(map, trace, problems);
}

void read_classes(const Node& mix, std::vector<workload::JobClass>& classes, Problems& problems) {
  if (mix.is_scalar()) return;  // a name that the library does not know, which is reported
  if (mix.is_sequence()) {
    problems.add(problem_at(mix, "mix is a list, expected a name or a map",
                            "an entry of the queue for each mix: { mix: seren, every: 2 min, program: ... }"));
    return;
  }
  MapReader reader(mix, "mix", problems);
  if (!reader.is_map()) return;
  for (const char* key : {"name", "title", "kind"}) reader.offer(key);
  if (const Node* list = reader.require("classes", "write classes: { small: { median_run_time: 2 min, ... } }")) {
    for (const Entry& entry : list->entries) {
      workload::JobClass& job_class = classes.emplace_back();
      job_class.name = entry.key.text;
      read_section(entry.value, "mix.classes." + job_class.name,
                   {.key = job_class.name, .doc = "A class of jobs.", .fields = field_refs(job_class)}, problems);
      for (const std::string& mistake : workload::class_mistakes(job_class))
        problems.add(problem_at(entry.value, fmt::format("class {}: {}", job_class.name, mistake)));
    }
    if (classes.empty())
      problems.add(problem_at(*list, "a mix without classes", "classes: { small: { median_run_time: 2 min, ... } }"));
  }
  reader.report_unknown_keys();
}

void read_mix(const Node& map, const std::string& path, JobsSpec& jobs, Problems& problems) {
  JobMixSpec& mix = jobs.mixes.emplace_back();
  mix.mention = {map.place, map.excerpt};
  SpecialKey classes{.key = "mix",
                     .read = [&mix](const Node& node, Problems& all) { read_classes(node, mix.classes, all); }};
  read_section(map, path,
               {.key = "queue",
                .doc = "A mix.",
                .fields = field_refs(mix),
                .special = {classes, program_key(path, mix.program)}},
               problems);
  if (map.is_map() && mix.from_s >= mix.to_s)
    problems.add(problem_at(find(map, "from") != nullptr ? *find(map, "from") : map, "mix: it ends before it begins",
                            "`from` is before `to`: from: 1 h, to: 6 h"));
  refuse_programs(map, mix.program, false, problems);
}

void read_entry(const Node& map, std::size_t number, JobsSpec& jobs, Problems& problems) {
  const std::string path = fmt::format("jobs.queue[{}]", number + 1);
  if (map.is_map() && find(map, "trace") != nullptr) return read_trace(map, path, jobs, problems);
  if (map.is_map() && find(map, "mix") != nullptr) return read_mix(map, path, jobs, problems);
  read_job(map, path, jobs, problems);
}

SpecialKey queue_key(JobsSpec& jobs) {
  return {.key = "queue",
          .doc = "Queue of jobs: single jobs, `trace` of a log of jobs, or `mix` of classes of jobs.",
          .is_required = true,
          .read = [&jobs](const Node& list, Problems& problems) {
            if (!list.is_sequence() || list.items.empty()) {
              problems.add(
                  problem_at(list, fmt::format("queue is {}, expected a list of jobs", describe(list)), queue_example));
              return;
            }
            for (std::size_t k = 0; k < list.items.size(); ++k) read_entry(list.items[k], k, jobs, problems);
          }};
}

constexpr const char* nodes_doc =
    "Racks or nodes, a name or a list: `row_3.*`, `row_1.rack_3.node_2`; `*` matches within a name.";

/// `reservations: { maintenance: { nodes: row_3.*, from: 8 h, to: 12 h } }`.
SpecialKey reservations_key(std::vector<ReservationSpec>& reservations) {
  return {.key = "reservations",
          .doc = "Reservations by name: nodes that are kept for certain jobs for a certain time.",
          .read = [&reservations](const Node& map, Problems& problems) {
            MapReader reader(map, "reservations", problems);
            for (const Entry& entry : map.entries) {
              ReservationSpec& spec = reservations.emplace_back();
              spec.name = entry.key.text;
              spec.mention = {entry.key.place, entry.key.excerpt};
              SpecialKey nodes = names_key("nodes", nodes_doc, spec.nodes);
              nodes.is_required = true;
              read_section(entry.value, "jobs.reservations." + spec.name,
                           {.key = spec.name, .doc = "A reservation.", .fields = field_refs(spec), .special = {nodes}},
                           problems);
              if (spec.from_s >= spec.to_s)
                problems.add(problem_at(entry.key, fmt::format("reservation {} ends before it begins", spec.name),
                                        "`from` is before `to`: from: 8 h, to: 12 h"));
            }
          }};
}

constexpr FieldInfo budget_info{"budget", "W", Range::positive, "A power budget.", {}};

void read_budget(const Node& value, SchedulerSpec& scheduler, Problems& problems) {
  const auto add = [&](const std::string& name, const Node& power, const Mention& mention) {
    BudgetSpec budget{.name = name, .mention = mention};
    if (read_field(power, FieldRef{&budget.power_w, budget_info}, problems)) scheduler.budgets.push_back(budget);
  };
  if (!value.is_map()) return add(BudgetSpec::hall, value, {value.place, value.excerpt});
  if (value.entries.empty())
    problems.add(problem_at(value, "budget: a map without names", "write budget: { row_1: 2 MW }"));
  for (const Entry& entry : value.entries) {
    if (entry.key.text == BudgetSpec::hall && value.entries.size() > 1)
      problems.add(problem_at(entry.key, "budget: the hall has a budget, and parts of it have others",
                              "write budget: 8 MW for the hall, or budgets of parts that have no node in common"));
    add(entry.key.text, entry.value, {entry.key.place, entry.key.excerpt});
  }
}

constexpr const char* budget_doc =
    "Power limit for nodes with jobs, at their AC inlets, estimated from the mean power of each program; a job that "
    "would exceed the limit waits. For the hall (`8 MW`), or by name (`{ row_1: 2 MW, pdu_a_3: 300 kW }`): for rows, "
    "racks and nodes, or for the nodes that a block, UPS, PDU or bus of `power` feeds while all equipment works.";

/// `budget: 8 MW` or `budget: { row_1: 2 MW, row_2: 1 MW }`.
SpecialKey budget_key(SchedulerSpec& scheduler) {
  return {.key = "budget", .doc = budget_doc, .read = [&scheduler](const Node& value, Problems& problems) {
            read_budget(value, scheduler, problems);
          }};
}

/// Rows of what it says, with `prefix` before their names.
template <class Spec>
void add_rows(const std::string& prefix, Spec spec, std::vector<FieldRow>& rows) {
  for (FieldRow& row : field_table(field_refs(spec))) {
    row.name = prefix + row.name;
    if (row.default_value == "n/a") row.default_value = row.name.ends_with(".submit") ? "before the run" : "none";
    rows.push_back(std::move(row));
  }
}

std::vector<FieldRow> job_rows() {
  WorkloadSpec program;
  std::vector<FieldRow> rows;
  add_rows("scheduler.", SchedulerSpec{}, rows);
  rows.push_back({"scheduler.budget", "W or map", "none", "more than 0", budget_doc});
  workload::FailureParams failures;
  for (FieldRow row : failures_key("", failures).rows) {
    row.name = "failures." + row.name;
    rows.push_back(std::move(row));
  }
  std::ranges::move(shared_storage_rows(), std::back_inserter(rows));
  add_rows("reservations.NAME.", ReservationSpec{}, rows);
  rows.push_back({"reservations.NAME.nodes", "text", "required", "", nodes_doc});
  add_rows("queue.", JobSpec{}, rows);
  rows.push_back({"queue.program", "map", "required", "", program_key("", program).doc});
  add_rows("queue (trace).", JobTraceSpec{}, rows);
  rows.push_back({"queue (trace).program", "map", "required", "",
                  "One program for all jobs, or programs by class: `{ by: class, NAME: { kind: training }, other: { "
                  "kind: constant } }`."});
  rows.push_back({"queue (mix).mix", "name or map", "", "",
                  "Classes of jobs: a file of `job_mixes/` of the library, or `{ classes: { NAME: { ... } } }`."});
  add_rows("queue (mix).", JobMixSpec{}, rows);
  add_rows("queue (mix).mix.classes.NAME.", workload::JobClass{}, rows);
  return rows;
}

/// Rules for the interval of checkpoints need failures of the nodes.
void check_intervals(const JobsSpec& jobs, Problems& problems) {
  if (!jobs.failures.kinds.empty()) return;
  for (const JobSpec& job : jobs.queue) {
    const auto* training = job.program.training();
    if (training == nullptr || !training->checkpoint.is_given || !training->checkpoint.has_rule()) continue;
    const Mention written = job.program.mention_of("checkpoint");
    problems.add({written.place,
                  fmt::format("checkpoint: `interval: {}` of {} is computed from failures, and `jobs` has no failures",
                              training->checkpoint.interval, job.name),
                  "write jobs: { failures: { rates: llama3_16k } }, or a time", written.excerpt});
  }
}

void check_beside_hall(const Scenario& scenario, Problems& problems) {
  int nodes = 0;
  for (const RacksSpec& racks : scenario.racks) {
    nodes += racks.count * racks.nodes;
    if (racks.workload) {
      const Mention& mention = racks.workload->mention;
      problems.add({mention.place, "racks have a workload, and the hall has jobs",
                    "delete the workload of these racks: jobs run on all racks", mention.excerpt});
    }
  }
  const SchedulerSpec& scheduler = scenario.jobs->scheduler;
  if (scheduler.spare_nodes >= nodes)
    problems.add({scenario.jobs->mention.place,
                  fmt::format("scheduler: {} of {} nodes are spare, so that no node is left for jobs",
                              scheduler.spare_nodes, nodes),
                  "give fewer spare_nodes", scenario.jobs->mention.excerpt});
  const int spare_nodes = std::min(scheduler.spare_nodes, nodes);
  if (scheduler.placement == "power" && scheduler.budgets.empty())
    problems.add({scenario.jobs->mention.place, "scheduler: `placement: power` needs budgets, and none is given",
                  "write budget: { row_1: 2 MW, row_2: 2 MW }", scenario.jobs->mention.excerpt});
  std::vector<std::string> reservations;
  for (const ReservationSpec& spec : scenario.jobs->reservations) reservations.push_back(spec.name);
  std::set<std::string> names;
  for (const JobSpec& job : scenario.jobs->queue) {
    if (job.reservation != JobSpec::no_reservation &&
        std::ranges::find(reservations, job.reservation) == reservations.end())
      problems.add({job.mention.place, fmt::format("{}: there is no reservation '{}'", job.name, job.reservation),
                    reservations.empty()
                        ? "write jobs: { reservations: { NAME: { nodes: row_3.*, from: 8 h, to: 12 h } } }"
                        : nearest_hint(job.reservation, reservations),
                    job.mention.excerpt});
    if (!names.insert(job.name).second) {
      problems.add({job.mention.place, fmt::format("two entries of the queue have the name {}", job.name),
                    "give each entry its own name", job.mention.excerpt});
    }
    if (job.nodes <= nodes && job.nodes > nodes - spare_nodes && spare_nodes > 0) {
      problems.add({job.mention.place,
                    fmt::format("{} needs {} nodes, the hall has {}, of which {} are spare", job.name, job.nodes, nodes,
                                spare_nodes),
                    fmt::format("it would never start: {} nodes at most, or fewer spare_nodes", nodes - spare_nodes),
                    job.mention.excerpt});
    }
    if (job.nodes <= nodes) continue;
    problems.add({job.mention.place, fmt::format("{} needs {} nodes, the hall has {}", job.name, job.nodes, nodes),
                  fmt::format("it would never start: {} nodes at most", nodes - spare_nodes), job.mention.excerpt});
  }
}

void read_jobs(const Node& map, Scenario& scenario, Problems& problems) {
  JobsSpec& jobs = scenario.jobs.emplace();
  jobs.mention = {map.place, map.excerpt};
  const Node* storage = find(map, "storage");
  jobs.storage.is_shared = storage != nullptr && !storage->is_null();
  read_section(
      map, "jobs",
      {.key = "jobs",
       .doc = "Jobs.",
       .sections = {{.key = "scheduler",
                     .doc = "Scheduler: which job starts when, and on which nodes.",
                     .fields = field_refs(jobs.scheduler),
                     .special = {budget_key(jobs.scheduler)},
                     .is_optional = true},
                    shared_storage_section(storage, scenario)},
       .special = {failures_key("jobs.failures", jobs.failures), reservations_key(jobs.reservations), queue_key(jobs)}},
      problems);
  check_beside_hall(scenario, problems);
  check_intervals(jobs, problems);
  finish_shared_storage(map, scenario, problems);
}

}  // namespace

SpecialKey jobs_key(Scenario& scenario) {
  return {.key = "jobs",
          .doc = "A queue of jobs, instead of `workload`: submissions, failures and scheduler.",
          .rows = job_rows(),
          .read = [&scenario](const Node& map, Problems& problems) { read_jobs(map, scenario, problems); }};
}

}  // namespace wattloop::twin
