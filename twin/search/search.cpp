#include "twin/search/search.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/problem.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/run/figures/verdict_of_run.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

using Kind = SearchSpec::Kind;

bool says_no(const StudyRow& row) { return row.exit_code != 0 || std::ranges::count(row.cells, "violated") > 0; }

class Searcher {
 public:
  Searcher(SearchPlan& plan, KeptRuns& runs, const std::function<void(const SearchTrial&)>& when_tried)
      : plan_(plan), runs_(runs), when_tried_(when_tried), columns_(table_columns(plan.plan)) {}

  SearchFindings run() {
    switch (plan_.spec.kind) {
      case Kind::largest:
      case Kind::smallest:
        find_limit();
        break;
      case Kind::minimise:
      case Kind::maximise:
        find_optimum();
        break;
      case Kind::tornado:
      case Kind::sobol:
        find_what_matters();
        break;
    }
    return std::move(found_);
  }

 private:
  const SearchSpec& spec() const { return plan_.spec; }

  void find_limit() {
    const bool has_steps = spec().step > 0.0;
    BisectionRange range{.low = spec().low,
                         .high = spec().high,
                         .tolerance = spec().tolerance,
                         .is_largest = spec().kind == Kind::largest,
                         .is_whole = has_steps,
                         .probes = spec().probes};
    if (has_steps) {
      range.low = 0.0;
      range.high = std::round((spec().high - spec().low) / spec().step);
    }
    const auto at = [&](double number) { return has_steps ? spec().low + number * spec().step : number; };
    found_.bisection = bisect(range, [&](double number) { return try_limit(at(number)); });
    Bisection& made = found_.bisection;
    made.holding = at(made.holding);
    made.failing = at(made.failing);
    for (double& number : made.against) number = at(number);
    for (std::size_t i = 0; i < made.trials.size(); ++i) {
      made.trials[i].at = at(made.trials[i].at);
      found_.trials[i].is_probe = made.trials[i].is_probe;
    }
  }

  /// Of the family first those that have said no before.
  std::vector<std::size_t> family_from(std::size_t first) const {
    std::vector<std::size_t> runs;
    for (const std::size_t place : suspects_) runs.push_back(first + place);
    for (std::size_t place = 0; place < plan_.family; ++place) {
      if (std::ranges::count(suspects_, place) == 0) runs.push_back(first + place);
    }
    return runs;
  }

  bool try_limit(double at) {
    const std::size_t first = plan_.add_trial(at);
    SearchTrial trial{.at = at, .holds = true, .first = first};
    const std::vector<StudyRow> rows = runs_.rows_of(family_from(first), says_no);
    trial.runs = rows.size();
    add_remarks(rows, trial);
    for (const StudyRow& row : rows) {
      if (!says_no(row)) continue;
      if (trial.holds) {
        trial.holds = false;
        trial.run = row.run;
        trial.what = why_not(row);
      }
      if (std::ranges::count(suspects_, row.run - first) == 0) suspects_.insert(suspects_.begin(), row.run - first);
    }
    add(std::move(trial));
    return found_.trials.back().holds;
  }

  std::string first_words(const std::vector<StudyRow>& rows, std::string_view column) const {
    const auto found = std::ranges::find(columns_, column, &TableColumn::name);
    if (found == columns_.end()) return {};
    const auto c = static_cast<std::size_t>(found - columns_.begin());
    const auto row = std::ranges::find_if(rows, [&](const StudyRow& one) { return !one.cells[c].empty(); });
    return row == rows.end() ? std::string() : row->cells[c];
  }

  void add_remarks(const std::vector<StudyRow>& rows, SearchTrial& trial) const {
    trial.unreached = first_words(rows, unreached_figure);
    trial.exceeded = first_words(rows, exceeded_figure);
    trial.has_answer = std::ranges::none_of(rows, [](const StudyRow& row) { return row.exit_code != 0; });
  }

  void add(SearchTrial trial) {
    found_.trials.push_back(std::move(trial));
    when_tried_(found_.trials.back());
  }

  /// What the run changes besides what is sought.
  std::string others_text(const StudyRow& row) const {
    std::vector<std::string> texts;
    for (std::size_t c = plan_.sought().columns.size(); c < columns_.size() && columns_[c].is_change; ++c)
      texts.push_back(fmt::format("{} = {}", columns_[c].name, row.cells[c].empty() ? "none" : row.cells[c]));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string why_not(const StudyRow& row) const {
    std::vector<std::string> reasons;
    if (row.exit_code != 0) reasons.push_back("no answer: " + row.message.substr(0, row.message.find('\n')));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (row.cells[c] == "violated") reasons.push_back(columns_[c].name + " violated");
    }
    const std::string others = others_text(row);
    return fmt::format("{}{}{}", others, others.empty() ? "" : ": ", fmt::join(reasons, "; "));
  }

  void find_optimum() {
    const double sign = spec().kind == Kind::minimise ? 1.0 : -1.0;
    found_.optimum =
        minimise(spec().low, spec().high, spec().tolerance, [&](double at) { return sign * worst_at(at, sign); });
  }

  /// The largest value of the family where the smallest is sought, and the other way round.
  double worst_at(double at, double sign) {
    const std::size_t first = plan_.add_trial(at);
    const std::vector<StudyRow> rows = runs_.rows_of(family_from(first));
    const auto column =
        static_cast<std::size_t>(std::ranges::find(columns_, spec().figure, &TableColumn::name) - columns_.begin());
    SearchTrial trial{.at = at, .holds = true, .runs = rows.size(), .first = first};
    add_remarks(rows, trial);
    for (const StudyRow& row : rows) {
      const double value = number_of(row.cells[column]);
      if (!std::isfinite(value))
        throw SolverError(
            fmt::format("run {} ({} = {}) has no {}, and an optimum needs one everywhere in its range. {}", row.run,
                        spec().changes.front(), plan_.value_text(at), spec().figure, row.message));
      if (trial.run == 0 || sign * value > sign * trial.value) {
        trial.value = value;
        trial.run = row.run;
      }
      if (says_no(row) && trial.holds) {
        trial.holds = false;
        trial.what = why_not(row);
      }
    }
    add(std::move(trial));
    return found_.trials.back().value;
  }

  void find_what_matters() {
    std::vector<std::size_t> all(plan_.plan.runs.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i + 1;
    const std::vector<StudyRow> rows = runs_.rows_of(all);
    found_.failed =
        static_cast<std::size_t>(std::ranges::count_if(rows, [](const StudyRow& row) { return row.exit_code != 0; }));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].kind != TableColumn::Kind::number || columns_[c].is_change) continue;
      std::vector<double> values;
      for (const StudyRow& row : rows) values.push_back(number_of(row.cells[c]));
      found_.sensitivities.push_back(spec().kind == Kind::tornado ? tornado(c, values) : sobol(c, values));
    }
  }

  /// The value of a change in a run, as the table has it, with its unit.
  std::string cell_text(std::size_t run, std::size_t k) const {
    const StudyAxis& axis = plan_.plan.runs.axes.front();
    const Parameter& parameter = plan_.plan.runs.parameters[axis.choices[k].parameter];
    std::size_t cell = 0;
    for (std::size_t before = 0; before < k; ++before)
      cell += plan_.plan.runs.parameters[axis.choices[before].parameter].columns.size();
    return runs_.all().at(run).cells[cell] +
           (parameter.columns.front().unit.empty() ? "" : " " + parameter.columns.front().unit);
  }

  FigureSensitivity tornado(std::size_t column, const std::vector<double>& values) const {
    FigureSensitivity made{.column = column, .in_base = values[0]};
    for (std::size_t k = 0; k < spec().changes.size(); ++k)
      made.bars.push_back(
          {spec().changes[k], cell_text(2 * k + 2, k), cell_text(2 * k + 3, k), values[2 * k + 1], values[2 * k + 2]});
    const auto swing = [](const TornadoBar& bar) {
      const double width = std::abs(bar.at_high - bar.at_low);
      return std::isnan(width) ? -1.0 : width;
    };
    std::ranges::stable_sort(made.bars, std::greater<>{}, swing);
    return made;
  }

  FigureSensitivity sobol(std::size_t column, const std::vector<double>& values) const {
    FigureSensitivity made{.column = column, .changes = spec().changes};
    made.indices =
        sobol_indices({static_cast<std::size_t>(spec().samples), spec().changes.size()}, values, {.seed = spec().seed});
    return made;
  }

  SearchPlan& plan_;
  KeptRuns& runs_;
  const std::function<void(const SearchTrial&)>& when_tried_;
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> suspects_;  ///< places in the family, the latest first
  SearchFindings found_;
};

}  // namespace

std::vector<double> named_values(const SearchPlan& plan, const SearchFindings& findings) {
  if (!plan.spec.is_of_families()) return {};
  if (!plan.spec.figure.empty()) return {findings.optimum.at};
  using Outcome = Bisection::Outcome;
  const Bisection& made = findings.bisection;
  if (made.outcome == Outcome::all_hold) return {made.holding};
  if (made.outcome == Outcome::none_holds) return {made.failing};
  return {made.holding, made.failing};
}

std::vector<CheckedValue> check_values(const SearchPlan& plan, const StudyBase& base, const SearchFindings& findings) {
  std::vector<CheckedValue> checked;
  for (const double at : named_values(plan, findings)) {
    const auto trial = std::ranges::find(findings.trials, at, &SearchTrial::at);
    if (trial == findings.trials.end()) continue;
    CheckedValue one{.at = at};
    try {
      one.warnings = check_warnings(base.source.with(plan.plan.runs.run(trial->first).changes)).size();
    } catch (const InputError&) {  // the rows of its runs say what is wrong
    }
    checked.push_back(one);
  }
  return checked;
}

SearchFindings search(SearchPlan& plan, KeptRuns& runs, const std::function<void(const SearchTrial&)>& when_tried) {
  return Searcher(plan, runs, when_tried).run();
}

}  // namespace wattloop::twin
