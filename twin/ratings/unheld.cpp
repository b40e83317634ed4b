// What a hall is to hold at rest, but does not.

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "twin/ratings/carried_load.hpp"

namespace wattloop::twin {

namespace {

constexpr double held_within_k = 0.5;
constexpr double held_within_fraction = 0.02;

class Finder {
 public:
  Finder(const Scenario& scenario, const Moment& moment)
      : scenario_(scenario), now_(moment), hall_(moment.plant.hall) {}

  std::vector<Unheld> find() {
    for (const LoopPart& loop : hall_.loops) {
      const double supply_k = now_.node_k(loop.supply_node);
      compare("coolant of loops", "coolant of " + loop.name, supply_k, now_.input(loop.set_point_input));
    }
    find_pressures();
    if (is_own(hall_.facility)) find_water(hall_.facility, "facility water");
    if (is_own(hall_.chilled_water)) find_water(hall_.chilled_water, "chilled water");
    for (const RoomPart& room : hall_.rooms) {
      if (!room.crahs.empty())
        compare(room.name, "air of " + room.name, now_.node_k(room.node), now_.input(room.set_point_input));
    }
    find_hot_dies();
    find_dark_racks();
    return std::move(list_);
  }

 private:
  void compare(std::string what, const std::string& name, double is_k, double set_k, const std::string& why = {}) {
    if (is_k <= set_k + held_within_k || is_told(what)) return;
    list_.push_back({std::move(what), fmt::format("{} is at {}, to be held at {}{}", name, format_quantity(is_k, "K"),
                                                  format_quantity(set_k, "K"), why)});
  }

  bool is_told(const std::string& what) const {
    return std::ranges::any_of(list_, [&](const Unheld& unheld) { return unheld.what == what; });
  }

  void find_water(const WaterPart& water, const std::string& name) {
    const bool is_cooled_outside = hall_.wet_bulb_input != no_part && &water == &hall_.facility;
    const bool evaporates = hall_.water_meter != no_part;
    const std::string outside =
        is_cooled_outside
            ? fmt::format(", with a {} bulb of {} outside", evaporates ? "wet" : "dry",
                          format_quantity(now_.input(evaporates ? hall_.wet_bulb_input : hall_.dry_bulb_input), "K"))
            : "";
    compare(name, name, now_.node_k(water.supply_node), now_.input(water.set_point_input), outside);
  }

  void find_pressures() {
    for (const LoopPart& loop : hall_.loops) {
      const double set_pa = now_.input(loop.pressure_input);
      const double rack_kg_per_s = now_.flow_kg_per_s(loop.rack_flow);
      const double is_pa = loop.rack_resistance_pa_s2_per_kg2 * rack_kg_per_s * rack_kg_per_s;
      if (set_pa <= 0.0 || is_pa >= (1.0 - held_within_fraction) * set_pa || is_told("pressure of loops")) continue;
      list_.push_back({"pressure of loops", fmt::format("the pumps of {} give {}, to hold {}", loop.name,
                                                        format_quantity(is_pa, "Pa"), format_quantity(set_pa, "Pa"))});
    }
  }

  void find_hot_dies() {
    const workload::ProtectionParams& protection = scenario_.racks.hardware.protection;
    const double hottest_k = hottest_die_k(now_.all_racks());
    if (!protection.is_enabled || hottest_k < protection.throttle_k) return;
    list_.push_back(
        {"dies", fmt::format("dies reach {} at full clock; firmware throttles from {}", format_quantity(hottest_k, "K"),
                             format_quantity(protection.throttle_k, "K"))});
  }

  void find_dark_racks() {
    std::string first;
    std::size_t count = 0;
    const auto look = [&](const auto& rack) {
      if (electrical::is_served(now_.state.switches, rack.load)) return;
      if (count++ == 0) first = rack.name;
    };
    std::ranges::for_each(hall_.racks, look);
    std::ranges::for_each(hall_.network_racks, look);
    if (count == 0) return;
    const std::string more = count > 1 ? fmt::format(" and {} more racks have", count - 1) : " has";
    list_.push_back({"power of racks", first + more + " no power"});
  }

  const Scenario& scenario_;
  const Moment& now_;
  const HallParts& hall_;
  std::vector<Unheld> list_;
};

}  // namespace

std::vector<Unheld> unheld(const Scenario& scenario, const Moment& moment) { return Finder(scenario, moment).find(); }

}  // namespace wattloop::twin
