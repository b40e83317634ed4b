// What an exponential step does to units, from the phi functions of its class (twin/units/propagation_tables.hpp) and its duration.
#pragma once

#include <array>
#include <cstddef>

#include "twin/units/propagation_tables.hpp"

namespace wattloop::twin {

template <UnitModel Model>
struct StepMatrices {
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t given_count = Model::ports.size() + 1;  ///< heat to each port, then power
  using Table = typename PropagationTables<Model>::Table;
  template <std::size_t Rows>
  using Rectangle = std::array<std::array<double, state_count>, Rows>;

  double duration_s = 0.0;
  Rectangle<state_count> first{};                                ///< h phi_1
  Rectangle<state_count> of_after{}, of_before{};                ///< h phi_2, and h phi_2 (I + h J phi_1)
  Rectangle<given_count> energy_of_before{}, energy_of_after{};  ///< of heat and power by the rates at both stages

  StepMatrices() = default;
  StepMatrices(const Table& from, double h) : duration_s(h) {
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) {
        first[s][j] = h * from.phi_1[s][j];
        of_after[s][j] = of_before[s][j] = h * from.phi_2[s][j];
      }
    }
    Rectangle<state_count> jacobian_first{};
    add_product(1.0, from.jacobian, first, jacobian_first);
    add_product(1.0, of_after, jacobian_first, of_before);
    for (std::size_t q = 0; q < given_count; ++q) {
      for (std::size_t s = 0; s < state_count; ++s) {
        energy_of_after[q][s] = h * from.by_residual[q][s];
        energy_of_before[q][s] = h * (from.by_rate[q][s] - from.by_residual[q][s]);
      }
    }
    add_product(-0.5 * h, from.slope, first, energy_of_before);
    add_product(-h, from.by_residual, jacobian_first, energy_of_before);
  }

 private:
  /// to += scale a b
  template <std::size_t Rows>
  static void add_product(double scale, const Rectangle<Rows>& a, const Rectangle<state_count>& b,
                          Rectangle<Rows>& to) {
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t k = 0; k < state_count; ++k) {
        for (std::size_t j = 0; j < state_count; ++j) to[r][j] += scale * a[r][k] * b[k][j];
      }
    }
  }
};

}  // namespace wattloop::twin
