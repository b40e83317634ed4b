// Equipment of the one-line diagram: ratings and losses as functions of the power delivered.
//
//   feeder        loss = R (P / V)^2                           three-phase, unity power factor
//   transformer   loss = P_0 + P_k (S / S_r)^2                 [iec_60076_1], S = P at unity power factor
//   UPS           loss = P_r (a + b L + c L^2),  L = P / P_r   double conversion
//   PDU           loss = P_r (a + c L^2)
//   converter     P_in = (P + a) / eta                         [exadigit_raps], rectifiers and DC converters
//   breaker       none
//   PSU           loss piecewise linear in the output [program_80plus]: electrical/psu_curve.hpp
//
// Every branch of the diagram is thus a quadratic in its output, `LossCurve`, and identical modules in
// parallel are one again. Voltages are nominal and power factors one: reactive power is not modelled. Beyond
// a rating the curves go on; whoever calls compares loads with ratings and warns. Verified in
// tests/verification/equipment_losses.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/field.hpp"

namespace wattloop::electrical {

/// A cable or busway, three-phase.
struct FeederParams {
  static constexpr std::string_view kind = "feeder";

  double rated_w = required;
  double voltage_v = required;
  double resistance_ohm = 0.0;

  static constexpr auto fields() {
    using P = FeederParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Power that the conductors carry for ever."},
        Field<P>{&P::voltage_v, "voltage", "V", Range::positive, "Nominal voltage between phases."},
        Field<P>{&P::resistance_ohm, "resistance", "ohm", Range::non_negative,
                 "Resistance of one phase conductor over its whole length."},
    };
  }
};

/// A power transformer.
struct TransformerParams {
  static constexpr std::string_view kind = "transformer";

  double rated_va = required;
  double no_load_loss_w = required;
  double load_loss_w = required;

  static constexpr auto fields() {
    using P = TransformerParams;
    return std::array{
        Field<P>{&P::rated_va, "rated_power", "V A", Range::positive, "Rated apparent power."},
        Field<P>{&P::no_load_loss_w, "no_load_loss", "W", Range::non_negative,
                 "Iron loss, drawn whenever the transformer is energised."},
        Field<P>{&P::load_loss_w, "load_loss", "W", Range::non_negative,
                 "Copper loss at rated power; follows the square of the load."},
    };
  }
};

/// A double-conversion UPS module.
struct UpsParams {
  static constexpr std::string_view kind = "ups";

  double rated_w = required;
  double constant_loss_fraction = required;
  double linear_loss_fraction = required;
  double quadratic_loss_fraction = required;
  double battery_time_s = 300.0;
  double recharge_fraction = 0.1;

  static constexpr auto fields() {
    using P = UpsParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated output power of one module."},
        Field<P>{&P::constant_loss_fraction, "constant_loss", "1", Range::fraction,
                 "Loss at no load over rated power."},
        Field<P>{&P::linear_loss_fraction, "linear_loss", "1", Range::fraction,
                 "Loss proportional to load, over rated power."},
        Field<P>{&P::quadratic_loss_fraction, "quadratic_loss", "1", Range::fraction,
                 "Loss proportional to the square of the load, over rated power."},
        Field<P>{&P::battery_time_s, "battery_time", "s", Range::non_negative,
                 "Time for which the battery carries rated power."},
        Field<P>{&P::recharge_fraction, "recharge_power", "1", Range::fraction,
                 "Power that an emptied battery takes while the UPS is fed, over rated power."},
    };
  }
};

/// A power distribution unit with its busway.
struct PduParams {
  static constexpr std::string_view kind = "pdu";

  double rated_w = required;
  double constant_loss_fraction = required;
  double quadratic_loss_fraction = required;

  static constexpr auto fields() {
    using P = PduParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated power."},
        Field<P>{&P::constant_loss_fraction, "constant_loss", "1", Range::fraction,
                 "Loss at no load over rated power."},
        Field<P>{&P::quadratic_loss_fraction, "quadratic_loss", "1", Range::fraction,
                 "Loss proportional to the square of the load, over rated power."},
    };
  }
};

/// A rectifier or DC converter whose loss is affine in what it delivers.
struct ConverterParams {
  static constexpr std::string_view kind = "converter";

  double rated_w = required;
  double constant_w = required;
  double efficiency_fraction = required;

  static constexpr auto fields() {
    using P = ConverterParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated output power of one module."},
        Field<P>{&P::constant_w, "constant_power", "W", Range::non_negative,
                 "Power added to the output before the efficiency applies."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction,
                 "Output and constant power together over input."},
    };
  }
};

/// A circuit breaker, switch or transfer switch leg.
struct BreakerParams {
  static constexpr std::string_view kind = "breaker";

  double rated_w = required;

  static constexpr auto fields() {
    using P = BreakerParams;
    return std::array{
        Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Power at rated current and nominal voltage."},
    };
  }
};

/// What a branch of the diagram may be.
using Equipment = std::variant<FeederParams, TransformerParams, UpsParams, PduParams, ConverterParams, BreakerParams>;

/// "feeder", "transformer", ...
std::string_view kind_of(const Equipment& equipment);

/// Rated output of one module; a transformer's at unity power factor.
double rated_w(const Equipment& equipment);

/// Loss as a quadratic of the power delivered.
struct LossCurve {
  double constant_w = 0.0;       ///< drawn whenever energised
  double linear_ratio = 0.0;     ///< W of loss per W delivered
  double quadratic_per_w = 0.0;  ///< W of loss per W^2 delivered
};

/// Loss of one module.
LossCurve loss_curve(const FeederParams& params);
LossCurve loss_curve(const TransformerParams& params);
LossCurve loss_curve(const UpsParams& params);
LossCurve loss_curve(const PduParams& params);
LossCurve loss_curve(const ConverterParams& params);
LossCurve loss_curve(const BreakerParams& params);
LossCurve loss_curve(const Equipment& equipment);

/// Loss of `modules` alike that share the output equally, as a function of their common output.
LossCurve in_parallel(const LossCurve& one, int modules);

/// Loss when energised and delivering `output_w`.
constexpr double loss_w(const LossCurve& curve, double output_w) noexcept {
  return curve.constant_w + output_w * (curve.linear_ratio + output_w * curve.quadratic_per_w);
}

/// Energy in the battery of one full UPS module: it carries rated output, and the loss that goes with it, for
/// the battery time.
double battery_energy_j(const UpsParams& params);

/// Rate of the state of charge (1 is full) of a battery that gives `power_w`; 0 for a battery without energy.
constexpr double battery_rate_per_s(double energy_j, double power_w) noexcept {
  return energy_j > 0.0 ? -power_w / energy_j : 0.0;
}

/// Below full charge by this much, the recharging power falls in proportion to what is missing, as at constant
/// voltage [engineering_estimate].
inline constexpr double recharge_taper_fraction = 0.05;

/// Power into a battery of that state of charge from a charger of `charger_w`.
constexpr double recharge_w(double charger_w, double charge_fraction) noexcept {
  return charger_w * std::clamp((1.0 - charge_fraction) / recharge_taper_fraction, 0.0, 1.0);
}

/// The power supplies of one node, together.
struct PsuParams {
  static constexpr std::string_view kind = "psu";

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
