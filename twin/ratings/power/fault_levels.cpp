#include "twin/ratings/power/fault_levels.hpp"

#include <map>

#include "electrical/fault/short_circuit.hpp"
#include "electrical/pdu.hpp"
#include "electrical/tree_voltages.hpp"

namespace wattloop::twin {

namespace {

using electrical::PowerTree;

/// What a short circuit sees: feeds, transformers, cables and the buses between them, as all is switched normally. Equipment that makes its own
/// voltage ends it; a switch joins its buses.
class FaultNetwork {
 public:
  explicit FaultNetwork(const PowerTree& tree) : tree_(tree), nominal_v_(electrical::nominal_voltages(tree)) {
    for (std::size_t source = 0; source < tree.source_name.size(); ++source) add_feed(source);
    is_added_.assign(tree.branch_name.size(), false);
    while (add_reached()) {
    }
  }

  std::vector<CheckRow> rows() {
    if (branches_.empty()) return {};
    fault_.voltage_factor = electrical::largest_voltage_factors(network_, electrical::LowVoltageTolerance::ten_percent);
    const std::vector<electrical::FaultLevel> levels = electrical::fault_levels(network_, fault_);
    std::vector<CheckRow> rows;
    for (std::size_t number = 0; number < branches_.size(); ++number) {
      const std::size_t branch = branches_[number];
      if (tree_.branch_transformer[branch].rated_va == 0.0) continue;
      rows.push_back({.kind = CheckRow::Kind::limit,
                      .of = std::string(tree_.branch_kind[branch]) + "s",
                      .name = tree_.branch_name[branch],
                      .quantity = "fault level of its bus",
                      .why = "more than its breakers interrupt",
                      .unit = "A",
                      .value = levels[network_.branches[number].to].current_a,
                      .limit = tree_.branch_breaking_a[branch]});
    }
    return rows;
  }

 private:
  std::size_t bus(int of_tree) {
    const auto [place, is_new] = bus_.emplace(of_tree, network_.buses.size());
    const auto number = static_cast<std::size_t>(of_tree);
    if (is_new) network_.buses.push_back({tree_.bus_name[number], nominal_v_[number]});
    return place->second;
  }

  void add_feed(std::size_t source) {
    if (tree_.source_is_standby[source] != 0 || tree_.source_normally_live[source] == 0) return;
    const double nominal_v = nominal_v_[static_cast<std::size_t>(tree_.source_bus[source])];
    const electrical::UtilityFeed::Params& feed = tree_.source_feed[source];
    fault_.sources.push_back(
        electrical::feeder_source(tree_.source_name[source], bus(tree_.source_bus[source]),
                                  {.nominal_v = nominal_v,
                                   .short_circuit_va = electrical::UtilityFeed::short_circuit_va(feed, nominal_v),
                                   .resistance_over_reactance = 1.0 / feed.reactance_ratio}));
  }

  /// Branches at buses that the network has. False if there was none left.
  bool add_reached() {
    bool any = false;
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      const bool is_at_from = bus_.contains(tree_.branch_from[branch]);
      const bool is_at_to = tree_.branch_goes_both_ways[branch] != 0 && bus_.contains(tree_.branch_to[branch]);
      if (is_added_[branch] || !conducts(branch) || !(is_at_from || is_at_to)) continue;
      is_added_[branch] = any = true;
      if (tree_.branch_transformer[branch].rated_va > 0.0)
        add_transformer(branch);
      else if (impedance_ohm(branch) != 0.0)
        add_cable(branch);
      else
        bus_.emplace(is_at_from ? tree_.branch_to[branch] : tree_.branch_from[branch],
                     bus_.at(is_at_from ? tree_.branch_from[branch] : tree_.branch_to[branch]));
    }
    return any;
  }

  bool conducts(std::size_t branch) const {
    return tree_.branch_normally_closed[branch] != 0 && tree_.branch_makes_voltage[branch] == 0 &&
           tree_.branch_kind[branch] != electrical::Pdu::kind;
  }

  electrical::Complex impedance_ohm(std::size_t branch) const {
    const double nominal_v = nominal_v_[static_cast<std::size_t>(tree_.branch_to[branch])];
    return {tree_.branch_loss[branch].quadratic_per_w * nominal_v * nominal_v, tree_.branch_reactance_ohm[branch]};
  }

  void add_cable(std::size_t branch) {
    const electrical::Complex ohm = impedance_ohm(branch);
    network_.branches.push_back({.name = tree_.branch_name[branch],
                                 .from = bus(tree_.branch_from[branch]),
                                 .to = bus(tree_.branch_to[branch]),
                                 .resistance_ohm = ohm.real(),
                                 .reactance_ohm = ohm.imag()});
    fault_.branches.push_back({});
    branches_.push_back(branch);
  }

  void add_transformer(std::size_t branch) {
    const electrical::TransformerRating& rating = tree_.branch_transformer[branch];
    const std::size_t from = bus(tree_.branch_from[branch]), to = bus(tree_.branch_to[branch]);
    network_.branches.push_back(electrical::transformer_branch(network_, tree_.branch_name[branch], from, to, rating,
                                                               tree_.branch_modules[branch]));
    const double largest =
        electrical::voltage_factors(rating.to_v, electrical::LowVoltageTolerance::ten_percent).largest;
    fault_.branches.push_back(
        {.factor = electrical::network_transformer_factor(electrical::reactance_ratio(rating), largest),
         .ratio = network_.branches.back().ratio});
    branches_.push_back(branch);
  }

  const PowerTree& tree_;
  electrical::AcNetwork network_;
  electrical::FaultCase fault_;
  std::vector<double> nominal_v_;      ///< [buses of the tree]
  std::vector<bool> is_added_;         ///< [branches of the tree]
  std::map<int, std::size_t> bus_;     ///< of the tree: in the network
  std::vector<std::size_t> branches_;  ///< of the network: in the tree
};

}  // namespace

std::vector<CheckRow> fault_level_rows(const electrical::PowerTree& tree) { return FaultNetwork(tree).rows(); }

}  // namespace wattloop::twin
