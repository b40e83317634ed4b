#include "electrical/flow/ac_solver.hpp"

#include <algorithm>
#include <string>

namespace wattloop::electrical {

namespace {

bool have_all_impedance(const AcNetwork& network) {
  return std::ranges::all_of(network.branches, [](const AcBranch& branch) {
    return branch.resistance_ohm != 0.0 || branch.reactance_ohm != 0.0;
  });
}

}  // namespace

AcSolver::AcSolver(const AcNetwork& network, FlowMethod method) : network_(network), method_(method) {
  take_switches();
}

void AcSolver::take_switches() {
  is_meshed_current_ = false;
  tree_.reset();
  std::string reason;
  if (method_ != FlowMethod::meshed) tree_ = build_radial_tree(network_, &reason);
  if (method_ == FlowMethod::radial && !tree_) throw_if_mistaken({reason + ": a radial flow has none of these"});
  if (tree_) {
    scratch_ = make_radial_scratch(network_, *tree_);
  } else {
    meshed();
  }
}

MeshedFlow& AcSolver::meshed() {
  if (meshed_ == nullptr) {
    meshed_ = std::make_unique<MeshedFlow>(network_);
  } else if (!is_meshed_current_) {
    meshed_->take_switches();
  }
  is_meshed_current_ = true;
  return *meshed_;
}

void AcSolver::start_flat() {
  if (tree_) electrical::start_flat(*tree_, scratch_);
  if (meshed_ != nullptr) meshed_->start_flat();
}

FlowEnd AcSolver::solve(std::span<const Complex> load_va, AcFlow& flow) {
  if (!tree_) return meshed().solve(load_va, flow);
  const FlowEnd end = solve_radial(network_, *tree_, load_va, scratch_, flow);
  if (end.is_solved || method_ == FlowMethod::radial || !have_all_impedance(network_)) return end;
  return meshed().solve(load_va, flow);
}

}  // namespace wattloop::electrical
