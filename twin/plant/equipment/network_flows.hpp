// A network of pipes, pumps and valves whose flows follow from speeds and positions among the signals
// (physics/fluids/flow_network.hpp). Nothing here knows what stands in it.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "physics/fluids/flow_network.hpp"

namespace wattloop::twin {

inline constexpr std::size_t no_signal = std::numeric_limits<std::size_t>::max();

/// A branch, or several that are alike, side by side between the same two nodes.
struct NetworkBranch {
  physics::FlowBranch one;                  ///< one of the equal branches
  double count = 1.0;                       ///< of equal branches, which are solved as one; this is exact
  std::size_t speed_signal = no_signal;     ///< of the pump; none: it is off
  double usual_speed_fraction = 0.0;        ///< from which the solver starts
  double usual_position_fraction = 1.0;     ///< the same
  std::size_t position_signal = no_signal;  ///< of the valve; none: open
  std::size_t passage_signal = no_signal;   ///< open share of the passage; none: fully open
  double passage_per_signal = 1.0;
  std::size_t clog_signal = no_signal;     ///< another factor on the passage; none: 1
  std::size_t imposed_signal = no_signal;  ///< pressure that something else adds, or the flow where that is imposed
  std::size_t flow_signal = no_signal;     ///< receives kg/s through each branch; none: not needed
};

struct NetworkFlows {
  std::size_t node_count = 0;
  std::vector<NetworkBranch> branches;
};

/// Working memory of one thread.
struct NetworkScratch {
  physics::FlowNetworkScratch network;
  bool is_solved = false;                        ///< for these settings, which rarely change
  std::vector<double> followed;                  ///< values of the signals at that solution: [signal]
  std::vector<physics::BranchSetting> settings;  ///< [branch]
  std::vector<double> flow_kg_per_s;             ///< [branch]
  std::vector<double> flow_per_lever_kg_per_s;   ///< [branch]
};

class NetworkModel {
 public:
  /// A state that moves flows.
  struct Lever {
    std::size_t branch;
    physics::FlowLever by;
    std::size_t state;
  };
  /// A flow that is asked for.
  struct Output {
    std::size_t branch;
    double share;  ///< of one of those that are alike
    std::size_t signal;
  };

  /// States are the signals below `state_count`.
  NetworkModel(NetworkFlows flows, std::size_t state_count);

  std::span<const Lever> levers() const { return levers_; }
  std::span<const Output> outputs() const { return outputs_; }
  NetworkScratch make_scratch() const;

  /// Writes its flow signals; NaN where it finds no solution. Allocates nothing.
  void evaluate(std::span<double> signals, NetworkScratch& scratch) const;
  /// Solves for these signals, as the next needs it.
  void solve(std::span<const double> signals, NetworkScratch& scratch) const;
  /// Changes of all flows [branch] by a lever, in `flow_per_lever_kg_per_s`, after `solve`.
  void differentiate(const Lever& lever, NetworkScratch& scratch) const;

  /// Whether flows follow from one pressure, which stands in fewer derivatives than the levers that move it.
  bool is_by_pressure() const { return network_.free_node() < network_.node_count() && levers_.size() > 2; }
  /// The same change in two parts, where they do: of the flow through the branch of the lever itself at the same pressure, and of that
  /// pressure, with which the flow through an output changes by `per_pressure_kg_per_s_pa`.
  struct Response {
    double kg_per_s;
    double pressure_pa;
  };
  Response respond(const Lever& lever, NetworkScratch& scratch) const;
  double per_pressure_kg_per_s_pa(const Output& output, const NetworkScratch& scratch) const;

 private:
  physics::BranchSetting setting(std::size_t branch, std::span<const double> signals) const;
  /// Whether anything that settings follow from is another than it was; remembers it.
  bool has_moved(std::span<const double> signals, std::span<double> followed) const;

  std::vector<NetworkBranch> branches_;
  physics::FlowNetwork network_;
  std::vector<std::size_t> moving_;    ///< branches with settings among the signals
  std::vector<std::size_t> followed_;  ///< these signals, each once
  std::vector<Lever> levers_;
  std::vector<Output> outputs_;
};

}  // namespace wattloop::twin
