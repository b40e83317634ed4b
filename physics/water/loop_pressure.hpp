// What holds the differential pressure between the headers of a technology loop: sensor and integral of the controller that
// all pumps of the loop follow. The sensor sees what the racks, in parallel, leave between the headers. The loop is reported here.
//
//   dp = R m |m|^(k-1)                                 m: flow of one rack
//
// and as in physics/water/pressure_control.hpp, where sources are. Verified in tests/verification/water/pressure_control.cpp.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/water/header_limits.hpp"
#include "physics/water/pressure_control.hpp"

namespace wattloop::physics {

struct LoopPressure {
  static constexpr std::string_view kind = "loop_pressure";
  static constexpr std::string_view doc = "Controller of the differential pressure between the headers of a loop.";
  struct Params {
    PressureControlParams control;
    double rack_resistance_pa_s2_per_kg2;  ///< what 1 kg/s takes; its unit as named is that of exponent 2
    double rack_exponent = 2.0;
    // What columns need of the loop besides.
    double racks;  ///< as many of this resistance take the flow of all, but of those that flow by themselves
    double specific_heat_j_per_kg_k;
    double rated_heat_w;  ///< of all its CDUs
    FluidRange liquid;
    bool has_others = false;  ///< racks that flow by themselves
  };

  using State = PressureControl;
  struct Now {
    double rack_kg_per_s;
    double set_point_pa;
    double highest_speed_fraction;
    State state;
  };
  struct Effect {
    State rate;
  };

  static constexpr auto states() {
    return std::array{
        StateOf<LoopPressure>{&State::sensor_pa, {"pressure_sensor", "Pa", 1e5, 20.0}},
        StateOf<LoopPressure>{&State::integral_fraction, {"pressure_integral", "1", 0.7, 1e-3}},
    };
  }
  static constexpr auto ports() { return std::array{Port<LoopPressure>{"rack_flow", "kg/s", &Now::rack_kg_per_s}}; }
  static constexpr auto settings() {
    return std::array{
        Setting<LoopPressure>{&Now::set_point_pa, "differential_pressure", "Pa"},
        Setting<LoopPressure>{&Now::highest_speed_fraction, "pump_speed", "1"},
    };
  }

  static constexpr PartTable table{"loops", "loop"};
  static constexpr Box box = not_drawn;
  /// What columns see besides.
  struct Shown {
    double supply_k;
    double return_k;
    double supply_set_point_k;
    double others_kg_per_s;  ///< through racks that flow by themselves; read where there are any
  };
  static double between_headers_pa(const Params& p, const Now& now) noexcept {
    const double size_kg_per_s = std::abs(now.rack_kg_per_s);
    const double slope = p.rack_exponent == 2.0 ? size_kg_per_s : std::pow(size_kg_per_s, p.rack_exponent - 1.0);
    return p.rack_resistance_pa_s2_per_kg2 * now.rack_kg_per_s * slope;
  }
  static double flow_kg_per_s(const Instant<LoopPressure>& reading) noexcept {
    const double alike_kg_per_s = reading.now.rack_kg_per_s * reading.params.racks;
    return reading.params.has_others ? alike_kg_per_s + reading.shown.others_kg_per_s : alike_kg_per_s;
  }
  static double taken_up_w(const Instant<LoopPressure>& reading) noexcept {
    return flow_kg_per_s(reading) * reading.params.specific_heat_j_per_kg_k *
           (reading.shown.return_k - reading.shown.supply_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<LoopPressure>&;
    return std::array{
        Column<LoopPressure>{"supply_temperature", "K", "coolant in the supply header",
                             [](Reading reading) { return reading.shown.supply_k; }},
        Column<LoopPressure>{"return_temperature", "K", "coolant in the return header",
                             [](Reading reading) { return reading.shown.return_k; }},
        Column<LoopPressure>{"supply_set_point", "K", "set-point of the supply temperature",
                             [](Reading reading) { return reading.shown.supply_set_point_k; }},
        Column<LoopPressure>{"flow", "kg/s", "coolant through all racks of the loop", flow_kg_per_s},
        Column<LoopPressure>{"differential_pressure", "Pa",
                             "pressure between the headers: the pressure drop of the racks",
                             [](Reading reading) { return between_headers_pa(reading.params, reading.now); }},
        Column<LoopPressure>{"heat", "W",
                             "heat between the headers: the heat that the racks of the loop gave to the coolant",
                             taken_up_w},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<LoopPressure>{"heat", [](const Params& p) { return p.rated_heat_w; }}};
  }
  static constexpr auto limits() { return limits_of_headers<LoopPressure>(); }
  static constexpr auto watched() {
    using Reading = const Instant<LoopPressure>&;
    return std::array{
        Watched<LoopPressure>{{.name = "supply_temperature",
                               .unit = "K",
                               .place = SummaryPlace::coolant_supply,
                               .lowest = "coldest supply header",
                               .highest = "warmest supply header",
                               .line = {.shows = WatchedLine::Shows::range, .label = "coolant supply"}},
                              [](Reading reading) { return reading.shown.supply_k; }},
        Watched<LoopPressure>{{.name = "return_temperature",
                               .unit = "K",
                               .place = SummaryPlace::coolant_return,
                               .highest = "warmest return header",
                               .line = {.shows = WatchedLine::Shows::highest, .label = "coolant return"}},
                              [](Reading reading) { return reading.shown.return_k; }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    return {.rate = pressure_control_rates(p.control, {now.set_point_pa, now.highest_speed_fraction}, now.state,
                                           between_headers_pa(p, now))};
  }
};

static_assert(Part<LoopPressure>);

}  // namespace wattloop::physics
