// Ports of parts: what is seen where a part joins something else, and what is done there. All of it are structs of doubles,
// so that a table can say by member pointer which number is which: a struct that holds 0, 1, 2, ... reports by
// `numbered.*member` which of its numbers a member is.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/parts/unit_model.hpp"

namespace wattloop {

/// What a port joins. A reading is a number known elsewhere.
enum class PortMedium { liquid, air, heat, weather, electric, reading };

// Types of ports: what a part sees there ...

/// A fluid where it flows in.
template <PortMedium medium>
struct Inlet {
  double temperature_k;
  double flow_kg_per_s;
  double specific_heat_j_per_kg_k;  ///< given

  constexpr operator PortNow() const noexcept { return {temperature_k, flow_kg_per_s, specific_heat_j_per_kg_k}; }
};
using Liquid = Inlet<PortMedium::liquid>;
using Air = Inlet<PortMedium::air>;

/// A fluid of which only the flow matters.
template <PortMedium medium>
struct Flow {
  double flow_kg_per_s;
};
using LiquidFlow = Flow<PortMedium::liquid>;
using AirFlow = Flow<PortMedium::air>;

/// Something that holds heat: a header, the air of a room, a wall.
struct Body {
  double temperature_k;
};

/// Air outside.
struct DryAir {
  double dry_bulb_k;
};
struct WetAir {
  double dry_bulb_k;
  double wet_bulb_k;
  double humidity_ratio;
  double pressure_pa;
};

/// The order that a motor has: 0 when it is ordered off, failed or without supply.
struct Motor {
  double command_fraction;
};
constexpr double is_on(const Motor& motor) noexcept { return motor.command_fraction > 0.0 ? 1.0 : 0.0; }

/// What switching decides of a bus or of a load: live, served, or not. Known before parts are evaluated.
struct Live {
  double live_fraction;
};

/// A bus as the power tree leaves it. Whoever sees it is evaluated behind the tree, and draws nothing.
struct Bus {
  double live_fraction;
  double voltage_v;  ///< 0 while it is dead, or where its nominal voltage is not known
  double power_w;    ///< that it carries
};

// ... and what it does there. Heat is positive into what the port joins, power positive into the part.

struct Heat {
  double heat_w;
};
struct HeatAndWater {
  double heat_w;
  double water_kg_per_s;
};
struct Power {
  double power_w;
};

/// How many numbers a struct of doubles holds.
template <class S>
inline constexpr std::size_t number_count = std::is_empty_v<S> ? 0 : sizeof(S) / sizeof(double);

/// A struct of doubles that holds `first`, `first` + 1, ...
template <class S>
constexpr S numbered(std::size_t first = 0) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) { return S{static_cast<double>(first + i)...}; }
  (std::make_index_sequence<number_count<S>>());
}

template <class S>
constexpr std::array<double, number_count<S>> numbers_in([[maybe_unused]] const S& value) {
  if constexpr (std::is_empty_v<S>) {
    return {};
  } else {
    return std::bit_cast<std::array<double, number_count<S>>>(value);
  }
}

/// Which numbers of a struct a member is.
struct Numbers {
  std::size_t first = 0;
  std::size_t count = 0;
};
template <class S, class Member>
constexpr Numbers numbers_of(Member S::*member) {
  return {static_cast<std::size_t>(numbers_in(numbered<S>().*member)[0]), number_count<Member>};
}

/// Where a member of a struct stands whose numbers are slots from `first` on.
template <class S>
constexpr std::size_t slot_of(std::size_t first, double S::*member) {
  return first + numbers_of(member).first;
}

/// Change of a quantity that matters, for steps of differences; 0 for a unit that no part has had yet.
constexpr double noticeable_change(std::string_view unit) {
  if (unit == "K" || unit == "W") return 1.0;
  if (unit == "1") return 0.1;
  if (unit == "Pa") return 1e3;
  if (unit == "kg/s") return 0.01;
  return 0.0;
}

/// What a kind does of which something is reported and that does nothing itself.
struct NothingDone {};

template <class K>
struct EffectOf {
  using type = NothingDone;
};
template <class K>
requires requires { sizeof(typename K::Effect); }
struct EffectOf<K> {
  using type = typename K::Effect;
};

/// What an electrical load is for: the parts of which PUE is made.
struct UseOfPower {
  std::string_view name;      ///< "cdu_pump"
  std::string_view text;      ///< in a sentence: "CDU pumps"
  std::string_view label;     ///< in a column: "CDU pumps"
  bool is_it = false;         ///< IT equipment; everything else is cooling
  bool is_elsewhere = false;  ///< or neither: others on the same feeder, who are no part of the facility and its PUE

  constexpr bool operator==(const UseOfPower& other) const { return name == other.name; }
};
constexpr bool is_cooling(const UseOfPower& use) noexcept { return !use.is_it && !use.is_elsewhere; }

/// One entry of `ports()`. Which structs belong together is said by the constructors: others do not compile.
template <class K>
struct Port {
  using Now = typename K::Now;
  using Effect = typename EffectOf<K>::type;
  using Number = double K::Params::*;

  std::string_view name;
  PortMedium medium;
  Numbers seen = {};
  Numbers done = {};
  std::array<double, 4> changes = {};  ///< [number seen] that matters; 0: given, stands still
  bool is_decided_elsewhere = false;   ///< by switching or the power tree: left out of derivatives
  bool follows_power = false;          ///< what is seen is known behind the power tree only
  std::string_view unit = {};          ///< of a reading
  Number volume_m3 = nullptr;          ///< of a passage: what is inside, of one temperature
  Number design_kg_per_s = nullptr;    ///< of a passage: its flow at full speed of what moves it
  bool is_moved_by_own_motor = false;  ///< of a passage: not by the pumps of its system
  Numbers imposed_flow = {};           ///< of a passage: which setting is its flow; none: what moves it says
  bool may_precool = false;            ///< of a passage: it may lead out of the return header and back into it
  std::string_view inside = {};        ///< of a reading: the passage whose inside it reads
  UseOfPower use = {};                 ///< of a motor
  Numbers speed = {};                  ///< of a motor: which number of Now is its speed
  Number restart_delay_s = nullptr;    ///< of a motor: from the return of power to the start; none: at once

  // Of kinds that a scenario may name under `parts`: what else assembly has to know.

  /// A fluid passes through a volume, moved by the pumps of the system that it is joined to.
  constexpr Port holding(Number volume, Number design_flow) const {
    Port port = *this;
    port.volume_m3 = volume;
    port.design_kg_per_s = design_flow;
    return port;
  }
  /// The same, moved by a pump of the part, whose motor another port is.
  constexpr Port pumping(Number volume, Number design_flow) const {
    Port port = holding(volume, design_flow);
    port.is_moved_by_own_motor = true;
    return port;
  }
  /// A fluid passes through a volume, as much of it as a setting says.
  constexpr Port imposing(Number volume, double Now::*flow_setting) const {
    Port port = *this;
    port.volume_m3 = volume;
    port.imposed_flow = numbers_of(flow_setting);
    return port;
  }
  /// It may also take water out of a return header and give it back there, before what makes the supply.
  constexpr Port precooling() const {
    Port port = *this;
    port.may_precool = true;
    return port;
  }
  /// A temperature inside a passage.
  constexpr Port reading_inside(std::string_view passage) const {
    Port port = *this;
    port.inside = passage;
    return port;
  }
  /// A motor whose speed is a state, and what its power is for.
  template <class State>
  constexpr Port turning(double State::*speed_state, const UseOfPower& what_for, Number delay = nullptr) const {
    Port port = *this;
    port.use = what_for;
    port.restart_delay_s = delay;
    static_assert(std::is_same_v<State, typename K::State>);
    port.speed = {numbers_of(&Now::state).first + numbers_of(speed_state).first, 1};
    return port;
  }

  /// The noticeable flow is that of the part: of large machines it is larger.
  template <PortMedium fluid>
  constexpr Port(std::string_view name_, Inlet<fluid> Now::*sees, Heat Effect::*does, double flow_change = 0.01)
      : name(name_), medium(fluid), seen(numbers_of(sees)), done(numbers_of(does)), changes{1.0, flow_change, 0.0} {}
  template <PortMedium fluid>
  constexpr Port(std::string_view name_, Flow<fluid> Now::*sees, Heat Effect::*does, double flow_change = 0.01)
      : name(name_), medium(fluid), seen(numbers_of(sees)), done(numbers_of(does)), changes{flow_change} {}
  constexpr Port(std::string_view name_, Body Now::*sees, Heat Effect::*does)
      : name(name_), medium(PortMedium::heat), seen(numbers_of(sees)), done(numbers_of(does)), changes{1.0} {}
  constexpr Port(std::string_view name_, Heat Effect::*does)
      : name(name_), medium(PortMedium::heat), done(numbers_of(does)) {}
  constexpr Port(std::string_view name_, DryAir Now::*sees, Heat Effect::*does)
      : name(name_), medium(PortMedium::weather), seen(numbers_of(sees)), done(numbers_of(does)), changes{1.0} {}
  constexpr Port(std::string_view name_, WetAir Now::*sees, HeatAndWater Effect::*does)
      : name(name_),
        medium(PortMedium::weather),
        seen(numbers_of(sees)),
        done(numbers_of(does)),
        changes{1.0, 1.0, 1e-3, 1e3} {}
  constexpr Port(std::string_view name_, WetAir Now::*sees, Heat Effect::*does)
      : name(name_),
        medium(PortMedium::weather),
        seen(numbers_of(sees)),
        done(numbers_of(does)),
        changes{1.0, 1.0, 1e-3, 1e3} {}
  constexpr Port(std::string_view name_, Motor Now::*sees, Power Effect::*does)
      : name(name_), medium(PortMedium::electric), seen(numbers_of(sees)), done(numbers_of(does)), changes{0.1} {}
  constexpr Port(std::string_view name_, Live Now::*sees)
      : name(name_), medium(PortMedium::electric), seen(numbers_of(sees)), changes{1.0}, is_decided_elsewhere(true) {}
  constexpr Port(std::string_view name_, Live Now::*sees, Power Effect::*does)
      : name(name_),
        medium(PortMedium::electric),
        seen(numbers_of(sees)),
        done(numbers_of(does)),
        changes{1.0},
        is_decided_elsewhere(true) {}
  constexpr Port(std::string_view name_, Bus Now::*sees)
      : name(name_),
        medium(PortMedium::electric),
        seen(numbers_of(sees)),
        changes{1.0, 1.0, 1.0},
        is_decided_elsewhere(true),
        follows_power(true) {}
  constexpr Port(std::string_view name_, Power Effect::*does)
      : name(name_), medium(PortMedium::electric), done(numbers_of(does)) {}
  constexpr Port(std::string_view name_, std::string_view unit_, double Now::*sees)
      : name(name_),
        medium(PortMedium::reading),
        seen(numbers_of(sees)),
        changes{noticeable_change(unit_)},
        unit(unit_) {}
};

}  // namespace wattloop
