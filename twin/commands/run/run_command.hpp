// `wattloop run`: a scenario from file to results.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/numbers/instruction_level.hpp"
#include "twin/commands/results/run_end.hpp"
#include "twin/run/run_method.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

struct Scenario;

struct RunOptions {
  std::filesystem::path scenario;  ///< YAML, or a results file whose run is repeated
  std::filesystem::path output;    ///< empty: results/NAME.h5
  std::vector<std::string> overrides;
  std::vector<std::string> limits;  ///< on figures of the summary: "pue <= 1.2"
  RunMethod method = {};
  int threads = 1;
  bool is_forced = false;                      ///< replaces an output that Wattloop did not write
  bool has_no_results = false;                 ///< writes no file
  bool is_quiet = false;                       ///< no progress, no notes
  EndStyle end{};                              ///< what is printed at the end
  const Scenario* given = nullptr;             ///< a run of the study that `scenario` is; prints nothing
  std::optional<double> checkpoint_every_s{};  ///< of the machine's clock
  std::vector<double> save_at_s{};             ///< of the run: checkpoints that stay
  std::filesystem::path resumed{};             ///< checkpoint that it goes on from
  std::string isa{any_level};                  ///< instructions asked for
};

/// Exit code: 0 done, 3 a limit was violated, 75 asked to end and saved, 130 interrupted. Throws InputError, SolverError, FileError.
int run(const RunOptions& options);

void add_run(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
