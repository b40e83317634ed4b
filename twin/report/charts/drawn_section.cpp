#include "twin/report/charts/drawn_section.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "twin/drawings/charts/xy_chart.hpp"

namespace wattloop::twin {

namespace {

constexpr const char *draws_colour = "#0072b2", *band_colour = "#d55e00";

std::string band_row(const TableColumn& column, const FigureBand& band) {
  const BandText shown(band);
  std::string cells;
  for (const Estimate* one : {&band.low, &band.median, &band.high})
    cells += fmt::format("<td>{}{}<br><small>{}</small></td>", shown.number(one->value), unit_text(column),
                         shown.between(*one));
  return fmt::format("<tr><td>{}</td>{}<td>{}</td></tr>\n", page_text(column.name), cells, band.count);
}

std::string band_table(const StudyTable& table, const DrawnFindings& findings) {
  std::string rows;
  for (const FigureBand& band : findings.bands) {
    if (band.count > 0) rows += band_row(table.columns[band.column], band);
  }
  if (rows.empty()) return {};
  return "<table><tr><th>figure</th><th>5 % are below</th><th>median</th><th>95 % are below</th><th>draws</th></tr>\n" +
         rows + "</table>\n<p>Small: where the percentile is with 90 % confidence.</p>\n";
}

/// How many per cent of the draws are at most what stands below.
std::string cumulative_chart(const StudyTable& table, const FigureBand& band) {
  const TableColumn& column = table.columns[band.column];
  XyLine draws{.name = "draws", .colour = draws_colour, .mark = XyLine::Mark::steps};
  for (const StudyRow& row : table.rows) {
    const double value = number_of(row.cells[band.column]);
    if (std::isfinite(value)) draws.x.push_back(value);
  }
  std::ranges::sort(draws.x);
  const double width = draws.x.back() - draws.x.front();
  if (!(width > 0.0)) return {};
  for (std::size_t k = 0; k < draws.x.size(); ++k)
    draws.y.push_back(100.0 * static_cast<double>(k + 1) / static_cast<double>(draws.x.size()));
  XyChart chart{.x = {.title = column.name + (unit_text(column).empty() ? "" : "," + unit_text(column)),
                      .low = draws.x.front() - 0.05 * width,
                      .high = draws.x.back() + 0.05 * width},
                .y = {.title = "draws that are at most so much, %", .low = 0.0, .high = 100.0}};
  chart.lines.push_back(std::move(draws));
  chart.lines.push_back({.name = "5th percentile, median and 95th percentile",
                         .colour = band_colour,
                         .x = {band.low.value, band.median.value, band.high.value},
                         .y = {100.0 * band_low, 100.0 * band_middle, 100.0 * band_high},
                         .mark = XyLine::Mark::dots,
                         .width = 9.0});
  return "<figure><figcaption>" + page_text(column.name) + "</figcaption>\n" + xy_chart_in_both_widths(chart) +
         "</figure>\n";
}

}  // namespace

std::string drawn_section(const StudyTable& table, const DrawnFindings& findings) {
  std::string body =
      "<p>Runs are draws of uncertain values, so that their figures say how likely each value is.</p>\n" +
      band_table(table, findings);
  for (const LimitChance& chance : findings.chances) {
    if (chance.count > 0)
      body += fmt::format("<p><b>{}</b>: {}.</p>\n", page_text(table.columns[chance.column].name),
                          page_text(chance_text(chance)));
  }
  for (const std::string& caveat : drawn_caveats(findings)) body += "<p>" + page_text(caveat) + ".</p>\n";
  for (const FigureBand& band : findings.bands) {
    if (band.count > 0) body += cumulative_chart(table, band);
  }
  return body;
}

}  // namespace wattloop::twin
