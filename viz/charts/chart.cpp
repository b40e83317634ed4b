#include "viz/charts/chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "viz/charts/event_marks.hpp"
#include "viz/drawing/colour_map.hpp"

namespace wattloop::viz {
namespace {

constexpr double band_pixels = 1.5;  // width over which the pale band takes its extremes
constexpr double line_pixels = 3.0;  // width over which the line takes its mean

struct TimeUnit {
  double seconds;
  const char* title;
};

TimeUnit time_unit(double end_s) {
  if (end_s <= 180.0) return {1.0, "time, s"};
  if (end_s <= 3.0 * 3600.0) return {60.0, "time, min"};
  if (end_s <= 96.0 * 3600.0) return {3600.0, "time, h"};
  return {86400.0, "time, d"};
}

/// Ticks of the time axis in its own unit; hours and minutes are divided as on a clock.
std::vector<double> time_ticks(double begin, double end, const TimeUnit& unit) {
  if (unit.seconds == 1.0 || unit.seconds == 86400.0) return round_ticks(begin, end, 7);
  const std::vector<double> steps = unit.seconds == 60.0
                                        ? std::vector{0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0}
                                        : std::vector{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0};
  const auto fits = [&](double step) { return (end - begin) / step <= 8.5; };
  const auto found = std::find_if(steps.begin(), steps.end(), fits);
  const double step = found == steps.end() ? steps.back() : *found;
  std::vector<double> ticks;
  for (double i = std::ceil(begin / step - 1e-9); i * step <= end * (1 + 1e-9); i += 1.0) ticks.push_back(i * step);
  return ticks;
}

/// Extremes and mean of the samples that fall on a few pixels.
struct Bin {
  double x = 0.0, low = 0.0, high = 0.0, mean = 0.0;
  bool follows_gap = false;  ///< samples before it are no numbers
};

struct Axes {
  Rectangle area;
  double begin_s = 0.0, end_s = 1.0, low = 0.0, high = 1.0;

  double x(double time_s) const { return area.left + area.width * (time_s - begin_s) / (end_s - begin_s); }
  double y(double value) const { return area.bottom + area.height * (value - low) / (high - low); }
};

std::vector<Bin> bins_of(const std::vector<double>& times_s, const std::vector<double>& values, const Axes& axes,
                         double pixels) {
  std::vector<Bin> bins;
  std::size_t count = 0;
  long current = -1;
  bool follows_gap = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i], x = axes.x(times_s[i]);
    if (times_s[i] < axes.begin_s || times_s[i] > axes.end_s) continue;
    if (!std::isfinite(value)) {
      follows_gap = !bins.empty();
      continue;
    }
    const long bin = std::lround(std::floor((x - axes.area.left) / pixels));
    if (bin != current || follows_gap) {
      bins.push_back({x, value, value, value, follows_gap});
      current = bin;
      count = 1;
      follows_gap = false;
      continue;
    }
    Bin& last = bins.back();
    last.low = std::min(last.low, value);
    last.high = std::max(last.high, value);
    last.mean += (value - last.mean) / double(++count);
    last.x += (x - last.x) / double(count);
  }
  return bins;
}

/// From `low` to `high` of two bins that follow each other, unless a gap is between them or the band is too thin to be seen.
void add_band_step(Drawing& drawing, const std::array<Bin, 2>& lows, const std::array<Bin, 2>& highs, const Axes& axes,
                   const Colour& pale) {
  if (lows[1].follows_gap || highs[1].follows_gap) return;
  const double high_before = highs[0].high, high_now = highs[1].high;
  if (high_before - lows[0].low + high_now - lows[1].low < 0.004 * (axes.high - axes.low)) return;
  drawing.add(Polygon{{{lows[0].x, axes.y(lows[0].low)},
                       {lows[1].x, axes.y(lows[1].low)},
                       {highs[1].x, axes.y(high_now)},
                       {highs[0].x, axes.y(high_before)}},
                      pale});
}

/// A line through the means over a pale band from the lowest to the highest sample, and over a paler one of all items where the curve
/// is that of the worst of many.
void draw_curve(Drawing& drawing, const Curve& curve, const Axes& axes, double size) {
  Colour pale = curve.colour;
  pale.opacity = 36;
  const std::vector<Bin> lows = bins_of(curve.times_s, curve.lows, axes, band_pixels),
                         highs = bins_of(curve.times_s, curve.highs, axes, band_pixels);
  for (std::size_t i = 1; i < std::min(lows.size(), highs.size()); ++i)
    add_band_step(drawing, {lows[i - 1], lows[i]}, {highs[i - 1], highs[i]}, axes, pale);
  pale.opacity = 50;
  const std::vector<Bin> bins = bins_of(curve.times_s, curve.values, axes, band_pixels);
  for (std::size_t i = 1; i < bins.size(); ++i)
    add_band_step(drawing, {bins[i - 1], bins[i]}, {bins[i - 1], bins[i]}, axes, pale);
  Stroke line{{}, curve.colour, size / 8.0};
  for (const Bin& bin : bins_of(curve.times_s, curve.values, axes, line_pixels)) {
    if (bin.follows_gap) drawing.add(std::exchange(line, Stroke{{}, curve.colour, size / 8.0}));
    line.points.push_back({bin.x, axes.y(bin.mean)});
  }
  drawing.add(std::move(line));
}

std::pair<double, double> value_ends(const Panel& panel) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : panel.curves) {
    for (const std::vector<double>* values : {&curve.values, &curve.lows, &curve.highs}) {
      for (const double value : *values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  if (!(low <= high)) return {0.0, 1.0};
  if (panel.from_zero) low = std::min(low, 0.0);
  if (high <= panel.most) return {low, panel.most};
  return round_ends(low, high + 0.02 * (high - low), panel.from_zero ? 1e-3 : 2.0);
}

/// Heights in the order of `preferred`, at least `pitch` apart and as near to the preferred heights as possible: neighbours that would
/// touch form one group around the middle of their preferred heights.
std::vector<double> spread_heights(const std::vector<double>& preferred, double pitch) {
  struct Group {
    double bottom = 0.0;  ///< of its lowest
    double count = 1.0;
  };
  std::vector<Group> groups;
  for (const double height : preferred) {
    groups.push_back({height, 1.0});
    while (groups.size() > 1) {
      const Group upper = groups.back(), lower = groups[groups.size() - 2];
      if (upper.bottom >= lower.bottom + pitch * lower.count) break;
      const double count = lower.count + upper.count;
      groups.pop_back();
      groups.back() = {(lower.bottom * lower.count + (upper.bottom - pitch * lower.count) * upper.count) / count,
                       count};
    }
  }
  std::vector<double> heights;
  for (const Group& group : groups)
    for (double k = 0.0; k < group.count; k += 1.0) heights.push_back(group.bottom + k * pitch);
  return heights;
}

/// Over the last twentieth of what the axes show, which may be a part of the run; before a gap at the end the last number.
double mean_at_end(const Curve& curve, const Axes& axes) {
  const auto first = std::ranges::lower_bound(curve.times_s, axes.begin_s) - curve.times_s.begin();
  const auto last = std::ranges::upper_bound(curve.times_s, axes.end_s) - curve.times_s.begin();
  if (first >= last) return axes.low;
  const auto tail = std::max<std::ptrdiff_t>((last - first) / 20, 1);
  double sum = 0.0, count = 0.0;
  for (auto i = last - 1; i >= first; --i) {
    if (i < last - tail && count > 0.0) break;
    const double value = curve.values[std::size_t(i)];
    if (std::isfinite(value)) sum += value, count += 1.0;
  }
  return count > 0.0 ? sum / count : axes.low;
}

/// Names of the curves beside their ends, as near as they can be without touching.
void draw_names(Drawing& drawing, const Panel& panel, const Axes& axes, double size) {
  struct Name {
    const Curve* curve;
    double end_y, y;
  };
  std::vector<Name> names;
  for (const Curve& curve : panel.curves) {
    names.push_back({&curve, axes.y(mean_at_end(curve, axes)), 0.0});
  }
  std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.end_y < b.end_y; });
  const double pitch = 1.35 * size;
  double floor = axes.area.bottom + 0.4 * size;
  std::vector<double> preferred;
  for (const Name& name : names) preferred.push_back(name.end_y);
  const std::vector<double> heights = spread_heights(preferred, pitch);
  for (std::size_t k = 0; k < names.size(); ++k) {
    names[k].y = std::max(heights[k], floor);
    floor = names[k].y + pitch;
  }
  double ceiling = axes.area.top();
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    name->y = std::min(name->y, ceiling);
    ceiling = name->y - pitch;
  }
  const double x = axes.area.right();
  for (const Name& name : names) {
    drawing.add(Stroke{{{x + 0.2 * size, name.end_y}, {x + 0.9 * size, name.y}, {x + 1.6 * size, name.y}},
                       name.curve->colour,
                       size / 6.0});
    drawing.add(Text{name.curve->label, {x + 2.0 * size, name.y}, 0.95 * size, ink::text});
  }
}

/// Width of the widest name with its line.
double names_width(const Timeline& timeline, double size) {
  double width = 0.0;
  for (const Panel& panel : timeline.panels)
    for (const Curve& curve : panel.curves) width = std::max(width, text_width({curve.label, {}, 0.95 * size}));
  return width + 2.0 * size;
}

void draw_grid(Drawing& drawing, const Axes& axes, const std::vector<double>& tick_times_s, double size) {
  drawing.add(filled(axes.area, ink::panel));
  for (const double time_s : tick_times_s)
    drawing.add(Stroke{{{axes.x(time_s), axes.area.bottom}, {axes.x(time_s), axes.area.top()}}, ink::faint});
  const std::vector<double> values = round_ticks(axes.low, axes.high, axes.area.height > 9.0 * size ? 5 : 3);
  const double step = values.size() > 1 ? values[1] - values[0] : 1.0;
  for (const double value : values) {
    const double y = axes.y(value);
    drawing.add(Stroke{{{axes.area.left, y}, {axes.area.right(), y}}, ink::faint});
    drawing.add(Text{tick_text(value, step), {axes.area.left - 0.6 * size, y}, 0.92 * size, ink::quiet, Align::right});
  }
}

void draw_time_axis(Drawing& drawing, const Axes& axes, const TimeUnit& unit, const std::vector<double>& ticks,
                    double size) {
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
  const double y = axes.area.bottom;
  drawing.add(Stroke{{{axes.area.left, y}, {axes.area.right(), y}}, ink::line, 1.5});
  for (const double tick : ticks) {
    const double x = axes.x(tick * unit.seconds);
    drawing.add(Stroke{{{x, y}, {x, y - 0.4 * size}}, ink::line, 1.5});
    drawing.add(Text{tick_text(tick, step), {x, y - 1.2 * size}, 0.92 * size, ink::quiet, Align::centre});
  }
  drawing.add(Text{unit.title, {axes.area.middle_x(), y - 2.7 * size}, size, ink::text, Align::centre});
}

/// Power of the whole run, and where in it the panels are; returns what is left of `area`.
Rectangle draw_overview(Drawing& drawing, const Timeline& timeline, const Rectangle& area, double size) {
  constexpr double height = 4.0, title = 1.9, axis = 2.6;  // of the text's height
  const Panel& panel = timeline.panels.front();
  const auto [low, high] = value_ends(panel);
  const Rectangle plot{area.left, area.top() - (title + height) * size, area.width, height * size};
  const Axes axes{plot, 0.0, timeline.run_end_s, low, high};
  const TimeUnit unit = time_unit(timeline.run_end_s);
  drawing.add(filled(plot, ink::panel));
  drawing.add(filled({axes.x(timeline.begin_s), plot.bottom,
                      std::max(axes.x(timeline.end_s) - axes.x(timeline.begin_s), 2.0), plot.height},
                     ink::line));
  drawing.add(Text{fmt::format("whole run: {} over {}", panel.title, unit.title),
                   {plot.left, plot.top() + 0.9 * size},
                   size,
                   ink::text,
                   Align::left,
                   true});
  draw_curve(drawing, panel.curves.front(), axes, size);
  for (const double tick : time_ticks(0.0, timeline.run_end_s / unit.seconds, unit))
    drawing.add(Text{tick_text(tick, 1.0),
                     {axes.x(tick * unit.seconds), plot.bottom - 1.0 * size},
                     0.85 * size,
                     ink::quiet,
                     Align::centre});
  return {area.left, area.bottom, area.width, area.height - (title + height + axis) * size};
}

/// Height of a panel of share 1 where all share `height`, each under a head.
double unit_of(std::span<const Panel> panels, double height, double head) {
  double shares = 0.0;
  for (const Panel& panel : panels) shares += panel.height_share;
  return (height - double(panels.size()) * head) / shares;
}

/// The first so many whose names of curves have room beside them.
std::span<const Panel> panels_with_room(std::span<const Panel> panels, double height, double head, double size) {
  constexpr double least = 3.4;  // of the text's height
  while (panels.size() > 2 && unit_of(panels, height, head) < least * size) panels = panels.first(panels.size() - 1);
  return panels;
}

}  // namespace

void draw_timeline(Drawing& drawing, const Timeline& timeline, const Rectangle& area, double size) {
  if (timeline.panels.empty() || !(timeline.end_s > 0.0)) return;
  const double axis_width = 3.6 * size, axis_height = 3.4 * size, head = 2.2 * size;
  const double left = area.left + axis_width, right = area.right() - names_width(timeline, size);
  Rectangle free = area;
  if (timeline.is_zoomed()) {
    free = draw_overview(drawing, timeline, {left, area.bottom, right - left, area.height}, size);
    free = {area.left, free.bottom, area.width, free.height};
  }
  const EventSummaryRoom room{free, left, right, timeline.begin_s, timeline.end_s, size};
  const PlacedEvents event_lines = place_events(timeline.event_lines, timeline.shown_s, room);
  const double band = height_of(event_lines, size), numbers = height_of_numbers(event_lines, size);
  const double gap = 0.6 * size, above = axis_height + band + numbers;
  const std::span<const Panel> panels = panels_with_room(timeline.panels, free.height - above, head + gap, size);
  const double unit_height = unit_of(panels, free.height - above, head + gap);
  const TimeUnit unit = time_unit(timeline.end_s);
  const std::vector<double> ticks = time_ticks(timeline.begin_s / unit.seconds, timeline.end_s / unit.seconds, unit);
  std::vector<double> tick_times_s = ticks;
  for (double& tick : tick_times_s) tick *= unit.seconds;

  std::vector<Axes> all;
  std::vector<Rectangle> plots;
  double top = free.top() - band - numbers;
  for (const Panel& panel : panels) {
    const double height = unit_height * panel.height_share;
    const auto [low, high] = value_ends(panel);
    plots.push_back({left, top - head - height, right - left, height});
    all.push_back({plots.back(), timeline.begin_s, timeline.end_s, low, high});
    draw_grid(drawing, all.back(), tick_times_s, size);
    top = plots.back().bottom - gap;
  }
  draw_events(drawing, event_lines, room, plots);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double title_y = plots[i].top() + 0.9 * size + (i == 0 ? numbers : 0.0);
    drawing.add(Text{panels[i].title, {left, title_y}, size, ink::text, Align::left, true});
    for (const Curve& curve : panels[i].curves) draw_curve(drawing, curve, all[i], size);
    draw_names(drawing, panels[i], all[i], size);
  }
  draw_time_axis(drawing, all.back(), unit, ticks, size);
}

}  // namespace wattloop::viz
