// Converters between networks: a UPS, a rectifier with its inverter, a motor set. The output is a source that keeps its voltage, the input a
// load of constant power on another part of the network, and what the one delivers decides what the other draws.
//
//   S_in = input(P_out),   for a UPS P_out + loss(P_out) at the power factor of its rectifier
//
// Voltages before a converter do not act on those behind it, so each pass brings the power one converter further towards the sources: a row
// of n needs n + 1 passes, and one more finds nothing to change. Verified in tests/unit/electrical/converters.cpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "electrical/flow/ac_flow.hpp"

namespace wattloop::electrical {

struct AcConverter {
  std::size_t source;  ///< its output
  std::size_t load;    ///< its input, of constant power
};

/// Solves until the inputs of all converters are those of their outputs. `load_va` [loads]: the loads; those of inputs are filled in, and are
/// what to start from. `input_va(number, output_w)`: what converter `number` draws. `solve()` solves for `load_va` and fills in the flow.
/// Allocates nothing of its own.
template <class InputVa, class Solve>
FlowEnd settle_converters(std::span<const AcConverter> converters, std::span<Complex> load_va, const AcFlow& flow,
                          InputVa input_va, Solve solve) {
  constexpr double tolerance = 1e-10;  // of the input
  FlowEnd end;
  for (std::size_t pass = 0; pass <= converters.size() + 1; ++pass) {
    end = solve();
    if (!end.is_solved) return end;
    bool has_changed = false;
    for (std::size_t number = 0; number < converters.size(); ++number) {
      Complex& drawn_va = load_va[converters[number].load];
      const Complex wanted_va = input_va(number, flow.source[converters[number].source].active_w);
      if (std::abs(wanted_va - drawn_va) <= tolerance * std::abs(wanted_va)) continue;
      drawn_va = wanted_va;
      has_changed = true;
    }
    if (!has_changed) return end;
  }
  end.is_solved = false;  // converters that feed one another in a ring
  return end;
}

}  // namespace wattloop::electrical
