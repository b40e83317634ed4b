#include "twin/report/weather_views.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/local_time.hpp"
#include "core/units.hpp"
#include "physics/air/psychrometrics.hpp"
#include "twin/drawings/xy_chart.hpp"

namespace wattloop::twin {

namespace {

constexpr double sea_level_pa = 101325.0, zero_celsius_k = 273.15, gram_per_kg = 1e3;
constexpr std::array<const char*, 3> mode_colours{"#d55e00", "#e69f00", "#0072b2"};  // mechanical, partial, full

/// A column of the facility, or of the first item of a table; empty where it is not recorded.
std::vector<float> series_of(const ResultsReader& results, const char* table, const char* column) {
  return results.has_column(table, column) ? results.series(table, column) : std::vector<float>();
}

double round_to(double value, double step, bool is_up) {
  return step * (is_up ? std::ceil(value / step) : std::floor(value / step));
}

double humidity_g_per_kg(double dry_bulb_k, double wet_bulb_k) {
  return gram_per_kg * physics::humidity_ratio_at_wet_bulb(dry_bulb_k, wet_bulb_k, sea_level_pa);
}

XyLine relative_humidity_curve(double fraction, double from_c, double to_c) {
  XyLine line{.colour = fraction == 1.0 ? "#333" : "#bbb", .width = fraction == 1.0 ? 1.8 : 1.0};
  line.label_at_end = fmt::format("{:.0f} %{}", 100.0 * fraction, fraction == 1.0 ? " relative humidity" : "");
  for (double c = from_c; c <= to_c; c += 0.5) {
    line.x.push_back(c);
    line.y.push_back(gram_per_kg * physics::humidity_ratio({c + zero_celsius_k, fraction, sea_level_pa}));
  }
  return line;
}

/// Mode of each row; without an economiser all are in the first place, that has no name.
std::vector<float> modes_of(const ResultsReader& results, std::size_t rows) {
  std::vector<float> modes = series_of(results, "economisers", "mode");
  return modes.size() == rows ? modes : std::vector<float>();
}

/// A column of the facility over the interval that ends with a row.
class OverTime {
 public:
  OverTime(const ResultsReader& results, const char* column) {
    if (!results.has_column("facility", column)) return;
    values_ = results.series("facility", column);
    const TableSpec table = results.table("facility");
    is_mean_ = std::ranges::find(table.columns, column, &ColumnSpec::name)->is_mean;
  }
  double before(std::size_t row) const { return is_mean_ ? at(row) : 0.5 * (at(row - 1) + at(row)); }

 private:
  double at(std::size_t row) const {
    return row < values_.size() && std::isfinite(values_[row]) ? static_cast<double>(values_[row]) : 0.0;
  }
  std::vector<float> values_;
  bool is_mean_ = false;
};

bool changes(const std::vector<float>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return !values.empty() && *most - *least > 0.1F;
}

}  // namespace

std::string psychrometric_chart(const ResultsReader& results) {
  const std::vector<float> dry_k = series_of(results, "facility", "dry_bulb"),
                           wet_k = series_of(results, "facility", "wet_bulb");
  if (dry_k.size() != wet_k.size() || !changes(dry_k)) return {};
  const std::vector<float> modes = modes_of(results, dry_k.size());
  std::array<XyLine, 3> clouds;
  for (std::size_t mode = 0; mode < clouds.size(); ++mode) {
    clouds[mode] = {.name = modes.empty() ? std::string() : std::string(physics::cooling_mode_names[mode]),
                    .colour = modes.empty() ? mode_colours.back() : mode_colours[mode],
                    .mark = XyLine::Mark::dots,
                    .width = 3.5};
  }
  constexpr std::size_t most_points = 3000;
  const std::size_t step = std::max<std::size_t>(1, dry_k.size() / most_points);
  double coldest_c = INFINITY, warmest_c = -INFINITY, wettest = 0.0;
  for (std::size_t row = 0; row < dry_k.size(); row += step) {
    const double dry = static_cast<double>(dry_k[row]), wet = static_cast<double>(wet_k[row]);
    if (!std::isfinite(dry + wet)) continue;
    const std::size_t mode = modes.empty() ? 0 : std::min<std::size_t>(2, static_cast<std::size_t>(modes[row]));
    clouds.at(mode).x.push_back(dry - zero_celsius_k);
    clouds.at(mode).y.push_back(humidity_g_per_kg(dry, wet));
    coldest_c = std::min(coldest_c, dry - zero_celsius_k);
    warmest_c = std::max(warmest_c, dry - zero_celsius_k);
    wettest = std::max(wettest, clouds.at(mode).y.back());
  }
  if (!(warmest_c >= coldest_c)) return {};
  const double from_c = round_to(coldest_c - 2.0, 5.0, false), to_c = round_to(warmest_c + 2.0, 5.0, true);
  XyChart chart{
      .x = {.title = "dry bulb, degC", .low = from_c, .high = to_c},
      .y = {.title = "water in g per kg of dry air", .low = 0.0, .high = round_to(1.15 * wettest + 0.5, 2.0, true)}};
  for (const double fraction : {0.2, 0.4, 0.6, 0.8, 1.0})
    chart.lines.push_back(relative_humidity_curve(fraction, from_c, to_c));
  for (XyLine& cloud : clouds) {
    if (!cloud.x.empty()) chart.lines.push_back(std::move(cloud));
  }
  const auto tenth = [](double value) { return std::round(10.0 * value) / 10.0 + 0.0; };  // no -0.0
  return xy_chart(chart) +
         fmt::format(
             "<p>Outside air from {:.1f} to {:.1f} degC; curves of 20, 40, 60, 80 and 100 % relative humidity, all "
             "at 101.325 kPa.{}</p>\n",
             tenth(coldest_c), tenth(warmest_c), modes.empty() ? "" : " Colours are the modes of the economiser.");
}

std::vector<MonthFigures> months_of(const ResultsReader& results) {
  if (!results.has_table("facility")) return {};
  const std::vector<double> times_s = results.times_s("facility");
  const OverTime feed_w(results, "power"), it_w(results, "it_power"), water_kg_per_s(results, "water_flow"),
      dry_k(results, "dry_bulb"), die_k(results, "max_die_temperature");
  const std::vector<float> modes = modes_of(results, times_s.size());
  const LocalClock clock(results.start_iso());
  std::vector<MonthFigures> months;
  for (std::size_t row = 1; row < times_s.size(); ++row) {
    const double begin_s = times_s[row - 1], long_s = times_s[row] - begin_s;
    const int month = clock.at(begin_s).month_number;
    if (months.empty() || months.back().month_number != month) months.push_back({.month_number = month});
    MonthFigures& now = months.back();
    now.time_s += long_s;
    now.feed_j += long_s * feed_w.before(row);
    now.it_j += long_s * it_w.before(row);
    now.water_kg += long_s * water_kg_per_s.before(row);
    now.dry_bulb_ks += long_s * dry_k.before(row);
    now.highest_die_k = std::max(now.highest_die_k, die_k.before(row));
    if (!modes.empty()) now.mode_s.at(std::min<std::size_t>(2, static_cast<std::size_t>(modes[row - 1]))) += long_s;
  }
  return months;
}

std::string months_table(const ResultsReader& results) {
  constexpr std::array<std::string_view, 12> names{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
  constexpr double hour_s = 3600.0, joules_per_mwh = 3.6e9, kg_per_m3 = 1e3, shortest_s = 28.0 * 24.0 * hour_s;
  const std::vector<MonthFigures> months = months_of(results);
  if (std::ranges::count_if(months, [&](const MonthFigures& month) { return month.time_s >= shortest_s; }) < 2)
    return {};
  const bool has_modes =
      std::ranges::any_of(months, [](const MonthFigures& month) { return month.mode_s[1] + month.mode_s[2] > 0.0; });
  std::string text =
      "<table><tr><th>month</th><th>outside, mean</th><th>from the feed</th><th>PUE</th><th></th><th>make-up water</th>"
      "<th>hottest die</th>";
  if (has_modes) text += "<th>economiser: mechanical, partial, full</th>";
  text += "</tr>\n";
  for (const MonthFigures& month : months) {
    constexpr double pixel_per_pue = 400.0;
    text += fmt::format(
        "<tr><td>{}</td><td class='number'>{}</td><td class='number'>{:.4g} MWh</td><td class='number'>{:.4f}</td>"
        "<td><span class='bar' style='width:{:.0f}px'></span></td><td class='number'>{:.4g} m3</td><td "
        "class='number'>{}</td>",
        names.at(static_cast<std::size_t>(month.month_number % 12)), format_quantity(month.mean_dry_bulb_k(), "K"),
        month.feed_j / joules_per_mwh, month.pue(), std::clamp(pixel_per_pue * (month.pue() - 1.0), 0.0, 300.0),
        month.water_kg / kg_per_m3, format_quantity(month.highest_die_k, "K"));
    if (has_modes)
      text += fmt::format("<td class='number'>{:.0f} h, {:.0f} h, {:.0f} h</td>", month.mode_s[0] / hour_s,
                          month.mode_s[1] / hour_s, month.mode_s[2] / hour_s);
    text += "</tr>\n";
  }
  return text +
         "</table>\n<p>Bars are PUE less 1. Energies and water are sums of the samples of this file, each of which "
         "counts until "
         "the next; the key figures above are those of the integrated run.</p>\n";
}

}  // namespace wattloop::twin
