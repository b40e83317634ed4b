#include "twin/actions/power/tap_changers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

/// +1 where more turns are needed, which lower the voltage; 0 inside of the band, at the end of the range, and where it is dead.
int wanted_step(const Plant& plant, const PlantState& state, std::size_t branch) {
  const electrical::TapChangerRating& changer = plant.power_tree.branch_transformer[branch].changer;
  if (changer.range_fraction == 0.0) return 0;
  const double ratio = std::abs(state.voltages.bus[static_cast<std::size_t>(plant.power_tree.branch_to[branch])]);
  const double above = ratio - changer.target_ratio;
  if (ratio == 0.0 || std::abs(above) <= 0.5 * changer.dead_band_ratio) return 0;
  const int step = above > 0.0 ? 1 : -1;
  constexpr double rounding = 1e-9;
  const double turns = (state.switches.branch_tap[branch] + step) * changer.step_fraction;
  return std::abs(turns) > changer.range_fraction + rounding ? 0 : step;
}

void begin(const Plant& plant, PlantState& state) {
  const std::size_t branches = plant.power_tree.branch_name.size();
  if (state.switches.branch_tap.empty()) state.switches.branch_tap.assign(branches, 0);
  if (state.switching.tap_due_s.empty()) state.switching.tap_due_s.assign(branches, never_s);
}

}  // namespace

bool has_tap_changers(const Plant& plant) {
  return plant.voltages && std::ranges::any_of(plant.power_tree.branch_transformer,
                                               [](const auto& rating) { return rating.changer.range_fraction > 0.0; });
}

bool settle_taps(const Plant& plant, PlantState& state) {
  begin(plant, state);
  bool any = false;
  for (std::size_t branch = 0; branch < state.switches.branch_tap.size(); ++branch) {
    const int step = wanted_step(plant, state, branch);
    state.switches.branch_tap[branch] += step;
    any = any || step != 0;
  }
  return any;
}

bool step_taps(const Plant& plant, PlantState& state, std::vector<EventRecord>& events) {
  begin(plant, state);
  const electrical::PowerTree& tree = plant.power_tree;
  bool any = false;
  for (std::size_t branch = 0; branch < state.switches.branch_tap.size(); ++branch) {
    double& due_s = state.switching.tap_due_s[branch];
    const int step = wanted_step(plant, state, branch);
    const double next_due_s = state.time_s + tree.branch_transformer[branch].changer.delay_s;
    if (step == 0) {
      due_s = never_s;
    } else if (due_s == never_s) {
      due_s = next_due_s;
    } else if (state.time_s >= due_s) {
      const auto to = static_cast<std::size_t>(tree.branch_to[branch]);
      int& tap = state.switches.branch_tap[branch];
      events.push_back({state.time_s, "tap", tree.branch_name[branch],
                        fmt::format("{} has {:.1f} %: from {:+d} to {:+d}", tree.bus_name[to],
                                    100.0 * std::abs(state.voltages.bus[to]), tap, tap + step)});
      tap += step;
      due_s = next_due_s;
      any = true;
    }
  }
  return any;
}

double next_tap_s(const PlantState& state) {
  double next_s = never_s;
  for (const double due_s : state.switching.tap_due_s) {
    if (due_s > state.time_s) next_s = std::min(next_s, due_s);
  }
  return next_s;
}

}  // namespace wattloop::twin
