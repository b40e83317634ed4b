#include "twin/ratings/power/fault_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/numbers/joined.hpp"
#include "electrical/fault/short_circuit.hpp"
#include "electrical/tree_voltages.hpp"

namespace wattloop::twin {

namespace {

using electrical::PowerTree;
constexpr auto tolerance = electrical::LowVoltageTolerance::ten_percent;
constexpr double hot_conductor_k = 523.15;  ///< of cross-linked polyethylene at the end of a short circuit

/// Whether a closed branch joins its buses for voltages from beyond it.
bool passes_voltage(const PowerTree& tree, std::size_t branch) {
  return tree.branch_normally_closed[branch] != 0 && tree.branch_makes_voltage[branch] == 0;
}

/// All inverters of a UPS.
struct Inverter {
  std::size_t bus;
  double short_circuit_va;  ///< current into a short circuit at its bus, times the nominal voltage
};

/// [buses] Inverters behind which a bus is, with nothing between that makes a voltage or is open.
std::vector<std::vector<Inverter>> inverters_behind(const PowerTree& tree, const std::vector<double>& nominal_v,
                                                    FaultSize size) {
  Joined behind(nominal_v.size());
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (passes_voltage(tree, branch))
      behind.join(static_cast<std::size_t>(tree.branch_from[branch]), static_cast<std::size_t>(tree.branch_to[branch]));
  }
  std::vector<std::vector<Inverter>> all(nominal_v.size()), of_bus;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const double rated_va = in_service_share(tree, branch, size) * tree.branch_rated_w[branch] / std::numbers::sqrt3;
    const auto to = static_cast<std::size_t>(tree.branch_to[branch]);
    if (const double ratio = tree.branch_short_circuit_ratio[branch]; ratio > 0.0)
      all[behind.root(to)].push_back({to, ratio * rated_va});
  }
  for (std::size_t bus = 0; bus < all.size(); ++bus) of_bus.push_back(all[behind.root(bus)]);
  return of_bus;
}

class FaultNetwork {
 public:
  FaultNetwork(const PowerTree& tree, FaultFrom from, FaultSize size, FaultReach reach)
      : tree_(tree),
        size_(size),
        is_largest_(size == FaultSize::largest),
        reach_(reach),
        nominal_v_(electrical::nominal_voltages(tree)) {
    std::vector<std::size_t> sources;
    for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
      const bool is_standby = tree.source_is_standby[source] != 0;
      const bool gives = is_standby || tree.source_normally_live[source] != 0;
      if (is_standby == (from == FaultFrom::generators) && gives) sources.push_back(source);
    }
    find_reached(sources);
    for (const std::size_t source : sources)
      tree.source_is_standby[source] != 0 ? add_generator(source) : add_feed(source);
    for (const std::size_t branch : reached_) add(branch);
  }

  /// Of one figure of the levels.
  std::vector<double> currents_a(double electrical::FaultLevel::*of) {
    if (fault_.sources.empty()) return std::vector<double>(tree_.bus_name.size(), 0.0);
    const std::vector<electrical::FaultLevel> of_network = levels(network_, fault_);
    return by_bus([&](std::size_t bus) { return of_network[bus].*of; });
  }

  std::vector<double> earth_currents_a() {
    if (zero_fault_.sources.empty()) return std::vector<double>(tree_.bus_name.size(), 0.0);
    zero_network_.buses = network_.buses;
    const std::vector<electrical::FaultLevel> positive = levels(network_, fault_);
    const std::vector<electrical::FaultLevel> zero = levels(zero_network_, zero_fault_);
    return by_bus([&](std::size_t bus) {
      return zero[bus].current_a == 0.0 || positive[bus].current_a == 0.0
                 ? 0.0
                 : electrical::line_to_earth_current_a(fault_.voltage_factor[bus], network_.buses[bus].nominal_v,
                                                       positive[bus], zero[bus]);
    });
  }

 private:
  std::vector<electrical::FaultLevel> levels(const electrical::AcNetwork& network, electrical::FaultCase& fault) const {
    fault.voltage_factor = is_largest_ ? electrical::largest_voltage_factors(network, tolerance)
                                       : electrical::smallest_voltage_factors(network, tolerance);
    return electrical::fault_levels(network, fault);
  }

  /// [buses of the tree] `current_a` of their buses of the network.
  template <class CurrentOf>
  std::vector<double> by_bus(CurrentOf current_a) const {
    std::vector<double> currents_a(tree_.bus_name.size(), 0.0);
    for (std::size_t bus = 0; bus < currents_a.size(); ++bus)
      if (const auto found = bus_.find(joined_.root(bus)); found != bus_.end())
        currents_a[bus] = current_a(found->second);
    return currents_a;
  }

  /// Branches that conduct and are joined to a source; buses without impedance between them become one.
  void find_reached(const std::vector<std::size_t>& sources) {
    std::vector<bool> is_reached(tree_.bus_name.size(), false), is_found(tree_.branch_name.size(), false);
    for (const std::size_t source : sources) is_reached[static_cast<std::size_t>(tree_.source_bus[source])] = true;
    joined_ = Joined(tree_.bus_name.size());
    for (bool any = true; any;) {
      any = false;
      for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
        const auto from = static_cast<std::size_t>(tree_.branch_from[branch]);
        const auto to = static_cast<std::size_t>(tree_.branch_to[branch]);
        const bool is_at_to = tree_.branch_goes_both_ways[branch] != 0 && is_reached[to];
        if (is_found[branch] || !conducts(branch) || !(is_reached[from] || is_at_to)) continue;
        is_found[branch] = is_reached[from] = is_reached[to] = any = true;
        reached_.push_back(branch);
        if (!electrical::is_transformer(tree_, branch) && impedance_ohm(branch) == 0.0) joined_.join(from, to);
      }
    }
  }

  /// Of the network: one of all buses that are joined.
  std::size_t bus(int of_tree) {
    const std::size_t number = joined_.root(static_cast<std::size_t>(of_tree));
    const auto [place, is_new] = bus_.emplace(number, network_.buses.size());
    if (is_new) network_.buses.push_back({tree_.bus_name[number], nominal_v_[number]});
    return place->second;
  }

  void add_feed(std::size_t source) {
    const double nominal_v = nominal_v_[static_cast<std::size_t>(tree_.source_bus[source])];
    const electrical::UtilityFeed::Params& feed = tree_.source_feed[source];
    fault_.sources.push_back(electrical::feeder_source(
        tree_.source_name[source], bus(tree_.source_bus[source]),
        {.nominal_v = nominal_v,
         .short_circuit_va = is_largest_ ? electrical::UtilityFeed::short_circuit_va(feed, nominal_v)
                                         : electrical::UtilityFeed::smallest_short_circuit_va(feed, nominal_v),
         .resistance_over_reactance = 1.0 / feed.reactance_ratio}));
    if (nominal_v <= electrical::low_voltage_v)
      zero_fault_.sources.push_back(fault_.sources.back());  // of the earthed star point of the transformer before it
  }

  void add_generator(std::size_t source) {
    const double nominal_v = nominal_v_[static_cast<std::size_t>(tree_.source_bus[source])];
    const electrical::Generator::Params& set = tree_.source_generator[source];
    const auto [largest, smallest] = electrical::voltage_factors(nominal_v, tolerance);
    const double sustained_ratio = smallest / set.sustained_short_circuit_ratio;
    const electrical::GeneratorRating rating{
        .rated_va = set.rated_w / set.rated_power_factor,
        .rated_v = nominal_v,
        .subtransient_ratio = is_largest_ ? set.subtransient_reactance_fraction
                                          : std::max(set.subtransient_reactance_fraction, sustained_ratio),
        .power_factor = set.rated_power_factor};
    fault_.sources.push_back(
        electrical::generator_source(tree_.source_name[source], bus(tree_.source_bus[source]), rating,
                                     is_largest_ ? electrical::generator_factor(rating, nominal_v, largest) : 1.0));
  }

  /// A branch whose ends are joined carries nothing of a short circuit.
  void add(std::size_t branch) {
    if (bus(tree_.branch_from[branch]) == bus(tree_.branch_to[branch])) return;
    electrical::is_transformer(tree_, branch) ? add_transformer(branch) : add_cable(branch);
  }

  bool conducts(std::size_t branch) const {
    if (tree_.branch_bypassed[branch] != electrical::no_branch) return reach_ == FaultReach::through_bypasses;
    return passes_voltage(tree_, branch);
  }

  electrical::Complex impedance_ohm(std::size_t branch) const {
    const double nominal_v = nominal_v_[static_cast<std::size_t>(tree_.branch_to[branch])];
    const electrical::Complex of_all_ohm{tree_.branch_loss[branch].quadratic_per_w * nominal_v * nominal_v,
                                         tree_.branch_reactance_ohm[branch]};
    return of_all_ohm / in_service_share(tree_, branch, size_);
  }

  void add_cable(std::size_t branch) {
    const electrical::Complex ohm = impedance_ohm(branch);
    network_.branches.push_back({.name = tree_.branch_name[branch],
                                 .from = bus(tree_.branch_from[branch]),
                                 .to = bus(tree_.branch_to[branch]),
                                 .resistance_ohm = ohm.real(),
                                 .reactance_ohm = ohm.imag()});
    fault_.branches.push_back(
        {.resistance_ratio = is_largest_ ? 1.0 : electrical::hot_conductor_ratio(hot_conductor_k)});
    const electrical::ZeroSequence& zero = tree_.branch_zero_sequence[branch];
    zero_network_.branches.push_back(network_.branches.back());
    zero_network_.branches.back().resistance_ohm *= zero.resistance_ratio;
    zero_network_.branches.back().reactance_ohm *= zero.reactance_ratio;
    zero_fault_.branches.push_back(fault_.branches.back());
  }

  void add_transformer(std::size_t branch) {
    const electrical::TransformerRating& rating = tree_.branch_transformer[branch];
    const std::size_t from = bus(tree_.branch_from[branch]), to = bus(tree_.branch_to[branch]);
    const double in_service = in_service_share(tree_, branch, size_) * tree_.branch_modules[branch];
    network_.branches.push_back(electrical::transformer_branch(network_, tree_.branch_name[branch], from, to, rating,
                                                               static_cast<int>(std::lround(in_service))));
    const double largest = electrical::voltage_factors(rating.to_v, tolerance).largest;
    const double factor = electrical::network_transformer_factor(electrical::reactance_ratio(rating), largest);
    fault_.branches.push_back({.factor = is_largest_ ? factor : 1.0, .ratio = network_.branches.back().ratio});
    if (network_.buses[to].nominal_v > electrical::low_voltage_v)
      return;  // star points above it are earthed by impedances
    const electrical::AcBranch& winding = network_.branches.back();
    zero_fault_.sources.push_back({.name = tree_.branch_name[branch],
                                   .bus = to,
                                   .resistance_ohm = winding.resistance_ohm,
                                   .reactance_ohm = winding.reactance_ohm * rating.zero_sequence_ratio,
                                   .resistance_for_peak_ohm = winding.resistance_ohm,
                                   .factor = fault_.branches.back().factor});
  }

  const PowerTree& tree_;
  const FaultSize size_;
  const bool is_largest_;
  const FaultReach reach_;
  electrical::AcNetwork network_, zero_network_;  ///< of the positive and the zero sequence
  electrical::FaultCase fault_, zero_fault_;
  std::vector<double> nominal_v_;           ///< [buses of the tree]
  Joined joined_;                           ///< buses of the tree without impedance between them
  std::vector<std::size_t> reached_;        ///< branches of the tree
  std::map<std::size_t, std::size_t> bus_;  ///< of the tree, one for all that are joined: in the network
};

/// Currents through bypasses with those of the inverters that feed a bus, which are times `inverters_factor`; 0 where none does.
std::vector<double> with_inverters(const PowerTree& tree, FaultSize size, std::vector<double> currents_a,
                                   double inverters_factor) {
  const std::vector<double> nominal_v = electrical::nominal_voltages(tree);
  const std::vector<std::vector<Inverter>> inverters = inverters_behind(tree, nominal_v, size);
  std::vector<double> by_bypass_va(currents_a.size());
  for (std::size_t bus = 0; bus < by_bypass_va.size(); ++bus) by_bypass_va[bus] = currents_a[bus] * nominal_v[bus];
  for (std::size_t bus = 0; bus < currents_a.size(); ++bus) {
    double inverters_va = 0.0;
    for (const Inverter& inverter : inverters[bus]) {
      const double there_va = by_bypass_va[inverter.bus];
      inverters_va += inverter.short_circuit_va * (there_va > 0.0 ? std::min(1.0, by_bypass_va[bus] / there_va) : 1.0);
    }
    if (inverters_va == 0.0)
      currents_a[bus] = 0.0;
    else if (size == FaultSize::largest || currents_a[bus] == 0.0)
      currents_a[bus] += inverters_factor * inverters_va / nominal_v[bus];
  }
  return currents_a;
}

}  // namespace

double in_service_share(const PowerTree& tree, std::size_t branch, FaultSize size) {
  const int modules = tree.branch_modules[branch], spare = tree.branch_spare_modules[branch];
  if (size != FaultSize::smallest_spared || spare <= 0 || modules <= 1) return 1.0;
  return static_cast<double>(std::max(1, modules - spare)) / modules;
}

bool has_spare_modules(const PowerTree& tree) {
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch)
    if (in_service_share(tree, branch, FaultSize::smallest_spared) < 1.0) return true;
  return false;
}

std::vector<double> short_circuit_currents_a(const PowerTree& tree, FaultFrom from, FaultSize size, FaultReach reach) {
  return FaultNetwork(tree, from, size, reach).currents_a(&electrical::FaultLevel::current_a);
}

std::vector<double> earth_currents_a(const PowerTree& tree, FaultSize size, FaultReach reach) {
  return FaultNetwork(tree, FaultFrom::feeds, size, reach).earth_currents_a();
}

std::vector<double> currents_behind_ups_a(const PowerTree& tree, FaultSize size) {
  return with_inverters(tree, size,
                        short_circuit_currents_a(tree, FaultFrom::feeds, size, FaultReach::through_bypasses), 1.0);
}

std::vector<double> peak_currents_a(const PowerTree& tree) {
  const auto peaks_a = [&](FaultFrom from, FaultReach reach) {
    return FaultNetwork(tree, from, FaultSize::largest, reach).currents_a(&electrical::FaultLevel::peak_a);
  };
  std::vector<double> largest_a = peaks_a(FaultFrom::feeds, FaultReach::to_ups);
  const std::vector<double> behind_a = with_inverters(
      tree, FaultSize::largest, peaks_a(FaultFrom::feeds, FaultReach::through_bypasses), std::numbers::sqrt2);
  const std::vector<double> sets_a = peaks_a(FaultFrom::generators, FaultReach::through_bypasses);
  for (std::size_t bus = 0; bus < largest_a.size(); ++bus)
    largest_a[bus] = std::max({largest_a[bus], behind_a[bus], sets_a[bus]});
  return largest_a;
}

BusCurrents currents_of_buses(const PowerTree& tree, FaultSize size) {
  BusCurrents currents{.three_phase_a = short_circuit_currents_a(tree, FaultFrom::feeds, size),
                       .earth_a = earth_currents_a(tree, size, FaultReach::through_bypasses)};
  const std::vector<double> behind_a = currents_behind_ups_a(tree, size);
  for (std::size_t bus = 0; bus < behind_a.size(); ++bus) {
    double& current_a = currents.three_phase_a[bus];
    const bool is_reached_twice = current_a > 0.0 && behind_a[bus] > 0.0;
    current_a = is_reached_twice && size != FaultSize::largest ? std::min(current_a, behind_a[bus])
                                                               : std::max(current_a, behind_a[bus]);
  }
  return currents;
}

}  // namespace wattloop::twin
