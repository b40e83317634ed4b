#include "twin/commands/studies/search_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/count_text.hpp"
#include "twin/commands/program/text_table.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

using Kind = SearchSpec::Kind;
using Outcome = Bisection::Outcome;

std::string shown(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "n/a"; }

std::string with_unit_of(const TableColumn& column) {
  return column.unit.empty() || column.unit == "1" ? column.name : fmt::format("{}, {}", column.name, column.unit);
}

const SearchTrial* failing_trial(const SearchFindings& findings, double at) {
  for (const SearchTrial& trial : findings.trials) {
    if (!trial.holds && trial.at == at) return &trial;
  }
  return nullptr;
}

std::string why_text(const SearchFindings& findings, double at) {
  const SearchTrial* trial = failing_trial(findings, at);
  return trial == nullptr ? "" : fmt::format("  run {}, {}\n", trial->run, trial->what);
}

std::string limit_text(const SearchPlan& plan, const SearchFindings& findings) {
  const Bisection& made = findings.bisection;
  const std::string word = plan.spec.kind == Kind::largest ? "largest" : "smallest", name = plan.spec.changes.front();
  const auto value = [&](double at) { return plan.value_text(at); };
  std::string text;
  switch (made.outcome) {
    case Outcome::found:
      text = fmt::format("{} {} with which all limits hold: {}\nat {} one does not:\n{}", word, name,
                         value(made.holding), value(made.failing), why_text(findings, made.failing));
      break;
    case Outcome::all_hold:
      text = fmt::format("all limits hold at both ends of {}, up to {}: the limit is not in this range\n", name,
                         value(made.holding));
      break;
    case Outcome::none_holds:
      text = fmt::format("limits hold at neither end of {}: at {}\n{}", name, value(made.failing),
                         why_text(findings, made.failing));
      break;
    case Outcome::reversed:
      text = fmt::format("limits hold at {}, but not at {}: search for the {}\n{}", value(made.holding),
                         value(made.failing), plan.spec.kind == Kind::largest ? "smallest" : "largest",
                         why_text(findings, made.failing));
      break;
  }
  for (const double at : made.against)
    text +=
        fmt::format("NOT MONOTONE: the verdict at {} is the opposite, so there is more than one limit\n", value(at));
  return text;
}

std::string optimum_text(const SearchPlan& plan, const SearchFindings& findings,
                         const std::vector<TableColumn>& columns) {
  const Optimum& made = findings.optimum;
  const double sign = plan.spec.kind == Kind::minimise ? 1.0 : -1.0;
  std::string unit;
  for (const TableColumn& column : columns) {
    if (column.name == plan.spec.figure && column.unit != "1") unit = column.unit;
  }
  std::string text =
      fmt::format("{} {}: {} at {} = {}\n", plan.spec.kind == Kind::minimise ? "smallest" : "largest", plan.spec.figure,
                  with_unit(sign * made.value, unit), plan.spec.changes.front(), plan.value_text(made.at));
  if (made.is_at_end) text += "this value is an end of the range: values beyond it may be better\n";
  if (made.has_valleys)
    text += "NOT ONE VALLEY: results of the trials rise and fall again, so another value may be better\n";
  for (const SearchTrial& trial : findings.trials) {
    if (trial.at == made.at && !trial.holds) text += fmt::format("a limit does not hold there:\n  {}\n", trial.what);
  }
  return text;
}

/// What the answer does not say by itself: set-points that were not reached, warnings of `check`, limits that were exceeded.
std::string remarks_text(const SearchPlan& plan, const SearchFindings& findings) {
  std::string text;
  for (const CheckedValue& checked : findings.checked) {
    const auto trial = std::ranges::find(findings.trials, checked.at, &SearchTrial::at);
    if (trial == findings.trials.end()) continue;
    text += fmt::format("at {}:\n", plan.value_text(checked.at));
    if (!trial->unreached.empty()) text += fmt::format("  NOT REACHED  {}\n", trial->unreached);
    if (!trial->exceeded.empty()) text += fmt::format("  limits exceeded  {}\n", trial->exceeded);
    text += checked.warnings ? fmt::format("  check has {}\n", count_text(*checked.warnings, "warning"))
                             : "  check has no answer\n";
  }
  return text.empty() ? text : "\n" + text;
}

std::string trials_text(const SearchPlan& plan, const SearchFindings& findings) {
  const bool is_limit = plan.spec.kind == Kind::largest || plan.spec.kind == Kind::smallest;
  TextTable table({plan.spec.changes.front(), is_limit ? "limits" : plan.spec.figure, "runs", "of", "set-points"});
  for (const SearchTrial& trial : findings.trials) {
    const char* const limits = !trial.has_answer ? "no answer" : trial.holds ? "held" : "violated";
    const char* const set_points = !trial.has_answer         ? "no answer"
                                   : trial.unreached.empty() ? "reached"
                                                             : "NOT reached";
    const std::string answer = is_limit ? limits : shown(trial.value);
    table.add({plan.value_text(trial.at), answer + (trial.is_probe ? " (looked)" : ""), fmt::format("{}", trial.runs),
               fmt::format("{}", plan.family), set_points});
  }
  return "\nTrials\n" + table.text();
}

std::string sensitivity_text(const FigureSensitivity& one, const TableColumn& column) {
  if (one.indices.empty()) {
    TextTable table({with_unit_of(column), "from", "to", "at first", "at last", "swing"});
    for (const TornadoBar& bar : one.bars)
      table.add({bar.change, bar.from, bar.to, shown(bar.at_low), shown(bar.at_high),
                 shown(std::abs(bar.at_high - bar.at_low))});
    return fmt::format("\n{}in the base {}\n", table.text(), shown(one.in_base));
  }
  TextTable table({with_unit_of(column), "first", "95 %", "total", "95 %"});
  for (std::size_t i = 0; i < one.changes.size(); ++i) {
    const SobolIndex& index = one.indices[i];
    const auto interval = [](double low, double high) {
      return std::isfinite(low) ? fmt::format("{:.2f} to {:.2f}", low, high) : "n/a";
    };
    const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{:.3f}", value) : "n/a"; };
    table.add({one.changes[i], number(index.first), interval(index.first_low, index.first_high), number(index.total),
               interval(index.total_low, index.total_high)});
  }
  return "\n" + table.text();
}

}  // namespace

std::string search_answer(const SearchPlan& plan, const SearchFindings& findings,
                          const std::vector<TableColumn>& columns) {
  std::string text;
  if (plan.spec.is_of_families()) {
    text += plan.spec.figure.empty() ? limit_text(plan, findings) : optimum_text(plan, findings, columns);
    return text + remarks_text(plan, findings) + trials_text(plan, findings);
  }
  text += fmt::format("{} runs, {} without an answer\n", plan.plan.runs.size(), findings.failed);
  for (const FigureSensitivity& one : findings.sensitivities) text += sensitivity_text(one, columns[one.column]);
  return text;
}

std::string search_text(const SearchPlan& plan, const SearchFindings& findings,
                        const std::vector<TableColumn>& columns) {
  return plan.plan.study.title + "\n" + search_answer(plan, findings, columns);
}

std::string trial_text(const SearchPlan& plan, const SearchTrial& trial, std::size_t number) {
  const std::string answer = !plan.spec.figure.empty() ? fmt::format("{} {}", plan.spec.figure, shown(trial.value))
                             : trial.holds             ? "limits hold"
                                                       : trial.what;
  return fmt::format("trial {}: {} = {}: {} ({} of {} runs)", number, plan.spec.changes.front(),
                     plan.value_text(trial.at), answer, trial.runs, plan.family);
}

}  // namespace wattloop::twin
