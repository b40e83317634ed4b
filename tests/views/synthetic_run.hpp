// A results file of a run that never was, for pictures: quiet GPUs, and one that is hot at one time.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/halls/regular_hall.hpp"

namespace wattloop::tests {

/// What stands out in the run: GPU `hot_gpu` (from 0) reaches `hot_k` at `hot_s`; all others stay at
/// `cool_k`.
struct SyntheticRun {
  twin::HallCounts counts{};
  double duration_s = 600.0;
  double cool_k = 273.15 + 45.0;
  double hot_k = 273.15 + 70.0;
  double hot_s = 300.0;
  int hot_gpu = 20;
  bool has_layout = true;
  bool has_gpus = true;
};

/// The reference hall's counts with all that serves it.
twin::HallCounts whole_site();

/// Writes the run and returns its path, in a folder that is removed when the test program ends.
std::filesystem::path write_run(const SyntheticRun& run, const std::string& name);

}  // namespace wattloop::tests
