// Equipment of the one-line diagram: ratings and losses as functions of the power delivered.
//
//   transformer   loss = P_0 + P_k (S / S_r)^2                                  REFERENCES 3
//   UPS, PDU      loss = P_r (a + b L + c L^2),  L = P / P_r                     REFERENCES 1.6
//   PSU           loss piecewise linear between 80 PLUS load points             REFERENCES 1.6
//
// Verified in tests/verification/equipment_losses.cpp.
#pragma once

#include <array>
#include <string>

#include "core/field.hpp"

namespace wattloop::electrical {

/// A power transformer.
struct TransformerParams {
  double rated_va = required;
  double no_load_loss_w = required;
  double load_loss_w = required;

  static constexpr auto fields() {
    using P = TransformerParams;
    return std::array{
        Field<P>{&P::rated_va, "rated_power", "V A", Range::positive,
                 "Rated apparent power."},
        Field<P>{&P::no_load_loss_w, "no_load_loss", "W", Range::non_negative,
                 "Iron loss, drawn whenever the transformer is energised."},
        Field<P>{&P::load_loss_w, "load_loss", "W", Range::non_negative,
                 "Copper loss at rated power; follows the square of the load."},
    };
  }
};

/// A double-conversion UPS module.
struct UpsParams {
  double rated_w = required;
  double constant_loss_fraction = required;
  double linear_loss_fraction = required;
  double quadratic_loss_fraction = required;
  double battery_time_s = 300.0;

  static constexpr auto fields() {
    using P = UpsParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive,
                 "Rated output power of one module."},
        Field<P>{&P::constant_loss_fraction, "constant_loss", "1", Range::fraction,
                 "Loss at no load over rated power."},
        Field<P>{&P::linear_loss_fraction, "linear_loss", "1", Range::fraction,
                 "Loss proportional to load, over rated power."},
        Field<P>{&P::quadratic_loss_fraction, "quadratic_loss", "1", Range::fraction,
                 "Loss proportional to the square of the load, over rated power."},
        Field<P>{&P::battery_time_s, "battery_time", "s", Range::non_negative,
                 "Time for which the battery carries rated power."},
    };
  }
};

/// A power distribution unit with its busway.
struct PduParams {
  double rated_w = required;
  double constant_loss_fraction = required;
  double quadratic_loss_fraction = required;

  static constexpr auto fields() {
    using P = PduParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive,
                 "Rated power."},
        Field<P>{&P::constant_loss_fraction, "constant_loss", "1", Range::fraction,
                 "Loss at no load over rated power."},
        Field<P>{&P::quadratic_loss_fraction, "quadratic_loss", "1", Range::fraction,
                 "Loss proportional to the square of the load, over rated power."},
    };
  }
};

/// The power supplies of one node, together.
struct PsuParams {
  double rated_w = required;
  double efficiency_at_10_fraction = required;
  double efficiency_at_20_fraction = required;
  double efficiency_at_50_fraction = required;
  double efficiency_at_100_fraction = required;

  static constexpr auto fields() {
    using P = PsuParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive,
                 "Rated DC output of all supplies of one node that share its load."},
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

}  // namespace wattloop::electrical
