// Voltages, reactive power and currents of a power tree, from the watts that it carries.
//
//   up     Q_in = Q_out + X |S_out / V_to|^2 + B V_m^2           from the loads to the sources
//   down   V_m = V_from / ratio,  V_to = V_m - Z conj(S_out / V_to)    from the sources to the loads
//
//            ratio : 1         Z = R + jX
//   from o----)||(----m----+----[####]---- o to
//                         Y = G + jB
//
// R and G are those of the loss of the branch at nominal voltage and unity power factor: R = quadratic V_n^2, G = constant / V_n^2, so that watts
// and voltages know one loss. V_n is the rated voltage of a transformer on the side `to`, of all other equipment the nominal voltage of that bus. In turn voltages change it: constant (V_m / V_n)^2, quadratic (1 + (Q/P)^2) (V_n / V_to)^2 (`BranchFactors`).
// Equipment that makes its own voltage (UPS, converters) delivers its nominal one, and draws power at the power factor of its input. A source keeps the
// nominal voltage of its bus. Source of the sweeps: [shirmohammadi1988]. Verified in tests/verification/power/tree_voltages.cpp.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "electrical/flow/ac_flow.hpp"
#include "electrical/power_tree.hpp"

namespace wattloop::electrical {

/// Nominal voltages [buses]: those that are known, those of transformers at both of their ends, and the same through all other equipment; where
/// nothing says any, `low_voltage_v`.
std::vector<double> nominal_voltages(const PowerTree& tree, double low_voltage_v = 400.0);

/// What does not change: of a tree and of how its loads draw.
struct VoltageModel {
  std::vector<double> nominal_v;             ///< [buses]
  std::vector<double> load_tangent;          ///< [loads], reactive over active power
  std::vector<double> resistance_ohm;        ///< [branches], all modules, at the nominal voltage of `to`
  std::vector<double> reactance_ohm;         ///< [branches], the same
  std::vector<double> magnetising_s;         ///< [branches], B, the same; positive where it draws reactive power
  std::vector<double> ratio;                 ///< [branches], of nominal voltages: 1 where turns are as voltages
  std::vector<VoltageShares> load_shares{};  ///< [loads], how they follow the voltage of their bus; empty: none does
  FlowMethod method = FlowMethod::radial;    ///< sweeps over the tree, Newton's method, or that which the switches need
};
VoltageModel make_voltage_model(const PowerTree& tree, std::vector<double> load_tangent);

/// Turns at the present tap of its changer over those of the middle one.
double tap_ratio(const PowerTree& tree, const SwitchState& switches, std::size_t branch) noexcept;

/// A branch as power goes through it at present: of one that is reversed, seen from its other end. All modules in service.
struct BranchWay {
  std::size_t from, to;  ///< buses
  double resistance_ohm, reactance_ohm, magnetising_s, ratio;
  double base_v;  ///< at which it has the loss of its curve
};
BranchWay way_of(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches, std::size_t branch);

/// What voltages have made of branches and loads, to be put back.
struct HeldFactors {
  std::vector<BranchFactors> branch;
  std::vector<double> load;
};
/// Takes them out of `switches`: as if all voltages were nominal.
HeldFactors take_factors(SwitchState& switches);
void give_factors(const HeldFactors& factors, SwitchState& switches);

/// Voltages and reactive power everywhere at one instant, each of the buses and branches of the tree.
struct TreeVoltages {
  std::vector<Complex> bus;               ///< [buses], over nominal voltage; 0 where it is dead
  std::vector<double> bus_var;            ///< [buses], demand
  std::vector<double> bus_w;              ///< [buses], demand of which these are the voltages
  std::vector<double> branch_output_w;    ///< [branches], watts of which these are the voltages
  std::vector<double> branch_output_var;  ///< [branches]
  std::vector<double> branch_input_var;   ///< [branches]
  std::vector<double> source_var;         ///< [sources]
};

/// Nominal everywhere.
TreeVoltages make_tree_voltages(const PowerTree& tree);

/// One sweep up and one down from the voltages that are there, with the watts of `flow`; allocates nothing. Returns the largest change of a voltage
/// over its nominal one; buses that are dead have 0 V.
double sweep(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches, const PowerFlow& flow,
             TreeVoltages& voltages) noexcept;

/// What voltages change in losses, loadings and loads, for `evaluate`; and what links deliver.
void set_factors(const PowerTree& tree, const VoltageModel& model, const TreeVoltages& voltages, const PowerFlow& flow,
                 SwitchState& switches);

/// Watts and voltages that agree, from nominal voltages on: nothing that was solved before matters. Without a solution the bus with the lowest
/// voltage is named, and `switches` are as they were.
FlowEnd settle(const PowerTree& tree, const VoltageModel& model, const PowerDemand& demand, SwitchState& switches,
               PowerFlow& flow, TreeVoltages& voltages);

/// Current of a phase where a branch delivers, A, and its power factor there; 0 where it delivers nothing.
double output_current_a(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches,
                        const TreeVoltages& voltages, std::size_t branch) noexcept;
double output_power_factor(const TreeVoltages& voltages, std::size_t branch) noexcept;

}  // namespace wattloop::electrical
