#include "twin/unit_pass.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "twin/timeline.hpp"

namespace wattloop::twin {

namespace {

constexpr std::ptrdiff_t fewest_parallel_parties = 2;

}  // namespace

UnitPass::UnitPass(const Plant& plant, const SeamLayout& seam)
    : plant_(plant), seam_(seam), items_(make_unit_items(plant, seam)) {
  const std::size_t per_rack = plant.hall.nodes_per_rack, racks = plant.hall.racks.size();
  const std::size_t racks_of_party = racks == 0 ? 1 : std::max<std::size_t>(workload::nodes_asked_together / per_rack, 1);
  for (std::size_t first = 0; first < racks; first += racks_of_party) {
    const std::size_t count = std::min(racks_of_party, racks - first);
    parties_.push_back({first, count, {first * per_rack, count * per_rack}});
  }
  for (std::size_t item = racks; item < items_.size(); ++item) parties_.push_back({item, 1, {}});
  benches_.resize(static_cast<std::size_t>(std::max(omp_get_max_threads(), 1)));
  for (Bench& bench : benches_) {
    for (const auto& group : plant.groups) bench.propagations.push_back(group->make_propagation());
    bench.steps.resize(plant.groups.size());
  }
}

void UnitPass::begin(const PlantState& state, const Window& window) {
  const std::size_t samples = window.instants_s.size();
  instants_s_.assign(1, state.time_s);
  instants_s_.insert(instants_s_.end(), window.instants_s.begin(), window.instants_s.end());
  protects_.resize(samples);
  for (std::size_t k = 0; k < samples; ++k) protects_[k] = is_multiple(instants_s_[k], protection_interval_s) ? 1 : 0;
  yields_.resize(samples * seam_.stations.size());
  const std::size_t party_nodes = parties_.empty() ? 0 : parties_.front().nodes.count;  // the first is the largest
  for (Bench& bench : benches_) {
    while (bench.asked_gpu_w.size() < samples) {
      bench.asked_gpu_w.emplace_back(party_nodes * plant_.hall.gpus_per_node);
      bench.asked_node_w.emplace_back(party_nodes);
    }
  }
  digests_.resize(samples * plant_.hall.racks.size());
  firmware_.resize(samples * plant_.hall.racks.size());
  is_within_bounds_.resize(items_.size());
  for (std::size_t k = 0; k < samples; ++k) {
    if (k == 0 || window.shows_units[k - 1] == 0) continue;
    for (UnitItem& item : items_) item.shown.resize(std::max(item.shown.size(), samples));
  }
  asked_of_.assign(1, 0);
  for (std::size_t k = 1; k < samples; ++k) {
    const bool is_held = window.workload.next_change_s(instants_s_[k - 1]) > instants_s_[k];
    asked_of_.push_back(is_held ? asked_of_.back() : k);
  }
  is_at_begin_ = true;
}

bool UnitPass::run(PlantState& state, const Window& window, const InletWave& inlets,
                   std::span<const std::uint8_t> is_wanted) {
  const auto count = static_cast<std::ptrdiff_t>(parties_.size());
  const int threads = static_cast<int>(benches_.size());
  // Items share nothing, so that any division among threads gives the same bytes.
#pragma omp parallel for schedule(static) num_threads(threads) if (count >= fewest_parallel_parties)
  for (std::ptrdiff_t k = 0; k < count; ++k) run_party(parties_[static_cast<std::size_t>(k)], state, window, inlets, is_wanted);
  is_at_begin_ = false;
  return std::ranges::find(is_within_bounds_, 0) == is_within_bounds_.end();
}

void UnitPass::run_party(const Party& party, PlantState& state, const Window& window, const InletWave& inlets,
                         std::span<const std::uint8_t> is_wanted) {
  Bench& bench = benches_[static_cast<std::size_t>(omp_get_thread_num())];
  bench.items.clear();
  for (std::size_t item = party.first_item; item < party.first_item + party.items; ++item) {
    if (is_wanted[item] != 0) bench.items.push_back(&items_[item]);
  }
  if (bench.items.empty()) return;
  ask(party, window, bench);
  for (UnitItem* item : bench.items) {
    if (is_at_begin_) {
      take(*item, state, item->begin);
    } else {
      put(*item, item->begin, state);
    }
    item->events.clear();
  }
  for (std::size_t sample = 0; sample + 1 < instants_s_.size(); ++sample) {
    const bool is_shown = sample > 0 && window.shows_units[sample - 1] != 0;
    for (UnitItem* item : bench.items) {
      if (sample == 0 || !item->is_rack) continue;
      const AskedPower of_rack = asked(party, *item, sample, state, bench);
      act_on_rack(*item, sample, state, window.node, of_rack);
      if (!is_shown) continue;
      item->shown[sample].asked_gpu_w.assign(of_rack.gpu_w.begin(), of_rack.gpu_w.end());
      item->shown[sample].asked_node_w.assign(of_rack.node_w.begin(), of_rack.node_w.end());
    }
    run_sample(bench, sample, state, inlets, is_shown);
  }
  for (const UnitItem* item : bench.items) {
    is_within_bounds_[static_cast<std::size_t>(item - items_.data())] = are_states_within_bounds(*item, state) ? 1 : 0;
  }
}

/// Asks for the work of all samples in which it changes.
void UnitPass::ask(const Party& party, const Window& window, Bench& bench) const {
  if (party.nodes.count == 0) return;
  for (std::size_t k = 1; k < asked_of_.size(); ++k) {
    if (asked_of_[k] != k) continue;
    window.workload.sample(instants_s_[k], party.nodes,
                           std::span(bench.asked_gpu_w[k]).first(party.nodes.count * plant_.hall.gpus_per_node),
                           std::span(bench.asked_node_w[k]).first(party.nodes.count));
  }
}

/// What the work asks of a rack over a sample.
AskedPower UnitPass::asked(const Party& party, const UnitItem& item, std::size_t sample, const PlantState& state,
                           const Bench& bench) const {
  const std::size_t since = asked_of_[sample];
  if (since == 0) return asked_of_rack(plant_.hall, item.rack, {state.work.asked_gpu_w, state.work.asked_node_w});
  return asked_of_rack(plant_.hall, item.rack - party.first_item, {bench.asked_gpu_w[since], bench.asked_node_w[since]});
}

/// Firmware and work of the sample that begins.
void UnitPass::act_on_rack(UnitItem& item, std::size_t sample, PlantState& state, const NodeCoupling& node,
                           const AskedPower& asked) {
  const RackNow now{plant_, node, item.rack, instants_s_[sample]};
  RackDigest& digest = digests_[sample * plant_.hall.racks.size() + item.rack];
  RackFirmware& firmware = firmware_[sample * plant_.hall.racks.size() + item.rack];
  digest = digest_rack(plant_, item.rack, state);
  firmware = {};
  if (protects_[sample] != 0) {
    firmware = protect_rack(now, digest, state, item.events);
    if (firmware.has_changed) digest = digest_rack(plant_, item.rack, state);
  }
  if (asked_of_[sample] == asked_of_[sample - 1] && !firmware.has_changed) return;  // the loads of before
  apply_rack_loads(now, asked, digest.has_full_clocks, state);
}

/// All items of the bench, group by group.
void UnitPass::run_sample(Bench& bench, std::size_t sample, PlantState& state, const InletWave& inlets, bool is_shown) {
  const double duration_s = instants_s_[sample + 1] - instants_s_[sample];
  for (auto& steps : bench.steps) steps.clear();
  for (UnitItem* item : bench.items) {
    double* power_w = nullptr;
    if (is_shown) {
      take(*item, state, item->shown[sample]);
      item->shown[sample].power_w.resize(item->unit_count);
      power_w = item->shown[sample].power_w.data();
    }
    for (const UnitPlace& place : item->places) {
      const UnitSample unit_sample{duration_s, inlets.at(sample, place.station, place.port_count),
                                   inlets.at(sample + 1, place.station, place.port_count),
                                   std::span<const double>(state.inputs).subspan(place.first_load, place.unit_count)};
      UnitYield& yield = yields_[sample * seam_.stations.size() + place.station];
      bench.steps[place.group].push_back({unit_sample, place.columns(state), power_w, &yield});
      if (power_w != nullptr) power_w += place.unit_count;
    }
  }
  for (std::size_t group = 0; group < bench.steps.size(); ++group) bench.propagations[group]->advance(bench.steps[group]);
  for (const UnitItem* item : bench.items) {
    for (const UnitPlace& place : item->places) {
      if (!item->is_rack || !place.is_gpus) continue;
      RackDigest& digest = digests_[sample * plant_.hall.racks.size() + item->rack];
      digest.gpu_power_w = yields_[sample * seam_.stations.size() + place.station].begin_power_w;
    }
  }
}

double UnitPass::mismatch_k(PlantState& state, std::size_t item, const InletWave& used, const InletWave& computed) {
  constexpr double noticeable_flow_ratio = 1e-5;
  double largest_k = 0.0;
  for (const UnitPlace& place : items_[item].places) {
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
      UnitPropagation& propagation = *benches_[0].propagations[place.group];
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
  for (const UnitItem& item : items_) {
    if (!item.events.empty()) first_s = std::min(first_s, item.events.front().time_s);
  }
  return first_s;
}

void UnitPass::finish(PlantState& state, const Window& window, double counted_from_s) {
  const std::size_t racks = plant_.hall.racks.size();
  for (std::size_t sample = 1; sample + 1 < instants_s_.size(); ++sample) {
    if (instants_s_[sample] < counted_from_s) continue;
    std::size_t throttled = 0;
    throttling_.clear();
    for (std::size_t rack = 0; rack < racks; ++rack) {
      throttled += digests_[sample * racks + rack].throttled_gpus;
      const RackFirmware& firmware = firmware_[sample * racks + rack];
      if (!state.work.has_throttled && firmware.clock_fraction < 1.0) throttling_.push_back(firmware);
    }
    state.work.throttled_gpu_s += static_cast<double>(throttled) * (instants_s_[sample + 1] - instants_s_[sample]);
    note_first_throttle(plant_, throttling_, instants_s_[sample], state, window.events);
  }
}

void UnitPass::show(std::size_t sample, PlantState& shown, std::vector<std::vector<double>>& unit_power_w) const {
  for (const UnitItem& item : items_) {
    const UnitSnapshot& snapshot = item.shown[sample];
    put(item, snapshot, shown);
    auto power_w = snapshot.power_w.begin();
    for (const UnitPlace& place : item.places) {
      const auto units = static_cast<std::ptrdiff_t>(place.unit_count);
      std::copy_n(power_w, units, unit_power_w[place.group].begin() + static_cast<std::ptrdiff_t>(place.first_unit));
      power_w += units;
    }
    if (!item.is_rack) continue;
    const auto node = static_cast<std::ptrdiff_t>(item.first_node);
    const auto gpu = static_cast<std::ptrdiff_t>(item.first_node * item.gpus_per_node);
    std::copy(snapshot.asked_gpu_w.begin(), snapshot.asked_gpu_w.end(), shown.work.asked_gpu_w.begin() + gpu);
    std::copy(snapshot.asked_node_w.begin(), snapshot.asked_node_w.end(), shown.work.asked_node_w.begin() + node);
  }
}

void UnitPass::show_racks(std::size_t sample, std::span<RackDigest> racks) const {
  std::copy_n(digests_.begin() + static_cast<std::ptrdiff_t>(sample * racks.size()), racks.size(), racks.begin());
}

void UnitPass::restore(PlantState& state) {
  for (const UnitItem& item : items_) put(item, item.begin, state);
}

}  // namespace wattloop::twin
