#include "twin/comparison/measured_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/comparison/telemetry_file.hpp"
#include "twin/comparison/telemetry_map.hpp"

namespace wattloop::twin {

namespace {

std::vector<std::size_t> worst_intervals(const Overlay& overlay, std::size_t most) {
  std::vector<std::size_t> numbers(overlay.intervals.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::ranges::stable_sort(numbers, std::ranges::greater(), [&](std::size_t k) {
    return std::abs(overlay.intervals[k].measured - overlay.intervals[k].modelled);
  });
  if (numbers.size() > most) numbers.resize(most);
  return numbers;
}

std::string period_text(const SampleSeries& samples) {
  return fmt::format("{} to {}", format_quantity(samples.times_s.front(), "s"),
                     format_quantity(samples.times_s.back(), "s"));
}

/// Two series without a common period have nothing to compare.
void demand_overlap(const MappedSeries& mapped, const SampleSeries& measured, const SampleSeries& recorded,
                    Problems& problems) {
  if (measured.times_s.empty() || recorded.times_s.empty()) return;
  if (measured.times_s.front() < recorded.times_s.back() && recorded.times_s.front() < measured.times_s.back()) return;
  problems.add({{"--measured", 0, 0},
                fmt::format("{}: measured from {}, recorded from {}: no common time", mapped.recorded,
                            period_text(measured), period_text(recorded)),
                fmt::format("times count from the start of the run; to align the measured times, write `time: {{ "
                            "offset: {:.12g} s }}` in the map",
                            -measured.times_s.front()),
                {}});
}

}  // namespace

SampleSeries recorded_samples(const MappedSeries& mapped, std::span<const double> times_s,
                              std::span<const double> values) {
  const RecordedSeries& series = mapped.series;
  const double zero = to_si(0.0, mapped.unit, series.unit), size = to_si(1.0, mapped.unit, series.unit) - zero;
  SampleSeries samples{.stamp = series.is_mean ? StampOf::end : StampOf::instant};
  for (std::size_t row = series.is_mean ? 1 : 0; row < times_s.size(); ++row) {
    if (!std::isfinite(values[row])) continue;
    samples.times_s.push_back(times_s[row]);
    samples.values.push_back((values[row] - zero) / size);
  }
  return samples;
}

MeasuredComparison compare_measured(const MeasuredRequest& request) {
  const ResultsReader results(request.results);
  Problems problems;
  const TelemetryMap map = read_telemetry_map(request.map, results, problems);
  const Telemetry read = read_telemetry(request.measured, map, results.start_iso(), problems);
  const std::vector<SampleSeries>& telemetry = read.series;
  problems.throw_if_any(request.map.string() + " and " + request.measured.string());
  std::vector<SampleSeries> recorded;
  for (std::size_t k = 0; k < map.series.size(); ++k) {
    const RecordedSeries& series = map.series[k].series;
    const std::vector<float> values = results.series(series.table, series.column, series.item);
    recorded.push_back(recorded_samples(map.series[k], results.times_s(series.table),
                                        std::vector<double>(values.begin(), values.end())));
    demand_overlap(map.series[k], telemetry[k], recorded.back(), problems);
  }
  problems.throw_if_any(request.measured.string() + " and " + request.results.string());
  MeasuredComparison all{.series = {}, .notes = read.notes};
  for (std::size_t k = 0; k < map.series.size(); ++k) {
    const MappedSeries& mapped = map.series[k];
    MeasuredSeries one{.recorded = mapped.recorded, .column = mapped.column, .unit = mapped.unit};
    one.overlay = overlay_of(telemetry[k], recorded[k]);
    std::vector<double> measured, modelled;
    for (const OverlayInterval& interval : one.overlay.intervals) {
      measured.push_back(interval.measured);
      modelled.push_back(interval.modelled);
    }
    one.score = model_score(measured, modelled);
    one.worst = worst_intervals(one.overlay, request.worst);
    all.series.push_back(std::move(one));
  }
  return all;
}

}  // namespace wattloop::twin
