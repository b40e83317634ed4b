// A group: all units of one model and one set of parameters, as columns. One virtual call serves the whole group.
//
// Units that share their inlets (all GPUs of a rack) stand side by side and form a station: what flows past them is
// looked up once for all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parts/unit_model.hpp"
#include "twin/units/jacobian_sink.hpp"
#include "twin/units/unit_propagation.hpp"

namespace wattloop::twin {

/// What one port of every unit of a station is connected to.
struct PortWiring {
  std::size_t temperature_signal;  ///< inlet, K
  std::size_t flow_signal;         ///< of the whole link, kg/s
  double share_fraction;           ///< of the link's flow, for each single unit
  double specific_heat_j_per_kg_k;
  std::size_t heat_sink;  ///< node that receives the heat, W
};

/// Units that share their inlets and their electrical load. No two stations of a group share a sink.
struct Station {
  std::size_t first_unit;
  std::size_t unit_count;
  std::size_t power_sink;         ///< electrical load that carries them, W
  std::vector<PortWiring> ports;  ///< one for each port of the model
};

/// Where a group finds its units and what flows past them.
struct UnitsNow {
  std::span<const double> states;   ///< of the plant
  std::span<const double> load_w;   ///< [unit of the group]
  std::span<const double> signals;  ///< inlets; single units are not looked up here
};

class UnitGroup {
 public:
  UnitGroup(std::string group_name, std::vector<std::string> names, std::vector<Station> at)
      : name(std::move(group_name)),
        unit_names(std::move(names)),
        stations(std::move(at)),
        stations_by_flow(by_flow(stations)) {}
  virtual ~UnitGroup() = default;

  virtual std::string_view kind() const = 0;
  virtual std::span<const StateInfo> states() const = 0;

  /// Rates of the units' states, and what they add to heat of nodes and to loads, to `sinks`; power of each unit to
  /// `power_w`, of each station to `station_power_w`.
  virtual void evaluate(const UnitsNow& now, std::span<double> sinks, std::span<double> power_w,
                        std::span<double> station_power_w) const = 0;

  /// The same but for rates and power of single units.
  virtual void add_stations(const UnitsNow& now, std::span<double> sinks, std::span<double> station_power_w) const = 0;

  /// Partial derivatives of all that `evaluate` adds to node and state rows, by central differences of `rates`.
  virtual void differentiate(std::span<const double> signals, JacobianSink& jacobian) const = 0;

  /// Moves states of all units in `signals` to where their rates are zero at the inlets there. False where one would run
  /// away; it and those behind it in its station are left as they were.
  virtual bool settle(std::span<double> signals) const = 0;

  /// Partial derivatives of the heat to nodes by the inlets, where all units follow them in steady state (twin/units/settled_units.hpp).
  virtual void differentiate_settled(std::span<const double> signals, JacobianSink& jacobian) const = 0;

  /// What advances units of this group sample by sample; one for each thread, because it remembers what it computed.
  virtual std::unique_ptr<UnitPropagation> make_propagation() const = 0;

  /// Leakage of a unit that has load, W; none of models without it.
  virtual double leakage_w(std::size_t unit, double die_k) const = 0;

  /// Heat stored in all units, J, from absolute zero.
  virtual double stored_energy_j(std::span<const double> signals) const = 0;

  /// Leakage of the leakiest unit at that die, none below where loads contain it.
  double most_leakage_w(double die_k) const {
    return largest_leakage_w_per_k * std::max(die_k - leakage_reference_k, 0.0);
  }

  std::size_t count() const { return unit_names.size(); }
  std::size_t state_slot(std::size_t state, std::size_t unit) const { return first_state + state * count() + unit; }

  const std::string name;                     ///< "gpu"
  const std::vector<std::string> unit_names;  ///< "rack_1.node_1.gpu_1"
  const std::vector<Station> stations;
  const std::vector<std::size_t> stations_by_flow;  ///< numbers of all, those of one flow one after the other
  std::size_t first_state = 0;                      ///< slot of state 0 of unit 0; columns follow one another
  std::size_t first_load = 0;                       ///< signal of unit 0's load; set by the plant builder
  double largest_leakage_w_per_k = 0.0, leakage_reference_k = 0.0;  ///< of all units

 private:
  static std::vector<std::size_t> by_flow(const std::vector<Station>& stations);
};

inline std::vector<std::size_t> UnitGroup::by_flow(const std::vector<Station>& stations) {
  std::vector<std::size_t> numbers(stations.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::ranges::stable_sort(numbers, {}, [&](std::size_t s) { return stations[s].ports.front().flow_signal; });
  return numbers;
}

}  // namespace wattloop::twin
