#include "twin/imports/telemetry/trace_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/csv_text.hpp"
#include "core/tables/time_stamps.hpp"

namespace wattloop::twin {

namespace {

constexpr double longest_silent_hole = 3.0;  // intervals, as a replay fills by itself
constexpr double usual_longest_gap_s = 10.0;

bool is_of_one_node(const std::vector<PowerSeries>& series) {
  return std::ranges::all_of(series, [&](const PowerSeries& one) { return one.node == series.front().node; });
}

std::size_t missing_in(double span_s, double interval_s) {
  const double missing = std::round(span_s / interval_s) - 1.0;
  return missing > 0.0 ? static_cast<std::size_t>(missing) : 0;
}

/// Nodes as they come, the GPUs of each by number where they have one.
void sort_by_node(std::vector<PowerSeries>& series) {
  std::map<std::string, std::size_t> order;
  for (const PowerSeries& one : series) order.try_emplace(one.node, order.size());
  std::ranges::stable_sort(series, [&](const PowerSeries& a, const PowerSeries& b) {
    if (a.node != b.node) return order[a.node] < order[b.node];
    const auto gpu_a = number_in(a.gpu), gpu_b = number_in(b.gpu);
    return gpu_a && gpu_b && *gpu_a < *gpu_b;
  });
}

class Preparation {
 public:
  Preparation(PowerLog& log, const SeriesOptions& options, Problems& problems)
      : log_(log),
        series_(log.series),
        options_(options),
        problems_(problems),
        clock_(log.clock.value_or(ClockKind::seconds)) {}

  SeriesFacts run() {
    sort_by_node(series_);
    is_one_node_ = is_of_one_node(series_);
    find_doubles();
    if (!find_interval()) return facts_;
    align();
    if (!problems_.empty() || !cut_to_span()) return facts_;
    for (PowerSeries& one : series_) close_holes(one);
    for (PowerSeries& one : series_) close_ends(one);
    for (const PowerSeries& one : series_)
      facts_.energy_j += hold_integral(one.times_s, one.power_w, facts_.end_s) +
                         one.power_w.front() * (one.times_s.front() - facts_.begin_s);
    return facts_;
  }

 private:
  void refuse(std::string message, std::string hint) {
    problems_.add({{log_.files.empty() ? "" : log_.files.front(), 0, 0}, std::move(message), std::move(hint), {}});
  }
  std::string name(const PowerSeries& one) const { return series_name(one, is_one_node_); }

  void find_doubles() {
    std::multimap<std::pair<std::size_t, double>, std::size_t> seen;  // count and sum of samples
    for (std::size_t k = 0; k < series_.size(); ++k) {
      const PowerSeries& one = series_[k];
      const std::pair key{one.power_w.size(), std::accumulate(one.power_w.begin(), one.power_w.end(), 0.0)};
      const auto [begin, end] = seen.equal_range(key);
      const auto same = std::find_if(begin, end, [&](const auto& other) {
        return series_[other.second].power_w == one.power_w && series_[other.second].times_s == one.times_s;
      });
      if (same != end && one.power_w.size() > 1)
        facts_.doubles.emplace_back(name(one), name(series_[same->second]));
      else
        seen.emplace(key, k);
    }
  }

  bool find_interval() {
    facts_.interval_s = std::numeric_limits<double>::infinity();
    facts_.shortest_step_s = std::numeric_limits<double>::infinity();
    for (const PowerSeries& one : series_) {
      facts_.samples += one.times_s.size();
      if (one.times_s.size() < 2) continue;
      facts_.interval_s = std::min(facts_.interval_s, median_step_s(one.times_s));
      for (std::size_t k = 1; k < one.times_s.size(); ++k) {
        facts_.shortest_step_s = std::min(facts_.shortest_step_s, one.times_s[k] - one.times_s[k - 1]);
        facts_.longest_step_s = std::max(facts_.longest_step_s, one.times_s[k] - one.times_s[k - 1]);
      }
    }
    if (std::isfinite(facts_.interval_s)) return true;
    refuse("there is only one sample, but the interval follows from two or more", "a log of some time");
    return false;
  }

  double begin_of(const std::string& node) const {
    double begin_s = std::numeric_limits<double>::infinity();
    for (const PowerSeries& one : series_) {
      if (one.node == node) begin_s = std::min(begin_s, one.times_s.front());
    }
    return begin_s;
  }

  /// Clocks of nodes: begins that differ by half a record or more are those of clocks, unless the command line says how it is.
  void align() {
    std::map<std::string, double> begins;
    std::vector<double> spans_s;
    for (const PowerSeries& one : series_) {
      begins.try_emplace(one.node, begin_of(one.node));
      spans_s.push_back(one.times_s.back() - one.times_s.front());
    }
    const double first_s = std::ranges::min_element(begins, {}, [](const auto& one) { return one.second; })->second;
    const NodeBegin none{{}, 0.0};
    NodeBegin latest = none;
    for (const auto& [node, begin_s] : begins) {
      const double after_s = begin_s - first_s;
      if (after_s > 1.5 * facts_.interval_s) facts_.node_begins.push_back({node, after_s});
      if (after_s > latest.after_first_s) latest = {node, after_s};
    }
    std::ranges::nth_element(spans_s, spans_s.begin() + static_cast<std::ptrdiff_t>(spans_s.size() / 2));
    const double usual_span_s = spans_s[spans_s.size() / 2];
    if (options_.align == "first") {
      for (PowerSeries& one : series_) {
        const double shift_s = begins[one.node] - first_s;
        for (double& time_s : one.times_s) time_s -= shift_s;
      }
    } else if (options_.align.empty() && latest.after_first_s > 0.5 * usual_span_s) {
      refuse(fmt::format("{} begins {} after the first node, and records last {}: do their clocks differ?", latest.node,
                         span_text(latest.after_first_s), span_text(usual_span_s)),
             "write --align first to put the first samples of all nodes at the same time, or --align none to keep the "
             "time stamps");
    }
  }

  bool cut_to_span() {
    double begin_s = std::numeric_limits<double>::infinity(), end_s = -begin_s, common_begin_s = -begin_s,
           common_end_s = begin_s;
    for (const PowerSeries& one : series_) {
      const double last_s = one.times_s.back() + facts_.interval_s;
      begin_s = std::min(begin_s, one.times_s.front());
      end_s = std::max(end_s, last_s);
      common_begin_s = std::max(common_begin_s, one.times_s.front());
      common_end_s = std::min(common_end_s, last_s);
    }
    if (options_.is_common_span) std::tie(begin_s, end_s) = std::pair(common_begin_s, common_end_s);
    if (options_.is_run_only) {
      if (!log_.events || !log_.events->start_s || !log_.events->stop_s) {
        refuse("--run: no log of events has run_start and run_stop",
               "name the log of events in addition to the log of power");
        return false;
      }
      begin_s = std::max(begin_s, *log_.events->start_s);
      end_s = std::min(end_s, *log_.events->stop_s);
    }
    if (!(end_s - begin_s > facts_.interval_s)) {
      refuse("no sample is in the requested time",
             fmt::format("records are from {} until {}", clock_text(clock_, common_begin_s),
                         clock_text(clock_, common_end_s)));
      return false;
    }
    for (PowerSeries& one : series_) cut(one, begin_s, end_s);
    std::erase_if(series_, [](const PowerSeries& one) { return one.times_s.empty(); });
    facts_.begin_s = begin_s;
    facts_.end_s = end_s;
    return true;
  }

  /// The sample that holds at the begin begins there.
  static void cut(PowerSeries& one, double begin_s, double end_s) {
    const auto last = std::ranges::lower_bound(one.times_s, end_s - boundary_slack_s);
    one.power_w.resize(static_cast<std::size_t>(last - one.times_s.begin()));
    one.times_s.erase(last, one.times_s.end());
    if (one.times_s.empty() || one.times_s.front() >= begin_s) return;
    const std::size_t first = sample_at(one.times_s, begin_s);
    one.times_s.erase(one.times_s.begin(), one.times_s.begin() + static_cast<std::ptrdiff_t>(first));
    one.power_w.erase(one.power_w.begin(), one.power_w.begin() + static_cast<std::ptrdiff_t>(first));
    one.times_s.front() = std::max(one.times_s.front(), begin_s);
  }

  /// Holes are counted in the usual steps of their series.
  void close_holes(PowerSeries& one) {
    const double step_s =
        one.times_s.size() > 1 ? std::max(median_step_s(one.times_s), facts_.interval_s) : facts_.interval_s;
    const double longest_s = options_.longest_gap_s > 0.0 ? options_.longest_gap_s
                                                          : std::max(usual_longest_gap_s, longest_silent_hole * step_s);
    PowerSeries filled{.node = one.node, .gpu = one.gpu};  // only what is before the latest hole, and that hole
    std::size_t copied = 0;
    const auto copy_until = [&](std::size_t end) {
      const auto from = static_cast<std::ptrdiff_t>(copied), to = static_cast<std::ptrdiff_t>(end);
      filled.times_s.insert(filled.times_s.end(), one.times_s.begin() + from, one.times_s.begin() + to);
      filled.power_w.insert(filled.power_w.end(), one.power_w.begin() + from, one.power_w.begin() + to);
      copied = end;
    };
    for (std::size_t k = 1; k < one.times_s.size(); ++k) {
      if (!is_to_fill(one, k, {step_s, longest_s})) continue;
      copy_until(k);
      fill_before(one, k, step_s, filled);
    }
    if (copied == 0) return;
    copy_until(one.times_s.size());
    one = std::move(filled);
  }

  struct Steps {
    double usual_s, longest_s;
  };

  /// Counts a hole; whether samples are put into it.
  bool is_to_fill(const PowerSeries& one, std::size_t k, const Steps& steps) {
    const double from_s = one.times_s[k - 1], span_s = one.times_s[k] - from_s;
    const std::size_t missing = missing_in(span_s, steps.usual_s);
    if (missing == 0) return false;
    ++facts_.holes;
    facts_.missing_samples += missing;
    const SeriesHole& longest = facts_.longest_hole;
    const bool is_longest = span_s > longest.until_s - longest.from_s;
    const bool is_refused =
        span_s - steps.usual_s > steps.longest_s && static_cast<double>(missing) > longest_silent_hole;
    if (is_longest || is_refused) {
      const SeriesHole hole{name(one), from_s, one.times_s[k], missing};
      if (is_longest) facts_.longest_hole = hole;
      if (is_refused) refuse_hole(hole, steps.longest_s);
    }
    if (static_cast<double>(missing) <= longest_silent_hole) return false;
    ++facts_.long_holes;
    return problems_.empty() && options_.fill != "hold";
  }

  void fill_before(const PowerSeries& one, std::size_t k, double step_s, PowerSeries& filled) const {
    const double from_s = one.times_s[k - 1], span_s = one.times_s[k] - from_s;
    const double before_w = one.power_w[k - 1], after_w = one.power_w[k];
    for (std::size_t i = 1; i <= missing_in(span_s, step_s); ++i) {
      const double share = static_cast<double>(i) * step_s / span_s;
      filled.times_s.push_back(from_s + share * span_s);
      filled.power_w.push_back(options_.fill == "zero" ? 0.0 : before_w + share * (after_w - before_w));
    }
  }

  void refuse_hole(const SeriesHole& hole, double longest_s) {
    constexpr std::size_t most = 20;
    if (problems_.size() >= most) return;
    refuse(fmt::format("{} has no sample between {} and {}: {} missing in a row, at most {} are bridged", hole.series,
                       clock_text(clock_, hole.from_s), clock_text(clock_, hole.until_s), hole.samples,
                       span_text(longest_s)),
           fmt::format("write --longest-gap '{}' to fill it, and --fill hold, interpolate or zero for the method; or "
                       "split the log there",
                       span_text(std::ceil(hole.until_s - hole.from_s))));
  }

  /// Up to three samples that are missing at an end have the value beside them, as in a replay; a record that begins later or ends earlier draws
  /// nothing there.
  void close_ends(PowerSeries& one) {
    const double interval_s = facts_.interval_s, end_s = one.times_s.back() + interval_s;
    const double early = std::round((facts_.end_s - end_s) / interval_s);
    const double late = std::round((one.times_s.front() - facts_.begin_s) / interval_s);
    for (const double missing : {early, late}) {
      if (missing < 1.0 || missing > longest_silent_hole) continue;
      ++facts_.holes;
      facts_.missing_samples += static_cast<std::size_t>(missing);
    }
    if (early > longest_silent_hole) {
      facts_.ended_series.push_back(name(one));
      one.times_s.push_back(end_s);
      one.power_w.push_back(0.0);
    }
    if (late > longest_silent_hole) {
      facts_.late_series.push_back(name(one));
      one.times_s.insert(one.times_s.begin(), facts_.begin_s);
      one.power_w.insert(one.power_w.begin(), 0.0);
    }
  }

  PowerLog& log_;
  std::vector<PowerSeries>& series_;
  const SeriesOptions& options_;
  Problems& problems_;
  const ClockKind clock_;
  bool is_one_node_ = true;
  SeriesFacts facts_;
};

}  // namespace

std::string series_name(const PowerSeries& series, bool is_one_node) {
  std::string name = series.gpu.empty()                   ? series.node
                     : is_one_node || series.node.empty() ? "gpu_" + series.gpu
                                                          : fmt::format("{}.gpu_{}", series.node, series.gpu);
  std::ranges::replace_if(
      name, [](char c) { return c == ',' || c == '"' || c == ';' || c == '#'; }, '_');
  return name;
}

SeriesFacts prepare_series(PowerLog& log, const SeriesOptions& options, Problems& problems) {
  return Preparation(log, options, problems).run();
}

}  // namespace wattloop::twin
