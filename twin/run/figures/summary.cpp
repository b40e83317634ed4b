#include "twin/run/figures/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/actions/work/coupling.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/reported_parts.hpp"
#include "twin/plant/snapshot/room_vapour.hpp"
#include "twin/run/figures/job_kpis.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/unit_costs.hpp"
#include "twin/run/meters/energy_figures.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

// What coasts down never stands quite still.
constexpr double standing_kg_per_s = 0.01, standing_fraction = 0.01;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void add_energies(const FinishedRun& run, FigureList& values) {
  const PlantState state = run.metered_state();
  const Metered metered{run.plant, state, run.statistics.into_batteries_j(), run.statistics.from_sources()};
  const EnergyBalance balance = energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy());
  add_used_energies(metered, values);
  values.number("rejected_energy", rejected_j(run.plant, state), "J",
                "heat to the outdoor air and to water from outside, minus latent_energy");
  values.number("stored_energy", balance.stored_j(), "J",
                "heat and battery energy stored at the end minus those stored at the start");
  values.number("energy_residual", balance.residual_ratio(), "1",
                "energy in minus energy out minus energy stored, divided by the largest of energy in, energy out, "
                "stored heat and energy of batteries");
  add_effectiveness(metered, values);
}

/// What the run cost and emitted, where the scenario says prices.
void add_costs(const FinishedRun& run, FigureList& values) {
  if (!run.statistics.costs) return;
  const CostMeter& costs = *run.statistics.costs;
  const PlantState state = run.metered_state();
  add_cost_figures({run.plant, state, run.statistics.into_batteries_j(), run.statistics.from_sources()}, costs,
                   costs_of(costs), costs.bill() ? costs.bill()->peak_demand_w() : 0.0, costs.carbon_kg(), values);
  const std::optional<UnitCosts> by_unit = unit_costs(run);
  if (!by_unit) return;
  const std::string& currency = costs.economics().tariff.currency;
  values.number("cost_per_gpu_time", by_unit->per_gpu_s, currency + "/s", "total cost divided by the time of all GPUs");
  if (by_unit->tokens) {
    values.number("tokens", *by_unit->tokens, "1", "tokens of the steps that training jobs completed");
    values.number("cost_per_million_tokens", by_unit->per_million_tokens, currency,
                  "total cost divided by these tokens");
  }
  if (by_unit->failed_gpu_s)
    values.number(
        "failure_cost", by_unit->failures, currency,
        "cost of the GPU time for which training jobs stopped and of the GPU time of lost work, at cost_per_gpu_time");
}

/// What condensed on coils, and the heat of it.
void add_condensate(const FinishedRun& run, FigureList& values) {
  double water_kg = 0.0, latent_j = 0.0;
  for (const RoomCondensate& room : condensate_in_rooms(run.plant, run.metered_state())) {
    water_kg += room.water_kg;
    latent_j += room.latent_j;
  }
  values.number("condensate", water_kg, "kg", "water that condensed out of the air of rooms");
  values.number("latent_energy", latent_j, "J", "heat of this condensation: outdoor air brought the vapour");
}

/// How long economisers were in each of their modes.
void add_modes(const FinishedRun& run, FigureList& values) {
  const PlantState& state = run.simulation.state();
  for (std::size_t number = 0; number < run.plant.economisers.size(); ++number) {
    const std::string& name = run.plant.economisers[number].name;
    for (const physics::CoolingMode mode : physics::all_cooling_modes) {
      values.number(fmt::format("{}_{}_time", name, physics::name_of(mode)),
                    time_in_mode_s(state.economisers[number], mode, state.time_s), "s",
                    fmt::format("time of {} in its {} mode", name, physics::name_of(mode)));
    }
  }
}

void add_powers(const FinishedRun& run, FigureList& values) {
  const PlantState state = run.metered_state();
  const Statistics& statistics = run.statistics;
  values.number("mean_node_power", state.states[run.plant.meters.energy[run.plant.it.node_use]] / state.time_s, "W",
                "mean power of all nodes together");
  values.number("peak_node_power", statistics.node_w.highest, "W", "highest power of all nodes together");
  if (!run.plant.it.storage_racks.empty()) {
    const std::size_t use = run.plant.load_use[run.plant.it.storage_racks.front().load];
    values.number("mean_storage_power", state.states[run.plant.meters.energy[use]] / state.time_s, "W",
                  "mean power of all storage racks together");
  }
  values.number("peak_it_power", statistics.it_w.highest, "W", "highest power of all IT equipment");
  values.number("peak_facility_power", statistics.facility_w.highest, "W", "highest power from " + sources_text());
  values.number("peak_utility_power", statistics.utility_w.highest, "W", "highest power from utility feeds");
  values.number("peak_generator_power", statistics.generator_w.highest, "W", "highest power from " + standby_text());
}

/// What fans of nodes draw and how fast they turn, where they follow temperatures.
void add_fans(const FinishedRun& run, FigureList& values) {
  if (!has_node_fans(run.plant)) return;
  const Statistics& statistics = run.statistics;
  values.number("mean_node_fan_power", statistics.fan_j / run.simulation.state().time_s, "W",
                "mean power of the fans of all nodes at their speeds");
  values.number("peak_node_fan_power", statistics.fan_w.highest, "W",
                "highest power of the fans of all nodes together");
  values.number("highest_node_fan_speed", statistics.fan_speed_fraction.highest, "1",
                "highest speed of node fans divided by full speed");
}

/// How long coolant, water and the air of rooms were not at their set-points, and by how much.
void add_controlled_places(const FinishedRun& run, FigureList& values) {
  const Statistics& statistics = run.statistics;
  for (std::size_t place = 0; place < statistics.places.size(); ++place) {
    const ControlledPlace& of = statistics.places[place];
    const auto add = [&](const OffSetPoint& off, std::string_view side) {
      values.number(fmt::format("{}_{}_set_point_time", of.name, side), off.time_s, "s",
                    fmt::format("{} over {} K {} set-point", of.text, set_point_tolerance_k, side));
      values.number(fmt::format("{}_most_{}_set_point", of.name, side), off.most_k, "delta_K",
                    fmt::format("largest difference: {} {} set-point; 0 if it was never more than {} K", of.text, side,
                                set_point_tolerance_k));
    };
    add(statistics.above[place], "above");
    if (!of.may_be_colder) add(statistics.below[place], "below");
  }
  values.text(
      "unreached_settings", unreached_text(statistics.places, statistics.approaches, UnitStyle::metric),
      "set-points that were never reached from the time when they were set to the end; empty if all were reached");
}

/// Name of the GPU of the hottest die; empty where none was seen yet.
std::string hottest_gpu(const FinishedRun& run) {
  const std::size_t gpu = run.statistics.die_k.highest_item;
  return gpu < run.plant.it.gpu_count() ? gpu_name(run.plant, gpu) : std::string();
}

/// From the hottest die of each group of racks to a limit of its firmware, the least of all groups.
template <class Limit>
double smallest_margin_k(const FinishedRun& run, Limit limit_k) {
  double margin_k = std::numeric_limits<double>::infinity();
  for (std::size_t group = 0; group < run.statistics.dies.size(); ++group) {
    const double hottest_k = run.statistics.dies[group].k.highest;
    margin_k = std::min(margin_k, limit_k(run.scenario.racks[group].hardware.protection) - hottest_k);
  }
  return margin_k;
}

void add_dies(const FinishedRun& run, FigureList& values) {
  const Extremes& die_k = run.statistics.die_k;
  values.number("peak_die_temperature", die_k.highest, "K", "hottest die of the run");
  values.text("peak_die_gpu", hottest_gpu(run), "GPU of the hottest die");
  values.number("peak_die_time", die_k.highest_at_s, "s", "when it was hottest");
  values.number("smallest_throttle_margin",
                smallest_margin_k(run, [](const auto& protection) { return protection.throttle_k; }), "delta_K",
                "margin of the hottest die to the temperature at which firmware throttles; negative: beyond it");
  values.number("smallest_slowdown_margin",
                smallest_margin_k(run, [](const auto& protection) { return protection.slowdown_k; }), "delta_K",
                "margin of the hottest die to the temperature at which its clock is halved; negative: beyond it");
  const WorkState& work = run.simulation.state().work;
  values.number("first_throttle_time", work.has_throttled ? work.first_throttle_s : no_number, "s",
                "first GPU below full clock; NaN if none");
  values.because("no GPU throttled");
  values.text("first_throttle_gpu", first_throttle_gpu(run.simulation),
              "first GPU that was throttled; empty if none was");
  values.number("throttled_gpu_time", work.throttled_gpu_s, "s", "GPU-seconds below full clock");
  values.number("capped_gpu_time", work.capped_gpu_s, "s", "GPU-seconds below full clock because of the power limit");
  values.count("most_throttled_gpus", run.statistics.most_throttled, "GPUs below full clock at the same time");
  values.count("shut_down_gpus", shut_down_gpus(run), "GPUs of nodes that protection switched off, at the end");
  values.count("limits_exceeded", limit_records(run).size(), "limits of parts exceeded at any time");
  values.count("trips", events_of(run.simulation, "tripped").size(),
               "electrical equipment switched off by overload or hot air");
  values.count("racks_without_power", racks_without_power(run),
               run.plant.it.storage_racks.empty() ? "of nodes and of switches, at the end"
                                                  : "of nodes, switches and storage, at the end");
  const Stopped stopped = stopped_at_end(run);
  values.count("loops_without_flow", stopped.loops.size(), "coolant loops without flow at the end");
  values.count("rooms_without_air", stopped.rooms.size(), "rooms in which all air handlers are off at the end");
}

/// Extremes of all parts, or of one that is reported by itself.
void add_extremes(const WatchedQuantity& quantity, std::size_t number, FigureList& values) {
  const WatchedAs& as = quantity.as;
  const Extremes& extremes = quantity.extremes[number];
  std::string name(as.name), of;
  if (quantity.is_of_each()) {
    name = fmt::format("{}_{}", name_by_itself(quantity, number), as.name);
    of = " of the " + words_of_name(name_by_itself(quantity, number));
  }
  const auto add = [&](std::string_view which, double value, std::string_view text) {
    if (text.empty()) return;
    values.number(fmt::format("{}_{}", which, name), value, std::string(as.unit), fmt::format("{}{}", text, of));
  };
  add("lowest", extremes.lowest, as.lowest);
  add("highest", extremes.highest, as.highest);
  add("largest", std::max(extremes.highest, -extremes.lowest), as.largest);
}

void add_loads(const FinishedRun& run, FigureList& values) {
  const Statistics& statistics = run.statistics;
  const auto name_of = [&](std::size_t load) { return statistics.loads[load].name; };
  const std::size_t worst = worst_load(statistics);
  values.number("highest_loading", peak_loading_ratio(statistics, worst), "1",
                "highest load divided by the rating in service, of all equipment");
  values.text("highest_loading_of", name_of(worst), "equipment with the highest loading");
  for (const std::string& kind : kinds_by_loading(statistics)) {
    const std::size_t load = worst_load(statistics, kind);
    values.number("highest_" + kind + "_loading", peak_loading_ratio(statistics, load), "1",
                  fmt::format("highest load divided by the rating in service, of all {}", plural_of(kind)));
    values.text("highest_" + kind + "_loading_of", name_of(load), "the one with the highest loading");
  }
  if (const Extremes& voltage = statistics.voltage_ratio; std::isfinite(voltage.lowest)) {
    values.number("lowest_voltage", voltage.lowest, "1", "lowest voltage of a live bus divided by its nominal voltage");
    values.text("lowest_voltage_of", run.plant.power_tree.bus_name[voltage.lowest_item], "bus with the lowest voltage");
  }
  if (run.plant.batteries.empty()) return;
  const Extremes& charge = statistics.charge_fraction;
  values.number("lowest_state_of_charge", charge.lowest, "1",
                "lowest energy in a battery divided by the energy of the full battery");
  const BatteryPart& battery = run.plant.batteries[charge.lowest_item];
  const auto& kind = electrical::electrical_kind(run.plant.power_tree.branch_kind[battery.branch]);
  values.text("lowest_state_of_charge_of", battery.name, fmt::format("{} of that battery", kind.noun));
}

}  // namespace

std::vector<WatchedItem> watched_in_order(const Statistics& statistics) {
  std::vector<WatchedItem> items;
  for (const WatchedQuantity& quantity : statistics.watched) {
    for (std::size_t number = 0; number < quantity.extremes.size(); ++number) items.push_back({&quantity, number});
  }
  std::ranges::stable_sort(items, {},
                           [](const WatchedItem& item) { return std::pair(item.quantity->as.place, item.number); });
  return items;
}

std::string name_by_itself(const WatchedQuantity& quantity, std::size_t part) {
  const std::string end = "_" + std::string(quantity.as.each_is_called);
  const std::string& name = quantity.parts[part];
  return name.ends_with(end) ? name : name + end;
}

std::string first_throttle_gpu(const Simulation& simulation) {
  for (const EventRecord& event : simulation.events()) {
    if (event.kind == "first_throttle") return event.target;
  }
  return {};
}

std::vector<EventRecord> events_of(const Simulation& simulation, std::string_view kind) {
  std::vector<EventRecord> found;
  std::ranges::copy_if(simulation.events(), std::back_inserter(found),
                       [kind](const EventRecord& event) { return event.kind == kind; });
  return found;
}

std::size_t racks_without_power(const FinishedRun& run) {
  const electrical::SwitchState& switches = run.simulation.state().switches;
  const auto is_dark = [&](const auto& rack) { return !electrical::is_served(switches, rack.load); };
  return static_cast<std::size_t>(std::ranges::count_if(run.plant.it.racks, is_dark) +
                                  std::ranges::count_if(run.plant.it.network_racks, is_dark) +
                                  std::ranges::count_if(run.plant.it.storage_racks, is_dark));
}

std::size_t shut_down_gpus(const FinishedRun& run) { return switched_off_gpus(run.plant, run.simulation.state()); }

Stopped stopped_at_end(const FinishedRun& run) {
  const PlantSnapshot end{run.plant, run.simulation.state(), run.simulation.evaluation()};
  Stopped stopped;
  for (const ReportedParts& reported : parts_reporting(run.plant, "loops", "flow")) {
    for (std::size_t part = 0; part < reported.set->names().size(); ++part) {
      if (reported.set->column_of(part, reported.column, end.read_plant()) < standing_kg_per_s)
        stopped.loops.push_back(reported.set->names()[part]);
    }
  }
  for (const RoomPart& room : run.plant.rooms) {
    bool has_any = false, any_turns = false;  // of what moves its air: motors that hang on it
    for (const NamedPart& part : run.plant.named) {
      if (part.motors.empty() || part.hangs_on.empty() || part.hangs_on.front() != room.name) continue;
      has_any = true;
      any_turns = any_turns || std::ranges::any_of(part.motors, [&](std::size_t motor) {
                    return end.speed_fraction(motor) > standing_fraction;
                  });
    }
    if (has_any && !any_turns) stopped.rooms.push_back(room.name);
  }
  return stopped;
}

std::size_t worst_load(const Statistics& statistics, const std::string& kind) {
  std::size_t worst = statistics.loads.size();
  for (std::size_t load = 0; load < statistics.loads.size(); ++load) {
    if (!kind.empty() && statistics.loads[load].kind != kind) continue;
    const bool is_worse = worst == statistics.loads.size() ||
                          peak_loading_ratio(statistics, load) > peak_loading_ratio(statistics, worst);
    if (is_worse) worst = load;
  }
  return worst;
}

std::vector<std::string> kinds_by_loading(const Statistics& statistics) {
  std::vector<std::string> kinds;
  for (const RatedLoad& load : statistics.loads) {
    if (std::find(kinds.begin(), kinds.end(), load.kind) == kinds.end()) kinds.push_back(load.kind);
  }
  const auto loading = [&](const std::string& kind) {
    return peak_loading_ratio(statistics, worst_load(statistics, kind));
  };
  std::stable_sort(kinds.begin(), kinds.end(), [&](const auto& a, const auto& b) { return loading(a) > loading(b); });
  return kinds;
}

std::vector<NamedValue> summarise(const FinishedRun& run) {
  FigureList values;
  add_energies(run, values);
  add_costs(run, values);
  add_condensate(run, values);
  add_modes(run, values);
  add_powers(run, values);
  add_fans(run, values);
  add_dies(run, values);
  add_jobs(run, values);
  add_tests(run, values);
  for (const auto& [quantity, number] : watched_in_order(run.statistics)) add_extremes(*quantity, number, values);
  add_controlled_places(run, values);
  add_loads(run, values);
  values.number("simulated_time", run.simulation.state().time_s, "s", "simulated time");
  const BeginState& begin = run.simulation.state().begin;
  values.number("warm_up_time", begin.warm_up_s, "s", "time of work before the start, which is not recorded");
  values.number(
      "settling_time", begin.settling_s, "s",
      "time after the start until the work has brought the hall to its own state; 0: this happened before the start");
  values.number("wall_time", run.wall_time_s, "s", "real time that the run took");
  return values.take();
}

}  // namespace wattloop::twin
