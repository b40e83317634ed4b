// Flow in a network of pipes, pumps and check valves: Newton's method on nodal pressures.
//
//   sum of flows into every node = 0,   p_from - p_to = R m (|m| + m_0) - pump(m, n) in every branch
//   pump(m, n) = n^2 a + n b m + c m^2, held at its peak for smaller and reverse flow
//   m >= 0 where there is a check valve
//
// Every branch law rises with m, so the pressures minimise a convex function: the solution is unique and a
// damped Newton iteration finds it from any start. m_0 is 1e-6 of the flow that the strongest pump would
// drive through the branch alone: it bounds the conductance of standing branches and is far below any other
// error.
//
// Source: [boyd_vandenberghe2004] ch. 9 (damped Newton), [todini_pilati1988] (network).
// Verified in tests/verification/hydraulics.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "physics/fluids/flow_branch.hpp"

namespace wattloop::physics {

/// A pipe between two nodes, with a pump that pushes from `from` to `to` or without.
struct HydraulicBranch {
  std::size_t from;
  std::size_t to;
  double resistance_pa_s2_per_kg2;  ///< positive
  PumpCurve pump;
  bool has_check_valve = false;
};

/// Working memory of one thread, and the pressures and conductances of the last solution.
struct HydraulicScratch {
  std::vector<double> pressure_pa;              ///< [nodes]
  std::vector<double> step_pa;                  ///< [nodes]
  std::vector<double> imbalance_kg_per_s;       ///< [nodes]
  std::vector<double> matrix;                   ///< [nodes x nodes], lower half factorised
  std::vector<double> conductance_kg_per_s_pa;  ///< [branches] d flow / d pressure difference
};

/// How a solution went.
struct HydraulicReport {
  bool converged = false;
  int iterations = 0;
};

/// A network that does not change; speeds do.
class HydraulicNetwork {
 public:
  /// Throws `std::invalid_argument` for a node out of range, a resistance that is not positive or a pump
  /// curve that rises without end. Networks may be several: the first node of each is its reference, at
  /// pressure 0.
  HydraulicNetwork(std::size_t node_count, std::vector<HydraulicBranch> branches);

  std::size_t node_count() const { return is_reference_.size(); }
  std::span<const HydraulicBranch> branches() const { return branches_; }
  HydraulicScratch make_scratch() const;

  /// Solutions start from here on near that for these speeds: from its pressures, which follow the square of the largest
  /// speed by affinity. Saves iterations where the same pumps run.
  void start_from(std::span<const double> usual_speed_fraction);

  /// Flows [branches] for pump speeds [branches] as fractions of rated speed; speeds of branches without a
  /// pump are not read. Starts from rest or from what `start_from` was told, so that equal speeds give equal bytes
  /// whatever was solved before.
  /// Flows balance at every node to round-off.
  HydraulicReport solve(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                        std::span<double> flow_kg_per_s) const noexcept;

  /// The same from the pressures in `scratch`; agrees to round-off and takes fewer iterations.
  HydraulicReport solve_warm(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                             std::span<double> flow_kg_per_s) const noexcept;

  /// d flow / d speed of one pump [branches], after `solve` with the same speeds.
  void flow_per_speed(std::size_t pump_branch, std::span<const double> speed_fraction, HydraulicScratch& scratch,
                      std::span<double> flow_per_speed_kg_per_s) const noexcept;

 private:
  struct Balance {
    double largest_flow_kg_per_s = 0.0;
    double imbalance_kg_per_s = 0.0;  ///< largest of all nodes
  };

  double square_of_largest(std::span<const double> speed_fraction) const noexcept;
  /// Flows, conductances and imbalances at the pressures in `scratch`.
  Balance evaluate(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                   std::span<double> flow_kg_per_s) const noexcept;
  /// Factors and Newton step for the conductances and imbalances in `scratch`.
  void newton_step(HydraulicScratch& scratch) const noexcept;
  /// Moves the pressures along the step as far as the convex function falls.
  Balance advance(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                  std::span<double> flow_kg_per_s) const noexcept;

  std::vector<HydraulicBranch> branches_;
  std::vector<double> linear_flow_kg_per_s_;  ///< m_0 of every branch
  std::vector<char> is_reference_;            ///< [nodes]
  std::vector<double> start_pa_;              ///< [nodes] where solutions start, for a largest speed of one
};

}  // namespace wattloop::physics
