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
constexpr double reported_step_fraction = 0.05;  ///< by which a clock falls or rises until it is reported again

/// Whether a job must go on at another clock.
bool is_noticeable(double job_fraction, double now) {
  if (now == 1.0) return job_fraction < 1.0;
  return std::abs(now - job_fraction) > noticed_clock_fraction;
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

namespace {

/// Highest power of each GPU of a rack: what people set, at most that of the hardware; idle power stays.
double power_limit_w(const RackNow& now, const PlantState& state) {
  const workload::NodeSplitParams& split = now.node.split;
  return std::max(std::min(state.inputs[now.group().gpu_limit_input], split.gpu_limit_w), split.gpu_idle_w);
}

}  // namespace

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
      const double clock = state.work.clock_fraction[gpu];
      if (clock > 0.0 && clock < slowest.clock_fraction) slowest = {clock, gpu, false};
    }
  }
  const UnitGroup& units = *plant_.groups[group.gpu_units];
  const double idle_w = now.node.split.gpu_idle_w;
  const double limit_w = power_limit_w(now, state);
  for (std::size_t gpu = rack.first_gpu; gpu < rack.first_gpu + group.gpus_per_rack(); ++gpu) {
    const std::size_t unit = group.unit_of(gpu), in_rack = gpu - rack.first_gpu;
    const std::size_t node = rack.first_node + in_rack / group.gpus_per_node;
    const double busy_w = work_.computing_w(node, in_rack % group.gpus_per_node);
    const double allowed_w = limit_w - units.leakage_w(unit, state.states[units.state_slot(0, unit)]);
    const double given_w = workload::throttled_w(idle_w, busy_w, state.work.clock_fraction[gpu]);
    const double clock = workload::capped_load(idle_w, busy_w, given_w, allowed_w).clock_fraction;
    if (clock > 0.0 && clock < slowest.clock_fraction) slowest = {clock, gpu, true};
  }
  return slowest;
}

JobWatch::JobWatch(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& work)
    : plant_(plant), nodes_(nodes), racks_(plant, work) {}

void JobWatch::prepare(PlantState& state) const {
  state.work.job_clocks.resize(racks_.clock_count());
  state.work.jobs.resize(racks_.clock_count());
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
  std::size_t lost = 0;
  for (const std::size_t rack : job.racks) {
    if (state.work.is_restrained[rack] == 0) continue;
    const auto nodes =
        std::span(state.work.node_is).subspan(plant_.it.racks[rack].first_node, plant_.it.nodes_in(rack));
    lost += static_cast<std::size_t>(std::ranges::count_if(nodes, [](NodeIs node) { return node != NodeIs::at_work; }));
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
  JobMemory& memory = state.work.jobs[job.number];
  const double now_s = state.time_s;
  const std::size_t lost = lost_nodes(job, state);
  const auto report = [&](const char* kind, std::string detail) {
    events.push_back({now_s, kind, "job", std::move(detail)});
  };
  if (clock.is == JobClock::Is::running) {
    if (lost == 0) return set_pace(job, slowest_of(job, racks, state), state, events);
    clock = job.program->at_clock(clock, now_s, clock.clock_fraction);
    clock.is = JobClock::Is::waiting;
    memory.stopped_s = now_s;
    memory.due_s = now_s + job.program->detection_s();
    ++memory.stops;
    report("job_stopped", fmt::format("{} of {} nodes lost, the others wait", lost, job.nodes));
    return true;
  }
  if (memory.is_restarting && lost > 0) {
    memory.is_restarting = false;
    memory.due_s = never_s;
    return false;
  }
  if (now_s < memory.due_s && !(std::isinf(memory.due_s) && lost == 0)) return false;
  if (clock.is == JobClock::Is::waiting) {
    clock.is = JobClock::Is::idle;
    clock.since_s = now_s;
    memory.due_s = never_s;
    if (lost > 0) return true;
  }
  if (!memory.is_restarting) {
    if (lost > 0) return false;
    memory.is_restarting = true;
    memory.due_s = now_s + job.program->restart_s();
    if (memory.due_s > now_s) return true;
  }
  const double before_s = job.program->progress(clock, now_s).gained_s;
  clock = job.program->from_checkpoint(clock, now_s);
  const double redone_s = before_s - job.program->progress(clock, now_s).gained_s;
  memory.redone_s += redone_s;
  memory.stopped_in_all_s += now_s - memory.stopped_s;
  report("job_resumed", fmt::format("after {}, from the checkpoint {} before it stopped",
                                    after(now_s - memory.stopped_s), after(redone_s)));
  memory.stopped_s = memory.due_s = never_s;
  memory.is_restarting = false;
  set_pace(job, slowest_of(job, racks, state), state, events);
  return true;
}

bool JobWatch::set_pace(const JobRacks::Job& job, const JobRacks::Slowest& slowest, PlantState& state,
                        std::vector<EventRecord>& events) const {
  JobClock& clock = state.work.job_clocks[job.number];
  JobMemory& memory = state.work.jobs[job.number];
  const double now = slowest.clock_fraction;
  if (!is_noticeable(clock.clock_fraction, now)) return false;
  clock = job.program->at_clock(clock, state.time_s, now);
  const bool is_over = now == 1.0 && memory.reported_fraction < 1.0;
  const bool is_new = now < memory.reported_fraction - (memory.reported_fraction < 1.0 ? reported_step_fraction : 0.0);
  if (is_over) events.push_back({state.time_s, "job_full_speed", "job", "all GPUs at full clock"});
  if (is_new) {
    events.push_back({state.time_s, "job_slowed", "job",
                      fmt::format("waits for {}: clock {:.1f} %, {}", gpu_name(plant_, slowest.gpu), 100.0 * now,
                                  slowest.is_capped ? "power limit" : "hot die or inlet air")});
  }
  if (is_over || is_new) memory.reported_fraction = now;
  return true;
}

bool JobWatch::may_have_changed(const JobRacks::Job& job, std::span<const RackDigest> racks,
                                const PlantState& state) const {
  constexpr double most_rise_k = 10.0;  // of dies over a window that skips seconds: others would have it run again
  if (state.work.job_clocks[job.number].clock_fraction < 1.0) return true;
  return std::ranges::any_of(job.racks, [&](std::size_t rack) {
    return racks_.may_be_slow({plant_, nodes_, rack, state.time_s, racks[rack].hottest_k + most_rise_k}, state);
  });
}

bool JobWatch::would_act(std::span<const RackDigest> racks, const PlantState& state) const {
  if (state.work.job_clocks.empty()) return false;
  return std::ranges::any_of(racks_.jobs(), [&](const JobRacks::Job& job) {
    const JobClock& clock = state.work.job_clocks[job.number];
    if (clock.is != JobClock::Is::running || !may_have_changed(job, racks, state)) return false;
    std::vector<RackDigest> now(racks.begin(), racks.end());
    digest_racks(plant_, state, now);
    return is_noticeable(clock.clock_fraction, slowest_of(job, now, state).clock_fraction);
  });
}

double JobWatch::next_s(const PlantState& state) const {
  double next_s = never_s;
  for (const JobMemory& job : state.work.jobs) next_s = std::min(next_s, job.due_s);
  return next_s;
}

JobFigures job_figures(const JobRacks& racks, const PlantState& state) {
  JobFigures sum;
  double gpus = 0.0;
  for (const JobRacks::Job& job : racks.jobs()) {
    const JobClock& clock = state.work.job_clocks[job.number];
    const JobMemory& memory = state.work.jobs[job.number];
    const bool is_stopped = std::isfinite(memory.stopped_s);
    const workload::JobProgress reached = job.program->progress(clock, state.time_s);
    const workload::JobProgress progress =
        is_stopped ? job.program->progress(job.program->from_checkpoint(clock, state.time_s), state.time_s) : reached;
    const double redone_s = memory.redone_s + (reached.gained_s - progress.gained_s);
    const double of_gpus = static_cast<double>(job.gpus);
    const double stopped_s = memory.stopped_in_all_s + (is_stopped ? state.time_s - memory.stopped_s : 0.0);
    sum.is_any = true;
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
