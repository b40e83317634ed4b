// Flows follow from states and constant inputs at every instant: pump speeds and valve positions through networks, design flows
// through valves and pump speeds of balanced systems, sums through conservation of mass.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "physics/water/cdu.hpp"
#include "twin/plant/equipment/network_flows.hpp"

namespace wattloop::twin {

/// Flow of a balanced system: design flow times valve opening times mean speed of the pumps on duty.
struct DrivenFlow {
  double design_kg_per_s = 1.0;
  std::size_t design_signal = no_signal;   ///< input that multiplies the design flow; none: 1
  std::size_t shutoff_signal = no_signal;  ///< input that multiplies it, too: 1 open, 0 shut; none: 1
  std::size_t valve_state = no_signal;     ///< position of an equal-percentage valve; none: open
  physics::CduParams valve = {};
  std::vector<std::size_t> speed_states = {};  ///< none: always full speed
  double duty = 1.0;
  std::size_t flow_signal = 0;
};

/// Pumps that drive several flows alike. Their mean speed is a number of its own, so that neither flows nor derivatives
/// grow with pumps times flows.
struct SharedDrive {
  std::vector<std::size_t> speed_states;
  double duty = 1.0;

  /// Mean speed of the pumps on duty.
  double speed(std::span<const double> signals) const;
  bool operator==(const SharedDrive&) const = default;
};

/// A sum of flows and inputs, computed after those that it names; sums may name sums before them.
struct SumFlow {
  std::vector<std::pair<std::size_t, double>> terms;  ///< (signal, coefficient)
  std::size_t flow_signal = 0;
  /// Inputs, or sums of such, that scale it by part/whole; none: 1.
  std::size_t part_signal = no_signal, whole_signal = no_signal;
  double share_of_nothing = 1.0;  ///< where the whole is nothing

  double share(std::span<const double> signals) const {
    if (whole_signal == no_signal) return 1.0;
    return signals[whole_signal] > 0.0 ? signals[part_signal] / signals[whole_signal] : share_of_nothing;
  }
};

/// All flows of a plant. Flow signals are `first_flow` + 0, 1, ... `flow_count` - 1 in the signals.
struct FlowLaws {
  std::vector<NetworkFlows> networks;
  std::vector<DrivenFlow> driven;
  std::vector<SumFlow> sums;
  std::size_t first_flow = 0;
  std::size_t flow_count = 0;
};

/// Working memory of one thread.
struct FlowScratch {
  std::vector<NetworkScratch> networks;
  std::vector<double> drive_speed;  ///< [shared drive]
};

/// d(flow) / d(state), or by what many flows follow from.
struct FlowDerivative {
  std::size_t state;  ///< or `FlowModel::drive_column`
  double kg_per_s;
};

/// d(what many flows follow from) / d(state).
struct DriveDerivative {
  std::size_t state;
  double per_state;
};

/// What flows are differentiated by where many follow from the same: speeds and positions each, or the mean speed of shared pumps and
/// the pressure that a network has.
enum class DriveColumns { each, means };

/// All of them, by flow; which states a flow depends on does not change.
class FlowDerivatives {
 public:
  std::span<const FlowDerivative> of_flow(std::size_t flow) const { return by_flow_[flow]; }
  std::span<const DriveDerivative> of_drive(std::size_t drive) const { return by_drive_[drive]; }

 private:
  friend class FlowModel;
  std::vector<std::vector<FlowDerivative>> by_flow_;
  std::vector<std::vector<DriveDerivative>> by_drive_;
  DriveColumns columns_ = DriveColumns::each;
  FlowScratch scratch_;
};

/// Laws of some flows, and of all that these follow from.
struct FlowPart {
  std::vector<std::size_t> networks, driven, sums;  ///< numbers in a FlowModel, in their order
};

class FlowModel {
 public:
  FlowModel() = default;

  explicit FlowModel(FlowLaws laws);

  FlowScratch make_scratch() const;
  FlowDerivatives make_derivatives(DriveColumns columns = DriveColumns::each) const;

  /// Mean speeds of shared drives, then pressures of networks that are by theirs.
  std::size_t drive_count() const { return drives_.size() + by_pressure_.size(); }
  /// By which `DriveColumns::means` names one of them: behind all states.
  std::size_t drive_column(std::size_t drive) const { return first_flow_ + drive; }

  /// Writes all flow signals. Allocates nothing.
  void evaluate(std::span<double> signals, FlowScratch& scratch) const { evaluate(all_, signals, scratch); }

  /// The part that writes the flows among these signals.
  FlowPart part_of(std::span<const std::size_t> signals) const;
  /// The same of that part, and leaves all other flow signals as they are.
  void evaluate(const FlowPart& part, std::span<double> signals, FlowScratch& scratch) const;

  /// Fills `derivatives` at these signals.
  void differentiate(std::span<const double> signals, FlowDerivatives& derivatives) const;

 private:
  void find_shared_drives();
  double drive(std::size_t number, std::span<const double> signals, const FlowScratch& scratch) const;
  bool is_by_mean(std::size_t number, const FlowDerivatives& derivatives) const;

  bool is_flow(std::size_t signal) const { return signal >= first_flow_ && signal < first_flow_ + flow_count_; }
  void add_drives(FlowDerivatives& derivatives) const;
  void differentiate_by_pressure(std::size_t drive, FlowDerivatives& derivatives) const;
  void differentiate_networks(std::span<const double> signals, FlowDerivatives& derivatives) const;
  void differentiate_driven(std::span<const double> signals, FlowDerivatives& derivatives) const;
  void differentiate_sums(std::span<const double> signals, FlowDerivatives& derivatives) const;

  std::vector<NetworkModel> networks_;
  std::vector<std::size_t> by_pressure_;  ///< those of `networks_` whose flows follow from one pressure
  std::vector<DrivenFlow> driven_;
  std::vector<SharedDrive> drives_;
  std::vector<std::size_t> drive_of_;  ///< [driven flow] in `drives_`, or `no_signal`
  std::vector<SumFlow> sums_;
  FlowPart all_;
  std::size_t first_flow_ = 0;
  std::size_t flow_count_ = 0;
};

}  // namespace wattloop::twin
