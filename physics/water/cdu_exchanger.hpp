// The plate exchanger of a coolant distribution unit: technology coolant at its inlet, facility water at its inlet.
// Equations, source and verification: physics/water/cdu.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/water/cdu.hpp"

namespace wattloop::physics {

struct CduExchanger {
  static constexpr std::string_view kind = "cdu_exchanger";
  static constexpr std::string_view doc = "Plate exchanger of a CDU, between technology coolant and facility water.";
  using Params = CduParams;

  struct Now {
    Liquid technology;
    Liquid facility;
  };
  struct Effect {
    Heat technology;
    Heat facility;
  };

  static constexpr auto ports() {
    return std::array{
        Port<CduExchanger>{"technology", &Now::technology, &Effect::technology},
        Port<CduExchanger>{"facility", &Now::facility, &Effect::facility},
    };
  }

  static constexpr PartTable table{"cdus", "cdu"};
  static constexpr Box box{0.90, 1.20, 2.05, BoxPlace::row};
  /// What columns see besides.
  struct Shown {
    double technology_leaving_k;
    double facility_leaving_k;
    double valve_fraction;  ///< position
    double set_point_k;     ///< of the technology side
  };
  static double taken_up_w(const Instant<CduExchanger>& reading) noexcept {
    const Liquid& water = reading.now.facility;
    return water.flow_kg_per_s * water.specific_heat_j_per_kg_k *
           (reading.shown.facility_leaving_k - water.temperature_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<CduExchanger>&;
    return std::array{
        Column<CduExchanger>{"supply_temperature", "K", "coolant leaving the unit",
                             [](Reading reading) { return reading.shown.technology_leaving_k; }},
        Column<CduExchanger>{"return_temperature", "K", "coolant entering the unit",
                             [](Reading reading) { return reading.now.technology.temperature_k; }},
        Column<CduExchanger>{"facility_return_temperature", "K", "facility water leaving the unit",
                             [](Reading reading) { return reading.shown.facility_leaving_k; }},
        Column<CduExchanger>{"flow", "kg/s", "coolant through the unit",
                             [](Reading reading) { return reading.now.technology.flow_kg_per_s; }},
        Column<CduExchanger>{"facility_flow", "kg/s", "facility water through the unit",
                             [](Reading reading) { return reading.now.facility.flow_kg_per_s; }},
        Column<CduExchanger>{"heat", "W", "heat carried away by the facility water", taken_up_w},
        Column<CduExchanger>{
            "loading", "1", "heat divided by rated heat",
            [](Reading reading) { return std::max(taken_up_w(reading), 0.0) / reading.params.rated_heat_w; }},
        Column<CduExchanger>{"valve_position", "1", "position of the facility valve",
                             [](Reading reading) { return reported_fraction(reading.shown.valve_fraction); }},
    };
  }
  static constexpr auto ratings() {
    return std::array{
        Rating<CduExchanger>{"heat", [](const Params& p) { return p.rated_heat_w; }, "heat of the racks of its loop"}};
  }
  static constexpr auto watched() {
    return std::array{
        Watched<CduExchanger>{{.name = "supply_error",
                               .unit = "delta_K",
                               .place = SummaryPlace::coolant_supply,
                               .largest = "largest distance of a CDU's supply temperature from its set-point"},
                              [](const Instant<CduExchanger>& reading) {
                                return reading.shown.technology_leaving_k - reading.shown.set_point_k;
                              }},
    };
  }

  struct Rates {
    double technology_kg_per_s;
    double technology_j_per_kg_k;
    double facility_kg_per_s;
    double facility_j_per_kg_k;
  };
  static constexpr Rates cached_from(const Now& now) noexcept {
    return {now.technology.flow_kg_per_s, now.technology.specific_heat_j_per_kg_k, now.facility.flow_kg_per_s,
            now.facility.specific_heat_j_per_kg_k};
  }
  /// Watts per kelvin between the inlets.
  static double cached(const Params& p, const Rates& by) noexcept {
    return cdu_w_per_k(p, {0.0, by.technology_kg_per_s, by.technology_j_per_kg_k},
                       {0.0, by.facility_kg_per_s, by.facility_j_per_kg_k});
  }

  static Effect effect(const Params&, const Now& now, double w_per_k) noexcept {
    const double heat_w = w_per_k * (now.technology.temperature_k - now.facility.temperature_k);
    return {.technology = {.heat_w = -heat_w}, .facility = {.heat_w = heat_w}};
  }
};

static_assert(Part<CduExchanger>);

}  // namespace wattloop::physics
