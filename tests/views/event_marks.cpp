// The event summary above a timeline: the most reporting lines that fit, none cut but where it says so, numbers where the lines stand in time.
#include "viz/charts/event_marks.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::viz;
using twin::EventSummaryLine;
using twin::Weight;

namespace {

EventSummaryRoom room() {
  return {.area = {940.0, 60.0, 630.0, 800.0},
          .left = 1000.0,
          .right = 1460.0,
          .begin_s = 0.0,
          .end_s = 3600.0,
          .size = 16.0};
}

EventSummaryLine line(double time_s, const std::string& words, Weight weight = Weight::loss, std::size_t events = 1) {
  return {time_s, time_s, events, words, weight};
}

std::vector<Text> texts_of(const PlacedEvents& placed) {
  Drawing drawing;
  const std::vector<Rectangle> plots{{1000.0, 400.0, 460.0, 100.0}, {1000.0, 100.0, 460.0, 200.0}};
  draw_events(drawing, placed, room(), plots);
  std::vector<Text> texts;
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(*text);
  return texts;
}

}  // namespace

TEST_CASE("lines are numbered in the order of time, and numbers stand at their times", "[story_marks]") {
  const std::vector<EventSummaryLine> event_lines{line(600.0, "CDU 7 failed", Weight::cause),
                                                  line(2400.0, "CDU 7 restored", Weight::cause)};
  const PlacedEvents placed = place_events(event_lines, 900.0, room());
  REQUIRE(placed.entries.size() == 2);
  CHECK(placed.entries[0].lines == std::vector<std::string>{"10 min: CDU 7 failed"});
  CHECK(placed.entries[1].lines == std::vector<std::string>{"40 min: CDU 7 restored"});
  REQUIRE(placed.numbers.size() == 2);
  CHECK(placed.numbers[0].x == Approx(1000.0 + 460.0 / 6.0));
  CHECK(placed.numbers[1].x == Approx(1000.0 + 460.0 * 2.0 / 3.0));
  CHECK(placed.shown_x == Approx(1000.0 + 460.0 / 4.0));
  CHECK(placed.rest == "black line: shown left");
}

TEST_CASE("numbers that would touch are one, and each keeps its upright", "[story_marks]") {
  const std::vector<EventSummaryLine> event_lines{line(600.0, "one"), line(610.0, "two"), line(620.0, "three"),
                                                  line(3000.0, "four")};
  const PlacedEvents placed = place_events(event_lines, 0.0, room());
  REQUIRE(placed.numbers.size() == 2);
  CHECK((placed.numbers[0].first == 1 && placed.numbers[0].last == 3));
  REQUIRE(placed.numbers[0].uprights.size() == 3);
  CHECK(placed.numbers[0].x == Approx(1000.0 + 460.0 * 610.0 / 3600.0));  // over the middle of its uprights
  bool is_written = false;
  for (const Text& text : texts_of(placed)) is_written = is_written || text.text == "1-3";
  CHECK(is_written);
}

TEST_CASE("a line that is too long loses its reason in brackets before any number", "[story_marks]") {
  const std::string words =
      "limit exceeded, row 1, rack 1: inlet air temperature 30.05 degC, limit 30 degC (hotter than the maker of the "
      "nodes allows, and than the maker of the power supplies of the nodes and of the fans in front of them allows); "
      "and "
      "159 more";
  const PlacedEvents placed = place_events(std::vector{line(76.0, words)}, 900.0, room());
  REQUIRE(placed.entries.size() == 1);
  std::string together;
  for (const std::string& one : placed.entries[0].lines) together += (together.empty() ? "" : " ") + one;
  CHECK(together ==
        "1 min 16 s: limit exceeded, row 1, rack 1: inlet air temperature 30.05 °C, limit 30 °C; and 159 more");
  const std::string with_number = "node switched off by heat: row 1, rack 1 (die at 95.2 degC)";
  CHECK(place_events(std::vector{line(76.0, with_number)}, 900.0, room())
            .entries[0]
            .lines[0]
            .ends_with("(die at 95.2 °C)"));
}

TEST_CASE("what does not fit is the least reporting, and is counted", "[story_marks]") {
  std::vector<EventSummaryLine> event_lines;
  for (int i = 0; i < 30; ++i) event_lines.push_back(line(60.0 * i, "pump started", Weight::routine, 2));
  event_lines.push_back(line(1900.0, "both utility feeds opened", Weight::cause));
  const PlacedEvents placed = place_events(event_lines, 900.0, room());
  CHECK(std::ranges::any_of(
      placed.entries, [](const EventSummaryEntry& e) { return e.lines[0].ends_with("both utility feeds opened"); }));
  const std::size_t reported = (placed.entries.size() - 1) * 2 + 1;
  CHECK(placed.rest == "black line: shown left; " + std::to_string(61 - reported) + " more events: `wattloop events`");
}

TEST_CASE("the cause of what slowed work is the first in the list, however much happened before it", "[story_marks]") {
  std::vector<EventSummaryLine> event_lines;
  for (int i = 0; i < 20; ++i) event_lines.push_back(line(10.0 * i, "chiller started", Weight::routine));
  event_lines.push_back(line(300.0, "row 1, rack 3 clogged to 20 %", Weight::cause));
  for (int i = 0; i < 20; ++i) event_lines.push_back(line(310.0 + i, "pump started", Weight::notice));
  event_lines.push_back(line(400.0, "first GPU throttled"));
  event_lines.back().slows_work = true;
  const PlacedEvents placed = place_events(event_lines, 900.0, room());
  REQUIRE(!placed.entries.empty());
  CHECK(placed.entries.front().lines[0].ends_with("rack 3 clogged to 20 %"));
  CHECK(placed.entries.back().lines[0].ends_with("first GPU throttled"));
}

TEST_CASE("long words go on in a second line inside of the area, then are cut before their last number",
          "[story_marks]") {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word" + std::to_string(i) + " ";
  const PlacedEvents placed =
      place_events(std::vector{line(600.0, words + "at 87.2 degC"), line(700.0, "die at 87.2 degC")}, 0.0, room());
  CHECK(placed.entries[0].lines.size() == 2);
  CHECK_THAT(placed.entries[0].lines[1], Catch::Contains("... ") && Catch::EndsWith(" at 87.2 °C"));
  CHECK(placed.entries[1].lines[0] == "11 min 40 s: die at 87.2 °C");
  for (const Text& text : texts_of(placed)) {
    INFO(text.text);
    CHECK(text.at.x + (text.align == Align::centre ? 0.5 : 1.0) * text_width(text) <= room().area.right() + 1.0);
    CHECK((text.align == Align::centre || text.at.y >= room().area.top() - height_of(placed, 16.0)));
  }
}

TEST_CASE("what is outside of a zoomed time is not reported", "[story_marks]") {
  EventSummaryRoom zoomed = room();
  zoomed.begin_s = 500.0;
  zoomed.end_s = 1000.0;
  const std::vector<EventSummaryLine> event_lines{line(100.0, "before"), line(600.0, "inside"), line(2000.0, "after")};
  const PlacedEvents placed = place_events(event_lines, 100.0, zoomed);
  REQUIRE(placed.entries.size() == 1);
  CHECK(placed.entries[0].x == Approx(1000.0 + 92.0));
  CHECK_FALSE(placed.is_shown);
}
