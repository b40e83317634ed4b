// `wattloop calibrate`: parameters of a scenario fitted to measurements, how well they are known, and how well the runs then agree.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/numbers/instruction_level.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

struct CalibrateOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;
  std::string isa{any_level};
  int threads = 1;
  bool is_json = false;
  bool is_quiet = false;
};

/// Exit code: 0 all parameters are reported by the measurements, 2 not converged or some are not, 130 interrupted. Throws InputError, FileError,
/// SolverError.
int calibrate_command(const CalibrateOptions& options);

void add_calibrate(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
