#include "twin/run/meters/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "twin/parts/part_catalog.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

/// The quantity that parts of a kind belong to: kinds share it by name.
WatchedQuantity& quantity_of(const WatchedAs& as, std::vector<WatchedQuantity>& quantities) {
  const auto same = [&](const WatchedQuantity& other) {
    return other.as.name == as.name && other.as.each_is_called == as.each_is_called;
  };
  const auto found = std::ranges::find_if(quantities, same);
  if (found != quantities.end()) return *found;
  quantities.push_back({as, {}, {}, {}});
  return quantities.back();
}

/// To 40 bits, 1e-12 of itself: flows of samples are found by iteration from the sample that the same thread had before, so that the last
/// bits of a sum differ with the number of threads.
double without_last_bits(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 40)), exponent - 40);
}

/// Slots of all meters.
std::vector<std::size_t> meters_of(const Plant& plant) {
  std::vector<std::size_t> slots;
  for (std::size_t slot = 0; slot < plant.map.first_unit_state; ++slot) {
    if (plant.layout.is_meter(slot)) slots.push_back(slot);
  }
  return slots;
}

}  // namespace

void Extremes::add(double value, double time_s, std::size_t item) {
  if (value < lowest) {
    lowest = value;
    lowest_at_s = time_s;
    lowest_item = item;
  }
  if (value > highest) {
    highest = value;
    highest_at_s = time_s;
    highest_item = item;
  }
}

void LoadPeak::add(double now_w, double rated_now_w, double time_s) {
  const double now_ratio = rated_now_w > 0.0 ? now_w / rated_now_w : 0.0;
  if (now_ratio > ratio) *this = {now_ratio, now_w, rated_now_w, time_s};
}

std::vector<WatchedQuantity> watched_quantities(const Plant& plant) {
  std::vector<WatchedQuantity> quantities;
  for (std::size_t k = 0; k < part_kinds().size(); ++k) {
    const PartSet& set = *plant.components[k];
    if (set.names().empty()) continue;
    for (std::size_t number = 0; number < part_kinds()[k].watched.size(); ++number) {
      WatchedQuantity& quantity = quantity_of(part_kinds()[k].watched[number], quantities);
      quantity.kinds.push_back({&set, number});
      quantity.parts.insert(quantity.parts.end(), set.names().begin(), set.names().end());
      quantity.extremes.resize(quantity.is_of_each() ? quantity.parts.size() : 1);
    }
  }
  std::ranges::stable_sort(quantities, {}, [](const WatchedQuantity& quantity) { return quantity.as.place; });
  return quantities;
}

Statistics::Statistics(const Plant& plant, const std::vector<double>& hot_die_k)
    : watched(watched_quantities(plant)),
      places(controlled_places(plant)),
      approaches(places.size()),
      above(places.size()),
      below(places.size()),
      loads(rated_loads(plant)),
      peaks(loads.size()),
      plant_(plant),
      meters_(meters_of(plant)),
      metered_j_(meters_.size()),
      load_j_(loads.size()),
      rated_j_(loads.size()) {
  dies.resize(plant.it.groups.size());
  for (std::size_t group = 0; group < hot_die_k.size(); ++group) dies[group].hot_k = hot_die_k[group];
  for (const WatchedQuantity& quantity : watched) items_.resize(std::max(items_.size(), quantity.parts.size()));
}

Statistics make_statistics(const Plant& plant, const Scenario& scenario) {
  std::vector<double> throttle_k;
  for (const RacksSpec& racks : scenario.racks) throttle_k.push_back(racks.hardware.protection.throttle_k);
  Statistics statistics(plant, throttle_k);
  if (scenario.economics.is_given) statistics.costs.emplace(plant, scenario);
  statistics.months.emplace(scenario.start);
  return statistics;
}

void meter_jobs(const Plant& plant, const workload::Workload& work, Statistics& statistics) {
  if (work.queue() != nullptr) statistics.jobs.emplace(plant, *work.queue());
}

void Statistics::observe_parts(const PlantSnapshot& m) {
  for (WatchedQuantity& quantity : watched) {
    const bool is_of_each = quantity.is_of_each();
    std::size_t part = 0;
    for (const WatchedQuantity::OfKind& kind : quantity.kinds) {
      const std::span<double> values = std::span(items_).first(kind.parts->names().size());
      kind.parts->fill_watched(kind.number, m.read_plant(), values);
      for (const double value : values) {
        quantity.extremes[is_of_each ? part : 0].add(value, m.state.time_s, part);
        ++part;
      }
    }
  }
}

void Statistics::observe_power(const PlantSnapshot& m) {
  const double t = m.state.time_s;
  if (duration_s_ == 0.0) add_powers(m, 1.0);  // the start
  seen_ = {facility_j_ / duration_s_, interval_.utility_j / duration_s_};
  facility_w.add(seen_.facility_w, t);
  utility_w.add(seen_.utility_w, t);
  generator_w.add(interval_.generator_j / duration_s_, t);
  interval_ = {};
  it_w.add(it_j_ / duration_s_, t);
  node_w.add(node_j_ / duration_s_, t);
  fan_w.add(part_fan_j_ / duration_s_, t);
  for (std::size_t k = 0; k < loads.size(); ++k) peaks[k].add(load_j_[k] / duration_s_, rated_j_[k] / duration_s_, t);
  facility_j_ = it_j_ = node_j_ = part_fan_j_ = duration_s_ = 0.0;
  std::fill(load_j_.begin(), load_j_.end(), 0.0);
  std::fill(rated_j_.begin(), rated_j_.end(), 0.0);
  for (std::size_t k = 0; k < plant_.batteries.size(); ++k) {
    const BatteryPart& battery = plant_.batteries[k];  // of a UPS without a module in service none is present
    if (m.state.switches.branch_in_service_share[battery.branch] > 0.0)
      charge_fraction.add(m.state.states[battery.charge_state], t, k);
  }
  if (!plant_.voltages) return;
  for (std::size_t bus = 0; bus < m.state.voltages.bus.size(); ++bus)
    if (m.state.switches.bus_live[bus] != 0) voltage_ratio.add(std::abs(m.state.voltages.bus[bus]), t, bus);
}

void Statistics::add_powers(const PlantSnapshot& m, double duration_s) {
  facility_j_ += duration_s * m.evaluation.power.source_total_w;
  interval_.add(plant_, m.evaluation, duration_s);
  it_j_ += duration_s * m.it_power_w();
  node_j_ += duration_s * m.power_w(plant_.it.node_use);
  if (has_node_fans(plant_)) part_fan_j_ += duration_s * m.node_fans_w();
  for (std::size_t k = 0; k < loads.size(); ++k) {
    const RatedLoad& load = loads[k];
    load_j_[k] += duration_s * load.load_w(m);
    rated_j_[k] += duration_s * (load.rated_in_service_w ? load.rated_in_service_w(m) : load.rated_w);
  }
  duration_s_ += duration_s;
}

PlantState Statistics::metered(PlantState state) const {
  for (std::size_t k = 0; k < meters_.size(); ++k) state.states[meters_[k]] = without_last_bits(metered_j_[k]);
  return state;
}

/// What is metered by month, one after the other: meters, what went into batteries, what came from where, what costs and emits.
void Statistics::observe_month(double time_s) {
  if (!months) return;
  month_meters_ = metered_j_;
  month_meters_.push_back(into_batteries_j_);
  for (const double metered :
       {sources_.utility_j, sources_.generator_j, costs ? costs->carbon_kg() : 0.0, costs ? costs->water_m3() : 0.0})
    month_meters_.push_back(metered);
  months->observe(time_s, month_meters_, seen_);
}

Statistics::OfMonth Statistics::metered_in(const MonthMeter::Month& month, PlantState state) const {
  for (std::size_t k = 0; k < meters_.size(); ++k) state.states[meters_[k]] = without_last_bits(month.amount(k));
  const auto after_meters = [&](std::size_t number) {
    return without_last_bits(month.amount(meters_.size() + number));
  };
  return {std::move(state), after_meters(0), {after_meters(1), after_meters(2)}, after_meters(3), after_meters(4)};
}

double Statistics::into_batteries_j() const { return without_last_bits(into_batteries_j_); }

SourceEnergy Statistics::from_sources() const {
  return {without_last_bits(sources_.utility_j), without_last_bits(sources_.generator_j)};
}

void Statistics::integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) {
  const PlantSnapshot m{plant_, state, evaluation};
  for (std::size_t k = 0; k < meters_.size(); ++k) metered_j_[k] += duration_s * evaluation.sinks[meters_[k]];
  into_batteries_j_ -= duration_s * evaluation.power.battery_total_w;
  sources_.add(plant_, evaluation, duration_s);
  add_powers(m, duration_s);
  if (has_node_fans(plant_)) fan_j += duration_s * m.node_fans_w();
  if (costs) costs->integrate(evaluation, duration_s);
  if (jobs) jobs->integrate(state, evaluation, duration_s);
}

void Statistics::observe_fans(const PlantSnapshot& m) {
  for (std::size_t rack = 0; rack < plant_.it.racks.size(); ++rack) {
    const bool turns =
        plant_.it.group_of(rack).has_fan_control && electrical::is_served(m.state.switches, plant_.it.racks[rack].load);
    if (turns) fan_speed_fraction.add(twin::fan_speed_fraction(m.state, rack), m.state.time_s, rack);
  }
}

void Statistics::observe_places(const PlantSnapshot& m) {
  for (std::size_t place = 0; place < places.size(); ++place) {
    const double set_point_k = m.input(places[place].set_point_input), is_k = m.node_k(places[place].node);
    const double counted_k = places[place].may_be_colder ? std::max(is_k, set_point_k) : is_k;
    above[place].add(counted_k - set_point_k, m.state.time_s - observed_s_);
    below[place].add(set_point_k - counted_k, m.state.time_s - observed_s_);
    approaches[place].add(set_point_k, counted_k);
  }
}

void Statistics::observe_dies(RackDigests racks, double t, Dies& of) {
  for (const RackDigest& rack : racks) {
    for (Extremes* extremes : {&die_k, &of.k}) {
      extremes->add(rack.hottest_k, t, rack.hottest_gpu);
      extremes->lowest = std::min(extremes->lowest, rack.coolest_k);
    }
  }
  if (hottest_die_k(racks) < of.hot_k) return;
  if (of.hot_first_s <= t) of.hot_s += t - observed_s_;
  of.hot_first_s = std::min(of.hot_first_s, t);
}

void Statistics::observe(const PlantState& state, const Evaluation& evaluation) {
  const PlantSnapshot m{plant_, state, evaluation};
  const double t = state.time_s;
  observe_power(m);
  if (costs) costs->observe(state);
  observe_month(t);
  observe_parts(m);
  if (plant_.outside.is_felt()) {
    dry_bulb_k.add(m.input(plant_.outside.dry_bulb), t);
    wet_bulb_k.add(m.input(plant_.outside.wet_bulb), t);
  }
  for (std::size_t group = 0; group < dies.size(); ++group)
    observe_dies(racks_of(plant_.it.groups[group], evaluation.racks), t, dies[group]);
  if (has_node_fans(plant_)) observe_fans(m);
  observe_places(m);
  most_throttled = std::max(most_throttled, throttled_gpus(evaluation.racks));
  observed_s_ = t;
}

}  // namespace wattloop::twin
