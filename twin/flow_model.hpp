// Flows follow from states and held inputs at every instant: pump speeds through the hydraulics of each technology loop,
// valve positions through the valve curve. (Flows that a balancing valve holds are inputs, not computed here.)
//
// A loop is two headers. Between them stand its racks, alike and in parallel, taken together as one branch of equal
// conductance, and its CDUs: pumps with check valves in parallel, then the exchanger.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "physics/cdu.hpp"
#include "physics/hydraulics.hpp"

namespace wattloop::twin {

/// Pumps of one CDU, in series with its exchanger.
struct CduFlows {
  std::vector<std::size_t> pump_speed_states;
  std::vector<std::size_t> pump_flow_signals;  ///< kg/s through each pump
  std::size_t flow_signal = 0;                 ///< kg/s through the exchanger
};

/// One technology loop, racks alike.
struct LoopFlows {
  std::size_t rack_count = 0;
  double rack_resistance_pa_s2_per_kg2 = 0.0;
  double cdu_resistance_pa_s2_per_kg2 = 0.0;
  physics::PumpCurve pump;
  std::vector<CduFlows> cdus;
  std::size_t rack_flow_signal = 0;  ///< kg/s through each rack
};

/// Flow through a control valve from its position.
struct ValveFlow {
  physics::CduParams cdu;
  std::size_t position_state = 0;
  std::size_t flow_signal = 0;
};

/// Working memory of one thread.
struct FlowScratch {
  struct Loop {
    physics::HydraulicScratch hydraulic;
    std::vector<double> speed_fraction;          ///< [branch]
    std::vector<double> flow_kg_per_s;           ///< [branch]
    std::vector<double> flow_per_speed_kg_per_s; ///< [branch]
  };
  std::vector<Loop> loops;
};

/// d(flow) / d(state).
struct FlowDerivative {
  std::size_t state;
  double kg_per_s;
};

/// All of them, by flow; which states a flow depends on does not change.
class FlowDerivatives {
 public:
  std::span<const FlowDerivative> of_flow(std::size_t flow) const { return by_flow_[flow]; }

 private:
  friend class FlowModel;
  std::vector<std::vector<FlowDerivative>> by_flow_;
  FlowScratch scratch_;
};

class FlowModel {
 public:
  FlowModel() = default;

  /// Flow signals are `first_flow` + 0, 1, ... `flow_count` - 1 in the signals.
  FlowModel(std::vector<LoopFlows> loops, std::vector<ValveFlow> valves, std::size_t first_flow,
            std::size_t flow_count);

  FlowScratch make_scratch() const;
  FlowDerivatives make_derivatives() const;

  /// Writes all flow signals. Allocates nothing.
  void evaluate(std::span<double> signals, FlowScratch& scratch) const;

  /// Fills `derivatives` at these signals.
  void differentiate(std::span<const double> signals, FlowDerivatives& derivatives) const;

 private:
  struct Loop {
    LoopFlows flows;
    physics::HydraulicNetwork network;
    std::vector<std::size_t> pump_states;    ///< [pump] speed
    std::vector<std::size_t> pump_branches;  ///< [pump]
    std::vector<std::pair<std::size_t, std::size_t>> outputs;  ///< (branch, flow signal)
  };
  static Loop make_loop(LoopFlows flows);
  static void solve(const Loop& loop, std::span<const double> signals, FlowScratch::Loop& scratch);
  static double share(const Loop& loop, std::size_t branch);

  std::vector<Loop> loops_;
  std::vector<ValveFlow> valves_;
  std::size_t first_flow_ = 0;
  std::size_t flow_count_ = 0;
};

}  // namespace wattloop::twin
