// Switches of a network rack: what they draw heats the air that passes them. How much they draw follows the traffic
// (network/switch_power.hpp).
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::network {

struct SwitchHeat {
  static constexpr std::string_view kind = "switches";
  static constexpr std::string_view doc = "Switches of a network rack, cooled by air.";
  static constexpr UseOfPower use{"fabric", "switches of the fabric", "fabric", true};
  struct Params {
    double highest_inlet_k;  ///< that the maker of the switches allows
    double door_water_j_per_kg_k;
    double door_rated_heat_w;
  };

  struct Now {
    double power_w;
  };
  struct Effect {
    Power supply;
    Heat air;
  };

  static constexpr auto ports() {
    return std::array{
        Port<SwitchHeat>{"power", "W", &Now::power_w},
        Port<SwitchHeat>{"supply", &Effect::supply},
        Port<SwitchHeat>{"air", &Effect::air},
    };
  }

  static constexpr PartTable table{"network", "network_rack", RecordedWith::racks};
  static constexpr Box box{0.60, 1.20, 2.20, BoxPlace::row};
  /// What columns see besides.
  struct Shown {
    double inlet_air_k;
    double outlet_air_k;
    double door_supply_k;
    double door_return_k;
    double door_kg_per_s;
    double air_kg_per_s;
  };
  static constexpr auto columns() {
    using Reading = const Instant<SwitchHeat>&;
    return std::array{
        Column<SwitchHeat>{"power", "W", "power of the rack's switches",
                           [](Reading reading) { return reading.power_w; }},
        Column<SwitchHeat>{"inlet_air_temperature", "K", "air before the switches",
                           [](Reading reading) { return reading.shown.inlet_air_k; }},
        Column<SwitchHeat>{"outlet_air_temperature", "K", "air behind the switches, before the door",
                           [](Reading reading) { return reading.shown.outlet_air_k; }},
        Column<SwitchHeat>{"door_return_temperature", "K", "water leaving the rear door",
                           [](Reading reading) { return reading.shown.door_return_k; }},
        Column<SwitchHeat>{"door_heat", "W", "heat that the rear door gave to its water",
                           [](Reading reading) {
                             return reading.shown.door_kg_per_s * reading.params.door_water_j_per_kg_k *
                                    (reading.shown.door_return_k - reading.shown.door_supply_k);
                           }},
        Column<SwitchHeat>{"airflow", "kg/s", "air through the rack",
                           [](Reading reading) { return reading.shown.air_kg_per_s; }},
    };
  }

  static constexpr auto limits() {
    return std::array{
        Limit<SwitchHeat>{"inlet_air_temperature", "K",
                          [](const Params& p) { return endures_all_beyond(p.highest_inlet_k); }, Beyond::log,
                          Side::above, "hotter than the maker of the switches allows"},
        Limit<SwitchHeat>{"door_heat", "W", [](const Params& p) { return endures_all_beyond(p.door_rated_heat_w); },
                          Beyond::log, Side::above, "over the rating of the rear door"},
    };
  }

  static Effect effect(const Params&, const Now& now) noexcept {
    return {.supply = {.power_w = now.power_w}, .air = {.heat_w = now.power_w}};
  }
};

static_assert(Part<SwitchHeat>);

}  // namespace wattloop::network
