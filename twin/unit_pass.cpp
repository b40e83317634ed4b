#include "twin/unit_pass.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "twin/runaway.hpp"
#include "twin/timeline.hpp"

namespace wattloop::twin {

namespace {

constexpr std::ptrdiff_t fewest_parallel_items = 8;

}  // namespace

UnitPass::UnitPass(const Plant& plant, const SeamLayout& seam) : plant_(plant), seam_(seam) {
  for (std::size_t rack = 0; rack < plant.hall.racks.size(); ++rack) {
    items_.emplace_back();
    items_.back().is_rack = true;
    items_.back().rack = rack;
  }
  std::vector<std::size_t> item_of_load(plant.map.load_count, plant.hall.racks.size());
  for (std::size_t rack = 0; rack < plant.hall.racks.size(); ++rack) item_of_load[plant.hall.racks[rack].load] = rack;
  for (std::size_t s = 0; s < seam.stations.size(); ++s) {
    std::size_t item = item_of_load[station(s).power_sink - plant.map.load(0)];
    if (item == plant.hall.racks.size()) {
      item = items_.size();
      items_.emplace_back();
    }
    items_[item].stations.push_back(s);
    items_[item].places.push_back(place_of(s));
    items_[item].state_count += items_[item].places.back().state_count * items_[item].places.back().unit_count;
    items_[item].unit_count += items_[item].places.back().unit_count;
  }
  propagations_.resize(static_cast<std::size_t>(std::max(omp_get_max_threads(), 1)));
  for (auto& of_thread : propagations_) {
    for (const auto& group : plant.groups) of_thread.push_back(group->make_propagation());
  }
}

const Station& UnitPass::station(std::size_t number) const {
  const SeamStation& at = seam_.stations[number];
  return plant_.groups[at.group]->stations[at.station];
}

UnitPass::Place UnitPass::place_of(std::size_t number) const {
  const SeamStation& seam_station = seam_.stations[number];
  const UnitGroup& group = *plant_.groups[seam_station.group];
  const Station& at = station(number);
  return {.station = number,
          .group = seam_station.group,
          .first_state = group.state_slot(0, at.first_unit),
          .stride = group.count(),
          .state_count = group.states().size(),
          .first_load = group.first_load - plant_.map.input(0) + at.first_unit,
          .unit_count = at.unit_count,
          .port_count = at.ports.size(),
          .is_gpus = seam_station.group == plant_.hall.gpu_group};
}

void UnitPass::begin(const PlantState& state, const Window& window) {
  const std::size_t samples = window.instants_s.size();
  instants_s_.assign(1, state.time_s);
  instants_s_.insert(instants_s_.end(), window.instants_s.begin(), window.instants_s.end());
  protects_.resize(samples);
  for (std::size_t k = 0; k < samples; ++k) protects_[k] = is_multiple(instants_s_[k], protection_interval_s) ? 1 : 0;
  yields_.resize(samples * seam_.stations.size());
  while (asked_gpu_w_.size() < samples) {
    asked_gpu_w_.emplace_back(plant_.hall.gpu_count());
    asked_node_w_.emplace_back(plant_.hall.node_count());
    for (Item& item : items_) item.shown.emplace_back();
  }
  for (Item& item : items_) {
    item.digests.resize(samples);
    item.firmware.resize(samples);
  }
  std::copy(state.work.asked_gpu_w.begin(), state.work.asked_gpu_w.end(), asked_gpu_w_[0].begin());
  std::copy(state.work.asked_node_w.begin(), state.work.asked_node_w.end(), asked_node_w_[0].begin());
  asked_of_.assign(1, 0);
  for (std::size_t k = 1; k < samples; ++k) {
    const bool is_held = window.workload.next_change_s(instants_s_[k - 1]) > instants_s_[k];
    asked_of_.push_back(is_held ? asked_of_.back() : k);
  }
  const auto sample_count = static_cast<std::ptrdiff_t>(samples);
#pragma omp parallel for schedule(static) if (items_.size() >= fewest_parallel_items)
  for (std::ptrdiff_t k = 1; k < sample_count; ++k) {
    const auto sample = static_cast<std::size_t>(k);
    if (asked_of_[sample] != sample) continue;
    window.workload.sample_all(instants_s_[sample], asked_gpu_w_[sample], asked_node_w_[sample]);
  }
  is_at_begin_ = true;
}

bool UnitPass::run(PlantState& state, const Window& window, const InletWave& inlets,
                   std::span<const std::uint8_t> is_wanted) {
  const auto count = static_cast<std::ptrdiff_t>(items_.size());
  const int threads = static_cast<int>(propagations_.size());
  // Items share nothing, so that any division among threads gives the same bytes.
#pragma omp parallel for schedule(static) num_threads(threads) if (count >= fewest_parallel_items)
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    if (is_wanted[static_cast<std::size_t>(k)] != 0) run_item(items_[static_cast<std::size_t>(k)], state, window, inlets);
  }
  is_at_begin_ = false;
  return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.is_within_bounds; });
}

void UnitPass::run_item(Item& item, PlantState& state, const Window& window, const InletWave& inlets) {
  if (is_at_begin_) {
    take(item, state, item.begin);
  } else {
    put(item, item.begin, state);
  }
  item.events.clear();
  for (std::size_t sample = 0; sample + 1 < instants_s_.size(); ++sample) {
    if (sample > 0 && item.is_rack) act_on_rack(item, sample, state, window.node);
    const bool is_shown = sample > 0 && window.shows_units[sample - 1] != 0;
    if (is_shown) take(item, state, item.shown[sample]);
    run_sample(item, sample, state, inlets, is_shown);
  }
  item.is_within_bounds = is_within_bounds(item, state);
}

/// Firmware and work of the sample that begins.
void UnitPass::act_on_rack(Item& item, std::size_t sample, PlantState& state, const NodeCoupling& node) const {
  const RackNow now{plant_, node, item.rack, instants_s_[sample]};
  RackDigest& digest = item.digests[sample];
  digest = digest_rack(plant_, item.rack, state);
  item.firmware[sample] = {};
  if (protects_[sample] != 0) {
    item.firmware[sample] = protect_rack(now, digest, state, item.events);
    if (item.firmware[sample].has_changed) digest = digest_rack(plant_, item.rack, state);
  }
  if (asked_of_[sample] == asked_of_[sample - 1] && !item.firmware[sample].has_changed) return;  // the loads of before
  const std::size_t asked = asked_of_[sample];
  apply_rack_loads(now, asked_of_rack(plant_.hall, item.rack, {asked_gpu_w_[asked], asked_node_w_[asked]}),
                   digest.has_full_clocks, state);
}

void UnitPass::run_sample(Item& item, std::size_t sample, PlantState& state, const InletWave& inlets, bool is_shown) {
  auto& propagations = propagations_[static_cast<std::size_t>(omp_get_thread_num())];
  const double duration_s = instants_s_[sample + 1] - instants_s_[sample];
  std::size_t first_shown = 0;
  for (const Place& place : item.places) {
    const UnitSample unit_sample{duration_s, inlets.at(sample, place.station, place.port_count),
                                 inlets.at(sample + 1, place.station, place.port_count),
                                 std::span<const double>(state.inputs).subspan(place.first_load, place.unit_count)};
    std::span<double> power_w;
    if (is_shown) power_w = std::span(item.shown[sample].power_w).subspan(first_shown, place.unit_count);
    UnitYield& yield = yields_[sample * seam_.stations.size() + place.station];
    yield = propagations[place.group]->advance(unit_sample, place.columns(state), power_w);
    if (item.is_rack && place.is_gpus) item.digests[sample].gpu_power_w = yield.begin_power_w;
    first_shown += place.unit_count;
  }
}

bool UnitPass::is_within_bounds(const Item& item, const PlantState& state) const {
  bool is_within = true;
  for (const Place& place : item.places) {
    for (std::size_t s = 0; s < place.state_count; ++s) {
      const double* column = state.states.data() + place.first_state + s * place.stride;
      double coldest = column[0], hottest = column[0], any = 0.0;  // a sum finds what is not a number
      for (std::size_t u = 0; u < place.unit_count; ++u) {
        coldest = column[u] < coldest ? column[u] : coldest;
        hottest = column[u] > hottest ? column[u] : hottest;
        any += column[u];
      }
      is_within = is_within && coldest > coldest_unit_k && hottest < hottest_unit_k && std::isfinite(any);
    }
  }
  return is_within;
}

double UnitPass::mismatch_k(PlantState& state, std::size_t item, const InletWave& used, const InletWave& computed) {
  constexpr double noticeable_flow_ratio = 1e-5;
  double largest_k = 0.0;
  for (const Place& place : items_[item].places) {
    for (std::size_t instant = 1; instant < instants_s_.size(); ++instant) {
      const auto given = used.at(instant, place.station, place.port_count);
      const auto actual = computed.at(instant, place.station, place.port_count);
      bool has_flow_moved = false;
      for (std::size_t p = 0; p < given.size(); ++p) {
        largest_k = std::max(largest_k, std::abs(given[p].temperature_k - actual[p].temperature_k));
        const double difference_kg_per_s = std::abs(given[p].flow_kg_per_s - actual[p].flow_kg_per_s);
        has_flow_moved = has_flow_moved || difference_kg_per_s > noticeable_flow_ratio * std::abs(actual[p].flow_kg_per_s);
      }
      if (!has_flow_moved) continue;
      const double load_w = state.inputs[place.first_load];
      UnitPropagation& propagation = *propagations_[0][place.group];
      largest_k = std::max(largest_k, propagation.mismatch_k(given, actual, load_w, place.columns(state)));
    }
  }
  return largest_k;
}

void UnitPass::collect(UnitEnergy& energy) const {
  const std::size_t samples = instants_s_.size() - 1;
  energy.instants_s = instants_s_;
  energy.sink_count = seam_.sinks.size();
  energy.energy_j.resize((samples + 1) * energy.sink_count);
  std::fill_n(energy.energy_j.begin(), energy.sink_count, 0.0);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    double* begin_j = energy.energy_j.data() + sample * energy.sink_count;
    double* end_j = begin_j + energy.sink_count;
    std::copy(begin_j, end_j, end_j);
    for (std::size_t s = 0; s < seam_.stations.size(); ++s) {
      const UnitYield& yield = yields_[sample * seam_.stations.size() + s];
      const SeamStation& at = seam_.stations[s];
      for (std::size_t p = 0; p < at.heat_sinks.size(); ++p) end_j[at.heat_sinks[p]] += yield.heat_j[p];
      end_j[at.power_sink] += yield.energy_j;
    }
  }
}

void UnitPass::collect_begin(std::size_t sample, std::span<double> from_units_w) const {
  std::fill(from_units_w.begin(), from_units_w.end(), 0.0);
  for (std::size_t s = 0; s < seam_.stations.size(); ++s) {
    const UnitYield& yield = yields_[sample * seam_.stations.size() + s];
    const SeamStation& at = seam_.stations[s];
    for (std::size_t p = 0; p < at.heat_sinks.size(); ++p) from_units_w[at.heat_sinks[p]] += yield.begin_heat_w[p];
    from_units_w[at.power_sink] += yield.begin_power_w;
  }
}

double UnitPass::first_shutdown_s() const {
  double first_s = std::numeric_limits<double>::infinity();
  for (const Item& item : items_) {
    if (!item.events.empty()) first_s = std::min(first_s, item.events.front().time_s);
  }
  return first_s;
}

void UnitPass::finish(PlantState& state, const Window& window, double counted_from_s) {
  std::vector<RackFirmware>& racks = firmware_of_racks_;
  for (std::size_t sample = 1; sample + 1 < instants_s_.size(); ++sample) {
    if (instants_s_[sample] < counted_from_s) continue;
    std::size_t throttled = 0;
    racks.clear();
    for (const Item& item : items_) {
      if (!item.is_rack) continue;
      throttled += item.digests[sample].throttled_gpus;
      if (!state.work.has_throttled) racks.push_back(item.firmware[sample]);
    }
    state.work.throttled_gpu_s += static_cast<double>(throttled) * (instants_s_[sample + 1] - instants_s_[sample]);
    note_first_throttle(plant_, racks, instants_s_[sample], state, window.events);
  }
  const std::size_t last = asked_of_[instants_s_.size() - 2];
  std::copy(asked_gpu_w_[last].begin(), asked_gpu_w_[last].end(), state.work.asked_gpu_w.begin());
  std::copy(asked_node_w_[last].begin(), asked_node_w_[last].end(), state.work.asked_node_w.begin());
}

void UnitPass::show(std::size_t sample, PlantState& shown, std::vector<std::vector<double>>& unit_power_w) const {
  for (const Item& item : items_) {
    const Snapshot& snapshot = item.shown[sample];
    put(item, snapshot, shown);
    std::size_t next = 0;
    for (const std::size_t number : item.stations) {
      const Station& at = station(number);
      std::copy_n(snapshot.power_w.begin() + static_cast<std::ptrdiff_t>(next), at.unit_count,
                  unit_power_w[seam_.stations[number].group].begin() + static_cast<std::ptrdiff_t>(at.first_unit));
      next += at.unit_count;
    }
  }
  const std::size_t asked = asked_of_[sample];
  std::copy(asked_gpu_w_[asked].begin(), asked_gpu_w_[asked].end(), shown.work.asked_gpu_w.begin());
  std::copy(asked_node_w_[asked].begin(), asked_node_w_[asked].end(), shown.work.asked_node_w.begin());
}

void UnitPass::show_racks(std::size_t sample, std::span<RackDigest> racks) const {
  for (const Item& item : items_) {
    if (item.is_rack) racks[item.rack] = item.digests[sample];
  }
}

void UnitPass::restore(PlantState& state) {
  for (const Item& item : items_) put(item, item.begin, state);
}

void UnitPass::take(const Item& item, const PlantState& state, Snapshot& snapshot) const {
  snapshot.states.resize(item.state_count);
  snapshot.loads.resize(item.unit_count);
  double* to = snapshot.states.data();
  double* load = snapshot.loads.data();
  for (const Place& place : item.places) {
    for (std::size_t s = 0; s < place.state_count; ++s) {
      to = std::copy_n(state.states.data() + place.first_state + s * place.stride, place.unit_count, to);
    }
    load = std::copy_n(state.inputs.data() + place.first_load, place.unit_count, load);
  }
  snapshot.power_w.resize(snapshot.loads.size());
  if (!item.is_rack) return;
  const auto nodes = static_cast<std::ptrdiff_t>(plant_.hall.nodes_per_rack);
  const auto gpus = static_cast<std::ptrdiff_t>(plant_.hall.nodes_per_rack * plant_.hall.gpus_per_node);
  const auto rack = static_cast<std::ptrdiff_t>(item.rack);
  const auto clock = state.work.clock_fraction.begin() + rack * gpus;
  const auto shut = state.work.is_shut_down.begin() + rack * nodes;
  snapshot.clocks.assign(clock, clock + gpus);
  snapshot.is_shut_down.assign(shut, shut + nodes);
}

void UnitPass::put(const Item& item, const Snapshot& snapshot, PlantState& state) const {
  const double* from = snapshot.states.data();
  const double* load = snapshot.loads.data();
  for (const Place& place : item.places) {
    for (std::size_t s = 0; s < place.state_count; ++s) {
      std::copy_n(from, place.unit_count, state.states.data() + place.first_state + s * place.stride);
      from += place.unit_count;
    }
    std::copy_n(load, place.unit_count, state.inputs.data() + place.first_load);
    load += place.unit_count;
  }
  if (!item.is_rack) return;
  const auto rack = static_cast<std::ptrdiff_t>(item.rack);
  std::copy(snapshot.clocks.begin(), snapshot.clocks.end(),
            state.work.clock_fraction.begin() + rack * static_cast<std::ptrdiff_t>(snapshot.clocks.size()));
  std::copy(snapshot.is_shut_down.begin(), snapshot.is_shut_down.end(),
            state.work.is_shut_down.begin() + rack * static_cast<std::ptrdiff_t>(snapshot.is_shut_down.size()));
}

}  // namespace wattloop::twin
