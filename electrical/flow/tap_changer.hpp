// On-load tap changers: after a solution each moves its tap by one step towards the voltage that it keeps, until all are within their dead
// bands. Discrete, outside of the solution: a tap has one position in each.
//
//   |V - V_set| > dead band / 2  ->  one step of turns at `from`: more turns lower V at `to`
//
// A dead band narrower than a step would let it move to and fro without end; it is refused. Source: [kundur1994] ch. 11.2.4.
// Verified in tests/unit/electrical/tap_changer.cpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "electrical/flow/ac_flow.hpp"

namespace wattloop::electrical {

struct TapChanger {
  std::size_t branch;         ///< a transformer, with the taps at its bus `from`
  std::size_t bus;            ///< whose voltage it keeps: on the side `to`
  double target_ratio = 1.0;  ///< of the nominal voltage
  double dead_band_ratio = 0.025;
  double step_fraction = 0.0125;  ///< of the turns at the middle tap
  int lowest = -8;
  int highest = 8;
  double middle_ratio = 1.0;  ///< AcBranch::ratio at the middle tap
};

/// What no tap changer may be; empty if nothing is wrong.
std::vector<std::string> mistakes_in(const AcNetwork& network, std::span<const TapChanger> changers);

/// The ratio of the branch at a tap.
constexpr double ratio_at_tap(const TapChanger& changer, int tap) noexcept {
  return changer.middle_ratio * (1.0 + tap * changer.step_fraction);
}

/// Moves each tap [changers] by one step where its voltage is outside of its dead band and the tap is not at its end. Returns whether any moved.
bool move_taps(AcNetwork& network, std::span<const TapChanger> changers, const AcFlow& flow, std::span<int> taps);

struct TapsEnd {
  FlowEnd flow;
  bool are_settled = false;  ///< no tap would move further
  int rounds = 0;
};

/// Solves and moves until nothing moves. `solve` takes the network as it is tapped, fills in the flow and returns how that ended.
template <class Solve>
TapsEnd settle_taps(AcNetwork& network, std::span<const TapChanger> changers, std::span<int> taps, AcFlow& flow,
                    Solve solve) {
  constexpr int most_rounds = 200;  // more than a row of changers with all their taps needs
  TapsEnd end;
  while (!end.are_settled && end.rounds < most_rounds) {
    end.flow = solve();
    ++end.rounds;
    if (!end.flow.is_solved) return end;
    end.are_settled = !move_taps(network, changers, flow, taps);
  }
  return end;
}

}  // namespace wattloop::electrical
