// Flow in a network whose closed branches are trees, each with one source: backward and forward sweeps over flat arrays.
//
//   backward   J = I_load(V) + Y V + sum of the J / ratio of the branches that leave        from the leaves to the source
//   forward    V = V_parent / ratio - Z J                                                   from the source to the leaves
//
// until no voltage changes by more than a tolerance. Each sweep shrinks the error by about the drop of voltage: three to five sweeps at
// usual loads, hundreds within 1 % of the load at which voltages collapse. Branches may have no impedance. Sweeps do not find the solution of
// loads of constant impedance that are smaller than the impedance before them; MeshedFlow does.
// Source: [shirmohammadi1988]. Verified in tests/verification/power/ac_flow.cpp and, against Newton's method over random trees, in
// tests/properties/ac_flow.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "electrical/flow/ac_flow.hpp"

namespace wattloop::electrical {

/// A node is a bus, or the voltage behind the impedance of a source; a parent comes before its children.
struct RadialTree {
  std::vector<std::size_t> node_bus;      ///< [nodes]
  std::vector<std::size_t> parent;        ///< [nodes], node; itself where the voltage is that of a source
  std::vector<std::size_t> node_branch;   ///< [nodes], into the node; the number of branches where there is none
  std::vector<Complex> source_voltage;    ///< [nodes], of roots
  std::vector<Complex> impedance;         ///< [nodes], towards the parent, per unit
  std::vector<Complex> shunt;             ///< [nodes], of all branches at the node, per unit
  std::vector<double> ratio;              ///< [nodes], parent over node
  std::vector<std::uint8_t> is_terminal;  ///< [nodes], not behind the impedance of a source
  std::vector<std::uint8_t> is_live;      ///< [buses]
};

/// Of the network as it is switched. Throws std::invalid_argument for what mistakes_in() finds.
/// None where a closed branch makes a loop or joins two sources; `reason` then names it.
std::optional<RadialTree> build_radial_tree(const AcNetwork& network, std::string* reason = nullptr);

/// Where sweeps keep their numbers; they start from the voltages of the last solution.
struct RadialScratch {
  std::vector<Complex> voltage;         ///< [nodes]
  std::vector<Complex> current;         ///< [nodes], J
  std::vector<BusLoad> load;            ///< [buses]
  std::vector<Complex> bus_voltage;     ///< [buses]
  std::vector<Complex> branch_current;  ///< [branches], from `from` to `to`, behind the ratio
};
RadialScratch make_radial_scratch(const AcNetwork& network, const RadialTree& tree);

/// Voltages as if nothing was loaded, so that what follows depends on nothing that was solved before.
void start_flat(const RadialTree& tree, RadialScratch& scratch) noexcept;

struct SweepLimits {
  double tolerance = 1e-11;  ///< largest change of a voltage in the last sweep, per unit
  int most_sweeps = 2000;    ///< enough for 0.9999 of the load at which voltages collapse
};

/// Solves for loads [loads] at nominal voltage. Allocates nothing. Its network is that of the tree.
FlowEnd solve_radial(const AcNetwork& network, const RadialTree& tree, std::span<const Complex> load_va,
                     RadialScratch& scratch, AcFlow& flow, const SweepLimits& limits = {}) noexcept;

}  // namespace wattloop::electrical
