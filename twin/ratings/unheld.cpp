// What a hall is to hold at rest, but does not.

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "physics/water/loop_pressure.hpp"
#include "twin/plant/parts_of.hpp"
#include "twin/ratings/carried_load.hpp"

namespace wattloop::twin {

namespace {

constexpr double held_within_fraction = 0.02;

class Finder {
 public:
  Finder(const Scenario& scenario, const Moment& moment) : scenario_(scenario), now_(moment), plant_(moment.plant) {}

  std::vector<Unheld> find() {
    find_systems([](const SystemPart& system) { return system.load_flow == no_part; });
    find_pressures();
    find_systems([](const SystemPart& system) { return system.load_flow != no_part; });
    for (const RoomPart& room : plant_.rooms) {
      if (room.set_point_input != no_part)
        compare(room.name, "air of " + room.name, now_.node_k(room.node), now_.input(room.set_point_input));
    }
    find_hot_dies();
    find_dark_racks();
    return std::move(list_);
  }

 private:
  void compare(std::string what, const std::string& name, double is_k, double set_k, const std::string& why = {}) {
    if (is_k <= set_k + held_within_k || is_told(what)) return;
    list_.push_back({std::move(what),
                     fmt::format("{} is at {}, to be held at {}{}", name, format_quantity(is_k, "K"),
                                 format_quantity(set_k, "K"), why),
                     is_k - set_k});
  }

  bool is_told(const std::string& what) const {
    return std::ranges::any_of(list_, [&](const Unheld& unheld) { return unheld.what == what; });
  }

  /// Of systems that hold their temperature themselves those that are wanted.
  template <class IsWanted>
  void find_systems(const IsWanted& is_wanted) {
    for (const SystemPart& system : plant_.systems) {
      if (!system.is_own() || !is_wanted(system)) continue;
      compare(system.fluids, system.fluid, now_.node_k(system.supply_node), now_.input(system.set_point_input),
              outside_of(system));
    }
  }

  /// What it is like outside, for a system that is cooled there.
  std::string outside_of(const SystemPart& system) const {
    bool is_cooled_outside = false, evaporates = false;
    for (const NamedPart& part : plant_.named) {
      if (std::ranges::count(part.hangs_on, system.name) == 0 || std::ranges::count(part.hangs_on, "weather") == 0)
        continue;
      is_cooled_outside = true;
      evaporates = evaporates || part.kind == "tower cell";
    }
    if (!is_cooled_outside) return {};
    const double felt_k = now_.input(evaporates ? plant_.outside.wet_bulb : plant_.outside.dry_bulb);
    return fmt::format(", with a {} bulb of {} outside", evaporates ? "wet" : "dry", format_quantity(felt_k, "K"));
  }

  void find_pressures() {
    const auto& loops = parts_of<physics::LoopPressure>(plant_);
    for (std::size_t loop = 0; loop < loops.size(); ++loop) {
      const auto now = loops.now(loop, [&](std::size_t signal) { return now_.evaluation.signals[signal]; });
      const double is_pa = physics::LoopPressure::between_headers_pa(loops.params(loop), now);
      const bool is_held = now.set_point_pa <= 0.0 || is_pa >= (1.0 - held_within_fraction) * now.set_point_pa;
      if (is_held || is_told("pressure of loops")) continue;
      list_.push_back(
          {"pressure of loops", fmt::format("the pumps of {} give {}, to hold {}", loops.names()[loop],
                                            format_quantity(is_pa, "Pa"), format_quantity(now.set_point_pa, "Pa"))});
    }
  }

  void find_hot_dies() {
    for (std::size_t group = 0; group < scenario_.racks.size(); ++group) {
      const RacksSpec& racks = scenario_.racks[group];
      const workload::ProtectionParams& protection = racks.hardware.protection;
      const double hottest_k = hottest_die_k(racks_of(plant_.it.groups[group], now_.all_racks()));
      if (!protection.is_enabled || hottest_k < protection.throttle_k) continue;
      const std::string dies = racks.name.empty() ? "dies" : "dies of " + racks.name;
      list_.push_back(
          {dies, fmt::format("{} reach {} at full clock; firmware throttles from {}", dies,
                             format_quantity(hottest_k, "K"), format_quantity(protection.throttle_k, "K"))});
    }
  }

  void find_dark_racks() {
    std::string first;
    std::size_t count = 0;
    const auto look = [&](const auto& rack) {
      if (electrical::is_served(now_.state.switches, rack.load)) return;
      if (count++ == 0) first = rack.name;
    };
    std::ranges::for_each(plant_.it.racks, look);
    std::ranges::for_each(plant_.it.network_racks, look);
    if (count == 0) return;
    const std::string more = count > 1 ? fmt::format(" and {} more racks have", count - 1) : " has";
    list_.push_back({"power of racks", first + more + " no power"});
  }

  const Scenario& scenario_;
  const Moment& now_;
  const Plant& plant_;
  std::vector<Unheld> list_;
};

}  // namespace

std::vector<Unheld> unheld(const Scenario& scenario, const Moment& moment) { return Finder(scenario, moment).find(); }

}  // namespace wattloop::twin
