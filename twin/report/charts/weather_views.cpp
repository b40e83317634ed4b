#include "twin/report/charts/weather_views.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "physics/air/psychrometrics.hpp"
#include "twin/drawings/charts/xy_chart.hpp"
#include "twin/report/charts/month_columns.hpp"
#include "twin/results/schema/figure_named.hpp"

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

/// Rows of months: a column of each figure that they have.
class MonthsTable {
 public:
  MonthsTable(const ResultsReader& results, std::span<const MonthRecord> months)
      : has_weather_(results.has_column("facility", "dry_bulb")),
        has_modes_(results.has_column("economisers", "mode")) {
    std::string head = "<th>month</th>";
    if (has_weather_) head += "<th>outside, mean</th>";
    columns_ = shown_columns(all_columns, months);
    for (const MonthColumn& column : columns_) {
      head += fmt::format("<th>{}</th>", column.head);
      if (column.figure == pue) head += "<th></th>";
    }
    head += "<th>hottest die in records</th>";
    if (has_modes_) head += "<th>economiser: mechanical, partial, full</th>";
    rows_ = "<table><tr>" + head + "</tr>\n";
  }

  void add(const std::string& name, std::span<const NamedValue> figures, const MonthSamples& samples) {
    constexpr double pixel_per_pue = 400.0, widest = 300.0, hour_s = 3600.0;
    std::string row = "<tr><td>" + page_text(name) + "</td>";
    if (has_weather_) row += cell(quantity(samples.mean_dry_bulb_k(), "K"));
    for (const MonthColumn& column : columns_) {
      const double value = figure_number(figures, column.figure);
      row += cell(column.figure == pue && std::isfinite(value) ? fmt::format("{:.4f}", value)
                                                               : month_cell(figures, column.figure, UnitStyle::metric));
      if (column.figure == pue)
        row += fmt::format("<td><span class='bar' style='width:{:.0f}px'></span></td>",
                           std::isfinite(value) ? std::clamp(pixel_per_pue * (value - 1.0), 0.0, widest) : 0.0);
    }
    row += cell(samples.highest_die_k > 0.0 ? quantity(samples.highest_die_k, "K") : "n/a");
    if (has_modes_)
      row += cell(fmt::format("{:.0f} h, {:.0f} h, {:.0f} h", samples.mode_s[0] / hour_s, samples.mode_s[1] / hour_s,
                              samples.mode_s[2] / hour_s));
    rows_ += row + "</tr>\n";
  }

  std::string text() const { return rows_ + "</table>\n"; }

 private:
  static constexpr std::string_view pue = "pue";
  static constexpr std::array all_columns{
      MonthColumn{"utility", "utility_energy"},
      MonthColumn{"generators", "generator_energy"},
      MonthColumn{"facility", "facility_energy"},
      MonthColumn{"IT", "it_energy"},
      MonthColumn{"PUE", pue},
      MonthColumn{"utility peak", "peak_utility_power"},
      MonthColumn{"peak", "peak_facility_power"},
      MonthColumn{"make-up water", "water_use"},
      MonthColumn{"WUE", "wue"},
      MonthColumn{"cost", "total_cost"},
      MonthColumn{"utility peak demand", "peak_demand"},
      MonthColumn{"carbon", "carbon"},
  };

  static std::string quantity(double value, std::string_view unit) {
    return std::isfinite(value) ? format_quantity(value, unit) : "n/a";
  }
  static std::string cell(const std::string& text) { return "<td class='number'>" + page_text(text) + "</td>"; }

  bool has_weather_, has_modes_;
  std::vector<MonthColumn> columns_;
  std::string rows_;
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
  return xy_chart_in_both_widths(std::move(chart)) +
         fmt::format(
             "<p>Outside air from {:.1f} to {:.1f} degC; curves of 20, 40, 60, 80 and 100 % relative humidity, all "
             "at 101.325 kPa.{}</p>\n",
             tenth(coldest_c), tenth(warmest_c), modes.empty() ? "" : " Colours are the modes of the economiser.");
}

std::vector<MonthSamples> samples_of(const ResultsReader& results, std::span<const MonthRecord> months) {
  std::vector<MonthSamples> samples(months.size());
  if (months.empty() || !results.has_table("facility")) return samples;
  const std::vector<double> times_s = results.times_s("facility");
  const OverTime dry_k(results, "dry_bulb"), die_k(results, "max_die_temperature");
  const std::vector<float> modes = modes_of(results, times_s.size());
  std::size_t month = 0;
  for (std::size_t row = 1; row < times_s.size(); ++row) {
    const double begin_s = times_s[row - 1], long_s = times_s[row] - begin_s;
    while (month + 1 < months.size() && begin_s >= months[month].end_s) ++month;
    MonthSamples& now = samples[month];
    now.time_s += long_s;
    now.dry_bulb_ks += long_s * dry_k.before(row);
    now.highest_die_k = std::max(now.highest_die_k, die_k.before(row));
    if (!modes.empty()) now.mode_s.at(std::min<std::size_t>(2, static_cast<std::size_t>(modes[row - 1]))) += long_s;
  }
  return samples;
}

std::string months_table(const ResultsReader& results) {
  constexpr double shortest_s = 28.0 * 86400.0;
  const std::vector<MonthRecord> months = results.months();
  if (months.size() < 2 || months.back().end_s - months.front().begin_s < shortest_s) return {};
  MonthsTable table(results, months);
  const std::vector<MonthSamples> samples = samples_of(results, months);
  for (std::size_t k = 0; k < months.size(); ++k) table.add(months[k].month, months[k].figures, samples[k]);
  MonthSamples of_all;
  for (const MonthSamples& one : samples) {
    of_all.time_s += one.time_s;
    of_all.dry_bulb_ks += one.dry_bulb_ks;
    of_all.highest_die_k = std::max(of_all.highest_die_k, one.highest_die_k);
    std::ranges::transform(of_all.mode_s, one.mode_s, of_all.mode_s.begin(), std::plus());
  }
  table.add("whole run", results.summary(), of_all);
  return table.text() +
         "<p>Energies, ratios, peaks and costs are those that the run integrated, as <code>wattloop summary "
         "--monthly</code> prints them; outside air, the hottest die and modes are of the samples of this file. Bars "
         "are PUE less 1.</p>\n";
}

}  // namespace wattloop::twin
