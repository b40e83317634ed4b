// Flows of a network by another way than the program's: unknown are the flows around independent loops, and pressure drops
// of branches are functions of flow. Shares the parameters of branches with the program, none of its equations.
//
//   tree flows follow from chord flows by conservation;  sum of h(m) around each loop = 0
//   h(m) = R m (|m| + m_0)^(k-1) - pump(m, n) - imposed,   m_0 = 1e-6 (strongest / R)^(1/k),   R = R_pipe + R_valve / f^k
//
// Newton's method on the convex sum of the integrals of h, with dense elimination and full pivoting. Source: [munson2013] ch. 8.5
// (loops), [boyd_vandenberghe2004] ch. 9.
#pragma once

#include <vector>

#include "physics/fluids/flow_branch.hpp"

namespace wattloop::tests {

/// Pressure that a branch takes at a flow, without its valve's and its check valve's being shut.
double drop_pa(const physics::FlowBranch& branch, const physics::BranchSetting& setting, double strongest_pa,
               double flow_kg_per_s);

/// x of A x = b by elimination with full pivoting; pivots of round-off give 0.
std::vector<double> solved_densely(std::vector<std::vector<double>> a, std::vector<double> b);

/// Flows of branches that are open; 0 in those that are not. NaN where it does not converge.
std::vector<double> flows_by_loops(std::size_t node_count, const std::vector<physics::FlowBranch>& branches,
                                   const std::vector<physics::BranchSetting>& settings,
                                   const std::vector<bool>& is_open);

}  // namespace wattloop::tests
