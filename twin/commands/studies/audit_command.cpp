#include "twin/commands/studies/audit_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/search/audit_plan.hpp"

#include <iostream>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/studies/audit_text.hpp"
#include "twin/commands/studies/study_identity.hpp"
#include "twin/commands/studies/study_isa.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/search/audit_findings.hpp"
#include "twin/search/kept_runs.hpp"
#include "twin/simulation/interrupt.hpp"
#include "twin/study/study_trial.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

struct AuditCommandOptions {
  AuditOptions audit;
  std::filesystem::path output;  ///< folder; empty: results/audit_NAME
  std::vector<std::string> overrides;
  std::string require;  ///< "concurrently_maintainable", "fault_tolerant"; empty: nothing
  std::string isa{any_level};
  int threads = 1;
  bool is_dry = false;
  bool is_afresh = false;
  bool is_json = false;
  bool is_quiet = false;
};

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
  write_whole(folder / "study_audit.csv", audit_csv(findings));
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
    report(fmt::format("note: {} runs are already done and are not run again", journal.rows().size()));
  try {
    return report_audit(read, audit(read, journal, options), folder, options);
  } catch (const KeptRuns::Interrupted&) {
    report(fmt::format("interrupted; the same command continues with the runs in {}", printable(folder.string())));
    return interrupted_exit_code;
  }
}

}  // namespace

void add_audit(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<AuditCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "audit", "Take every part out for maintenance and let every part fail, and report the lost work");
  command->add_option("scenario", options->audit.scenario, "Scenario (YAML)")->type_name("FILE")->required();
  command->add_option("--of", options->audit.patterns, "Only parts with these names: \"ups_*\"; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command->add_flag("--pairs", options->audit.has_pairs, "Also every pair of parts failed together");
  command->add_option("--duration", options->audit.duration, "Duration of each run; parts fail at 1 min")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--require", options->require, "Exit code 3 if the hall does not satisfy this")
      ->check(CLI::IsMember({"concurrently_maintainable", "fault_tolerant"}));
  command->add_option("-o,--output", options->output, "Folder of the audit; default: results/audit_NAME")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_isa(*command, options->isa);
  command->add_flag("--dry-run", options->is_dry,
                    "Show the runs, and the estimated time and disk space from a short trial");
  command->add_flag("--afresh", options->is_afresh, "Begin again: delete the runs that are in the folder");
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print the audit as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop audit scenarios/one_rack.yaml\n"
      "  wattloop audit scenarios/halls/power_n_plus_1.yaml --set events=null --of \"ups_*\" --pairs --threads 2\n"
      "  wattloop audit scenarios/one_rack.yaml --require fault_tolerant");
  command->callback([options, &action] { action = with_isa(options, audit_command); });
}

}  // namespace wattloop::twin
