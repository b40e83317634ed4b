// Racks of equipment that its own fans cool: the power of the equipment heats the air that passes it, and a rear door takes the heat
// where the hall has doors. How much the equipment draws follows the traffic (network/switch_power.hpp) and the saves of jobs
// (workload/checkpoints/storage_appliance.hpp).
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::physics {

/// `Contents` gives the kind its name, its use of power, its table and its texts.
template <class Contents>
struct AirCooledRack {
  static constexpr std::string_view kind = Contents::kind;
  static constexpr std::string_view doc = Contents::doc;
  static constexpr UseOfPower use = Contents::use;
  struct Params {
    double highest_inlet_k;  ///< that the maker of the equipment allows
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
        Port<AirCooledRack>{"power", "W", &Now::power_w},
        Port<AirCooledRack>{"supply", &Effect::supply},
        Port<AirCooledRack>{"air", &Effect::air},
    };
  }

  static constexpr PartTable table = Contents::table;
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
    using Reading = const Instant<AirCooledRack>&;
    return std::array{
        Column<AirCooledRack>{"power", "W", Contents::power_text, [](Reading reading) { return reading.power_w; }},
        Column<AirCooledRack>{"inlet_air_temperature", "K", Contents::inlet_air_text,
                              [](Reading reading) { return reading.shown.inlet_air_k; }},
        Column<AirCooledRack>{"outlet_air_temperature", "K", Contents::outlet_air_text,
                              [](Reading reading) { return reading.shown.outlet_air_k; }},
        Column<AirCooledRack>{"door_return_temperature", "K", "water leaving the rear door",
                              [](Reading reading) { return reading.shown.door_return_k; }},
        Column<AirCooledRack>{"door_heat", "W", "heat that the rear door gave to its water",
                              [](Reading reading) {
                                return reading.shown.door_kg_per_s * reading.params.door_water_j_per_kg_k *
                                       (reading.shown.door_return_k - reading.shown.door_supply_k);
                              }},
        Column<AirCooledRack>{"airflow", "kg/s", "air through the rack",
                              [](Reading reading) { return reading.shown.air_kg_per_s; }},
    };
  }

  static constexpr auto limits() {
    return std::array{
        Limit<AirCooledRack>{"inlet_air_temperature", "K",
                             [](const Params& p) { return endures_all_beyond(p.highest_inlet_k); }, Beyond::log,
                             Side::above, Contents::too_hot_text},
        Limit<AirCooledRack>{"door_heat", "W", [](const Params& p) { return endures_all_beyond(p.door_rated_heat_w); },
                             Beyond::log, Side::above, "over the rating of the rear door"},
    };
  }

  static Effect effect(const Params&, const Now& now) noexcept {
    return {.supply = {.power_w = now.power_w}, .air = {.heat_w = now.power_w}};
  }
};

struct SwitchesOfRack {
  static constexpr std::string_view kind = "switches", doc = "Switches of a network rack, cooled by air.";
  static constexpr UseOfPower use{"fabric", "switches of the fabric", "fabric", true};
  static constexpr PartTable table{"network", "network_rack", RecordedWith::racks};
  static constexpr std::string_view power_text = "power of the rack's switches",
                                    inlet_air_text = "air before the switches",
                                    outlet_air_text = "air behind the switches, before the door",
                                    too_hot_text = "hotter than the maker of the switches allows";
};

struct AppliancesOfRack {
  static constexpr std::string_view kind = "storage_rack", doc = "Storage appliances of a rack, cooled by air.";
  static constexpr UseOfPower use{"storage", "storage of jobs", "storage", true};
  static constexpr PartTable table{"storage_racks", "storage_rack", RecordedWith::racks};
  static constexpr std::string_view power_text = "power of the appliances of the rack",
                                    inlet_air_text = "air before the appliances",
                                    outlet_air_text = "air behind the appliances, before the door",
                                    too_hot_text = "hotter than the maker of the appliances allows";
};

using NetworkRack = AirCooledRack<SwitchesOfRack>;
using StorageRack = AirCooledRack<AppliancesOfRack>;

static_assert(Part<NetworkRack> && Part<StorageRack>);

}  // namespace wattloop::physics
