// Key figures and the first sentences of reports on made-up results.
#include "twin/report/run/run_tables.hpp"

#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/events/run_verdict.hpp"
#include "twin/report/run/page_frame.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

constexpr double freezing_k = 273.15;

LimitRecord inlet_limit(const std::string& rack, double limit_degc, double worst_degc) {
  return {.part = rack,
          .quantity = "inlet_air_temperature",
          .unit = "K",
          .limit = freezing_k + limit_degc,
          .worst = freezing_k + worst_degc};
}

/// Two rows, of which the second gets warmer, up to 31 degC.
std::string key_figures_of(const std::vector<LimitRecord>& limits) {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto rows = writer.add_table({.group = "rows",
                                      .item_dimension = "row",
                                      .items = {"row_1", "row_2"},
                                      .columns = {{"cold_aisle_temperature", "K", "air before racks"}}});
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"row_1.rack_1", "row_2.rack_1", "row_2.rack_2"},
                                       .columns = {{"it_power", "W", "power"}}});
  writer.append(rows, 0.0, std::vector<float>{298.15F, 275.15F});
  writer.append(rows, 60.0, std::vector<float>{299.15F, 304.15F});
  writer.append(racks, 0.0, std::vector<float>{1.0F, 1.0F, 1.0F});
  writer.write_limits(limits);
  const std::vector<NamedValue> summary{{"highest_cold_aisle_temperature", freezing_k + 31.0, "K", "warmest"}};
  writer.write_summary(summary);
  writer.finish();
  return key_figures(ResultsReader(folder / "x.h5"));
}

/// The report of a run in which nothing happened, but for what its summary says.
struct Quiet {
  explicit Quiet(const std::vector<NamedValue>& summary) {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    writer.write_summary(summary);
    writer.finish();
    const ResultsReader results(folder / "x.h5");
    said = verdict(results, {});
    figures = key_figures(results);
  }
  std::string said{}, figures{};
};

}  // namespace

TEST_CASE("the warmest cold aisle stands beside upper limits of racks of its row, and no others", "[run_tables]") {
  const std::string alone = "<td>Warmest cold aisle</td><td>31 degC</td><td></td>";
  const LimitRecord warm = inlet_limit("row_2.rack_1", 27.0, 31.0), cold = inlet_limit("row_2.rack_1", 5.0, 2.0);
  CHECK_THAT(key_figures_of({}), Contains(alone));
  CHECK_THAT(key_figures_of({cold}), Contains(alone));
  CHECK_THAT(key_figures_of({inlet_limit("row_1.rack_1", 25.0, 26.0)}), Contains(alone));
  const std::string beyond = "<td>31 degC</td><td>limit 27 degC: 4 K beyond it</td>";
  CHECK_THAT(key_figures_of({warm}), Contains(beyond));
  CHECK_THAT(
      key_figures_of({cold, inlet_limit("row_1.rack_1", 25.0, 26.0), inlet_limit("row_2.rack_2", 30.0, 31.0), warm}),
      Contains(beyond));
}

TEST_CASE("a report does not say that nothing is off beside failed nodes", "[run_tables]") {
  const auto said = [](std::int64_t failed) {
    return Quiet({{"shut_down_gpus", std::int64_t{0}, "1", "off"}, {"failed_nodes", failed, "1", "failed"}}).said;
  };
  CHECK_THAT(said(0), Contains("At the end nothing is off."));
  CHECK_THAT(said(1), Contains("At the end: 1 node failed.") && !Contains("nothing is off"));
  CHECK_THAT(said(12), Contains("At the end: 12 nodes failed.") && !Contains("nothing is off"));
}

TEST_CASE("a report says what was above or below its set-point though nothing failed", "[run_tables]") {
  const Quiet held(
      {{"facility_above_set_point_time", 0.0, "s", "warm"}, {"room_1_above_set_point_time", 59.0, "s", "warm"}});
  CHECK_THAT(held.said, Contains("Nothing happened in this run.") && !Contains("set-point"));
  CHECK_THAT(held.figures, !Contains("set-point"));
  const Quiet warm({{"facility_above_set_point_time", 20640.0, "s", "warm"}});
  CHECK_THAT(warm.said, Contains("Nothing failed. Above its set-point for 5 h 44 min: facility.") &&
                            !Contains("Nothing happened"));
  CHECK_THAT(warm.figures, Contains("<td>Above its set-point: facility</td><td>5 h 44 min</td>"));
  const Quiet two(
      {{"room_1_above_set_point_time", 600.0, "s", "warm"}, {"loop_1_above_set_point_time", 1200.0, "s", "warm"}});
  CHECK_THAT(two.said, Contains("Above its set-point for 20 min: loop 1, and 1 more."));
  const Quiet both({{"loop_1_below_set_point_time", 1800.0, "s", "cold"},
                    {"room_1_above_set_point_time", 600.0, "s", "warm"},
                    {"loop_2_below_set_point_time", 1200.0, "s", "cold"}});
  CHECK_THAT(both.said,
             Contains("Above its set-point for 10 min: room 1. Below its set-point for 30 min: loop 1, and 1 more."));
  const Quiet cold({{"facility_below_set_point_time", 600.0, "s", "cold"},
                    {"facility_most_below_set_point", 3.5, "delta_K", "cold"}});
  CHECK_THAT(cold.said, Contains("Nothing failed. Below its set-point for 10 min: facility."));
  CHECK_THAT(cold.figures, Contains("<td>Below its set-point: facility</td><td>10 min, by up to 3.5 K</td>"));
  CHECK_THAT(two.figures,
             Contains("set-point: loop 1, and 1 more for less time</td><td>20 min") && !Contains("room 1"));
  CHECK_THAT(both.figures, Contains("<td>Above its set-point: room 1</td><td>10 min") &&
                               Contains("<td>Below its set-point: loop 1, and 1 more for less time</td><td>30 min"));
}

TEST_CASE("GPU hours have no exponent, however many", "[run_tables]") {
  const auto lost = [](double gpu_h) { return Quiet({{"lost_gpu_time", 3600.0 * gpu_h, "s", "lost"}}); };
  CHECK_THAT(lost(12.34).figures, Contains("<td>12.3 GPU h</td>"));
  CHECK_THAT(lost(7509.2).figures, Contains("<td>7509 GPU h</td>"));
  CHECK_THAT(lost(14754321.0).figures, Contains("<td>14.75 million GPU h</td>"));
  CHECK_THAT(lost(14754321.0).said, Contains(" 14.75 million GPU h were lost"));
}

TEST_CASE("the head of a report has each line that the terminal prints of the run, word for word", "[run_tables]") {
  const std::vector<NamedValue> summary{{"peak_die_temperature", freezing_k + 88.5, "K", "hottest"},
                                        {"peak_die_gpu", std::string("row_1.rack_2.node_3.gpu_4"), "", "of"},
                                        {"peak_die_time", 754.0, "s", "when"},
                                        {"smallest_throttle_margin", -1.5, "delta_K", "margin"},
                                        {"throttled_gpu_time", 7200.0, "s", "slowed"},
                                        {"highest_cdu_loading", 0.613, "1", "of CDUs"},
                                        {"highest_cdu_loading_of", std::string("cdu_7"), "", "of CDUs"},
                                        {"pue", 1.25, "1", "facility over IT"},
                                        {"utility_energy", 3.4e9, "J", "energy"},
                                        {"facility_energy", 3.6e9, "J", "energy"},
                                        {"rejected_energy", 3.5e9, "J", "heat"},
                                        {"energy_residual", 2.5e-13, "1", "residual"},
                                        {"peak_utility_power", 1.1e6, "W", "peak"},
                                        {"simulated_time", 3600.0, "s", "time"}};
  const std::vector<LimitRecord> limits{
      {"row_1.rack_1", "inlet_air_temperature", "K", "hot", "log", 303.15, 313.15, 90.0, 60.0, 30.0}};
  const std::vector<EventRecord> events{{60.0, "fail", "cdu_1.pump_a", "scenario"},
                                        {90.0, "first_throttle", "row_1.rack_2.node_3.gpu_4", "die at 87.21 degC"}};
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_events(events);
  writer.write_limits(limits);
  writer.write_summary(summary);
  writer.finish();
  const std::string page = verdict(ResultsReader(folder / "x.h5"), {});
  const RunReported run{summary, events, limits};
  CHECK_THAT(page, Contains("'><b style='color:" + std::string(colour_of(RunVerdict::slowed).page) + "'>SLOWED</b>"));
  std::istringstream terminal(run_verdict(run, {}));
  std::string first, line;
  std::getline(terminal, first);
  CHECK_THAT(page, Contains("</b> " + first.substr(first.find_first_not_of(' ', 8)) + "."));
  std::size_t lines = 0;
  for (; std::getline(terminal, line); ++lines) {
    const std::string label = line.substr(2, line.find("  ", 2) - 2);
    std::string words = line.substr(17);
    if (words.ends_with("...")) words.resize(words.size() - 3);
    words = with_display_names(words);  // a page has no names of files
    INFO(line);
    CHECK_THAT(page, Contains("<tr><th scope='row'>" + label + "</th><td>" + words));
  }
  CHECK(lines == 7);
  CHECK_THAT(page, Contains("row 1, rack 2, node 3, GPU 4, at 12 min 34 s</td>") &&
                       Contains("at 1 min 30 s, beyond it for 30 s in all"));
}

TEST_CASE("limits of parts that are alike are one row with the worst of them", "[run_tables]") {
  const auto limit = [](const std::string& part, double allowed_degc, double worst_degc, double at_s, double first_s,
                        double duration_s) {
    return LimitRecord{part,
                       "inlet_air_temperature",
                       "K",
                       "hot",
                       "log",
                       freezing_k + allowed_degc,
                       freezing_k + worst_degc,
                       at_s,
                       first_s,
                       duration_s};
  };
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_limits(std::vector<LimitRecord>{
      limit("row_1.rack_1", 30.0, 31.0, 100.0, 60.0, 20.0), limit("row_1.rack_2", 30.0, 34.0, 120.0, 70.0, 50.0),
      limit("row_1.rack_3", 30.0, 33.0, 110.0, 50.0, 55.0), limit("row_1.rack_4", 27.0, 29.0, 90.0, 80.0, 10.0),
      limit("row_1.rack_5", 30.0, 4.0, 90.0, 85.0, 11.0), limit("hall", 30.0, 32.0, 95.0, 75.0, 12.0)});
  writer.finish();
  const std::string page = limits_table(ResultsReader(folder / "x.h5"));
  const auto row = [](const std::string& part, const std::string& allowed, const std::string& rest) {
    return "<tr><td>" + part + "</td><td>inlet air temperature</td><td>" + allowed + " degC</td><td>" + rest +
           "</td><td>it is recorded only</td></tr>";
  };
  CHECK_THAT(page, Contains(row("row 1, rack 1 to 3 (3 parts)", "30",
                                "34 degC at 2 min, row 1, rack 2</td><td>50 s</td><td>at most 55 s")));
  CHECK_THAT(page, Contains(row("row 1, rack 4", "27", "29 degC at 1 min 30 s</td><td>1 min 20 s</td><td>10 s")));
  CHECK_THAT(page, Contains(row("row 1, rack 5", "30", "4 degC at 1 min 30 s</td><td>1 min 25 s</td><td>11 s")));
  CHECK_THAT(page, Contains(row("hall", "30", "32 degC at 1 min 35 s</td><td>1 min 15 s</td><td>12 s")));
}

TEST_CASE("heads of columns are heads for readers of screens, and contents lead to each section", "[run_tables]") {
  const std::string first = section("Key figures", "<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1</td></tr></table>"),
                    second = section("Over time", "<p>curves</p>", "charts"), empty = section("Fabric", "");
  CHECK_THAT(first,
             Contains("<h2 id='to_key_figures'>Key figures</h2>") &&
                 Contains("<table><thead><tr><th scope='col'>a</th><th scope='col'>b</th></tr></thead>\n<tr><td>1"));
  CHECK(contents_of(first + second + empty) ==
        "<nav aria-label='Contents'><a href='#to_key_figures'>Key figures</a>\n<a href='#charts'>Over time</a>\n"
        "<a href='#to_fabric'>Fabric</a>\n</nav>\n");
  CHECK(contents_of("<p>nothing</p>").empty());
}

TEST_CASE("plans that are equal are drawn once, and equal rows of the hottest racks are one", "[run_tables]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  std::vector<LayoutBox> layout;
  for (int rack = 1; rack <= 3; ++rack)
    layout.push_back({"row_1.rack_" + std::to_string(rack), "rack", "", {rack * 1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}});
  writer.write_layout(layout);
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"row_1.rack_1", "row_1.rack_2", "row_1.rack_3"},
                                       .columns = {{"max_die_temperature", "K", "hottest die"}}});
  writer.append(racks, 0.0, std::vector<float>{330.0F, 330.0F, 331.0F});
  writer.append(racks, 60.0, std::vector<float>{340.0F, 340.0F, 345.0F});
  writer.append(racks, 120.0, std::vector<float>{330.0F, 330.0F, 331.0F});
  writer.write_events(std::vector<EventRecord>{{30.0, "set", "loop_1.supply_temperature", ""}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const RackTemperatures temperatures(results);
  const std::string page = plans(results, temperatures, 60.0);
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = page.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(count("<svg class='plan'") == 2);
  CHECK_THAT(page,
             Contains("<h3>Before: at 0 s<br>At the end: at 2 min</h3>") && Contains("<h3>At worst: at 1 min</h3>"));
  const std::string table = hottest_racks(results, temperatures);
  CHECK_THAT(table, Contains("<tr><td>row 1, rack 3</td><td>71.85 degC</td><td>recorded at 1 min</td></tr>\n"
                             "<tr><td>row 1, rack 1 and 2 (2 racks)</td><td>66.85 degC</td>"));
}

TEST_CASE("plans draw CDUs and doors, what failed, what is idle and what carries, and name machines outside",
          "[run_tables]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_layout(
      std::vector<LayoutBox>{{"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
                             {"row_1.rack_2", "rack", "", {2.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
                             {"row_1.rack_1.rear_door", "rear_door", "row_1.rack_1", {1.0, 0.7, 1.0}, {0.5, 0.2, 2.0}},
                             {"row_1.rack_2.rear_door", "rear_door", "row_1.rack_2", {2.0, 0.7, 1.0}, {0.5, 0.2, 2.0}},
                             {"cdu_1", "cdu", "", {-1.0, 0.0, 1.0}, {0.8, 1.0, 2.0}},
                             {"cdu_2", "cdu", "", {-2.0, 0.0, 1.0}, {0.8, 1.0, 2.0}},
                             {"cdu_10", "cdu", "", {-3.0, 0.0, 1.0}, {0.8, 1.0, 2.0}},
                             {"ups_a", "ups", "", {-6.0, 0.0, 1.0}, {0.8, 3.0, 2.0}},
                             {"pdu_a", "pdu", "", {6.0, 0.0, 1.0}, {0.8, 0.8, 2.0}},
                             {"chiller_1", "chiller", "yard", {0.0, 30.0, 1.0}, {3.0, 9.0, 2.0}}});
  const auto racks =
      writer.add_table({.group = "racks",
                        .item_dimension = "rack",
                        .items = {"row_1.rack_1", "row_1.rack_2"},
                        .columns = {{"max_die_temperature", "K", "hottest die"}, {"door_heat", "W", "of doors"}}});
  const auto motors = writer.add_table(
      {.group = "motors",
       .item_dimension = "motor",
       .items = {"cdu_1.pump_a", "cdu_1.pump_b", "cdu_2.pump_a", "cdu_2.pump_b", "cdu_10.pump_a", "chiller_1"},
       .columns = {{"state", "1", "state"}}});
  const auto ups = writer.add_table(
      {.group = "ups", .item_dimension = "ups", .items = {"ups_a"}, .columns = {{"battery_power", "W", "battery"}}});
  const auto at = [&](double time_s, std::vector<float> states, float door_w, float battery_w) {
    writer.append(racks, time_s, std::vector<float>{330.0F, 331.0F, 4e3F, door_w});
    writer.append(motors, time_s, states);
    writer.append(ups, time_s, std::vector<float>{battery_w});
  };
  at(0.0, {1, 1, 1, 0, 1, 1}, 5e3F, 0.0F);
  at(60.0, {2, 2, 1, 2, 0, 2}, 0.0F, 9e5F);
  at(120.0, {2, 2, 1, 0, 1, 1}, 5e3F, 0.0F);
  writer.write_events(std::vector<EventRecord>{{30.0, "set", "loop_1.supply_temperature", ""}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::string page = plans(results, RackTemperatures(results), 60.0);
  const std::size_t worst = page.find("At worst"), end = page.find("At the end");
  REQUIRE(worst < end);
  const std::string before = page.substr(0, worst), at_worst = page.substr(worst, end - worst);
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK_THAT(before, Contains("<title>cdu_1: runs</title>") && Contains("rack_2.rear_door: runs, takes up 5 kW"));
  CHECK(count(before, "class='broken'") == 0);
  CHECK_THAT(before, !Contains("class='does'"));
  CHECK_THAT(at_worst, Contains("<title>cdu_1: failed</title>") && Contains("<title>cdu_2: impaired</title>") &&
                           Contains("<title>cdu_10: idle</title>") &&
                           Contains("<title>ups_a: carries the load</title>"));
  CHECK_THAT(at_worst,
             Contains("rack_1.rear_door: runs, takes up 4 kW") && Contains("rack_2.rear_door: idle, takes up 0 W"));
  CHECK(count(at_worst, "class='broken'") == 2);  // a cross and a stroke
  CHECK(count(at_worst, "url(#idle)") == 2);      // a CDU and a door
  CHECK_THAT(at_worst,
             Contains("<p class='does'>Failed: CDU 1, chiller 1. Impaired: CDU 2. Carrying the load: UPS a. Idle: ") &&
                 Contains("CDU 10"));
  CHECK_THAT(page,
             !Contains("pdu_a") && !Contains("<title>chiller_1"));  // a kind that simply runs, and what is outside
  CHECK(count(page, "<title>ups_a: ") == 3);                        // where one is special, in each plan
  CHECK_THAT(page.substr(end), Contains("Failed: CDU 1.</p>"));
}
