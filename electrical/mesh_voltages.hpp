// Voltages of a power tree whose closed branches make loops: closed rings, unlike transformers in parallel, ties between two live buses.
//
//   Y V + conj(S / V) = 0        Newton's method, electrical/flow/meshed_flow.hpp
//
// The tree has one feed for each bus. A closed branch beside that feed closes a loop and is a link: what it delivers follows from the voltages. It
// is held as a share of all served loads (`BranchFactors::link_ratio`), so that `evaluate` knows it at any load, and energy closes: what links bring
// to a bus its feed does not. Resistances, iron, ratios and converters are those of electrical/tree_voltages.hpp. A branch without impedance, or with less, has
// that of its contacts, 1e-9 per unit of 1 MVA.
//
// Verified in tests/verification/power/mesh_voltages.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "electrical/flow/meshed_flow.hpp"
#include "electrical/power_tree.hpp"
#include "electrical/tree_voltages.hpp"

namespace wattloop::electrical {

/// [branches] 1 where a closed branch closes a loop through which power flows: between two buses with one root, or with two utility feeds or two
/// converters as roots. Not one beside a generator: its breaker stays open, because they are not synchronous.
std::vector<std::uint8_t> links_of(const PowerTree& tree, const SwitchState& switches);

/// Why a closed branch beside the feed of its bus is no such link, in a sentence; empty of others.
std::string_view why_no_link(const PowerTree& tree, const SwitchState& switches, std::size_t branch);

/// What of the switches a solution depends on.
struct SwitchPosition {
  std::vector<BranchMode> branch_mode;
  std::vector<std::uint8_t> branch_is_reversed;
  std::vector<double> branch_in_service_share, source_share;
  std::vector<int> branch_tap;
};
SwitchPosition position_of(const SwitchState& switches);
bool is_at(const SwitchPosition& position, const SwitchState& switches);

/// Solves one tree again and again. Results depend on what it is given alone: nothing that was solved before matters.
class MeshVoltages {
 public:
  /// Both must outlive the object.
  MeshVoltages(const PowerTree& tree, const VoltageModel& model);
  MeshVoltages(const MeshVoltages&) = delete;
  MeshVoltages& operator=(const MeshVoltages&) = delete;

  /// Takes over what is closed, live and in service; returns whether there is any link.
  bool take_switches(const SwitchState& switches);

  /// Voltages, reactive powers and links at the watts of `flow`, from the voltages that are there. Without a solution `voltages` are as they were.
  FlowEnd solve(const SwitchState& switches, const PowerFlow& flow, TreeVoltages& voltages);

  /// Watts and voltages that agree, from nominal voltages on, as `electrical::settle`.
  FlowEnd settle(const PowerDemand& demand, SwitchState& switches, PowerFlow& flow, TreeVoltages& voltages);

 private:
  void collect_loads(const SwitchState& switches, const PowerFlow& flow);
  void take_results(const SwitchState& switches, const PowerFlow& flow, TreeVoltages& voltages) const;

  const PowerTree& tree_;
  const VoltageModel& model_;
  AcNetwork network_;
  std::vector<std::size_t> number_;     ///< [branches of the tree], in the network; of converters none
  std::vector<std::size_t> source_at_;  ///< [buses], in the network; none where nothing feeds it
  std::vector<std::uint8_t> is_link_;   ///< [branches]
  std::optional<MeshedFlow> newton_;
  std::vector<Complex>
      load_va_;  ///< [loads of the network]: of each bus, of constant power, then of constant impedance
  AcFlow flow_;
};

}  // namespace wattloop::electrical
