// The group of one unit model: its loops over units, compiled where models are listed (twin/units/catalog.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "core/parts/unit_model.hpp"
#include "twin/units/class_conductances.hpp"
#include "twin/units/exponential_propagation.hpp"
#include "twin/units/settled_classes.hpp"
#include "twin/units/shared_inlets.hpp"
#include "twin/units/unit_classes.hpp"
#include "twin/units/unit_group.hpp"
#include "twin/units/unit_lanes.hpp"
#include "twin/units/varied_propagation.hpp"

namespace wattloop::twin {

template <UnitModel Model>
class UnitGroupOf final : public UnitGroup {
 public:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t port_count = Model::ports.size();
  using Now = UnitNow<state_count, port_count>;
  using Rates = UnitRates<state_count, port_count>;
  using Params = typename Model::Params;

  /// `classes`: how units differ from `params`; of models that do not vary by unit, none.
  UnitGroupOf(const Params& params, std::string group_name, std::vector<std::string> names, std::vector<Station> at,
              UnitClasses classes = {})
      : UnitGroup(std::move(group_name), std::move(names), std::move(at)),
        params_(params),
        classes_(std::move(classes)) {
    if constexpr (VariesByUnit<Model>) {
      for (std::size_t k = 0; k < classes_.variations.size(); ++k)
        params_of_.push_back(Model::varied(at_place(params, k % lane_count), classes_.variations[k]));
    }
    if constexpr (leaks) {
      leakage_reference_k = params.leakage_reference_k;
      for (const Params& of_class : all_params())
        largest_leakage_w_per_k = std::max(largest_leakage_w_per_k, of_class.leakage_w_per_k);
    }
  }

  std::string_view kind() const override { return Model::kind; }
  std::span<const StateInfo> states() const override { return Model::states; }

  void evaluate(const UnitsNow& now, std::span<double> sinks, std::span<double> power_w,
                std::span<double> station_power_w) const override {
    for_each_station([&](std::size_t s, ClassConductances<Model>& of_classes) {
      const Station& station = stations[s];
      if (!are_alike()) {
        station_power_w[s] =
            add_varied_station<true>(station, now, sinks, power_w.data() + station.first_unit, of_classes);
        return;
      }
      station_power_w[s] = add_station<true>(station, now, sinks, power_w.data() + station.first_unit, of_classes);
    });
  }

  void add_stations(const UnitsNow& now, std::span<double> sinks, std::span<double> station_power_w) const override {
    for_each_station([&](std::size_t s, ClassConductances<Model>& of_classes) {
      station_power_w[s] = are_alike() ? add_station<false>(stations[s], now, sinks, nullptr, of_classes)
                                       : add_varied_station<false>(stations[s], now, sinks, nullptr, of_classes);
    });
  }

  void differentiate(std::span<const double> signals, JacobianSink& jacobian) const override {
    for (const Station& station : stations) {
      Now now = inlets(station, signals);
      const PortNow of_station = now.port.front();
      for (std::size_t unit = station.first_unit; unit < station.first_unit + station.unit_count; ++unit) {
        read_unit(signals, unit, now);
        const Warmed warmed = warm_inlet(station, unit, signals, of_station, now);
        differentiate_unit(station, unit, now, warmed, jacobian);
      }
    }
  }

  bool settle(std::span<double> signals) const override {
    const auto station_count = static_cast<std::ptrdiff_t>(stations.size());
    bool are_settled = true;
#pragma omp parallel reduction(&& : are_settled) if (station_count >= fewest_parallel_stations)
    {
      SettledClasses<Model> of_classes;
#pragma omp for schedule(static)
      for (std::ptrdiff_t s = 0; s < station_count; ++s) {
        are_settled = settle_station(stations[static_cast<std::size_t>(s)], signals, of_classes) && are_settled;
      }
    }
    return are_settled;
  }

  void differentiate_settled(std::span<const double> signals, JacobianSink& jacobian) const override {
    SettledClasses<Model> of_classes;
    for (const Station& station : stations) {
      Now now = inlets(station, signals);
      const PortNow of_station = now.port.front();
      of_classes.set(all_params(), now.port);
      HeatByInlet<port_count> sum;
      const bool are_slopes_alike = are_alike() && is_affine(station, signals);
      const std::size_t counted = are_slopes_alike ? 1 : station.unit_count;
      for (std::size_t unit = station.first_unit; unit < station.first_unit + counted; ++unit) {
        read_unit(signals, unit, now);
        warm_inlet(station, unit, signals, of_station, now);
        of_classes[class_of(unit)].add_heat_by_inlet(now, sum);
      }
      const double times = static_cast<double>(station.unit_count) / static_cast<double>(counted);
      for (std::size_t q = 0; q < port_count; ++q) {
        for (std::size_t p = 0; p < port_count; ++p) {
          const PortWiring& inlet = station.ports[p];
          const std::size_t sink = station.ports[q].heat_sink;
          jacobian.add(sink, inlet.temperature_signal, times * sum.temperature_w_per_k[q][p]);
          jacobian.add(sink, inlet.flow_signal, times * sum.flow_j_per_kg[q][p] * inlet.share_fraction);
        }
      }
    }
  }

  std::unique_ptr<UnitPropagation> make_propagation() const override {
    if constexpr (VariesByUnit<Model>) {
      if (!are_alike()) return std::make_unique<VariedPropagation<Model>>(params_of_, classes_);
    }
    return std::make_unique<ExponentialPropagation<Model>>(params_);
  }

  double leakage_w(std::size_t unit, double die_k) const override {
    if constexpr (leaks) return params_of(unit).leakage_w_per_k * (die_k - leakage_reference_k);
    return 0.0;
  }

  double stored_energy_j(std::span<const double> signals) const override {
    double energy_j = 0.0;
    std::array<double, state_count> state;
    for (std::size_t unit = 0; unit < count(); ++unit) {
      for (std::size_t s = 0; s < state_count; ++s) state[s] = signals[state_slot(s, unit)];
      energy_j += Model::stored_energy_j(params_, state);
    }
    return energy_j;
  }

 private:
  /// Eight units side by side in a station are a node of eight, or eight of one kind.
  static Params at_place(const Params& params, std::size_t place) {
    if constexpr (requires { Model::placed(params, place); }) return Model::placed(params, place);
    return params;
  }

  static constexpr bool leaks = requires(const Params& p) { p.leakage_w_per_k, p.leakage_reference_k; };
  static constexpr double temperature_step_k = 1e-3;
  static constexpr double relative_flow_step_ratio = 1e-5;
  static constexpr double smallest_flow_step_kg_per_s = 1e-8;

  static constexpr std::ptrdiff_t fewest_parallel_stations = 32;  ///< with fewer, threads cost more than they bring

  /// Stations share no sink, so that any division among threads gives the same sums.
  template <class Act>
  void for_each_station(const Act& act) const {
    const auto station_count = static_cast<std::ptrdiff_t>(stations.size());
#pragma omp parallel if (station_count >= fewest_parallel_stations)
    {
      ClassConductances<Model> of_classes;
#pragma omp for schedule(static)
      for (std::ptrdiff_t s = 0; s < station_count; ++s) act(stations_by_flow[static_cast<std::size_t>(s)], of_classes);
    }
  }

  /// Adds heat and power of a station to the sinks; of single units rates to the sinks and power to `power_w`. Returns its power.
  template <bool ReportsUnits>
  [[gnu::flatten]] double add_station(const Station& station, const UnitsNow& units, std::span<double> sinks,
                                      double* power_w, ClassConductances<Model>& of_classes) const {
    using ByLanes = UnitLanes<Model>;
    const Now now = inlets(station, units.signals);
    of_classes.set({&params_, 1}, now.port);
    const ByLanes model(params_, of_classes.shared(0));
    Lanes given_w[port_count + 1] = {};
    visit_by_lanes(
        station.unit_count, [&](std::size_t first, auto count) __attribute__((always_inline)) {
          const std::size_t unit = station.first_unit + first;
          typename ByLanes::States states;
          for (std::size_t s = 0; s < state_count; ++s)
            states.of[s] = read_lanes(units.states.data() + state_slot(s, unit), count);
          const auto rates = model.rates(now.port, states, read_lanes(units.load_w.data() + unit, count));
          for (std::size_t q = 0; q <= port_count; ++q) add_lanes(rates.given_w[q], given_w[q], count);
          if constexpr (ReportsUnits) {
            for (std::size_t s = 0; s < state_count; ++s)
              write_lanes(rates.rate[s], sinks.data() + state_slot(s, unit), count);
            write_lanes(rates.given_w[port_count], power_w + first, count);
          }
        });
    for (std::size_t p = 0; p < port_count; ++p) sinks[station.ports[p].heat_sink] += sum_of(given_w[p]);
    const double station_power_w = sum_of(given_w[port_count]);
    sinks[station.power_sink] += station_power_w;
    return station_power_w;
  }

  /// The same where units differ, one by one.
  template <bool ReportsUnits>
  double add_varied_station(const Station& station, const UnitsNow& units, std::span<double> sinks, double* power_w,
                            ClassConductances<Model>& of_classes) const {
    Now now = inlets(station, units.signals);
    const PortNow of_station = now.port.front();
    of_classes.set(params_of_, now.port);
    double station_power_w = 0.0;
    std::array<double, port_count> heat_w{};
    for (std::size_t unit = station.first_unit; unit < station.first_unit + station.unit_count; ++unit) {
      for (std::size_t s = 0; s < state_count; ++s) now.state[s] = units.states[state_slot(s, unit)];
      now.load_w = units.load_w[unit];
      warm_inlet(station, unit, units.states, of_station, now);
      const Rates rates = of_classes.rates(params_of_, classes_.class_of_unit[unit], now);
      for (std::size_t p = 0; p < port_count; ++p) heat_w[p] += rates.heat_w[p];
      station_power_w += rates.power_w;
      if constexpr (ReportsUnits) {
        for (std::size_t s = 0; s < state_count; ++s) sinks[state_slot(s, unit)] = rates.rate[s];
        power_w[unit - station.first_unit] = rates.power_w;
      }
    }
    for (std::size_t p = 0; p < port_count; ++p) sinks[station.ports[p].heat_sink] += heat_w[p];
    sinks[station.power_sink] += station_power_w;
    return station_power_w;
  }

  bool are_alike() const { return params_of_.empty(); }

  std::span<const Params> all_params() const { return are_alike() ? std::span(&params_, 1) : std::span(params_of_); }
  std::size_t class_of(std::size_t unit) const { return are_alike() ? 0 : classes_.class_of_unit[unit]; }

  const Params& params_of(std::size_t unit) const { return all_params()[class_of(unit)]; }

  std::span<const double> loads_w(const Station& station, std::span<const double> signals) const {
    return signals.subspan(first_load + station.first_unit, station.unit_count);
  }

  /// Whether all units of a station are one affine function of their states and loads.
  bool is_affine(const Station& station, std::span<const double> signals) const {
    return AffineUnitModel<Model> && std::ranges::all_of(loads_w(station, signals), [](double w) { return w > 0.0; });
  }

  bool settle_station(const Station& station, std::span<double> signals, SettledClasses<Model>& of_classes) const {
    Now now = inlets(station, signals);
    const PortNow of_station = now.port.front();
    of_classes.set(all_params(), now.port);
    if (are_alike() && is_affine(station, signals)) return settle_affine(station, of_classes[0], now, signals);
    for (std::size_t unit = station.first_unit; unit < station.first_unit + station.unit_count; ++unit) {
      read_unit(signals, unit, now);
      warm_inlet(station, unit, signals, of_station, now);
      if (!of_classes[class_of(unit)].settle(now)) return false;
      for (std::size_t s = 0; s < state_count; ++s) signals[state_slot(s, unit)] = now.state[s];
    }
    return true;
  }

  /// States in steady state are affine in the load, too: two loads report those of all.
  bool settle_affine(const Station& station, const SettledUnits<Model>& settled, Now now,
                     std::span<double> signals) const {
    const std::span<const double> load_w = loads_w(station, signals);
    const double mean_w = sum_of(load_w) / static_cast<double>(load_w.size());
    read_unit(signals, station.first_unit, now);
    Now below = now, above = now;
    below.load_w = 0.5 * mean_w;
    above.load_w = 1.5 * mean_w;
    if (!settled.settle(below) || !settled.settle(above)) return false;
    for (std::size_t s = 0; s < state_count; ++s) {
      const double slope = (above.state[s] - below.state[s]) / mean_w;
      double* state = signals.data() + state_slot(s, station.first_unit);
      for (std::size_t k = 0; k < load_w.size(); ++k) state[k] = below.state[s] + slope * (load_w[k] - below.load_w);
    }
    return true;
  }

  static constexpr bool may_stand_in_order = requires(const Params& p, const PortNow& port) {
    Model::warmed_by(p, p, port);
  };

  /// What the one before a unit in its node has warmed the inlet by, per kelvin of its second state above it.
  struct Warmed {
    std::size_t by_unit = 0;
    double ratio = 0.0;  ///< 0: nothing is before it
  };

  /// Gives a unit its inlet, that of its station behind the unit before it. Those before it must have been computed.
  Warmed warm_inlet(const Station& station, std::size_t unit, std::span<const double> states, const PortNow& inlet,
                    Now& now) const {
    Warmed warmed;
    if constexpr (may_stand_in_order) {
      if (are_alike() || !Model::has_places(params_)) return warmed;
      const std::size_t place = (unit - station.first_unit) % lane_count;
      now.port.front() = inlet;
      warmed.by_unit = unit - place + Model::place_before(params_, place);
      if (warmed.by_unit == unit) return warmed;
      warmed.ratio = Model::warmed_by(params_of(warmed.by_unit), params_of(unit), inlet);
      now.port.front().temperature_k += warmed.ratio * (states[state_slot(1, warmed.by_unit)] - inlet.temperature_k);
    }
    return warmed;
  }

  Now inlets(const Station& station, std::span<const double> signals) const {
    Now now{};
    for (std::size_t p = 0; p < port_count; ++p) {
      const PortWiring& port = station.ports[p];
      now.port[p] = {.temperature_k = signals[port.temperature_signal],
                     .flow_kg_per_s = signals[port.flow_signal] * port.share_fraction,
                     .specific_heat_j_per_kg_k = port.specific_heat_j_per_kg_k};
    }
    return now;
  }

  void read_unit(std::span<const double> signals, std::size_t unit, Now& now) const {
    for (std::size_t s = 0; s < state_count; ++s) now.state[s] = signals[state_slot(s, unit)];
    now.load_w = signals[first_load + unit];
  }

  /// Central difference of everything a unit does, over `value` (a member of `now`); scaled by `per_signal`.
  void difference(const Station& station, std::size_t unit, Now& now, double& value, double step,
                  std::pair<std::size_t, double> signal, JacobianSink& jacobian) const {
    const double kept = value;
    value = kept + step;
    const Rates above = Model::rates(params_of(unit), now);
    value = kept - step;
    const Rates below = Model::rates(params_of(unit), now);
    value = kept;
    const double scale = signal.second / (2.0 * step);
    for (std::size_t s = 0; s < state_count; ++s) {
      jacobian.add(state_slot(s, unit), signal.first, (above.rate[s] - below.rate[s]) * scale);
    }
    for (std::size_t p = 0; p < port_count; ++p) {
      jacobian.add(station.ports[p].heat_sink, signal.first, (above.heat_w[p] - below.heat_w[p]) * scale);
    }
  }

  void differentiate_unit(const Station& station, std::size_t unit, Now& now, const Warmed& warmed,
                          JacobianSink& jacobian) const {
    for (std::size_t s = 0; s < state_count; ++s) {
      difference(station, unit, now, now.state[s], temperature_step_k, {state_slot(s, unit), 1.0}, jacobian);
    }
    for (std::size_t p = 0; p < port_count; ++p) {
      const PortWiring& port = station.ports[p];
      difference(station, unit, now, now.port[p].temperature_k, temperature_step_k,
                 {port.temperature_signal, 1.0 - warmed.ratio}, jacobian);
      if (warmed.ratio > 0.0) {
        difference(station, unit, now, now.port[p].temperature_k, temperature_step_k,
                   {state_slot(1, warmed.by_unit), warmed.ratio}, jacobian);
      }
      const double flow_step_kg_per_s =
          std::max(now.port[p].flow_kg_per_s * relative_flow_step_ratio, smallest_flow_step_kg_per_s);
      difference(station, unit, now, now.port[p].flow_kg_per_s, flow_step_kg_per_s,
                 {port.flow_signal, port.share_fraction}, jacobian);
    }
  }

  const Params params_;
  const UnitClasses classes_;
  std::vector<Params> params_of_;  ///< [class]; empty: all are as `params_` say
};

}  // namespace wattloop::twin
