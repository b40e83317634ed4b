#include "viz/charts/marks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "viz/hall/scene.hpp"

namespace wattloop::viz {
namespace {

constexpr std::array most_lines{6, 12};  // that are given willingly, that are given rather than events merged
constexpr std::size_t most_targets = 3, most_letters = 36;  // of targets that are named one by one
constexpr double line_pitch = 1.45;                         // of the text's height

/// Distances up to which events of a kind share a name, in heights of the text; tried in this order.
constexpr std::array merge_distances{0.3, 2.0, 8.0, 25.0, 1e9};

/// Events that share a name, in the order of time.
using Cluster = std::vector<const Mark*>;

std::string span_text(const Cluster& cluster) {
  const std::string first = time_text(cluster.front()->time_s), last = time_text(cluster.back()->time_s);
  return first == last ? first : fmt::format("{} to {}", first, last);
}

std::string name_of(const Cluster& cluster) {
  std::vector<std::string> targets;
  for (const Mark* mark : cluster)
    if (!mark->target.empty() && std::find(targets.begin(), targets.end(), mark->target) == targets.end())
      targets.push_back(mark->target);
  const std::string& kind = cluster.front()->kind;
  const bool is_each_once = targets.size() == cluster.size();
  if (is_each_once && targets.size() <= most_targets) {
    std::string names = kind;
    for (const std::string& target : targets) names += (names == kind ? " " : ", ") + target;
    if (cluster.size() == 1 || names.size() <= most_letters) return names;
  }
  if (cluster.size() == 1) return kind;
  return fmt::format("{} x {}{}", cluster.size(), kind, targets.size() == 1 ? " " + targets[0] : "");
}

std::string text_of(const Cluster& cluster) { return name_of(cluster) + ", " + span_text(cluster); }

/// Joins events of one kind that are at most `distance` pixels after the one before.
std::vector<Cluster> clusters_of(std::span<const Mark* const> marks, const MarkRoom& room, double distance) {
  std::vector<Cluster> clusters;
  for (const Mark* mark : marks) {
    const auto same = std::find_if(clusters.rbegin(), clusters.rend(), [&](const Cluster& cluster) {
      return cluster.front()->kind == mark->kind && room.x(mark->time_s) - room.x(cluster.back()->time_s) <= distance;
    });
    if (same == clusters.rend())
      clusters.push_back({mark});
    else
      same->push_back(mark);
  }
  return clusters;
}

double width_of(const std::string& text, double size) { return text_width({text, {}, 0.92 * size}); }

/// Shortens a text that is wider than the room.
std::string fitted(std::string text, double width, double size) {
  while (text.size() > 4 && width_of(text, size) > width) text.replace(text.size() - 4, 4, "...");
  return text;
}

/// The lowest line in which no name is in the way, and above all lines that later events' lines reach.
int free_line(const std::vector<MarkLabel>& later, double left, double width, double size) {
  int line = 0;
  for (const MarkLabel& label : later) {
    const double label_right = label.left + width_of(label.text, size);
    const bool names_touch = left < label_right + size && label.left < left + width + size;
    const bool is_crossed = label.x > left - 0.5 * size && label.x < left + width + 0.5 * size;
    if (names_touch || is_crossed) line = std::max(line, label.line + 1);
  }
  return line;
}

/// From the right to the left, so that a name without room below goes above the names of later events.
std::vector<MarkLabel> placed_labels(std::vector<MarkLabel> labels, const MarkRoom& room) {
  std::stable_sort(labels.begin(), labels.end(), [](const MarkLabel& a, const MarkLabel& b) { return a.x > b.x; });
  std::vector<MarkLabel> placed;
  for (MarkLabel& label : labels) {
    label.text = fitted(label.text, room.names_end - room.left, room.size);
    const double width = width_of(label.text, room.size);
    label.left = std::min(label.x + 0.4 * room.size, room.names_end - width);
    label.line = free_line(placed, label.left, width, room.size);
    placed.push_back(label);
  }
  return placed;
}

int lines_of(const std::vector<MarkLabel>& labels) {
  int lines = 0;
  for (const MarkLabel& label : labels) lines = std::max(lines, label.line + 1);
  return lines;
}

std::vector<MarkLabel> labels_of(const std::vector<Cluster>& clusters, double shown_s, const MarkRoom& room) {
  std::vector<MarkLabel> labels{{"shown left", room.x(shown_s), 0.0, 0, true}};
  for (const Cluster& cluster : clusters)
    labels.push_back({text_of(cluster), room.x(cluster.front()->time_s), 0.0, 0, false});
  return placed_labels(std::move(labels), room);
}

}  // namespace

PlacedMarks place_marks(std::span<const Mark> marks, double shown_s, const MarkRoom& room) {
  std::vector<const Mark*> inside;
  for (const Mark& mark : marks)
    if (mark.time_s >= 0.0 && mark.time_s <= room.end_s) inside.push_back(&mark);
  std::stable_sort(inside.begin(), inside.end(), [](const Mark* a, const Mark* b) { return a->time_s < b->time_s; });
  PlacedMarks placed;
  for (const Mark* mark : inside) {
    const double x = std::round(room.x(mark->time_s));
    if (placed.line_x.empty() || placed.line_x.back() != x) placed.line_x.push_back(x);
  }
  std::size_t kinds = 0;
  for (const int lines : most_lines) {
    for (const double distance : merge_distances) {
      const std::vector<Cluster> clusters = clusters_of(inside, room, distance * room.size);
      placed.labels = labels_of(clusters, shown_s, room);
      placed.lines = lines_of(placed.labels);
      kinds = clusters.size();  // of the last round: one for each kind
      if (placed.lines <= lines) return placed;
    }
  }
  const std::string all = fmt::format("{} events of {} kinds, {}", inside.size(), kinds, span_text(inside));
  placed.labels = placed_labels(
      {{"shown left", room.x(shown_s), 0.0, 0, true}, {all, room.x(inside.front()->time_s), 0.0, 0, false}}, room);
  placed.lines = lines_of(placed.labels);
  return placed;
}

double height_of(const PlacedMarks& placed, double size) { return (0.4 + line_pitch * placed.lines) * size; }

void draw_marks(Drawing& drawing, const PlacedMarks& placed, double bottom, double names_bottom, double size) {
  for (const double x : placed.line_x) drawing.add(Stroke{{{x, bottom}, {x, names_bottom}}, ink::event, 1.0});
  const auto middle_y = [&](const MarkLabel& label) { return names_bottom + (0.75 + line_pitch * label.line) * size; };
  for (const MarkLabel& label : placed.labels) {
    const bool is_beside = label.left > label.x;
    const double to_y = middle_y(label) + (is_beside ? 0.45 : -0.6) * size;
    const double from_y = label.is_shown_time ? bottom : names_bottom;
    drawing.add(Stroke{{{label.x, from_y}, {label.x, to_y}},
                       label.is_shown_time ? ink::text : ink::event,
                       label.is_shown_time ? 1.6 : 1.0});
  }
  for (const MarkLabel& label : placed.labels) {
    const double y = middle_y(label);
    drawing.add(filled({label.left - 0.2 * size, y - 0.6 * size, width_of(label.text, size), 1.2 * size}, ink::paper));
    drawing.add(Text{label.text, {label.left, y}, 0.92 * size, label.is_shown_time ? ink::text : ink::quiet});
  }
}

}  // namespace wattloop::viz
