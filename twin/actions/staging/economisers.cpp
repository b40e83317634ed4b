#include "twin/actions/staging/economisers.hpp"

#include <algorithm>
#include <any>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "physics/air/psychrometrics.hpp"
#include "twin/actions/staging/sequences.hpp"
#include "twin/actions/weather/timeline.hpp"

namespace wattloop::twin {

namespace {

using physics::CoolingMode;
using physics::CoolingModeMemory;
using Sequence = physics::WatersideEconomiser;

const Sequence::Params& params_of(const PlannedEconomiser& economiser) {
  return std::any_cast<const Sequence::Params&>(economiser.params);
}

Sequence::Plant surroundings_of(const PlannedEconomiser& economiser) {
  return {.can_precool = economiser.can_precool,
          .cools_rooms = economiser.cools_rooms,
          .cools_condensers = economiser.cools_condensers};
}

double node_now_k(const Plant& plant, std::size_t node, const PlantState& state) {
  const std::size_t signal = plant.nodes[node].temperature_signal;
  return plant.nodes[node].is_boundary() ? state.inputs[signal - plant.map.input(0)] : state.states[signal];
}

/// Water that users bring back, mixed.
struct Returned {
  double kg_per_s = 0.0;
  double kg_k_per_s = 0.0;
};

Returned returned(const Plant& plant, const PlannedEconomiser& economiser, const Evaluation& evaluation,
                  const PlantState& state) {
  Returned sum;
  for (const EconomiserReturn& back : economiser.back) {
    const double flow_kg_per_s = evaluation.signals[back.flow];
    if (flow_kg_per_s <= 0.0) continue;
    sum.kg_per_s += flow_kg_per_s;
    sum.kg_k_per_s += flow_kg_per_s * node_now_k(plant, back.node, state);
  }
  return sum;
}

double outside_dew_point_k(const Plant& plant, const PlantState& state) {
  const double dry_bulb_k = state.inputs[plant.outside.dry_bulb];
  const double ratio = state.inputs[plant.outside.humidity_ratio], pressure_pa = state.inputs[plant.outside.pressure];
  const double vapour_pa = pressure_pa * ratio / (physics::water_to_air_mass_ratio + ratio);
  return physics::dew_point_k({dry_bulb_k, vapour_pa / physics::saturation_pressure_pa(dry_bulb_k), pressure_pa});
}

/// The highest of the rooms.
double dew_point_k(const Plant& plant, const PlannedEconomiser& economiser, const PlantState& state) {
  if (!economiser.dew_point_k) return outside_dew_point_k(plant, state);
  if (!economiser.has_rooms_like_outside) return *economiser.dew_point_k;
  return std::max(*economiser.dew_point_k, outside_dew_point_k(plant, state));
}

/// What can be seen without flows.
Sequence::Now weather_seen(const Plant& plant, const PlannedEconomiser& economiser, const PlantState& state) {
  const double supply_k = node_now_k(plant, economiser.supply_node, state);
  return {.wet_bulb_k = state.inputs[plant.outside.wet_bulb],
          .return_k = supply_k,
          .supply_k = supply_k,
          .set_point_k = state.inputs[economiser.set_point_input],
          .dew_point_k = dew_point_k(plant, economiser, state)};
}

double requested_tower_k(const PlannedEconomiser& economiser, const EconomiserState& memory, const Sequence::Now& now) {
  if (memory.now.mode == CoolingMode::mechanical) return memory.own_tower_k;
  return Sequence::tower_k(params_of(economiser), surroundings_of(economiser), now, memory.now.mode);
}

/// Valves and pumps of its exchangers. True if any changed.
bool order_exchangers(const PlannedEconomiser& economiser, CoolingMode mode, const Plant& plant, PlantState& state) {
  bool has_changed = false;
  const auto set = [&](std::size_t input, bool is_open) {
    const double position = is_open ? 1.0 : 0.0;
    has_changed = has_changed || state.inputs[input] != position;
    state.inputs[input] = position;
  };
  for (const EconomiserExchanger& exchanger : economiser.exchangers) {
    set(exchanger.cold_valve_input, mode != CoolingMode::mechanical);
    if (exchanger.to_return_input) set(*exchanger.to_return_input, mode != CoolingMode::full);
    if (exchanger.to_supply_input) set(*exchanger.to_supply_input, mode == CoolingMode::full);
    const std::size_t motors = plant.motor_groups[exchanger.motor_group].motors.size();
    state.equipment.duty[exchanger.motor_group] = mode == CoolingMode::mechanical ? 0 : motors;
  }
  return has_changed;
}

/// What else makes the water stops; where it starts again, as many as carry `heat_w` together, or all.
void order_machines(const PlannedEconomiser& economiser, CoolingMode mode, double heat_w, const Plant& plant,
                    PlantState& state) {
  for (const EconomiserMachines& machines : economiser.machines) {
    std::size_t& duty = state.equipment.duty[machines.motor_group];
    const std::size_t most = plant.motor_groups[machines.motor_group].motors.size();
    if (mode == CoolingMode::full) {
      duty = 0;
    } else if (duty == 0) {
      const double needed = machines.each_carries_w > 0.0 && std::isfinite(heat_w)
                                ? std::ceil(heat_w / machines.each_carries_w)
                                : static_cast<double>(most);
      duty = static_cast<std::size_t>(std::clamp(needed, 1.0, static_cast<double>(most)));
    }
  }
}

std::string reason(const Sequence::Params& params, const Sequence::Plant& around, const Sequence::Now& now,
                   const CoolingModeMemory& before, CoolingMode after) {
  const auto reported = [](double k) { return format_quantity(k, "K"); };
  const CoolingMode least =
      after == CoolingMode::full || before.mode == CoolingMode::full ? CoolingMode::full : CoolingMode::partial;
  if (before.mode == CoolingMode::full && Sequence::is_too_warm(params, now))
    return fmt::format("the supply is at {}, its set-point is {}", reported(now.supply_k), reported(now.set_point_k));
  return fmt::format("water would leave the exchanger at {}, returns at {}, and its set-point is {}",
                     reported(Sequence::predicted_k(params, around, now, least)), reported(now.return_k),
                     reported(now.set_point_k));
}

/// What comes of a look.
struct Look {
  CoolingModeMemory memory;
  double tower_k;
  bool moves_towers;
};

Look look(const Plant& plant, std::size_t number, const Evaluation& evaluation, const PlantState& state) {
  const PlannedEconomiser& economiser = plant.economisers[number];
  EconomiserState after = state.economisers[number];
  const Sequence::Now now = economiser_sees(plant, economiser, evaluation, state);
  const double set_k = lasting_value(economiser.tower_input, state);
  if (after.now.mode == CoolingMode::mechanical) after.own_tower_k = set_k;
  const CoolingMode before = after.now.mode;
  after.now = Sequence::look(params_of(economiser), surroundings_of(economiser), now, after.now, state.time_s);
  const double tower_k = requested_tower_k(economiser, after, now);
  const bool is_other = after.now.mode != before ? tower_k != set_k : std::abs(tower_k - set_k) > economiser.deadband_k;
  return {after.now, tower_k, is_other};
}

bool is_its_time(const PlannedEconomiser& economiser, double time_s) { return is_multiple(time_s, economiser.every_s); }

void change_mode(const Plant& plant, std::size_t number, const CoolingModeMemory& after, const Evaluation& evaluation,
                 PlantState& state, std::vector<EventRecord>& events) {
  const PlannedEconomiser& economiser = plant.economisers[number];
  EconomiserState& memory = state.economisers[number];
  const CoolingModeMemory before = memory.now;
  if (before.mode == CoolingMode::mechanical) memory.own_tower_k = lasting_value(economiser.tower_input, state);
  memory.before_s[physics::number_of(before.mode)] += state.time_s - before.since_s;
  memory.now = after;
  const Sequence::Now now = economiser_sees(plant, economiser, evaluation, state);
  const Returned back = returned(plant, economiser, evaluation, state);
  const double heat_w = back.kg_per_s * economiser.specific_heat_j_per_kg_k * (now.return_k - now.supply_k);
  order_exchangers(economiser, after.mode, plant, state);
  order_machines(economiser, after.mode, std::max(heat_w, 0.0), plant, state);
  events.push_back({state.time_s, "economiser", economiser.name,
                    fmt::format("{}, was {} for {}: {}", physics::name_of(after.mode), physics::name_of(before.mode),
                                format_quantity(state.time_s - before.since_s, "s"),
                                reason(params_of(economiser), surroundings_of(economiser), now, before, after.mode))});
}

}  // namespace

Sequence::Now economiser_sees(const Plant& plant, const PlannedEconomiser& economiser, const Evaluation& evaluation,
                              const PlantState& state) {
  Sequence::Now now = weather_seen(plant, economiser, state);
  const Returned back = returned(plant, economiser, evaluation, state);
  if (back.kg_per_s > 0.0) now.return_k = back.kg_k_per_s / back.kg_per_s;
  return now;
}

bool does_an_economiser_look(const Plant& plant, double time_s) {
  return std::ranges::any_of(plant.economisers,
                             [time_s](const PlannedEconomiser& one) { return is_its_time(one, time_s); });
}

double next_economiser_look_s(const Plant& plant, double time_s) {
  double next_s = std::numeric_limits<double>::infinity();
  for (const PlannedEconomiser& economiser : plant.economisers)
    next_s = std::min(next_s, next_multiple_s(time_s, economiser.every_s));
  return next_s;
}

bool would_an_economiser_act(const Plant& plant, const Evaluation& evaluation, const PlantState& state) {
  for (std::size_t number = 0; number < plant.economisers.size(); ++number) {
    if (!is_its_time(plant.economisers[number], state.time_s)) continue;
    const Look next = look(plant, number, evaluation, state);
    if (next.moves_towers || !(next.memory == state.economisers[number].now)) return true;
  }
  return false;
}

bool follow_economisers(const Plant& plant, const Evaluation& evaluation, PlantState& state,
                        std::vector<EventRecord>& events) {
  bool has_changed = false;
  for (std::size_t number = 0; number < plant.economisers.size(); ++number) {
    const PlannedEconomiser& economiser = plant.economisers[number];
    if (!is_its_time(economiser, state.time_s)) continue;
    const Look next = look(plant, number, evaluation, state);
    const double before_k = lasting_value(economiser.tower_input, state);
    if (next.memory.mode != state.economisers[number].now.mode) {
      change_mode(plant, number, next.memory, evaluation, state, events);
      has_changed = true;
    }
    state.economisers[number].now = next.memory;
    if (!next.moves_towers) continue;
    set_for_good(economiser.tower_input, next.tower_k, state);
    has_changed = true;
    events.push_back({state.time_s, "reset", economiser.tower_setting,
                      fmt::format("from {} to {} by {}", format_quantity(before_k, "K"),
                                  format_quantity(next.tower_k, "K"), economiser.name)});
  }
  return has_changed;
}

void order_economisers(const Plant& plant, PlantState& state) {
  for (std::size_t number = 0; number < plant.economisers.size(); ++number) {
    const PlannedEconomiser& economiser = plant.economisers[number];
    const EconomiserState& memory = state.economisers[number];
    order_exchangers(economiser, memory.now.mode, plant, state);
    order_machines(economiser, memory.now.mode, std::numeric_limits<double>::infinity(), plant, state);
    if (memory.now.mode != CoolingMode::mechanical)
      set_for_good(economiser.tower_input,
                   requested_tower_k(economiser, memory, weather_seen(plant, economiser, state)), state);
  }
}

bool choose_economiser_modes(const Plant& plant, const Evaluation& evaluation, PlantState& state) {
  bool has_changed = false;
  for (std::size_t number = 0; number < plant.economisers.size(); ++number) {
    const PlannedEconomiser& economiser = plant.economisers[number];
    EconomiserState& memory = state.economisers[number];
    const Sequence::Now now = economiser_sees(plant, economiser, evaluation, state);
    const CoolingMode before = memory.now.mode;
    CoolingMode requested = before;
    if (before == CoolingMode::full && Sequence::is_too_warm(params_of(economiser), now)) {
      requested = Sequence::with_chillers(surroundings_of(economiser));
      memory.may_rise = false;
      memory.now.may_leave_s = params_of(economiser).minimum_time_s;  // as if it had just stepped back
    } else if (memory.may_rise) {
      requested = std::max(before, Sequence::fitting(params_of(economiser), surroundings_of(economiser), now));
    }
    if (requested == before) continue;
    if (before == CoolingMode::mechanical) memory.own_tower_k = lasting_value(economiser.tower_input, state);
    if (requested == CoolingMode::mechanical) set_for_good(economiser.tower_input, memory.own_tower_k, state);
    memory.now.mode = requested;
    has_changed = true;
  }
  return has_changed;
}

bool is_set_by_an_economiser(const Plant& plant, std::size_t input, const PlantState& state) {
  for (std::size_t number = 0; number < plant.economisers.size(); ++number) {
    if (plant.economisers[number].tower_input == input)
      return state.economisers[number].now.mode != CoolingMode::mechanical;
  }
  return false;
}

}  // namespace wattloop::twin
