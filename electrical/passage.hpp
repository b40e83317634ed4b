// Passages: what every piece of equipment does through which power goes on its way, whatever its kind. The power tree
// evaluates all its branches by this.
//
//   input = output + loss(output) + charging      while it is fed
//   battery = output + loss(output)               while it carries on without its feed
//
// Balance over random numbers: tests/unit/plant/electrical_kinds.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "electrical/loss_curve.hpp"

namespace wattloop::electrical {

// What is seen where power leaves, and at a battery.

/// Whether what hangs there is fed from here, and what it draws.
struct Outlet {
  double feeds_fraction;
  double power_w;
};
/// What the battery takes while there is a feed.
struct Charger {
  double power_w;
};

/// One entry of `ports()` of equipment on the way of power. Power is positive into the equipment.
template <class K>
struct PowerPort {
  using Now = typename K::Now;
  using Effect = typename K::Effect;

  std::string_view name;
  PortMedium medium;
  Numbers seen = {};
  Numbers done = {};
  bool is_of_battery = false;

  constexpr PowerPort(std::string_view name_, Live Now::*sees, Power Effect::*does)
      : name(name_), medium(PortMedium::electric), seen(numbers_of(sees)), done(numbers_of(does)) {}
  constexpr PowerPort(std::string_view name_, Outlet Now::*sees)
      : name(name_), medium(PortMedium::electric), seen(numbers_of(sees)) {}
  constexpr PowerPort(std::string_view name_, Heat Effect::*does)
      : name(name_), medium(PortMedium::heat), done(numbers_of(does)) {}
  constexpr PowerPort(std::string_view name_, Charger Now::*sees, Power Effect::*does)
      : name(name_),
        medium(PortMedium::electric),
        seen(numbers_of(sees)),
        done(numbers_of(does)),
        is_of_battery(true) {}
};

struct Passage {
  struct Now {
    Live input;  ///< closed, and fed
    Outlet output;
    Charger battery;
  };
  struct Effect {
    Power input;
    Heat room;
    Power battery;
  };

  static constexpr auto ports() {
    return std::array{
        PowerPort<Passage>{"input", &Now::input, &Effect::input},
        PowerPort<Passage>{"output", &Now::output},
        PowerPort<Passage>{"room", &Effect::room},
        PowerPort<Passage>{"battery", &Now::battery, &Effect::battery},
    };
  }

  static constexpr Effect effect(const LossCurve& curve, const Now& now) noexcept {
    const bool is_fed = now.input.live_fraction > 0.0, feeds = now.output.feeds_fraction > 0.0;
    const double output_w = feeds ? now.output.power_w : 0.0;
    const double lost_w = is_fed || feeds ? loss_w(curve, output_w) : 0.0;
    const double charged_w = is_fed ? now.battery.power_w : 0.0;
    return {
        .input = {.power_w = is_fed ? output_w + lost_w + charged_w : 0.0},
        .room = {.heat_w = lost_w},
        .battery = {.power_w = is_fed ? 0.0 - charged_w : output_w + lost_w},
    };
  }
};

static_assert(DeclaresEachNumberSeenOnce<Passage> && DeclaresEachNumberDoneOnce<Passage> && NamesEachPortOnce<Passage>);

}  // namespace wattloop::electrical
