// Protection of a node against hot inlet air, by its board management controller: what it does to the nodes of a rack.
//
//   normal -> slowed    T >= slowdown                all clocks at most slowdown_clock
//   slowed -> normal    T <= slowdown - hysteresis
//   any    -> off       T >= shutdown                nodes are switched off
//   off    -> normal    T <= highest allowed         nodes start by themselves
//
// The range that is allowed is the maker's [nvidia_dgx_h100_user_guide]. What firmware does beyond is not published for this
// node: thresholds are estimates, beside an enclosure of servers that reads its inlet every 5 s, warns at 38 and shuts down at
// 43 degC [dell_c8000_manual].
// Verified in tests/verification/units/inlet_protection.cpp. Documented in docs/models/inlet_protection.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::workload {

/// What inlet air has made of the nodes of a rack.
enum class InletStage : std::uint8_t { normal, slowed, off };

/// Limits of inlet air and what firmware does there.
struct InletParams {
  bool is_enabled = true;
  double lowest_allowed_k = 278.15;
  double highest_allowed_k = 303.15;
  double slowdown_k = 308.15;
  double hysteresis_k = 2.0;
  double slowdown_clock_fraction = 0.5;
  double shutdown_k = 318.15;

  static constexpr auto fields() {
    using P = InletParams;
    return std::array{
        Field<P>{&P::is_enabled, "enabled",
                 "Whether nodes protect themselves against hot inlet air; write false only for studies."},
        Field<P>{&P::lowest_allowed_k, "lowest_allowed", "K", Range::positive,
                 "Lowest inlet air temperature that the maker allows; firmware does not act on it."},
        Field<P>{&P::highest_allowed_k, "highest_allowed", "K", Range::positive,
                 "Highest inlet air temperature that the maker allows; nodes that firmware has switched off start "
                 "again at or below it."},
        Field<P>{&P::slowdown_k, "slowdown_temperature", "K", Range::positive,
                 "Inlet air temperature from which firmware lowers the clocks of a rack."},
        Field<P>{
            &P::hysteresis_k, "hysteresis", temperature_difference, Range::non_negative,
            "Hysteresis: full clocks return when the air is colder than `slowdown_temperature` by this difference."},
        Field<P>{&P::slowdown_clock_fraction, "slowdown_clock", "1", Range::positive_fraction,
                 "Highest clock fraction during the slowdown."},
        Field<P>{&P::shutdown_k, "shutdown_temperature", "K", Range::positive,
                 "Inlet air temperature at which firmware switches off the nodes of a rack."},
    };
  }
};

/// What becomes of a rack in stage `now` whose inlet air is `air_k`.
InletStage next_stage(const InletParams& params, InletStage now, double air_k) noexcept;

/// Highest clock that a stage allows, as a fraction of the clock without protection.
double clock_fraction(const InletParams& params, InletStage stage) noexcept;

/// What is wrong with these, in words; mostly nothing.
std::vector<std::string> check(const InletParams& params);

}  // namespace wattloop::workload
