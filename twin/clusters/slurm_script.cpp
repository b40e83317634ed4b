#include "twin/clusters/slurm_script.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/quoted_text.hpp"

namespace wattloop::twin {

namespace {

/// In time, of what the trial says: nodes may be slower, and runs longer than the one that was tried.
constexpr double time_margin_ratio = 3.0, time_margin_s = 300.0;
constexpr double memory_margin_ratio = 1.3, memory_margin_bytes = 200e6, bytes_of_table_row = 3e3;

int rounded_up(double value, double unit) { return static_cast<int>(unit * std::ceil(value / unit)); }

/// Waits again where a signal has ended the waiting. USR1 comes from Slurm a minute before the time limit: then the rest is queued
/// again. TERM comes from whoever cancels.
constexpr const char* array_body = R"(program=$!
trap 'late=yes; kill -TERM "$program" 2>/dev/null' USR1
trap 'kill -TERM "$program" 2>/dev/null' TERM
wait "$program"
code=$?
while [ "$code" -gt 128 ] && kill -0 "$program" 2>/dev/null; do
  wait "$program"
  code=$?
done
case $code in
  0 | 2 | 3) exit 0 ;;   # all runs of the task are done; what they say is in the table
esac
if [ -n "${late:-}" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
)";

std::string options_text(const std::string& name, const SlurmScripts& scripts, const std::filesystem::path& log) {
  return fmt::format("#SBATCH --job-name={}\n#SBATCH --time={}\n#SBATCH --mem={}M\n#SBATCH --output={}\n", name,
                     scripts.minutes, scripts.megabytes, log.string());
}

std::string array_text(const SlurmStudy& study, const SlurmScripts& scripts) {
  std::string overrides;
  for (const std::string& text : study.overrides) overrides += " " + shell_text(text);
  return fmt::format(
             "#!/bin/sh\n# {} runs in {} tasks, written by wattloop study --slurm. A task that is submitted again goes "
             "on "
             "where it was.\n",
             study.runs, scripts.tasks) +
         options_text("wattloop-study", scripts, study.folder / "study_log_%a.txt") +
         fmt::format(
             "#SBATCH --array=1-{}\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n#SBATCH --requeue\n"
             "#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@60\n",
             scripts.tasks, study.threads) +
         fmt::format("{} study {} -o {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --threads {} --alone --quiet{}{} &\n",
                     shell_text(study.program.string()), shell_text(study.study.string()),
                     shell_text(study.folder.string()), scripts.tasks, study.threads,
                     study.isa.empty() ? "" : " --isa " + study.isa, overrides) +
         array_body;
}

std::string collect_text(const SlurmStudy& study, SlurmScripts scripts) {
  scripts.minutes = 10;
  scripts.megabytes =
      rounded_up((memory_margin_bytes + bytes_of_table_row * static_cast<double>(study.runs)) * 1e-6, 100.0);
  const std::string folder = shell_text(study.folder.string());
  return "#!/bin/sh\n# The table of all runs that are done, and how many are missing.\n" +
         options_text("wattloop-collect", scripts, study.folder / "study_log_collect.txt") +
         fmt::format("exec {} study --collect {} -o {}\n", shell_text(study.program.string()), folder, folder);
}

std::string submit_text(const SlurmStudy& study) {
  const auto quoted = [&](const char* name) { return shell_text((study.folder / name).string()); };
  return fmt::format(
      "#!/bin/sh\n# Submits the study, and the table of it for when all tasks have ended. The same again goes on with "
      "what is "
      "missing.\n# Options are those of sbatch: {} --account=project --partition=long\nset -eu\n"
      "array=$(sbatch --parsable \"$@\" {})\narray=${{array%%;*}}\n"
      "collect=$(sbatch --parsable --dependency=\"afterany:$array\" \"$@\" {})\n"
      "echo study {} \"as job $array, its table as job ${{collect%%;*}}\"\n",
      comment_text(shell_file((study.folder / "study_submit.sh").string())), quoted("study_array.sbatch"),
      quoted("study_collect.sbatch"), shell_text(printable(study.folder.filename().string())));
}

}  // namespace

SlurmScripts slurm_scripts(const SlurmStudy& study) {
  const double all_s = static_cast<double>(study.runs) * study.run_s / study.threads;
  const double task_s = std::max(study.task_s, shortest_task_s);
  const double needed = std::clamp(std::floor(all_s / task_s + 1e-6), 1.0, static_cast<double>(most_tasks));
  SlurmScripts scripts{.tasks = std::min(static_cast<std::size_t>(needed), std::max<std::size_t>(study.runs, 1))};
  const double each_s = all_s / static_cast<double>(scripts.tasks);
  scripts.minutes = rounded_up(time_margin_ratio * each_s + time_margin_s, 60.0) / 60;
  scripts.megabytes =
      rounded_up((memory_margin_ratio * study.threads * study.memory_bytes + memory_margin_bytes) * 1e-6, 100.0);
  scripts.array = array_text(study, scripts);
  scripts.collect = collect_text(study, scripts);
  scripts.submit = submit_text(study);
  return scripts;
}

}  // namespace wattloop::twin
