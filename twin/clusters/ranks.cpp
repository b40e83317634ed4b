#include "twin/clusters/ranks.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

std::string text_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

/// A launcher's names of things.
struct Launcher {
  const char *rank, *size;
  std::array<const char*, 3> launch;  ///< the first must be there
};

/// A batch script of Slurm has SLURM_PROCID and SLURM_NTASKS without being one of several: a step alone has SLURM_STEP_NUM_TASKS. What
/// PMI reports is no more than rank and size; numbers of processes come again, so that they are no name of a launch.
constexpr std::array launchers{
    Launcher{"OMPI_COMM_WORLD_RANK",
             "OMPI_COMM_WORLD_SIZE",
             {"OMPI_MCA_orte_precondition_transports", "OMPI_MCA_ess_base_jobid", "SLURM_RESTART_COUNT"}},
    Launcher{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"}},
    Launcher{"PMI_RANK", "PMI_SIZE", {"", "", ""}},
};

std::string launch_of(const Launcher& launcher, const Environment& environment) {
  if (text_of(environment, launcher.launch.front()).empty()) return {};
  std::string text;
  for (const char* name : launcher.launch) text += fmt::format("{}/", text_of(environment, name));
  return text;
}

}  // namespace

std::optional<Ranks> ranks_of(const Environment& environment) {
  for (const Launcher& launcher : launchers) {
    const auto rank = number_of(text_of(environment, launcher.rank));
    const auto size = number_of(text_of(environment, launcher.size));
    if (!rank || !size || *rank >= *size || *size < 2) continue;
    return Ranks{*rank, *size, launch_of(launcher, environment)};
  }
  return {};
}

}  // namespace wattloop::twin
