// The report of a run: texts that are safe in HTML, events in words, colours on a fixed scale.
#include "tests/support/catch.hpp"
#include "twin/report/event_story.hpp"
#include "twin/report/hall_plan.hpp"
#include "twin/report/page_text.hpp"

using namespace wattloop::twin;

TEST_CASE("A report shows texts, it does not run them", "[report]") {
  CHECK(page_text("<script>alert('a&b')</script>") == "&lt;script&gt;alert(&#39;a&amp;b&#39;)&lt;/script&gt;");
  CHECK(page_text("\"\x01") == "&quot;");
  const std::vector<LayoutBox> layout{{.name = "<script>", .kind = "rack", .size_m = {1, 1, 2}}};
  const std::string plan = hall_plan(layout, {}, {});
  CHECK(plan.find("<script>") == std::string::npos);
  CHECK(plan.find("&lt;script&gt;: not recorded") != std::string::npos);
}

TEST_CASE("Events of a kind that follow each other are one line, and each is counted once", "[report]") {
  std::vector<EventRecord> events{{60, "fail", "cdu_1.pump_a", "scenario"}};
  for (int i = 0; i < 8; ++i) events.push_back({78.0 + i, "thermal_shutdown", "gpu_" + std::to_string(i), "hot"});
  events.push_back({90, "lost_power", "row_1", ""});
  const std::vector<StoryLine> story = event_story(events);
  REQUIRE(story.size() == 3);
  CHECK(story[0].words == "failed: cdu_1.pump_a (scenario)");
  CHECK(story[1].words == "shut down by heat: gpu_0, gpu_1, gpu_2, gpu_3, gpu_4, gpu_5 and 2 more");
  CHECK(story[1].event_count == 8);
  CHECK((story[1].first_s == 78 && story[1].last_s == 85));
  CHECK(story[2].words == "lost power: row_1");
}

TEST_CASE("The plan has the same colour for the same temperature, whatever else is there", "[report]") {
  CHECK(heat_colour(273.15 + 30) == "#00204d");
  CHECK(heat_colour(273.15 + 95) == "#ffea46");
  CHECK(heat_colour(273.15 + 120) == heat_colour(273.15 + 95));
  CHECK(heat_colour(273.15 + 54) != heat_colour(273.15 + 94.8));
}
