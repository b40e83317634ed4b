#include "twin/report/charts/power_shape.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <unsupported/Eigen/FFT>

#include "core/units/units.hpp"
#include "twin/drawings/charts/xy_chart.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/drawings/names/shown_unit.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t fewest_samples = 64;

/// One-sided spectral density in W2/Hz at multiples of 1/(window * interval).
std::vector<double> spectral_density(std::span<const float> power_w, std::size_t window, double interval_s) {
  std::vector<double> bell(window), density(window / 2 + 1, 0.0);
  double weight = 0.0;
  for (std::size_t k = 0; k < window; ++k) {
    bell[k] = 0.5 * (1.0 - std::cos(2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(window)));
    weight += bell[k] * bell[k];
  }
  Eigen::FFT<double> transform;
  std::size_t windows = 0;
  std::vector<double> part(window);
  std::vector<std::complex<double>> waves;
  for (std::size_t first = 0; first + window <= power_w.size(); first += window / 2, ++windows) {
    double mean_w = 0.0;
    for (std::size_t k = 0; k < window; ++k)
      mean_w += static_cast<double>(power_w[first + k]) / static_cast<double>(window);
    for (std::size_t k = 0; k < window; ++k) part[k] = bell[k] * (static_cast<double>(power_w[first + k]) - mean_w);
    transform.fwd(waves, part);
    for (std::size_t k = 1; k < density.size(); ++k) {
      const double both_sides = 2 * k == window ? 1.0 : 2.0;
      density[k] += both_sides * std::norm(waves[k]) * interval_s / weight;
    }
  }
  for (double& one : density) one /= static_cast<double>(windows);
  return density;
}

bool has_means(const ResultsReader& results) {
  const TableSpec table = results.table("facility");
  return std::ranges::find(table.columns, "power", &ColumnSpec::name)->is_mean;
}

/// Without the first, that is a mean over no time.
std::vector<float> series_of(const ResultsReader& results, const char* column) {
  std::vector<float> values = results.series("facility", column);
  if (has_means(results) && !values.empty()) values.erase(values.begin());
  return values;
}

XyLine line_of(const std::string& name, const char* colour, const ResultsReader& results, const char* column,
               double factor) {
  const LoadDuration shape = load_duration(series_of(results, column));
  constexpr std::size_t most_points = 600;
  const std::size_t step = std::max<std::size_t>(1, shape.power_w.size() / most_points);
  XyLine line{.name = name, .colour = colour};
  for (std::size_t k = 0; k < shape.power_w.size(); k += k + step < shape.power_w.size() ? step : 1) {
    line.x.push_back(100.0 * shape.time_share[k]);
    line.y.push_back(factor * shape.power_w[k]);
  }
  return line;
}

double highest(const std::vector<double>& values) { return values.empty() ? 0.0 : *std::ranges::max_element(values); }

}  // namespace

LoadDuration load_duration(std::span<const float> power_w) {
  LoadDuration shape;
  for (const float value : power_w) {
    if (std::isfinite(value)) shape.power_w.push_back(static_cast<double>(value));
  }
  std::ranges::sort(shape.power_w, std::greater());
  const auto count = static_cast<double>(shape.power_w.size());
  for (std::size_t k = 0; k < shape.power_w.size(); ++k)
    shape.time_share.push_back((static_cast<double>(k) + 0.5) / count);
  return shape;
}

PowerSwings power_swings(std::span<const float> power_w, double interval_s) {
  const bool is_whole = std::ranges::all_of(power_w, [](float value) { return std::isfinite(value); });
  if (power_w.size() < fewest_samples || !is_whole || !(interval_s > 0.0)) return {};
  std::size_t window = std::max(fewest_samples, power_w.size() / 8);
  window -= window % 2;
  const std::vector<double> density = spectral_density(power_w, window, interval_s);
  const double step_hz = 1.0 / (static_cast<double>(window) * interval_s);
  const double ratio = std::cbrt(2.0);
  PowerSwings swings;
  double edge_hz = 0.5 * step_hz, square = 0.0;
  for (std::size_t k = 1; k < density.size(); ++k) {  // bands that hold no multiple of the step join the next
    square += density[k] * step_hz;
    const double next_hz = static_cast<double>(k) + 0.5;
    const bool is_last = k + 1 == density.size();
    if (!is_last && next_hz * step_hz < edge_hz * ratio) continue;
    swings.frequency_hz.push_back(edge_hz);
    swings.rms_w.push_back(std::sqrt(square));
    edge_hz = next_hz * step_hz;
    square = 0.0;
  }
  return swings;
}

std::string load_duration_chart(const ResultsReader& results) {
  if (!results.has_column("facility", "power") || !results.has_column("facility", "it_power")) return {};
  const LoadDuration facility = load_duration(series_of(results, "power"));
  const ShownUnit unit = shown_unit("W", std::max(1.0, highest(facility.power_w)));
  XyChart chart{.x = {.title = "share of time, %", .low = 0.0, .high = 100.0}, .y = {.title = "power, " + unit.name}};
  chart.lines = {line_of("facility power", meaning::facility_power, results, "power", unit.factor),
                 line_of("IT power", meaning::it_power, results, "it_power", unit.factor)};
  chart.y.low = 0.0;
  chart.y.high = 1.05 * std::max(highest(chart.lines[0].y), highest(chart.lines[1].y));
  const std::string drawn = xy_chart_in_both_widths(std::move(chart));
  return drawn.empty() ? drawn
                       : drawn + "<p>For each power, the share of time in which at least that much is drawn.</p>\n";
}

namespace {

/// Two digits of it: "0.5 s" of 0.5001 s.
std::string rounded_down_s(double time_s) {
  const double digit_s = std::pow(10.0, std::floor(std::log10(time_s)) - 1.0);
  return format_quantity(digit_s * std::floor(time_s / digit_s * (1.0 + 1e-9)), "s");
}

/// Why samples so far apart do not show the swing of training steps; empty where they do.
std::string unresolved_steps(const ResultsReader& results, double interval_s) {
  constexpr double slack = 1.0 + 1e-9;
  const double step_s = figure_number(results.summary(), "job_step_time");
  if (!(step_s > 0.0) || interval_s <= 0.5 * step_s * slack) return {};
  return fmt::format(
      "<p>Not shown: a training step takes {}, and samples every {} would show its swing as a slower one. "
      "To see it, write <code>record: {{ facility: {} }}</code> in the scenario, and a <code>sample_interval</code> of "
      "the workload that is no longer.</p>\n",
      format_quantity(step_s, "s"), format_quantity(interval_s, "s"), rounded_down_s(0.5 * step_s));
}

}  // namespace

std::string power_swings_chart(const ResultsReader& results) {
  if (!results.has_column("facility", "power") || !results.has_column("facility", "it_power")) return {};
  const std::vector<double> times_s = results.times_s("facility");
  if (times_s.size() < fewest_samples) return {};
  const double interval_s = (times_s.back() - times_s.front()) / static_cast<double>(times_s.size() - 1);
  for (std::size_t k = 1; k < times_s.size(); ++k) {
    if (std::abs(times_s[k] - times_s[k - 1] - interval_s) > 1e-6 * interval_s) return {};
  }
  if (std::string why = unresolved_steps(results, interval_s); !why.empty()) return why;
  const PowerSwings facility = power_swings(series_of(results, "power"), interval_s),
                    it = power_swings(series_of(results, "it_power"), interval_s);
  if (facility.rms_w.empty() || it.rms_w.empty()) return {};
  const double most_w = std::max(highest(facility.rms_w), highest(it.rms_w));
  if (!(most_w > 0.0)) return {};
  const ShownUnit unit = shown_unit("W", most_w);
  XyChart chart{.x = {.title = "frequency, Hz, by bands of a third of an octave", .is_logarithmic = true},
                .y = {.title = "swing (root mean square) in each band, " + unit.name}};
  for (const auto& [name, colour, swings] : {std::tuple{"facility power", meaning::facility_power, &facility},
                                             std::tuple{"IT power", meaning::it_power, &it}}) {
    XyLine line{.name = name, .colour = colour, .x = swings->frequency_hz, .mark = XyLine::Mark::steps};
    for (const double rms_w : swings->rms_w) line.y.push_back(unit.factor * rms_w);
    line.x.push_back(0.5 / interval_s);
    line.y.push_back(line.y.back());
    chart.lines.push_back(std::move(line));
  }
  chart.x.low = facility.frequency_hz.front();
  chart.x.high = 0.5 / interval_s;
  chart.y.high = 1.08 * unit.factor * most_w;
  return xy_chart_in_both_widths(std::move(chart)) +
         fmt::format("<p>From {} {}, one every {}: faster swings {}, those slower than {} are not resolved.</p>\n",
                     times_s.size(), has_means(results) ? "means" : "values", format_quantity(interval_s, "s"),
                     has_means(results) ? "are averaged away" : "show as slower ones",
                     format_quantity(1.0 / facility.frequency_hz.front(), "s"));
}

}  // namespace wattloop::twin
