#include "twin/commands/studies/study_command.hpp"
#include <CLI/CLI.hpp>
#include "core/units/units.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/printable.hpp"
#include "twin/clusters/hand_out.hpp"
#include "twin/clusters/ranks.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/studies/pareto_report.hpp"
#include "twin/commands/studies/study_identity.hpp"
#include "twin/commands/studies/study_isa.hpp"
#include "twin/commands/studies/study_slurm.hpp"
#include "twin/commands/studies/whole_runs.hpp"
#include "twin/simulation/interrupt.hpp"
#include "twin/simulation/progress.hpp"
#include "twin/study/study_engine.hpp"
#include "twin/study/study_trial.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr const char* table_claim = "table";

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

/// Of the journals of all processes that share the folder. By run, from 1.
std::vector<bool> runs_done(const PlannedStudy& plan, const fs::path& folder) {
  std::vector<bool> is_done(plan.runs.size() + 1);
  for (const StudyRow& row : join_journals({folder}).rows) is_done[row.run] = true;
  return is_done;
}

/// Writes the front beside the table, and says it after all else.
void report_front(const StudyTable& table, const fs::path& output, const StudyOptions& options) {
  if (options.pareto.empty()) return;
  const std::vector<ParetoFigure> figures = pareto_figures(options.pareto, table.columns);
  const StudyTable front = front_of(table, figures);
  write_csv(front, output / "study_pareto.csv");
  if (!options.is_json)
    fmt::print("{}front              {}\n", front_text(front, figures),
               printable((output / "study_pareto.csv").string()));
}

/// Writes the table of all rows in these folders, says what it says; the exit code.
int report_table(const std::vector<fs::path>& folders, const fs::path& output, const StudyOptions& options) {
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
  report_front(table, output, options);
  if (!findings.violating.empty()) return limit_violated;
  return findings.failed.empty() ? done : solver_failure;
}

int collect(const StudyOptions& options) {
  if (options.output.empty())
    throw InputError({{{"--collect", 0, 0}, "no folder for the joined table is given", "write -o FOLDER", {}}},
                     "the command line");
  demand_study_folder(options.output);
  const int exit_code = report_table(options.collect, options.output, options);
  const StudyTable table = join_journals(options.collect);
  const std::vector<std::size_t> gone = gather_whole_runs(table, options.collect, options.output);
  if (table.rows.size() == table.runs) {
    if (!gone.empty()) report(fmt::format("results of run {} are in none of the folders", fmt::join(gone, ", ")));
    return exit_code;
  }
  report(fmt::format("{} of {} runs are missing", table.runs - table.rows.size(), table.runs));
  return exit_code == limit_violated ? exit_code : solver_failure;
}

struct ReadStudy {
  StudyBase base;
  PlannedStudy plan;
};

/// With all that is wrong reported at once: first what the file says, then what its base makes of that.
ReadStudy read_all(const StudyOptions& options) {
  Problems problems;
  Study study = read_study(options.study, problems);
  if (!study.search.is_null())
    problems.add(problem_at(study.search, "the study has a section `search`", "run it with wattloop search"));
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

/// What one process does of a study.
struct Part {
  const ReadStudy& study;
  const StudyOptions& options;
  fs::path folder;
  Shard shard;
  std::optional<Ranks> ranks;
  std::vector<bool> is_done;  ///< by run, before it began

  std::vector<std::size_t> runs_to_do() const {
    std::vector<std::size_t> runs;
    for (std::size_t run = 1; run < is_done.size(); ++run) {
      if (shard.has(run) && !is_done[run]) runs.push_back(run);
    }
    return runs;
  }
};

/// Rows of all ranks, for the progress that one of them shows. Looks twice a minute, because that reads all journals.
class RanksWatch {
 public:
  explicit RanksWatch(const Part& part) : folder_(part.folder), is_seen_(part.is_done) {}

  std::vector<StudyRow> fresh() {
    constexpr double look_interval_s = 30.0;
    if (clock_() - last_s_ < look_interval_s) return {};
    last_s_ = clock_();
    std::vector<StudyRow> rows = join_journals({folder_}).rows;
    std::erase_if(rows, [&](const StudyRow& row) { return is_seen_[row.run]; });
    for (const StudyRow& row : rows) is_seen_[row.run] = true;
    return rows;
  }

 private:
  fs::path folder_;
  std::vector<bool> is_seen_;
  Clock clock_ = steady_clock();
  double last_s_ = clock_();
};

/// The rest of the runs; false where it was stopped.
bool run_rest(const Part& part, Journal& journal, const Claims* claims) {
  const StudyOptions& options = part.options;
  EngineWork work{
      .plan = part.study.plan, .base = part.study.base, .runs = part.runs_to_do(), .threads = options.threads};
  std::size_t kept = 0;
  for (std::size_t run = 1; run < part.is_done.size(); ++run)
    kept += part.is_done[run] && (part.ranks || part.shard.has(run)) ? 1 : 0;
  const bool is_quiet = options.is_quiet || (part.ranks && part.ranks->number > 0);
  if (kept > 0 && !is_quiet) report(fmt::format("note: {} runs are already done", kept));
  StudyProgress progress(kept, part.ranks ? part.is_done.size() - 1 : kept + work.runs.size(), progress_style(is_quiet),
                         std::cerr);
  RanksWatch others(part);
  std::optional<HandOut> hand_out;
  if (part.ranks) {
    hand_out.emplace(HandOutShare{part.ranks->number, part.ranks->count, part.is_done}, claims);
    work.next_run = [&] { return hand_out->next(); };
  } else {
    work.threads = static_cast<int>(std::min<std::size_t>(work.threads, std::max<std::size_t>(work.runs.size(), 1)));
  }
  try {
    return run_study(work, journal,
                     {.is_stop_requested = interrupt_requested, .when_kept = [&](std::span<const StudyRow> rows) {
                        kept += rows.size();
                        if (!part.ranks) {
                          progress.add(rows);
                        } else if (!is_quiet) {
                          progress.add(others.fresh());
                        }
                      }});
  } catch (const FileError&) {
    progress.finish();
    report(fmt::format("{} runs are stored; the same command continues from there", kept));
    throw;
  }
}

int report_interrupted(const fs::path& folder) {
  report(fmt::format("interrupted; the same command continues with the runs in {}", printable(folder.string())));
  return interrupted_exit_code;
}

/// The end of a process that has done its part: whole results and the table.
int end_part(const Part& part) {
  StudyTable rows = join_journals({part.folder});
  if (part.shard.count > 1 && !part.ranks)
    std::erase_if(rows.rows, [&](const StudyRow& row) { return !part.shard.has(row.run); });
  if (!write_whole_runs({part.study.plan, part.study.base, part.folder, part.options.threads}, rows))
    return report_interrupted(part.folder);
  return report_table({part.folder}, part.folder, part.options);
}

/// Whoever sees that all is done makes the table, one of them. The others end with 0: a launcher ends all where one does not.
int end_rank(const Part& part, const Claims* claims) {
  if (join_journals({part.folder}).rows.size() < part.study.plan.runs.size()) {
    if (claims == nullptr && part.ranks->number == 0)
      report(fmt::format("when all ranks have ended, wattloop study --collect {} makes the table",
                         printable(part.folder.string())));
    return done;
  }
  if (claims == nullptr ? part.ranks->number > 0 : !claims->take(table_claim)) return done;
  const int exit_code = end_part(part);
  if (claims != nullptr) claims->keep_only(table_claim);
  return exit_code;
}

/// Processes of a launcher, and what they must not be reported.
std::optional<Ranks> ranks_for(const StudyOptions& options) {
  if (options.is_alone) return {};
  const auto ranks = ranks_of([](const char* name) { return std::getenv(name); });
  if (!ranks || (options.shard.empty() && !options.is_afresh)) return ranks;
  throw InputError({{{options.is_afresh ? "--afresh" : "--shard", 0, 0},
                     fmt::format("{} processes were started together and share the runs", ranks->count),
                     "give a folder that does not exist yet, or --alone to let each process do all runs",
                     {}}},
                   "the command line");
}

}  // namespace

int study_command(const StudyOptions& options) {
  const std::optional<Ranks> ranks = ranks_for(options);
  const bool is_for_one = !options.collect.empty() || options.is_dry || !options.slurm.empty();
  if (is_for_one && ranks && ranks->number > 0) return done;
  if (!options.collect.empty()) return collect(options);
  if (options.study.empty())
    throw InputError({{{"study", 0, 0}, "no study is given", "write its file, or --collect and folders", {}}},
                     "the command line");
  const Shard shard = ranks ? Shard{ranks->number + 1, ranks->count} : shard_of(options.shard);
  const ReadStudy study = read_all(options);
  if (!options.pareto.empty()) pareto_figures(options.pareto, table_columns(study.plan));
  if (options.is_dry) return dry_run(study, options);
  if (!options.slurm.empty()) return write_slurm(options, study.plan, study.base);
  const fs::path folder = options.output.empty() ? fs::path("results") / options.study.stem() : options.output;
  keep_study_to_instructions(folder, options.isa, options.is_afresh && shard.count == 1);
  std::optional<InterruptGuard> guard(std::in_place);
  Journal journal(folder, study_identity(study.plan, study.base), shard, options.is_afresh);
  if (options.is_afresh) remove_whole_runs(folder);
  std::optional<Claims> claims;
  if (ranks && !ranks->launch.empty()) claims.emplace(folder, ranks->launch);
  const Claims* claimed = claims ? &*claims : nullptr;
  const Part part{study, options, folder, shard, ranks, runs_done(study.plan, folder)};
  if (!run_rest(part, journal, claimed)) return report_interrupted(folder);
  guard.reset();  // whole results have one of their own
  return ranks ? end_rank(part, claimed) : end_part(part);
}

void add_study(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand("study", "Run all runs of a study; the same command resumes them");
  command->add_option("study", options->study, "Study (YAML)")->type_name("FILE");
  command->add_option("-o,--output", options->output, "Folder of the study; default: results/NAME")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_isa(*command, options->isa);
  command->add_option("--shard", options->shard, "Only every n-th run, beginning with the i-th: 2/3")->type_name("I/N");
  command
      ->add_option("--slurm", options->slurm,
                   "Run nothing; write into this folder a Slurm array job, which stores the study there")
      ->type_name("FOLDER");
  command->add_option("--task-minutes", options->task_minutes, "With --slurm: planned minutes of a task")
      ->check(CLI::Range(0.5, 1440.0))
      ->capture_default_str();
  command->add_flag("--alone", options->is_alone,
                    "Let this process do all runs, also if mpirun or srun has started several processes");
  command->add_option("--collect", options->collect, "Join the runs of these folders into the table of -o")
      ->type_name("FOLDER...");
  command
      ->add_option("--pareto", options->pareto,
                   "Pareto front: runs that no other run exceeds in both figures: pue,max:smallest_throttle_margin")
      ->type_name("A,B");
  command->add_flag("--dry-run", options->is_dry,
                    "Show the runs, and the estimated time and disk space from a short trial");
  command->add_flag("--afresh", options->is_afresh, "Begin again: delete the runs that are in the folder");
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print the report of the study as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml --dry-run\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml -o results/supply --threads 2\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml -o results/first --shard 1/2\n"
      "  mpirun -n 16 wattloop study scenarios/studies/one_rack_supply.yaml -o results/supply\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml --slurm results/supply\n"
      "  wattloop study --collect results/first results/second -o results/supply");
  command->callback([options, &action] { action = with_isa(options, study_command); });
}

}  // namespace wattloop::twin
