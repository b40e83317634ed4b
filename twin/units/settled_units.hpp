// Units in steady state: where the rates of a unit are zero at held inlets, and how the heat that it then gives follows its inlets.
//
//   rate(u, i) = 0       by Newton's method on the one or two states u of each unit, at its inlets i
//   dq/di = q_i + q_u (-J)^-1 rate_i,    J = d(rate)/du       (the Schur complement of all units in the plant's Jacobian)
//
// States are temperatures, and no part of a unit becomes colder because another becomes warmer: off its diagonal, J has no
// negative entry (tests/properties/unit_models.cpp). Such a J is stable exactly if eliminating -J without exchanging rows
// meets positive pivots only [berman1994] ch. 6, theorem 2.3. So a unit whose leakage runs away is distinguished from one in steady state.
// Verified in tests/verification/units/settled_units.cpp against the closed forms of the cold plate and the rest of a node.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/parts/unit_model.hpp"
#include "twin/units/shared_inlets.hpp"

namespace wattloop::twin {

/// d(heat into port q) / d(temperature or flow of inlet p), as [q][p].
template <std::size_t Ports>
struct HeatByInlet {
  std::array<std::array<double, Ports>, Ports> temperature_w_per_k{};
  std::array<std::array<double, Ports>, Ports> flow_j_per_kg{};
};

/// All units of one model with the same inlets.
template <UnitModel Model>
class SettledUnits {
 public:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t port_count = Model::ports.size();
  using Now = UnitNow<state_count, port_count>;
  using Rates = UnitRates<state_count, port_count>;
  using Params = typename Model::Params;
  using Ports = std::array<PortNow, port_count>;

  SettledUnits(const Params& params, const Ports& ports) : params_(params), shared_(params, ports) {
    for (std::size_t p = 0; p < port_count; ++p) {
      flow_step_kg_per_s_[p] = std::max(ports[p].flow_kg_per_s * relative_flow_step_ratio, smallest_flow_step_kg_per_s);
      Ports moved = ports;
      moved[p].flow_kg_per_s = ports[p].flow_kg_per_s + flow_step_kg_per_s_[p];
      above_flow_[p] = SharedInlets<Model>(params, moved);
      moved[p].flow_kg_per_s = ports[p].flow_kg_per_s - flow_step_kg_per_s_[p];
      below_flow_[p] = SharedInlets<Model>(params, moved);
    }
  }

  /// Moves the states of `now` to where their rates are zero, as far as rounding allows. False where they would run away.
  bool settle(Now& now) const noexcept {
    for (int step = 0; step < most_steps; ++step) {
      const Rates rates = shared_.rates(params_, now);
      if (is_at_rest(rates)) return true;
      States change = rates.rate;
      if (!eliminate(differences_by_state(now), change)) return false;
      for (std::size_t s = 0; s < state_count; ++s) now.state[s] += change[s];
    }
    return true;
  }

  /// Adds the derivatives of the heat of a unit that rests as `now` says.
  void add_heat_by_inlet(Now now, HeatByInlet<port_count>& sum) const noexcept {
    const ByState by_state = differences_by_state(now);
    const auto add = [&](const Rates& slope, std::size_t inlet, auto& to) {
      States moved = slope.rate;  // states per unit of the inlet
      if (!eliminate(by_state, moved)) return;
      for (std::size_t q = 0; q < port_count; ++q) {
        to[q][inlet] += slope.heat_w[q];
        for (std::size_t s = 0; s < state_count; ++s) to[q][inlet] += by_state[s].heat_w[q] * moved[s];
      }
    };
    for (std::size_t p = 0; p < port_count; ++p) {
      add(difference(shared_, shared_, now, now.port[p].temperature_k, temperature_step_k), p, sum.temperature_w_per_k);
      add(difference(above_flow_[p], below_flow_[p], now, now.port[p].flow_kg_per_s, flow_step_kg_per_s_[p]), p,
          sum.flow_j_per_kg);
    }
  }

 private:
  using States = std::array<double, state_count>;
  using ByState = std::array<Rates, state_count>;  ///< [state] derivatives of all rates and heats by it

  static constexpr int most_steps = 8;
  static constexpr double temperature_step_k = 1e-3;
  static constexpr double relative_flow_step_ratio = 1e-5;
  static constexpr double smallest_flow_step_kg_per_s = 1e-8;
  static constexpr double settled_relative_rate_per_s = 1e-10;  ///< a tenth of what the steady state of a plant asks
  static constexpr double slowest_per_s = 1e-9;                 ///< taken for the rate of a unit that loses no heat

  static bool is_at_rest(const Rates& rates) noexcept {
    for (std::size_t s = 0; s < state_count; ++s) {
      if (!(std::abs(rates.rate[s]) < settled_relative_rate_per_s * Model::states[s].tolerance)) return false;
    }
    return true;
  }

  /// Central difference of all that a unit does over `value`, a member of `now`.
  Rates difference(const SharedInlets<Model>& shared_above, const SharedInlets<Model>& shared_below, Now& now,
                   double& value, double step) const noexcept {
    const double kept = value;
    value = kept + step;
    const Rates above = shared_above.rates(params_, now);
    value = kept - step;
    const Rates below = shared_below.rates(params_, now);
    value = kept;
    Rates slope{};
    for (std::size_t s = 0; s < state_count; ++s) slope.rate[s] = (above.rate[s] - below.rate[s]) / (2.0 * step);
    for (std::size_t q = 0; q < port_count; ++q) slope.heat_w[q] = (above.heat_w[q] - below.heat_w[q]) / (2.0 * step);
    return slope;
  }

  ByState differences_by_state(Now now) const noexcept {
    ByState by_state;
    for (std::size_t s = 0; s < state_count; ++s) {
      by_state[s] = difference(shared_, shared_, now, now.state[s], temperature_step_k);
    }
    return by_state;
  }

  /// Replaces `right_hand_side` by (-J)^-1 times it. False where J is not stable.
  static bool eliminate(const ByState& by_state, States& right_hand_side) noexcept {
    std::array<States, state_count> rows;
    for (std::size_t r = 0; r < state_count; ++r) {
      for (std::size_t c = 0; c < state_count; ++c) rows[r][c] = -by_state[c].rate[r];
      rows[r][r] += slowest_per_s;
    }
    for (std::size_t k = 0; k < state_count; ++k) {
      if (!(rows[k][k] > 0.0)) return false;
      for (std::size_t r = k + 1; r < state_count; ++r) {
        const double factor = rows[r][k] / rows[k][k];
        for (std::size_t c = k; c < state_count; ++c) rows[r][c] -= factor * rows[k][c];
        right_hand_side[r] -= factor * right_hand_side[k];
      }
    }
    for (std::size_t k = state_count; k-- > 0;) {
      for (std::size_t c = k + 1; c < state_count; ++c) right_hand_side[k] -= rows[k][c] * right_hand_side[c];
      right_hand_side[k] /= rows[k][k];
    }
    return true;
  }

  const Params& params_;
  const SharedInlets<Model> shared_;
  std::array<SharedInlets<Model>, port_count> above_flow_, below_flow_;
  std::array<double, port_count> flow_step_kg_per_s_{};
};

}  // namespace wattloop::twin
