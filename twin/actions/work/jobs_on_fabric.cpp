#include "twin/actions/work/jobs_on_fabric.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "network/collectives/collective_time.hpp"
#include "twin/actions/work/fabric_watch.hpp"

namespace wattloop::twin {

namespace {

using workload::Exchange;
using workload::JobClock;

constexpr double ring_bytes_b = 1e9;  ///< of one ring: latency does not count

/// Both levels at once: what takes longest of a large all-reduce.
double slowest_level_s(std::span<const network::LinkLevel> levels) {
  double longest_s = 0.0, bytes_b = ring_bytes_b;
  for (const network::LinkLevel& level : levels) {
    const auto time = network::collective_time(network::Collective::all_reduce, network::Algorithm::hierarchical,
                                               std::span(&level, 1), bytes_b);
    longest_s = std::max(longest_s, time.transfer_s);
    bytes_b /= level.members;
  }
  return longest_s;
}

void set_block_loads(const HallFabric& hall, const network::LinkLoads& loads, FabricState& fabric) {
  fabric.block_mean_fraction.assign(hall.blocks.size(), 0.0);
  fabric.block_most_fraction.assign(hall.blocks.size(), 0.0);
  for (std::size_t link = 0; link < loads.up_b_per_s.size(); ++link) {
    const std::uint32_t block = hall.block_of_switch[hall.fabric.link_upper[link]];
    const double most_b_per_s = std::max(loads.up_b_per_s[link], loads.down_b_per_s[link]);
    const double fraction = most_b_per_s / hall.fabric.link_b_per_s(link);
    fabric.block_mean_fraction[block] += fraction / static_cast<double>(hall.blocks[block].links);
    fabric.block_most_fraction[block] = std::max(fabric.block_most_fraction[block], fraction);
  }
}

}  // namespace

JobsOnFabric::JobsOnFabric(const Plant& plant)
    : plant_(plant), sound_(*plant.fabric, network::all_healthy(plant.fabric->fabric)) {}

std::size_t JobsOnFabric::cut_nodes(const JobRacks::Job& job, const PlantState& state) {
  const std::vector<std::uint32_t>& part = state.fabric.node_part;
  if (part.empty()) return 0;
  std::map<std::uint32_t, std::size_t> nodes_in;
  std::size_t members = 0, broken = 0, most = 0;
  for (const std::size_t node : job.nodes) {
    if (!is_member(job, node, state)) continue;
    ++members;
    if (part[node] == FabricState::broken)
      ++broken;
    else
      most = std::max(most, part[node] == FabricState::alone ? 1 : ++nodes_in[part[node]]);
  }
  return std::max(broken, members - most);
}

/// Which nodes do the work of which job; false where all is as before.
bool JobsOnFabric::place(std::span<const JobRacks::Job> jobs, const PlantState& state) {
  bool is_same = has_looked_ && queue_stamp_ == state.work.queue.stamp && members_.size() == jobs.size();
  for (std::size_t k = 0; is_same && k < jobs.size(); ++k)
    is_same = members_[k] == state.work.jobs[jobs[k].number].is_member;
  if (is_same) return false;
  queue_stamp_ = state.work.queue.stamp;
  std::vector<PlacedJob> before = std::move(placed_);
  placed_.clear();
  members_.clear();
  const auto gpus = static_cast<std::size_t>(plant_.fabric->fabric.params.gpus_per_node);
  std::vector<std::size_t> nodes;
  for (const JobRacks::Job& job : jobs) {
    members_.push_back(state.work.jobs[job.number].is_member);
    nodes.clear();
    std::ranges::copy_if(job.nodes, std::back_inserter(nodes),
                         [&](std::size_t node) { return is_member(job, node, state); });
    PlacedJob placed{.number = job.number,
                     .program = job.program,
                     .ranks = ranks_on_nodes(nodes, gpus),
                     .use = job.program->network_use()};
    if (placed.use.step_s <= 0.0) continue;  // what it sends is not known
    const auto known = std::ranges::find_if(before, [&](const PlacedJob& one) { return one.is_same(placed); });
    placed.sound_s = known != before.end() ? known->sound_s : communication_s(placed, sound_, {});
    placed_.push_back(std::move(placed));
  }
  return true;
}

/// One ring over all ranks where it is not known what they exchange.
std::vector<workload::StepExchange> JobsOnFabric::exchanges_of(const PlacedJob& job) const {
  if (!job.use.exchanges.empty()) return job.use.exchanges;
  return {{Exchange::all_reduce, {static_cast<int>(job.ranks.size()), 1}, ring_bytes_b, 1.0}};
}

double JobsOnFabric::communication_s(const PlacedJob& job, const FabricNow& fabric,
                                     std::vector<network::Flow> others) const {
  const FabricTimes times(fabric, job.ranks, std::move(others));
  if (const double own_s = job.program->communication_s(times); own_s > 0.0) return own_s;
  const std::vector<workload::StepExchange> exchanges = exchanges_of(job);
  if (job.use.exchanges.empty()) return slowest_level_s(times.levels_of(Exchange::all_reduce, exchanges.front().group));
  double sum_s = 0.0;
  for (const workload::StepExchange& one : exchanges)
    sum_s += one.count * times.time_s(one.exchange, one.group, one.bytes_b);
  return sum_s;
}

/// Whether it sends over a link that failed and that routes do not avoid yet.
bool JobsOnFabric::is_blocked(const PlacedJob& job, const PlantState& state) const {
  const network::Fabric& fabric = plant_.fabric->fabric;
  const FabricNow& known = now_ ? *now_ : sound_;
  const network::FabricHealth actual = health_with(fabric, state.fabric.losses);
  const network::LinkLoads loads = mean_link_loads(known, job.ranks, exchanges_of(job), 1.0);
  for (std::size_t link = 0; link < fabric.link_count(); ++link) {
    const bool is_used = loads.up_b_per_s[link] > 0.0 || loads.down_b_per_s[link] > 0.0;
    if (is_used && network::live_b_per_s(fabric, actual, link) == 0.0) return true;
  }
  return false;
}

void JobsOnFabric::find_ratios(const PlantState& state) {
  const FabricNow& fabric = now_ ? *now_ : sound_;
  std::vector<std::vector<network::Flow>> flows(placed_.size());
  for (std::size_t k = 0; k < placed_.size() && placed_.size() > 1; ++k) {
    const auto exchanges = exchanges_of(placed_[k]);
    const auto& widest = *std::ranges::max_element(
        exchanges, {}, [](const workload::StepExchange& one) { return one.group.ranks * one.group.stride; });
    flows[k] = group_paths(plant_.fabric->fabric, placed_[k].ranks, widest.exchange, widest.group).flows;
  }
  const bool is_sound = !now_;
  const bool may_be_blocked = state.fabric.reroute_s < std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < placed_.size(); ++k) {
    PlacedJob& job = placed_[k];
    std::vector<network::Flow> others;
    for (std::size_t other = 0; other < placed_.size(); ++other) {
      if (other != k && sends_[other] != 0) others.insert(others.end(), flows[other].begin(), flows[other].end());
    }
    const bool is_alone = others.empty();
    const double now_s = is_sound && is_alone ? job.sound_s : communication_s(job, fabric, std::move(others));
    job.ratio = job.sound_s > 0.0 ? std::min(now_s / job.sound_s, blocked_ratio) : 1.0;
    if (may_be_blocked && is_blocked(job, state)) job.ratio = blocked_ratio;
  }
}

bool JobsOnFabric::set_paces(std::span<const JobRacks::Job> jobs, PlantState& state) {
  const bool is_new_fabric = !has_looked_ || fabric_stamp_ != state.fabric.stamp;
  const bool is_new_place = place(jobs, state);
  has_looked_ = true;
  std::vector<std::uint8_t> sends = running_now(state);
  const bool do_others_send = placed_.size() > 1 && sends != sends_;
  if (!is_new_fabric && !is_new_place && !do_others_send) return false;
  sends_ = std::move(sends);
  if (is_new_fabric) {
    fabric_stamp_ = state.fabric.stamp;
    const std::vector<FabricLoss> known = known_losses(*plant_.fabric, state.fabric);
    now_.reset();
    if (!known.empty()) now_.emplace(*plant_.fabric, health_with(plant_.fabric->fabric, known));
  }
  is_traffic_due_ = true;
  find_ratios(state);
  bool has_changed = false;
  for (const PlacedJob& job : placed_) {
    JobClock& clock = state.work.job_clocks[job.number];
    if (clock.communication_ratio == job.ratio) continue;
    clock = job.program->at_network(clock, state.time_s, job.ratio);
    has_changed = true;
  }
  return has_changed;
}

/// [placed job] Whether it works: one that waits or is stopped sends nothing.
std::vector<std::uint8_t> JobsOnFabric::running_now(const PlantState& state) const {
  std::vector<std::uint8_t> is_running;
  for (const PlacedJob& job : placed_)
    is_running.push_back(state.work.job_clocks[job.number].is == JobClock::Is::running ? 1 : 0);
  return is_running;
}

void JobsOnFabric::set_traffic(std::span<const JobRacks::Job> jobs, PlantState& state) {
  std::vector<std::uint8_t> is_running = running_now(state);
  if (!is_traffic_due_ && is_running == was_running_) return;
  is_traffic_due_ = false;
  was_running_ = std::move(is_running);
  const network::Fabric& fabric = plant_.fabric->fabric;
  std::vector<double> traffic(fabric.switch_count(), 0.0);
  link_loads_.up_b_per_s.assign(fabric.link_count(), 0.0);
  link_loads_.down_b_per_s.assign(fabric.link_count(), 0.0);
  std::vector<std::uint8_t> has_job(fabric.node_count(), 0);
  for (std::size_t k = 0; k < placed_.size(); ++k) {
    const PlacedJob& job = placed_[k];
    const auto placed = std::ranges::find(jobs, job.number, &JobRacks::Job::number);
    for (const std::size_t node : placed->nodes) has_job[node] = 1;
    if (was_running_[k] == 0) continue;
    std::vector<workload::StepExchange> exchanges = exchanges_of(job);
    const double longer_ratio = 1.0 + job.use.busy_fraction * (job.ratio - 1.0);
    if (job.use.exchanges.empty()) {  // bytes that keep the slowest level busy for the share of a step
      exchanges.front().bytes_b *= job.use.busy_fraction * job.use.step_s / std::max(job.sound_s, 1e-12);
    }
    const network::LinkLoads loads =
        mean_link_loads(now_ ? *now_ : sound_, job.ranks, exchanges, job.use.step_s * longer_ratio);
    const std::vector<double> of_job = switch_traffic(fabric, loads);
    for (std::size_t one = 0; one < traffic.size(); ++one) traffic[one] += of_job[one];
    for (std::size_t link = 0; link < fabric.link_count(); ++link) {
      link_loads_.up_b_per_s[link] += loads.up_b_per_s[link];
      link_loads_.down_b_per_s[link] += loads.down_b_per_s[link];
    }
  }
  set_block_loads(*plant_.fabric, link_loads_, state.fabric);
  FabricState& now = state.fabric;
  if (traffic == now.job_traffic && has_job == now.has_job) return;
  now.job_traffic = std::move(traffic);
  now.has_job = std::move(has_job);
  now.rack_w.clear();
}

}  // namespace wattloop::twin
