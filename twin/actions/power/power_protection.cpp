#include "twin/actions/power/power_protection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "electrical/equipment.hpp"
#include "electrical/tree_voltages.hpp"
#include "twin/actions/events/event_order.hpp"
#include "twin/actions/power/automatic_switches.hpp"
#include "twin/actions/power/bypass.hpp"
#include "twin/plant/state/flag_overrides.hpp"

namespace wattloop::twin {

namespace {

using electrical::OverloadLimit;

constexpr double located_s = 1e-4;       ///< how exactly a trip is found: far below what the opening of a switch takes
constexpr double rounding_ratio = 1e-9;  ///< of a rating that is just carried
constexpr double reported_over_after_s = 60.0;  ///< below the rating: work that swings around it is one overload
constexpr double reported_again_ratio = 1.2;    ///< what an overload must grow by
constexpr double followed_fraction = 0.5;       ///< used share from which on any sample may be the last

/// From where on it is reported: the rating, or the limit where that is lower.
double reported_above_ratio(const OverloadLimit& limit) {
  return std::min(1.0, limit.endurance.limit) * (1.0 + rounding_ratio);
}

void count(const OverloadLimit& limit, double loading_ratio, double duration_s, double begin_s,
           PartOverload& part) noexcept {
  part.used_fraction = std::min(1.0, used_after(limit.endurance, part.used_fraction, loading_ratio, duration_s));
  part.is_used_up = part.is_used_up || (part.used_fraction >= 1.0 && loading_ratio > limit.endurance.limit);
  part.loading_ratio = loading_ratio;
  if (loading_ratio > reported_above_ratio(limit)) {
    if (!part.is_over()) part.since_s = begin_s;
    if (loading_ratio > part.worst_ratio) {
      part.worst_ratio = loading_ratio;
      part.worst_s = begin_s;
      part.worst_air = part.air;
      part.worst_in_service_share = part.in_service_share;
    }
    part.first_s = std::min(part.first_s, begin_s);
    part.over_s += duration_s;
    if (loading_ratio > limit.endurance.limit * (1.0 + rounding_ratio)) {
      part.beyond_first_s = std::min(part.beyond_first_s, begin_s);
      part.beyond_s += duration_s;
    }
    if (loading_ratio > part.highest_ratio) {
      part.highest_s = begin_s;
      part.highest_air = part.air;
    }
    part.highest_ratio = std::max(part.highest_ratio, loading_ratio);
    part.below_since_s = PartOverload::never_s;
  } else if (part.is_over()) {
    part.below_since_s = std::min(part.below_since_s, begin_s);
  }
}

/// The rating of a branch as its maker states it: a current, or apparent power where currents are known.
std::string rating_text(const Plant& plant, const electrical::SwitchState& switches, std::size_t branch, double share) {
  const electrical::PowerTree& tree = plant.power_tree;
  const double rated_w = share * tree.branch_rated_w[branch] * switches.branch_in_service_share[branch];
  if (electrical::carries_a_current(tree.branch_kind[branch])) {
    const double nominal_v = electrical::nominal_voltages(tree)[static_cast<std::size_t>(tree.branch_to[branch])];
    return format_quantity(rated_w / (std::numbers::sqrt3 * nominal_v), "A");
  }
  const bool has_current = !switches.branch_factors.empty() && tree.branch_makes_voltage[branch] == 0;
  return format_quantity(rated_w, has_current ? "V A" : "W");
}

/// A branch or source to be judged.
struct Judged {
  const std::string& name;
  const Plant& plant;
  const electrical::SwitchState& switches;
  std::size_t number;
  bool is_branch;
  const OverloadLimit& limit;
  PartOverload& part;
  OrderedFlag open;
  bool is_open;  ///< a rule may hold it closed though orders say open

  std::string loading_text(double loading_ratio, const AirAround& air) const {
    const double share = air.capacity_fraction;
    const std::string rating = is_branch ? rating_text(plant, switches, number, share)
                                         : format_quantity(share * plant.power_tree.source_rated_w[number], "W");
    const auto is_near = [loading_ratio](double ratio) { return std::abs(loading_ratio - ratio) < 0.02; };
    const int decimals = is_near(1.0) || is_near(limit.endurance.limit) ? 1 : 0;  // never as much as what it is not
    const std::string percent = fmt::format("{:.{}f} %", 100.0 * loading_ratio, decimals);
    if (air.capacity_fraction == 1.0) return fmt::format("{} of {}", percent, rating);
    return fmt::format("{} of the {} that air of {} leaves", percent, rating, format_quantity(air.air_k, "K"));
  }
};

/// What comes of an overload if the load stays, from an instant of it that is reported.
std::string prospect(const Judged& judged, double now_s, double reported_s, bool trips) {
  const Endurance& endurance = judged.limit.endurance;
  const PartOverload& part = judged.part;
  if (endurance.law == Endurance::Law::none) return "nothing protects against it";
  const double left_s = time_left_s(endurance, part.used_fraction, part.highest_ratio);
  if (!trips && part.used_fraction >= 1.0) return "would have tripped";
  if (left_s == for_ever_s) return fmt::format("carries up to {:.0f} % continuously", 100.0 * endurance.limit);
  const double after_s = now_s + left_s - reported_s;
  return fmt::format("{} after {} at this load", trips ? "trips" : "would trip", format_quantity(after_s, "s"));
}

void report(const Judged& judged, double now_s, bool trips, std::vector<EventRecord>& events) {
  PartOverload& part = judged.part;
  if (!part.is_over()) return;
  const double carried_ratio = judged.limit.endurance.limit;
  const bool is_beyond_more = part.reported_ratio <= carried_ratio && part.highest_ratio > carried_ratio;
  const bool has_grown = part.highest_ratio > part.reported_ratio * reported_again_ratio;
  if (part.reported_ratio == 0.0 || is_beyond_more || has_grown) {
    const bool is_first = std::exchange(part.reported_ratio, part.highest_ratio) == 0.0;
    const double reported_s = is_first ? part.since_s : part.highest_s;
    add_in_order(
        {reported_s, "limit_exceeded", judged.name,
         judged.loading_text(part.highest_ratio, part.highest_air) + "; " + prospect(judged, now_s, reported_s, trips)},
        events);
  }
  if (now_s < part.below_since_s + reported_over_after_s) return;
  add_in_order({part.below_since_s, "limit_cleared", judged.name,
                fmt::format("loading after {}; at most {}", format_quantity(part.below_since_s - part.since_s, "s"),
                            judged.loading_text(part.highest_ratio, part.highest_air))},
               events);
  part.forget();
}

void open(const Judged& judged, std::string cause, double now_s, std::vector<EventRecord>& events) {
  events.push_back({now_s, "tripped", judged.name, std::move(cause)});
  judged.open.set(1);
  judged.part.forget();
}

/// Opens what has used up its endurance; reports it once where nothing trips. True if it opened.
bool trip(const Judged& judged, double now_s, bool trips, std::vector<EventRecord>& events) {
  PartOverload& part = judged.part;
  const bool is_used_up = std::exchange(part.is_used_up, false);
  const double left_s = time_left_s(judged.limit.endurance, part.used_fraction, part.loading_ratio);
  if (!judged.limit.trips || judged.is_open || !(is_used_up || left_s < located_s)) return false;
  const std::string cause =
      fmt::format("overload: {}; over its rating for {}", judged.loading_text(part.loading_ratio, part.air),
                  format_quantity(now_s - part.since_s, "s"));
  if (trips) {
    part.used_fraction = 1.0;
    open(judged, cause, now_s, events);
  } else if (!std::exchange(part.is_trip_reported, true)) {
    events.push_back({now_s, "would_trip", judged.name, cause});
  }
  return trips;
}

bool judge(const Judged& judged, double now_s, bool trips, std::vector<EventRecord>& events) {
  report(judged, now_s, trips && judged.limit.trips, events);
  return trip(judged, now_s, trips, events);
}

/// Calls `visit` with the limit, the memory and the loading of each branch and source.
template <class Visit>
void visit_loadings(const electrical::PowerTree& tree, const electrical::PowerFlow& power,
                    const OverloadState& overload, Visit visit) {
  for (std::size_t b = 0; b < overload.branches.size(); ++b) {
    const PartOverload& part = overload.branches[b];
    visit(tree.branch_limit[b], part, power.branch_loading_fraction[b] / part.air.capacity_fraction);
  }
  for (std::size_t s = 0; s < overload.sources.size(); ++s) {
    visit(tree.source_limit[s], overload.sources[s], power.source_loading_fraction[s]);
  }
}

/// What the air in the room of a branch leaves of its rating.
void feel_air(const Plant& plant, std::size_t branch, std::span<const double> signals, PartOverload& part) noexcept {
  const electrical::InAir& in_air = plant.power_tree.branch_limit[branch].in_air;
  const std::size_t air = air_around(plant, branch);
  if (air == no_part || in_air.rated_up_to_k == for_ever_s) return;
  part.air = {electrical::capacity_fraction(in_air, signals[air]), signals[air]};
}

bool is_too_hot(const Plant& plant, const PlantState& state, std::size_t branch) noexcept {
  const double off_above_k = plant.power_tree.branch_limit[branch].in_air.off_above_k;
  const std::size_t air = air_around(plant, branch);
  return air != no_part && off_above_k < for_ever_s &&
         state.switching.branch_is_open[branch] == state.switching.branch_is_reversed[branch] &&
         state.switching.branch_is_failed[branch] == 0 && state.states[air] > off_above_k;
}

Judged judged_branch(const Plant& plant, std::size_t b, PlantState& state) {
  const electrical::PowerTree& tree = plant.power_tree;
  return {tree.branch_name[b],
          plant,
          state.switches,
          b,
          true,
          tree.branch_limit[b],
          state.overload.branches[b],
          OrderedFlag{state.equipment.orders, FlagOverride::Flag::branch_open, b, state.switching.branch_is_open[b]},
          state.switching.branch_is_open[b] != state.switching.branch_is_reversed[b]};
}

Judged judged_source(const Plant& plant, std::size_t s, PlantState& state) {
  const electrical::PowerTree& tree = plant.power_tree;
  return {tree.source_name[s],
          plant,
          state.switches,
          s,
          false,
          tree.source_limit[s],
          state.overload.sources[s],
          OrderedFlag{state.equipment.orders, FlagOverride::Flag::source_open, s, state.switching.source_is_open[s]},
          state.switching.source_is_open[s] != 0};
}

}  // namespace

void count_overload(const Plant& plant, const Evaluation& evaluation, double end_s, double duration_s,
                    PlantState& memory) noexcept {
  OverloadState& overload = memory.overload;
  if (end_s > overload.end_s) overload.begin_s = std::exchange(overload.end_s, end_s);
  const electrical::PowerTree& tree = plant.power_tree;
  const electrical::PowerFlow& power = evaluation.power;
  for (std::size_t b = 0; b < overload.branches.size(); ++b) {
    PartOverload& part = overload.branches[b];
    feel_air(plant, b, evaluation.signals, part);
    part.in_service_share = memory.switches.branch_in_service_share[b];
    count(tree.branch_limit[b], power.branch_loading_fraction[b] / part.air.capacity_fraction, duration_s,
          overload.begin_s, part);
  }
  for (std::size_t s = 0; s < overload.sources.size(); ++s) {
    count(tree.source_limit[s], power.source_loading_fraction[s], duration_s, overload.begin_s, overload.sources[s]);
  }
}

bool protect_power(const Plant& plant, bool trips, PlantState& state, std::vector<EventRecord>& events) {
  bool any = false;
  for (std::size_t b = 0; b < state.overload.branches.size(); ++b) {
    const bool has_tripped = judge(judged_branch(plant, b, state), state.time_s, trips, events);
    if (has_tripped) {
      go_to_bypass(plant, b, state);
      lock_out_after_trip(plant, b, state);
    }
    any = has_tripped || any;
  }
  for (std::size_t s = 0; s < state.overload.sources.size(); ++s) {
    if (!judge(judged_source(plant, s, state), state.time_s, trips, events)) continue;
    lock_out_after_trip_of_source(plant, s, state);
    any = true;
  }
  return any;
}

bool is_in_hot_air(const Plant& plant, const PlantState& state) noexcept {
  for (std::size_t b = 0; b < state.overload.branches.size(); ++b) {
    if (is_too_hot(plant, state, b)) return true;
  }
  return false;
}

bool switch_off_in_hot_air(const Plant& plant, bool trips, PlantState& state, std::vector<EventRecord>& events) {
  bool any = false;
  for (std::size_t b = 0; b < state.overload.branches.size(); ++b) {
    if (!is_too_hot(plant, state, b)) continue;
    PartOverload& part = state.overload.branches[b];
    const double air_k = state.states[air_around(plant, b)];
    const std::string cause = fmt::format("air around it at {}, it works up to {}", format_quantity(air_k, "K"),
                                          format_quantity(plant.power_tree.branch_limit[b].in_air.off_above_k, "K"));
    const bool is_first = part.hot_off_s == PartOverload::never_s;
    if (is_first) {
      part.hot_off_s = state.time_s;
      part.hot_off_k = air_k;
    }
    if (trips) {
      open(judged_branch(plant, b, state), cause, state.time_s, events);
      go_to_bypass(plant, b, state);
    } else if (is_first) {
      events.push_back({state.time_s, "would_trip", plant.power_tree.branch_name[b], cause});
    }
    any = any || trips;
  }
  return any;
}

double next_trip_s(const Plant& plant, const electrical::PowerFlow& power, const PlantState& state) {
  double left_s = for_ever_s;
  visit_loadings(plant.power_tree, power, state.overload,
                 [&](const OverloadLimit& limit, const PartOverload& part, double loading_ratio) {
                   if (!limit.trips) return;
                   left_s = std::min(left_s, time_left_s(limit.endurance, part.used_fraction, loading_ratio));
                 });
  return state.time_s + std::max(left_s, located_s);
}

bool is_near_trip(const Plant& plant, const electrical::PowerFlow& power, const OverloadState& overload) noexcept {
  bool is_near = false;
  visit_loadings(plant.power_tree, power, overload,
                 [&](const OverloadLimit& limit, const PartOverload& part, double loading_ratio) {
                   const bool may_trip = limit.trips && loading_ratio > 0.0;
                   is_near =
                       is_near ||
                       (may_trip && (loading_ratio > limit.endurance.limit || part.used_fraction > followed_fraction));
                 });
  return is_near;
}

std::string hot_air_text(const Plant& plant, const PlantState& state) {
  for (std::size_t b = 0; b < state.overload.branches.size(); ++b) {
    if (is_too_hot(plant, state, b))
      return fmt::format("air around {} is at {}, it works up to {}", plant.power_tree.branch_name[b],
                         format_quantity(state.states[air_around(plant, b)], "K"),
                         format_quantity(plant.power_tree.branch_limit[b].in_air.off_above_k, "K"));
  }
  return {};
}

}  // namespace wattloop::twin
