// A hall that is open: a `HallRun` that is pending between pieces, so that acts are events of the instant that it has reached, and what is
// seen of it is what is measured before anything acts there.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "api/engine/hall_method.hpp"
#include "api/engine/hall_recording.hpp"
#include "api/engine/present_values.hpp"
#include "api/engine/scenario_files.hpp"
#include "api/engine/snapshots.hpp"
#include "twin/ratings/part_list.hpp"
#include "twin/run/act.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/recording/series_meter.hpp"

namespace wattloop::engine {

/// The hall was used in a way that it is not made for.
class Misuse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OpenHall {
 public:
  OpenHall(const GivenScenario& given, HallMethod method);
  OpenHall(const Snapshot& snapshot, HallMethod method);
  ~OpenHall();

  double time_s() const;
  double end_s() const { return run_->base().duration_s; }

  bool advance_to(double time_s, const std::function<bool()>& is_stop_requested);
  void act(std::string_view event);
  void set(std::string_view input, double value);
  void set(std::string_view input, std::string_view value_with_unit);
  /// Watts asked of all GPUs, "gpus.power", from now on.
  void set(std::string_view input, std::span<const double> values);
  std::unique_ptr<OpenHall> fork() const;

  const twin::LiveSeries& series() const { return *series_; }
  /// Throws InputError for a handle of no series of this hall.
  void demand(const twin::LiveHandle& handle) const;
  std::span<const double> values(const twin::LiveHandle& handle);
  /// Counts means of a series from this instant on, afresh where it was metered before.
  void meter(const twin::LiveHandle& handle);
  std::span<const double> means(const twin::LiveHandle& handle, std::optional<double> since_s);
  const twin::Plant& plant() const { return run_->plant(); }
  /// Of each setting of the plant, at this instant.
  std::vector<double> settings() const;
  std::vector<twin::EventRecord> events(std::size_t first) const;
  std::vector<twin::NamedValue> summary() const;
  std::string scenario() const;
  /// Writes it and, where watts of GPUs were set, the file of these beside it.
  void save_scenario(const std::filesystem::path& file) const;
  Snapshot snapshot() const;
  void record_to(const std::filesystem::path& results);

 private:
  /// One thread at a time, in the process that made the hall, and not after an error unless `is_allowed_after_error`.
  class Use;

  OpenHall(std::unique_ptr<twin::HallRun> run, const OpenHall& parent);

  /// In a run that has not begun.
  OpenHall(const Snapshot& snapshot, std::unique_ptr<twin::HallRun> run, HallMethod method);

  void report_notes() const;
  void demand_pending() const;
  Snapshot kept() const;
  void take_act(twin::Act act);
  void ask_of_gpus(twin::HallRun& run) const;
  const twin::SettingPart& input_named(std::string_view input) const;
  bool approach(double time_s, const std::function<bool()>& is_stop_requested);
  void end_piece(double time_s);

  HallMethod method_;
  std::unique_ptr<twin::HallRun> run_;
  /// Of the scenario, wherever the program goes.
  std::filesystem::path file_ = place_of(run_->base().file);
  std::string inputs_;  ///< files that the run read when the hall was opened, with their checksums
  std::shared_ptr<const twin::LiveSeries> series_;  ///< shared by forks, as the plant is
  std::vector<std::string> acts_;
  std::vector<twin::GpuWatts> watts_;  ///< of GPUs that were set, at increasing times
  bool has_new_watts_ = false;  ///< the last of these are of this instant: the run gets them when the hall advances
  SnapshotKeeper keeper_;
  PresentValues present_;
  std::vector<std::unique_ptr<twin::SeriesMeter>> meters_;
  double wall_time_s_ = 0.0;  ///< of all advances
  std::unique_ptr<HallRecording> recording_;
  std::string failure_;  ///< why it goes no further
  pid_t process_;
  mutable std::atomic<bool> is_in_use_ = false;
};

}  // namespace wattloop::engine
