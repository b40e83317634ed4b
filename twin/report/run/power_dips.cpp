#include "twin/report/run/power_dips.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/count_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

double median_of(std::span<const float> values) {
  std::vector<float> sorted;
  std::ranges::copy_if(values, std::back_inserter(sorted), [](float value) { return std::isfinite(value); });
  if (sorted.empty()) return std::nan("");
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return static_cast<double>(*middle);
}

/// ", every 15 min" where they are as far apart from each other.
std::string pace_words(std::span<const PowerDip> dips) {
  constexpr double alike = 0.05;
  if (dips.size() < 2) return {};
  const double whole_s = dips.back().begin_s - dips.front().begin_s,
               pace_s = whole_s / static_cast<double>(dips.size() - 1);
  for (std::size_t k = 1; k < dips.size(); ++k)
    if (std::abs(dips[k].begin_s - dips[k - 1].begin_s - pace_s) > alike * pace_s) return {};
  return ", every " + format_quantity(std::round(pace_s), "s");
}

}  // namespace

std::vector<PowerDip> power_dips(std::span<const double> times_s, std::span<const float> power_w) {
  constexpr double seen_share = 0.8;
  const double below_w = seen_share * median_of(power_w);
  std::vector<PowerDip> dips;
  bool is_in = false;
  for (std::size_t k = 1; k < std::min(times_s.size(), power_w.size()); ++k) {
    const double now_w = static_cast<double>(power_w[k]), before_w = static_cast<double>(power_w[k - 1]);
    if (now_w < below_w && before_w >= below_w) {
      dips.push_back({times_s[k], times_s[k], now_w});
      is_in = true;
    } else if (is_in && now_w >= below_w) {
      dips.back().end_s = times_s[k];
      is_in = false;
    }
    if (is_in) dips.back().least_w = std::min(dips.back().least_w, now_w);
  }
  if (is_in) dips.pop_back();
  return dips;
}

std::string power_dips_words(const ResultsReader& results) {
  constexpr std::string_view group = "facility", column = "it_power";
  if (!results.has_column(group, column)) return {};
  const std::vector<PowerDip> dips = power_dips(results.times_s(group), results.series(group, column));
  if (dips.empty()) return {};
  double sum_s = 0.0, least_w = dips.front().least_w;
  for (const PowerDip& dip : dips) {
    sum_s += dip.end_s - dip.begin_s;
    least_w = std::min(least_w, dip.least_w);
  }
  const auto count = static_cast<double>(dips.size());
  const double saving_s = results.summary_number("job_checkpoint_time").value_or(0.0);
  constexpr double at_least = 0.5, at_most = 1.5;
  const bool is_saving = saving_s > at_least * sum_s && saving_s < at_most * sum_s;
  return fmt::format(
      " IT power falls {} to {} for {}{}, first at {}{}.", dips.size() == 1 ? "once" : count_text(dips.size(), "time"),
      format_quantity(least_w, "W"), format_quantity(std::round(sum_s / count), "s"), pace_words(dips),
      instant_text(results.start_iso(), dips.front().begin_s), is_saving ? ", while jobs save their checkpoints" : "");
}

}  // namespace wattloop::twin
