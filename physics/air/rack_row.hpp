// A row of racks between its two aisles, as it is reported.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::physics {

struct RackRow {
  static constexpr std::string_view kind = "row";
  static constexpr std::string_view doc = "Row of racks between a cold and a hot aisle.";
  static constexpr bool is_only_reported = true;
  struct Params {};

  struct Now {
    double cold_aisle_k;
    double hot_aisle_k;
    double air_kg_per_s;       ///< through all racks
    double supplied_kg_per_s;  ///< from the air handlers
  };

  static constexpr auto ports() {
    return std::array{
        Port<RackRow>{"cold_aisle", "K", &Now::cold_aisle_k},
        Port<RackRow>{"hot_aisle", "K", &Now::hot_aisle_k},
        Port<RackRow>{"air", "kg/s", &Now::air_kg_per_s},
        Port<RackRow>{"supplied_air", "kg/s", &Now::supplied_kg_per_s},
    };
  }

  static constexpr PartTable table{"rows", "row"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<RackRow>&;
    return std::array{
        Column<RackRow>{"cold_aisle_temperature", "K", "air before the racks",
                        [](Reading reading) { return reading.now.cold_aisle_k; }},
        Column<RackRow>{"hot_aisle_temperature", "K", "air behind the rear doors",
                        [](Reading reading) { return reading.now.hot_aisle_k; }},
        Column<RackRow>{"airflow", "kg/s", "air through all racks of the row",
                        [](Reading reading) { return reading.now.air_kg_per_s; }},
        Column<RackRow>{"supplied_airflow", "kg/s", "air from the air handlers to the cold aisle",
                        [](Reading reading) { return reading.now.supplied_kg_per_s; }},
    };
  }
  static constexpr auto watched() {
    return std::array{
        Watched<RackRow>{{.name = "cold_aisle_temperature",
                          .unit = "K",
                          .place = SummaryPlace::aisles,
                          .highest = "warmest air before racks",
                          .line = {.shows = WatchedLine::Shows::range, .label = "cold aisles"}},
                         [](const Instant<RackRow>& reading) { return reading.now.cold_aisle_k; }},
    };
  }
};

static_assert(Part<RackRow>);

}  // namespace wattloop::physics
