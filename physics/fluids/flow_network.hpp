// Flows through any network of pipes, pumps, valves and check valves: Newton's method on nodal pressures with sparse factors.
//
//   sum of flows into every node = 0,   the law of physics/fluids/flow_branch.hpp in every branch
//
// Every branch law rises with its pressure difference, so the pressures minimise a convex function: flows are unique and a
// damped Newton iteration finds them from any start. Where one node alone is free the iteration is for squares of what flows in
// and out, which are nearly linear in its pressure. What no open branch joins with the rest keeps its pressures and stands still. The factors of the last step also give what all flows change by with a speed or a position.
//
// Source: [boyd_vandenberghe2004] ch. 9 (damped Newton), [todini_pilati1988] (network).
// Verified in tests/verification/water/flow_network.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "physics/fluids/conductance_factors.hpp"
#include "physics/fluids/flow_branch.hpp"

namespace wattloop::physics {

/// Working memory of one thread, and the last solution.
struct FlowNetworkScratch {
  std::vector<double> pressure_pa;              ///< [nodes]
  std::vector<double> step_pa;                  ///< [nodes]
  std::vector<double> imbalance_kg_per_s;       ///< [nodes]
  std::vector<double> through_kg_per_s;         ///< [nodes] half of what flows in and out
  std::vector<double> conductance_kg_per_s_pa;  ///< [branches] d flow / d pressure difference
  std::vector<BranchLaw> law;                   ///< [branches] at these positions
  std::vector<double> position_fraction;        ///< [branches] of those laws; not a number at first
  std::vector<double> passage_fraction;         ///< [branches] the same
  std::vector<char> is_like_previous;           ///< [branches] and set like it: the same flows through both
  std::vector<std::size_t> part;   ///< [nodes] the same number where open branches join them; once asked for
  bool is_part_found = false;      ///< of the last solution
  double smallest_kg_per_s = 0.0;  ///< less is none
  ConductanceScratch factors;
};

/// How a solution went.
struct FlowReport {
  bool converged = false;
  int iterations = 0;
};

/// Where flow is not as meant.
struct UnusualFlows {
  std::size_t still_nodes = 0;  ///< nothing flows through: dead ends, what valves shut off, loops that nothing drives
  std::size_t reversed_branches = 0;  ///< flow goes from `to` to `from`
};

/// What flows may be differentiated by.
enum class FlowLever { speed, position };

/// A network that does not change; settings do.
class FlowNetwork {
 public:
  /// Throws `std::invalid_argument` for a branch that cannot be. Networks may be several: the first node of each is its
  /// reference, at pressure 0.
  FlowNetwork(std::size_t node_count, std::vector<FlowBranch> branches);

  std::size_t node_count() const { return is_reference_.size(); }
  std::span<const FlowBranch> branches() const { return branches_; }
  /// The only node whose pressure is found, where there is one alone; else `node_count`.
  std::size_t free_node() const { return free_node_; }
  FlowNetworkScratch make_scratch() const;

  /// Solutions start from here on near that for these settings [branches]: from its pressures, which follow the square of the
  /// largest speed by affinity. Saves iterations where the same pumps run.
  void start_from(std::span<const BranchSetting> usual);

  /// Flows [branches]. Starts from zero flow or from the flows given to `start_from`, so that equal settings give equal bytes
  /// whatever was solved before. Flows balance at every node to round-off. Allocates nothing.
  FlowReport solve(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                   std::span<double> flow_kg_per_s) const noexcept;

  /// The same from the pressures in `scratch`; agrees to round-off and takes fewer iterations.
  FlowReport solve_warm(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                        std::span<double> flow_kg_per_s) const noexcept;

  /// Of the last solution, whose flows are given [branches].
  UnusualFlows unusual(std::span<const double> flow_kg_per_s, FlowNetworkScratch& scratch) const noexcept;

  /// d flow / d speed or position of one branch through this branch where no pressure moves, after a solution for the same settings;
  /// what it moves pressures by is in `scratch.step_pa`: flows change by `scratch.conductance_kg_per_s_pa` with these.
  double respond(FlowLever lever, std::size_t branch, std::span<const BranchSetting> settings,
                 FlowNetworkScratch& scratch) const noexcept;

  /// Both together, for all branches [branches].
  void differentiate(FlowLever lever, std::size_t branch, std::span<const BranchSetting> settings,
                     FlowNetworkScratch& scratch, std::span<double> flow_per_lever_kg_per_s) const noexcept;

 private:
  struct Balance {
    double largest_flow_kg_per_s = 0.0;
    double imbalance_kg_per_s = 0.0;  ///< largest of all nodes
  };

  double square_of_largest(std::span<const BranchSetting> settings) const noexcept;
  /// Flows, conductances and imbalances at the pressures in `scratch`.
  Balance evaluate(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                   std::span<double> flow_kg_per_s) const noexcept;
  /// Factors and Newton step for the conductances and imbalances in `scratch`.
  void newton_step(FlowNetworkScratch& scratch) const noexcept;
  /// What the step of the one free node has to be multiplied by for squares of flows; 1 where nothing flows in or out.
  double step_of_squares_ratio(const FlowNetworkScratch& scratch, std::span<const double> flow_kg_per_s) const noexcept;
  /// Moves the pressures along the step as far as the convex function falls.
  Balance advance(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                  std::span<double> flow_kg_per_s) const noexcept;
  /// What the last digits of pressures are worth in flow.
  double round_off_kg_per_s(const FlowNetworkScratch& scratch) const noexcept;

  std::vector<FlowBranch> branches_;
  std::vector<char> is_reference_;  ///< [nodes]
  std::vector<char> is_alike_;      ///< [branches] as the one before, between the same nodes
  std::size_t free_node_ = 0;
  std::vector<double> start_pa_;  ///< [nodes] where solutions start, for a largest speed of one
  double strongest_pa_ = 0.0;     ///< shut-off pressure of the strongest pump
  ConductanceFactors factors_;
};

}  // namespace wattloop::physics
