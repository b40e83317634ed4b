// One way to solve a flow whatever the network is: by sweeps where each source feeds a tree, else by Newton's method.
//
//   radial      sweeps; a loop is an error that names the branch
//   meshed      Newton's method
//   automatic   sweeps on trees, where their end without a solution is confirmed by Newton's method; Newton's method elsewhere
//
// Verified in tests/unit/electrical/ac_solver.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "electrical/flow/meshed_flow.hpp"
#include "electrical/flow/radial_flow.hpp"

namespace wattloop::electrical {

class AcSolver {
 public:
  /// The network must outlive the object and keep its buses, branches, loads and sources. Throws std::invalid_argument for what
  /// mistakes_in() finds, for a loop if the method is `radial`, and for branches without impedance where Newton's method is used.
  AcSolver(const AcNetwork& network, FlowMethod method);

  /// Takes over what is closed, live and tapped, and starts flat. Throws as the constructor.
  void take_switches();

  /// Whether sweeps solve the network as it is switched.
  bool is_radial() const { return tree_.has_value(); }

  /// Voltages as if nothing was loaded, so that what follows depends on nothing that was solved before.
  void start_flat();

  /// Solves for loads [loads] at nominal voltage; starts from the voltages of the last solution. Sweeps that end with one allocate nothing.
  FlowEnd solve(std::span<const Complex> load_va, AcFlow& flow);

 private:
  MeshedFlow& meshed();

  const AcNetwork& network_;
  FlowMethod method_;
  std::optional<RadialTree> tree_;
  RadialScratch scratch_;
  std::unique_ptr<MeshedFlow> meshed_;  ///< once it was needed
  bool is_meshed_current_ = false;      ///< has taken over the switches
};

}  // namespace wattloop::electrical
