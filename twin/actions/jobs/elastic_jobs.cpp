#include "twin/actions/jobs/elastic_jobs.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "twin/actions/work/node_states.hpp"

namespace wattloop::twin {

namespace {

constexpr double no_growth_s = std::numeric_limits<double>::infinity();

bool works(const PlantState& state, std::size_t node) {
  return state.work.node_is[node] == NodeIs::at_work && is_on_fabric(state, node);
}

std::size_t count_members(const JobRacks::Job& job, const PlantState& state) {
  return static_cast<std::size_t>(
      std::ranges::count_if(job.nodes, [&](std::size_t node) { return is_member(job, node, state); }));
}

/// Nodes of a job that work for no one: idle, joined and not drained.
std::vector<std::size_t> waiting_nodes(const JobRacks::Job& job, const PlantState& state) {
  std::vector<std::size_t> nodes;
  for (const std::size_t node : job.nodes) {
    if (is_member(job, node, state) || state.work.node_is[node] != NodeIs::idle || !is_on_fabric(state, node)) continue;
    if (!is_node_drained(state, node)) nodes.push_back(node);
  }
  return nodes;
}

void set_size(const JobRacks::Job& job, PlantState& state) {
  workload::JobClock& clock = state.work.job_clocks[job.number];
  const double members = static_cast<double>(count_members(job, state));
  clock = job.program->at_size(clock, state.time_s, members / static_cast<double>(job.needed()));
}

/// "7 of 8 nodes, computing takes 1.143 times as long".
std::string size_text(const JobRacks::Job& job, const PlantState& state) {
  const std::size_t members = count_members(job, state), all = job.needed();
  if (members == all) return fmt::format("{} of {} nodes", members, all);
  return fmt::format("{} of {} nodes, computing takes {:.4g} times as long", members, all,
                     static_cast<double>(all) / static_cast<double>(members));
}

}  // namespace

bool go_on_with_fewer(const JobRacks::Job& job, const std::string& name, PlantState& state,
                      std::vector<EventRecord>& events) {
  constexpr double rounding = 1e-9;
  const double least_fraction = job.program->least_share_fraction();
  if (least_fraction >= 1.0) return false;
  const auto left = static_cast<std::size_t>(std::ranges::count_if(
      job.nodes, [&](std::size_t node) { return is_member(job, node, state) && works(state, node); }));
  const double least = least_fraction * static_cast<double>(job.needed());
  if (left == 0 || left == count_members(job, state) || static_cast<double>(left) < least * (1.0 - rounding))
    return false;
  std::vector<std::uint8_t> members(state.work.node_is.size());
  for (const std::size_t node : job.nodes) members[node] = is_member(job, node, state) && works(state, node) ? 1 : 0;
  state.work.jobs[job.number].is_member = std::move(members);
  set_size(job, state);
  events.push_back({state.time_s, "job_shrunk", name, "goes on with " + size_text(job, state)});
  return true;
}

bool take_nodes_back(const Plant& plant, const NodeCouplings& nodes, const JobRacks::Job& job, const std::string& name,
                     PlantState& state, std::vector<EventRecord>& events) {
  workload::JobMemory& memory = state.work.jobs[job.number];
  workload::JobClock& clock = state.work.job_clocks[job.number];
  if (clock.size_fraction == 1.0 || memory.is_member.empty()) return false;
  const bool is_running = clock.is == workload::JobClock::Is::running;
  const bool has_just_begun =  // to restart, with nothing lost
      memory.is_restarting && memory.due_s == state.time_s + job.program->restart_s();
  const bool may_restart = is_running ? memory.grows_s <= state.time_s : has_just_begun;
  if (!may_restart) return false;
  std::vector<std::size_t> waiting = waiting_nodes(job, state);
  waiting.resize(std::min(waiting.size(), job.needed() - count_members(job, state)));
  if (waiting.empty()) return false;
  if (is_running) workload::stop_to_restart(*job.program, clock, memory, state.time_s);
  for (const std::size_t node : waiting) {
    memory.is_member[node] = 1;
    put_node(plant, nodes, node, NodeIs::at_work, state);
  }
  set_size(job, state);
  memory.grows_s = no_growth_s;
  events.push_back({state.time_s, "job_grown", name, "restarts from its checkpoint with " + size_text(job, state)});
  if (clock.size_fraction == 1.0 && job.program->spare_nodes() == 0) memory.is_member.clear();
  return true;
}

void note_growth(const JobRacks::Job& job, PlantState& state) {
  workload::JobMemory& memory = state.work.jobs[job.number];
  const workload::JobClock& clock = state.work.job_clocks[job.number];
  const bool may_grow = clock.size_fraction < 1.0 && clock.is == workload::JobClock::Is::running &&
                        !memory.is_member.empty() && !waiting_nodes(job, state).empty();
  memory.grows_s = may_grow ? job.program->next_save_s(clock, state.time_s) : no_growth_s;
}

}  // namespace wattloop::twin
