#include "twin/commands/studies/search_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"

#include <iostream>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/studies/plan_search_command.hpp"
#include "twin/commands/studies/search_json.hpp"
#include "twin/commands/studies/search_text.hpp"
#include "twin/commands/studies/study_identity.hpp"
#include "twin/commands/studies/study_isa.hpp"
#include "twin/search/search.hpp"
#include "twin/simulation/interrupt.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

struct SearchOptions {
  std::filesystem::path study;
  std::filesystem::path output;  ///< folder; empty: results/NAME
  std::vector<std::string> overrides;
  std::string isa{any_level};
  int threads = 1;
  bool is_afresh = false;
  bool is_json = false;
  bool is_quiet = false;
};

namespace fs = std::filesystem;

struct ReadSearch {
  StudyBase base;
  SearchPlan plan;
};

ReadSearch read_all(const SearchOptions& options) {
  Problems problems;
  Study study = read_study(options.study, problems);
  if (problems.empty()) read_search(study, problems);
  problems.throw_if_any(options.study.string());
  StudyBase base = read_base(study, options.overrides);
  SearchPlan plan = plan_search(std::move(study), base, problems);
  problems.throw_if_any(options.study.string());
  return {std::move(base), std::move(plan)};
}

/// A study that seeks plans; nothing where it seeks something else, or cannot be read.
std::optional<Study> study_of_plans(const SearchOptions& options) {
  Problems problems;
  Study study = read_study(options.study, problems);
  if (!seeks_plans(study)) return {};
  problems.throw_if_any(options.study.string());
  return study;
}

StudyIdentity identity_of(const ReadSearch& read) {
  StudyIdentity identity = study_identity(read.plan.plan, read.base);
  if (read.plan.spec.is_of_families()) identity.runs = read.plan.family * most_trials;
  return identity;
}

int exit_code_of(const SearchPlan& plan, const SearchFindings& findings) {
  using Outcome = Bisection::Outcome;
  if (!plan.spec.is_of_families()) return findings.failed > 0 ? solver_failure : done;
  if (!plan.spec.figure.empty()) {
    for (const SearchTrial& trial : findings.trials) {
      if (trial.at == findings.optimum.at && !trial.holds) return limit_violated;
    }
    return findings.optimum.has_valleys ? solver_failure : done;
  }
  if (!findings.bisection.is_monotone()) return solver_failure;
  const Outcome outcome = findings.bisection.outcome;
  return outcome == Outcome::none_holds || outcome == Outcome::reversed ? limit_violated : done;
}

/// Says what was found, and writes the table of all runs.
int report_found(const ReadSearch& read, const SearchFindings& findings, const fs::path& folder,
                 const SearchOptions& options) {
  StudyTable table = join_journals({folder});
  table.runs = table.rows.size();
  table.answer = search_answer(read.plan, findings, table.columns);
  write_csv(table, folder / "study.csv");
  write_hdf5(table, folder / "study.h5");
  if (options.is_json) {
    fmt::print("{}\n", search_json(read.plan, findings, table.columns));
  } else {
    fmt::print("{}\ntable              {}\n", search_text(read.plan, findings, table.columns),
               printable((folder / "study.csv").string()));
  }
  return exit_code_of(read.plan, findings);
}

int search_command(const SearchOptions& options) {
  if (const std::optional<Study> study = study_of_plans(options))
    return search_plans_of(*study, options.overrides, options.is_json);
  ReadSearch read = read_all(options);
  const fs::path folder = options.output.empty() ? fs::path("results") / options.study.stem() : options.output;
  keep_study_to_instructions(folder, options.isa, options.is_afresh);
  const InterruptGuard guard;
  Journal journal(folder, identity_of(read), {}, options.is_afresh);
  const std::size_t before = journal.rows().size();
  if (before > 0 && !options.is_quiet) report(fmt::format("note: {} runs are already done", before));
  const bool is_family = read.plan.spec.is_of_families();
  StudyProgress progress(before, read.plan.plan.runs.size(),
                         is_family ? ProgressStyle::quiet : progress_style(options.is_quiet), std::cerr);
  KeptRuns runs(read.plan.plan, read.base, journal,
                {options.threads, interrupt_requested, [&](std::span<const StudyRow> rows) { progress.add(rows); }});
  std::size_t number = 0;
  try {
    SearchFindings findings = search(read.plan, runs, [&](const SearchTrial& trial) {
      ++number;
      if (!options.is_quiet) report(trial_text(read.plan, trial, number));
    });
    progress.finish();
    findings.checked = check_values(read.plan, read.base, findings);
    return report_found(read, findings, folder, options);
  } catch (const KeptRuns::Interrupted&) {
    progress.finish();
    report(fmt::format("interrupted; the same command continues with the runs in {}", printable(folder.string())));
    return interrupted_exit_code;
  }
}

}  // namespace

void add_search(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<SearchOptions>();
  CLI::App* command =
      app.add_subcommand("search", "Find a value at a limit, an optimum, or the most important changes");
  command->add_option("study", options->study, "Study with a section search (YAML)")->type_name("FILE")->required();
  command->add_option("-o,--output", options->output, "Folder of the search; default: results/NAME")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_isa(*command, options->isa);
  command->add_flag("--afresh", options->is_afresh, "Begin again: delete the runs that are in the folder");
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print the result as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop search scenarios/studies/reference_highest_supply.yaml\n"
      "  wattloop search scenarios/studies/one_rack_what_matters.yaml -o results/what_matters --threads 2");
  command->callback([options, &action] { action = with_isa(options, search_command); });
}

}  // namespace wattloop::twin
