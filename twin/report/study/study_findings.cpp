#include "twin/report/study/study_findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

using Kind = TableColumn::Kind;

/// "pue <= 1.2": the figure, whether it may be at most or at least, the bound in the unit of its column.
struct Bound {
  std::size_t figure = 0;
  bool is_upper = true;
  double value = 0.0;
};

std::optional<Bound> bound_of(const StudyTable& table, const std::string& limit) {
  const std::size_t sign = limit.find_first_of("<>");
  if (sign == std::string::npos) return std::nullopt;
  const std::string name = limit.substr(0, limit.find_last_not_of(' ', sign - 1) + 1);
  const auto column = std::ranges::find(table.columns, name, &TableColumn::name);
  if (column == table.columns.end() || column->kind != Kind::number) return std::nullopt;
  const std::string text = limit.substr(limit.find_first_not_of("<>= ", sign));
  try {
    const bool is_celsius = column->unit == "degC";  // as K they are numbers that can be subtracted
    const double si = to_si(text, is_celsius ? "K" : column->unit.empty() ? "1" : column->unit);
    return Bound{static_cast<std::size_t>(column - table.columns.begin()), limit[sign] == '<',
                 is_celsius ? si - 273.15 : si};
  } catch (const QuantityError&) {
    return std::nullopt;
  }
}

bool holds_all(const StudyTable& table, const StudyRow& row) {
  if (row.exit_code != 0) return false;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].kind == Kind::verdict && row.cells[c] != "held") return false;
  }
  return true;
}

/// Values of a change: whether each run at it holds.
std::map<double, bool> verdict_by_value(const StudyTable& table, std::size_t change, std::size_t verdict) {
  std::map<double, bool> holds;
  for (const StudyRow& row : table.rows) {
    const double value = number_of(row.cells[change]);
    if (row.cells[verdict].empty() || !std::isfinite(value)) continue;
    const auto [place, is_new] = holds.emplace(value, true);
    place->second = place->second && row.cells[verdict] == "held";
  }
  return holds;
}

std::optional<FirstViolation> first_violation(const StudyTable& table, std::size_t change, std::size_t verdict) {
  constexpr double least_share = 0.05;
  const std::map<double, bool> holds = verdict_by_value(table, change, verdict);
  const auto is_violated = [](const std::pair<const double, bool>& one) { return !one.second; };
  const auto first = std::ranges::find_if(holds, is_violated);
  if (first == holds.end()) return std::nullopt;
  const auto last = std::find_if(holds.rbegin(), holds.rend(), is_violated);
  FirstViolation found{.change = change, .smallest_violated = first->first, .largest_violated = last->first};
  const auto least = least_share * static_cast<double>(holds.size());
  const auto below = std::distance(holds.begin(), first), above = std::distance(holds.rbegin(), last);
  if (below > 0 && static_cast<double>(below) >= least) found.largest_met = std::prev(first)->first;
  if (above > 0 && static_cast<double>(above) >= least) found.smallest_met = std::prev(last)->first;
  return found;
}

/// How far apart two runs are: how many changes differ, and the way of those that are numbers over their ranges.
class Distance {
 public:
  explicit Distance(const StudyTable& table) : table_(table) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!table.columns[c].is_change) continue;
      changes_.push_back(c);
      double least = INFINITY, most = -INFINITY;
      for (const StudyRow& row : table.rows) {
        const double value = number_of(row.cells[c]);
        if (!std::isfinite(value)) continue;
        least = std::min(least, value), most = std::max(most, value);
      }
      range_.push_back(most > least ? most - least : 1.0);
    }
  }

  std::pair<std::size_t, double> between(const StudyRow& a, const StudyRow& b) const {
    std::size_t differing = 0;
    double way = 0.0;
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      const std::string& one = a.cells[changes_[k]];
      const std::string& other = b.cells[changes_[k]];
      if (one == other) continue;
      ++differing;
      const double apart = std::abs(number_of(one) - number_of(other)) / range_[k];
      way += table_.columns[changes_[k]].kind == Kind::number && std::isfinite(apart) ? apart : 1.0;
    }
    return {differing, way};
  }

 private:
  const StudyTable& table_;
  std::vector<std::size_t> changes_;
  std::vector<double> range_;
};

/// Whether a change that is a text of a run is nothing in the other: it did not lose what the first one lost.
bool lacks_a_text_of(const StudyTable& table, const StudyRow& other, const StudyRow& run) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].is_change || table.columns[c].kind != Kind::text) continue;
    if (other.cells[c].empty() && !run.cells[c].empty()) return true;
  }
  return false;
}

std::optional<std::size_t> remedy(const StudyTable& table, const StudyRow& worst) {
  const Distance distance(table);
  std::optional<std::size_t> best;
  std::pair<std::size_t, double> least{std::numeric_limits<std::size_t>::max(), INFINITY};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (!holds_all(table, table.rows[row]) || lacks_a_text_of(table, table.rows[row], worst)) continue;
    const auto apart = distance.between(worst, table.rows[row]);
    if (apart < least) least = apart, best = row;
  }
  return best;
}

double margin_of(const StudyTable& table, const Bound& bound, std::size_t row) {
  const double value = number_of(table.rows[row].cells[bound.figure]);
  return bound.is_upper ? bound.value - value : value - bound.value;
}

LimitFinding finding_of(const StudyTable& table, std::size_t verdict) {
  LimitFinding finding{.column = verdict};
  const std::optional<Bound> bound = bound_of(table, table.columns[verdict].name);
  if (bound) finding.figure = bound->figure;
  std::optional<std::size_t> first_violating;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& cell = table.rows[row].cells[verdict];
    if (cell.empty()) continue;
    ++finding.judged;
    const bool is_met = cell == "held";
    finding.violating += is_met ? 0 : 1;
    if (!is_met) finding.violating_rows.push_back(row);
    if (!is_met && !first_violating) first_violating = row;
    if (!bound) continue;
    const double margin = margin_of(table, *bound, row);
    if (!std::isfinite(margin)) continue;
    std::optional<RunMargin>& extreme = is_met ? finding.least_met : finding.worst;
    if (!extreme || margin < extreme->margin) extreme = RunMargin{row, margin};
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].is_change || table.columns[c].kind != Kind::number) continue;
    if (const auto first = first_violation(table, c, verdict)) finding.first.push_back(*first);
  }
  if (first_violating)
    finding.remedy_row = remedy(table, table.rows[finding.worst ? finding.worst->row : *first_violating]);
  if (bound && finding.remedy_row) finding.remedy_margin = margin_of(table, *bound, *finding.remedy_row);
  return finding;
}

/// Of a cell: its text, or for numbers of many values which tenth of them it is in.
std::vector<std::string> classes_of(const StudyTable& table, std::size_t change) {
  constexpr std::size_t most_values = 12, class_count = 10;
  std::vector<std::string> classes;
  std::vector<double> values;
  std::set<std::string> different;
  for (const StudyRow& row : table.rows) {
    classes.push_back(row.cells[change]);
    different.insert(row.cells[change]);
    values.push_back(number_of(row.cells[change]));
  }
  if (table.columns[change].kind != Kind::number || different.size() <= most_values) return classes;
  std::vector<double> sorted = values;
  std::erase_if(sorted, [](double v) { return !std::isfinite(v); });
  std::ranges::sort(sorted);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (!std::isfinite(values[row])) continue;
    const auto rank = static_cast<std::size_t>(std::ranges::lower_bound(sorted, values[row]) - sorted.begin());
    classes[row] = std::to_string(rank * class_count / sorted.size());
  }
  return classes;
}

}  // namespace

std::vector<LimitFinding> limit_findings(const StudyTable& table) {
  std::vector<LimitFinding> findings;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].kind == Kind::verdict) findings.push_back(finding_of(table, c));
  }
  return findings;
}

std::optional<double> explained_share(const StudyTable& table, std::size_t change, std::size_t figure) {
  struct Class {
    double sum = 0.0, count = 0.0;
  };
  std::map<std::string, Class> classes;
  const std::vector<std::string> class_of = classes_of(table, change);
  double sum = 0.0, count = 0.0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const double value = number_of(table.rows[row].cells[figure]);
    if (!std::isfinite(value)) continue;
    classes[class_of[row]].sum += value;
    classes[class_of[row]].count += 1.0;
    sum += value, count += 1.0;
  }
  if (count < 2.0 || classes.size() < 2) return std::nullopt;
  const double mean = sum / count;
  double all = 0.0, between = 0.0;
  for (const StudyRow& row : table.rows) {
    const double value = number_of(row.cells[figure]);
    if (std::isfinite(value)) all += (value - mean) * (value - mean);
  }
  for (const auto& [text, one] : classes) between += one.count * std::pow(one.sum / one.count - mean, 2);
  return all > 1e-24 * mean * mean * count && all > 0.0 ? std::optional(std::clamp(between / all, 0.0, 1.0))
                                                        : std::nullopt;
}

}  // namespace wattloop::twin
