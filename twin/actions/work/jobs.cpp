#include "twin/actions/work/jobs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

using workload::JobClock;

constexpr double never_s = std::numeric_limits<double>::infinity();
constexpr double least_clock_fraction = 0.01;    ///< of a job whose power limit leaves a GPU nothing: it hardly moves
constexpr double reported_step_fraction = 0.05;  ///< by which a clock falls until it is reported again

/// Whether a job must go on at another clock.
bool is_noticeable(double job_fraction, double now) {
  if (now == 1.0) return job_fraction < 1.0;
  return std::abs(now - job_fraction) > noticed_clock_fraction;
}

/// "row_1.rack_3.node_2".
std::string node_name(const Plant& plant, std::size_t node) {
  const auto group = std::ranges::find_if(plant.it.groups, [node](const RackGroup& one) {
    return node >= one.first_node && node < one.first_node + one.node_count();
  });
  const std::string gpu = gpu_name(plant, group->first_gpu + (node - group->first_node) * group->gpus_per_node);
  return gpu.substr(0, gpu.rfind('.'));
}

/// Of a GPU that is counted through these racks.
std::size_t node_of_gpu(const Plant& plant, std::span<const std::size_t> racks, std::size_t gpu) {
  for (const std::size_t rack : racks) {
    if (gpu < plant.it.gpus_in(rack))
      return plant.it.racks[rack].first_node + gpu / plant.it.group_of(rack).gpus_per_node;
    gpu -= plant.it.gpus_in(rack);
  }
  return plant.it.racks[racks.back()].first_node;
}

std::string after(double time_s) { return format_quantity(time_s, "s"); }

}  // namespace

JobRacks::JobRacks(const Plant& plant, const workload::Workload& work) : plant_(plant), work_(work) {
  const std::vector<workload::JobNodes> all = work.jobs();
  clock_count_ = all.size();
  job_of_rack_.assign(plant.it.racks.size(), no_job);
  for (std::size_t number = 0; number < all.size(); ++number) {
    if (all[number].program == nullptr) continue;
    Job job;
    job.program = all[number].program;
    job.number = number;
    for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
      const std::size_t node = plant.it.racks[rack].first_node;
      const bool is_in = std::ranges::any_of(all[number].nodes, [&](const workload::NodeRange& range) {
        return node >= range.first && node < range.first + range.count;
      });
      if (!is_in) continue;
      job_of_rack_[rack] = number;
      job.racks.push_back(rack);
      job.nodes += plant.it.nodes_in(rack);
      job.gpus += plant.it.gpus_in(rack);
    }
    if (!job.racks.empty()) jobs_.push_back(std::move(job));
  }
}

bool JobRacks::may_be_slow(const RackNow& now, const PlantState& state) const {
  if (state.work.is_restrained[now.rack] != 0) return true;
  const UnitGroup& units = *plant_.groups[now.group().gpu_units];
  const double most_w = work_.most_computing_w(plant_.it.racks[now.rack].first_node);
  return most_w > power_limit_w(now, state) - units.most_leakage_w(now.hottest_die_k);
}

JobRacks::Slowest JobRacks::slowest_of(const RackNow& now, const PlantState& state) const {
  Slowest slowest;
  if (!may_be_slow(now, state)) return slowest;
  const RackPart& rack = plant_.it.racks[now.rack];
  const RackGroup& group = now.group();
  if (state.work.is_restrained[now.rack] != 0) {
    for (std::size_t gpu = rack.first_gpu; gpu < rack.first_gpu + group.gpus_per_rack(); ++gpu) {
      const std::size_t node = rack.first_node + (gpu - rack.first_gpu) / group.gpus_per_node;
      const double clock = state.work.node_is[node] == NodeIs::at_work ? state.work.clock_fraction[gpu] : 1.0;
      if (clock > 0.0 && clock < slowest.clock_fraction) slowest = {clock, gpu, false};
    }
  }
  const UnitGroup& units = *plant_.groups[group.gpu_units];
  const double idle_w = now.node.split.gpu_idle_w;
  const double limit_w = power_limit_w(now, state);
  for (std::size_t gpu = rack.first_gpu; gpu < rack.first_gpu + group.gpus_per_rack(); ++gpu) {
    const std::size_t unit = group.unit_of(gpu), in_rack = gpu - rack.first_gpu;
    const std::size_t node = rack.first_node + in_rack / group.gpus_per_node;
    if (state.work.node_is[node] != NodeIs::at_work) continue;
    const double busy_w = work_.computing_w(node, in_rack % group.gpus_per_node);
    const double allowed_w = limit_w - units.leakage_w(unit, state.states[units.state_slot(0, unit)]);
    const double given_w = workload::throttled_w(idle_w, busy_w, state.work.clock_fraction[gpu]);
    const double capped = workload::capped_load(idle_w, busy_w, given_w, allowed_w).clock_fraction;
    const double clock = std::max(capped, least_clock_fraction);
    if (clock < slowest.clock_fraction) slowest = {clock, gpu, true};
  }
  return slowest;
}

JobWatch::JobWatch(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& work)
    : plant_(plant), nodes_(nodes), racks_(plant, work) {}

void JobWatch::prepare(PlantState& state) const {
  if (state.work.job_clocks.size() == racks_.clock_count()) return;
  state.work.job_clocks.resize(racks_.clock_count());
  state.work.jobs.resize(racks_.clock_count());
  for (const JobRacks::Job& job : racks_.jobs()) {
    workload::JobMemory& memory = state.work.jobs[job.number];
    if (job.program->failures() != nullptr) memory.failures = job.program->failures()->at_begin();
    if (job.program->spare_nodes() == 0) continue;
    memory.is_member.assign(plant_.it.node_count(), 0);
    const std::vector<std::size_t> nodes = nodes_of(job);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      memory.is_member[nodes[k]] = k < job.needed() ? 1 : 0;
      if (k >= job.needed()) put(nodes[k], NodeIs::idle, state);
    }
  }
}

/// "job", of several "job_2".
std::string JobWatch::name_of(const JobRacks::Job& job) const {
  return racks_.clock_count() == 1 ? "job" : fmt::format("job_{}", job.number + 1);
}

/// Counted through the hall.
std::vector<std::size_t> JobWatch::nodes_of(const JobRacks::Job& job) const {
  std::vector<std::size_t> nodes;
  for (const std::size_t rack : job.racks) {
    for (std::size_t k = 0; k < plant_.it.nodes_in(rack); ++k) nodes.push_back(plant_.it.racks[rack].first_node + k);
  }
  return nodes;
}

void JobWatch::put(std::size_t node, NodeIs is, PlantState& state) const {
  const auto next = std::ranges::upper_bound(plant_.it.racks, node, {}, &RackPart::first_node);
  const auto rack = static_cast<std::size_t>(next - plant_.it.racks.begin()) - 1;
  const RackNow now(plant_, nodes_, rack, state.time_s);
  const std::size_t gpus = now.group().gpus_per_node;
  const std::size_t first_gpu = plant_.it.racks[rack].first_gpu + (node - plant_.it.racks[rack].first_node) * gpus;
  state.work.node_is[node] = is;
  for (std::size_t gpu = first_gpu; gpu < first_gpu + gpus; ++gpu)
    state.work.clock_fraction[gpu] = is_switched_on(is) ? allowed_clock(now, gpu, state) : 0.0;
  note_restraint(plant_, rack, state);
}

/// What fails by chance up to now.
bool JobWatch::let_fail(const JobRacks::Job& job, PlantState& state, std::vector<EventRecord>& events) const {
  const workload::FailureProcess* failures = job.program->failures();
  workload::JobMemory& memory = state.work.jobs[job.number];
  bool has_changed = false;
  while (failures != nullptr && failures->next_s(memory.failures) <= state.time_s) {
    const workload::FailureProcess::Failure failure = failures->take_next(memory.failures);
    const workload::FailureKind& kind = failures->params().kinds[failure.kind];
    has_changed = true;
    if (!kind.takes_node) {
      memory.is_interrupted = true;
      events.push_back({state.time_s, "failure", name_of(job), kind.name});
      continue;
    }
    const std::size_t node = node_of_gpu(plant_, job.racks, failure.gpu);
    if (!is_switched_on(state.work.node_is[node])) continue;  // is out already
    put(node, NodeIs::failed, state);
    state.work.node_due_s[node] = state.time_s + failures->params().repair_s;
    events.push_back({state.time_s, "failure", node_name(plant_, node),
                      fmt::format("{}, back after {}", kind.name, after(failures->params().repair_s))});
  }
  return has_changed;
}

/// Nodes that are back, whose place another has, are idle.
bool JobWatch::rest_others(const JobRacks::Job& job, PlantState& state) const {
  const std::vector<std::uint8_t>& is_member = state.work.jobs[job.number].is_member;
  bool has_changed = false;
  if (is_member.empty()) return false;
  for (const std::size_t node : nodes_of(job)) {
    if (is_member[node] != 0 || state.work.node_is[node] != NodeIs::at_work) continue;
    put(node, NodeIs::idle, state);
    has_changed = true;
  }
  return has_changed;
}

/// Idle nodes take the places of those that are lost.
bool JobWatch::take_spares(const JobRacks::Job& job, PlantState& state, std::vector<EventRecord>& events) const {
  std::vector<std::uint8_t>& is_member = state.work.jobs[job.number].is_member;
  if (is_member.empty()) return false;
  std::vector<std::size_t> lost, spare;
  for (const std::size_t node : nodes_of(job)) {
    const NodeIs is = state.work.node_is[node];
    if (is_member[node] != 0 && is != NodeIs::at_work) lost.push_back(node);
    if (is_member[node] == 0 && is == NodeIs::idle) spare.push_back(node);
  }
  const std::size_t taken = std::min(lost.size(), spare.size());
  for (std::size_t k = 0; k < taken; ++k) {
    is_member[lost[k]] = 0;
    is_member[spare[k]] = 1;
    put(spare[k], NodeIs::at_work, state);
  }
  if (taken == 0) return false;
  events.push_back({state.time_s, "spare_nodes", name_of(job),
                    fmt::format("{} take{} over, {} left", taken, taken == 1 ? "s" : "", spare.size() - taken)});
  return true;
}

JobRacks::Slowest JobWatch::slowest_of(const JobRacks::Job& job, std::span<const RackDigest> racks,
                                       const PlantState& state) const {
  JobRacks::Slowest slowest;
  for (const std::size_t rack : job.racks) {
    const RackNow now(plant_, nodes_, rack, state.time_s, racks[rack].hottest_k);
    const JobRacks::Slowest of_rack = racks_.slowest_of(now, state);
    if (of_rack.clock_fraction < slowest.clock_fraction) slowest = of_rack;
  }
  return slowest;
}

std::size_t JobWatch::lost_nodes(const JobRacks::Job& job, const PlantState& state) const {
  const std::vector<std::uint8_t>& is_member = state.work.jobs[job.number].is_member;
  std::size_t lost = 0;
  for (const std::size_t rack : job.racks) {
    if (state.work.is_restrained[rack] == 0) continue;
    const std::size_t first = plant_.it.racks[rack].first_node;
    for (std::size_t node = first; node < first + plant_.it.nodes_in(rack); ++node) {
      const bool is_needed = is_member.empty() || is_member[node] != 0;
      lost += is_needed && state.work.node_is[node] != NodeIs::at_work ? 1 : 0;
    }
  }
  return lost;
}

bool JobWatch::act(std::span<const RackDigest> racks, PlantState& state, std::vector<EventRecord>& events) const {
  if (state.work.job_clocks.size() != racks_.clock_count()) prepare(state);  // of a state under other work
  bool has_changed = false;
  for (const JobRacks::Job& job : racks_.jobs()) has_changed = act_on(job, racks, state, events) || has_changed;
  return has_changed;
}

bool JobWatch::act_on(const JobRacks::Job& job, std::span<const RackDigest> racks, PlantState& state,
                      std::vector<EventRecord>& events) const {
  JobClock& clock = state.work.job_clocks[job.number];
  workload::JobMemory& memory = state.work.jobs[job.number];
  const double now_s = state.time_s, redone_s = memory.redone_s;
  const double stopped_s = std::isfinite(memory.stopped_s) ? memory.stopped_s : now_s;
  const std::size_t stops = memory.stops;
  bool has_changed = let_fail(job, state, events);
  has_changed = rest_others(job, state) || has_changed;
  std::size_t lost = lost_nodes(job, state);
  workload::JobChange change = workload::advance(*job.program, clock, memory, now_s, lost > 0);
  if (memory.stops > stops) {
    const std::string others = lost < job.needed() ? ", the others wait" : "";
    events.push_back(
        {now_s, "job_stopped", name_of(job),
         lost > 0 ? fmt::format("{} of {} nodes lost{}", lost, job.needed(), others) : "interrupted, all nodes wait"});
  }
  const bool is_noticed = clock.is == JobClock::Is::idle && (std::isinf(memory.due_s) || now_s >= memory.due_s);
  if (lost > 0 && is_noticed && take_spares(job, state, events)) {
    has_changed = true;
    lost = lost_nodes(job, state);
    change = workload::advance(*job.program, clock, memory, now_s, lost > 0);
  }
  if (change == workload::JobChange::resumed) {
    events.push_back({now_s, "job_resumed", name_of(job),
                      fmt::format("after {}, from the checkpoint {} before it stopped", after(now_s - stopped_s),
                                  after(memory.redone_s - redone_s))});
  }
  const bool is_at_another_pace =
      clock.is == JobClock::Is::running && set_pace(job, slowest_of(job, racks, state), state, events);
  return has_changed || change != workload::JobChange::none || is_at_another_pace;
}

bool JobWatch::set_pace(const JobRacks::Job& job, const JobRacks::Slowest& slowest, PlantState& state,
                        std::vector<EventRecord>& events) const {
  JobClock& clock = state.work.job_clocks[job.number];
  workload::JobMemory& memory = state.work.jobs[job.number];
  const double now = slowest.clock_fraction;
  if (!is_noticeable(clock.clock_fraction, now)) return false;
  clock = job.program->at_clock(clock, state.time_s, now);
  const bool is_over = now == 1.0 && memory.reported_fraction < 1.0;
  const bool is_new = now < memory.reported_fraction - (memory.reported_fraction < 1.0 ? reported_step_fraction : 0.0);
  if (is_over) events.push_back({state.time_s, "job_full_speed", name_of(job), "all GPUs at full clock"});
  if (is_new) {
    const char* why = slowest.is_capped                                   ? "power limit"
                      : now == highest_clock_fraction(state, slowest.gpu) ? "slow by itself"
                                                                          : "hot die or inlet air";
    events.push_back({state.time_s, "job_slowed", name_of(job),
                      fmt::format("{}: clock {:.1f} %, slowest {}", why, 100.0 * now, gpu_name(plant_, slowest.gpu))});
  }
  if (is_over || is_new) memory.reported_fraction = now;
  return true;
}

double JobWatch::next_s(const PlantState& state) const {
  double next_s = never_s;
  for (const JobRacks::Job& job : racks_.jobs()) {
    if (job.number >= state.work.jobs.size()) continue;
    const workload::JobMemory& memory = state.work.jobs[job.number];
    if (memory.due_s > state.time_s) next_s = std::min(next_s, memory.due_s);
    if (job.program->failures() != nullptr) next_s = std::min(next_s, job.program->failures()->next_s(memory.failures));
  }
  return next_s;
}

JobFigures job_figures(const JobRacks& racks, const PlantState& state) {
  JobFigures sum;
  double gpus = 0.0;
  sum.is_any = !racks.jobs().empty();
  if (state.work.job_clocks.empty()) return sum;  // of a run that has not begun
  for (const JobRacks::Job& job : racks.jobs()) {
    const JobClock& clock = state.work.job_clocks[job.number];
    const workload::JobMemory& memory = state.work.jobs[job.number];
    const bool is_stopped = std::isfinite(memory.stopped_s);
    const workload::JobProgress reached = job.program->progress(clock, state.time_s);
    const workload::JobProgress progress =
        is_stopped ? job.program->progress(job.program->from_checkpoint(clock, state.time_s), state.time_s) : reached;
    const double redone_s = memory.redone_s + (reached.gained_s - progress.gained_s);
    const double of_gpus = static_cast<double>(job.gpus);
    const double stopped_s = memory.stopped_in_all_s + (is_stopped ? state.time_s - memory.stopped_s : 0.0);
    sum.steps += progress.steps;
    sum.stops += memory.stops;
    sum.gained_s += of_gpus * progress.gained_s;
    sum.stopped_s += of_gpus * stopped_s;
    sum.redone_s += of_gpus * redone_s;
    sum.slowed_s += of_gpus * std::max(0.0, state.time_s - stopped_s - redone_s - progress.gained_s);
    gpus += of_gpus;
  }
  if (!sum.is_any) return sum;
  for (double* value : {&sum.gained_s, &sum.slowed_s, &sum.stopped_s, &sum.redone_s}) *value /= gpus;
  return sum;
}

}  // namespace wattloop::twin
