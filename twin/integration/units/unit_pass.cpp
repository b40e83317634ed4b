#include "twin/integration/units/unit_pass.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/numbers/series.hpp"
#include "twin/actions/weather/timeline.hpp"

namespace wattloop::twin {

namespace {

constexpr std::ptrdiff_t fewest_parallel_batches = 2;
constexpr double look_back_s = 0.25;  ///< shorter than any sample

/// Whether work asks anew at that time; a run does not begin with a jump.
bool asks_anew(const workload::Workload& workload, double time_s) {
  return time_s > look_back_s && workload.next_change_s(time_s - look_back_s) <= time_s + boundary_slack_s;
}

/// By the flow of their first station: steps of units are fastest for the same flows one after the other.
std::vector<std::size_t> items_by_flow(const Plant& plant, const SeamLayout& seam, const std::vector<UnitItem>& items,
                                       std::size_t first, std::size_t count) {
  const auto flow_of = [&](std::size_t item) {
    const SeamStation& at = seam.stations[items[item].stations.front()];
    return plant.groups[at.group]->stations[at.station].ports.front().flow_signal;
  };
  std::vector<std::size_t> by_flow(count);
  std::iota(by_flow.begin(), by_flow.end(), first);
  std::ranges::stable_sort(by_flow, {}, flow_of);
  return by_flow;
}

}  // namespace

UnitPass::UnitPass(const Plant& plant, const SeamLayout& seam)
    : plant_(plant), seam_(seam), items_(make_unit_items(plant, seam)) {
  const std::size_t racks = plant.it.racks.size();
  std::size_t most_nodes = 0;
  for (const RackRange& range : racks_asked_together(plant.it)) {
    batches_.push_back({range.first, range.count, items_by_flow(plant, seam, items_, range.first, range.count)});
    most_nodes = std::max(most_nodes, range.count * plant.it.nodes_in(range.first));
  }
  for (std::size_t item = racks; item < items_.size(); ++item) batches_.push_back({item, 1, {item}});
  workspaces_.resize(static_cast<std::size_t>(std::max(omp_get_max_threads(), 1)));
  for (ThreadWorkspace& workspace : workspaces_) {
    for (const auto& group : plant.groups) workspace.propagations.push_back(group->make_propagation());
    workspace.steps.resize(plant.groups.size());
    workspace.next_step.resize(plant.groups.size());
    workspace.previous_flows.resize(plant.groups.size());
    workspace.asked = AskedWatts(most_nodes);
  }
  end_dies_.resize(items_.size());
}

void UnitPass::begin(const PlantState& state, const Window& window) {
  const std::size_t samples = window.instants_s.size();
  instants_s_.assign(1, state.time_s);
  instants_s_.insert(instants_s_.end(), window.instants_s.begin(), window.instants_s.end());
  protects_.resize(samples);
  for (std::size_t k = 0; k < samples; ++k) protects_[k] = is_multiple(instants_s_[k], protection_interval_s) ? 1 : 0;
  energy_.instants_s = instants_s_;
  energy_.sink_count = seam_.sinks.size();
  energy_.energy_j.resize((samples + 1) * energy_.sink_count);
  loads_w_.resize(samples * seam_.loads.size());
  digests_.resize(samples * plant_.it.racks.size());
  mean_gpu_w_.resize(samples * plant_.it.racks.size());
  is_within_bounds_.resize(items_.size());
  for (std::size_t k = 0; k < samples; ++k) {
    if (k == 0 || window.shows_units[k - 1] == 0) continue;
    for (UnitItem& item : items_) item.shown.resize(std::max(item.shown.size(), samples));
  }
  asked_of_.assign(1, 0);
  for (std::size_t k = 1; k < samples; ++k) {
    const double next_s = window.workload.next_change_s(instants_s_[k - 1]);
    const bool is_constant = next_s > instants_s_[k] + boundary_slack_s;
    asked_of_.push_back(is_constant ? asked_of_.back() : k);
  }
  energy_.asks_once = asked_of_.back() == 0;
  energy_.begins_with_jump = energy_.asks_once && asks_anew(window.workload, state.time_s);
  prepare_work(window.workload, jobs_now(state.work));
  is_at_begin_ = true;
}

/// The first sample was asked for by the caller; here only where the same holds on.
void UnitPass::prepare_work(const workload::Workload& workload, const workload::JobsNow& jobs) {
  bases_.resize(std::max(bases_.size(), asked_of_.size()));
  for (std::size_t k = 0; k < asked_of_.size(); ++k) {
    const bool is_needed = k > 0 || (asked_of_.size() > 1 && asked_of_[1] == 0);
    if (is_needed && asked_of_[k] == k) workload.prepare(instants_s_[k], jobs, bases_[k]);
  }
}

bool UnitPass::run(PlantState& state, const Window& window, const InletWave& inlets,
                   std::span<const std::uint8_t> is_requested) {
  const auto count = static_cast<std::ptrdiff_t>(batches_.size());
  // Items share nothing, so that any division among threads gives the same bytes.
#pragma omp parallel for schedule(static) \
    num_threads(static_cast <int>(workspaces_.size())) if (count >= fewest_parallel_batches)
  for (std::ptrdiff_t k = 0; k < count; ++k)
    run_batch(batches_[static_cast<std::size_t>(k)], state, window, inlets, is_requested);
  is_at_begin_ = false;
  return std::ranges::count(is_within_bounds_, 0) == 0;
}

void UnitPass::run_batch(const Batch& batch, PlantState& state, const Window& window, const InletWave& inlets,
                         std::span<const std::uint8_t> is_requested) {
  ThreadWorkspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
  workspace.items.clear();
  workspace.in_order.clear();
  for (std::size_t k = 0; k < batch.items; ++k) {
    const std::size_t item = batch.first_item + k, by_flow = batch.by_flow[k];
    if (is_requested[by_flow] != 0) workspace.items.push_back(&items_[by_flow]);
    if (is_requested[item] != 0) workspace.in_order.push_back(&items_[item]);
  }
  if (workspace.items.empty()) return;
  begin_batch(workspace, state, window, inlets);
  for (std::size_t sample = 0; sample + 1 < instants_s_.size(); ++sample) {
    const bool is_over = is_any_job_due(workspace.items);  // the window ends before: what follows is never used
    if (sample > 0 && !is_over) load_racks(workspace, sample, state, window);
    if (sample > 0 && window.shows_units[sample - 1] != 0) show_sample(workspace, sample, state);
    for (UnitItem* item : workspace.items) keep_for_jobs(*item, sample, state);
    for (std::size_t group = 0; group < workspace.steps.size() && !is_over; ++group)
      workspace.propagations[group]->advance(workspace.steps[group]);
    collect(workspace, sample);
    if (sample + 2 < instants_s_.size()) go_on(workspace, sample + 1);
  }
  const bool skips_seconds = window.watch != nullptr && window.watch->skips_seconds();
  for (UnitItem* item : workspace.items) {
    is_within_bounds_[static_cast<std::size_t>(item - items_.data())] = are_states_within_bounds(*item, state) ? 1 : 0;
    if (!skips_seconds || !item->is_rack) continue;
    const RackNow now = rack_now(item->rack, instants_s_.size() - 1, window.nodes);
    note_clock_at_end(*item, now, state, window.jobs);
    item->has_left_clock = has_left_power_limit(now, state);
  }
}

/// The first sample of the window, and the inlets of all.
void UnitPass::begin_batch(ThreadWorkspace& workspace, PlantState& state, const Window& window,
                           const InletWave& inlets) {
  const std::size_t instants = instants_s_.size();
  std::size_t places = 0;
  for (const UnitItem* item : workspace.items) places += item->places.size();
  workspace.inlets.resize(std::max(workspace.inlets.size(), places * instants));
  workspace.yields.resize(places);
  workspace.sums.assign(workspace.items.size(), {});
  for (auto& steps : workspace.steps) steps.clear();
  std::ranges::fill(workspace.previous_flows, FlowsOfWindow{});
  StationInlets* begin = workspace.inlets.data();
  UnitYield* yield = workspace.yields.data();
  for (UnitItem* item : workspace.items) {
    for (const std::uint32_t sink : item->sinks) energy_.energy_j[sink] = 0.0;
    if (is_at_begin_) {
      take(*item, state, item->begin);
    } else {
      put(*item, item->begin, state);
    }
    item->events.clear();
    item->throttling.clear();
    note_job_clock(*item, plant_, window, state);
    for (const UnitPlace& place : item->places) {
      inlets.fill(place.station, {begin, instants});
      const std::span<const double> load_w = std::span(state.inputs).subspan(place.first_load, place.unit_count);
      DieDigest* dies = item->is_rack && place.is_gpus ? &end_dies_[item->rack] : nullptr;
      const bool is_linear = !inlets.is_set(place.station);  // or anything in between
      const std::span first = std::span(begin[0]).first(place.port_count);
      const std::span last = std::span(begin[instants - 1]).first(place.port_count);
      const FlowsOfWindow flows = is_linear ? FlowsOfWindow(0.0, first, last) : FlowsOfWindow();
      const bool has_flows_of_previous = is_linear && flows == workspace.previous_flows[place.group];
      workspace.previous_flows[place.group] = flows;
      workspace.steps[place.group].push_back({.sample = {.duration_s = instants_s_[1] - instants_s_[0],
                                                         .begin = first,
                                                         .end = std::span(begin[1]).first(place.port_count),
                                                         .load_w = load_w},
                                              .units = place.columns(state),
                                              .yield = yield++,
                                              .has_flows_of_previous = has_flows_of_previous,
                                              .digest = dies,
                                              .first_unit = place.first_unit});
      begin += instants;
    }
  }
}

/// Moves the steps of the workspace on to a sample.
void UnitPass::go_on(ThreadWorkspace& workspace, std::size_t sample) {
  const double duration_s = instants_s_[sample + 1] - instants_s_[sample];
  for (auto& steps : workspace.steps) {
    for (UnitStep& step : steps) {
      step.sample.duration_s = duration_s;
      step.sample.begin = step.sample.end;
      step.sample.end = {step.sample.end.data() + most_ports, step.sample.end.size()};
      step.begin_power_w = nullptr;
    }
  }
}

/// What the steps of a sample gave, to the sinks.
void UnitPass::collect(ThreadWorkspace& workspace, std::size_t sample) {
  double* energy_j = energy_.energy_j.data() + (sample + 1) * energy_.sink_count;
  double* loads_w = loads_w_.data() + sample * seam_.loads.size();
  RackDigest* digests = digests_.data() + sample * plant_.it.racks.size();
  const double per_s = 1.0 / (instants_s_[sample + 1] - instants_s_[sample]);
  double* mean_gpu_w = mean_gpu_w_.data() + sample * plant_.it.racks.size();
  const UnitYield* yield = workspace.yields.data();
  SinkSums* sums_j = workspace.sums.data();
  for (const UnitItem* item : workspace.items) {
    SinkSums& sum_j = *sums_j++;
    double power_w = 0.0;
    for (const UnitPlace& place : item->places) {
      for (std::size_t p = 0; p < place.port_count; ++p) sum_j[place.heat_sinks[p]] += yield->heat_j[p];
      sum_j[place.power_sink] += yield->energy_j;
      power_w += yield->begin_power_w;
      if (place.is_gpus && item->is_rack) {
        digests[item->rack].gpu_power_w = yield->begin_power_w;
        mean_gpu_w[item->rack] = yield->energy_j * per_s;
      }
      ++yield;
    }
    loads_w[item->load] = power_w;
    for (std::size_t s = 0; s < item->sinks.size(); ++s) energy_j[item->sinks[s]] = sum_j[s];
  }
}

/// Firmware and work at the begin of a sample.
void UnitPass::load_racks(ThreadWorkspace& workspace, std::size_t sample, PlantState& state, const Window& window) {
  if (!workspace.in_order.front()->is_rack) return;
  const bool has_work_changed = asked_of_[sample] == sample;
  workspace.is_asked.clear();
  for (UnitItem* item : workspace.in_order) {
    const bool has_firmware_acted = act_on_rack(*item, sample, state, window.nodes);
    if (protects_[sample] != 0)
      look_at_job_clock(*item, rack_now(item->rack, sample, window.nodes), state, window.jobs);
    const bool is_asked =
        has_work_changed || has_firmware_acted ||
        (protects_[sample] != 0 && is_power_limit_due(rack_now(item->rack, sample, window.nodes), state));
    workspace.is_asked.push_back(is_asked ? 1 : 0);
  }
  const std::size_t per_rack = workspace.in_order.front()->nodes;  // of one group
  for (std::size_t k = 0; k < workspace.in_order.size(); ++k) {
    if (workspace.is_asked[k] == 0) continue;
    RackRange range{workspace.in_order[k]->rack, 1};  // and those beside it, which cost less together
    while (k + 1 < workspace.in_order.size() && workspace.is_asked[k + 1] != 0 &&
           workspace.in_order[k + 1]->rack == range.first + range.count) {
      ++range.count;
      ++k;
    }
    ask_for_work(plant_, window.workload, bases_[asked_of_[sample]], range, state,
                 workspace.asked.of(0, range.count * per_rack));
    for (std::size_t r = 0; r < range.count; ++r) {
      restrain_rack_loads(rack_now(range.first + r, sample, window.nodes), {window.workload, bases_[asked_of_[sample]]},
                          workspace.asked.of(r * per_rack, per_rack), state);
    }
  }
  for (UnitItem* item : workspace.in_order) {
    if (state.work.capped_gpus[item->rack] > 0) note_caps(*item, sample, state);
  }
}

/// A rack at the begin of a sample.
RackNow UnitPass::rack_now(std::size_t rack, std::size_t sample, const NodeCouplings& nodes) const {
  return {plant_, nodes, rack, instants_s_[sample], end_dies_[rack].hottest_k};
}

/// GPUs of a rack that its power limit slows in a sample.
void UnitPass::note_caps(UnitItem& item, std::size_t sample, const PlantState& state) {
  const std::size_t gpus = state.work.capped_gpus[item.rack];
  digests_[sample * plant_.it.racks.size() + item.rack].capped_gpus = gpus;
  if (item.throttling.empty() || item.throttling.back().sample != sample) item.throttling.push_back({.sample = sample});
  item.throttling.back().capped_gpus = gpus;
}

/// Firmware of a rack at the begin of a sample. True if clocks have changed.
bool UnitPass::act_on_rack(UnitItem& item, std::size_t sample, PlantState& state, const NodeCouplings& nodes) {
  RackDigest& digest = digests_[sample * plant_.it.racks.size() + item.rack];
  digest = digest_rack(plant_, item.rack, state, end_dies_[item.rack]);
  RackFirmware firmware;
  const RackNow now{plant_, nodes, item.rack, instants_s_[sample]};
  if (protects_[sample] != 0 && !has_nothing_to_do(now.node.protection, digest)) {
    firmware = protect_rack(now, digest, state, item.events);
    if (firmware.has_changed) digest = digest_rack(plant_, item.rack, state, end_dies_[item.rack]);
  }
  if (digest.throttled_gpus > 0 || firmware.clock_fraction < 1.0)
    item.throttling.push_back({.sample = sample, .gpus = digest.throttled_gpus, .firmware = firmware});
  return firmware.has_changed;
}

/// Keeps units as they are at the begin of a sample, and has their power written down.
void UnitPass::show_sample(ThreadWorkspace& workspace, std::size_t sample, const PlantState& state) {
  std::fill(workspace.next_step.begin(), workspace.next_step.end(), 0);
  for (UnitItem* item : workspace.items) {
    UnitSnapshot& shown = item->shown[sample];
    take(*item, state, shown);
    shown.power_w.resize(item->unit_count);
    double* power_w = shown.power_w.data();
    for (const UnitPlace& place : item->places) {
      workspace.steps[place.group][workspace.next_step[place.group]++].begin_power_w = power_w;
      power_w += place.unit_count;
    }
  }
}

double UnitPass::mismatch_k(PlantState& state, std::size_t item, const InletWave& used, const InletWave& computed) {
  constexpr double noticeable_flow_ratio = 1e-5;
  double largest_k = 0.0;
  for (const UnitPlace& place : items_[item].places) {
    for (std::size_t instant = 1; instant < instants_s_.size(); ++instant) {
      const StationInlets given = used.at(instant, place.station), actual = computed.at(instant, place.station);
      bool has_flow_moved = false;
      for (std::size_t p = 0; p < place.port_count; ++p) {
        largest_k = std::max(largest_k, std::abs(given[p].temperature_k - actual[p].temperature_k));
        const double difference_kg_per_s = std::abs(given[p].flow_kg_per_s - actual[p].flow_kg_per_s);
        has_flow_moved =
            has_flow_moved || difference_kg_per_s > noticeable_flow_ratio * std::abs(actual[p].flow_kg_per_s);
      }
      if (!has_flow_moved) continue;
      UnitPropagation& propagation = *workspaces_[0].propagations[place.group];
      largest_k = std::max(largest_k, propagation.mismatch_k(std::span(given).first(place.port_count),
                                                             std::span(actual).first(place.port_count),
                                                             state.inputs[place.first_load], place.columns(state)));
    }
  }
  return largest_k;
}

void UnitPass::mean_loads_w(std::size_t sample, std::span<double> loads_w) const {
  const double* begin_j = energy_.energy_j.data() + sample * energy_.sink_count;
  const double per_s = 1.0 / (instants_s_[sample + 1] - instants_s_[sample]);
  for (std::size_t load = 0; load < loads_w.size(); ++load) {
    const std::size_t sink = seam_.load_sinks[load];
    loads_w[load] = per_s * (begin_j[sink + energy_.sink_count] - begin_j[sink]);
  }
}

bool UnitPass::has_any_left_clock(const PlantState& state, const Window& window) const {
  if (!window.watch->skips_seconds()) return false;
  return std::ranges::any_of(items_, &UnitItem::has_left_clock) || has_any_job_left_clock(items_, state, window.jobs);
}

double UnitPass::first_act_s() const {
  double first_s = std::numeric_limits<double>::infinity();
  for (const UnitItem& item : items_) {
    if (!item.events.empty()) first_s = std::min(first_s, item.events.front().time_s);
    first_s = std::min(first_s, item.job_changes_s);
  }
  return first_s;
}

void UnitPass::finish(PlantState& state, const Window& window, double counted_from_s) {
  for (std::size_t sample = 1; sample + 1 < instants_s_.size(); ++sample) {
    if (instants_s_[sample] < counted_from_s) continue;
    std::size_t throttled = 0, capped = 0;
    throttling_.clear();
    for (const UnitItem& item : items_) {
      const auto found = std::ranges::find(item.throttling, sample, &Throttling::sample);
      if (found == item.throttling.end()) continue;
      throttled += found->gpus;
      capped += found->capped_gpus;
      const RackFirmware& firmware = found->firmware;
      const bool is_first = !state.work.has_throttled && firmware.clock_fraction < 1.0;
      if (is_first || !firmware.first_throttled.empty()) throttling_.push_back(firmware);
    }
    const double duration_s = instants_s_[sample + 1] - instants_s_[sample];
    state.work.throttled_gpu_s += static_cast<double>(throttled) * duration_s;
    state.work.capped_gpu_s += static_cast<double>(capped) * duration_s;
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
  }
}

void UnitPass::show_gpu_powers(std::size_t sample, std::span<RackDigest> racks) const {
  for (std::size_t rack = 0; rack < racks.size(); ++rack)
    racks[rack].gpu_power_w = mean_gpu_w_[sample * racks.size() + rack];
}

void UnitPass::show_racks(std::size_t sample, std::span<RackDigest> racks) const {
  std::copy_n(digests_.begin() + static_cast<std::ptrdiff_t>(sample * racks.size()), racks.size(), racks.begin());
}

void UnitPass::restore(PlantState& state) {
  for (const UnitItem& item : items_) put(item, item.begin, state);
}

}  // namespace wattloop::twin
