#include "twin/commands/studies/study_slurm.hpp"

#include <sys/resource.h>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/clusters/slurm_script.hpp"
#include "twin/clusters/study_instructions.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/document/override.hpp"
#include "twin/platform/program_files.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/study/study_trial.hpp"
#include "twin/study/tables/journal.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

double largest_memory_bytes() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void demand_plain_name(const fs::path& folder) {
  const std::string text = folder.string();
  if (is_sbatch_text(text)) return;
  throw InputError({{{"--slurm", 0, 0},
                     fmt::format("'{}' cannot be used in a Slurm script", printable(text)),
                     "name a folder without blanks, quotes, %, # and control characters",
                     {}}},
                   "the command line");
}

std::vector<std::string> as_written(const std::vector<std::string>& overrides) {
  const std::string of_event = event_override("");
  std::vector<std::string> words;
  for (const std::string& text : overrides) {
    const bool is_event = text.starts_with(of_event);
    words.emplace_back(is_event ? "--event" : "--set");
    words.push_back(is_event ? text.substr(of_event.size()) : text);
  }
  return words;
}

/// Nodes may be older than the one of this login; a program for one machine has nothing to choose from.
std::string isa_of_tasks(const std::string& asked) {
  if (asked != any_level) return asked;
  const std::string isa = requested_instructions(std::string(instructions()));
  return level_named(isa) ? isa : "";
}

}  // namespace

int write_slurm(const StudyOptions& options, const PlannedStudy& plan, const StudyBase& base) {
  const fs::path folder = fs::absolute(options.slurm).lexically_normal();
  demand_plain_name(folder);
  demand_study_folder(folder);
  const Trial trial = try_run(plan, base, 1);
  if (!trial.failure.empty())
    throw InputError({{{"--slurm", 0, 0}, "the run that was tried has no answer: " + trial.failure, "", {}}},
                     options.study.string());
  const double run_s = trial.read_s + trial.built_s + trial.started_s + trial.stepped_s;
  const fs::path slashless = folder.has_filename() ? folder : folder.parent_path();
  const SlurmScripts scripts = slurm_scripts({.title = plan.study.title,
                                              .program = program_of_people(),
                                              .study = fs::absolute(options.study).lexically_normal(),
                                              .folder = slashless,
                                              .overrides = as_written(options.overrides),
                                              .runs = plan.runs.size(),
                                              .run_s = run_s,
                                              .memory_bytes = largest_memory_bytes(),
                                              .threads = options.threads,
                                              .isa = isa_of_tasks(options.isa),
                                              .task_s = 60.0 * options.task_minutes});
  write_whole(slashless / "study_array.sbatch", scripts.array);
  write_whole(slashless / "study_collect.sbatch", scripts.collect);
  write_whole(slashless / "study_submit.sh", scripts.submit);
  const double task_s =
      run_s * static_cast<double>(plan.runs.size()) / options.threads / static_cast<double>(scripts.tasks);
  fmt::print("{} runs of {:.2g} s in {} of about {}, {} min and {} MB at most each\nsubmit with         sh {}\n",
             plan.runs.size(), run_s, count_text(scripts.tasks, "task"), duration_text(task_s), scripts.minutes,
             scripts.megabytes, shell_file((slashless / "study_submit.sh").string()));
  return done;
}

}  // namespace wattloop::twin
