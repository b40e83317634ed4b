#include "electrical/one_line.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "core/text/problem.hpp"
#include "electrical/electrical_catalog.hpp"
#include "electrical/one_line_graph.hpp"
#include "electrical/tree_voltages.hpp"

namespace wattloop::electrical {

namespace {

/// 0 .. size - 1, lower levels first, equal levels in their order.
template <class LevelOf>
std::vector<int> by_level(std::size_t size, LevelOf level_of) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return level_of(a) < level_of(b); });
  return order;
}

void add_branch(const Branch& branch, const BusNumbers& position, PowerTree& tree) {
  const Battery battery = battery_of(branch.equipment);
  tree.branch_name.push_back(branch.name);
  tree.branch_kind.push_back(kind_of(branch.equipment));
  tree.branch_from.push_back(position.at(branch.from));
  tree.branch_to.push_back(position.at(branch.to));
  tree.branch_room.push_back(branch.room);
  tree.branch_modules.push_back(branch.modules);
  tree.branch_spare_modules.push_back(branch.spare_modules);
  tree.branch_first_module.push_back(tree.module_name.size());
  for (int module = 1; module <= branch.modules; ++module) {
    tree.module_name.push_back(branch.modules == 1 ? std::string() : module_name(branch, module));
  }
  tree.branch_rated_w.push_back(rated_w(branch.equipment) * branch.modules);
  tree.branch_limit.push_back(overload_limit(branch.equipment));
  tree.branch_stages.push_back(fixed_stages(branch.equipment));
  tree.branch_zero_sequence.push_back(zero_sequence(branch.equipment));
  tree.branch_loss.push_back(in_parallel(loss_curve(branch.equipment), branch.modules));
  tree.branch_transformer.push_back(transformer_rating(branch.equipment));
  tree.branch_reactance_ohm.push_back(reactance_ohm(branch.equipment) / branch.modules);
  const double power_factor = input_power_factor(branch.equipment);
  tree.branch_makes_voltage.push_back(power_factor > 0.0);
  tree.branch_input_tangent.push_back(power_factor > 0.0 ? tangent_of(power_factor) : 0.0);
  tree.branch_short_circuit_ratio.push_back(short_circuit_ratio(branch.equipment));
  tree.branch_breaking_a.push_back(breaking_capacity_a(branch.equipment));
  tree.branch_battery_j.push_back(battery.energy_j * branch.modules);
  tree.branch_charger_w.push_back(battery.charger_w * branch.modules);
  tree.branch_shares_battery.push_back(branch.shares_battery);
  tree.branch_normally_closed.push_back(branch.normally_closed);
  tree.branch_goes_both_ways.push_back(branch.goes_both_ways);
  tree.branch_return_s.push_back(branch.bypass_return_s);
}

/// [branches of the tree] The branch that the member `named` of each branch names, or `no_branch`.
std::vector<int> named_branches(const OneLineDiagram& diagram, const PowerTree& tree, std::string Branch::*named) {
  std::vector<int> branches(tree.branch_name.size(), no_branch);
  for (const Branch& branch : diagram.branches) {
    if ((branch.*named).empty()) continue;
    if (const auto other = find_branch(tree, branch.*named))
      branches[*find_branch(tree, branch.name)] = static_cast<int>(*other);
  }
  return branches;
}

/// A transformer without stated voltages, such as the one in a PDU, gets the voltages of its buses.
void set_voltages_of_transformers(PowerTree& tree) {
  const std::vector<double> nominal_v = nominal_voltages(tree);
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    TransformerRating& rating = tree.branch_transformer[branch];
    if (rating.rated_va == 0.0 || rating.to_v > 0.0) continue;
    rating.from_v = nominal_v[static_cast<std::size_t>(tree.branch_from[branch])];
    rating.to_v = nominal_v[static_cast<std::size_t>(tree.branch_to[branch])];
  }
}

/// `branch_order`: diagram numbers of the tree's branches.
void add_infeeds(const std::vector<int>& branch_order, PowerTree& tree) {
  std::vector<int> as_declared(branch_order.size());
  for (std::size_t branch = 0; branch < branch_order.size(); ++branch) {
    as_declared[branch_order[branch]] = static_cast<int>(branch);
  }
  tree.infeed_begin.assign(tree.bus_name.size() + 1, 0);
  for (const int to : tree.branch_to) ++tree.infeed_begin[to + 1];
  std::partial_sum(tree.infeed_begin.begin(), tree.infeed_begin.end(), tree.infeed_begin.begin());
  std::vector<int> next = tree.infeed_begin;
  tree.infeed.resize(branch_order.size());
  for (const int branch : as_declared) tree.infeed[next[tree.branch_to[branch]]++] = branch;
}

/// The voltage that the diagram states for the bus; otherwise the voltage of equipment at the bus.
double nominal_v(const OneLineDiagram& diagram, const Bus& bus) {
  if (bus.voltage_v > 0.0) return bus.voltage_v;
  for (const Branch& branch : diagram.branches) {
    const double here_v = branch.from == bus.name || branch.to == bus.name ? voltage_v(branch.equipment) : 0.0;
    if (here_v > 0.0) return here_v;
  }
  return 0.0;
}

}  // namespace

PowerTree flatten(const OneLineDiagram& diagram) {
  const BusNumbers number = number_buses(diagram);
  const std::vector<int> level = OneLineGraph(diagram).levels();
  PowerTree tree;
  tree.rooms = diagram.rooms;

  BusNumbers position;
  for (const int bus : by_level(diagram.buses.size(), [&](int b) { return level[b]; })) {
    position.emplace(diagram.buses[bus].name, static_cast<int>(tree.bus_name.size()));
    tree.bus_name.push_back(diagram.buses[bus].name);
    tree.bus_voltage_v.push_back(nominal_v(diagram, diagram.buses[bus]));
  }
  const std::vector<int> branch_order =
      by_level(diagram.branches.size(), [&](int branch) { return level[number.at(diagram.branches[branch].from)]; });
  for (const int branch : branch_order) add_branch(diagram.branches[branch], position, tree);
  add_infeeds(branch_order, tree);
  tree.branch_bypassed = named_branches(diagram, tree, &Branch::bypassed);
  set_voltages_of_transformers(tree);
  tree.branch_protects = named_branches(diagram, tree, &Branch::protects);
  for (const Source& source : diagram.sources) {
    tree.source_name.push_back(source.name);
    tree.source_kind.push_back(kind_of(source.equipment));
    tree.source_bus.push_back(position.at(source.bus));
    tree.source_is_standby.push_back(electrical_kind(kind_of(source.equipment)).is_standby);
    tree.source_normally_live.push_back(source.normally_live);
    tree.source_rated_w.push_back(rated_w(source.equipment));
    const auto* feed = std::get_if<UtilityFeed::Params>(&source.equipment);
    tree.source_feed.push_back(feed != nullptr ? *feed : UtilityFeed::Params{});
    const auto* set = std::get_if<Generator::Params>(&source.equipment);
    tree.source_generator.push_back(set != nullptr ? *set : Generator::Params{});
    tree.source_limit.push_back(overload_limit(source.equipment));
  }
  for (const Load& load : diagram.loads) {
    tree.load_name.push_back(load.name);
    tree.load_bus.push_back({position.at(load.buses[0]), load.buses.size() == 2 ? position.at(load.buses[1]) : no_bus});
    tree.load_transfers.push_back(load.sharing == Load::Sharing::transfer);
    tree.load_needs_both.push_back(load.sharing == Load::Sharing::both_needed && load.buses.size() == 2);
  }
  return tree;
}

PowerTree build_power_tree(const OneLineDiagram& diagram) {
  Problems problems;
  for (const Finding& finding : check(diagram)) {
    if (finding.severity == Finding::Severity::warning) continue;
    Problem problem;
    problem.message = finding.message;
    problems.add(std::move(problem));
  }
  problems.throw_if_any("the one-line diagram");
  return flatten(diagram);
}

}  // namespace wattloop::electrical
