// The report of a run: texts that are safe in HTML, events in words, colours on a fixed scale.
#include <algorithm>

#include <fmt/format.h>

#include "core/text/letter_name.hpp"
#include "core/text/quoted_text.hpp"
#include "tests/support/catch.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/events/limit_detail.hpp"
#include "twin/report/events/most_important.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("A report shows texts, it does not run them", "[report]") {
  CHECK(page_text("<script>alert('a&b')</script>") == "&lt;script&gt;alert(&#39;a&amp;b&#39;)&lt;/script&gt;");
  CHECK(page_text("\"\x01") == "&quot;");
  const std::vector<LayoutBox> layout{{.name = "<script>", .kind = "rack", .size_m = {1, 1, 2}}};
  const std::string plan = hall_plan(layout, {}, {});
  CHECK(plan.find("<script>") == std::string::npos);
  CHECK(plan.find("&lt;script&gt;: not recorded") != std::string::npos);
}

TEST_CASE("Events of a kind that belong together are one line, and each is counted once", "[report]") {
  std::vector<EventRecord> events{{60, "fail", "cdu_1.pump_a", "scenario"}, {60, "fail", "cdu_1.pump_b", "scenario"}};
  for (int i = 0; i < 8; ++i)
    events.push_back(
        {78.0 + i, "thermal_shutdown", "row_1.rack_2.node_" + std::to_string(i + 1) + ".gpu_7", "die at 95.00 degC"});
  events.push_back({80, "first_throttle", "row_1.rack_1.node_4.gpu_7", "die at 87.21 degC"});
  events.push_back(
      {90, "lost_power", "facility_pump", "4 of 4: facility.pump_a and 3 more; transformer_a.output dead"});
  events.push_back({90, "lost_power", "tower", "2 of 8: tower_1, tower_2; transformer_a.output dead"});
  events.push_back({500, "thermal_shutdown", "row_1.rack_3.node_1.gpu_7", "die at 95.00 degC"});
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  REQUIRE(event_lines.size() == 5);
  CHECK(event_lines[0].words == "CDU 1, pump a and b failed");
  CHECK(event_lines[0].weight == Weight::cause);
  CHECK(event_lines[1].words == "8 nodes switched off by heat, first that of row 1, rack 2, node 1, GPU 7");
  CHECK(event_lines[1].event_count == 8);
  CHECK((event_lines[1].first_s == 78 && event_lines[1].last_s == 85));
  CHECK(event_lines[2].words == "first GPU throttled: row 1, rack 1, node 4, GPU 7 (87.21 degC)");
  CHECK(event_lines[3].words == "no power: all 4 facility pumps, 2 of 8 towers");
  CHECK(event_lines[4].words == "node switched off by heat: row 1, rack 3, node 1, GPU 7 (die at 95.00 degC)");
  std::size_t counted = 0;
  for (const EventSummaryLine& line : event_lines) counted += line.event_count;
  CHECK(counted == events.size());
}

TEST_CASE("Of nodes without power racks are counted, which hang on it", "[report]") {
  const std::vector<EventRecord> events{
      {60, "lost_power", "node", "16 of 16: row_1.rack_1, row_1.rack_2 and 14 more; pdu_a dead"},
      {60, "lost_power", "fabric", "2 of 4: network_rack_1, network_rack_2; pdu_a dead"}};
  CHECK(event_summary(events).front().words == "no power: all 16 racks, 2 of 4 network racks");
}

TEST_CASE("What loses power twice within a line is reported once", "[report]") {
  std::vector<EventRecord> events{{60, "lost_power", "facility_pump", "4 of 4: facility.pump_a and 3 more; dead"},
                                  {60, "lost_power", "tower", "2 of 8: tower_1, tower_2; dead"},
                                  {71, "lost_power", "facility_pump", "4 of 4: facility.pump_a and 3 more; dead"},
                                  {71, "lost_power", "tower", "2 of 8: tower_1, tower_2; dead"}};
  CHECK(event_summary(events).front().words == "no power: all 4 facility pumps, 2 of 8 towers several times");
  events.push_back({80, "lost_power", "tower", "8 of 8: tower_1 and 7 more; dead"});
  CHECK(event_summary(events).front().words == "no power: all 4 facility pumps, all 8 towers");
  CHECK(event_summary(events).front().event_count == 5);
}

TEST_CASE("Power that is lost as a UPS trips says so, not power that was lost before", "[report]") {
  const std::vector<EventRecord> events{
      {60, "open", "utility_a", "scenario"},
      {60, "lost_power", "tower", "8 of 8: tower_1; transformer_a.output dead"},
      {360, "tripped", "ups_b", "air around it at 51.32 degC, it works up to 50 degC"},
      {360, "lost_power", "node", "16 of 16: row_1.rack_1; pdu_b_1.output dead"},
      {900, "battery_empty", "ups_a", ""},
      {900, "lost_power", "cdu_pump", "2 of 2: cdu_1.pump_a; ups_a.output dead"}};
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  REQUIRE(event_lines.size() == 6);
  CHECK(event_lines[1].words == "no power: all 8 towers");
  CHECK(event_lines[3].words == "no power since UPS b tripped (air around it at 51.32 degC): all 16 racks");
  CHECK(event_lines[5].words == "no power since the battery of UPS a is empty: all 2 CDU pumps");
}

TEST_CASE("Power that is lost after a UPS tripped, for another reason, is not reported as lost since", "[report]") {
  const std::vector<EventRecord> events{
      {155, "tripped", "ups_a", "air around it at 51.32 degC, it works up to 50 degC"},
      {155, "lost_power", "node", "4 of 16: row_1.rack_1; pdu_a_1.output dead"},
      {210, "open", "utility_a", "scenario"},
      {210, "lost_power", "tower", "8 of 8: tower_1; transformer_a.output dead"},
      {210, "lost_power", "chiller", "2 of 2: chiller_1; transformer_a.output dead"}};
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  REQUIRE(event_lines.size() == 4);
  CHECK(event_lines[1].words == "no power since UPS a tripped (air around it at 51.32 degC): 4 of 16 racks");
  CHECK(event_lines[3].words == "no power: all 8 towers, all 2 chillers");
}

TEST_CASE("Nodes and racks to which the same happens again count once", "[report]") {
  const auto only = [](const std::vector<EventRecord>& events) {
    const std::vector<EventSummaryLine> event_lines = event_summary(events);
    REQUIRE(event_lines.size() == 1);
    CHECK(event_lines.front().event_count == events.size());
    return event_lines.front().words;
  };
  const auto off = [](double time_s, int node) {
    return EventRecord{time_s, "thermal_shutdown", "row_1.rack_2.node_" + std::to_string(node) + ".gpu_7",
                       "die at 95.00 degC"};
  };
  CHECK(only({off(100, 1), off(100, 2), off(130, 1), off(130, 2), off(160, 2)}) ==
        "2 nodes switched off by heat, first that of row 1, rack 2, node 1, GPU 7, 5 times in all");
  CHECK(only({off(100, 1), off(130, 1)}) ==
        "node switched off by heat: row 1, rack 2, node 1, GPU 7 (die at 95.00 degC), 2 times in all");
  const auto start = [](double time_s, const std::string& racks, const std::string& nodes) {
    return EventRecord{time_s, "node_start", racks, nodes + "; inlet air at 30.00 degC, at work after a boot of 30 s"};
  };
  CHECK(only({start(100, "row_1.rack_9", "8 nodes"), start(110, "row_1.rack_10", "8 nodes")}) ==
        "16 nodes of 2 racks start (inlet air at 30.00 degC)");
  CHECK(only({start(100, "row_1.rack_1", "8 nodes")}) == "8 nodes of row 1, rack 1 start (inlet air at 30.00 degC)");
  CHECK(only({start(100, "row_1.rack_1", "8 nodes"), start(110, "row_1.rack_2", "8 nodes"),
              start(120, "row_1.rack_1", "8 nodes")}) ==
        "nodes of 2 racks start, 24 times in all (inlet air at 30.00 degC)");
  CHECK(only({start(100, "24 racks", "192 nodes, row_1.rack_1 to row_2.rack_12"), start(110, "row_1.rack_4", "8 nodes"),
              start(120, "20 racks", "160 nodes, row_1.rack_3 to row_2.rack_10")}) ==
        "nodes of at least 24 racks start, 360 times in all (inlet air at 30.00 degC)");
}

TEST_CASE("At one time the cause stands before what follows from it", "[report]") {
  const std::vector<EventRecord> events{
      {60, "lost_power", "tower", "8 of 8: tower_1; transformer_a.output dead"},
      {60, "on_battery", "ups_a", "transformer_a.output dead; state of charge 100.0 %"},
      {60, "on_battery", "ups_b", "transformer_b.output dead; state of charge 100.0 %"},
      {60, "open", "utility_a", "scenario"},
      {60, "open", "utility_b", "scenario"},
      {90, "inlet_shutdown", "160 racks",
       "1280 nodes, row_1.rack_1 to row_8.rack_20; inlet air at 45.79 degC, switched off from 45 degC"},
      {660, "start", "tower_1", "staging of towers"}};
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  REQUIRE(event_lines.size() == 5);
  CHECK(event_lines[0].words == "utility feed a and b opened");
  CHECK(event_lines[1].words == "no power: all 8 towers");
  CHECK(event_lines[2].words == "UPS a and b on battery");
  CHECK(event_lines[3].words == "1280 nodes of 160 racks switched off by warm inlet air (inlet air at 45.79 degC)");
  CHECK(event_lines[4].weight == Weight::routine);
  const std::vector<EventSummaryLine> reported = most_important(event_lines, 4);
  REQUIRE(reported.size() == 4);
  CHECK(reported.back().words == event_lines[3].words);
  CHECK(most_important(event_lines, 9).size() == 5);
}

TEST_CASE("Nodes of all events of a line are counted, and what ended work is reported before other losses",
          "[report]") {
  const std::vector<EventRecord> events{
      {60, "fail", "chiller_1", "scenario"},
      {200, "on_battery", "ups_a", "bus dead"},
      {400, "first_throttle", "row_1.rack_1.node_1.gpu_1", "die at 87.21 degC"},
      {600, "battery_empty", "ups_a", "state of charge 0 %"},
      {800, "inlet_shutdown", "32 racks", "128 nodes, row_1.rack_1 to row_2.rack_16; inlet air at 45.03 degC, off"},
      {855, "inlet_shutdown", "40 racks", "320 nodes, row_3.rack_1 to row_4.rack_20; inlet air at 45.10 degC, off"}};
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  REQUIRE(event_lines.size() == 5);
  CHECK(event_lines.back().words == "448 nodes of 72 racks switched off by warm inlet air (inlet air at 45.03 degC)");
  const std::vector<EventSummaryLine> reported = most_important(event_lines, 2);
  CHECK(reported.front().words == "chiller 1 failed");
  CHECK(reported.back().words == event_lines.back().words);
}

TEST_CASE("Names that differ in one place are reported together", "[report]") {
  const auto together = [](std::vector<std::string> names) { return display_names(names); };
  CHECK(display_name("row_1.rack_3.node_2.gpu_8") == "row 1, rack 3, node 2, GPU 8");
  CHECK(display_name("row_1.rack_3.node_2.gpu_8", 2) == "node 2, GPU 8");
  CHECK(together({"cdu_1", "cdu_2", "cdu_3"}) == "CDU 1 to 3");
  CHECK(together({"cdu_10", "cdu_9", "cdu_11"}) == "CDU 9 to 11");
  CHECK(together({"cdu_1", "cdu_4"}) == "CDU 1 and 4");
  CHECK(together({"ups_a", "ups_b"}) == "UPS a and b");
  CHECK(together({"cdu_1.pump_a", "cdu_1.pump_b", "cdu_2.pump_a", "cdu_2.pump_b"}) == "CDU 1 and 2, pump a and b");
  CHECK(together({"cdu_1.pump_a", "cdu_2.pump_b"}) == "CDU 1, pump a and CDU 2, pump b");
  CHECK(together({"a_1", "b_1", "c_1", "d_1", "e_1", "e_1"}) == "a 1, b 1, c 1, d 1 and 1 more");
  CHECK(together({}).empty());
  CHECK(together({"ups_a", "ups_a.bypass"}) == "UPS a and its bypass");
  CHECK(together({"row_1.rack_3", "row_1.rack_8", "row_1.rack_17", "row_1.rack_19", "row_2.rack_1", "row_2.rack_3"}) ==
        "row 1, rack 3, 8, 17, 19 and 2 more");
}

TEST_CASE("Names of parts within a text are written as everywhere on a page", "[report]") {
  CHECK(with_display_names("60.49 degC, row_1.rack_1.node_1.gpu_7, at 6 min") ==
        "60.49 degC, row 1, rack 1, node 1, GPU 7, at 6 min");
  CHECK(with_display_names("crah_3 100.0 %, tower_1 76.2 %.") == "CRAH 3 100.0 %, tower 1 76.2 %.");
  CHECK(with_display_names("1.2 MW of the hall. At ups_a.") == "1.2 MW of the hall. At UPS a.");
}

TEST_CASE("The plan has the same colour for the same temperature, whatever else is there", "[report]") {
  CHECK(heat_colour(273.15 + 30) == "#46039f");
  CHECK(heat_colour(273.15 + 95) == "#fdca26");
  CHECK(heat_colour(273.15 + 120) == heat_colour(273.15 + 95));
  CHECK(heat_colour(273.15 + 54) != heat_colour(273.15 + 94.8));
}

TEST_CASE("What controls do all year is reported once, and hides nothing that failed", "[report]") {
  std::vector<EventRecord> events;
  for (int day = 0; day < 200; ++day) {
    const double time_s = 86400.0 * day;
    events.push_back({time_s, "reset", "facility.supply_temperature", "from 18 degC to 18.03 degC by economiser"});
    events.push_back({time_s + 300, "start", "chiller_" + std::to_string(day % 5 + 1), "staging of chillers"});
    if (day == 100) events.push_back({time_s + 600, "fail", "chiller_2", "scenario"});
  }
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  REQUIRE(event_lines.size() == 3);
  CHECK(event_lines[0].words == "facility, supply temperature reset, 200 times in all");
  CHECK(event_lines[0].weight == Weight::routine);
  CHECK((event_lines[0].first_s == 0 && event_lines[0].last_s == 86400.0 * 199 && event_lines[0].event_count == 200));
  CHECK(event_lines[1].words == "chiller 1 to 5 started, 200 times in all");
  CHECK(event_lines[2].words == "chiller 2 failed");
  CHECK(most_important(event_lines, 1).front().words == "chiller 2 failed");
}

TEST_CASE("What clogs, sticks or is set by the scenario is a cause, reported with how far it went", "[report]") {
  const std::vector<EventRecord> events{{60, "clog", "row_1.rack_3", "from 100 % to 20 % over 5 min"},
                                        {60, "clog", "row_1.rack_3", "from 100 % to 20 % over 5 min"},
                                        {60, "clog", "cdu_1.technology", "from 100 % to 50 %"},
                                        {60, "stick", "cdu_1.valve", "from free to 30 %"},
                                        {60, "fail", "tower_1.fan", "from running to stopped"},
                                        {60, "set", "facility.supply_temperature", "from 25 degC to 35 degC"},
                                        {100, "fail", "tower_2.fan", "from running to stopped"},
                                        {160, "restore", "tower_1.fan", "from stands to works"},
                                        {200, "stick", "cdu_1.valve", "from 30 % to free"},
                                        {200, "fail", "cdu_2.pump_a", "scenario; changes nothing now"}};
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  std::vector<std::string> words;
  for (const EventSummaryLine& line : event_lines) {
    CHECK((line.weight == Weight::cause) == (line.words != "CDU 2, pump a failed"));
    words.push_back(line.words);
  }
  CHECK(words == std::vector<std::string>{"row 1, rack 3 clogged to 20 % over 5 min",
                                          "CDU 1, technology clogged to 50 %", "CDU 1, valve stuck at 30 %",
                                          "tower 1, fan failed", "facility, supply temperature set to 35 degC",
                                          "tower 2, fan failed", "tower 1, fan restored", "CDU 1, valve moves again",
                                          "CDU 2, pump a failed"});
}

TEST_CASE("Where there is room for few, what slowed work stands behind its cause, and nothing before it", "[report]") {
  for (const EventRecord& cause : {EventRecord{300, "clog", "row_1.rack_3", "from 100 % to 20 %"},
                                   EventRecord{300, "stick", "cdu_1.valve", "from free to 10 %"},
                                   EventRecord{300, "fail", "tower_1.fan", "from running to stopped"},
                                   EventRecord{300, "fail", "cdu_1", "scenario"},
                                   EventRecord{300, "set", "facility.supply_temperature", "from 25 degC to 50 degC"}}) {
    std::vector<EventRecord> events{{0, "limit_exceeded", "row_1.rack_1", "inlet_air_temperature 31 degC, hotter"},
                                    {10, "start", "chiller_1", "staging of chillers"},
                                    cause,
                                    {420, "first_throttle", "row_1.rack_3.node_1.gpu_1", "die at 87.21 degC"}};
    for (int k = 0; k < 6; ++k) events.push_back({600.0 + 200.0 * k, "on_battery", "ups_a", "bus dead"});
    events.push_back({2000, "restore", cause.target, "scenario"});
    for (const std::size_t most : {2, 4, 6}) {
      INFO(cause.kind << ", " << most);
      const std::vector<EventSummaryLine> reported = most_important(event_summary(events), most);
      REQUIRE(reported.size() == most);
      CHECK((reported[0].first_s == 300 && reported[0].weight == Weight::cause));
      CHECK((reported[1].first_s == 420 && reported[1].slows_work));
      CHECK(std::ranges::is_sorted(reported, {}, &EventSummaryLine::first_s));
      CHECK((most == 2 ||
             reported[2].words.starts_with("UPS a on battery")));  // of more consequence than the order at 2000 s
    }
  }
}

TEST_CASE("Of many causes the first and the last before work is lost are reported, and what was lost", "[report]") {
  std::vector<EventRecord> events;
  for (int k = 0; k < 9; ++k) events.push_back({100.0 * k, "fail", "pump_" + std::to_string(k), "scenario"});
  events.push_back({850, "first_throttle", "row_1.rack_3.node_1.gpu_1", "die at 87.21 degC"});
  events.push_back({1000, "fail", "pump_9", "scenario"});
  const std::vector<EventSummaryLine> reported = most_important(event_summary(events), 3);
  REQUIRE(reported.size() == 3);
  CHECK((reported[0].words == "pump 0 failed" && reported[1].words == "pump 8 failed" && reported[2].slows_work));
}

TEST_CASE("A cause counts as the worst of what follows before the next one, and the rest of the events is counted",
          "[report]") {
  std::vector<EventRecord> events;
  for (int k = 0; k < 4; ++k)
    events.push_back({100.0 + 10.0 * k, "set", "loop_1.pump_speed", fmt::format("from 1 to {}", k)});
  events.push_back({500, "fail", "chiller_1", "scenario"});
  events.push_back({600, "limit_exceeded", "loop_1", "supply_temperature 50 degC, hotter than allowed"});
  events.push_back({700, "open", "utility_a", "scenario"});
  events.push_back({700, "on_battery", "ups_a", "bus dead"});
  events.push_back({800, "close", "utility_a", "scenario"});
  events.push_back({810, "tripped", "pdu_a_1", "over its rating"});
  const std::vector<EventSummaryLine> event_lines = event_summary(events);
  const auto reported_at = [&](std::size_t most) {
    std::vector<double> at_s;
    for (const EventSummaryLine& line : most_important(event_lines, most)) at_s.push_back(line.first_s);
    return at_s;
  };
  CHECK(reported_at(2) == std::vector<double>{700, 800});                 // what equipment was lost from
  CHECK(reported_at(4) == std::vector<double>{700, 700, 800, 810});       // and which
  CHECK(reported_at(5) == std::vector<double>{500, 700, 700, 800, 810});  // what took a limit with it
  CHECK(reported_at(6) == std::vector<double>{500, 600, 700, 700, 800, 810});
  CHECK(events_left_out(event_lines, most_important(event_lines, 6)) == 4);
  CHECK(events_left_out(event_lines, event_lines) == 0);
}

TEST_CASE("A failure says which job it stopped, and after what time that is back", "[report]") {
  const std::vector<EventRecord> events{{60.0, "job_started", "pretraining", "on 16 nodes"},
                                        {300.0, "failure", "row_1.rack_1.node_2", "gpu, back after 12 h"},
                                        {300.0, "job_stopped", "pretraining", "1 of 16 nodes lost, the others wait"},
                                        {420.0, "job_requeued", "pretraining", "1 of 16 nodes lost"},
                                        {780.0, "job_resumed", "pretraining", "restarted in 6 min"}};
  const std::vector<EventSummaryLine> lines = event_summary(events);
  const auto failure = std::ranges::find(lines, Weight::cause, &EventSummaryLine::weight);
  REQUIRE(failure != lines.end());
  CHECK(failure->words ==
        "failure of row 1, rack 1, node 2 (gpu, back after 12 h), pretraining stopped, back after 8 min");
}

TEST_CASE("set-points that are changed between failures and their harm do not hide the failures", "[report]") {
  std::vector<EventRecord> events;
  for (int k = 0; k < 70; ++k)
    events.push_back({5.0 * k, "set", "facility.supply_temperature", fmt::format("from {} degC to {} degC", k, k + 1)});
  events.push_back({302, "fail", "cdu_1.pump_a", "scenario"});
  events.push_back({303, "fail", "cdu_1.pump_b", "scenario"});
  events.push_back({324, "first_throttle", "row_1.rack_1.node_1.gpu_1", "die at 87.21 degC"});
  std::ranges::stable_sort(events, {}, &EventRecord::time_s);
  const std::vector<EventSummaryLine> reported = most_important(event_summary(events), 3);
  REQUIRE(reported.size() == 3);
  CHECK((reported[0].words == "CDU 1, pump a failed" && reported[1].words == "CDU 1, pump b failed"));
  CHECK(reported[2].slows_work);
}

TEST_CASE("The number of a limit stands before its reason, so that it is kept where a line is cut", "[report]") {
  CHECK(limit_before_reason("temperature 40.5 degC, hotter than the maker allows: 35 degC; and 3 more of 4 racks") ==
        "temperature 40.5 degC, limit 35 degC (hotter than the maker allows); and 3 more of 4 racks");
  CHECK(limit_before_reason("loading 112 %, beyond its rating: 100 %") ==
        "loading 112 %, limit 100 % (beyond its rating)");
  for (const char* other : {"", "loading 90 %", "loading 90 %, below its rating again", "trips: soon, it says"})
    CHECK(limit_before_reason(other) == other);
  const std::vector<EventRecord> events{{.time_s = 60.0,
                                         .kind = "limit_exceeded",
                                         .target = "row_1.rack_2",
                                         .detail = "inlet_air_temperature 31 degC, hotter than allowed: 30 degC"}};
  CHECK(event_summary(events).front().words ==
        "limit exceeded, row 1, rack 2: inlet air temperature 31 degC, limit 30 degC (hotter than allowed)");
  std::vector<EventRecord> several = events;
  several.front().detail += "; and 3 more of 4 racks";
  several.push_back({70.0, "limit_exceeded", "row_2.rack_1",
                     "inlet_air_temperature 32 degC, hotter than allowed: 30 degC; and 1 more of 4 racks"});
  CHECK(
      event_summary(several).front().words ==
      "limit exceeded, row 1, rack 2: inlet air temperature 31 degC, limit 30 degC (hotter than allowed); and 5 more");
}

TEST_CASE("of many parts with long names the first is named, and how many more there are", "[report]") {
  std::vector<EventRecord> events;
  for (const char* node :
       {"row_2.rack_13.node_5", "row_3.rack_18.node_2", "row_1.rack_10.node_1", "row_7.rack_17.node_4"})
    events.push_back({60.0, "failure", node, "gpu"});
  CHECK(event_summary(events).front().words == "failure of row 2, rack 13, node 5 and 3 more");
  events.resize(2);
  CHECK(event_summary(events).front().words == "failure of row 2, rack 13, node 5 and row 3, rack 18, node 2");
}

TEST_CASE("machines named by letters are a range, beyond z too", "[display_name]") {
  std::vector<std::string> pumps;
  for (std::size_t number = 0; number < 33; ++number) pumps.push_back("facility.pump_" + wattloop::letter_name(number));
  CHECK(display_names(pumps) == "facility, pump a to ag");
}
