// The hall with every node and switch at its nameplate power, in steady state, whole or with something out from the start: where
// `wattloop check` reads the loads that ratings must carry.
//
// It is the plant of a run under a constant load, in the steady state from which such a run would start, or which it would
// reach: the two cannot disagree. The weather is that of the run's instant with the highest wet bulb. Verified against runs
// of the shipped scenarios in tests/cases/nameplate_runs.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/actions/weather/outdoors.hpp"
#include "twin/actions/work/coupling.hpp"
#include "twin/integration/steady/steady_state.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/scenario/specs/scenario.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// The same hall at constant nameplate load, all traffic that its fabric can carry, and without events.
Scenario at_nameplate(Scenario scenario);

/// Something that is out from the start, in the words of a scenario's events.
struct Outage {
  enum class Kind { nothing, machine, valves, side, feeds, start, module };
  Kind kind = Kind::nothing;
  std::string text = "nothing";        ///< "cdu_1", "side b"
  std::vector<EventSpec> events = {};  ///< all at time zero
};

inline constexpr std::string_view open_valves = "valves wide open";

/// "with cdu_1 out, ", for what is so then; nothing where nothing is out.
std::string with_out(std::string_view out);

/// The same of several outages: "with cdu_1 or side a out, or with valves wide open, ". Of more than `most_named` that are out, how many more.
std::string with_any_out(const std::vector<std::string>& outs, std::size_t most_named);

/// All that may be out: of each kind of machine one where there are several, a block of power, modules to spare, the feeds; the first
/// is `nothing`.
std::vector<Outage> outages(const Plant& plant);

/// Outside, in a run: when what the hall feels most is highest, or lowest, and the highest or lowest of each.
struct ExtremeAir {
  double time_s = 0.0;
  double wet_bulb_k = 0.0;
  double dry_bulb_k = 0.0;
};

class NameplateHall {
 public:
  /// Throws what `build_plant` and the weather throw.
  explicit NameplateHall(const Scenario& scenario);

  /// Weather is that of the coldest hour of the run from now on. False where it is that of the warmest.
  bool go_to_coldest_hour();

  /// Goes to where the search for the steady state begins: power is as it will be, temperatures are not.
  void begin(const Outage& outage);

  /// Finds the steady state with that out: chillers that it does not need stop, generators carry what has no feed. Throws
  /// SolverError where there is none.
  void settle(const Outage& outage);

  /// What the last `settle` left as it was although something asked for another state, each in a sentence: of its loads none is sure.
  const std::vector<std::string>& doubts() const { return doubts_; }

  /// Steady states that were searched until now: what `settle` takes its time for.
  std::size_t searches() const { return searches_; }
  std::size_t search_steps() const { return search_.steps(); }

  const Plant& plant() const { return plant_; }
  const Scenario& scenario() const { return scenario_; }
  PlantSnapshot snapshot() const { return {plant_, state_, evaluation_}; }
  double hour_s() const { return air_.time_s; }  ///< of the run, whose weather it is
  double wet_bulb_k() const { return air_.wet_bulb_k; }
  double dry_bulb_k() const { return air_.dry_bulb_k; }
  double dew_point_outside_k() const;

 private:
  bool empty_batteries();
  void order(const Outage& outage);
  void set_speeds();
  void rest_standing_cdus();
  using KnownStates = std::span<const std::vector<double>>;
  const std::vector<double>* begin_near(KnownStates known);
  const std::vector<double>* begin_from(KnownStates known, const Outage& outage);
  void find_rest();
  bool is_known_rest();
  bool comes_to_rest();
  void search(const Outage& outage);
  bool search_with_fewer(const Outage& outage);
  void settle_modes(const Outage& outage);
  double move_fans(double share);
  bool search_at_speeds();
  bool drop_idle_chillers(const Outage& outage);
  bool has_fans() const;
  void settle_fans();
  void doubt_fans();
  std::string fans_text(std::span<const double> rest, std::span<const double> next) const;
  void evaluate_now();

  Scenario scenario_;
  Plant plant_;
  std::unique_ptr<workload::Workload> work_;
  NodeCouplings nodes_;
  Outdoors outdoors_;
  ExtremeAir air_;
  PlantState state_;
  std::vector<double> whole_states_;          ///< steady with nothing out; empty before
  std::vector<double> last_states_;           ///< of the last steady state; empty where there was none
  std::vector<EconomiserState> modes_;        ///< of economisers, with what is out now; empty: as they begin
  std::vector<EconomiserState> whole_modes_;  ///< with nothing out
  std::vector<double> whole_fans_;            ///< the same, of nodes
  std::vector<std::string> doubts_;
  std::size_t searches_ = 0;
  Evaluation evaluation_;
  std::vector<double> rates_;
  SteadyStateSearch search_;

  /// A steady state, and how near to steady it is.
  struct Rest {
    std::vector<double> inputs, states;
    double distance_per_s;
  };
  std::vector<Rest> rests_;  ///< that were found
};

}  // namespace wattloop::twin
