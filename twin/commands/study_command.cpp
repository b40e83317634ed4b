#include "twin/commands/study_command.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/commands/run_inputs.hpp"
#include "twin/commands/standard_streams.hpp"
#include "twin/results/system_file.hpp"
#include "twin/results/version.hpp"
#include "twin/run/interrupt.hpp"
#include "twin/study/study_engine.hpp"
#include "twin/study/study_report.hpp"
#include "twin/study/study_trial.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

Shard shard_of(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const std::size_t slash = text.find('/');
  const auto read = [](std::string_view digits, std::size_t& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc{} && end == digits.data() + digits.size();
  };
  const std::string_view all = text;
  const bool is_good = slash != std::string::npos && read(all.substr(0, slash), shard.number) &&
                       read(all.substr(slash + 1), shard.count) && shard.number >= 1 && shard.number <= shard.count;
  if (!is_good)
    throw InputError({{{"--shard " + text, 0, 0},
                       "expected number/count",
                       "--shard 1/3, --shard 2/3 and --shard 3/3 are the whole",
                       {}}},
                     "the command line");
  return shard;
}

std::string text_checksum(const std::string& text) { return fmt::format("{:08x}", checksum_of(text)); }

StudyIdentity identity_of(const PlannedStudy& plan, const StudyBase& base) {
  return {.title = plan.study.title,
          .runs = plan.runs.size(),
          .study = text_checksum(plan.study.text),
          .scenario = text_checksum(base.scenario.resolved_text),
          .inputs = input_lines(base.scenario),
          .program = program_text(),
          .columns = table_columns(plan)};
}

std::vector<std::size_t> runs_to_do(const PlannedStudy& plan, const Shard& shard, const std::vector<StudyRow>& rows) {
  std::vector<bool> is_done(plan.runs.size() + 1);
  for (const StudyRow& row : rows) {
    if (row.run < is_done.size()) is_done[row.run] = true;
  }
  std::vector<std::size_t> runs;
  for (std::size_t run = 1; run <= plan.runs.size(); ++run) {
    if (shard.has(run) && !is_done[run]) runs.push_back(run);
  }
  return runs;
}

/// Writes the table of all rows in these folders, says what it says; the exit code.
int tell_table(const std::vector<fs::path>& folders, const fs::path& output, const StudyOptions& options) {
  const StudyTable table = join_journals(folders);
  std::error_code error;
  fs::create_directories(output, error);
  write_csv(table, output / "study.csv");
  write_hdf5(table, output / "study.h5");
  const StudyFindings findings = find_in(table);
  if (options.is_json) {
    fmt::print("{}\n", findings_json(table, findings, output));
  } else {
    fmt::print("{}\ntable              {}\n", findings_text(table, findings),
               printable((output / "study.csv").string()));
  }
  if (!findings.violating.empty()) return limit_violated;
  return findings.failed.empty() ? done : solver_failure;
}

int collect(const StudyOptions& options) {
  if (options.output.empty())
    throw InputError({{{"--collect", 0, 0}, "where to?", "-o names the folder of the joined table", {}}},
                     "the command line");
  demand_study_folder(options.output);
  const int exit_code = tell_table(options.collect, options.output, options);
  const StudyTable table = join_journals(options.collect);
  if (table.rows.size() == table.runs) return exit_code;
  tell(fmt::format("{} of {} runs are missing", table.runs - table.rows.size(), table.runs));
  return exit_code == limit_violated ? exit_code : solver_failure;
}

struct ReadStudy {
  StudyBase base;
  PlannedStudy plan;
};

/// With all that is wrong told at once: first what the file says, then what its base makes of that.
ReadStudy read_all(const StudyOptions& options) {
  Problems problems;
  Study study = read_study(options.study, problems);
  problems.throw_if_any(options.study.string());
  StudyBase base = read_base(study, options.overrides);
  PlannedStudy plan = plan_study(std::move(study), base, problems);
  problems.throw_if_any(options.study.string());
  return {std::move(base), std::move(plan)};
}

int dry_run(const ReadStudy& study, const StudyOptions& options) {
  const Trial trial = try_run(study.plan, study.base, options.threads);
  fmt::print("{}", options.is_json ? trial_json(study.plan, trial) + "\n" : trial_text(study.plan, trial));
  return done;
}

/// The rest of the runs; false where it was stopped.
bool run_rest(const ReadStudy& study, Journal& journal, const Shard& shard, const StudyOptions& options) {
  EngineWork work{.plan = study.plan,
                  .base = study.base,
                  .runs = runs_to_do(study.plan, shard, journal.rows()),
                  .threads = options.threads};
  work.threads = static_cast<int>(std::min<std::size_t>(work.threads, std::max<std::size_t>(work.runs.size(), 1)));
  const std::size_t before = journal.rows().size();
  if (before > 0 && !options.is_quiet) tell(fmt::format("note: {} runs are done already", before));
  StudyProgress progress(before, before + work.runs.size(), progress_style(options.is_quiet), std::cerr);
  std::size_t kept = before;
  try {
    return run_study(work, journal,
                     {.is_stop_wanted = interrupt_requested, .when_kept = [&](std::span<const StudyRow> rows) {
                        kept += rows.size();
                        progress.add(rows);
                      }});
  } catch (const FileError&) {
    progress.finish();
    tell(fmt::format("{} runs are kept; the same command goes on from there", kept));
    throw;
  }
}

}  // namespace

int study_command(const StudyOptions& options) {
  if (!options.collect.empty()) return collect(options);
  if (options.study.empty())
    throw InputError({{{"study", 0, 0}, "which study?", "name its file, or folders to --collect", {}}},
                     "the command line");
  const Shard shard = shard_of(options.shard);
  const ReadStudy study = read_all(options);
  if (options.is_dry) return dry_run(study, options);
  const fs::path folder = options.output.empty() ? fs::path("results") / options.study.stem() : options.output;
  const InterruptGuard guard;
  Journal journal(folder, identity_of(study.plan, study.base), shard, options.is_afresh);
  if (!run_rest(study, journal, shard, options)) {
    tell(fmt::format("interrupted; the same command goes on with what is in {}", printable(folder.string())));
    return interrupted_exit_code;
  }
  return tell_table({folder}, folder, options);
}

}  // namespace wattloop::twin
