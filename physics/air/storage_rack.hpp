// Appliances of a storage rack: their power heats the air that passes them. How much they draw follows the traffic of jobs
// (workload/checkpoints/storage_appliance.hpp).
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::physics {

struct StorageRack {
  static constexpr std::string_view kind = "storage_rack";
  static constexpr std::string_view doc = "Storage appliances of a rack, cooled by air.";
  static constexpr UseOfPower use{"storage", "storage of jobs", "storage", true};
  struct Params {
    double highest_inlet_k;  ///< that the maker of the appliances allows
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
        Port<StorageRack>{"power", "W", &Now::power_w},
        Port<StorageRack>{"supply", &Effect::supply},
        Port<StorageRack>{"air", &Effect::air},
    };
  }

  static constexpr PartTable table{"storage_racks", "storage_rack", RecordedWith::racks};
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
    using Reading = const Instant<StorageRack>&;
    return std::array{
        Column<StorageRack>{"power", "W", "power of the appliances of the rack",
                            [](Reading reading) { return reading.power_w; }},
        Column<StorageRack>{"inlet_air_temperature", "K", "air before the appliances",
                            [](Reading reading) { return reading.shown.inlet_air_k; }},
        Column<StorageRack>{"outlet_air_temperature", "K", "air behind the appliances, before the door",
                            [](Reading reading) { return reading.shown.outlet_air_k; }},
        Column<StorageRack>{"door_return_temperature", "K", "water leaving the rear door",
                            [](Reading reading) { return reading.shown.door_return_k; }},
        Column<StorageRack>{"door_heat", "W", "heat that the rear door gave to its water",
                            [](Reading reading) {
                              return reading.shown.door_kg_per_s * reading.params.door_water_j_per_kg_k *
                                     (reading.shown.door_return_k - reading.shown.door_supply_k);
                            }},
        Column<StorageRack>{"airflow", "kg/s", "air through the rack",
                            [](Reading reading) { return reading.shown.air_kg_per_s; }},
    };
  }

  static constexpr auto limits() {
    return std::array{
        Limit<StorageRack>{"inlet_air_temperature", "K",
                           [](const Params& p) { return endures_all_beyond(p.highest_inlet_k); }, Beyond::log,
                           Side::above, "hotter than the maker of the appliances allows"},
        Limit<StorageRack>{"door_heat", "W", [](const Params& p) { return endures_all_beyond(p.door_rated_heat_w); },
                           Beyond::log, Side::above, "over the rating of the rear door"},
    };
  }

  static Effect effect(const Params&, const Now& now) noexcept {
    return {.supply = {.power_w = now.power_w}, .air = {.heat_w = now.power_w}};
  }
};

static_assert(Part<StorageRack>);

}  // namespace wattloop::physics
