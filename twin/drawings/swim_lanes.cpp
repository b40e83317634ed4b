#include "twin/drawings/swim_lanes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/time_of_run.hpp"
#include "twin/drawings/page_text.hpp"
#include "twin/drawings/time_axis.hpp"

namespace wattloop::twin {

namespace {

constexpr double label_width = 260, lanes_width = 740, lane_height = 20, bar_height = 15, character_width = 6.6;

struct Look {
  std::string_view words, colour, ink;
};

/// In the order of `LaneState`; colours of Okabe and Ito, which the colour-blind tell apart.
constexpr std::array<Look, 8> looks{{{"runs", "#56b4e9", "#000"},
                                     {"stands", "#dddddd", "#000"},
                                     {"failed", "#d55e00", "#fff"},
                                     {"off", "#333333", "#fff"},
                                     {"on battery", "#e69f00", "#000"},
                                     {"slowed", "#f0e442", "#000"},
                                     {"runs in part", "#009e73", "#fff"},
                                     {"not recorded", "#ffffff", "#000"}}};

const Look& look_of(LaneState state) { return looks.at(static_cast<std::size_t>(state)); }

std::string bar(const LaneSpan& span, const Lane& lane, double x, double wide, double y) {
  const Look& look = look_of(span.state);
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

std::string legend(const std::set<LaneState>& shown, double y) {
  std::string text;
  double x = label_width;
  for (const LaneState state : shown) {
    const Look& look = look_of(state);
    text += fmt::format(
        "<rect x='{0:.1f}' y='{1:.1f}' width='12' height='12' fill='{2}' stroke='#999'/>"
        "<text x='{3:.1f}' y='{4:.1f}'>{5}</text>\n",
        x, y, look.colour, x + 17, y + 10.5, look.words);
    x += 34 + character_width * static_cast<double>(look.words.size());
  }
  return text;
}

}  // namespace

std::string swim_lanes(std::span<const Lane> lanes, double begin_s, double end_s) {
  if (lanes.empty() || !(end_s > begin_s)) return {};
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
    body += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>\n", label_width - 8,
                        y + bar_height - 3.5, page_text(lanes[k].title));
    for (const LaneSpan& span : lanes[k].spans) {
      shown.insert(span.state);
      body += bar(span, lanes[k], x_of(span.begin_s), x_of(span.end_s) - x_of(span.begin_s), y);
    }
  }
  return fmt::format("<svg class='lanes' viewBox='0 -2 {} {:.0f}' font-size='12'>\n{}{}</svg>\n",
                     label_width + lanes_width + 30, bottom + 46, body, legend(shown, bottom + 26));
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
