#include "twin/planning/work/power_domains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>

#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/nodes_by_name.hpp"

namespace wattloop::twin {

namespace {

constexpr std::uint32_t no_domain = std::numeric_limits<std::uint32_t>::max();
constexpr const char* budget_hint = "a row, rack or node (row_3, row_3.rack_1), or a block, UPS, PDU or bus of `power`";

/// Nodes by the names of electrical equipment that they draw from while all of it works.
class NodesBehind {
 public:
  explicit NodesBehind(const Scenario& scenario) : plant_(build_plant(scenario)), tree_(plant_.power_tree) {
    const electrical::SwitchState switches = electrical::normal_switch_state(tree_);
    for (const std::string& name : tree_.bus_name) names_.add(name);
    for (const std::string& name : tree_.branch_name) names_.add(name);
    for (const std::string& name : tree_.source_name) names_.add(name);
    for (const PowerBlockSpec& block : scenario.power.blocks()) {
      feed_of_block_[block.name] = fmt::format("utility_{}", block.name);
      names_.add(block.name);
    }
    for (const RackPart& rack : plant_.it.racks) {
      std::set<std::string>& above = above_.emplace_back();
      for (std::size_t cord = 0; cord < 2; ++cord) {
        const int bus = tree_.load_bus[rack.load][cord];
        if (bus != electrical::no_bus && switches.cord_share[rack.load][cord] > 0.0)
          climb(static_cast<std::size_t>(bus), switches, above);
      }
    }
  }

  const NameIndex& names() const { return names_; }

  void append(const std::string& name, std::vector<std::size_t>& nodes) const {
    const auto block = feed_of_block_.find(name);
    const std::string& part = block == feed_of_block_.end() ? name : block->second;
    for (std::size_t rack = 0; rack < above_.size(); ++rack) {
      if (!above_[rack].contains(part)) continue;
      const std::size_t first = plant_.it.racks[rack].first_node;
      for (std::size_t node = first; node < first + plant_.it.nodes_in(rack); ++node) nodes.push_back(node);
    }
  }

 private:
  void climb(std::size_t bus, const electrical::SwitchState& switches, std::set<std::string>& above) const {
    if (!above.insert(tree_.bus_name[bus]).second) return;
    for (std::size_t source = 0; source < tree_.source_name.size(); ++source) {
      if (static_cast<std::size_t>(tree_.source_bus[source]) == bus && switches.source_live[source] != 0)
        above.insert(tree_.source_name[source]);
    }
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      const auto [from, to] = electrical::ends_of_flow(tree_, switches, branch);
      if (static_cast<std::size_t>(to) != bus || !electrical::feeds_its_bus(switches, branch)) continue;
      above.insert(tree_.branch_name[branch]);
      climb(static_cast<std::size_t>(from), switches, above);
    }
  }

  Plant plant_;
  const electrical::PowerTree& tree_;
  NameIndex names_;
  std::map<std::string, std::string> feed_of_block_;
  std::vector<std::set<std::string>> above_;  ///< [rack]
};

/// Domains of a map of budgets, name by name.
class BudgetReader {
 public:
  BudgetReader(const Scenario& scenario, Problems& problems)
      : scenario_(scenario), problems_(problems), hall_(scenario) {
    std::size_t nodes = 0;
    for (const RacksSpec& racks : scenario.racks) nodes += static_cast<std::size_t>(racks.count) * racks.nodes;
    found_.domain_of_node.assign(nodes, no_domain);
  }

  PowerDomains read() {
    for (const BudgetSpec& budget : scenario_.jobs->scheduler.budgets) add(budget);
    if (std::ranges::find(found_.domain_of_node, no_domain) != found_.domain_of_node.end()) {
      std::ranges::replace(found_.domain_of_node, no_domain, static_cast<std::uint32_t>(found_.domains.size()));
      found_.domains.push_back({"", std::numeric_limits<double>::infinity()});
    }
    return std::move(found_);
  }

 private:
  void add(const BudgetSpec& budget) {
    std::vector<std::size_t> nodes = nodes_of(budget);
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    for (const std::size_t node : nodes) {
      if (found_.domain_of_node[node] == no_domain) continue;
      problems_.add(
          {budget.mention.place,
           fmt::format("budget: {} is in {} and in {}", hall_.name_of(node),
                       found_.domains[found_.domain_of_node[node]].name, budget.name),
           "give each node only one budget: the budget of the hall, or budgets of parts that have no node in common",
           budget.mention.excerpt});
      return;
    }
    for (const std::size_t node : nodes)
      found_.domain_of_node[node] = static_cast<std::uint32_t>(found_.domains.size());
    found_.domains.push_back({budget.name, budget.power_w});
  }

  std::vector<std::size_t> nodes_of(const BudgetSpec& budget) {
    std::vector<std::size_t> nodes;
    for (const std::size_t name : hall_.names().fitting(budget.name)) hall_.append(name, nodes);
    if (!nodes.empty()) return nodes;
    if (!power_) power_ = std::make_unique<NodesBehind>(scenario_);
    const std::vector<std::size_t> parts = power_->names().fitting(budget.name);
    for (const std::size_t part : parts) power_->append(power_->names().names()[part], nodes);
    if (!nodes.empty()) return nodes;
    if (!parts.empty()) {
      problems_.add({budget.mention.place,
                     fmt::format("budget: no node draws power from {} in normal operation", budget.name), budget_hint,
                     budget.mention.excerpt});
      return nodes;
    }
    std::vector<std::string> all = hall_.names().names();
    all.insert(all.end(), power_->names().names().begin(), power_->names().names().end());
    const std::string meant = NameIndex(std::move(all)).hint(budget.name, problems_);
    problems_.add({budget.mention.place,
                   fmt::format("budget: this hall has no node, rack, row or electrical equipment '{}'", budget.name),
                   meant.empty() ? std::string(budget_hint) : meant, budget.mention.excerpt});
    return nodes;
  }

  const Scenario& scenario_;
  Problems& problems_;
  NodesByName hall_;
  std::unique_ptr<NodesBehind> power_;
  PowerDomains found_;
};

}  // namespace

PowerDomains power_domains_of(const Scenario& scenario, Problems& problems) {
  const SchedulerSpec& scheduler = scenario.jobs->scheduler;
  if (scheduler.budgets.empty()) return {};
  if (scheduler.budgets.size() == 1 && scheduler.budgets.front().name == BudgetSpec::hall)
    return {.domains = {{BudgetSpec::hall, scheduler.budgets.front().power_w}}};
  return BudgetReader(scenario, problems).read();
}

}  // namespace wattloop::twin
