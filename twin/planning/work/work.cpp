#include "twin/planning/work/work.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "electrical/supplies/psu_curve.hpp"
#include "twin/planning/work/job_network.hpp"
#include "twin/planning/work/job_nodes.hpp"
#include "twin/planning/work/power_domains.hpp"
#include "twin/planning/work/reserved_nodes.hpp"
#include "workload/queue/job_mix.hpp"
#include "workload/queue/queued_work.hpp"
#include "workload/training/training_checkpoints.hpp"
#include "workload/work/storage_note.hpp"
#include "workload/work_of_groups.hpp"

namespace wattloop::twin {

namespace {

/// Nodes that do some work. numbers: of all nodes of the job through the hall, spare ones last.
struct WorkPlace {
  const JobNetwork& network;
  workload::NodeSet nodes;
  std::vector<std::size_t> numbers;
  bool is_program = false;
};

workload::MadeWork make_work_of(const Scenario& scenario, const WorkloadSpec& spec, const RacksSpec& racks,
                                WorkPlace place) {
  const electrical::PsuParams& psu = racks.hardware.psu;
  place.nodes.gpus_per_domain = place.network.domain_gpus(place.nodes.gpus_per_node);
  if (const workload::TrainingParams* job = spec.training())
    place.numbers.resize(place.numbers.size() -
                         std::min(place.numbers.size(), std::size_t(std::max(0, job->spare_nodes))));
  const auto* transformer = spec.get<workload::TransformerParams>();
  const auto network = place.network.times(std::move(place.numbers), place.nodes.gpus_per_node,
                                           transformer != nullptr ? transformer->gpu : workload::TrainingGpu{});
  const workload::WorkRequest request{
      .nodes = place.nodes,
      .ac_from_dc_w = [&psu](double dc_w) { return electrical::psu_input_w(psu, dc_w); },
      .network = network.get(),
      .seed = scenario.seed,
      .run = {parse_local_time(scenario.start).value_or(LocalTime{}), scenario.duration_s},
      .is_program = place.is_program,
      .racks = racks.name.empty() ? "" : "racks " + racks.name + ": ",
      .mention_of = [&spec](std::string_view key) { return spec.mention_of(key); }};
  Problems problems;
  workload::MadeWork work = spec.params.make(request, problems);
  problems.throw_if_any(scenario.file);
  return work;
}

/// Watts that a node is expected to draw in a program, at its AC inlet.
double expected_node_w(const workload::Workload& program, int gpus_per_node) {
  std::vector<double> gpu_w(static_cast<std::size_t>(gpus_per_node));
  double node_w = 0.0;
  program.mean_before({0, 1}, gpu_w, {&node_w, 1});
  return node_w;
}

workload::SchedulerParams scheduler_of(const SchedulerSpec& spec) {
  workload::SchedulerParams params;
  params.policy = spec.policy == "backfill" ? workload::QueuePolicy::backfill : workload::QueuePolicy::first_come;
  params.placement = spec.placement == "spread"    ? workload::PlacementPolicy::spread
                     : spec.placement == "coolest" ? workload::PlacementPolicy::coolest
                     : spec.placement == "power"   ? workload::PlacementPolicy::power
                                                   : workload::PlacementPolicy::packed;
  params.interval_s = spec.interval_s;
  return params;
}

/// "storage: 10 storage_appliance in 1 rack draw 16 kW without traffic, ...".
std::string storage_racks_note(const StorageRacksSpec& storage) {
  const workload::ApplianceParams& appliance = storage.appliance;
  return fmt::format(
      "storage: {} {} in {} draw {} without traffic and {} at full bandwidth, which is {} of reads or {} of "
      "writes",
      storage.count, storage.appliance_name, count_text(storage.racks, "rack"),
      format_quantity(storage.count * appliance.idle_w, "W"), format_quantity(storage.count * appliance.active_w, "W"),
      format_quantity(storage.count * appliance.read_b_per_s, "B/s"),
      format_quantity(storage.count * appliance.write_b_per_s, "B/s"));
}

/// The jobs of a queue, and a program for each entry of it: single jobs, then traces, then mixes.
class QueueMaker {
 public:
  explicit QueueMaker(const Scenario& scenario) : scenario_(scenario), jobs_(*scenario.jobs), network_(scenario) {
    for (const RacksSpec& racks : scenario.racks) hall_.nodes += static_cast<std::size_t>(node_set(racks).nodes);
    hall_.gpus_per_node = static_cast<std::size_t>(node_set(scenario.racks.front()).gpus_per_node);
  }

  Work make() {
    for (const RacksSpec& racks : scenario_.racks) {
      const workload::NodeSet set = node_set(racks);
      groups_.push_back({static_cast<std::size_t>(set.nodes), set.split, {}});
      gpus_ += set.job_gpus();
    }
    for (const JobSpec& job : jobs_.queue) add(job);
    for (const JobTraceSpec& trace : jobs_.traces) add(trace);
    for (std::size_t number = 0; number < jobs_.mixes.size(); ++number) add(jobs_.mixes[number], number);
    workload::JobQueue queue{.jobs = std::move(list_),
                             .scheduler = scheduler_of(jobs_.scheduler),
                             .spare_nodes = static_cast<std::size_t>(jobs_.scheduler.spare_nodes)};
    Problems problems;
    PowerDomains domains = power_domains_of(scenario_, problems);
    queue.domains = std::move(domains.domains);
    queue.domain_of_node = std::move(domains.domain_of_node);
    queue.scheduler.reservations = reservations_of(scenario_, problems);
    problems.throw_if_any(scenario_.file);
    std::ranges::stable_sort(queue.jobs, {}, &workload::JobRequest::submit_s);
    for (workload::JobRequest& job : queue.jobs) job.node_power_w = node_power_w_[job.program];
    warn_of_budget(queue);
    if (!users_.empty()) work_.notes.push_back(workload::storage_note(users_));
    if (scenario_.storage_racks) work_.notes.push_back(storage_racks_note(*scenario_.storage_racks));
    if (!jobs_.failures.kinds.empty())
      queue.failures.emplace(jobs_.failures, gpus_, scenario_.seed, hall_.gpus_per_node);
    work_.workload = workload::make_queued_work(std::move(groups_), std::move(queue), std::move(contents_));
    return std::move(work_);
  }

 private:
  void add(const JobSpec& job) {
    const std::size_t program = add_program(job.program, job.name, static_cast<std::size_t>(job.nodes));
    const std::vector<workload::JobNodes> made = groups_.front().programs.back()->jobs();
    const workload::SynchronousJob* clock = made.empty() ? nullptr : made.front().program;
    if (clock != nullptr && clock->storage_use() != nullptr)
      users_.push_back({job.name, static_cast<std::size_t>(job.count), *clock->storage_use()});
    for (int k = 0; k < job.count; ++k) {
      list_.push_back({.name = job.count == 1 ? job.name : fmt::format("{}_{}", job.name, k + 1),
                       .submit_s = job.submit_s + k * job.every_s,
                       .nodes = static_cast<std::size_t>(job.nodes),
                       .run_time_s = job.run_time_s,
                       .time_limit_s = job.time_limit_s,
                       .priority = job.priority,
                       .is_preemptable = job.is_preemptable,
                       .program = program,
                       .reservation = job.reservation == JobSpec::no_reservation ? "" : job.reservation});
    }
  }

  void add(const JobTraceSpec& trace) {
    std::vector<workload::JobTraceRow> rows;
    for (const workload::JobRow& row : *trace.rows) {
      const double limit_s = std::isinf(row.time_limit_s) ? 0.0 : row.time_limit_s;
      rows.push_back({row.name, row.submit_s, static_cast<double>(row.nodes), static_cast<double>(row.gpus),
                      row.run_time_s, limit_s, row.priority});
    }
    std::map<std::string, std::size_t, std::less<>> of_classes;
    for (const auto& [name, program] : trace.of_classes)
      of_classes[name] = add_program(program, fmt::format("{}, class {}", trace.trace, name), 0);
    const std::size_t other = trace.has_program ? add_program(trace.program, trace.trace, 0) : 0;
    take(workload::jobs_of_rows(rows, hall_, trace.compress_ratio), trace.trace, [&](std::size_t row) {
      const auto own = of_classes.find((*trace.rows)[row].job_class);
      return own == of_classes.end() ? other : own->second;
    });
  }

  /// Each mix draws its own numbers.
  void add(const JobMixSpec& mix, std::size_t number) {
    const workload::JobMix drawn(mix.classes, scenario_.seed + number);
    const workload::Submissions when{1.0 / mix.mean_pause_s, mix.from_s, std::min(mix.to_s, scenario_.duration_s)};
    workload::FoundJobs found = workload::jobs_of_mix(drawn, when, hall_);
    if (number > 0) {
      for (workload::JobRequest& job : found.jobs) job.name = fmt::format("mix_{}_{}", number + 1, job.name);
    }
    take(std::move(found), "the mix", [program = add_program(mix.program, "mix", 0)](std::size_t) { return program; });
  }

  /// program_of(source): number of the program of a job by its row or class.
  template <class ProgramOf>
  void take(workload::FoundJobs found, const std::string& from, const ProgramOf& program_of) {
    for (std::size_t job = 0; job < found.jobs.size(); ++job) {
      found.jobs[job].program = program_of(found.source[job]);
      list_.push_back(std::move(found.jobs[job]));
    }
    if (found.too_large.empty()) return;
    work_.warnings.push_back(
        fmt::format("{} jobs of {} need more nodes than the hall has ({}) and are left out; the first is {}",
                    found.too_large.size(), from, hall_.nodes, found.too_large.front().name));
  }

  void warn_of_budget(const workload::JobQueue& queue) {
    if (queue.domains.empty()) return;
    std::vector<double> budget_w;
    for (const workload::PowerDomain& domain : queue.domains) budget_w.push_back(domain.budget_w);
    std::vector<std::size_t> nodes(queue.domains.size());
    for (std::size_t node = 0; node < hall_.nodes; ++node)
      ++nodes[queue.domain_of_node.empty() ? 0 : queue.domain_of_node[node]];
    std::size_t too_large = 0;
    const workload::JobRequest* first = nullptr;
    for (const workload::JobRequest& job : queue.jobs) {
      if (workload::powered_nodes(nodes, budget_w, job) >= job.nodes) continue;
      first = too_large++ == 0 ? &job : first;
    }
    if (first == nullptr) return;
    const std::string others = too_large > 1 ? fmt::format(", and {} jobs more", too_large - 1) : "";
    const std::string needed = format_quantity(static_cast<double>(first->nodes) * first->node_power_w, "W");
    const std::string budget =
        queue.domains.size() == 1
            ? fmt::format("the budget is {}", format_quantity(budget_w.front(), "W"))
            : fmt::format("budgets allow only {} of its nodes", workload::powered_nodes(nodes, budget_w, *first));
    work_.warnings.push_back(
        fmt::format("{} needs {} for its nodes, but {}: the job never starts{}", first->name, needed, budget, others));
  }

  /// Gives an interval by a rule as a time: it follows from those failures of the hall that hit nodes of the job. A note of it, or nothing.
  std::string set_interval(WorkloadSpec& spec, const workload::NodeSet& nodes) const {
    auto* training = spec.training();
    if (training == nullptr || !training->checkpoint.is_given || !training->checkpoint.has_rule()) return {};
    workload::TrainingParams failing = *training;
    failing.failures = jobs_.failures;
    const workload::CheckpointPlan plan = checkpoint_plan(failing, nodes);
    if (std::isinf(plan.mean_time_s)) return {};  // a mistake, which is reported with others of the program
    training->checkpoint.interval_s = plan.interval_s;
    training->checkpoint.interval = format_quantity(plan.interval_s, "s");
    return fmt::format("checkpoint interval by the rule {}: {}, for a mean time of {} between failures of its {} nodes",
                       failing.checkpoint.interval, training->checkpoint.interval,
                       format_quantity(plan.mean_time_s, "s"), nodes.job_nodes());
  }

  /// What nodes of all groups of racks do of it; its number. nodes: of its job, where they are known.
  std::size_t add_program(const WorkloadSpec& spec, const std::string& name, std::size_t nodes) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const RacksSpec& racks = scenario_.racks[group];
      workload::NodeSet set = node_set(racks);
      set.nodes_of_job = nodes;
      set.gpus_of_job = nodes * static_cast<std::size_t>(set.gpus_per_node);
      WorkloadSpec own = spec;
      const std::string note = set_interval(own, set);
      workload::MadeWork program = make_work_of(scenario_, own, racks, {network_, set, first_nodes(nodes), true});
      if (!note.empty()) program.notes.push_back(note);
      for (std::vector<std::string>* texts : {&program.notes, &program.warnings}) {
        for (std::string& text : *texts) text = name + ": " + text;
      }
      std::ranges::move(program.notes, std::back_inserter(work_.notes));
      std::ranges::move(program.warnings, std::back_inserter(work_.warnings));
      groups_[group].programs.push_back(std::move(program.workload));
    }
    double most_w = 0.0;  // of nodes that differ
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const int gpus = node_set(scenario_.racks[group]).gpus_per_node;
      most_w = std::max(most_w, expected_node_w(*groups_[group].programs.back(), gpus));
    }
    node_power_w_.push_back(most_w);
    contents_.push_back(spec.contents());
    return node_power_w_.size() - 1;
  }

  const Scenario& scenario_;
  const JobsSpec& jobs_;
  JobNetwork network_;
  workload::JobHall hall_{.nodes = 0};
  Work work_;
  workload::JobList list_;
  std::vector<workload::ProgramsOfNodes> groups_;
  std::vector<double> node_power_w_;              ///< [program] expected
  std::vector<workload::WattsContain> contents_;  ///< [program]
  std::vector<workload::StorageUsers> users_;     ///< of a storage that jobs share
  std::size_t gpus_ = 0;
};

/// "dgx: what the user should know".
std::vector<std::string> of_group(const RacksSpec& racks, std::vector<std::string> texts) {
  for (std::string& text : texts) text = racks.name.empty() ? text : racks.name + ": " + text;
  return texts;
}

}  // namespace

Work make_work(const Scenario& scenario) {
  if (scenario.jobs) return QueueMaker(scenario).make();
  Work work;
  std::vector<workload::GroupWork> groups;
  double nodes = 0.0;
  std::optional<double> clamped;
  const std::vector<std::size_t> jobs = jobs_of_groups(scenario);
  const JobNetwork network(scenario);
  for (std::size_t group = 0; group < scenario.racks.size(); ++group) {
    const RacksSpec& racks = scenario.racks[group];
    workload::MadeWork of_racks =
        make_work_of(scenario, workload_of(scenario, racks), racks,
                     {network, nodes_in_job(scenario, jobs, group), nodes_of_job(scenario, jobs, group)});
    const int count = racks.count * racks.nodes;
    groups.push_back({std::move(of_racks.workload), static_cast<std::size_t>(count), jobs[group]});
    std::ranges::move(of_group(racks, std::move(of_racks.notes)), std::back_inserter(work.notes));
    std::ranges::move(of_group(racks, std::move(of_racks.warnings)), std::back_inserter(work.warnings));
    nodes += count;
    if (of_racks.clamped_sample_share) clamped = clamped.value_or(0.0) + count * *of_racks.clamped_sample_share;
  }
  if (clamped) work.clamped_sample_share = *clamped / nodes;
  work.workload = workload::make_work_of_groups(std::move(groups));
  return work;
}

}  // namespace wattloop::twin
