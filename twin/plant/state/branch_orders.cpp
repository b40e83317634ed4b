#include "twin/plant/state/branch_orders.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "twin/plant/state/flag_overrides.hpp"

namespace wattloop::twin {

namespace {

constexpr double looks_s = -1.0;  ///< of a rule that looks at what is live at the next instant

bool allows(const InterlockPart& lock, const SwitchingState& switching, std::size_t branch) {
  const auto here = std::ranges::find(lock.branches, branch);
  if (here == lock.branches.end()) return true;
  const auto closed = std::count_if(lock.branches.begin(), here,
                                    [&](std::size_t member) { return is_ordered_closed(switching, member); });
  return static_cast<std::size_t>(closed) < lock.most_closed;
}

}  // namespace

bool is_ordered_closed(const SwitchingState& switching, std::size_t branch) {
  return switching.branch_is_failed[branch] == 0 &&
         switching.branch_is_open[branch] == switching.branch_is_reversed[branch];
}

const InterlockPart* forbidding_interlock(const Plant& plant, const SwitchingState& switching, std::size_t branch) {
  const std::vector<InterlockPart>& locks = plant.switch_rules.interlocks;
  const auto lock =
      std::ranges::find_if(locks, [&](const InterlockPart& one) { return !allows(one, switching, branch); });
  return lock == locks.end() ? nullptr : &*lock;
}

const InterlockPart* holding_interlock(const Plant& plant, const SwitchingState& switching, std::size_t branch) {
  return is_ordered_closed(switching, branch) ? forbidding_interlock(plant, switching, branch) : nullptr;
}

void note_order_to_branch(const Plant& plant, std::size_t branch, bool is_restored, PlantState& state) {
  SwitchingState& switching = state.switching;
  switching.branch_is_reversed[branch] = 0;
  for (std::size_t number = 0; number < plant.switch_rules.automatic.size(); ++number) {
    AutomaticState& memory = switching.automatic[number];
    if (plant.switch_rules.automatic[number].branch != branch) {
      std::erase(memory.parted, static_cast<int>(branch));
      continue;
    }
    const bool is_to_open = switching.branch_is_open[branch] != 0 && !is_restored;
    if (memory.is_closed != 0 && !is_to_open && switching.branch_is_failed[branch] == 0) {
      switching.branch_is_reversed[branch] = switching.branch_is_open[branch];
      memory.closes_s = looks_s;
      memory.returns_s = std::numeric_limits<double>::infinity();
    } else {
      for (const int parted : memory.parted) switching.branch_is_reversed[static_cast<std::size_t>(parted)] = 0;
      memory = {};
    }
    memory.is_by_hand = is_restored ? 0 : 1;
  }
}

void open_what_interlocks_forbid(const Plant& plant, PlantState& state, std::vector<EventRecord>& events) {
  SwitchingState& switching = state.switching;
  for (const InterlockPart& lock : plant.switch_rules.interlocks) {
    for (const std::size_t branch : lock.branches) {
      if (state.switches.branch_closed[branch] == 0 || holding_interlock(plant, switching, branch) != &lock) continue;
      events.push_back({state.time_s, "transfer", plant.power_tree.branch_name[branch],
                        "opens: interlock " + lock.name + " forbids it"});
      const bool is_by_rule = switching.branch_is_reversed[branch] != 0;
      OrderedFlag{state.equipment.orders, FlagOverride::Flag::branch_open, branch, switching.branch_is_open[branch]}
          .set(1);
      note_order_to_branch(plant, branch, false, state);
      if (is_by_rule) note_order_to_branch(plant, branch, true, state);
    }
  }
}

}  // namespace wattloop::twin
