// Units over one sample by a two-stage exponential Rosenbrock step [hochbruck2010], for any model that has `rates`.
//
//   a  = y + h phi_1(hJ) f(y, begin)                                    f: rates; load held
//   r  = f(a, end) - f(y, begin) - J (a - y)
//   y' = a + h phi_2(hJ) r                                              order 2 for any J, exact for linear units
//
// Heat and power are integrated by the same functions, with H = d heat/dy, and r_q = q(a, end) - q(y, begin) - H (a - y):
//
//   int q = h [ q(y, begin) + h H phi_2 f + r_q / 2 + h H phi_3 r ]
//
// With C J = dP/dy - sum H and phi_k = 1/k! + z phi_{k+1} the energy balance of a sample closes to rounding. It is linear
// in the units, so that sums over them are all that is kept. J, H and phi: twin/propagation_tables.hpp.
// Verified in tests/verification/unit_propagation.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/unit_model.hpp"
#include "twin/propagation_tables.hpp"
#include "twin/shared_inlets.hpp"
#include "twin/unit_propagation.hpp"

namespace wattloop::twin {

template <UnitModel Model>
class ExponentialPropagation final : public UnitPropagation {
 public:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t port_count = Model::ports.size();
  static_assert(port_count <= most_ports);
  using Tables = PropagationTables<Model>;
  using Table = typename Tables::Table;
  using Ports = typename Tables::Ports;
  using Now = typename Tables::Now;
  using Rates = typename Tables::Rates;
  using States = typename Tables::States;
  using Params = typename Model::Params;
  using Inlets = SharedInlets<Model>;

  explicit ExponentialPropagation(const Params& params) : params_(params), tables_(params) {}

  UnitYield advance(const UnitSample& sample, const UnitColumns& units, std::span<double> begin_power_w) override {
    const Ports begin = ports(sample.begin), end = ports(sample.end);
    const double load_w = column_sums<1>({sample.load_w.data()}, units.count)[0] / static_cast<double>(units.count);
    const Table& table =
        tables_.at({sample.duration_s, load_w, begin, end}, [&] { return mean_state(units); });
    const Inlets at_begin = inlets(begin), at_end = inlets(end);
    Sums sums{};
    Stage before, after;
    for (std::size_t first = 0; first < units.count; first += block) {
      const UnitColumns part{units.first + first, units.stride, std::min(block, units.count - first)};
      const double* part_load_w = sample.load_w.data() + first;
      evaluate(at_begin, begin, part, part_load_w, before);
      if (!begin_power_w.empty()) std::copy_n(before.power_w, part.count, begin_power_w.data() + first);
      predict(table, sample.duration_s, before, part);
      evaluate(at_end, end, part, part_load_w, after);
      correct(table, sample.duration_s, before, after, part);
      add_sums(before, after, part.count, sums);
    }
    return yield(table, sample.duration_s, sums);
  }

  double mismatch_k(std::span<const PortNow> used, std::span<const PortNow> actual, double load_w,
                    const UnitColumns& units) override {
    Now now{};
    now.state = mean_state(units);
    now.load_w = load_w;
    now.port = ports(used);
    const Rates there = Model::rates(params_, now);
    const auto used_w_per_k = heat_per_inlet(now);
    now.port = ports(actual);
    const Rates here = Model::rates(params_, now);
    const auto actual_w_per_k = heat_per_inlet(now);
    double largest_k = 0.0;
    for (std::size_t p = 0; p < port_count; ++p) {
      const double w_per_k = std::max(used_w_per_k[p], actual_w_per_k[p]);
      if (w_per_k > 0.0) largest_k = std::max(largest_k, std::abs(here.heat_w[p] - there.heat_w[p]) / w_per_k);
    }
    return largest_k;
  }

 private:
  static constexpr std::size_t block = 64;  ///< units whose columns stay in the first-level cache
  static constexpr std::size_t lanes = 8;   ///< partial sums: the same for any width of the processor's vectors
  static constexpr double difference_step_k = 0.01;

  /// Rates, heat and power of a block of units.
  struct Stage {
    double rate[state_count][block];
    double heat_w[std::max<std::size_t>(port_count, 1)][block];
    double power_w[block];
  };

  /// Over all units, at both stages; heat of ports, then power.
  struct Sums {
    States rate_before{}, rate_after{};
    std::array<double, port_count + 1> before_w{}, after_w{};
  };

  static Ports ports(std::span<const PortNow> from) {
    Ports to{};
    std::copy_n(from.begin(), port_count, to.begin());
    return to;
  }

  /// Conductances for these flows; a few are remembered, since most flows hold for long.
  Inlets inlets(const Ports& at) {
    const auto is_same = [&](const Remembered& kept) {
      for (std::size_t p = 0; p < port_count; ++p) {
        if (kept.ports[p].flow_kg_per_s != at[p].flow_kg_per_s) return false;
        if (kept.ports[p].specific_heat_j_per_kg_k != at[p].specific_heat_j_per_kg_k) return false;
      }
      return kept.is_set;
    };
    for (const Remembered& kept : remembered_) {
      if (is_same(kept)) return kept.inlets;
    }
    Remembered& oldest = remembered_[next_remembered_];
    next_remembered_ = (next_remembered_ + 1) % remembered_.size();
    oldest = {true, at, Inlets(params_, at)};
    return oldest.inlets;
  }

  [[gnu::flatten]] void evaluate(const Inlets& inlets, const Ports& at, const UnitColumns& units,
                                 const double* __restrict load_w, Stage& __restrict out) const noexcept {
    const Params params = params_;  // a copy that no store can change: what is read from it leaves the loop
    const Inlets shared = inlets;
    for (std::size_t u = 0; u < units.count; ++u) {
      Now now;
      for (std::size_t p = 0; p < port_count; ++p) now.port[p] = at[p];
      for (std::size_t s = 0; s < state_count; ++s) now.state[s] = units.first[s * units.stride + u];
      now.load_w = load_w[u];
      const Rates rates = shared.rates(params, now);
      for (std::size_t s = 0; s < state_count; ++s) out.rate[s][u] = rates.rate[s];
      for (std::size_t p = 0; p < port_count; ++p) out.heat_w[p][u] = rates.heat_w[p];
      out.power_w[u] = rates.power_w;
    }
  }

  /// a = y + h phi_1 f, in place.
  static void predict(const Table& table, double h, const Stage& before, const UnitColumns& units) noexcept {
    for (std::size_t s = 0; s < state_count; ++s) {
      States weight;
      for (std::size_t j = 0; j < state_count; ++j) weight[j] = h * table.phi_1[s][j];
      double* __restrict y = units.first + s * units.stride;
      for (std::size_t u = 0; u < units.count; ++u) {
        double sum = y[u];
        for (std::size_t j = 0; j < state_count; ++j) sum += weight[j] * before.rate[j][u];
        y[u] = sum;
      }
    }
  }

  /// y' = a + h phi_2 [f(a) - (I + h J phi_1) f(y)], in place.
  static void correct(const Table& table, double h, const Stage& before, const Stage& after, const UnitColumns& units) noexcept {
    for (std::size_t s = 0; s < state_count; ++s) {
      States of_after, of_before;
      for (std::size_t j = 0; j < state_count; ++j) of_after[j] = of_before[j] = h * table.phi_2[s][j];
      for (std::size_t k = 0; k < state_count; ++k) {
        for (std::size_t l = 0; l < state_count; ++l) {
          const double through = of_after[k] * h * table.jacobian[k][l];
          for (std::size_t j = 0; j < state_count; ++j) of_before[j] += through * table.phi_1[l][j];
        }
      }
      double* __restrict y = units.first + s * units.stride;
      for (std::size_t u = 0; u < units.count; ++u) {
        double sum = y[u];
        for (std::size_t j = 0; j < state_count; ++j) {
          sum += of_after[j] * after.rate[j][u] - of_before[j] * before.rate[j][u];
        }
        y[u] = sum;
      }
    }
  }

  using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

  template <std::size_t Columns>
  using ColumnPointers = std::array<const double*, Columns>;

  /// Sums of columns side by side, so that no addition waits for the one before.
  template <std::size_t Columns>
  static std::array<double, Columns> column_sums(const ColumnPointers<Columns>& columns, std::size_t count) noexcept {
    Lanes partial[Columns] = {};
    std::size_t u = 0;
    for (; u + lanes <= count; u += lanes) {
      for (std::size_t c = 0; c < Columns; ++c) {
        Lanes values;
        std::memcpy(&values, columns[c] + u, sizeof values);
        partial[c] += values;
      }
    }
    std::array<double, Columns> sums;
    for (std::size_t c = 0; c < Columns; ++c) {
      for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        for (std::size_t lane = 0; lane < half; ++lane) partial[c][lane] += partial[c][lane + half];
      }
      sums[c] = partial[c][0];
      for (std::size_t rest = u; rest < count; ++rest) sums[c] += columns[c][rest];
    }
    return sums;
  }

  static void add_stage(const Stage& stage, std::size_t count, States& rate, std::array<double, port_count + 1>& power_w) noexcept {
    ColumnPointers<state_count + port_count + 1> columns;
    for (std::size_t s = 0; s < state_count; ++s) columns[s] = stage.rate[s];
    for (std::size_t p = 0; p < port_count; ++p) columns[state_count + p] = stage.heat_w[p];
    columns[state_count + port_count] = stage.power_w;
    const auto sums = column_sums<state_count + port_count + 1>(columns, count);
    for (std::size_t s = 0; s < state_count; ++s) rate[s] += sums[s];
    for (std::size_t q = 0; q <= port_count; ++q) power_w[q] += sums[state_count + q];
  }

  static void add_sums(const Stage& before, const Stage& after, std::size_t count, Sums& sums) noexcept {
    add_stage(before, count, sums.rate_before, sums.before_w);
    add_stage(after, count, sums.rate_after, sums.after_w);
  }

  static double dot(const States& a, const States& b) {
    double sum = 0.0;
    for (std::size_t s = 0; s < state_count; ++s) sum += a[s] * b[s];
    return sum;
  }

  static UnitYield yield(const Table& table, double h, const Sums& sums) noexcept {
    States moved, residual;  // a - y, and r
    for (std::size_t s = 0; s < state_count; ++s) moved[s] = h * dot(table.phi_1[s], sums.rate_before);
    for (std::size_t s = 0; s < state_count; ++s) {
      residual[s] = sums.rate_after[s] - sums.rate_before[s] - dot(table.jacobian[s], moved);
    }
    const auto energy_j = [&](std::size_t q) {
      const double residual_w = sums.after_w[q] - sums.before_w[q] - dot(table.slope[q], moved);
      return h * (sums.before_w[q] + dot(table.by_rate[q], sums.rate_before) + 0.5 * residual_w +
                  dot(table.by_residual[q], residual));
    };
    UnitYield yield;
    for (std::size_t p = 0; p < port_count; ++p) {
      yield.heat_j[p] = energy_j(p);
      yield.begin_heat_w[p] = sums.before_w[p];
    }
    yield.energy_j = energy_j(port_count);
    yield.begin_power_w = sums.before_w[port_count];
    return yield;
  }

  static States mean_state(const UnitColumns& units) {
    ColumnPointers<state_count> columns;
    for (std::size_t s = 0; s < state_count; ++s) columns[s] = units.first + s * units.stride;
    States mean = column_sums<state_count>(columns, units.count);
    for (double& value : mean) value /= static_cast<double>(units.count);
    return mean;
  }

  /// -d(heat)/d(inlet temperature) of each port: the conductance that the port shows now.
  std::array<double, port_count> heat_per_inlet(Now now) const {
    std::array<double, port_count> conductance_w_per_k{};
    for (std::size_t p = 0; p < port_count; ++p) {
      const double kept_k = now.port[p].temperature_k;
      now.port[p].temperature_k = kept_k + difference_step_k;
      const double above_w = Model::rates(params_, now).heat_w[p];
      now.port[p].temperature_k = kept_k - difference_step_k;
      const double below_w = Model::rates(params_, now).heat_w[p];
      now.port[p].temperature_k = kept_k;
      conductance_w_per_k[p] = (below_w - above_w) / (2.0 * difference_step_k);
    }
    return conductance_w_per_k;
  }

  struct Remembered {
    bool is_set = false;
    Ports ports{};
    Inlets inlets{};
  };

  const Params params_;
  Tables tables_;
  std::array<Remembered, 16> remembered_;
  std::size_t next_remembered_ = 0;
};

}  // namespace wattloop::twin
