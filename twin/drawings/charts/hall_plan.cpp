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
#include "twin/drawings/names/plan_label.hpp"

namespace wattloop::twin {

namespace {

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
    case PartCondition::dead:
      return idle_colour;
    case PartCondition::failed:
      return failed_colour;
    default:
      return equipment_colour;
  }
}

std::string_view word_of_condition(PartCondition condition) {
  static constexpr std::array<std::string_view, 6> words{"runs", "carries the load", "impaired",
                                                         "idle", "without power",    "failed"};
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
    if (!part.beyond.empty()) words += ", beyond a limit: " + part.beyond;
    const bool is_hatched = part.condition == PartCondition::idle || part.condition == PartCondition::dead;
    draw(x, y, box, std::string(colour_of_condition(part.condition)), page_text(words), outlined);
    if (is_hatched) draw(x, y, box, "url(#idle)", {});
    const double right = x + box.size_m[0], high = y + box.size_m[1];
    if (part.condition == PartCondition::failed)
      stroke(fmt::format("M{0:.2f} {1:.2f}L{2:.2f} {3:.2f}M{0:.2f} {3:.2f}L{2:.2f} {1:.2f}", x, y, right, high));
    if (part.condition == PartCondition::impaired)
      stroke(fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", x, high, right, y));
    if (!part.beyond.empty()) draw(x, y, box, "none", {}, beyond_limit);
    if (part.condition != PartCondition::failed || box.kind == "storage_rack")
      note_label(box, is_hatched || part.condition == PartCondition::impaired);
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
    constexpr double beside = 1.4;
    const double on_phone_m = size_on_phone(right_ - left_ + beside + 0.5);
    return fmt::format("<svg class='plan' viewBox='{:.2f} {:.2f} {:.2f} {:.2f}'>\n<defs>{}{}{}</defs>\n{}{}</svg>\n",
                       left_ - beside, low_ - 0.5, right_ - left_ + beside + 0.5, high_ - low_ + 1.0,
                       hatching("down", 0.3, "#fff"), hatching("down_dark", 0.3, dark_ink),
                       hatching("idle", 0.4, equipment_line), boxes_, row_numbers(on_phone_m) + labels(on_phone_m));
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

  struct Label {
    std::string words{}, kind{};
    double x_m = 0.0, y_m = 0.0;  ///< middle of its foot
    std::array<double, 2> box_m{};
    LabelPlace place{};
    bool is_on_lines = false, is_always = false;
  };

  /// On the equipment itself; of racks of storage, which are narrow, above it.
  void note_label(const LayoutBox& box, bool is_on_lines) {
    constexpr double least_m = 0.4, most_m = 0.95, of_storage_m = 0.7;
    Label label{.words = plan_label(box.kind, box.name),
                .kind = box.kind,
                .x_m = box.centre_m[0],
                .box_m = {box.size_m[0], box.size_m[1]},
                .place = label_place(plan_label(box.kind, box.name), box.size_m[0], box.size_m[1], least_m, most_m),
                .is_on_lines = is_on_lines,
                .is_always = box.kind == "cdu"};
    if (box.kind == "storage_rack") {
      label.place = {of_storage_m, false};
      label.is_always = true;
      label.y_m = box.centre_m[1] - box.size_m[1] / 2 - 0.15 * of_storage_m;
      low_ = std::min(low_, label.y_m - of_storage_m);
    } else {
      label.y_m = box.centre_m[1] + 0.35 * label.place.size;
    }
    if (!label.words.empty()) labels_.push_back(std::move(label));
  }

  /// Letters of a plan that is `wide_m` wide that have nine pixels on a telephone, with the margins of its page.
  static double size_on_phone(double wide_m) {
    constexpr double least_px = 9.2, column_px = 358.0;
    return least_px / column_px * wide_m;
  }

  /// Left of the rows; on a telephone only those that have room.
  std::string row_numbers(double on_phone_m) const {
    std::string numbers;
    std::vector<std::array<double, 2>> kept;
    for (const auto& [row, begin] : rows_) {
      const bool has_room = std::ranges::none_of(kept, [&](const std::array<double, 2>& other) {
        return std::abs(other[0] - begin[0]) < 2.5 * on_phone_m && std::abs(other[1] - begin[1]) < 1.1 * on_phone_m;
      });
      if (has_room) kept.push_back(begin);
      numbers += fmt::format(
          "<text{} x='{:.2f}' y='{:.2f}' font-size='0.9' style='--phone:{:.2f}px' text-anchor='end' "
          "fill='#555'>{}</text>\n",
          has_room ? "" : " class='fine'", left_ - 0.25, begin[1] + 0.3, std::max(0.9, on_phone_m), page_text(row));
    }
    return numbers;
  }

  /// Does it keep within its box on a telephone, too?
  static bool has_room_on_phone(const Label& label, double on_phone_m) {
    if (label.place.size >= on_phone_m) return true;
    const LabelPlace place = label_place(label.words, label.box_m[0], label.box_m[1], on_phone_m, on_phone_m);
    return place.size > 0.0 && place.is_upright == label.place.is_upright;
  }

  /// On a wide rim where lines are behind it. In a wide hall small ones could not be read.
  std::string labels(double on_phone_m) const {
    constexpr double least_share = 0.022;         // of the width of the hall: 7 pixels of three plans side by side
    std::map<std::string_view, double> smallest;  // of a kind all have a label, or none
    std::map<std::string_view, bool> is_on_phone;
    for (const Label& label : labels_) {
      double& size = smallest.try_emplace(label.kind, label.place.size).first->second;
      size = std::min(size, label.place.size);
      bool& fits = is_on_phone.try_emplace(label.kind, true).first->second;
      fits = fits && has_room_on_phone(label, on_phone_m);
    }
    std::string text;
    for (const Label& label : labels_) {
      const bool has_room = label.place.size > 0.0 && smallest[label.kind] >= least_share * (right_ - left_);
      if (!has_room && !(label.is_always && label.place.size > 0.0)) continue;
      const double middle_m = label.y_m - 0.35 * label.place.size;
      const std::string turn =
          label.place.is_upright ? fmt::format(" transform='rotate(-90 {:.2f} {:.2f})'", label.x_m, middle_m) : "";
      text += fmt::format(
          "<text{} x='{:.2f}' y='{:.2f}' font-size='{:.2f}' style='--phone:{:.2f}px' text-anchor='middle' fill='#111' "
          "stroke='#fff' stroke-width='{}' stroke-linejoin='round' paint-order='stroke'{}>{}</text>\n",
          is_on_phone[label.kind] ? "" : " class='fine'", label.x_m, label.y_m, label.place.size,
          std::max(on_phone_m, label.place.size), label.is_on_lines ? "0.36" : "0.12", turn, page_text(label.words));
    }
    return text;
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
  static constexpr std::string_view beyond_limit = " class='beyond' stroke='#b2182b' stroke-width='0.22'";
  const SaidOfRacks& said_;
  const Shown& how_;
  double left_ = infinity, right_ = -infinity, low_ = infinity, high_ = -infinity;
  std::string boxes_{};
  std::vector<Label> labels_{};
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

std::string hall_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                      std::span<const float> die_temperatures_k, std::span<const float> down_gpus,
                      std::span<const float> throttled_gpus, const PlanParts& parts) {
  return plan_of(layout, said_of(racks, die_temperatures_k, down_gpus, throttled_gpus),
                 {heat_colour, [](double k) { return format_quantity(k, "K"); }}, parts);
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

std::string difference_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                            std::span<const float> differences_k) {
  return plan_of(layout, said_of(racks, differences_k, {}, {}),
                 {difference_colour, [](double k) { return fmt::format("{:+.2f} K", k); }});
}

}  // namespace wattloop::twin
