// What a run is judged by: peaks, means and margins over all instants, gathered while it runs. Peaks of powers and loads are those of
// means between instants, as they are recorded, reported at the end of their interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "core/parts/part_columns.hpp"
#include "twin/ratings/rated_loads.hpp"
#include "twin/run/meters/controlled_places.hpp"
#include "twin/run/meters/cost_meter.hpp"
#include "twin/run/meters/job_meter.hpp"
#include "twin/run/meters/month_meter.hpp"
#include "twin/run/meters/source_energy.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// Smallest and largest value of a quantity, when and (as an index) where; of equal ones the first.
struct Extremes {
  double lowest = std::numeric_limits<double>::infinity();
  double lowest_at_s = 0.0;
  std::size_t lowest_item = 0;
  double highest = -std::numeric_limits<double>::infinity();
  double highest_at_s = 0.0;
  std::size_t highest_item = 0;

  void add(double value, double time_s, std::size_t item = 0);
};

/// When a load was highest over the rating that was in service; of equal ones the first.
struct LoadPeak {
  double ratio = -std::numeric_limits<double>::infinity();
  double load_w = 0.0;
  double rated_w = 0.0;
  double at_s = 0.0;

  void add(double now_w, double rated_now_w, double time_s);
};

/// What headers of kinds say is watched: a quantity of all parts that have it, or of each by itself.
struct WatchedQuantity {
  /// Parts of one kind, and the number of the quantity among those of the kind.
  struct OfKind {
    const PartSet* parts;
    std::size_t number;
  };

  WatchedAs as;
  std::vector<OfKind> kinds;
  std::vector<std::string> parts;  ///< of all kinds, one after the other
  std::vector<Extremes> extremes;  ///< [part] where each is reported by itself, else one; item: part

  bool is_of_each() const { return !as.each_is_called.empty(); }
};

/// Those of a plant, in the order in which the summary reports them.
std::vector<WatchedQuantity> watched_quantities(const Plant& plant);

class Statistics final : public Observer {
 public:
  /// Counts for how long dies are at `hot_die_k` [group of racks] or above; none: it counts nothing.
  explicit Statistics(const Plant& plant, const std::vector<double>& hot_die_k = {});
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) override;
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  /// `state` with its meters as tables have them: integrals of what was seen between instants. Integrators have meters of their own, for
  /// the energy balance.
  PlantState metered(PlantState state) const;
  /// Energy that went into all batteries less what came out, J, as tables have it.
  double into_batteries_j() const;
  SourceEnergy from_sources() const;

  /// What meters show of a month, instead of the whole run.
  struct OfMonth {
    PlantState state;  ///< that was given, with its meters of the month
    double into_batteries_j = 0.0;
    SourceEnergy sources;
    double carbon_kg = 0.0, water_m3 = 0.0;  ///< 0 where nothing says what they cost
  };
  OfMonth metered_in(const MonthMeter::Month& month, PlantState state) const;

  /// All that it has gathered, to or from the bytes of a checkpoint (twin/run/recording/archive.hpp).
  template <class Archive>
  void keep(Archive& archive) {
    archive(facility_w, utility_w, generator_w, it_w, node_w, die_k, dry_bulb_k, wet_bulb_k, charge_fraction,
            voltage_ratio, most_throttled, dies, peaks);
    for (WatchedQuantity& quantity : watched) archive(quantity.extremes);
    archive(fan_w, fan_speed_fraction, fan_j, above, below, part_fan_j_, approaches);
    archive(sources_.utility_j, sources_.generator_j, interval_.utility_j, interval_.generator_j);
    archive(metered_j_, into_batteries_j_, observed_s_, facility_j_, it_j_, node_j_, load_j_, rated_j_, duration_s_);
    if (costs) costs->keep(archive);
    if (months) months->keep(archive);
    if (jobs) jobs->keep(archive);
  }

  Extremes facility_w, utility_w, generator_w;
  Extremes it_w;
  Extremes node_w;  ///< all nodes together
  Extremes die_k;   ///< item: GPU
  std::vector<WatchedQuantity> watched;
  Extremes dry_bulb_k, wet_bulb_k;  ///< only where the hall feels the weather
  Extremes charge_fraction;         ///< item: battery
  Extremes voltage_ratio;           ///< of live buses over nominal, item: bus; only where the plant has voltages
  // Of fans of nodes that follow temperatures: of all together, and their speed where there is power (item: rack).
  Extremes fan_w, fan_speed_fraction;
  double fan_j = 0.0;
  const std::vector<ControlledPlace> places;
  std::vector<Approach> approaches;       ///< [place] to its set-point
  std::vector<OffSetPoint> above, below;  ///< [place]; below only of places that may not be colder
  std::size_t most_throttled = 0;
  /// Dies of a group of racks.
  struct Dies {
    double hot_k = std::numeric_limits<double>::infinity();
    Extremes k;                                                    ///< item: GPU
    double hot_first_s = std::numeric_limits<double>::infinity();  ///< with any die as hot as that
    double hot_s = 0.0;                                            ///< for how long, in all
  };
  std::vector<Dies> dies;  ///< [group of racks]

  const std::vector<RatedLoad> loads;
  std::vector<LoadPeak> peaks;  ///< [load]

  std::optional<CostMeter> costs;    ///< of a scenario with `economics`
  std::optional<MonthMeter> months;  ///< of a run that has a start
  std::optional<JobMeter> jobs;      ///< of a run whose jobs come and go

 private:
  void observe_parts(const PlantSnapshot& m);
  void observe_dies(RackDigests racks, double t, Dies& of);
  void observe_power(const PlantSnapshot& m);
  void observe_fans(const PlantSnapshot& m);
  void observe_places(const PlantSnapshot& m);
  void observe_month(double time_s);
  void add_powers(const PlantSnapshot& m, double duration_s);

  const Plant& plant_;
  const std::vector<std::size_t> meters_;  ///< slots
  std::vector<double> metered_j_;          ///< [meter] of water in kg
  double into_batteries_j_ = 0.0;
  SourceEnergy sources_, interval_;                      ///< of the run, and since the last instant
  double observed_s_ = 0.0;                              ///< the last instant
  double facility_j_ = 0.0, it_j_ = 0.0, node_j_ = 0.0;  ///< since the last instant
  std::vector<double> load_j_, rated_j_;                 ///< [load], what it carried and what it might have
  double part_fan_j_ = 0.0;                              ///< the same
  std::vector<double> items_, month_meters_;             ///< scratch
  double duration_s_ = 0.0;
  MonthMeter::Powers seen_;  ///< means of the interval that ended last
};

/// Of a run of that scenario: counts from where dies throttle, and what it costs.
Statistics make_statistics(const Plant& plant, const Scenario& scenario);

/// From here on jobs of `work`, which must outlive `statistics`, are metered, if they come and go.
void meter_jobs(const Plant& plant, const workload::Workload& work, Statistics& statistics);

}  // namespace wattloop::twin
