// A hall as bytes: the last checkpoint that it passed, and what led from there to where it is. Going there again gives the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/run/hall_run.hpp"

namespace wattloop::engine {

/// Which library wrote it, and by which method the hall runs.
struct SnapshotOrigin {
  std::string program{};  ///< version, commit, instructions
  std::string integrator{};
  std::string inputs{};  ///< files that the scenario reads, with their checksums
};

struct Snapshot {
  SnapshotOrigin origin{};
  std::string file{}, scenario{};                    ///< that the hall was built of, as text
  std::vector<std::string> acts{};                   ///< events besides those of the scenario
  std::vector<double> watts_s{};                     ///< times at which watts of GPUs were set
  std::vector<std::vector<double>> watts_w{};        ///< [of these times][gpu]
  std::optional<twin::CheckpointFile> checkpoint{};  ///< without its origin
  std::vector<double> stops_s{};                     ///< where pieces ended since then; the last is where the hall is
};

/// The library that this code is in.
std::string this_program();

std::string bytes_of(Snapshot snapshot);

/// Throws FileError where the bytes are no snapshot, damaged or of another library.
Snapshot snapshot_of(std::string_view bytes);

/// The instant of the hall that the snapshot is of.
double reached_by(const Snapshot& snapshot, const twin::Scenario& scenario);

/// Keeps a checkpoint of a run now and then, as cheaply as a copy of its state.
class SnapshotKeeper final : public twin::Observer {
 public:
  explicit SnapshotKeeper(twin::HallRun& run) : run_(run) {}
  void observe(const twin::PlantState& state, const twin::Evaluation& evaluation) override;
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  /// Where a piece ended.
  void stop(double time_s) { stops_s_.push_back(time_s); }

  /// What is known; origin, scenario and acts are of the caller.
  Snapshot snapshot() const;

  /// Of a run that goes on from it.
  void take(const Snapshot& snapshot);

 private:
  twin::HallRun& run_;
  std::optional<twin::CheckpointFile> kept_;
  std::int64_t kept_windows_ = 0;
  std::vector<double> stops_s_;
};

}  // namespace wattloop::engine
