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
// in the units, so that sums over them are all that is kept. J, H and phi: twin/units/propagation_tables.hpp.
// Verified in tests/verification/units/unit_propagation.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parts/unit_model.hpp"
#include "twin/units/affine_steps.hpp"
#include "twin/units/flow_key.hpp"
#include "twin/units/propagation_tables.hpp"
#include "twin/units/unit_lanes.hpp"
#include "twin/units/unit_propagation.hpp"

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
  using Step = StepMatrices<Model>;

  explicit ExponentialPropagation(const Params& params) : params_(params), tables_(params) {}

  using UnitPropagation::advance;

  void advance(std::span<const UnitStep> steps) override {
    for (std::size_t begin = 0; begin < steps.size();) {
      std::size_t end = begin + 1;
      while (end < steps.size() &&
             (is_surely_alike(steps[end]) || tables_.are_alike(steps[begin].sample, steps[end].sample)))
        ++end;
      advance_alike(steps.subspan(begin, end - begin));
      begin = end;
    }
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
  static constexpr double difference_step_k = 0.01;

  using ByLanes = UnitLanes<Model>;

  /// Over the units of a station, lane by lane, at both stages; heat of ports, then power.
  struct Sums {
    Lanes rate_before[state_count]{}, rate_after[state_count]{};
    Lanes before_w[port_count + 1]{}, after_w[port_count + 1]{};

    template <class Count>
    [[gnu::always_inline]] void add(const typename ByLanes::Rates& before, const typename ByLanes::Rates& after,
                                    Count count) {
      for (std::size_t s = 0; s < state_count; ++s) {
        add_lanes(before.rate[s], rate_before[s], count);
        add_lanes(after.rate[s], rate_after[s], count);
      }
      for (std::size_t q = 0; q <= port_count; ++q) {
        add_lanes(before.given_w[q], before_w[q], count);
        add_lanes(after.given_w[q], after_w[q], count);
      }
    }

    [[gnu::always_inline]] UnitYield yield(const Step& step) const {
      std::array<double, port_count + 1> energy_j;
      for (std::size_t q = 0; q <= port_count; ++q) {
        Lanes lanes_j = 0.5 * step.duration_s * (before_w[q] + after_w[q]);
        for (std::size_t s = 0; s < state_count; ++s) {
          lanes_j += step.energy_of_before[q][s] * rate_before[s] + step.energy_of_after[q][s] * rate_after[s];
        }
        energy_j[q] = sum_of(lanes_j);
      }
      UnitYield yield;
      std::copy_n(energy_j.begin(), port_count, yield.heat_j.begin());
      yield.energy_j = energy_j[port_count];
      yield.begin_power_w = sum_of(before_w[port_count]);
      return yield;
    }
  };

  static Ports ports(std::span<const PortNow> from) {
    Ports to{};
    std::copy_n(from.begin(), port_count, to.begin());
    return to;
  }

  /// Conductances for these flows; a few are remembered, since most flows hold for long.
  Inlets inlets(const Ports& at) {
    const FlowKey<port_count> flows(at);
    if (remembered_[last_remembered_].flows == flows) return remembered_[last_remembered_].inlets;
    for (std::size_t k = 0; k < remembered_.size(); ++k) {
      if (remembered_[k].flows != flows) continue;
      last_remembered_ = k;
      return remembered_[k].inlets;
    }
    Remembered& oldest = remembered_[next_remembered_];
    last_remembered_ = next_remembered_;
    next_remembered_ = (next_remembered_ + 1) % remembered_.size();
    oldest = {flows, Inlets(params_, at)};
    return oldest.inlets;
  }

  /// Whether a step is of the class of the one before it, whatever its loads are.
  static bool is_surely_alike(const UnitStep& step) { return AffineUnitModel<Model> && step.has_flows_of_previous; }

  /// Steps of one class: the same but for inlet temperatures, states and loads.
  void advance_alike(std::span<const UnitStep> steps) {
    if constexpr (AffineUnitModel<Model>) {
      if (have_all_load(steps)) {
        advance_affine(steps);
        return;
      }
      for (const UnitStep& step : steps) {
        const std::span<const UnitStep> one(&step, 1);
        have_all_load(one) ? advance_affine(one) : advance_in_stages(one);
      }
    } else {
      advance_in_stages(steps);
    }
  }

  void advance_affine(std::span<const UnitStep> steps) {
    const UnitSample& sample = steps.front().sample;
    const Ports begin = ports(sample.begin), end = ports(sample.end);
    const AffineStep<Model>& step = affine_steps_.at(sample.duration_s, begin, end, [&] {
      return AffineStep<Model>(params_, step_of(steps.front(), begin, end), begin, end);
    });
    step.move(steps);
  }

  void advance_in_stages(std::span<const UnitStep> steps) {
    const Ports begin = ports(steps.front().sample.begin), end = ports(steps.front().sample.end);
    move(step_of(steps.front(), begin, end), {params_, inlets(begin)}, {params_, inlets(end)}, steps);
    for (const UnitStep& station : steps) {
      if (station.digest != nullptr) *station.digest = digest_dies({station.units.first, station.units.count});
    }
  }

  const Step& step_of(const UnitStep& station, const Ports& begin, const Ports& end) {
    const double duration_s = station.sample.duration_s;
    const double load_w = sum_of(station.sample.load_w) / static_cast<double>(station.units.count);
    const Table& table = tables_.at({duration_s, load_w, begin, end}, [&] { return mean_state(station.units); });
    if (&table != table_ || duration_s != step_.duration_s) step_ = Step(table, duration_s);
    table_ = &table;
    return step_;
  }

  /// By value, so that no store can change what it reads besides states and loads.
  [[gnu::flatten]] static void move(const Step step, const ByLanes at_begin, const ByLanes at_end,
                                    std::span<const UnitStep> stations) noexcept {
    for (const UnitStep& station : stations) {
      const Ports begin = ports(station.sample.begin), end = ports(station.sample.end);
      const double* load_w = station.sample.load_w.data();
      const UnitColumns units = station.units;
      Sums sums;
      visit_by_lanes(
          units.count, [&](std::size_t first, auto count) __attribute__((always_inline)) {
            typename ByLanes::States y;
            for (std::size_t s = 0; s < state_count; ++s)
              y.of[s] = read_lanes(units.first + s * units.stride + first, count);
            const Lanes loads_w = read_lanes(load_w + first, count);
            const auto before = at_begin.rates(begin, y, loads_w);
            predict(step, before, y);
            const auto after = at_end.rates(end, y, loads_w);
            correct(step, before, after, y);
            for (std::size_t s = 0; s < state_count; ++s)
              write_lanes(y.of[s], units.first + s * units.stride + first, count);
            if (station.begin_power_w != nullptr)
              write_lanes(before.given_w[port_count], station.begin_power_w + first, count);
            sums.add(before, after, count);
          });
      *station.yield = sums.yield(step);
    }
  }

  /// a = y + h phi_1 f
  [[gnu::always_inline]] static void predict(const Step& step, const typename ByLanes::Rates& before,
                                             typename ByLanes::States& y) noexcept {
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) y.of[s] += step.first[s][j] * before.rate[j];
    }
  }

  /// y' = a + h phi_2 [f(a) - (I + h J phi_1) f(y)]
  [[gnu::always_inline]] static void correct(const Step& step, const typename ByLanes::Rates& before,
                                             const typename ByLanes::Rates& after,
                                             typename ByLanes::States& y) noexcept {
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) {
        y.of[s] += step.of_after[s][j] * after.rate[j] - step.of_before[s][j] * before.rate[j];
      }
    }
  }

  static States mean_state(const UnitColumns& units) {
    States mean;
    for (std::size_t s = 0; s < state_count; ++s) {
      mean[s] = sum_of(std::span<const double>(units.first + s * units.stride, units.count)) /
                static_cast<double>(units.count);
    }
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
    FlowKey<port_count> flows;
    Inlets inlets{};
  };

  const Params params_;
  Tables tables_;
  std::array<Remembered, 16> remembered_;
  std::size_t next_remembered_ = 0, last_remembered_ = 0;
  Step step_;                     ///< the last one
  const Table* table_ = nullptr;  ///< it was made from
  AffineSteps<Model> affine_steps_;
};

}  // namespace wattloop::twin
