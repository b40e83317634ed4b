#include "twin/ratings/power/fault_levels.hpp"

#include <map>

#include "electrical/fault/short_circuit.hpp"

namespace wattloop::twin {

namespace {

using electrical::PowerTree;

/// What a short circuit sees: feeds, transformers and the buses between them.
class FaultNetwork {
 public:
  explicit FaultNetwork(const PowerTree& tree) : tree_(tree) {
    for (std::size_t source = 0; source < tree.source_name.size(); ++source) add_feed(source);
    for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) add_transformer(branch);
  }

  std::vector<CheckRow> rows() {
    if (branches_.empty()) return {};
    fault_.voltage_factor = electrical::largest_voltage_factors(network_, electrical::LowVoltageTolerance::ten_percent);
    const std::vector<electrical::FaultLevel> levels = electrical::fault_levels(network_, fault_);
    std::vector<CheckRow> rows;
    for (std::size_t number = 0; number < branches_.size(); ++number) {
      const std::size_t branch = branches_[number];
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
  std::size_t bus(int of_tree, double nominal_v) {
    const auto [place, is_new] = bus_.emplace(of_tree, network_.buses.size());
    if (is_new) network_.buses.push_back({tree_.bus_name[static_cast<std::size_t>(of_tree)], nominal_v});
    return place->second;
  }

  bool is_transformer(std::size_t branch) const {
    return tree_.branch_transformer[branch].rated_va > 0.0 && tree_.branch_normally_closed[branch] != 0;
  }

  /// A feed has the voltage of the first transformer behind it; without any it leads to no bus that is looked at.
  void add_feed(std::size_t source) {
    if (tree_.source_is_standby[source] != 0) return;
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      if (!is_transformer(branch) || tree_.branch_from[branch] != tree_.source_bus[source]) continue;
      const double nominal_v = tree_.branch_transformer[branch].from_v;
      const electrical::UtilityFeed::Params& feed = tree_.source_feed[source];
      fault_.sources.push_back(
          electrical::feeder_source(tree_.source_name[source], bus(tree_.source_bus[source], nominal_v),
                                    {.nominal_v = nominal_v,
                                     .short_circuit_va = electrical::UtilityFeed::short_circuit_va(feed, nominal_v),
                                     .resistance_over_reactance = 1.0 / feed.reactance_ratio}));
      return;
    }
  }

  /// Branches come behind all that feeds them.
  void add_transformer(std::size_t branch) {
    if (!is_transformer(branch) || !bus_.contains(tree_.branch_from[branch])) return;
    const electrical::TransformerRating& rating = tree_.branch_transformer[branch];
    const std::size_t from = bus_.at(tree_.branch_from[branch]), to = bus(tree_.branch_to[branch], rating.to_v);
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
  std::map<int, std::size_t> bus_;     ///< of the tree: in the network
  std::vector<std::size_t> branches_;  ///< of the network: in the tree
};

}  // namespace

std::vector<CheckRow> fault_level_rows(const electrical::PowerTree& tree) { return FaultNetwork(tree).rows(); }

}  // namespace wattloop::twin
