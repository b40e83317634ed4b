#include "twin/drawings/charts/live_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/quoted_text.hpp"
#include "twin/drawings/names/dygraphs.hpp"
#include "twin/drawings/names/shown_unit.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_intervals = 1000;

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.5g}", value) : "null"; }

/// A value of a chart whose largest is `largest`: what no one can see in it is nothing.
std::string chart_number(double value, double largest) {
  constexpr double least_seen = 1e-6;
  return std::abs(value) < least_seen * largest ? "0" : number(value);
}

/// Rows of a table of times and values; of an interval of many, a row with the first and one with the last of its extremes.
class Rows {
 public:
  Rows(std::span<const double> times_s, std::span<const ChartLine> lines, const ShownUnit& shown, double unit_s,
       double largest)
      : times_s_(times_s), lines_(lines), shown_(shown), unit_s_(unit_s), largest_(largest * shown.factor) {}

  std::string text() {
    const std::size_t rows = times_s_.size();
    const std::size_t step = rows > 2 * most_intervals ? (rows + most_intervals - 1) / most_intervals : 1;
    for (std::size_t first = 0; first < rows; first += step) {
      const std::size_t count = std::min(step, rows - first);
      if (count < 3) {
        for (std::size_t row = first; row < first + count; ++row)
          add(times_s_[row], [&](const ChartLine& line) { return static_cast<double>(line.values[row]); });
      } else {
        add(times_s_[first], [&](const ChartLine& line) { return extremes(line, first, count)[0]; });
        add(times_s_[first + count / 2], [&](const ChartLine& line) { return extremes(line, first, count)[1]; });
      }
    }
    return text_ + "]";
  }

 private:
  /// Lowest and highest of an interval, in their order; not numbers where one of them is none.
  static std::array<double, 2> extremes(const ChartLine& line, std::size_t first, std::size_t count) {
    const std::span<const float> part = std::span(line.values).subspan(first, count);
    if (!std::ranges::all_of(part, [](float v) { return std::isfinite(v); })) return {std::nan(""), std::nan("")};
    const auto [least, most] = std::ranges::minmax_element(part);
    const auto low = static_cast<double>(*least), high = static_cast<double>(*most);
    return least < most ? std::array{low, high} : std::array{high, low};
  }

  template <class Value>
  void add(double time_s, const Value& value) {
    text_ += fmt::format("{}[{:.7g}", text_ == "[" ? "" : ",", time_s / unit_s_);
    for (const ChartLine& line : lines_)
      text_ += "," + chart_number(value(line) * shown_.factor + shown_.offset, largest_);
    text_ += "]";
  }

  std::span<const double> times_s_;
  std::span<const ChartLine> lines_;
  const ShownUnit& shown_;
  double unit_s_, largest_;
  std::string text_ = "[";
};

/// Of lines whose colour means nothing beyond their chart [okabe2008].
constexpr std::array<std::string_view, 8> usual_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#000000", "#999999"};

constexpr std::string_view drawer = R"(
(function () {
  function asText(text) {  // the legend is HTML
    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  }
  function withUnit(value, unit) {
    return (Math.round(value * 1000) / 1000) + (unit ? '&#160;' + asText(unit) : '');
  }
  function eventsAt(time, graph) {  // words of marks within four pixels, or nearer to this value than to its neighbours
    var range = graph.xAxisRange(), all = graph.xAxisExtremes();
    var reach = Math.max(4 * (range[1] - range[0]) / Math.max(1, graph.getArea().w), (all[1] - all[0]) / (2 * graph.numRows()));
    var words = marks.filter(function (mark) { return Math.abs(mark.time - time) <= reach; }).map(function (mark) { return mark.words; });
    return words.length ? ' (' + asText(words.join('; ')) + ')' : '';
  }
  function shortened(words, width, room) {  // the first words, and the last numbers where they have room; no number is cut
    if (width(words) <= room) return words;
    words = words.replace(/ \([^)]*\)?$/, '');
    if (width(words) <= room) return words;
    if (words.indexOf(':') < 0) {  // a sentence keeps its verb, or is left to the list above the charts
      words = words.replace(/^(\d+ nodes) of \d+ racks /, '$1 ').replace(/ by warm inlet air$/, '');
      return width(words) <= room ? words : '';
    }
    var all = words.split(' '), last = all.length;
    for (var k = all.length - 1; k > 0 && width(all.slice(k).join(' ')) <= 0.6 * room; --k) if (/[0-9]/.test(all[k])) last = k;
    var numbers = last < all.length ? ' ' + all.slice(last).join(' ') : '';
    for (var count = last; count > 0; --count) {
      var text = all.slice(0, count).join(' ') + ' …' + numbers;
      if (width(text) <= room) return text;
    }
    return '';
  }
  var drawn = charts.map(function (chart, k) {
    return new Dygraph(document.getElementById('chart_' + (k + 1)), chart.rows, {
      labels: chart.labels, colors: chart.colours, ylabel: chart.unit, xlabel: k + 1 === charts.length ? 'time, ' + timeUnit : '',
      legend: 'always', labelsDiv: document.getElementById('legend_' + (k + 1)), strokeWidth: 1.5, axisLabelFontSize: 11,
      xLabelHeight: 16, yLabelWidth: 16, digitsAfterDecimal: 3, animatedZooms: false, connectSeparatedPoints: false,
      axes: {  // what the legend says of the point under the mouse
        x: { valueFormatter: function (value) { return withUnit(value, timeUnit) + eventsAt(value, this); } },
        y: { valueFormatter: function (value) { return withUnit(value, chart.unit); } }
      },
      underlayCallback: function (canvas, area, graph) {
        var right = area.x + area.w, groups = [], last = null;  // marks whose numbers would touch have one: "2–4"
        marks.forEach(function (mark, number) {
          var x = Math.round(graph.toDomXCoord(mark.time));
          if (x < area.x || x > right) return;
          canvas.fillStyle = '#b2182b';
          canvas.fillRect(x, area.y, 1, area.h);
          if (last && x - last.x < 18) { last.to = number + 1; return; }
          groups.push(last = { x: x, from: number + 1, to: number + 1, words: mark.words });
        });
        groups.forEach(function (group, k) {
          canvas.font = 'bold 10px sans-serif';
          var label = group.from === group.to ? String(group.from) : group.from + '–' + group.to, wide = canvas.measureText(label).width;
          var begin = group.x + 3 + wide <= right ? group.x + 3 : group.x - 3 - wide;
          canvas.fillText(label, begin, area.y + 9);
          if (begin < group.x || group.from !== group.to) return;
          canvas.font = '10px sans-serif';
          var from = begin + wide + 4, room = (k + 1 < groups.length ? groups[k + 1].x : right) - from - 3;
          canvas.fillText(shortened(group.words, function (text) { return canvas.measureText(text).width; }, room), from, area.y + 9);
        });
      }
    });
  });
  if (drawn.length > 1) Dygraph.synchronize(drawn, { selection: true, zoom: true, range: false });
  document.querySelectorAll('[data-from]').forEach(function (link) {
    link.addEventListener('click', function (event) {
      event.preventDefault();
      var at = Number(link.dataset.from), all = drawn.length ? drawn[0].xAxisExtremes() : [0, 1];
      var half = (all[1] - all[0]) / 20;
      if (drawn.length) drawn[0].updateOptions({ dateWindow: [Math.max(all[0], at - half / 2), Math.min(all[1], at + 1.5 * half)] });
      document.getElementById('charts').scrollIntoView();
    });
  });
  drawn.forEach(function (graph, k) {  // arrows go through the values, plus and minus zoom, Escape shows all
    document.getElementById('chart_' + (k + 1)).addEventListener('keydown', function (event) {
      var rows = graph.numRows(), row = graph.getSelection(), range = graph.xAxisRange();
      var step = { ArrowLeft: -1, ArrowRight: 1, Home: -rows, End: rows }[event.key], zoom = { '+': 0.5, '-': 2 }[event.key];
      if (step) {
        graph.setSelection(Math.max(0, Math.min(rows - 1, (row < 0 ? 0 : row) + step)));
      } else if (zoom) {
        var all = graph.xAxisExtremes(), at = row < 0 ? (range[0] + range[1]) / 2 : graph.getValue(row, 0);
        var half = zoom * (range[1] - range[0]) / 2;
        graph.updateOptions({ dateWindow: [Math.max(all[0], at - half), Math.min(all[1], at + half)] });
      } else if (event.key === 'Escape') {
        graph.resetZoom();
      } else {
        return;
      }
      event.preventDefault();
    });
  });
  window.addEventListener('beforeprint', function () {  // two abreast on A4 and letter
    drawn.forEach(function (graph) {
      graph.updateOptions({ pixelRatio: 3 }, true);
      graph.resize(335, 115);
    });
    document.querySelectorAll('.chart canvas').forEach(function (canvas) {  // Chromium prints what is drawn here only as pixels that were put there
      var context = canvas.getContext('2d');
      context.putImageData(context.getImageData(0, 0, canvas.width, canvas.height), 0, 0);
    });
  });
  window.addEventListener('afterprint', function () {
    drawn.forEach(function (graph, k) {
      var box = document.getElementById('chart_' + (k + 1));
      box.style.width = box.style.height = '';
      graph.updateOptions({ pixelRatio: null }, true);
      graph.resize();
    });
  });
  document.body.dataset.charts = drawn.length;
})();
)";

}  // namespace

LiveCharts::LiveCharts(double run_end_s) {
  struct Unit {
    double longest_s, s;
    const char* name;
  };
  for (const Unit& unit : std::array{Unit{300.0, 1.0, "s"}, Unit{7200.0, 60.0, "min"}, Unit{2.0 * 86400.0, 3600.0, "h"},
                                     Unit{INFINITY, 86400.0, "d"}}) {
    if (run_end_s > unit.longest_s) continue;
    unit_s_ = unit.s;
    unit_name_ = unit.name;
    return;
  }
}

std::string LiveCharts::add(const std::string& title, const std::string& unit, std::span<const double> times_s,
                            std::span<const ChartLine> lines) {
  double largest = -1.0;
  for (const ChartLine& line : lines) {
    for (const float value : line.values) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
  }
  if (times_s.size() < 2 || largest < 0.0) return {};
  if (dygraphs_script().empty()) return series_chart(title, unit, times_s, lines);
  const ShownUnit shown = shown_unit(unit, largest);
  std::string labels = script_text(unit_name_), colours;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    labels += "," + script_text(lines[k].name);
    const std::string usual(usual_colours[k % usual_colours.size()]);
    colours += (k == 0 ? "" : ",") + script_text(lines[k].colour.empty() ? usual : lines[k].colour);
  }
  charts_.push_back(fmt::format("{{\"unit\":{},\"labels\":[{}],\"colours\":[{}],\"rows\":{}}}", script_text(shown.name),
                                labels, colours, Rows(times_s, lines, shown, unit_s_, largest).text()));
  return fmt::format(
      "<figure class='live'><figcaption>{}{} <span class='legend' id='legend_{}'></span></figcaption><div "
      "class='chart' id='chart_{}' tabindex='0' role='img' aria-label='{}; arrow keys go through the values, plus and "
      "minus zoom, Escape shows all'></div></figure>\n",
      page_text(title), shown.name.empty() ? "" : ", " + page_text(shown.name), charts_.size(), charts_.size(),
      page_text(title));
}

std::string LiveCharts::list_of(std::span<const ChartMark> marks) const {
  if (charts_.empty() || marks.empty()) return {};
  std::string lines;
  for (const ChartMark& mark : marks)
    lines += fmt::format("<li>{}: {}</li>\n", page_text(mark.when), page_text(mark.words));
  return "<ol class='marks'>" + lines + "</ol>\n";
}

std::string LiveCharts::script(std::span<const ChartMark> marks) const {
  if (charts_.empty()) return {};
  std::string moments;
  for (const ChartMark& mark : marks) {
    moments += fmt::format("{}{{\"time\":{},\"words\":{}}}", moments.empty() ? "" : ",", number(mark.time_s / unit_s_),
                           script_text(mark.words));
  }
  return fmt::format(
      "<style>{}</style>\n<script>{}</script>\n<script>\nvar timeUnit = {};\nvar marks = [{}];\nvar charts = "
      "[{}];\n{}</script>\n",
      dygraphs_style(), dygraphs_script(), script_text(unit_name_), moments, fmt::join(charts_, ",\n"), drawer);
}

}  // namespace wattloop::twin
