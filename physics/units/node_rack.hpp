// A rack of nodes, as it is reported: coolant and air before and behind them, and what they draw. Its units have equations.
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::physics {

struct NodeRack {
  static constexpr std::string_view kind = "rack";
  static constexpr std::string_view doc = "Rack of nodes, cooled by coolant, air, or both.";
  static constexpr UseOfPower use{"node", "nodes at their AC inlets", "nodes", true};
  static constexpr bool is_only_reported = true;
  struct Params {
    double lowest_inlet_k;   ///< that the maker of its nodes allows
    double highest_inlet_k;  ///< the same
    double door_water_j_per_kg_k;
    double door_rated_heat_w;
    double highest_coolant_k;                    ///< up to which its properties are known
    bool takes_coolant = true, has_door = true;  ///< else columns of coolant or door are empty
  };

  struct Now {
    double inlet_air_k;
    double outlet_air_k;
    double supply_k;
    double return_k;
    double door_supply_k;
    double door_return_k;
    double door_kg_per_s;
    double coolant_kg_per_s;
    double air_kg_per_s;
  };
  /// The load of all its nodes.
  struct Effect {
    Power nodes;
  };

  static constexpr auto ports() {
    return std::array{
        Port<NodeRack>{"inlet_air", "K", &Now::inlet_air_k},
        Port<NodeRack>{"outlet_air", "K", &Now::outlet_air_k},
        Port<NodeRack>{"supply", "K", &Now::supply_k},
        Port<NodeRack>{"return", "K", &Now::return_k},
        Port<NodeRack>{"door_supply", "K", &Now::door_supply_k},
        Port<NodeRack>{"door_return", "K", &Now::door_return_k},
        Port<NodeRack>{"door_water", "kg/s", &Now::door_kg_per_s},
        Port<NodeRack>{"coolant", "kg/s", &Now::coolant_kg_per_s},
        Port<NodeRack>{"air", "kg/s", &Now::air_kg_per_s},
        Port<NodeRack>{"nodes", &Effect::nodes},
    };
  }

  static double if_given(bool is_given, double value) noexcept {
    return is_given ? value : std::numeric_limits<double>::quiet_NaN();
  }
  static constexpr PartTable table{"racks", "rack", RecordedWith::racks};
  static constexpr Box box{0.60, 1.20, 2.20, BoxPlace::row};
  static constexpr auto columns() {
    using Reading = const Instant<NodeRack>&;
    return std::array{
        Column<NodeRack>{"it_power", "W", "power at the AC inlets of the rack's nodes",
                         [](Reading reading) { return reading.power_w; }},
        Column<NodeRack>{"inlet_air_temperature", "K", "air before the nodes",
                         [](Reading reading) { return reading.now.inlet_air_k; }},
        Column<NodeRack>{"outlet_air_temperature", "K", "air behind the nodes, before the door",
                         [](Reading reading) { return reading.now.outlet_air_k; }},
        Column<NodeRack>{"supply_temperature", "K", "coolant at the inlets of the cold plates",
                         [](Reading reading) { return if_given(reading.params.takes_coolant, reading.now.supply_k); }},
        Column<NodeRack>{"return_temperature", "K", "coolant in the rack's return manifold",
                         [](Reading reading) { return if_given(reading.params.takes_coolant, reading.now.return_k); }},
        Column<NodeRack>{"door_return_temperature", "K", "water leaving the rear door",
                         [](Reading reading) { return if_given(reading.params.has_door, reading.now.door_return_k); }},
        Column<NodeRack>{"door_heat", "W", "heat that the rear door gave to its water",
                         [](Reading reading) {
                           return reading.now.door_kg_per_s * reading.params.door_water_j_per_kg_k *
                                  (reading.now.door_return_k - reading.now.door_supply_k);
                         }},
        Column<NodeRack>{"flow", "kg/s", "coolant through the rack",
                         [](Reading reading) { return reading.now.coolant_kg_per_s; }},
        Column<NodeRack>{"airflow", "kg/s", "air through the rack",
                         [](Reading reading) { return reading.now.air_kg_per_s; }},
    };
  }
  static constexpr auto limits() {
    constexpr std::string_view inlet = "inlet_air_temperature";
    return std::array{
        Limit<NodeRack>{inlet, "K", [](const Params& p) { return endures_all_beyond(p.highest_inlet_k); }, Beyond::log,
                        Side::above, "hotter than the maker of the nodes allows"},
        Limit<NodeRack>{inlet, "K", [](const Params& p) { return endures_all_beyond(p.lowest_inlet_k); }, Beyond::log,
                        Side::below, "colder than the maker of the nodes allows"},
        Limit<NodeRack>{"door_heat", "W", [](const Params& p) { return endures_all_beyond(p.door_rated_heat_w); },
                        Beyond::log, Side::above, "over the rating of the rear door"},
        Limit<NodeRack>{"return_temperature", "K",
                        [](const Params& p) { return endures_all_beyond(p.highest_coolant_k); }, Beyond::log,
                        Side::above, "coolant hotter than the range of its known properties"},
    };
  }
};

static_assert(Part<NodeRack>);

}  // namespace wattloop::physics
