// Checkpoints of a run on their way to the disk: now and then, when somebody asks the run to end, and at instants that somebody named.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/run/run_command.hpp"
#include "twin/results/writer/row_log.hpp"
#include "twin/run/hall_run.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wattloop::twin {

/// `--checkpoint`: how often a run is saved.
CLI::Option* add_checkpoints(CLI::App& command, RunOptions& options);

/// "a/run.h5" -> "a/run.h5.checkpoint", which is there while the run is not done.
std::filesystem::path checkpoint_path(const std::filesystem::path& results);

/// "a/run.h5" and 600 s -> "a/run.at-600s.checkpoint", which stays.
std::filesystem::path kept_checkpoint_path(const std::filesystem::path& results, double time_s);

/// The checkpoint of what `wattloop resume` is reported: a checkpoint, or results. Throws InputError where there is none to go on from.
std::filesystem::path checkpoint_to_resume(const std::filesystem::path& named);

/// Throws InputError where it is of another scenario, other inputs or another program than `now`, with all that differs.
void demand_same_origin(const CheckpointOrigin& then, const CheckpointOrigin& now, const std::filesystem::path& file);

class RunCheckpoints {
 public:
  /// `origin` is that of all it writes; of these, how much has been recorded is filled in.
  RunCheckpoints(const RunOptions& options, CheckpointOrigin origin);
  RunCheckpoints(const RunCheckpoints&) = delete;
  RunCheckpoints& operator=(const RunCheckpoints&) = delete;

  /// Removes recorded rows that no checkpoint refers to.
  ~RunCheckpoints();

  /// Has rows of `writer` kept; those before `from` go into it again. Does nothing where no checkpoints are asked for.
  void keep_rows(ResultsWriter& writer, const CheckpointFile* from);

  enum class End { whole, stopped, saved };

  /// Runs to the end, or to the next instant with a possible checkpoint after an interrupt.
  End run(HallRun& run);

  /// Removes the files of checkpoints, because the run is done.
  void remove();

  std::filesystem::path path() const { return checkpoint_path(origin_.output); }

 private:
  bool is_asked() const { return options_.checkpoint_every_s.has_value(); }
  double next_stop_s(double now_s, double until_s) const;
  void save(HallRun& run);

  const RunOptions& options_;
  CheckpointOrigin origin_;
  std::unique_ptr<RowLog> log_;
  bool has_checkpoint_ = false;  ///< on the disk, of the rows in the log
};

}  // namespace wattloop::twin
