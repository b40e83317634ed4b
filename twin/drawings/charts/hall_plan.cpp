#include "twin/drawings/charts/hall_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/meaning_colours.hpp"

namespace wattloop::twin {

namespace {

constexpr double zero_celsius_k = 273.15, low_c = 30.0, high_c = 95.0;

constexpr double most_difference_k = 20.0;
constexpr double least_margin_k = -10.0, most_margin_k = 30.0;

/// Colour at a share of the way along stops at equal distances; outside 0 to 1 that of the nearer end.
template <std::size_t count>
std::string colour_between(std::span<const std::array<double, 3>, count> stops, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(std::lerp(stops[k][c], stops[k + 1][c], place - static_cast<double>(k))));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

struct Shown {
  std::function<std::string(double)> colour;
  std::function<std::string(double)> text;
};

/// What a plan says of one rack.
struct RackSaid {
  double value = std::numeric_limits<double>::quiet_NaN();
  double down_gpus = 0.0, throttled_gpus = 0.0;
  std::string_view more{};             ///< behind the value; may be empty
  const PlanShares* shares = nullptr;  ///< what is shown instead of the value
};

using SaidOfRacks = std::map<std::string_view, RackSaid>;

constexpr std::string_view equipment_colour = "#8d9db0", idle_colour = "#d7dde4", failed_colour = "#ffffff",
                           equipment_line = "#4b5866", dark_ink = "#1f2933";

std::string_view colour_of_condition(PartCondition condition) {
  switch (condition) {
    case PartCondition::carrying:
      return meaning::battery;
    case PartCondition::idle:
      return idle_colour;
    case PartCondition::failed:
      return failed_colour;
    default:
      return equipment_colour;
  }
}

std::string_view word_of_condition(PartCondition condition) {
  static constexpr std::array<std::string_view, 5> words{"runs", "carries the load", "impaired", "idle", "failed"};
  return words.at(static_cast<std::size_t>(condition));
}

/// Slanted lines `pitch_m` apart.
std::string hatching(std::string_view id, double pitch_m, std::string_view colour) {
  return fmt::format(
      "<pattern id='{0}' width='{1}' height='{1}' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'><rect "
      "width='0.14' height='{1}' fill='{2}'/></pattern>",
      id, pitch_m, colour);
}

/// Is a colour "#rrggbb" one on which dark lines are seen better than white ones, by contrast as WCAG 2.1 defines it?
bool is_pale(const std::string& colour) {
  double light = 0.0;
  for (const auto& [at, weight] : {std::pair(1U, 0.2126), {3U, 0.7152}, {5U, 0.0722}}) {
    const double part = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    light += weight * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  constexpr double between = 0.224;  // from there white and the dark ink have the same contrast, 3.8 : 1
  return light > between;
}

const PlanShare& largest_of(const PlanShares& shares) {
  return *std::ranges::max_element(shares.shares, {}, &PlanShare::share);
}

/// Draws boxes of racks and of equipment, and remembers what they take of the floor and where rows begin.
class Plan {
 public:
  Plan(const SaidOfRacks& said, const Shown& how) : said_(said), how_(how) {}

  void add_part(const LayoutBox& box, const PlanPart& part) {
    const double x = box.centre_m[0] - box.size_m[0] / 2, y = box.centre_m[1] - box.size_m[1] / 2;
    include(box);
    std::string words = fmt::format("{}: {}", box.name, word_of_condition(part.condition));
    if (!part.words.empty()) words += ", " + part.words;
    draw(x, y, box, std::string(colour_of_condition(part.condition)), page_text(words), outlined);
    if (part.condition == PartCondition::idle) draw(x, y, box, "url(#idle)", {});
    const double right = x + box.size_m[0], high = y + box.size_m[1];
    if (part.condition == PartCondition::failed)
      stroke(fmt::format("M{0:.2f} {1:.2f}L{2:.2f} {3:.2f}M{0:.2f} {3:.2f}L{2:.2f} {1:.2f}", x, y, right, high));
    if (part.condition == PartCondition::impaired)
      stroke(fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", x, high, right, y));
    if (box.kind == "cdu" && part.condition != PartCondition::failed) note_number(box);
  }

  void add(const LayoutBox& box) {
    const double x = box.centre_m[0] - box.size_m[0] / 2, y = box.centre_m[1] - box.size_m[1] / 2;
    include(box);
    const auto known = said_.find(box.name);
    const RackSaid rack = known == said_.end() ? RackSaid{} : known->second;
    const bool is_rack = box.kind == "rack";
    std::string words = !is_rack ? "switches" : std::isfinite(rack.value) ? how_.text(rack.value) : "not recorded";
    if (rack.shares != nullptr) words = page_text(rack.shares->words);
    if (!rack.more.empty()) words += fmt::format(" to {}", page_text(rack.more));
    if (rack.down_gpus > 0.0) words += fmt::format(", {:.0f} GPUs down", rack.down_gpus);
    if (rack.throttled_gpus > 0.0) words += fmt::format(", {:.0f} GPUs throttled", rack.throttled_gpus);
    words.insert(0, page_text(box.name) + ": ");
    const std::string ground = rack.shares != nullptr && !rack.shares->shares.empty() ? largest_of(*rack.shares).colour
                               : is_rack                                              ? how_.colour(rack.value)
                                                                                      : "#9aa0a6";
    if (rack.shares != nullptr)
      draw_shares(x, y, box, {rack.shares->shares, words});
    else
      draw(x, y, box, ground, words);
    if (rack.down_gpus > 0.0) draw(x, y, box, is_pale(ground) ? "url(#down_dark)" : "url(#down)", {});
    if (rack.throttled_gpus > 0.0) draw_foot(x, y, box);
    if (is_rack && box.name.starts_with("row_")) note_row(box, x);
  }

  std::string svg() const {
    if (boxes_.empty()) return {};
    std::string numbers;
    for (const auto& [row, begin] : rows_)
      numbers += fmt::format("<text x='{:.2f}' y='{:.2f}' font-size='0.9' text-anchor='end' fill='#555'>{}</text>\n",
                             left_ - 0.25, begin[1] + 0.3, page_text(row));
    constexpr double beside = 1.4;
    return fmt::format("<svg class='plan' viewBox='{:.2f} {:.2f} {:.2f} {:.2f}'>\n<defs>{}{}{}</defs>\n{}{}</svg>\n",
                       left_ - beside, low_ - 0.5, right_ - left_ + beside + 0.5, high_ - low_ + 1.0,
                       hatching("down", 0.3, "#fff"), hatching("down_dark", 0.3, dark_ink),
                       hatching("idle", 0.4, equipment_line), boxes_, numbers + numbers_);
  }

 private:
  void include(const LayoutBox& box) {
    left_ = std::min(left_, box.centre_m[0] - box.size_m[0] / 2);
    right_ = std::max(right_, box.centre_m[0] + box.size_m[0] / 2);
    low_ = std::min(low_, box.centre_m[1] - box.size_m[1] / 2);
    high_ = std::max(high_, box.centre_m[1] + box.size_m[1] / 2);
  }

  void draw(double x, double y, const LayoutBox& box, const std::string& fill, const std::string& words,
            std::string_view look = {}) {
    boxes_ += fmt::format("<rect{} x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}' fill='{}'>{}</rect>\n", look, x,
                          y, box.size_m[0], box.size_m[1], fill, words.empty() ? "" : "<title>" + words + "</title>");
  }

  /// One behind the other from the front of the rack; `shares.words` is text of the page.
  void draw_shares(double x, double y, const LayoutBox& box, const PlanShares& shares) {
    for (const PlanShare& one : shares.shares) {
      LayoutBox part = box;
      part.size_m[1] *= one.share;
      draw(x, y, part, one.colour, shares.words);
      y += part.size_m[1];
    }
  }

  /// Dark on a pale rim.
  void stroke(const std::string& way) {
    boxes_ += fmt::format(
        "<path class='broken' d='{0}' fill='none' stroke='#fff' stroke-width='0.4'/><path d='{0}' fill='none' "
        "stroke='#111' stroke-width='0.18'/>\n",
        way);
  }

  /// On the equipment itself: "3" of "cdu_3".
  void note_number(const LayoutBox& box) {
    const double size = 0.75 * std::min(box.size_m[0], box.size_m[1]);
    numbers_ += fmt::format(
        "<text x='{:.2f}' y='{:.2f}' font-size='{:.2f}' text-anchor='middle' fill='#111' stroke='#fff' "
        "stroke-width='0.12' paint-order='stroke'>{}</text>\n",
        box.centre_m[0], box.centre_m[1] + 0.35 * size, size, page_text(box.name.substr(box.name.rfind('_') + 1)));
  }

  void draw_foot(double x, double y, const LayoutBox& box) {
    constexpr double share = 0.2;
    const double height = share * box.size_m[1];
    boxes_ += fmt::format(
        "<rect x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}' fill='{}' stroke='#fff' stroke-width='0.03'/>\n", x,
        y + box.size_m[1] - height, box.size_m[0], height, meaning::throttled);
  }

  void note_row(const LayoutBox& box, double x) {
    const std::string row = box.name.substr(4, box.name.find('.') - 4);
    const auto [known, is_new] = rows_.try_emplace(row, std::array<double, 2>{x, box.centre_m[1]});
    if (!is_new && x < known->second[0]) known->second = {x, box.centre_m[1]};
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr std::string_view outlined = " class='part' stroke='#4b5866' stroke-width='0.06'";
  const SaidOfRacks& said_;
  const Shown& how_;
  double left_ = infinity, right_ = -infinity, low_ = infinity, high_ = -infinity;
  std::string boxes_{}, numbers_{};
  std::map<std::string, std::array<double, 2>> rows_{};  ///< leftmost rack of each
};

std::string plan_of(std::span<const LayoutBox> layout, const SaidOfRacks& said, const Shown& how,
                    const PlanParts& parts = {}) {
  Plan plan(said, how);
  for (const LayoutBox& box : layout) {
    if (box.kind == "rack" || box.kind == "network_rack") plan.add(box);
    if (const auto part = parts.find(box.name); part != parts.end()) plan.add_part(box, part->second);
  }
  return plan.svg();
}

SaidOfRacks said_of(std::span<const std::string> racks, std::span<const float> values, std::span<const float> down,
                    std::span<const float> throttled) {
  SaidOfRacks said;
  const auto at = [](std::span<const float> all, std::size_t i) {
    return all.empty() ? 0.0 : static_cast<double>(all[i]);
  };
  for (std::size_t i = 0; i < racks.size(); ++i)
    said[racks[i]] = {static_cast<double>(values[i]), at(down, i), at(throttled, i)};
  return said;
}

}  // namespace

std::string heat_colour(double temperature_k) {
  static constexpr std::array<std::array<double, 3>, 8> stops{{{70, 3, 159},
                                                               {114, 1, 168},
                                                               {156, 23, 158},
                                                               {189, 55, 134},
                                                               {216, 87, 107},
                                                               {237, 121, 83},
                                                               {251, 159, 58},
                                                               {253, 202, 38}}};  // plasma of [vanderwalt2015]
  if (!std::isfinite(temperature_k)) return "#bbbbbb";
  return colour_between(std::span(stops), (temperature_k - zero_celsius_k - low_c) / (high_c - low_c));
}

std::string hall_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                      std::span<const float> die_temperatures_k, std::span<const float> down_gpus,
                      std::span<const float> throttled_gpus, const PlanParts& parts) {
  return plan_of(layout, said_of(racks, die_temperatures_k, down_gpus, throttled_gpus),
                 {heat_colour, [](double k) { return format_quantity(k, "K"); }}, parts);
}

std::string margin_colour(double margin_k) {
  static constexpr std::array<std::array<double, 3>, 9> stops{{{180, 4, 38},
                                                               {222, 96, 77},
                                                               {244, 154, 123},
                                                               {245, 196, 173},
                                                               {221, 221, 221},
                                                               {184, 208, 249},
                                                               {141, 176, 254},
                                                               {98, 130, 234},
                                                               {59, 76, 192}}};  // warm to cool of [moreland2009]
  if (!std::isfinite(margin_k)) return "#bbbbbb";
  return colour_between(std::span(stops), (margin_k - least_margin_k) / (most_margin_k - least_margin_k));
}

std::string quiet_colour(double margin_k, const std::array<double, 2>& ends_k) {
  if (!std::isfinite(margin_k)) return "#bbbbbb";
  const double share = (margin_k - ends_k[0]) / (ends_k[1] - ends_k[0]);
  constexpr double grey_k = 10.0;  // from there to the end of the scale of margins
  return margin_colour(std::lerp(grey_k, most_margin_k, std::clamp(share, 0.0, 1.0)));
}

std::string margin_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                        std::span<const float> margins_k, std::span<const std::string> limits,
                        std::span<const float> down_gpus, std::span<const float> throttled_gpus, const PlanParts& parts,
                        const MarginEnds& quiet) {
  SaidOfRacks said = said_of(racks, margins_k, down_gpus, throttled_gpus);
  for (std::size_t i = 0; i < racks.size(); ++i) said[racks[i]].more = limits[i];
  const auto colour = [&](double margin_k) { return quiet ? quiet_colour(margin_k, *quiet) : margin_colour(margin_k); };
  return plan_of(layout, said, {colour, [](double k) { return fmt::format("{:.1f} K", k); }}, parts);
}

std::string share_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                       std::span<const PlanShares> shares, std::span<const float> down_gpus,
                       std::span<const float> throttled_gpus, const PlanParts& parts) {
  const std::vector<float> no_values(racks.size(), std::numeric_limits<float>::quiet_NaN());
  SaidOfRacks said = said_of(racks, no_values, down_gpus, throttled_gpus);
  for (std::size_t i = 0; i < racks.size(); ++i) said[racks[i]].shares = &shares[i];
  return plan_of(layout, said, {}, parts);
}

std::string margin_scale() {
  std::string svg = "<svg class='scale' viewBox='0 0 700 40' role='img' aria-label='Colours from -10 to 30 K'>\n";
  for (int step = 0; step < 40; ++step)
    svg += fmt::format("<rect x='{}' y='0' width='16.5' height='16' fill='{}'/>\n", 20 + step * 16,
                       margin_colour(step + 0.5 + least_margin_k));
  for (const int k : {-10, 0, 10, 20, 30})
    svg += fmt::format(
        "<path d='M{0} 0V20' stroke='#000' stroke-width='{2}'/><text x='{0}' y='34' text-anchor='middle'>{1}</text>\n",
        20 + (k + 10) * 16, k == 0 ? "0: limit" : fmt::format("{:+d} K", k), k == 0 ? 3 : 1);
  return svg + "</svg>\n";
}

std::string quiet_scale(const std::array<double, 2>& ends_k) {
  constexpr int steps = 40;
  std::string svg =
      fmt::format("<svg class='scale' viewBox='0 0 700 40' role='img' aria-label='Colours from {:g} to {:g} K'>\n",
                  ends_k[0], ends_k[1]);
  for (int step = 0; step < steps; ++step)
    svg += fmt::format("<rect x='{}' y='0' width='16.5' height='16' fill='{}'/>\n", 20 + step * 16,
                       quiet_colour(std::lerp(ends_k[0], ends_k[1], (step + 0.5) / steps), ends_k));
  for (const int part : {0, 1, 2})
    svg += fmt::format("<path d='M{0} 0V20' stroke='#000'/><text x='{0}' y='34' text-anchor='middle'>{1:+g} K</text>\n",
                       20 + part * 320, std::lerp(ends_k[0], ends_k[1], 0.5 * part));
  return svg + "</svg>\n";
}

std::string difference_colour(double difference_k) {
  static constexpr std::array<std::array<double, 3>, 5> stops{{{59, 76, 192},
                                                               {141, 176, 254},
                                                               {221, 221, 221},
                                                               {244, 154, 123},
                                                               {180, 4, 38}}};  // cool to warm of [moreland2009]
  if (!std::isfinite(difference_k)) return "#eeeeee";
  return colour_between(std::span(stops), (difference_k + most_difference_k) / (2.0 * most_difference_k));
}

std::string difference_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                            std::span<const float> differences_k) {
  return plan_of(layout, said_of(racks, differences_k, {}, {}),
                 {difference_colour, [](double k) { return fmt::format("{:+.2f} K", k); }});
}

std::string difference_scale() {
  std::string svg = "<svg class='scale' viewBox='0 0 700 40'>\n";
  for (int step = 0; step < 40; ++step)
    svg += fmt::format("<rect x='{}' y='0' width='16.5' height='16' fill='{}'/>\n", 20 + step * 16,
                       difference_colour(step + 0.5 - most_difference_k));
  for (const int k : {-20, -10, 0, 10, 20})
    svg += fmt::format("<path d='M{0} 0V20' stroke='#000'/><text x='{0}' y='34' text-anchor='middle'>{1:+d}</text>\n",
                       20 + (k + 20) * 16, k);
  return svg + "</svg>\n";
}

std::string heat_scale() {
  std::string svg = "<svg class='scale' viewBox='0 0 700 40'>\n";
  for (int c = 30; c < 95; ++c) {
    svg += fmt::format("<rect x='{}' y='0' width='10.5' height='16' fill='{}'/>\n", 20 + (c - 30) * 10,
                       heat_colour(c + 0.5 + zero_celsius_k));
  }
  for (const int c : {30, 50, 70, 87, 89, 95}) {
    const int x = 20 + (c - 30) * 10;
    const char* anchor = c == 87 ? "end" : c == 89 ? "start" : "middle";
    svg += fmt::format("<path d='M{0} 0V20' stroke='#000'/><text x='{0}' y='34' text-anchor='{2}'>{1}</text>\n", x, c,
                       anchor);
  }
  return svg + "</svg>\n";
}

}  // namespace wattloop::twin
