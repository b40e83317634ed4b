#include "twin/commands/run/resume_command.hpp"
#include <CLI/CLI.hpp>
#include "core/units/units.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/commands/program/instruction_choice.hpp"
#include "twin/commands/run/run_checkpoints.hpp"

namespace wattloop::twin {

int resume(const std::filesystem::path& named, RunOptions options) {
  options.resumed = checkpoint_to_resume(named);
  const CheckpointOrigin origin = read_checkpoint(options.resumed).origin;
  if (origin.output.empty())
    throw InputError({{{named.string(), 0, 0},
                       "is a checkpoint from which other scenarios begin; it has no results to continue",
                       fmt::format("write initial: {{ from: {}, at: TIME }} in a scenario", named.filename().string()),
                       {}}},
                     "the command line");
  keep_to_instructions({.place = {named.string(), 0, 0},
                        .what = "the run",
                        .with = origin.isa,
                        .go_on = fmt::format("wattloop resume {}", shell_file(named.string())),
                        .instead = "continue it on a machine that has this instruction set; wattloop run begins again"},
                       options.isa);
  options.scenario = origin.asked;
  options.output = origin.output;
  options.overrides = origin.overrides;
  options.limits = origin.limits;
  options.method = {.integrator = origin.integrator,
                    .monolithic = {.relative_tolerance_ratio = origin.relative_tolerance_ratio}};
  return run(options);
}

void add_resume(CLI::App& app, std::function<int()>& action) {
  constexpr double usual_interval_s = 600.0;
  auto options = std::make_shared<RunOptions>();
  auto file = std::make_shared<std::filesystem::path>();
  options->checkpoint_every_s = usual_interval_s;
  CLI::App* command = app.add_subcommand("resume", "Continue a run that was killed or asked to end");
  command->add_option("file", *file, "Checkpoint, or the results file of the run that wrote it")
      ->type_name("FILE")
      ->required();
  command->add_option("--threads", options->threads, "Threads")->check(CLI::Range(1, 1024))->capture_default_str();
  add_isa(*command, options->isa);
  add_checkpoints(*command, *options);
  add_end_style(*command, options->end);
  command->add_flag("-q,--quiet", options->is_quiet, "Print no progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop run scenarios/h100_10k.yaml -o day.h5 --checkpoint 10min\n"
      "  wattloop resume day.h5\n"
      "The results file is equal, byte for byte, to the file of a run that was never stopped. docs/checkpoints.md");
  command->callback([options, file, &action] {
    action = with_isa(options, [file](const RunOptions& all) { return resume(*file, all); });
  });
}

}  // namespace wattloop::twin
