#include "twin/imports/telemetry/trace_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "core/numbers/series.hpp"
#include "core/tables/time_stamps.hpp"

namespace wattloop::twin {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double most_gaps_ratio = 0.02;  // of the samples: cells that are empty although none is missing there
constexpr std::size_t most_silent = 3;    // missing samples in a row, which a replay fills by itself
constexpr double microsecond_s = 1e-6;

/// To the microsecond: what is left of the digits of a date is noise.
double rounded(double value) { return std::round(value / microsecond_s) / 1e6; }

void name_columns(const PowerLog& log, TraceRows& trace) {
  const bool is_one_node =
      std::ranges::all_of(log.series, [&](const PowerSeries& one) { return one.node == log.series.front().node; });
  for (const PowerSeries& one : log.series) {
    if (trace.nodes.empty() || trace.nodes.back() != one.node) trace.nodes.push_back(one.node);
    trace.node_of.push_back(trace.nodes.size() - 1);
    trace.names.push_back(series_name(one, is_one_node));
    trace.gpus.push_back(one.gpu);
  }
}

/// The next sample of some series.
struct Next {
  double time_s;
  std::size_t series;
  bool operator>(const Next& other) const {
    return time_s != other.time_s ? time_s > other.time_s : series > other.series;
  }
};

void fold(const std::vector<PowerSeries>& series, const SeriesFacts& facts, TraceRows& trace) {
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::size_t> taken(series.size(), 0);
  for (std::size_t k = 0; k < series.size(); ++k) next.push({series[k].times_s.front(), k});
  std::vector<double> row(series.size(), missing);
  double row_s = next.top().time_s;
  bool is_empty = true;
  const auto close = [&] {
    if (is_empty) return;
    trace.stamps_s.push_back(rounded(row_s - facts.begin_s));
    trace.power_w.insert(trace.power_w.end(), row.begin(), row.end());
    std::ranges::fill(row, missing);
    is_empty = true;
  };
  while (!next.empty()) {
    const auto [time_s, k] = next.top();
    next.pop();
    if (is_empty || !std::isnan(row[k]) || time_s - row_s > 0.5 * facts.interval_s) {
      close();
      row_s = time_s;
    }
    is_empty = false;
    row[k] = series[k].power_w[taken[k]];
    if (++taken[k] < series[k].times_s.size()) next.push({series[k].times_s[taken[k]], k});
  }
  close();
}

/// Means of what a series holds over even rows: its first value from the begin on, its last one to the end.
void average(const PowerSeries& one, const SeriesFacts& facts, std::size_t column, TraceRows& trace) {
  const double step_s = trace.interval_s;
  std::vector<double> sums_j(trace.rows(), 0.0);
  for (std::size_t k = 0; k < one.times_s.size(); ++k) {
    double from_s = k > 0 ? one.times_s[k] - facts.begin_s : 0.0;
    const double until_s = (k + 1 < one.times_s.size() ? one.times_s[k + 1] : facts.end_s) - facts.begin_s;
    auto row = static_cast<std::size_t>(std::max(0.0, std::floor(from_s / step_s)));
    for (row = std::min(row, trace.rows() - 1); row < trace.rows() && from_s < until_s; ++row) {
      const double row_end_s = static_cast<double>(row + 1) * step_s;
      const double end_s = row + 1 == trace.rows() ? until_s : std::min(until_s, row_end_s);
      if (end_s > from_s) sums_j[row] += one.power_w[k] * (end_s - from_s);
      from_s = std::max(from_s, end_s);
    }
  }
  for (std::size_t row = 0; row < trace.rows(); ++row)
    trace.power_w[row * trace.columns() + column] = rounded(sums_j[row] / step_s);
}

void average_all(const PowerLog& log, const SeriesFacts& facts, TraceRows& trace) {
  double step_s = facts.interval_s;
  for (const PowerSeries& one : log.series) {
    if (one.times_s.size() > 1) step_s = std::max(step_s, median_step_s(one.times_s));
  }
  trace.interval_s = rounded(step_s) > 0.0 ? rounded(step_s) : step_s;
  trace.has_means = true;
  const double count = std::max(1.0, std::round((facts.end_s - facts.begin_s) / trace.interval_s));
  trace.stamps_s.clear();
  for (std::size_t row = 0; row < static_cast<std::size_t>(count); ++row)
    trace.stamps_s.push_back(rounded(static_cast<double>(row) * trace.interval_s));
  trace.power_w.assign(trace.rows() * trace.columns(), 0.0);
  for (std::size_t column = 0; column < trace.columns(); ++column) average(log.series[column], facts, column, trace);
}

/// Rows for long times without any, empty as yet.
void insert_rows(TraceRows& trace) {
  bool has_gaps = false;
  for (std::size_t row = 1; row < trace.rows(); ++row) {
    const double step_s = trace.stamps_s[row] - trace.stamps_s[row - 1];
    has_gaps = has_gaps || std::round(step_s / trace.interval_s) - 1.0 > static_cast<double>(most_silent);
  }
  if (!has_gaps) return;
  TraceRows wider;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    const double step_s = row > 0 ? trace.stamps_s[row] - trace.stamps_s[row - 1] : 0.0;
    const double absent = std::round(step_s / trace.interval_s) - 1.0;
    for (double i = 1.0; absent > static_cast<double>(most_silent) && i <= absent; ++i) {
      wider.stamps_s.push_back(rounded(trace.stamps_s[row - 1] + i * trace.interval_s));
      wider.power_w.insert(wider.power_w.end(), trace.columns(), missing);
    }
    wider.stamps_s.push_back(trace.stamps_s[row]);
    const auto values = trace.power_w.begin() + static_cast<std::ptrdiff_t>(row * trace.columns());
    wider.power_w.insert(wider.power_w.end(), values, values + static_cast<std::ptrdiff_t>(trace.columns()));
  }
  trace.stamps_s = std::move(wider.stamps_s);
  trace.power_w = std::move(wider.power_w);
}

bool is_slower(const PowerSeries& one, double interval_s) {
  return one.times_s.size() > 1 && median_step_s(one.times_s) > 1.5 * interval_s;
}

/// Cells that a replay would not fill by itself, and those of slower series, hold the value before them; those before the first value have that.
void close_cells(const PowerLog& log, TraceRows& trace) {
  for (std::size_t column = 0; column < trace.columns(); ++column) {
    const auto cell = [&](std::size_t row) -> double& { return trace.power_w[row * trace.columns() + column]; };
    const bool is_slow = is_slower(log.series[column], trace.interval_s);
    for (std::size_t row = 0; row < trace.rows();) {
      if (!std::isnan(cell(row))) {
        ++row;
        continue;
      }
      std::size_t end = row;
      while (end < trace.rows() && std::isnan(cell(end))) ++end;
      const double begin_s = row > 0 ? trace.stamps_s[row - 1] : trace.stamps_s.front() - trace.interval_s;
      const double end_s = end < trace.rows() ? trace.stamps_s[end] : trace.stamps_s.back() + trace.interval_s;
      const bool is_long = std::round((end_s - begin_s) / trace.interval_s) - 1.0 > static_cast<double>(most_silent);
      if (is_long || is_slow) {
        const double held_w = row > 0 ? cell(row - 1) : cell(end);
        for (std::size_t at = row; at < end; ++at) cell(at) = held_w;
        trace.bridged_cells += is_slow ? 0 : end - row;
      }
      row = end;
    }
  }
}

/// Whether rows have a sample of each series, but for those that are missing, and slower series.
bool are_together(const std::vector<PowerSeries>& series, const TraceRows& trace) {
  double samples = 0.0, gaps = 0.0;
  for (std::size_t column = 0; column < trace.columns(); ++column) {
    const std::vector<double>& times_s = series[column].times_s;
    if (is_slower(series[column], trace.interval_s)) continue;
    samples += static_cast<double>(times_s.size());
    for (std::size_t k = 1; k < times_s.size(); ++k)
      gaps -= std::max(0.0, std::round((times_s[k] - times_s[k - 1]) / trace.interval_s) - 1.0);
    std::size_t first = trace.rows(), last = 0, filled = 0;
    for (std::size_t row = 0; row < trace.rows(); ++row) {
      if (std::isnan(trace.power_w[row * trace.columns() + column])) continue;
      first = std::min(first, row);
      last = row;
      ++filled;
    }
    gaps += static_cast<double>(last - first + 1 - filled);
  }
  return gaps <= most_gaps_ratio * samples;
}

}  // namespace

TraceRows rows_of_series(const PowerLog& log, const SeriesFacts& facts, bool is_even) {
  TraceRows trace;
  name_columns(log, trace);
  fold(log.series, facts, trace);
  trace.interval_s = median_step_s(trace.stamps_s);
  bool is_uneven = false;
  for (std::size_t row = 1; row < trace.rows(); ++row) {
    const double step_s = trace.stamps_s[row] - trace.stamps_s[row - 1];
    is_uneven = is_uneven || std::abs(step_s - trace.interval_s) > 1e-3 * trace.interval_s;
  }
  if (!are_together(log.series, trace) || (is_even && is_uneven)) {
    average_all(log, facts, trace);
    return trace;
  }
  insert_rows(trace);
  close_cells(log, trace);
  return trace;
}

void hold_missing_cells(TraceRows& trace) {
  for (std::size_t column = 0; column < trace.columns(); ++column) {
    const auto cell = [&](std::size_t row) -> double& { return trace.power_w[row * trace.columns() + column]; };
    std::size_t first = 0;
    while (first < trace.rows() && std::isnan(cell(first))) ++first;
    for (std::size_t row = 0; first < trace.rows() && row < trace.rows(); ++row) {
      if (std::isnan(cell(row))) cell(row) = row < first ? cell(first) : cell(row - 1);
    }
  }
}

double energy_j(const TraceRows& trace) {
  double sum_j = 0.0;
  for (std::size_t column = 0; column < trace.columns(); ++column) {
    double held_w = missing;
    double since_s = 0.0;
    for (std::size_t row = 0; row < trace.rows(); ++row) {
      const double value_w = trace.power_w[row * trace.columns() + column];
      if (std::isnan(value_w)) continue;
      sum_j += (std::isnan(held_w) ? value_w : held_w) * (trace.stamps_s[row] - since_s);
      since_s = trace.stamps_s[row];
      held_w = value_w;
    }
    sum_j += std::isnan(held_w) ? 0.0 : held_w * (trace.stamps_s.back() + trace.interval_s - since_s);
  }
  return sum_j;
}

}  // namespace wattloop::twin
