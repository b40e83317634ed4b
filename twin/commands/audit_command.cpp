#include "twin/commands/audit_command.hpp"

#include <iostream>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "twin/commands/audit_text.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/commands/standard_streams.hpp"
#include "twin/commands/study_identity.hpp"
#include "twin/commands/study_isa.hpp"
#include "twin/results/whole_file.hpp"
#include "twin/run/interrupt.hpp"
#include "twin/search/audit_findings.hpp"
#include "twin/search/kept_runs.hpp"
#include "twin/study/study_report.hpp"
#include "twin/study/study_trial.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

struct ReadAudit {
  StudyBase base;
  AuditPlan plan;
};

ReadAudit read_all(const AuditOptions& options, const std::vector<std::string>& overrides) {
  StudyBase base = read_base(audit_study(options), overrides);
  Problems problems;
  AuditPlan plan = plan_audit(options, base, problems);
  problems.throw_if_any("the command line");
  plan.plan.study.title = base.scenario.title;
  return {std::move(base), std::move(plan)};
}

int dry_run(const ReadAudit& read, const AuditCommandOptions& options) {
  const Trial trial = try_run(read.plan.plan, read.base, options.threads);
  fmt::print("{}", options.is_json ? trial_json(read.plan.plan, trial) + "\n" : trial_text(read.plan.plan, trial));
  return done;
}

std::vector<std::size_t> single_runs(const AuditPlan& plan) {
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    if (plan.cases[i].kind != AuditCase::Kind::pair) runs.push_back(i + 1);
  }
  return runs;
}

/// Rows of some runs, with progress of their own.
class AuditRuns {
 public:
  AuditRuns(const ReadAudit& read, Journal& journal, const AuditCommandOptions& options)
      : style_(progress_style(options.is_quiet)),
        runs_(read.plan.plan, read.base, journal,
              {options.threads, interrupt_requested, [this](std::span<const StudyRow> rows) {
                 if (progress_ != nullptr) progress_->add(rows);
               }}) {}

  std::vector<StudyRow> rows_of(const std::vector<std::size_t>& runs) {
    std::size_t before = 0;
    for (const std::size_t run : runs) before += runs_.all().contains(run) ? 1 : 0;
    StudyProgress progress(before, runs.size(), style_, std::cerr);
    progress_ = &progress;
    std::vector<StudyRow> rows = runs_.rows_of(runs);
    progress_ = nullptr;
    return rows;
  }

 private:
  ProgressStyle style_;
  StudyProgress* progress_ = nullptr;
  KeptRuns runs_;
};

AuditFindings audit(const ReadAudit& read, Journal& journal, const AuditCommandOptions& options) {
  AuditRuns runs(read, journal, options);
  std::vector<StudyRow> rows = runs.rows_of(single_runs(read.plan));
  const std::vector<std::size_t> pairs = pairs_to_run(read.plan, rows);
  if (!pairs.empty()) {
    if (!options.is_quiet) report(fmt::format("note: {} pairs of parts that can be lost alone", pairs.size()));
    for (StudyRow& row : runs.rows_of(pairs)) rows.push_back(std::move(row));
  }
  return audit_findings(read.plan, rows);
}

int report_audit(const ReadAudit& read, const AuditFindings& findings, const fs::path& folder,
                 const AuditCommandOptions& options) {
  StudyTable table = join_journals({folder});
  table.runs = table.rows.size();
  write_csv(table, folder / "study.csv");
  WholeFile ranking(folder / "study_audit.csv");
  ranking.write(audit_csv(findings));
  ranking.finish();
  if (options.is_json) {
    fmt::print("{}\n", audit_json(read.plan, findings));
  } else {
    fmt::print("{}\ntable              {}\n", audit_text(read.plan, findings),
               printable((folder / "study_audit.csv").string()));
  }
  for (const AuditFinding& finding : findings.costly) {
    if (finding.of.kind == AuditCase::Kind::nothing && !finding.has_answer) return solver_failure;
  }
  if (options.require == "fault_tolerant" && !findings.is_fault_tolerant) return limit_violated;
  return options.require == "concurrently_maintainable" && !findings.is_maintainable ? limit_violated : done;
}

}  // namespace

int audit_command(const AuditCommandOptions& options) {
  const ReadAudit read = read_all(options.audit, options.overrides);
  if (options.is_dry) return dry_run(read, options);
  const fs::path folder = options.output.empty()
                              ? fs::path("results") / ("audit_" + options.audit.scenario.stem().string())
                              : options.output;
  keep_study_to_instructions(folder, options.isa, options.is_afresh);
  const InterruptGuard guard;
  Journal journal(folder, study_identity(read.plan.plan, read.base), {}, options.is_afresh);
  if (!journal.rows().empty() && !options.is_quiet)
    report(fmt::format("note: {} runs are done already", journal.rows().size()));
  try {
    return report_audit(read, audit(read, journal, options), folder, options);
  } catch (const KeptRuns::Interrupted&) {
    report(fmt::format("interrupted; the same command goes on with what is in {}", printable(folder.string())));
    return interrupted_exit_code;
  }
}

}  // namespace wattloop::twin
