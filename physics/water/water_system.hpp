// A water system with a plant of its own, as it is reported: its headers and what flows between them.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/water/header_limits.hpp"

namespace wattloop::physics {

struct WaterSystem {
  static constexpr std::string_view kind = "water_system";
  static constexpr std::string_view doc = "Water between a supply and a return header, cooled and used in the hall.";
  static constexpr bool is_only_reported = true;
  struct Params {
    FluidRange liquid;
  };

  struct Now {
    double supply_k;
    double return_k;         ///< that users bring back
    double source_return_k;  ///< that goes to towers or chillers, with the bypass
    double set_point_k;
    double source_kg_per_s;
    double bypass_kg_per_s;  ///< from the supply to the return header
  };

  static constexpr auto ports() {
    return std::array{
        Port<WaterSystem>{"supply", "K", &Now::supply_k},
        Port<WaterSystem>{"return", "K", &Now::return_k},
        Port<WaterSystem>{"source_return", "K", &Now::source_return_k},
        Port<WaterSystem>{"set_point", "K", &Now::set_point_k},
        Port<WaterSystem>{"source", "kg/s", &Now::source_kg_per_s},
        Port<WaterSystem>{"bypass", "kg/s", &Now::bypass_kg_per_s},
    };
  }

  static constexpr PartTable table{"water_systems", "water_system"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<WaterSystem>&;
    return std::array{
        Column<WaterSystem>{"supply_temperature", "K", "water in the supply header",
                            [](Reading reading) { return reading.now.supply_k; }},
        Column<WaterSystem>{"return_temperature", "K", "return water of the users, before the bypass mixes with it",
                            [](Reading reading) { return reading.now.return_k; }},
        Column<WaterSystem>{"source_return_temperature", "K", "water to towers or chillers, bypass included",
                            [](Reading reading) { return reading.now.source_return_k; }},
        Column<WaterSystem>{"supply_set_point", "K", "set-point of the supply temperature",
                            [](Reading reading) { return reading.now.set_point_k; }},
        Column<WaterSystem>{"flow", "kg/s", "water to all users",
                            [](Reading reading) { return reading.now.source_kg_per_s - reading.now.bypass_kg_per_s; }},
        Column<WaterSystem>{"source_flow", "kg/s", "water through towers or chillers",
                            [](Reading reading) { return reading.now.source_kg_per_s; }},
        Column<WaterSystem>{"bypass_flow", "kg/s",
                            "water from the supply to the return header; negative: the other way",
                            [](Reading reading) { return reading.now.bypass_kg_per_s; }},
    };
  }
  static constexpr auto limits() { return limits_of_headers<WaterSystem>(); }
  static constexpr auto watched() {
    using Reading = const Instant<WaterSystem>&;
    return std::array{
        Watched<WaterSystem>{{.name = "supply_temperature",
                              .unit = "K",
                              .place = SummaryPlace::water,
                              .lowest = "coldest supply",
                              .highest = "warmest supply",
                              .line = {.shows = WatchedLine::Shows::range, .what = "supply"},
                              .each_is_called = "water"},
                             [](Reading reading) { return reading.now.supply_k; }},
        Watched<WaterSystem>{{.name = "return_temperature",
                              .unit = "K",
                              .place = SummaryPlace::water,
                              .highest = "warmest return",
                              .line = {.shows = WatchedLine::Shows::highest, .what = "return"},
                              .each_is_called = "water"},
                             [](Reading reading) { return reading.now.return_k; }},
    };
  }
};

static_assert(Part<WaterSystem>);

}  // namespace wattloop::physics
