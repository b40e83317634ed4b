#include "twin/comparison/series_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double same_time_s = 1e-6;

/// Rows of both files that are of the same time.
struct SharedRow {
  std::size_t a, b;
};

std::vector<SharedRow> shared_rows(const std::vector<double>& a_s, const std::vector<double>& b_s) {
  std::vector<SharedRow> rows;
  for (std::size_t a = 0, b = 0; a < a_s.size() && b < b_s.size();) {
    if (std::abs(a_s[a] - b_s[b]) <= same_time_s) {
      rows.push_back({a++, b++});
    } else {
      ++(a_s[a] < b_s[b] ? a : b);
    }
  }
  return rows;
}

/// One table of one file.
struct Side {
  TableSpec spec;
  std::vector<double> times_s;
  std::vector<std::size_t> items;  ///< those that both have, by their numbers here
};

/// Values of one column of one side at the shared rows.
class Values {
 public:
  Values(const ResultsReader& results, const Side& side, const ColumnSpec& column)
      : side_(side), all_(results.column(side.spec.group, column.name)), is_mean_(column.is_mean) {
    for (const float value : all_) {
      if (std::isfinite(value)) largest_ = std::max(largest_, std::abs(static_cast<double>(value)));
    }
  }
  double largest() const { return largest_; }

  /// Of a mean over the rows behind `previous`, weighted by their intervals.
  double at(std::size_t row, std::optional<std::size_t> previous, std::size_t item) const {
    if (!is_mean_ || !previous || *previous + 1 == row) return value(row, item);
    double sum = 0.0;
    for (std::size_t k = *previous + 1; k <= row; ++k)
      sum += value(k, item) * (side_.times_s[k] - side_.times_s[k - 1]);
    return sum / (side_.times_s[row] - side_.times_s[*previous]);
  }

 private:
  double value(std::size_t row, std::size_t item) const {
    return static_cast<double>(all_[row * side_.spec.item_count() + side_.items[item]]);
  }

  const Side& side_;
  std::vector<float> all_;
  bool is_mean_;
  double largest_ = 0.0;
};

std::string item_name(const TableSpec& table, std::size_t item) {
  if (table.item_dimension.empty()) return {};
  return table.items.empty() ? fmt::format("{}_{}", table.item_dimension, item + 1) : table.items[item];
}

std::vector<std::string> names_of(const std::vector<ColumnSpec>& columns) {
  std::vector<std::string> names;
  for (const ColumnSpec& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> missing_in(const std::vector<std::string>& there, const std::vector<std::string>& names) {
  std::vector<std::string> sorted = there, missing;
  std::ranges::sort(sorted);
  std::ranges::copy_if(names, std::back_inserter(missing),
                       [&](const std::string& name) { return !std::ranges::binary_search(sorted, name); });
  return missing;
}

/// How far apart two values are; what is a number on one side alone is apart without bound.
double apart(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0.0;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  return a == b ? 0.0 : std::abs(b - a);
}

class Comparer {
 public:
  Comparer(const ResultsReader& a, const ResultsReader& b, const Tolerances& tolerances)
      : a_(a), b_(b), tolerances_(tolerances) {}

  SeriesComparison compare() {
    const std::vector<std::string> in_a = a_.tables(), in_b = b_.tables();
    if (in_a.empty() || in_b.empty()) {
      found_.notes.emplace_back("series: not compared, recorded as summary only");
      return std::move(found_);
    }
    report_unshared("tables", in_a, in_b);
    for (const std::string& group : in_a) {
      if (b_.has_table(group)) compare_table(group);
    }
    std::ranges::stable_sort(found_.divergences, {},
                             [](const Divergence& one) { return std::pair(one.first.time_s, -one.first_excess()); });
    return std::move(found_);
  }

 private:
  void report_unshared(const std::string& what, const std::vector<std::string>& a, const std::vector<std::string>& b) {
    Unshared unshared{what, missing_in(b, a), missing_in(a, b)};
    if (!unshared.only_a.empty() || !unshared.only_b.empty()) found_.unshared.push_back(std::move(unshared));
  }

  void compare_table(const std::string& group) {
    Side a{a_.table(group), a_.times_s(group), {}}, b{b_.table(group), b_.times_s(group), {}};
    report_unshared("columns of " + group, names_of(a.spec.columns), names_of(b.spec.columns));
    share_items(a, b);
    const std::vector<SharedRow> rows = shared_rows(a.times_s, b.times_s);
    report_times(group, a.times_s, b.times_s, rows.size());
    const bool is_averaged = rows.size() < std::min(a.times_s.size(), b.times_s.size()) ||
                             !std::ranges::all_of(rows, [](const SharedRow& row) { return row.a == row.b; });
    for (const ColumnSpec& column : a.spec.columns) {
      if (!b_.has_column(group, column.name) || rows.empty() || a.items.empty()) continue;
      if (is_averaged && column.is_mean && is_ratio_of_means(column)) {
        found_.notes.push_back(
            fmt::format("{}/{}: a ratio of means over other intervals, not compared", group, column.name));
        continue;
      }
      compare_column(a, b, column, rows);
    }
  }

  static bool is_ratio_of_means(const ColumnSpec& column) { return column.name == "pue" || column.name == "cop"; }

  /// Items of the same name, or number.
  void share_items(Side& a, Side& b) {
    const std::size_t in_a = a.spec.item_count(), in_b = b.spec.item_count();
    if (a.spec.items.empty() || b.spec.items.empty()) {
      for (std::size_t item = 0; item < std::min(in_a, in_b); ++item) {
        a.items.push_back(item);
        b.items.push_back(item);
      }
      if (in_a != in_b)
        found_.notes.push_back(fmt::format("{}: {} items in A, {} in B, compared by number", a.spec.group, in_a, in_b));
      return;
    }
    report_unshared(a.spec.group, a.spec.items, b.spec.items);
    std::map<std::string, std::size_t> number;
    for (std::size_t item = 0; item < in_b; ++item) number[b.spec.items[item]] = item;
    for (std::size_t item = 0; item < in_a; ++item) {
      const auto found = number.find(a.spec.items[item]);
      if (found == number.end()) continue;
      a.items.push_back(item);
      b.items.push_back(found->second);
    }
  }

  void report_times(const std::string& group, const std::vector<double>& a_s, const std::vector<double>& b_s,
                    std::size_t shared) {
    if (a_s.empty() || b_s.empty() || (a_s.size() == b_s.size() && shared == a_s.size())) return;
    const auto text = [](const std::vector<double>& times_s) {
      if (times_s.size() < 2) return std::string("one record");
      return fmt::format("every {} to {}", format_quantity(times_s[1] - times_s[0], "s"),
                         format_quantity(times_s.back(), "s"));
    };
    found_.notes.push_back(fmt::format("{}: A {}, B {}: compared at {} times", group, text(a_s), text(b_s), shared));
  }

  void compare_column(const Side& a, const Side& b, const ColumnSpec& column, const std::vector<SharedRow>& rows) {
    ++found_.columns;
    const Values in_a(a_, a, column), in_b(b_, b, column);
    Divergence divergence{.table = a.spec.group, .column = column.name, .unit = column.unit};
    divergence.threshold = tolerances_.of(column.unit, std::max(in_a.largest(), in_b.largest()));
    double most = 0.0;
    std::vector<bool> parts(a.items.size(), false);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const bool is_later = divergence.items > 0;
      double most_now = 0.0;
      for (std::size_t item = 0; item < a.items.size(); ++item) {
        const auto before = k > 0 ? std::optional(rows[k - 1]) : std::nullopt;
        const double x = in_a.at(rows[k].a, before ? std::optional(before->a) : std::nullopt, item);
        const double y = in_b.at(rows[k].b, before ? std::optional(before->b) : std::nullopt, item);
        const double distance = apart(x, y);
        if (!(distance > divergence.threshold)) continue;
        const Divergence::Difference moment{a.times_s[rows[k].a], item_name(a.spec, a.items[item]), x, y};
        if (distance > most) divergence.most = moment;
        most = std::max(most, distance);
        if (!is_later && distance > most_now) divergence.first = moment;
        most_now = std::max(most_now, distance);
        if (!parts[item]) ++divergence.items;
        parts[item] = true;
      }
    }
    if (divergence.items > 0) found_.divergences.push_back(std::move(divergence));
  }

  const ResultsReader &a_, &b_;
  const Tolerances& tolerances_;
  SeriesComparison found_;
};

}  // namespace

double Divergence::first_excess() const {
  return apart(first.a, first.b) / std::max(threshold, std::numeric_limits<double>::min());
}

SeriesComparison compare_series(const ResultsReader& a, const ResultsReader& b, const Tolerances& tolerances) {
  return Comparer(a, b, tolerances).compare();
}

std::vector<std::string> recorded_units(const ResultsReader& results) {
  std::vector<std::string> units;
  for (const std::string& group : results.tables()) {
    for (const ColumnSpec& column : results.table(group).columns) {
      if (std::ranges::find(units, column.unit) == units.end()) units.push_back(column.unit);
    }
  }
  return units;
}

}  // namespace wattloop::twin
