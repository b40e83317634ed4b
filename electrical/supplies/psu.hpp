// The power supplies of a node: what they are. What they draw: electrical/supplies/psu_curve.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/field.hpp"

namespace wattloop::electrical {

/// The power supplies of one node, together.
struct PsuParams {
  static constexpr std::string_view kind = "psu";

  double rated_w = required;
  int supplies = 2;
  int cords = 2;
  double hold_up_s = 0.0;
  double lowest_input_v = 0.0;
  double highest_input_v = 1000.0;
  double efficiency_at_10_fraction = required;
  double efficiency_at_20_fraction = required;
  double efficiency_at_50_fraction = required;
  double efficiency_at_100_fraction = required;

  static constexpr auto fields() {
    using P = PsuParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive,
                 "Rated DC output of all power supplies of one node that share its load."},
        Field<P>{&P::supplies, "supplies", Range::positive,
                 "Number of equal power supplies that share the load of the node."},
        Field<P>{&P::cords, "cords", Range::positive,
                 "Number of power cords of the power supplies of a node, 1 or 2; with 1, a switch in the rack connects "
                 "all of them to the live feed."},
        Field<P>{&P::hold_up_s, "hold_up_time", "s", Range::non_negative,
                 "Hold-up time: time for which the power supplies carry rated output without input. If a switch ends a "
                 "gap within this time, the node works on."},
        Field<P>{&P::lowest_input_v, "lowest_input_voltage", "V", Range::non_negative,
                 "Lowest input voltage at which the power supplies work: phase to neutral, or line to line if this is "
                 "240 V or less; 0 V: not known."},
        Field<P>{&P::highest_input_v, "highest_input_voltage", "V", Range::positive,
                 "Highest input voltage at which the power supplies work; given like the lowest."},
        Field<P>{&P::efficiency_at_10_fraction, "efficiency_at_10_percent", "1", Range::positive_fraction,
                 "Efficiency at 10 % of rated output."},
        Field<P>{&P::efficiency_at_20_fraction, "efficiency_at_20_percent", "1", Range::positive_fraction,
                 "Efficiency at 20 % of rated output."},
        Field<P>{&P::efficiency_at_50_fraction, "efficiency_at_50_percent", "1", Range::positive_fraction,
                 "Efficiency at 50 % of rated output."},
        Field<P>{&P::efficiency_at_100_fraction, "efficiency_at_100_percent", "1", Range::positive_fraction,
                 "Efficiency at rated output."},
    };
  }
};

/// Share of the supplies that still has power while one of two cords has none; of an odd number the smaller part.
constexpr double share_on_one_cord(const PsuParams& p) noexcept {
  return p.cords < 2 ? 1.0 : static_cast<double>(p.supplies / 2) / p.supplies;
}

}  // namespace wattloop::electrical
