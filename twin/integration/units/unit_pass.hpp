// All units of a plant over one window: samples of work, firmware and exponential steps, with given inlets. A few racks go
// together sample by sample, so that what they need stays in the cache nearest to the processor. A rack may be run again with
// other inlets; what it did before is then undone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twin/actions/work/coupling.hpp"
#include "twin/integration/core/core_integrator.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/integration/core/seam_layout.hpp"
#include "twin/integration/units/inlet_wave.hpp"
#include "twin/integration/units/job_look.hpp"
#include "twin/integration/units/unit_item.hpp"
#include "twin/units/flow_key.hpp"

namespace wattloop::twin {

class UnitPass {
 public:
  UnitPass(const Plant& plant, const SeamLayout& seam);

  /// Racks, or single stations that belong to none.
  std::size_t item_count() const { return items_.size(); }
  std::span<const std::size_t> stations_of(std::size_t item) const { return items_[item].stations; }

  /// To be called once for each window.
  void begin(const PlantState& state, const Window& window);

  /// Runs the items marked in `is_requested` over the window, from the state at its begin. False where a state left all bounds.
  bool run(PlantState& state, const Window& window, const InletWave& inlets,
           std::span<const std::uint8_t> is_requested);

  /// By how many kelvin the inlets that an item was given differ from `computed`, at worst.
  double mismatch_k(PlantState& state, std::size_t item, const InletWave& used, const InletWave& computed);

  /// Energies to all sinks of the seam over the window.
  const UnitEnergy& energy() const { return energy_; }
  UnitEnergy& energy() { return energy_; }

  /// All loads of the seam at the begin of a sample, W.
  std::span<const double> loads_w(std::size_t sample) const {
    return std::span(loads_w_).subspan(sample * seam_.loads.size(), seam_.loads.size());
  }

  /// The same, over the sample.
  void mean_loads_w(std::size_t sample, std::span<double> loads_w) const;

  /// Whether at the end of a window that skipped seconds any GPU is off its power limit, or a job off its slowest GPU. `window` has a watch.
  bool has_any_left_clock(const PlantState& state, const Window& window) const;

  /// When firmware first shut down a node after the begin, or a job must go on at another clock; infinity if neither.
  double first_act_s() const;

  /// Firmware's counts from `counted_from_s` on and the first throttling of the window to `state` and the window's list.
  void finish(PlantState& state, const Window& window, double counted_from_s);

  /// Racks as a whole at the begin of a sample.
  void show_racks(std::size_t sample, std::span<RackDigest> racks) const;

  /// Racks that jobs share as they were at the begin of a sample: states, loads and clocks of their units, to `shown`.
  void show_shared_racks(std::size_t sample, PlantState& shown) const {
    for (const UnitItem& item : items_) {
      if (item.is_shared) put(item, item.of_jobs[sample], shown);
    }
  }

  /// Of racks the power of their GPUs over a sample.
  void show_gpu_powers(std::size_t sample, std::span<RackDigest> racks) const;

  /// Units as they were at the begin of a sample, to `shown`: states, loads, clocks, and their power to `unit_power_w`.
  void show(std::size_t sample, PlantState& shown, std::vector<std::vector<double>>& unit_power_w) const;

  /// Puts the units of all items back to the begin of the window.
  void restore(PlantState& state);

 private:
  /// Items that go together: racks side by side, or one thing that is no rack.
  struct Batch {
    std::size_t first_item = 0, items = 0;
    std::vector<std::size_t> by_flow;  ///< these items, those of one flow one after the other
  };

  /// Of a station over the window; all windows are one for this.
  using FlowsOfWindow = FlowKey<most_ports>;

  /// Energy to the sinks of an item.
  using SinkSums = std::array<double, most_sinks>;

  /// What a thread works with; sized once.
  struct ThreadWorkspace {
    std::vector<std::unique_ptr<UnitPropagation>> propagations;  ///< [group]
    std::vector<UnitItem*> items;                                ///< of the batch, those to be run, by flow
    std::vector<UnitItem*> in_order;                             ///< the same as they stand side by side
    std::vector<StationInlets> inlets;                           ///< [place of items][instant]
    std::vector<FlowsOfWindow> previous_flows;                   ///< [group] of its step before; scratch
    std::vector<UnitYield> yields;                               ///< [place of items] of the sample present
    std::vector<SinkSums> sums;                                  ///< [item] since the begin of the window
    std::vector<std::vector<UnitStep>> steps;                    ///< [group] of the sample present, place by place
    std::vector<std::size_t> next_step;                          ///< [group] scratch
    std::vector<std::uint8_t> is_asked;                          ///< [item] scratch
    AskedWatts asked;                                            ///< [node of the batch] scratch
  };

  void prepare_work(const workload::Workload& workload, const workload::JobsNow& jobs);
  void run_batch(const Batch& batch, PlantState& state, const Window& window, const InletWave& inlets,
                 std::span<const std::uint8_t> is_requested);
  void begin_batch(ThreadWorkspace& workspace, PlantState& state, const Window& window, const InletWave& inlets);
  bool act_on_rack(UnitItem& item, std::size_t sample, PlantState& state, const NodeCouplings& nodes);
  RackNow rack_now(std::size_t rack, std::size_t sample, const NodeCouplings& nodes) const;
  void note_caps(UnitItem& item, std::size_t sample, const PlantState& state);
  void load_racks(ThreadWorkspace& workspace, std::size_t sample, PlantState& state, const Window& window);
  void show_sample(ThreadWorkspace& workspace, std::size_t sample, const PlantState& state);
  void go_on(ThreadWorkspace& workspace, std::size_t sample);
  void collect(ThreadWorkspace& workspace, std::size_t sample);

  const Plant& plant_;
  const SeamLayout& seam_;
  std::vector<UnitItem> items_;
  std::vector<Batch> batches_;
  std::vector<ThreadWorkspace> workspaces_;     ///< [thread]
  bool is_at_begin_ = false;                    ///< no item has run since `begin`
  std::vector<double> instants_s_;              ///< [sample + 1]
  std::vector<std::uint8_t> protects_;          ///< [sample] firmware acts at its begin
  std::vector<std::size_t> asked_of_;           ///< [sample] since which one work asks the same
  std::vector<workload::SampleBasis> bases_;    ///< [sample] of what work asks, where it asks something new
  std::vector<DieDigest> end_dies_;             ///< [rack] at the end of the sample that ran last
  std::vector<RackDigest> digests_;             ///< [sample][rack] at its begin
  std::vector<double> mean_gpu_w_;              ///< [sample][rack] over it
  std::vector<RackFirmware> throttling_;        ///< scratch
  std::vector<std::uint8_t> is_within_bounds_;  ///< [item]
  UnitEnergy energy_;
  std::vector<double> loads_w_;  ///< [sample][seam load] at its begin
};

}  // namespace wattloop::twin
