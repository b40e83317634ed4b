#include "twin/run/recording/placement_log.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace wattloop::twin {

namespace {

std::tuple<std::int64_t, std::int64_t, std::int64_t> key_of(const JobPlace& place) {
  return {place.rack, place.job, place.nodes};
}

/// By rack, then by job.
std::vector<JobPlace> places_now(const ItEquipment& it, const workload::QueueState& queue, double now_s) {
  std::vector<JobPlace> places;
  for (std::size_t rack = 0; rack < it.racks.size(); ++rack) {
    std::map<std::int64_t, std::int64_t> nodes_of_job;
    const std::size_t first = it.racks[rack].first_node;
    for (std::size_t node = first; node < first + it.nodes_in(rack); ++node) {
      const std::uint32_t slot = queue.where.slot_of_node[node];
      if (slot != workload::Placement::free_node) ++nodes_of_job[queue.slots[slot - 1].request];
    }
    for (const auto& [job, nodes] : nodes_of_job)
      places.push_back({.job = job, .rack = static_cast<std::int64_t>(rack), .nodes = nodes, .begin_s = now_s});
  }
  return places;
}

}  // namespace

void PlacementLog::observe(const workload::QueueState& queue, double now_s) {
  if (queue.where.is_fixed() || queue.stamp == stamp_) return;
  stamp_ = queue.stamp;
  std::vector<JobPlace> now = places_now(*it_, queue, now_s);
  for (JobPlace& before : open_) {
    const auto same = std::ranges::lower_bound(now, key_of(before), {}, key_of);
    if (same != now.end() && key_of(*same) == key_of(before)) {
      same->begin_s = before.begin_s;
      continue;
    }
    before.end_s = now_s;
    ended_.push_back(before);
  }
  open_ = std::move(now);
}

std::vector<JobPlace> PlacementLog::places() const {
  std::vector<JobPlace> places = ended_;
  places.insert(places.end(), open_.begin(), open_.end());
  std::ranges::stable_sort(places, {}, [](const JobPlace& place) { return std::pair(place.begin_s, place.rack); });
  return places;
}

}  // namespace wattloop::twin
