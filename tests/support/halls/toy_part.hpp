// A part with everything that a part may have: a fan that follows its order, in the air of a room, and a coil that it blows
// through. tests/unit/scenario/part_mistakes.cpp changes it line by line.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::tests {

struct ToyFan {
  static constexpr std::string_view kind = "toy_fan";
  static constexpr std::string_view doc = "A fan that blows outdoor air through a coil.";
  struct Params {
    double full_w;
    double lag_s;
    double sensor_lag_s;
  };

  struct State {
    double speed_fraction;
    double sensor_k;
  };
  struct Now {
    Liquid coil;
    State state;
    Motor motor;
    DryAir outside;
    Body room;
    double leaving_k;
    double set_point_k;
  };
  struct Effect {
    State rate;
    Power motor;
    Heat coil;
    Heat outside;
    Heat room;
  };

  static constexpr auto states() {
    return std::array{
        StateOf<ToyFan>{&State::speed_fraction, {"speed", "1", 0.5, 1e-3}},
        StateOf<ToyFan>{&State::sensor_k, {"sensor_temperature", "K", 300.0, 1e-2}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<ToyFan>{"coil", &Now::coil, &Effect::coil},
        Port<ToyFan>{"motor", &Now::motor, &Effect::motor},
        Port<ToyFan>{"outside", &Now::outside, &Effect::outside},
        Port<ToyFan>{"room", &Now::room, &Effect::room},
        Port<ToyFan>{"leaving", "K", &Now::leaving_k},
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<ToyFan>{&Now::set_point_k, "leaving_temperature", "K"}};
  }

  static constexpr PartTable table{"toy_fans", "toy_fan"};
  static constexpr Box box = not_drawn;
  struct Shown {
    double noise_pa;
  };
  static constexpr auto columns() {
    using Reading = const Instant<ToyFan>&;
    return std::array{
        Column<ToyFan>{"speed", "1", "speed over full speed",
                       [](Reading reading) { return reading.now.state.speed_fraction; }},
        Column<ToyFan>{"noise", "Pa", "noise beside it", [](Reading reading) { return reading.shown.noise_pa; }},
        Column<ToyFan>{"power", "W", "electric power", [](Reading reading) { return reading.power_w; }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<ToyFan>{"power", [](const Params& p) { return p.full_w; }}};
  }

  struct Rates {
    double kg_per_s;
    double j_per_kg_k;
  };
  static constexpr Rates cached_from(const Now& now) noexcept {
    return {now.coil.flow_kg_per_s, now.coil.specific_heat_j_per_kg_k};
  }
  static double cached(const Params&, const Rates& by) noexcept { return 0.5 * by.kg_per_s * by.j_per_kg_k; }

  static Effect effect(const Params& p, const Now& now, double w_per_k) noexcept {
    const auto& [speed_fraction, sensor_k] = now.state;
    const double heat_w = w_per_k * (now.coil.temperature_k - now.outside.dry_bulb_k);
    const double fan_w = is_on(now.motor) * p.full_w * speed_fraction * speed_fraction;
    const double too_warm_k = sensor_k - now.set_point_k;
    const double to_room_w = 0.1 * fan_w + 2.0 * (sensor_k - now.room.temperature_k);
    return {
        .rate = {.speed_fraction = (now.motor.command_fraction * too_warm_k - speed_fraction) / p.lag_s,
                 .sensor_k = (now.leaving_k - sensor_k) / p.sensor_lag_s},
        .motor = {.power_w = fan_w},
        .coil = {.heat_w = -heat_w},
        .outside = {.heat_w = heat_w + fan_w - to_room_w},
        .room = {.heat_w = to_room_w},
    };
  }
};

static_assert(Part<ToyFan>);

/// A part that is only reported: what a load beside a wall draws.
struct ToyGauge {
  static constexpr std::string_view kind = "toy_gauge";
  static constexpr std::string_view doc = "A gauge at a wall.";
  static constexpr bool is_only_reported = true;
  struct Params {};

  struct Now {
    double wall_k;
  };
  struct Effect {
    Power load;
  };

  static constexpr auto ports() {
    return std::array{
        Port<ToyGauge>{"wall", "K", &Now::wall_k},
        Port<ToyGauge>{"load", &Effect::load},
    };
  }

  static constexpr PartTable table{"toy_gauges", "toy_gauge", RecordedWith::racks};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Seen = const Instant<ToyGauge>&;
    return std::array{
        Column<ToyGauge>{"wall", "K", "temperature of the wall", [](Seen reading) { return reading.now.wall_k; }},
        Column<ToyGauge>{"drawn", "W", "power of the load", [](Seen reading) { return reading.power_w; }},
    };
  }
  static constexpr auto watched() {
    return std::array{Watched<ToyGauge>{
        {.name = "wall_temperature", .unit = "K", .place = SummaryPlace::rooms, .highest = "warmest wall"},
        [](const Instant<ToyGauge>& reading) { return reading.now.wall_k; }}};
  }
};

static_assert(Part<ToyGauge>);

}  // namespace wattloop::tests
