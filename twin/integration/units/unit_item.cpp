#include "twin/integration/units/unit_item.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/numbers/lanes.hpp"
#include "twin/units/runaway.hpp"

namespace wattloop::twin {

namespace {

UnitPlace place_of(const Plant& plant, const SeamLayout& seam, std::size_t number) {
  const SeamStation& seam_station = seam.stations[number];
  const UnitGroup& group = *plant.groups[seam_station.group];
  const Station& at = group.stations[seam_station.station];
  return {.station = number,
          .group = seam_station.group,
          .first_unit = at.first_unit,
          .first_state = group.state_slot(0, at.first_unit),
          .stride = group.count(),
          .state_count = group.states().size(),
          .first_load = group.first_load - plant.map.input(0) + at.first_unit,
          .unit_count = at.unit_count,
          .port_count = at.ports.size(),
          .is_gpus = is_gpu_units(plant.it, seam_station.group)};
}

/// Whether a column lies between the bounds; a sum finds what is not a number.
bool is_column_within_bounds(std::span<const double> column_k) {
  Lanes coldest_k = same_lanes(column_k.front()), hottest_k = coldest_k;
  std::size_t k = 0;
  for (; k + lane_count <= column_k.size(); k += lane_count) {
    const Lanes now_k = lanes_at(column_k.data() + k);
    coldest_k = smaller(now_k, coldest_k);
    hottest_k = larger(now_k, hottest_k);
  }
  bool is_within = smallest_of(coldest_k) > coldest_unit_k && largest_of(hottest_k) < hottest_unit_k;
  for (; k < column_k.size(); ++k)
    is_within = is_within && column_k[k] > coldest_unit_k && column_k[k] < hottest_unit_k;
  return is_within && std::isfinite(sum_of(column_k));
}

/// Numbers the sinks of the seam that each item feeds.
void find_sinks(const SeamLayout& seam, std::vector<UnitItem>& items) {
  std::vector<const UnitItem*> owners(seam.sinks.size(), nullptr);
  for (UnitItem& item : items) {
    const auto number = [&](std::uint32_t sink) {
      if (owners[sink] == nullptr) item.sinks.push_back(sink);
      if (owners[sink] != nullptr && owners[sink] != &item) throw std::logic_error("units of two racks feed one sink");
      owners[sink] = &item;
      return static_cast<std::uint8_t>(std::ranges::find(item.sinks, sink) - item.sinks.begin());
    };
    item.load = seam.stations[item.stations.front()].load;
    for (UnitPlace& place : item.places) {
      const SeamStation& station = seam.stations[place.station];
      if (station.load != item.load) throw std::logic_error("units of one rack draw two loads");
      std::ranges::transform(station.heat_sinks, place.heat_sinks.begin(), number);
      place.power_sink = number(station.power_sink);
    }
    if (item.sinks.size() > most_sinks) throw std::logic_error("units of one rack feed too many sinks");
  }
}

std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

void take_caps(const UnitItem& item, const WorkState& work, UnitSnapshot& snapshot) {
  snapshot.capped_gpus = item.is_rack ? work.capped_gpus[item.rack] : 0;
  if (snapshot.capped_gpus == 0) return;
  const auto clock = work.capped_clock_fraction.begin() + offset(item.first_gpu);
  snapshot.capped_clocks.assign(clock, clock + offset(item.gpus));
  const auto load_w = work.capped_load_w.begin() + offset(item.first_gpu);
  snapshot.capped_loads_w.assign(load_w, load_w + offset(item.gpus));
}

void put_caps(const UnitItem& item, const UnitSnapshot& snapshot, WorkState& work) {
  if (!item.is_rack || (snapshot.capped_gpus == 0 && work.capped_gpus[item.rack] == 0)) return;
  work.capped_gpus[item.rack] = snapshot.capped_gpus;
  const auto clock = work.capped_clock_fraction.begin() + offset(item.first_gpu);
  if (snapshot.capped_gpus > 0) {
    std::ranges::copy(snapshot.capped_clocks, clock);
    std::ranges::copy(snapshot.capped_loads_w, work.capped_load_w.begin() + offset(item.first_gpu));
  } else {
    std::fill_n(clock, item.gpus, 1.0);
  }
}

}  // namespace

std::vector<UnitItem> make_unit_items(const Plant& plant, const SeamLayout& seam) {
  const std::size_t racks = plant.it.racks.size();
  std::vector<UnitItem> items(racks);
  std::vector<std::size_t> item_of_load(plant.map.load_count, racks);
  for (std::size_t rack = 0; rack < racks; ++rack) {
    items[rack].is_rack = true;
    items[rack].rack = rack;
    const RackPart& part = plant.it.racks[rack];
    items[rack].first_node = part.first_node;
    items[rack].nodes = plant.it.nodes_in(rack);
    items[rack].first_gpu = part.first_gpu;
    items[rack].gpus = plant.it.gpus_in(rack);
    item_of_load[part.load] = rack;
  }
  for (std::size_t s = 0; s < seam.stations.size(); ++s) {
    const SeamStation& at = seam.stations[s];
    std::size_t item = item_of_load[plant.groups[at.group]->stations[at.station].power_sink - plant.map.load(0)];
    if (item == racks) {
      item = items.size();
      items.emplace_back();
    }
    items[item].stations.push_back(s);
    items[item].places.push_back(place_of(plant, seam, s));
    items[item].state_count += items[item].places.back().state_count * items[item].places.back().unit_count;
    items[item].unit_count += items[item].places.back().unit_count;
  }
  find_sinks(seam, items);
  return items;
}

void take(const UnitItem& item, const PlantState& state, UnitSnapshot& snapshot) {
  snapshot.states.resize(item.state_count);
  snapshot.loads.resize(item.unit_count);
  double* to = snapshot.states.data();
  double* load = snapshot.loads.data();
  for (const UnitPlace& place : item.places) {
    for (std::size_t s = 0; s < place.state_count; ++s) {
      to = std::copy_n(state.states.data() + place.first_state + s * place.stride, place.unit_count, to);
    }
    load = std::copy_n(state.inputs.data() + place.first_load, place.unit_count, load);
  }
  take_caps(item, state.work, snapshot);
  snapshot.is_restrained = item.is_rack && state.work.is_restrained[item.rack] != 0;
  if (!snapshot.is_restrained) return;
  const auto clock = state.work.clock_fraction.begin() + offset(item.first_gpu);
  const auto node = state.work.node_is.begin() + offset(item.first_node);
  const auto due = state.work.node_due_s.begin() + offset(item.first_node);
  snapshot.clocks.assign(clock, clock + offset(item.gpus));
  snapshot.node_is.assign(node, node + offset(item.nodes));
  snapshot.node_due_s.assign(due, due + offset(item.nodes));
}

void put(const UnitItem& item, const UnitSnapshot& snapshot, PlantState& state) {
  const double* from = snapshot.states.data();
  const double* load = snapshot.loads.data();
  for (const UnitPlace& place : item.places) {
    for (std::size_t s = 0; s < place.state_count; ++s) {
      std::copy_n(from, place.unit_count, state.states.data() + place.first_state + s * place.stride);
      from += place.unit_count;
    }
    std::copy_n(load, place.unit_count, state.inputs.data() + place.first_load);
    load += place.unit_count;
  }
  put_caps(item, snapshot, state.work);
  if (!item.is_rack || (!snapshot.is_restrained && state.work.is_restrained[item.rack] == 0)) return;
  state.work.is_restrained[item.rack] = snapshot.is_restrained ? 1 : 0;
  const auto clock = state.work.clock_fraction.begin() + offset(item.first_gpu);
  const auto node = state.work.node_is.begin() + offset(item.first_node);
  if (snapshot.is_restrained) {
    std::ranges::copy(snapshot.clocks, clock);
    std::ranges::copy(snapshot.node_is, node);
    std::ranges::copy(snapshot.node_due_s, state.work.node_due_s.begin() + offset(item.first_node));
  } else {
    std::fill_n(clock, item.gpus, 1.0);
    std::fill_n(node, item.nodes, NodeIs::at_work);
  }
}

void keep_for_jobs(UnitItem& item, std::size_t sample, const PlantState& state) {
  const std::vector<std::uint32_t>& slots = state.work.queue.where.slot_of_node;
  if (sample == 0) {
    const auto first = slots.begin() + static_cast<std::ptrdiff_t>(slots.empty() ? 0 : item.first_node);
    item.is_shared = item.is_rack && !slots.empty() &&
                     std::any_of(first, first + static_cast<std::ptrdiff_t>(item.nodes),
                                 [first](std::uint32_t slot) { return slot != *first; });
  }
  if (!item.is_shared) return;
  if (item.of_jobs.size() <= sample) item.of_jobs.resize(sample + 1);
  take(item, state, item.of_jobs[sample]);
}

bool are_states_within_bounds(const UnitItem& item, const PlantState& state) {
  return std::all_of(item.places.begin(), item.places.end(), [&](const UnitPlace& place) {
    bool is_within = true;
    for (std::size_t s = 0; s < place.state_count; ++s) {
      const auto column_k = std::span(state.states).subspan(place.first_state + s * place.stride, place.unit_count);
      is_within = is_within && is_column_within_bounds(column_k);
    }
    return is_within;
  });
}

}  // namespace wattloop::twin
