#include "viz/charts/event_marks.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/tables/time_of_run.hpp"
#include "core/text/count_text.hpp"
#include "twin/report/events/most_important.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {
namespace {

constexpr std::size_t most_entries = 8, most_lines = 11, lines_of_entry = 2;
constexpr double line_pitch = 1.3;    // of the text's height
constexpr double words_share = 0.88;  // the same
constexpr double number_row = 1.5;    // the same

std::string span_text(const twin::EventSummaryLine& line) {
  const std::string first = time_of_run(line.first_s), last = time_of_run(line.last_s);
  return first == last ? first : first + " to " + last;
}

/// Where a text does not fit, reasons in brackets are left out before any number: "limit 30 °C (hotter than ... allows)".
std::vector<std::string> lines_in(const std::string& text, double width, double size) {
  const auto wrapped_of = [&](const std::string& words) {
    return wrapped(words, width, words_share * size, lines_of_entry);
  };
  std::vector<std::string> lines = wrapped_of(text);
  if (fmt::format("{}", fmt::join(lines, " ")) == text) return lines;
  std::string shorter;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find(" (", at), text.size()), end = text.find(')', begin);
    const bool is_reason =
        end != std::string::npos && text.substr(begin, end - begin).find_first_of("0123456789") == std::string::npos;
    const std::size_t next = end == std::string::npos ? text.size() : end + 1;
    shorter += text.substr(at, (is_reason ? begin : next) - at);
    at = next;
  }
  return wrapped_of(shorter);
}

/// Numbers that would touch are one: "1 to 3".
std::vector<EventNumber> numbers_of(const std::vector<EventSummaryEntry>& entries, const EventSummaryRoom& room) {
  std::vector<EventNumber> numbers;
  for (const EventSummaryEntry& entry : entries) {
    if (!numbers.empty() && entry.x - numbers.back().x < 2.6 * room.size) {
      numbers.back().last = entry.number;
      numbers.back().uprights.push_back(entry.x);
      numbers.back().x = 0.5 * (numbers.back().uprights.front() + entry.x);  // over the middle of its uprights
    } else {
      numbers.push_back({entry.x, entry.number, entry.number, {entry.x}});
    }
  }
  return numbers;
}

}  // namespace

PlacedEvents place_events(std::span<const twin::EventSummaryLine> event_lines, double shown_s,
                          const EventSummaryRoom& room) {
  std::vector<twin::EventSummaryLine> inside;
  std::ranges::copy_if(event_lines, std::back_inserter(inside), [&](const twin::EventSummaryLine& line) {
    return line.last_s >= room.begin_s && line.first_s <= room.end_s;
  });
  PlacedEvents placed;
  placed.is_shown = shown_s >= room.begin_s && shown_s <= room.end_s;
  placed.shown_x = room.x(shown_s);
  const double width = room.area.width - 2.0 * room.size;
  for (std::size_t most = std::min(most_entries, inside.size());; --most) {
    placed.entries.clear();
    std::size_t lines = 0, reported = 0;
    for (const twin::EventSummaryLine& line : twin::most_important(inside, most)) {
      EventSummaryEntry entry{.number = int(placed.entries.size()) + 1,
                              .lines = lines_in(span_text(line) + ": " + with_degrees(line.words), width, room.size)};
      entry.x = room.x(std::clamp(line.first_s, room.begin_s, room.end_s));
      entry.is_loss = line.weight >= twin::Weight::loss;
      lines += entry.lines.size();
      reported += line.event_count;
      placed.entries.push_back(std::move(entry));
    }
    if (lines > most_lines && most > 1) continue;
    std::size_t events = 0;
    for (const twin::EventSummaryLine& line : inside) events += line.event_count;
    placed.rest = placed.is_shown ? "black line: shown left" : "";
    if (events > reported)
      placed.rest += fmt::format("{}{}: `wattloop events`", placed.is_shown ? "; " : "",
                                 count_text(events - reported, "more event"));
    break;
  }
  placed.numbers = numbers_of(placed.entries, room);
  return placed;
}

double height_of(const PlacedEvents& placed, double size) {
  std::size_t lines = placed.rest.empty() ? 0 : 1;
  for (const EventSummaryEntry& entry : placed.entries) lines += entry.lines.size();
  return (0.6 + line_pitch * double(lines)) * size;
}

double height_of_numbers(const PlacedEvents& placed, double size) {
  return placed.numbers.empty() ? 0.0 : number_row * size;
}

void draw_events(Drawing& drawing, const PlacedEvents& placed, const EventSummaryRoom& room,
                 std::span<const Rectangle> plots) {
  const double size = room.size, pitch = line_pitch * size, text_left = room.area.left + 1.9 * size;
  double y = room.area.top() - 0.8 * size;
  for (const EventSummaryEntry& entry : placed.entries) {
    drawing.add(Text{fmt::format("{}", entry.number),
                     {room.area.left + 0.8 * size, y},
                     0.95 * size,
                     ink::text,
                     Align::centre,
                     true});
    for (const std::string& line : entry.lines) {
      drawing.add(Text{line, {text_left, y}, words_share * size, entry.is_loss ? ink::text : ink::quiet});
      y -= pitch;
    }
  }
  if (!placed.rest.empty()) drawing.add(Text{placed.rest, {text_left, y}, words_share * size, ink::quiet});
  const auto draw_uprights = [&](double x, Colour colour, double width) {
    for (const Rectangle& plot : plots) drawing.add(Stroke{{{x, plot.bottom}, {x, plot.top()}}, colour, width});
  };
  for (const EventNumber& number : placed.numbers) {
    for (const double x : number.uprights) draw_uprights(x, ink::event, 1.0);
    const std::string text =
        number.first == number.last ? fmt::format("{}", number.first) : fmt::format("{}-{}", number.first, number.last);
    drawing.add(Text{text, {number.x, plots.front().top() + 0.8 * size}, 0.95 * size, ink::text, Align::centre, true});
  }
  if (placed.is_shown) draw_uprights(placed.shown_x, ink::text, 1.8);
}

}  // namespace wattloop::viz
