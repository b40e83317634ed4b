#include "workload/queue/preemption.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace wattloop::workload {

namespace {

/// A job that can be preempted.
struct Victim {
  std::uint32_t slot;
  std::size_t lost;    ///< nodes
  std::size_t gained;  ///< those of them that the other job may have
};

/// The youngest first.
std::vector<Victim> victims_of(const JobList& jobs, const QueueState& queue, const NodeSupply& supply,
                               std::uint32_t request) {
  std::vector<std::size_t> gained(queue.slots.size());
  bool is_any = false;
  const auto is_victim = [&](const RunningJob& job) {
    return job.request != RunningJob::no_job && jobs[job.request].is_preemptable &&
           jobs[job.request].priority < jobs[request].priority;
  };
  for (const RunningJob& job : queue.slots) is_any = is_any || is_victim(job);
  if (!is_any) return {};
  for (std::size_t node = 0; node < queue.where.slot_of_node.size(); ++node) {
    const std::uint32_t slot = queue.where.slot_of_node[node];
    if (slot != Placement::free_node && supply.may_have(request, node, supply.now_s())) ++gained[slot - 1];
  }
  std::vector<Victim> victims;
  for (std::uint32_t slot = 0; slot < gained.size(); ++slot) {
    const RunningJob& job = queue.slots[slot];
    if (gained[slot] > 0 && is_victim(job)) victims.push_back({slot, job.nodes, gained[slot]});
  }
  std::ranges::sort(victims, [&](const Victim& first, const Victim& second) {
    const RunningJob &one = queue.slots[first.slot], &other = queue.slots[second.slot];
    return one.started_s != other.started_s ? one.started_s > other.started_s : one.request > other.request;
  });
  return victims;
}

/// Fewest nodes that must be lost to gain some number of them, by the victims from one on.
class FewestLost {
 public:
  FewestLost(const std::vector<Victim>& victims, std::size_t most) : victims_(victims), width_(most + 1) {
    fewest_.assign((victims.size() + 1) * width_, never);
    fewest_[victims.size() * width_] = 0;
    for (std::size_t from = victims.size(); from-- > 0;) {
      for (std::size_t gain = 0; gain < width_; ++gain) {
        fewest_[from * width_ + gain] = std::min(at(from + 1, gain), with(from, gain));
      }
    }
  }

  /// Numbers of victims; younger ones where there is a choice.
  std::vector<std::size_t> to_gain(std::size_t gain) const {
    std::vector<std::size_t> chosen;
    for (std::size_t from = 0; gain > 0; ++from) {
      if (with(from, gain) > at(from + 1, gain)) continue;
      chosen.push_back(from);
      gain -= std::min(gain, victims_[from].gained);
    }
    return chosen;
  }

 private:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max() / 2;
  std::size_t at(std::size_t from, std::size_t gain) const { return fewest_[from * width_ + gain]; }
  std::size_t with(std::size_t victim, std::size_t gain) const {
    return victims_[victim].lost + at(victim + 1, gain - std::min(gain, victims_[victim].gained));
  }

  const std::vector<Victim>& victims_;
  std::size_t width_;
  std::vector<std::size_t> fewest_;
};

/// What the job could take if some of them gave their nodes back.
std::size_t supply_without(const JobList& jobs, const QueueState& queue, const NodeSupply& supply,
                           std::uint32_t request, const std::vector<std::uint32_t>& slots) {
  QueueState without = {.where = queue.where, .slots = queue.slots};
  for (const std::uint32_t slot : slots) without.slots[slot].limit_s = supply.now_s();
  return supply.at(request, supply.now_s(), without).of_job(jobs[request]);
}

}  // namespace

std::vector<std::uint32_t> slots_to_preempt(const JobList& jobs, const QueueState& queue, const NodeSupply& supply,
                                            std::uint32_t request) {
  const std::vector<Victim> victims = victims_of(jobs, queue, supply, request);
  const std::size_t wanted = jobs[request].nodes;
  const auto could_start = [&](const std::vector<std::uint32_t>& slots) {
    return supply_without(jobs, queue, supply, request, slots) >= wanted;
  };
  std::vector<std::uint32_t> slots;
  std::size_t most = 0;
  for (const Victim& victim : victims) {
    slots.push_back(victim.slot);
    most += victim.gained;
  }
  if (victims.empty() || supply.free_nodes() + most < wanted || could_start({}) || !could_start(slots)) return {};
  // With budgets, the power of few nodes may be enough, or that of more nodes than are missing be needed.
  const std::size_t missing = wanted - supply.at(request, supply.now_s()).of_job(jobs[request]);
  const FewestLost fewest(victims, supply.is_plain() ? missing : most);
  for (std::size_t gain = supply.is_plain() ? missing : 1; gain <= most; ++gain) {
    slots.clear();
    for (const std::size_t victim : fewest.to_gain(gain)) slots.push_back(victims[victim].slot);
    if (could_start(slots)) break;
  }
  return slots;
}

}  // namespace wattloop::workload
