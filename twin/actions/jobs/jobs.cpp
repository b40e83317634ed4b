#include "twin/actions/jobs/jobs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/jobs/elastic_jobs.hpp"
#include "twin/actions/jobs/storage_watch.hpp"
#include "twin/actions/work/node_states.hpp"

namespace wattloop::twin {

namespace {

using workload::JobClock;

constexpr double never_s = std::numeric_limits<double>::infinity();
constexpr double reported_communication_ratio = 0.001;  ///< a change that is reported
constexpr double least_reported_fraction = 0.005;       ///< by which a clock is below full clock when that is reported
constexpr double reported_step_fraction = 0.05;         ///< by which a clock falls until it is reported again

/// Whether a job must go on at another clock.
bool is_noticeable(double job_fraction, double now) {
  if (now == 1.0) return job_fraction < 1.0;
  return std::abs(now - job_fraction) > set_clock_fraction;
}

struct NodePlace {
  std::size_t rack, node;
};

/// Of a GPU that is counted through these racks.
NodePlace node_of_gpu(const Plant& plant, std::span<const std::size_t> racks, std::size_t gpu) {
  for (const std::size_t rack : racks) {
    if (gpu < plant.it.gpus_in(rack))
      return {rack, plant.it.racks[rack].first_node + gpu / plant.it.group_of(rack).gpus_per_node};
    gpu -= plant.it.gpus_in(rack);
  }
  return {racks.back(), plant.it.racks[racks.back()].first_node};
}

std::string after(double time_s) { return format_quantity(time_s, "s"); }

}  // namespace

JobWatch::JobWatch(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& work)
    : plant_(plant), nodes_(nodes), racks_(plant, work) {
  if (racks_.queue() != nullptr) queue_.emplace(plant, nodes, *racks_.queue());
  if (plant.fabric) fabric_.emplace(plant);
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) all_racks_.push_back(rack);
}

void JobWatch::prepare(PlantState& state) {
  queue_ ? queue_->prepare(state) : prepare_jobs(state);
  if (!fabric_) return;
  std::vector<EventRecord> nobody_hears;
  follow_fabric(state, nobody_hears);
  fabric_->set_traffic(jobs_now(state), state);
}

void JobWatch::prepare_jobs(PlantState& state) const {
  if (state.work.job_clocks.size() == racks_.clock_count()) return;
  state.work.job_clocks.resize(racks_.clock_count());
  state.work.jobs.resize(racks_.clock_count());
  for (const Job& job : racks_.jobs_in(state)) {
    workload::JobMemory& memory = state.work.jobs[job.number];
    if (job.program->failures() != nullptr) memory.failures = job.program->failures()->at_begin();
    if (job.program->spare_nodes() == 0) continue;
    memory.is_member.assign(plant_.it.node_count(), 0);
    for (std::size_t k = 0; k < job.nodes.size(); ++k) {
      memory.is_member[job.nodes[k]] = k < job.needed() ? 1 : 0;
      if (k >= job.needed()) put_node(plant_, nodes_, job.nodes[k], NodeIs::idle, state);
    }
  }
}

const std::vector<JobRacks::Job>& JobWatch::jobs_now(const PlantState& state) {
  if (!has_looked_ || (queue_ && jobs_stamp_ != state.work.queue.stamp)) jobs_ = racks_.jobs_in(state);
  has_looked_ = true;
  jobs_stamp_ = state.work.queue.stamp;
  return jobs_;
}

/// "job", of several "job_2"; of those that come and go the name that users gave it.
std::string JobWatch::name_of(const Job& job, const PlantState& state) const {
  if (queue_) return queue_->name_of(job.number, state);
  return racks_.clock_count() == 1 ? "job" : fmt::format("job_{}", job.number + 1);
}

/// The job of a node, if it has one, is to notice that it was interrupted.
void JobWatch::interrupt(std::size_t rack, std::size_t node, const std::string& why, PlantState& state,
                         std::vector<EventRecord>& events) const {
  const std::size_t number = racks_.job_of(rack, node, state);
  if (number == JobRacks::no_job) return;
  state.work.jobs[number].is_interrupted = true;
  const Job job{.program = &racks_.program_of(number, state), .number = number};
  events.push_back({state.time_s, "failure", name_of(job, state), why});
}

/// What fails by chance up to now among GPUs that are counted through `racks`.
bool JobWatch::let_fail(const workload::FailureProcess* failures, workload::FailureCounters& counters,
                        std::span<const std::size_t> racks, PlantState& state, std::vector<EventRecord>& events) const {
  bool has_changed = false;
  while (failures != nullptr && failures->next_s(counters) <= state.time_s) {
    const workload::FailureProcess::Failure failure = failures->take_next(counters);
    const workload::FailureKind& kind = failures->params().kinds[failure.kind];
    const auto [rack, node] = node_of_gpu(plant_, racks, failure.gpu);
    has_changed = true;
    if (!kind.takes_node) {
      interrupt(rack, node, kind.name, state, events);
      continue;
    }
    if (!is_switched_on(state.work.node_is[node])) continue;  // is out already
    put_node(plant_, nodes_, node, NodeIs::failed, state);
    state.work.node_due_s[node] = state.time_s + failures->params().repair_s;
    events.push_back({state.time_s, "failure", node_name(plant_, node),
                      fmt::format("{}, back after {}", kind.name, after(failures->params().repair_s))});
  }
  return has_changed;
}

/// Nodes that are back, whose place another has, are idle.
bool JobWatch::rest_others(const Job& job, PlantState& state) const {
  const std::vector<std::uint8_t>& is_member = state.work.jobs[job.number].is_member;
  bool has_changed = false;
  if (is_member.empty()) return false;
  for (const std::size_t node : job.nodes) {
    if (is_member[node] != 0 || state.work.node_is[node] != NodeIs::at_work) continue;
    put_node(plant_, nodes_, node, NodeIs::idle, state);
    has_changed = true;
  }
  return has_changed;
}

/// Idle nodes take the places of those that are lost.
bool JobWatch::take_spares(const Job& job, PlantState& state, std::vector<EventRecord>& events) const {
  std::vector<std::uint8_t>& is_member = state.work.jobs[job.number].is_member;
  if (is_member.empty()) return false;
  std::vector<std::size_t> lost, spare;
  for (const std::size_t node : job.nodes) {
    const NodeIs is = state.work.node_is[node];
    const bool is_joined = is_on_fabric(state, node);
    if (is_member[node] != 0 && (is != NodeIs::at_work || !is_joined)) lost.push_back(node);
    if (is_member[node] == 0 && is == NodeIs::idle && is_joined) spare.push_back(node);
  }
  const std::size_t taken = std::min(lost.size(), spare.size());
  for (std::size_t k = 0; k < taken; ++k) {
    is_member[lost[k]] = 0;
    is_member[spare[k]] = 1;
    put_node(plant_, nodes_, spare[k], NodeIs::at_work, state);
  }
  if (taken == 0) return false;
  events.push_back({state.time_s, "spare_nodes", name_of(job, state),
                    fmt::format("{} take{} over, {} left", taken, taken == 1 ? "s" : "", spare.size() - taken)});
  return true;
}

/// Nodes of the hall take over for all lost nodes of a job, or for some of them where it is elastic. True if any do; the job has other nodes then.
bool JobWatch::replace_in_queue(const Job& job, PlantState& state, std::vector<EventRecord>& events) const {
  std::vector<std::size_t> lost;
  for (const std::size_t node : job.nodes) {
    const bool works = state.work.node_is[node] == NodeIs::at_work && is_on_fabric(state, node);
    if (is_member(job, node, state) && !works) lost.push_back(node);
  }
  const bool is_elastic = job.program->least_share_fraction() < 1.0;
  const std::string words = queue_->replace(job.number, lost, is_elastic, state);
  if (!words.empty()) events.push_back({state.time_s, "spare_nodes", name_of(job, state), words});
  return !words.empty();
}

JobWatch::Job JobWatch::with_nodes_now(const Job& job, const PlantState& state) const {
  std::vector<Job> jobs = racks_.jobs_in(state);
  return std::move(*std::ranges::find(jobs, job.number, &Job::number));
}

/// A loss was noticed: spare nodes take over, or the job goes on with fewer. True if any node has changed its place.
bool JobWatch::replace_lost(const Job& job, PlantState& state, std::vector<EventRecord>& events) const {
  bool is_replaced = queue_ && replace_in_queue(job, state, events);
  const Job now = is_replaced ? with_nodes_now(job, state) : job;
  is_replaced = take_spares(now, state, events) || is_replaced;
  if (is_replaced && lost_nodes(now, state) == 0) return true;
  return go_on_with_fewer(now, name_of(now, state), state, events) || is_replaced;
}

/// Those that do not work, or that the others do not reach over the fabric.
std::size_t JobWatch::lost_nodes(const Job& job, const PlantState& state) const {
  if (fabric_ && !state.fabric.node_part.empty() && job.program->is_coupled()) {
    if (const std::size_t cut = JobsOnFabric::cut_nodes(job, state); cut > 0) return cut;
  }
  if (std::ranges::none_of(job.racks, [&](std::size_t rack) { return state.work.is_restrained[rack] != 0; })) return 0;
  const std::vector<std::uint8_t>& is_member = state.work.jobs[job.number].is_member;
  return static_cast<std::size_t>(std::ranges::count_if(job.nodes, [&](std::size_t node) {
    const bool is_needed = is_member.empty() || is_member[node] != 0;
    return is_needed && state.work.node_is[node] != NodeIs::at_work;
  }));
}

bool JobWatch::act(std::span<const RackDigest> racks, PlantState& state, std::vector<EventRecord>& events) {
  if (!queue_ && state.work.job_clocks.size() != racks_.clock_count()) prepare(state);  // of a state under other work
  bool has_changed = fabric_ && follow_fabric(state, events);
  if (queue_ && queue_->queue().failures && state.time_s >= 0.0)
    has_changed = let_fail(&*queue_->queue().failures, state.work.queue.failures, all_racks_, state, events);
  for (const Job& job : jobs_now(state)) has_changed = act_on(job, state, events) || has_changed;
  if (queue_) has_changed = queue_->act(state, events) || has_changed;
  if (fabric_) {
    has_changed = follow_fabric(state, events) || has_changed;  // of jobs that have started or changed nodes
    fabric_->set_traffic(jobs_now(state), state);
  }
  has_changed = set_paces(racks, state, events) || has_changed;
  has_changed = share_storage(plant_, racks_, state) || has_changed;
  for (const Job& job : jobs_now(state)) note_growth(job, state);
  return has_changed;
}

/// Communication of jobs follows the fabric. Where its health has changed, jobs report how much longer it takes.
bool JobWatch::follow_fabric(PlantState& state, std::vector<EventRecord>& events) {
  const std::vector<Job>& jobs = jobs_now(state);
  std::vector<double> before;
  for (const Job& job : jobs) before.push_back(state.work.job_clocks[job.number].communication_ratio);
  const bool has_changed = fabric_->set_paces(jobs, state);
  const bool is_new = std::exchange(fabric_stamp_, state.fabric.stamp) != state.fabric.stamp;
  for (std::size_t k = 0; has_changed && is_new && k < jobs.size(); ++k) {
    const double now = state.work.job_clocks[jobs[k].number].communication_ratio;
    if (std::abs(now - before[k]) < reported_communication_ratio * before[k]) continue;
    if (now >= blocked_ratio && JobsOnFabric::cut_nodes(jobs[k], state) > 0) continue;  // it stops, which is said
    events.push_back({state.time_s, "job_network", name_of(jobs[k], state),
                      now >= blocked_ratio ? std::string("waits for new routes")
                      : now == 1.0         ? std::string("communication takes as long as over the sound fabric")
                                           : fmt::format("communication takes {:.4g} times as long as over the sound "
                                                                 "fabric",
                                                         now)});
  }
  return has_changed;
}

bool JobWatch::act_on(const Job& job, PlantState& state, std::vector<EventRecord>& events) const {
  JobClock& clock = state.work.job_clocks[job.number];
  workload::JobMemory& memory = state.work.jobs[job.number];
  const double now_s = state.time_s, redone_s = memory.redone_s;
  const double stopped_s = std::isfinite(memory.stopped_s) ? memory.stopped_s : now_s;
  const std::size_t stops = memory.stops;
  bool has_changed = let_fail(job.program->failures(), memory.failures, job.racks, state, events);
  has_changed = rest_others(job, state) || has_changed;
  std::size_t lost = lost_nodes(job, state);
  if (lost == 0) has_changed = take_nodes_back(plant_, nodes_, job, name_of(job, state), state, events) || has_changed;
  workload::JobChange change = workload::advance(*job.program, clock, memory, now_s, lost > 0);
  const std::string why =
      lost > 0 ? fmt::format("{} of {} nodes lost", lost, job.needed()) : std::string("interrupted");
  if (memory.stops > stops && job.program->is_coupled()) {
    const std::string others = lost == 0 ? ", all nodes wait" : lost < job.needed() ? ", the others wait" : "";
    events.push_back({now_s, "job_stopped", name_of(job, state), why + others});
  }
  const bool is_noticed = clock.is == JobClock::Is::idle && (std::isinf(memory.due_s) || now_s >= memory.due_s);
  if (lost > 0 && is_noticed && replace_lost(job, state, events)) {
    has_changed = true;
    lost = lost_nodes(with_nodes_now(job, state), state);
    change = workload::advance(*job.program, clock, memory, now_s, lost > 0);
  }
  if (change == workload::JobChange::restarting)
    has_changed = take_nodes_back(plant_, nodes_, job, name_of(job, state), state, events) || has_changed;
  if (queue_ && lost > 0 && is_noticed) {
    queue_->requeue(job.number, why, state, events);
    return true;
  }
  if (change == workload::JobChange::resumed && queue_) {
    events.push_back({now_s, "job_resumed", name_of(job, state),
                      fmt::format("restarted in {}, goes on at {} of its work", after(now_s - stopped_s),
                                  after(job.program->progress(clock, now_s).gained_s))});
  } else if (change == workload::JobChange::resumed) {
    events.push_back({now_s, "job_resumed", name_of(job, state),
                      fmt::format("after {}, from the checkpoint {} before it stopped", after(now_s - stopped_s),
                                  after(memory.redone_s - redone_s))});
  }
  return has_changed || change != workload::JobChange::none;
}

/// All jobs that run go at the clock of their slowest GPU.
bool JobWatch::set_paces(std::span<const RackDigest> racks, PlantState& state, std::vector<EventRecord>& events) {
  const std::vector<Job>& jobs = jobs_now(state);
  slowest_.assign(state.work.job_clocks.size(), {});
  for (std::size_t rack = 0; rack < plant_.it.racks.size() && !jobs.empty(); ++rack) {
    const RackNow now(plant_, nodes_, rack, state.time_s, racks[rack].hottest_k);
    for (const JobRacks::Slowest& of_rack : racks_.slowest_on(now, state)) {
      JobRacks::Slowest& of_job = slowest_[of_rack.job];
      if (of_rack.clock_fraction < of_job.clock_fraction) of_job = of_rack;
    }
  }
  bool has_changed = false;
  for (const Job& job : jobs) {
    const bool is_running = state.work.job_clocks[job.number].is == JobClock::Is::running;
    if (is_running && job.program->is_coupled())
      has_changed = set_pace(job, slowest_[job.number], state, events) || has_changed;
  }
  return has_changed;
}

bool JobWatch::set_pace(const Job& job, const JobRacks::Slowest& slowest, PlantState& state,
                        std::vector<EventRecord>& events) const {
  JobClock& clock = state.work.job_clocks[job.number];
  workload::JobMemory& memory = state.work.jobs[job.number];
  const double now = slowest.clock_fraction;
  if (!is_noticeable(clock.clock_fraction, now)) return false;
  clock = job.program->at_clock(clock, state.time_s, now);
  const bool is_over = now == 1.0 && memory.reported_fraction < 1.0;
  const bool is_new = now < memory.reported_fraction -
                                (memory.reported_fraction < 1.0 ? reported_step_fraction : least_reported_fraction);
  if (is_over) events.push_back({state.time_s, "job_full_speed", name_of(job, state), "all GPUs at full clock"});
  if (is_new) {
    const char* why = slowest.is_capped                                   ? "power limit"
                      : now == highest_clock_fraction(state, slowest.gpu) ? "slow by itself"
                                                                          : "hot die or inlet air";
    events.push_back({state.time_s, "job_slowed", name_of(job, state),
                      fmt::format("{}: clock {:.1f} %, slowest {}", why, 100.0 * now, gpu_name(plant_, slowest.gpu))});
  }
  if (is_over || is_new) memory.reported_fraction = now;
  return true;
}

double JobWatch::next_s(const PlantState& state) const {
  double next_s = queue_ ? queue_->next_s(state) : never_s;
  next_s = std::min(next_s, next_share_s(plant_, racks_, state));
  if (queue_ && queue_->queue().failures && state.time_s >= 0.0)
    next_s = std::min(next_s, queue_->queue().failures->next_s(state.work.queue.failures));
  for (std::size_t number = 0; number < state.work.jobs.size(); ++number) {
    const workload::JobMemory& memory = state.work.jobs[number];
    if (memory.due_s > state.time_s) next_s = std::min(next_s, memory.due_s);
    if (memory.grows_s > state.time_s) next_s = std::min(next_s, memory.grows_s);
    if (!memory.failures.next_s.empty()) next_s = std::min(next_s, *std::ranges::min_element(memory.failures.next_s));
  }
  return next_s;
}

}  // namespace wattloop::twin
