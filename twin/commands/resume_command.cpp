#include "twin/commands/resume_command.hpp"

#include <fmt/format.h>

#include "core/problem.hpp"
#include "core/quoted_text.hpp"
#include "twin/commands/instruction_choice.hpp"
#include "twin/commands/run_checkpoints.hpp"

namespace wattloop::twin {

int resume(const std::filesystem::path& named, RunOptions options) {
  options.resumed = checkpoint_to_resume(named);
  const CheckpointOrigin origin = read_checkpoint(options.resumed).origin;
  if (origin.output.empty())
    throw InputError({{{named.string(), 0, 0},
                       "is kept for other scenarios to begin from; it has no results to go on with",
                       fmt::format("initial: {{ from: {}, at: TIME }}", named.filename().string()),
                       {}}},
                     "the command line");
  keep_to_instructions({.place = {named.string(), 0, 0},
                        .what = "the run",
                        .with = origin.isa,
                        .go_on = fmt::format("wattloop resume {}", shell_file(named.string())),
                        .instead = "a machine that has them goes on with it; wattloop run begins again"},
                       options.isa);
  options.scenario = origin.asked;
  options.output = origin.output;
  options.overrides = origin.overrides;
  options.limits = origin.limits;
  options.integrator = origin.integrator;
  options.relative_tolerance_ratio = origin.relative_tolerance_ratio;
  return run(options);
}

}  // namespace wattloop::twin
