// Sparse factors of a network of conductances, by the star-mesh transformation: a node that goes leaves its neighbours
// joined with each other.
//
//   sum_j g_ij (x_i - x_j) + e_i x_i = b_i         e: conductance to nodes that are fixed at 0
//   without node k:  d_k = sum_j g_kj + e_k,  l_jk = g_kj / d_k,  g_ij += g_ik l_jk,  e_j += e_k l_jk
//
// This is Gaussian elimination with its diagonal written as the sum that it is. Nothing is ever subtracted, so factors are exact
// to a few last digits whatever conductances stand beside each other, and d_k is 0 where no conductance leads on, and
// nowhere else: one node of every part of the network that stands alone, which serves it as a fixed one.
//
// Source: elimination without subtraction [grassmann1985]; order by least degree [george_liu1989].
// Verified in tests/verification/water/flow_network.cpp against dense elimination with pivots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace wattloop::physics {

/// Working memory of one thread: the numbers of the factors.
struct ConductanceScratch {
  std::vector<double> between;   ///< [pairs] g
  std::vector<double> share;     ///< [pairs] l
  std::vector<double> to_fixed;  ///< [free nodes, in order of elimination] e
  std::vector<double> pivot;     ///< [free nodes, in order of elimination] d
  std::vector<double> reduced;   ///< [free nodes, in order of elimination] b, then x
};

/// The pattern of a network, which does not change; conductances do.
class ConductanceFactors {
 public:
  using Ends = std::pair<std::size_t, std::size_t>;

  ConductanceFactors() = default;
  /// Which nodes are fixed [nodes], and what branches join.
  ConductanceFactors(std::span<const char> is_fixed, std::span<const Ends> branches);

  ConductanceScratch make_scratch() const;

  /// Conductances [branches] are not negative; 0 is a branch that is not there.
  void factorise(std::span<const double> conductance, ConductanceScratch& scratch) const noexcept;

  /// x instead of b [nodes]; 0 at fixed nodes, whose b is not read.
  void solve(ConductanceScratch& scratch, std::span<double> x) const noexcept;

  /// Numbers [nodes] that are the same where conductances join nodes with each other or with fixed ones.
  void find_parts(const ConductanceScratch& scratch, std::span<std::size_t> part) const noexcept;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  /// Where the conductance of a branch is added: a pair, or a free node before a fixed one.
  struct Place {
    std::uint32_t pair = none;
    std::uint32_t free_node = none;
  };

  std::vector<std::size_t> node_of_;        ///< [free nodes] in order of elimination
  std::vector<std::uint32_t> first_pair_;   ///< [free nodes + 1] pairs with nodes that go later
  std::vector<std::uint32_t> later_;        ///< [pairs] the later one, by its order
  std::vector<std::uint32_t> destination_;  ///< pairs that neighbours of a node form when it goes, node after node
  std::vector<Place> place_;                ///< [branches]
  std::size_t node_count_ = 0;
};

}  // namespace wattloop::physics
