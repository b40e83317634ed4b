#include "twin/search/audit_findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace wattloop::twin {

namespace {

using Kind = AuditCase::Kind;

const std::string& cell(const StudyRow& row, const std::vector<TableColumn>& columns, std::string_view name) {
  return row.cells.at(static_cast<std::size_t>(std::ranges::find(columns, name, &TableColumn::name) - columns.begin()));
}

/// What the loss of single parts costs [part].
struct Alone {
  std::vector<bool> costs_work, costs_anything;

  bool has_reported(const AuditCase& pair, bool is_work) const {
    const std::vector<bool>& of = is_work ? costs_work : costs_anything;
    return costs_work[pair.first] || costs_work[pair.second] || of[pair.first] || of[pair.second];
  }
};

Alone alone(const AuditPlan& audit, std::span<const StudyRow> rows) {
  const std::vector<TableColumn> columns = table_columns(audit.plan);
  Alone made{std::vector<bool>(audit.parts.size()), std::vector<bool>(audit.parts.size())};
  for (const StudyRow& row : rows) {
    const AuditCase& of = audit.cases.at(row.run - 1);
    const auto found = of.kind == Kind::failed ? finding_of(of, row, columns) : std::nullopt;
    if (found) made.costs_anything[of.first] = true;
    if (found && found->costs_work) made.costs_work[of.first] = true;
  }
  return made;
}

auto rank_of(const AuditFinding& finding) {
  const double after_s = std::isnan(finding.after_s) ? std::numeric_limits<double>::infinity() : finding.after_s;
  return std::tuple(finding.has_answer, !finding.costs_work, -finding.lost_gpu_s, after_s, finding.run);
}

void judge(const AuditFinding& finding, const AuditPlan& audit, AuditFindings& made) {
  switch (finding.of.kind) {
    case Kind::nothing:
      made.is_fine_whole = made.is_maintainable = made.is_fault_tolerant = false;
      break;
    case Kind::maintained:
      made.is_maintainable = false;
      break;
    case Kind::failed:
      made.is_fault_tolerant = false;
      if (finding.costs_work) made.cut_sets.push_back({audit.parts[finding.of.first]});
      break;
    case Kind::pair:
      if (finding.costs_work) made.cut_sets.push_back({audit.parts[finding.of.first], audit.parts[finding.of.second]});
      break;
  }
}

}  // namespace

std::optional<AuditFinding> finding_of(const AuditCase& of, const StudyRow& row,
                                       const std::vector<TableColumn>& columns) {
  AuditFinding found{.run = row.run, .of = of};
  if (row.exit_code != 0) {
    found.costs_work = true;
    found.has_answer = false;
    found.what = row.message.substr(0, row.message.find('\n'));
    found.after_s = std::nan("");
    return found;
  }
  const std::string &loss = cell(row, columns, "first_loss"), &limit = cell(row, columns, "first_limit");
  if (loss.empty() && limit.empty()) return {};
  const double loss_s = number_of(cell(row, columns, "first_loss_time"));
  const double limit_s = number_of(cell(row, columns, "first_limit_time"));
  const bool is_limit_first = loss.empty() || limit_s < loss_s;
  found.costs_work = !loss.empty();
  found.what = is_limit_first ? limit : loss;
  found.after_s = (is_limit_first ? limit_s : loss_s) - of.from_s();
  found.lost_gpu_s = number_of(cell(row, columns, "lost_gpu_time"));
  return found;
}

AuditFindings audit_findings(const AuditPlan& audit, std::span<const StudyRow> rows) {
  AuditFindings made{.parts = audit.parts, .cases = rows.size()};
  const std::vector<TableColumn> columns = table_columns(audit.plan);
  const Alone single = alone(audit, rows);
  for (const StudyRow& row : rows) {
    const AuditCase& of = audit.cases.at(row.run - 1);
    if (of.kind == Kind::nothing) made.load_w = number_of(cell(row, columns, "mean_node_power"));
    auto finding = finding_of(of, row, columns);
    if (!finding || (of.kind == Kind::pair && single.has_reported(of, finding->costs_work))) continue;
    judge(*finding, audit, made);
    made.costly.push_back(std::move(*finding));
  }
  std::ranges::sort(made.costly, {}, rank_of);
  return made;
}

std::vector<std::size_t> pairs_to_run(const AuditPlan& audit, std::span<const StudyRow> rows) {
  const Alone single = alone(audit, rows);
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < audit.cases.size(); ++i) {
    const AuditCase& of = audit.cases[i];
    if (of.kind == Kind::pair && !single.has_reported(of, true)) runs.push_back(i + 1);
  }
  return runs;
}

}  // namespace wattloop::twin
