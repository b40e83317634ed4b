// `wattloop study`: a family of runs from one file, resumed by the same command.
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

struct StudyOptions {
  std::filesystem::path study;
  std::filesystem::path output;                ///< folder; empty: results/NAME
  std::vector<std::filesystem::path> collect;  ///< folders whose rows are joined, instead of running anything
  std::vector<std::string> overrides;          ///< of the base
  std::string shard;                           ///< "2/3"; empty: all runs
  std::string pareto;                          ///< "pue,max:smallest_throttle_margin"; empty: no front
  std::filesystem::path slurm;                 ///< folder of the scripts of an array job; empty: runs here
  std::string isa{any_level};                  ///< of its processes, all alike
  double task_minutes = 10.0;                  ///< that a task of it is to take
  int threads = 1;
  bool is_dry = false;     ///< shows runs, time and disk
  bool is_afresh = false;  ///< loses rows that are there
  bool is_alone = false;   ///< all runs, also where a launcher has started several processes
  bool is_json = false;
  bool is_quiet = false;
};

/// Exit code: 0 done, 2 runs failed or are missing, 3 a limit was violated, 130 interrupted. Throws InputError, FileError.
int study_command(const StudyOptions& options);

void add_study(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
