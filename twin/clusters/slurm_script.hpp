// An array job of Slurm that does a study in tasks of some minutes each, a job that makes the table of it, and what submits both.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

struct SlurmStudy {
  std::string title{};
  std::filesystem::path program{}, study{}, folder{};  ///< from the root of the file system, as nodes see them
  std::vector<std::string> overrides{};                ///< as words of the command line: "--set", "seed=2"
  std::size_t runs = 0;
  double run_s = 0.0;         ///< of one run on one core, by the trial
  double memory_bytes = 0.0;  ///< of the program while it ran that
  int threads = 1;            ///< of a task
  std::string isa{};          ///< instructions of all tasks; empty: those of the program
  double task_s = 600.0;      ///< that a task is to take
};

struct SlurmScripts {
  std::size_t tasks = 1;
  int minutes = 0;    ///< time limit of a task
  int megabytes = 0;  ///< memory of a task
  std::string array{}, collect{}, submit{};
};

inline constexpr double shortest_task_s = 30.0;  ///< starting a task costs a second
inline constexpr std::size_t most_tasks = 1000;  ///< an array holds 1,001 where no one has changed that

SlurmScripts slurm_scripts(const SlurmStudy& study);

}  // namespace wattloop::twin
