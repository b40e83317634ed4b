#include "twin/commands/search_command.hpp"

#include <iostream>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/commands/search_text.hpp"
#include "twin/commands/standard_streams.hpp"
#include "twin/commands/study_identity.hpp"
#include "twin/commands/study_isa.hpp"
#include "twin/run/interrupt.hpp"
#include "twin/search/search.hpp"
#include "twin/study/study_report.hpp"

namespace wattloop::twin {

namespace {

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

}  // namespace

int search_command(const SearchOptions& options) {
  ReadSearch read = read_all(options);
  const fs::path folder = options.output.empty() ? fs::path("results") / options.study.stem() : options.output;
  keep_study_to_instructions(folder, options.isa, options.is_afresh);
  const InterruptGuard guard;
  Journal journal(folder, identity_of(read), {}, options.is_afresh);
  const std::size_t before = journal.rows().size();
  if (before > 0 && !options.is_quiet) report(fmt::format("note: {} runs are done already", before));
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
    report(fmt::format("interrupted; the same command goes on with what is in {}", printable(folder.string())));
    return interrupted_exit_code;
  }
}

}  // namespace wattloop::twin
