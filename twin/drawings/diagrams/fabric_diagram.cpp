#include "twin/drawings/diagrams/fabric_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

constexpr double label_width = 300, row_width = 840, row_height = 64, row_gap = 72, top = 34, nodes_height = 26;
constexpr double narrowest_with_text = 80;  ///< of a box, pixels
constexpr const char *failed_colour = "#d55e00", *line_colour = "#444444";

/// A tier as a row.
struct Row {
  std::string word;  ///< "leaf"
  std::vector<const DrawnFabricTier*> boxes;
  DrawnFabricTier all;  ///< sums, the mean load of all links, the most of all
};

std::string word_of(const std::string& name) {
  std::string word = name.substr(0, name.find('.'));
  std::ranges::replace(word, '_', ' ');
  return word;
}

std::vector<Row> rows_of(std::span<const DrawnFabricTier> tiers) {
  std::vector<Row> rows;
  for (const DrawnFabricTier& tier : tiers) {
    if (rows.empty() || rows.back().word != word_of(tier.name)) rows.push_back({word_of(tier.name), {}, {}});
    Row& row = rows.back();
    row.boxes.push_back(&tier);
    row.all.mean_load_fraction += tier.mean_load_fraction * tier.links;
    row.all.switches += tier.switches;
    row.all.links += tier.links;
    row.all.failed_switches += tier.failed_switches;
    row.all.impaired_links += tier.impaired_links;
    row.all.most_load_fraction = std::max(row.all.most_load_fraction, tier.most_load_fraction);
  }
  for (Row& row : rows) row.all.mean_load_fraction /= std::max(1.0, row.all.links);
  return rows;
}

/// White where nothing is sent, dark blue where links are full.
std::string load_colour(double fraction) {
  const double share = std::clamp(fraction, 0.0, 1.0);
  const auto mix = [&](int full) { return static_cast<int>(std::lround(255.0 + share * (full - 255.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0x00), mix(0x5a), mix(0x9c));
}

std::string text(double x, double y, const std::string& words, const std::string& style = {}) {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' style='font-size:12px;fill:#222;{}'>{}</text>\n", x, y, style,
                     page_text(words));
}

std::string percent(double fraction) { return fraction < 1e-4 ? "0 %" : fmt::format("{:.3g} %", 100.0 * fraction); }

std::string counted(double count, const char* one, const char* many) {
  return fmt::format("{:.0f} {}", count, count == 1.0 ? one : many);
}

std::string failures(const DrawnFabricTier& tier) {
  std::string words;
  if (tier.failed_switches > 0.0) words = counted(tier.failed_switches, "switch failed", "switches failed");
  if (tier.impaired_links > 0.0)
    words += (words.empty() ? "" : ", ") + counted(tier.impaired_links, "link impaired", "links impaired");
  return words;
}

struct Box {
  double left, width;
};

Box box_of(const Row& row, std::size_t number) {
  const double width = row_width / static_cast<double>(row.boxes.size());
  return {label_width + width * static_cast<double>(number), width};
}

std::string draw_box(const Row& row, std::size_t number, double y) {
  const DrawnFabricTier& tier = *row.boxes[number];
  const auto [left, width] = box_of(row, number);
  const bool has_failed = tier.failed_switches > 0.0 || tier.impaired_links > 0.0;
  const double margin = std::min(4.0, 0.1 * width), middle = left + 0.5 * width;
  const std::string name = tier.name.substr(tier.name.find('.') + 1);
  std::string drawn = fmt::format(
      "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' rx='2' fill='{}' stroke='{}' stroke-width='{}'>"
      "<title>{}: {}, load of links down {}, most {}{}{}</title></rect>\n",
      left + margin, y, width - 2.0 * margin, row_height, load_colour(tier.mean_load_fraction),
      has_failed ? failed_colour : line_colour, has_failed ? 2.5 : 0.7, page_text(tier.name),
      counted(tier.switches, "switch", "switches"), percent(tier.mean_load_fraction), percent(tier.most_load_fraction),
      has_failed ? ", " : "", failures(tier));
  if (width < narrowest_with_text || row.boxes.size() == 1) return drawn;
  const std::string ink = fmt::format("text-anchor:middle;fill:{}", tier.mean_load_fraction > 0.55 ? "#fff" : "#222");
  std::string island = name;
  std::ranges::replace(island, '_', ' ');
  drawn += text(middle, y + 19.0, island, ink);
  drawn += text(middle, y + 37.0, counted(tier.switches, "switch", "switches"), ink);
  drawn += text(middle, y + 55.0, percent(tier.mean_load_fraction), ink);
  return drawn;
}

/// Links of a row to the one below, or to nodes.
std::string draw_links(const Row& row, const Row* below, double y) {
  std::string drawn;
  const double from = y + row_height, to = from + (below == nullptr ? nodes_height : row_gap);
  const std::size_t lines = below == nullptr ? row.boxes.size() : std::max(row.boxes.size(), below->boxes.size());
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t upper = line * row.boxes.size() / lines;
    const Box above = box_of(row, upper);
    const Box under = below == nullptr ? above : box_of(*below, line * below->boxes.size() / lines);
    const DrawnFabricTier& tier = *row.boxes[upper];
    const double place = static_cast<double>(line) + 0.5 - static_cast<double>(upper * lines / row.boxes.size());
    const double share =
        row.boxes.size() == lines ? 0.5 : place / (static_cast<double>(lines) / double(row.boxes.size()));
    const double x = above.left + std::clamp(share, 0.02, 0.98) * above.width;
    drawn += fmt::format(
        "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' stroke-width='{:.2f}' opacity='0.85'/>\n", x,
        from, under.left + 0.5 * under.width, to, tier.impaired_links > 0.0 ? failed_colour : "#5b7fa6",
        0.8 + 7.0 * std::min(1.0, tier.mean_load_fraction));
  }
  return drawn;
}

std::string draw_label(const Row& row, double y) {
  std::string drawn =
      text(8.0, y + 16.0, fmt::format("{}: {}", row.word, counted(row.all.switches, "switch", "switches")),
           "font-weight:bold");
  if (row.boxes.size() > 1) drawn += text(8.0, y + 32.0, fmt::format("in {} islands", row.boxes.size()));
  drawn += text(8.0, y + 48.0,
                fmt::format("{:.0f} links down: load {}, most {}", row.all.links, percent(row.all.mean_load_fraction),
                            percent(row.all.most_load_fraction)));
  const std::string failed = failures(row.all);
  return failed.empty() ? drawn
                        : drawn + text(8.0, y + 64.0, failed, fmt::format("fill:{};font-weight:bold", failed_colour));
}

std::string draw_scale(double y) {
  std::string drawn = text(label_width, y + 12.0, "load of links down:");
  for (int step = 0; step <= 4; ++step) {
    const double x = label_width + 130.0 + 84.0 * step;
    drawn +=
        fmt::format("<rect x='{:.1f}' y='{:.1f}' width='20' height='14' fill='{}' stroke='{}' stroke-width='0.7'/>\n",
                    x, y, load_colour(0.25 * step), line_colour);
    drawn += text(x + 25.0, y + 12.0, fmt::format("{} %", 25 * step));
  }
  const double x = label_width + 130.0 + 84.0 * 5;
  drawn +=
      fmt::format("<rect x='{:.1f}' y='{:.1f}' width='20' height='14' fill='#fff' stroke='{}' stroke-width='2.5'/>\n",
                  x, y, failed_colour);
  return drawn + text(x + 25.0, y + 12.0, "failed or slow parts");
}

}  // namespace

std::string fabric_diagram(std::span<const DrawnFabricTier> tiers) {
  const std::vector<Row> rows = rows_of(tiers);
  if (rows.empty()) return {};
  const double height = top + static_cast<double>(rows.size()) * (row_height + row_gap) + nodes_height;
  std::string drawn = fmt::format("<svg viewBox='0 0 {} {}' role='img'>\n<title>Fabric by tiers and islands</title>\n",
                                  label_width + row_width + 8.0, height);
  drawn += draw_scale(6.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {  // the top tier first
    const std::size_t tier = rows.size() - 1 - k;
    const double y = top + static_cast<double>(k) * (row_height + row_gap);
    drawn += draw_links(rows[tier], tier > 0 ? &rows[tier - 1] : nullptr, y);
    for (std::size_t box = 0; box < rows[tier].boxes.size(); ++box) drawn += draw_box(rows[tier], box, y);
    drawn += draw_label(rows[tier], y);
  }
  const double y = top + static_cast<double>(rows.size() - 1) * (row_height + row_gap) + row_height + nodes_height;
  drawn += text(label_width + 0.5 * row_width, y + 16.0, "nodes", "text-anchor:middle");
  return drawn + "</svg>";
}

std::string fabric_diagram(const ResultsReader& results, double time_s) {
  constexpr std::string_view group = "fabric_tiers";
  if (!results.has_table(group)) return {};
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return {};
  const std::size_t row = nearest_row(times_s, time_s);
  std::vector<DrawnFabricTier> tiers;
  for (const std::string& name : results.table(group).items) tiers.push_back({.name = name});
  const auto read = [&](std::string_view column, double DrawnFabricTier::*member) {
    const std::vector<float> values = results.frame(group, column, row);
    for (std::size_t k = 0; k < tiers.size(); ++k) tiers[k].*member = static_cast<double>(values[k]);
  };
  read("switches", &DrawnFabricTier::switches);
  read("links", &DrawnFabricTier::links);
  read("failed_switches", &DrawnFabricTier::failed_switches);
  read("impaired_links", &DrawnFabricTier::impaired_links);
  read("mean_link_load", &DrawnFabricTier::mean_load_fraction);
  read("max_link_load", &DrawnFabricTier::most_load_fraction);
  return fabric_diagram(tiers);
}

}  // namespace wattloop::twin
