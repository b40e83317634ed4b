// Electrical equipment with everything that a kind may have. tests/unit/scenario/part_mistakes.cpp changes it line by line.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::tests {

struct ToyLine {
  static constexpr std::string_view kind = "toy_line", noun = "toy line", plural = "toy lines";
  static constexpr std::string_view doc = "A line with a battery.";
  struct Params {
    double rated_w = required;
    double resistance_per_w = required;
    double energy_j = 0.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated power."},
          Field<P>{&P::resistance_per_w, "resistance", "W-1", Range::non_negative, "Loss over power squared."},
          Field<P>{&P::energy_j, "energy", "J", Range::non_negative, "Energy of a full battery."},
      };
    }
  };

  struct State {
    double charge_fraction;
  };
  static constexpr auto states() {
    return std::array{StateOf<ToyLine>{&State::charge_fraction, {"charge", "1", 1.0, 1e-6}}};
  }

  static constexpr std::array events{PartEvent::open, PartEvent::close};
  static constexpr PartTable table{"toy_lines", "toy_line"};
  static constexpr Box box = not_drawn;
  static constexpr std::array more_columns{
      electrical::ReadingColumn{"charge", "1", "charge of the battery",
                                [](const electrical::Reading& reading) { return reading.charge_fraction; }},
  };
  static constexpr auto columns() { return electrical::with_more(electrical::passage_columns, more_columns); }
  static constexpr auto ratings() {
    return std::array{Rating<ToyLine>{"power", [](const Params& p) { return p.rated_w; }}};
  }

  static constexpr electrical::LossCurve loss_curve(const Params& p) noexcept {
    return {.quadratic_per_w = p.resistance_per_w};
  }
  static constexpr electrical::Battery battery(const Params& p) noexcept {
    return {.energy_j = p.energy_j, .charger_w = 0.1 * p.rated_w};
  }
};

static_assert(electrical::PassageKind<ToyLine>);

}  // namespace wattloop::tests
