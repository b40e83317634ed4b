// A run on the disk, at an instant at which it can be taken up again (docs/checkpoints.md): what it remembers, what was gathered of it, and
// what it is of. Sealed by a checksum; numbers stand in it as in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "twin/run/figures/losses.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/run/meters/temperature_watch.hpp"
#include "twin/run/recording/recorder.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// Which run a checkpoint belongs to, and with which options it was started.
struct CheckpointOrigin {
  std::string scenario{};  ///< text after extends, library and overrides
  std::string inputs{};    ///< files and variables with their checksums, one a line
  std::string program{};   ///< version and checksum of the program
  std::string isa{};       ///< instructions that it computed with
  std::string integrator{};
  double relative_tolerance_ratio = 0.0;
  std::string asked{};                   ///< file of the scenario, from the root of the file system
  std::string output{};                  ///< of the results, from there, too
  std::vector<std::string> overrides{};  ///< as after `--set`
  std::vector<std::string> limits{};     ///< as after `--limit`
  std::uint64_t log_bytes = 0;           ///< of the rows that it has recorded (twin/results/writer/row_log.hpp)
};

/// The observers of a run; recorder and losses may be missing.
struct RunObservers {
  Statistics& statistics;
  TemperatureWatch& watch;
  Recorder* recorder = nullptr;
  Losses* losses = nullptr;
};

struct CheckpointFile {
  CheckpointOrigin origin{};
  Checkpoint checkpoint{};
  std::string gathered{};  ///< by observers
  std::string recorded{};  ///< by the recorder; empty: there was none
};

/// Waits until the file is on the disk under its name. Throws FileError.
void write_checkpoint(const std::filesystem::path& file, CheckpointFile content);

/// Throws FileError where the file is not a checkpoint, is damaged, or has another version of the format.
CheckpointFile read_checkpoint(const std::filesystem::path& file);

bool is_checkpoint(const std::filesystem::path& file);

/// The present state of the run and its observers.
CheckpointFile checkpoint_of(const Simulation& simulation, const RunObservers& observers);

/// Restores the run and its observers. `file` is for messages. Throws FileError where the checkpoint belongs to another plant.
void take_up(const CheckpointFile& from, const std::filesystem::path& file, Simulation& simulation,
             const RunObservers& observers);

/// `Simulation::start`, or continuing from the checkpoint that the scenario names. Throws InputError where it is not a checkpoint of that
/// instant, or where the hall was a different one before it.
void begin_run(const Scenario& scenario, Simulation& simulation, const RunObservers& observers);

}  // namespace wattloop::twin
