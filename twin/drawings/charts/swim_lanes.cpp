#include "twin/drawings/charts/swim_lanes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/tables/time_of_run.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/drawings/charts/time_axis.hpp"
#include "twin/drawings/names/fitted_text.hpp"
#include "twin/drawings/names/meaning_colours.hpp"

namespace wattloop::twin {

namespace {

constexpr double least_label_width = 120, lanes_width = 740, lane_height = 20, bar_height = 15, character_width = 6.6;
constexpr std::size_t longest_line = 44;  ///< letters of a name before it goes on in a second line

struct LaneLook {
  std::string_view words, colour, ink;
};

/// In the order of `LaneState`; colours of Okabe and Ito, which the colour-blind distinguish. Words stand out from each by 4.5 : 1.
constexpr std::array<LaneLook, 12> looks{{{"runs", "#56b4e9", "#000"},
                                          {"stands", "#dddddd", "#000"},
                                          {"disabled", "#bbbbbb", "#000"},
                                          {"failed", "#d55e00", "#000"},
                                          {"off, open or down", "#333333", "#fff"},
                                          {"some down", "#808080", "#000"},
                                          {"on battery", meaning::battery, "#000"},
                                          {"throttled", meaning::throttled, "#fff"},
                                          {"runs in part", "#009e73", "#000"},
                                          {"not recorded", "#ffffff", "#000"},
                                          {"waits", "#f0e442", "#000"},
                                          {"stopped", "#d55e00", "#000"}}};

const LaneLook& look_of(LaneState state) { return looks.at(static_cast<std::size_t>(state)); }

std::string bar(const LaneSpan& span, const Lane& lane, double x, double wide, double y) {
  const LaneLook& look = look_of(span.state);
  const std::string words = span.words.empty() ? std::string(look.words) : span.words;
  std::string text = fmt::format(
      "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' fill='{}'><title>{}: {}, {} to {}</title></rect>\n", x, y,
      std::max(wide, 1.0), bar_height, look.colour, page_text(lane.title), page_text(words), time_of_run(span.begin_s),
      time_of_run(span.end_s));
  const bool has_room = wide > character_width * static_cast<double>(words.size() + 2);
  if (has_room && span.state != LaneState::not_recorded)
    text += fmt::format("<text x='{:.1f}' y='{:.1f}' fill='{}' font-size='11'>{}</text>\n", x + 5, y + bar_height - 4,
                        look.ink, page_text(words));
  return text;
}

/// A name in one line, or in two where it is long.
std::vector<std::string> lines_of(const std::string& title) {
  if (title.size() <= longest_line) return {title};
  const std::size_t middle = title.rfind(' ', std::max(title.size() / 2 + 4, longest_line / 2));
  if (middle == std::string::npos) return {title};
  return {title.substr(0, middle), title.substr(middle + 1)};
}

/// As wide as the longest name needs.
double label_width_of(std::span<const Lane> lanes) {
  double width = least_label_width;
  for (const Lane& lane : lanes)
    for (const std::string& line : lines_of(lane.title))
      width = std::max(width, 16.0 + character_width * static_cast<double>(line.size()));
  return width;
}

std::string label(const std::string& title, double x, double y) {
  const std::vector<std::string> lines = lines_of(title);
  const bool are_two = lines.size() > 1;
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k)
    text += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'{}>{}</text>\n", x,
                        y + bar_height - 3.5 + (are_two ? 10.0 * static_cast<double>(k) - 5.0 : 0.0),
                        are_two ? " font-size='10'" : "", page_text(lines[k]));
  return text;
}

struct Legend {
  std::string svg{};
  double height = 0.0;
};

/// A square and its words side by side, in as many lines as these need.
Legend legend(const std::set<LaneState>& shown, double left, double right, double y) {
  constexpr double line_height = 18.0;
  Legend drawn{.height = line_height};
  double x = left;
  for (const LaneState state : shown) {
    const LaneLook& look = look_of(state);
    const double width = 34 + character_width * static_cast<double>(look.words.size());
    if (x > left && x + width > right) {
      x = left;
      drawn.height += line_height;
    }
    const double top = y + drawn.height - line_height;
    drawn.svg += fmt::format(
        "<rect x='{0:.1f}' y='{1:.1f}' width='12' height='12' fill='{2}' stroke='#999'/>"
        "<text x='{3:.1f}' y='{4:.1f}'>{5}</text>\n",
        x, top, look.colour, x + 17, top + 10.5, look.words);
    x += width;
  }
  return drawn;
}

}  // namespace

std::string swim_lanes(std::span<const Lane> lanes, double begin_s, double end_s) {
  if (lanes.empty() || !(end_s > begin_s)) return {};
  const double label_width = label_width_of(lanes);
  const auto x_of = [&](double time_s) {
    return label_width + lanes_width * (std::clamp(time_s, begin_s, end_s) - begin_s) / (end_s - begin_s);
  };
  const double bottom = lane_height * static_cast<double>(lanes.size());
  std::string body;
  for (const TimeTick& tick : time_ticks(begin_s, end_s)) {
    body += fmt::format(
        "<path d='M{0:.1f} 0V{1:.1f}' stroke='#bbb' stroke-width='.7'/>"
        "<text x='{0:.1f}' y='{2:.1f}' text-anchor='middle'>{3}</text>\n",
        x_of(tick.time_s), bottom + 4, bottom + 18, tick.words);
  }
  std::set<LaneState> shown;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const double y = lane_height * static_cast<double>(k) + (lane_height - bar_height) / 2;
    body += label(lanes[k].title, label_width - 8, y);
    for (const LaneSpan& span : lanes[k].spans) {
      shown.insert(span.state);
      body += bar(span, lanes[k], x_of(span.begin_s), x_of(span.end_s) - x_of(span.begin_s), y);
    }
  }
  const double width = label_width + lanes_width + 30;
  const Legend below = legend(shown, label_width, width, bottom + 26);
  return fmt::format("<svg class='lanes' viewBox='0 -2 {} {:.0f}' font-size='12'>\n{}{}</svg>\n", width,
                     bottom + 28 + below.height, body, below.svg);
}

std::string narrow_swim_lanes(std::span<const Lane> lanes, double begin_s, double end_s) {
  if (lanes.empty() || !(end_s > begin_s)) return {};
  constexpr double edge = 8, across = phone_width - 2 * edge, letters = 12, line = 15;
  constexpr std::size_t most_lines = 3;
  const auto x_of = [&](double time_s) {
    return edge + across * (std::clamp(time_s, begin_s, end_s) - begin_s) / (end_s - begin_s);
  };
  std::string body;
  std::set<LaneState> shown;
  double y = 0.0;
  for (const Lane& lane : lanes) {
    for (const FittedLine& title : fitted_lines(lane.title, across / svg_letters, letters, most_lines)) {
      y += line;
      body += fmt::format("<text x='{}' y='{:.1f}'>{}</text>\n", edge, y - 3.0, page_text(title.text));
    }
    for (const LaneSpan& span : lane.spans) {
      shown.insert(span.state);
      body += bar(span, lane, x_of(span.begin_s), x_of(span.end_s) - x_of(span.begin_s), y);
    }
    y += bar_height + 5;
  }
  double free_x = 0.0;  // behind the label before
  for (const TimeTick& tick : time_ticks(begin_s, end_s)) {
    const double x = x_of(tick.time_s), wide = svg_letters * letters * letters_width(tick.words);
    const double left = std::clamp(x - wide / 2, 0.0, phone_width - wide);
    const bool is_at_end = x + wide / 2 > phone_width;
    body += fmt::format("<path d='M{0:.1f} {1:.1f}V{2:.1f}' stroke='#777' stroke-width='.8'/>\n", x, y - 3.0, y + 3.0);
    if (left < free_x) continue;
    body += fmt::format("<text x='{:.1f}' y='{:.1f}'{}>{}</text>\n", is_at_end ? phone_width : left, y + 15.0,
                        is_at_end ? " text-anchor='end'" : "", tick.words);
    free_x = left + wide + 6.0;
  }
  const Legend below = legend(shown, edge, phone_width, y + 24.0);
  return fmt::format("<svg class='phone_lanes' viewBox='0 -2 {} {:.0f}' font-size='{}'>\n{}{}</svg>\n", phone_width,
                     y + 28.0 + below.height, letters, body, below.svg);
}

std::vector<LaneSpan> lane_spans(std::span<const double> times_s, std::span<const LaneState> states, double end_s) {
  std::vector<LaneSpan> spans;
  for (std::size_t k = 0; k < std::min(times_s.size(), states.size()); ++k) {
    if (spans.empty() || spans.back().state != states[k]) {
      if (!spans.empty()) spans.back().end_s = times_s[k];
      spans.push_back({times_s[k], times_s[k], states[k], {}});
    }
  }
  if (!spans.empty()) spans.back().end_s = std::max(end_s, spans.back().begin_s);
  return spans;
}

}  // namespace wattloop::twin
