// Names of events above a timeline: none overlap, none is crossed by the line of a later event, none is lost.
#include "viz/charts/marks.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

const MarkRoom room{.left = 960.0, .right = 1420.0, .names_end = 1570.0, .end_s = 3600.0, .size = 16.0};

double right_of(const MarkLabel& label) { return label.left + text_width({label.text, {}, 0.92 * room.size}); }

void check_readable(const PlacedMarks& placed) {
  for (const MarkLabel& label : placed.labels) {
    INFO(label.text);
    CHECK(right_of(label) <= room.names_end + 1.0);
    CHECK(label.left >= room.left - 1.0);
    CHECK(label.line < placed.lines);
    for (const MarkLabel& other : placed.labels) {
      if (&other == &label) continue;
      INFO(other.text);
      if (other.line == label.line) CHECK((right_of(label) < other.left || right_of(other) < label.left));
      const bool is_over_name = other.x > label.left && other.x < right_of(label) && other.x > label.x;
      if (is_over_name) CHECK(other.line < label.line);
    }
  }
}

std::string all_text(const PlacedMarks& placed) {
  std::string text;
  for (const MarkLabel& label : placed.labels) text += label.text + "\n";
  return text;
}

}  // namespace

TEST_CASE("events apart are named with their targets and times", "[marks]") {
  const std::vector<Mark> marks{{600.0, "fail", "cdu_7"}, {2400.0, "restore", "cdu_7"}};
  const PlacedMarks placed = place_marks(marks, 900.0, room);
  check_readable(placed);
  CHECK_THAT(all_text(placed), Contains("fail cdu_7, 10 min\n"));
  CHECK_THAT(all_text(placed), Contains("restore cdu_7, 40 min\n"));
  CHECK_THAT(all_text(placed), Contains("shown left\n"));
  CHECK(placed.labels.size() == 3);
}

TEST_CASE("events at one time share a name, and name few targets", "[marks]") {
  const std::vector<Mark> marks{{600.0, "open", "utility_a"}, {600.0, "open", "utility_b"}};
  CHECK_THAT(all_text(place_marks(marks, 0.0, room)), Contains("open utility_a, utility_b, 10 min\n"));
}

TEST_CASE("many events of a kind become one name with their number", "[marks]") {
  std::vector<Mark> marks{{590.0, "fail", "cdu_7"}};
  for (int i = 0; i < 12; ++i)
    marks.push_back({600.0 + 5.0 * i, "thermal_shutdown", "row_3.rack_2.node_1.gpu_" + std::to_string(i)});
  marks.push_back({660.0, "restore", "cdu_7"});
  const PlacedMarks placed = place_marks(marks, 640.0, room);
  check_readable(placed);
  CHECK_THAT(all_text(placed), Contains("12 x thermal_shutdown, 10 min to 10 min 55 s\n"));
  CHECK_THAT(all_text(placed), Contains("fail cdu_7, 9 min 50 s\n"));
  CHECK_THAT(all_text(placed), Contains("restore cdu_7, 11 min\n"));
}

TEST_CASE("however many events there are, all are counted and the names stay readable", "[marks]") {
  const int kinds = GENERATE(1, 3, 9, 40);
  const double step_s = GENERATE(0.5, 7.0, 90.0);
  std::vector<Mark> marks;
  for (int i = 0; i < 200 && i * step_s < room.end_s; ++i)
    marks.push_back({i * step_s, "kind_" + std::to_string(i % kinds), "part_" + std::to_string(i)});
  const PlacedMarks placed = place_marks(marks, 300.0, room);
  check_readable(placed);
  CHECK(placed.lines <= 12);
  std::size_t counted = 0;
  for (const MarkLabel& label : placed.labels) {
    if (label.is_shown_time) continue;
    const std::size_t number =
        label.text.find(" x ") != std::string::npos || label.text.find(" events") != std::string::npos
            ? std::stoul(label.text)
            : 0;
    counted += number > 0 ? number : std::size_t(std::count(label.text.begin(), label.text.end(), ','));
  }
  CHECK(counted == marks.size());
}

TEST_CASE("a handful of kinds in a narrow chart are all named", "[marks]") {
  std::vector<Mark> marks;
  for (const char* kind : {"fail", "throttle", "restore", "open", "close", "set", "thermal_shutdown"})
    for (int i = 0; i < 4; ++i) marks.push_back({600.0 + 130.0 * i + double(marks.size()), kind, "part"});
  const PlacedMarks placed = place_marks(marks, 1200.0, room);
  check_readable(placed);
  for (const char* kind : {"fail", "throttle", "restore", "open", "close", "set", "thermal_shutdown"})
    CHECK_THAT(all_text(placed), Contains(kind));
}

TEST_CASE("events at the end of the run are named inside of the page", "[marks]") {
  std::vector<Mark> marks;
  for (int i = 0; i < 5; ++i) marks.push_back({3600.0 - 30.0 * i, "set", "loop_1.supply_temperature"});
  check_readable(place_marks(marks, 3600.0, room));
  CHECK(place_marks({}, 3600.0, room).labels.size() == 1);
}
