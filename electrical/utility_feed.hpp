// The feed of a utility. What it could carry is not known, what its contract allows may be; what it delivers into a short circuit decides fault levels behind it.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct UtilityFeed {
  static constexpr std::string_view kind = "feed", noun = "utility feed", plural = "utility feeds";
  static constexpr std::string_view doc = "The feed of a utility.";
  struct Params {
    double short_circuit_va = 0.0;
    double smallest_short_circuit_va = 0.0;
    double reactance_ratio = 10.0;
    double contract_w = 0.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{
              &P::short_circuit_va, "short_circuit_power", "V A", Range::non_negative,
              "Three-phase short-circuit power at the feed; 0: 5 GVA at 60 kV and above, 500 MVA below (estimates)."},
          Field<P>{&P::smallest_short_circuit_va, "smallest_short_circuit_power", "V A", Range::non_negative,
                   "Three-phase short-circuit power at the feed with the least network in service; used for the "
                   "smallest fault levels; 0: equal to short_circuit_power."},
          Field<P>{&P::reactance_ratio, "x_over_r", "1", Range::positive,
                   "X/R ratio: reactance over resistance of the feed."},
          Field<P>{&P::contract_w, "contract", "W", Range::non_negative,
                   "Contract power with the utility; above it a run reports an overload. 0: no limit."},
      };
    }
  };

  static constexpr bool is_standby = false;
  static constexpr auto events = switch_events;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return source_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<UtilityFeed>{"power", [](const Params& p) { return p.contract_w; }, "all of it"}};
  }
  static constexpr auto limits() {
    return std::array{Limit<UtilityFeed>{"loading", "1", [](const Params&) { return endures_all_beyond(1.0); },
                                         Beyond::log, Side::above, "more than its contract allows"}};
  }

  static constexpr double high_voltage_v = 60e3;
  static constexpr double short_circuit_va(const Params& p, double nominal_v) noexcept {
    if (p.short_circuit_va > 0.0) return p.short_circuit_va;
    return nominal_v >= high_voltage_v ? 5e9 : 500e6;
  }
  static constexpr double smallest_short_circuit_va(const Params& p, double nominal_v) noexcept {
    return p.smallest_short_circuit_va > 0.0 ? p.smallest_short_circuit_va : short_circuit_va(p, nominal_v);
  }
};

static_assert(SourceKind<UtilityFeed>);

}  // namespace wattloop::electrical
