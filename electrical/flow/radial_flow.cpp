#include "electrical/flow/radial_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "electrical/admittance/per_unit.hpp"

namespace wattloop::electrical {

namespace {

/// Adds nodes to a tree, breadth first.
class TreeMaker {
 public:
  TreeMaker(const AcNetwork& network, RadialTree& tree)
      : network_(network), tree_(tree), at_bus_(network.buses.size()), shunt_(network.buses.size()) {
    for (std::size_t branch = 0; branch < network.branches.size(); ++branch) {
      const AcBranch& one = network.branches[branch];
      if (!one.is_closed) continue;
      at_bus_[one.from].push_back(branch);
      at_bus_[one.to].push_back(branch);
      const Complex half = 0.5 * shunt_admittance(network, one);
      shunt_[one.to] += half;
      shunt_[one.from] += half / (one.ratio * one.ratio);
    }
    tree.is_live.assign(network.buses.size(), 0);
  }

  /// False if a source or a loop is found on the way.
  bool grow(const AcSource& source) {
    if (tree_.is_live[source.bus] != 0) {
      reason_ = fmt::format("source '{}' feeds bus '{}', which another source feeds", source.name,
                            network_.buses[source.bus].name);
      return false;
    }
    plant(source);
    for (std::size_t node = tree_.node_bus.size() - 1; node < tree_.node_bus.size(); ++node) {
      for (const std::size_t branch : at_bus_[tree_.node_bus[node]]) {
        if (branch != tree_.node_branch[node] && !add(branch, node)) return false;
      }
    }
    return true;
  }

  const std::string& reason() const { return reason_; }

 private:
  void plant(const AcSource& source) {
    const std::size_t root = tree_.node_bus.size();
    const bool is_behind = source.is_behind_impedance();
    push(source.bus, root, !is_behind);
    tree_.source_voltage.back() = source_voltage(source);
    if (!is_behind) return;
    push(source.bus, root, true);
    tree_.impedance.back() = source_impedance(network_, source);
  }

  bool add(std::size_t number, std::size_t parent) {
    const AcBranch& branch = network_.branches[number];
    const bool is_downwards = branch.from == tree_.node_bus[parent];
    const std::size_t bus = is_downwards ? branch.to : branch.from;
    if (tree_.is_live[bus] != 0) {
      reason_ = fmt::format("branch '{}' closes a loop at bus '{}', or joins two sources", branch.name,
                            network_.buses[bus].name);
      return false;
    }
    push(bus, parent, true);
    tree_.node_branch.back() = number;
    tree_.ratio.back() = is_downwards ? branch.ratio : 1.0 / branch.ratio;
    tree_.impedance.back() = series_impedance(network_, branch) * (is_downwards ? 1.0 : branch.ratio * branch.ratio);
    return true;
  }

  void push(std::size_t bus, std::size_t parent, bool is_terminal) {
    tree_.node_bus.push_back(bus);
    tree_.parent.push_back(parent);
    tree_.node_branch.push_back(network_.branches.size());
    tree_.source_voltage.emplace_back(0.0);
    tree_.impedance.emplace_back(0.0);
    tree_.shunt.push_back(is_terminal ? shunt_[bus] : Complex(0.0));
    tree_.ratio.push_back(1.0);
    tree_.is_terminal.push_back(is_terminal ? 1 : 0);
    if (is_terminal) tree_.is_live[bus] = 1;
  }

  const AcNetwork& network_;
  RadialTree& tree_;
  std::string reason_;
  std::vector<std::vector<std::size_t>> at_bus_;  ///< closed branches
  std::vector<Complex> shunt_;                    ///< [buses]
};

}  // namespace

std::optional<RadialTree> build_radial_tree(const AcNetwork& network, std::string* reason) {
  throw_if_mistaken(mistakes_in(network));
  RadialTree tree;
  TreeMaker maker(network, tree);
  for (const AcSource& source : network.sources) {
    if (!source.is_live || maker.grow(source)) continue;
    if (reason != nullptr) *reason = maker.reason();
    return std::nullopt;
  }
  return tree;
}

RadialScratch make_radial_scratch(const AcNetwork& network, const RadialTree& tree) {
  RadialScratch scratch;
  scratch.voltage.resize(tree.node_bus.size());
  scratch.current.resize(tree.node_bus.size());
  scratch.load.resize(network.buses.size());
  scratch.bus_voltage.resize(network.buses.size());
  scratch.branch_current.resize(network.branches.size());
  start_flat(tree, scratch);
  return scratch;
}

void start_flat(const RadialTree& tree, RadialScratch& scratch) noexcept {
  for (std::size_t node = 0; node < tree.node_bus.size(); ++node) {
    const std::size_t parent = tree.parent[node];
    scratch.voltage[node] = parent == node ? tree.source_voltage[node] : scratch.voltage[parent] / tree.ratio[node];
  }
}

namespace {

void sweep_backward(const RadialTree& tree, RadialScratch& scratch) noexcept {
  for (std::size_t node = 0; node < tree.node_bus.size(); ++node) {
    const Complex voltage = scratch.voltage[node];
    scratch.current[node] = product(tree.shunt[node], voltage);
    if (tree.is_terminal[node] != 0) scratch.current[node] += load_current(scratch.load[tree.node_bus[node]], voltage);
  }
  for (std::size_t node = tree.node_bus.size(); node-- > 0;) {
    const std::size_t parent = tree.parent[node];
    if (parent != node) scratch.current[parent] += scratch.current[node] / tree.ratio[node];
  }
}

struct Swept {
  double largest_change = 0.0;
  double lowest_square = std::numeric_limits<double>::infinity();
  std::size_t lowest_node = 0;
};

Swept sweep_forward(const RadialTree& tree, RadialScratch& scratch) noexcept {
  Swept swept;
  for (std::size_t node = 0; node < tree.node_bus.size(); ++node) {
    const std::size_t parent = tree.parent[node];
    const Complex before = scratch.voltage[node];
    const Complex now = parent == node ? tree.source_voltage[node]
                                       : scratch.voltage[parent] / tree.ratio[node] -
                                             product(tree.impedance[node], scratch.current[node]);
    scratch.voltage[node] = now;
    const double change = std::max(std::abs(now.real() - before.real()), std::abs(now.imag() - before.imag()));
    swept.largest_change = std::max(swept.largest_change, change);
    if (std::norm(now) < swept.lowest_square) {
      swept.lowest_square = std::norm(now);
      swept.lowest_node = node;
    }
  }
  return swept;
}

void gather(const AcNetwork& network, const RadialTree& tree, RadialScratch& scratch) noexcept {
  std::ranges::fill(scratch.bus_voltage, Complex(0.0));
  std::ranges::fill(scratch.branch_current, Complex(0.0));
  for (std::size_t node = 0; node < tree.node_bus.size(); ++node) {
    if (tree.is_terminal[node] != 0) scratch.bus_voltage[tree.node_bus[node]] = scratch.voltage[node];
    const std::size_t number = tree.node_branch[node];
    if (number == network.branches.size()) continue;
    const AcBranch& branch = network.branches[number];
    const bool is_downwards = branch.to == tree.node_bus[node];
    scratch.branch_current[number] = scratch.current[node] * (is_downwards ? 1.0 : -branch.ratio);
  }
}

}  // namespace

FlowEnd solve_radial(const AcNetwork& network, const RadialTree& tree, std::span<const Complex> load_va,
                     RadialScratch& scratch, AcFlow& flow, const SweepLimits& limits) noexcept {
  constexpr double smallest_square = 1e-4;  // a hundredth of nominal: no load that is carried leaves so little
  constexpr double largest_change = 10.0;   // of nominal: sweeps that grow
  constexpr double possible_square = 0.09;  // 0.3 of nominal: voltages collapse from above that
  FlowEnd end;
  add_up_loads(network, load_va, scratch.load);
  bool is_collapsed = false, is_falling = true;
  Swept lowest;  // while voltages fall from sweep to sweep; then they swing between low and high
  while (!end.is_solved && !is_collapsed && end.iterations < limits.most_sweeps) {
    sweep_backward(tree, scratch);
    const Swept swept = sweep_forward(tree, scratch);
    is_collapsed = !(swept.lowest_square > smallest_square) || !(swept.largest_change < largest_change);
    end.is_solved = !is_collapsed && swept.largest_change < limits.tolerance;
    is_falling = is_falling && swept.lowest_square < lowest.lowest_square && swept.lowest_square > possible_square;
    if (is_falling || end.iterations == 0) lowest = swept;
    ++end.iterations;
  }
  if (end.is_solved) {
    gather(network, tree, scratch);
    find_weakest(scratch.bus_voltage, tree.is_live, end);
    fill_flow(network, load_va, scratch.bus_voltage, scratch.branch_current, flow);
  } else {
    end.weakest_bus = tree.node_bus[lowest.lowest_node];
    end.weakest_ratio = std::sqrt(lowest.lowest_square);
    start_flat(tree, scratch);
  }
  return end;
}

}  // namespace wattloop::electrical
