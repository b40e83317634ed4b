// The results file of an open hall, as `wattloop run` writes it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "twin/run/hall_run.hpp"
#include "twin/run/run_results.hpp"
#include "twin/scenario/specs/gpu_watts.hpp"

namespace wattloop::engine {

/// What its provenance has of the hall.
struct RecordedHall {
  const std::vector<std::string>& acts;
  const std::vector<twin::GpuWatts>& watts;  ///< of GPUs that were set
  int threads = 1;
  double relative_tolerance_ratio = 0.0;
  double wall_time_s = 0.0;  ///< that the run took, without what its caller did between
};

class HallRecording {
 public:
  /// Records `run`, which has not begun, from its start on. Throws InputError for a file that must not be replaced, FileError.
  HallRecording(twin::HallRun& run, const std::filesystem::path& results);
  HallRecording(const HallRecording&) = delete;
  HallRecording& operator=(const HallRecording&) = delete;

  /// Without `finish` nothing stays of the file.
  ~HallRecording();

  /// At the end of the run.
  void finish(const twin::HallRun& run, const RecordedHall& hall);

 private:
  std::unique_ptr<twin::ResultsWriter> writer_;
  std::unique_ptr<twin::Recorder> recorder_;
  std::filesystem::path results_, scenario_file_;  ///< absolute
  std::string inputs_;                             ///< as they were read
  bool is_finished_ = false;
  pid_t process_;
};

}  // namespace wattloop::engine
