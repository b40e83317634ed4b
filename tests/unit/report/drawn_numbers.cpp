// Numbers of charts, lanes and diagrams of a report against the tables that they come from: small made-up files in which no two numbers are
// equal, so that a neighbour, the least for the most, or before for after would show.
#include <cmath>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/charts/heat_map.hpp"
#include "twin/drawings/diagrams/hall_diagrams.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/report/charts/equipment_lanes.hpp"
#include "twin/report/charts/job_charts.hpp"
#include "twin/report/charts/power_shape.hpp"
#include "twin/report/charts/run_charts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

constexpr float cold_k = 273.15F;

TableSpec table_of(const char* group, const char* item, std::vector<std::string> items,
                   std::vector<ColumnSpec> columns) {
  return {.group = group, .item_dimension = item, .items = std::move(items), .columns = std::move(columns)};
}

/// Value of the flow to the node of that title, in W as the diagram has it.
double flow_to(const Sankey& sankey, const std::string& title) {
  for (const SankeyFlow& flow : sankey.flows)
    if (sankey.nodes.at(flow.to).title == title) return flow.value;
  return -1.0;
}

/// What follows in the data of a page; empty where it does not have the begin.
std::string text_from(const std::string& page, const std::string& begin) {
  const std::size_t at = page.find(begin);
  return at == std::string::npos ? std::string() : page.substr(at);
}

std::vector<double> heights_of(const std::string& svg, const std::string& colour) {
  const std::regex line("<path d='([^']*)' fill='none' stroke='" + colour + "'"), point("[ML][-0-9.]+ ([-0-9.]+)");
  std::smatch found;
  std::vector<double> heights;
  if (!std::regex_search(svg, found, line)) return heights;
  const std::string path = found[1];
  for (std::sregex_iterator one(path.begin(), path.end(), point), end; one != end; ++one)
    heights.push_back(std::stod((*one)[1]));
  return heights;
}

}  // namespace

TEST_CASE("GPU hours go where the summary says, each under its own name", "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  std::vector<LayoutBox> layout;
  for (int gpu = 1; gpu <= 4; ++gpu) layout.push_back({"row_1.rack_1.node_1.gpu_" + std::to_string(gpu), "gpu"});
  writer.write_layout(layout);
  writer.write_summary(std::vector<NamedValue>{{"simulated_time", 36000.0, "s", "time"},
                                               {"job_goodput_ratio", 0.6, "1", "goodput"},
                                               {"job_node_time_ratio", 0.9, "1", "held"},
                                               {"job_checkpoint_time", 1800.0, "s", "saving"},
                                               {"job_redone_time", 2520.0, "s", "redone"},
                                               {"job_slowed_time", 3240.0, "s", "slowed"},
                                               {"job_stopped_time", 5040.0, "s", "stopped"},
                                               {"lost_gpu_time", 3600.0, "s", "down"}});
  writer.finish();
  const Sankey sankey = gpu_time_sankey(ResultsReader(folder / "x.h5"));
  // Of 40 GPU h: 36 with a job, of which 24 are useful or checkpoints; 4 without, of which 1 is down.
  CHECK(flow_to(sankey, "with a job") == Approx(36.0));
  CHECK(flow_to(sankey, "without a job") == Approx(4.0));
  CHECK(flow_to(sankey, "useful") == Approx(22.0));
  CHECK(flow_to(sankey, "checkpoints") == Approx(2.0));
  CHECK(flow_to(sankey, "redone") == Approx(2.8));
  CHECK(flow_to(sankey, "delayed by slow GPUs") == Approx(3.6));
  CHECK(flow_to(sankey, "stopped, restarting") == Approx(5.6));
  CHECK(flow_to(sankey, "idle") == Approx(3.0));
  CHECK(flow_to(sankey, "down") == Approx(1.0));
  double with_job = 0.0, without = 0.0;
  for (const SankeyFlow& flow : sankey.flows) {
    if (sankey.nodes[flow.from].title == "with a job") with_job += flow.value;
    if (sankey.nodes[flow.from].title == "without a job") without += flow.value;
  }
  CHECK(with_job == Approx(36.0));
  CHECK(without == Approx(4.0));
}

TEST_CASE("lanes of jobs and the chart of the queue count who waits and who has nodes", "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto job = [](const char* name, std::int64_t nodes, double submitted_s, double started_s, double ended_s) {
    JobOutcome one{.name = name, .state = "done", .nodes = nodes};
    one.submitted_s = submitted_s;
    one.started_s = started_s;
    one.ended_s = ended_s;
    one.node_time_s = double(nodes) * (ended_s - started_s);
    return one;
  };
  writer.write_jobs(
      std::vector{job("a", 3, 0.0, 100.0, 500.0), job("b", 1, 50.0, 200.0, 400.0), job("c", 2, 60.0, 300.0, 550.0)});
  writer.write_events(
      std::vector<EventRecord>{{350.0, "job_stopped", "a", "node lost"}, {450.0, "job_resumed", "a", ""}});
  writer.write_summary(std::vector<NamedValue>{{"simulated_time", 600.0, "s", "time"}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::vector<Lane> lanes = job_lanes(results, 2);
  REQUIRE(lanes.size() == 2);  // a and c have or want most node time
  CHECK(lanes[0].title == "a (3 nodes)");
  CHECK(lanes[1].title == "c (2 nodes)");
  REQUIRE(lanes[0].spans.size() == 4);
  const std::vector<std::pair<double, LaneState>> expected{
      {0.0, LaneState::waits}, {100.0, LaneState::runs}, {350.0, LaneState::stopped}, {450.0, LaneState::runs}};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(lanes[0].spans[k].begin_s == expected[k].first);
    CHECK(lanes[0].spans[k].state == expected[k].second);
  }
  CHECK(lanes[0].spans.back().end_s == 500.0);
  LiveCharts charts(600.0);
  CHECK_THAT(queue_chart(results, charts), Contains("jobs that wait and that have nodes"));
  const std::string rows = text_from(charts.script({}), "\"labels\":[\"min\",\"waiting jobs\",\"jobs with nodes\"]");
  CHECK_THAT(rows, Contains("[1.25,3,0]"));                        // minutes: a, b and c wait at 75 s
  CHECK_THAT(rows, Contains("[4,1,2]"));                           // c waits at 240 s
  CHECK_THAT(rows, Contains("[8,0,2]") && Contains("[8.5,0,1]"));  // a ends at 500 s
}

TEST_CASE("the load duration curve of the facility is above that of IT, each in its colour", "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto facility = writer.add_table(table_of("facility", "", {}, {{"power", "W", "p"}, {"it_power", "W", "it"}}));
  for (int k = 0; k < 100; ++k)
    writer.append(facility, k, std::vector<float>{2000.0F + 10.0F * float(k), 500.0F + 4.0F * float(k)});
  writer.finish();
  const std::string both = load_duration_chart(ResultsReader(folder / "x.h5")),
                    svg = both.substr(0, both.find("on_phone"));
  const std::vector<double> all = heights_of(svg, meaning::facility_power), it = heights_of(svg, meaning::it_power);
  REQUIRE((all.size() > 10 && it.size() > 10));
  CHECK(all.front() < all.back());  // of pictures the top is small: most first
  // From the most of each, 2990 and 896 W, and the axis from 0: heights are in this ratio.
  const double bottom = it.back() + (it.back() - it.front()) * 500.0 / 396.0;
  CHECK((bottom - all.front()) / (bottom - it.front()) == Approx(2990.0 / 896.0).epsilon(0.01));
}

TEST_CASE("charts of many items have those that move most and the worst, and the ends of all", "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  std::vector<std::string> names;
  for (int cdu = 1; cdu <= 12; ++cdu) names.push_back("cdu_" + std::to_string(cdu));
  const auto cdus = writer.add_table(table_of("cdus", "cdu", names, {{"loading", "1", "loading"}}));
  for (int minute = 0; minute < 3; ++minute) {
    std::vector<float> row;
    for (int cdu = 1; cdu <= 12; ++cdu) row.push_back(0.3F + 0.01F * float(cdu) * float(minute));  // CDU 12 moves most
    row[2] = minute == 1 ? 0.9F : 0.89F;  // moves least, and is highest
    row[3] = minute == 1 ? 0.1F : 0.11F;
    writer.append(cdus, 60.0 * minute, row);
  }
  writer.finish();
  LiveCharts charts(120.0);
  const std::string place = run_charts(ResultsReader(folder / "x.h5"), charts);
  CHECK_THAT(place, Contains("loading of CDUs: 6 of 12, those that move most, and the highest and lowest of all"));
  const std::string data =
      text_from(charts.script({}), R"("labels":["s","CDU 3","CDU 4","CDU 9","CDU 10","CDU 11","CDU 12",)"
                                   R"("highest of 12","lowest of 12"])");
  CHECK_THAT(data, Contains("[60,90,10,39,40,41,42,90,10]") && Contains("[120,89,11,48,50,52,54,89,11]"));
}

TEST_CASE("items that no one could tell apart in a chart are one line with the names of all", "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  std::vector<std::string> names;
  for (int cdu = 1; cdu <= 12; ++cdu) names.push_back("cdu_" + std::to_string(cdu));
  const auto cdus = writer.add_table(table_of("cdus", "cdu", names, {{"loading", "1", "loading"}}));
  for (int minute = 0; minute < 3; ++minute) {
    std::vector<float> row(12, 0.5F + 0.1F * float(minute));
    row[6] = 0.5F - 0.1F * float(minute);  // from 30 to 70 % in all: 0.5 % of it is 0.2 %
    row[7] += 0.0015F;
    row[8] += minute == 2 ? 0.003F : 0.0F;
    writer.append(cdus, 60.0 * minute, row);
  }
  writer.finish();
  LiveCharts charts(120.0);
  const std::string place = run_charts(ResultsReader(folder / "x.h5"), charts);
  CHECK_THAT(place, Contains("loading of CDUs, %") && !Contains("move most"));
  text_from(charts.script({}), R"("labels":["s","CDU 1 to 6, CDU 8 and 3 more","CDU 7","CDU 9"])");
}

TEST_CASE("a report has no supply temperature of a loop or of a water system without flow", "[drawn_numbers]") {
  for (const auto& [group, item] : {std::pair("loops", "loop"), {"water_systems", "water_system"}}) {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const auto waters = writer.add_table(
        table_of(group, item, {"one_1", "one_2"}, {{"supply_temperature", "K", "t"}, {"flow", "kg/s", "f"}}));
    for (int minute = 0; minute < 3; ++minute)
      writer.append(waters, 60.0 * minute,
                    std::vector{cold_k + 30.0F + float(minute), cold_k + 40.0F + 2.0F * float(minute), 5.0F,
                                minute == 1 ? 0.09F : 6.0F});
    writer.finish();
    LiveCharts charts(120.0);
    run_charts(ResultsReader(folder / "x.h5"), charts);
    CHECK_THAT(charts.script({}), Contains("[0,30,40],[60,31,null],[120,32,44]"));
  }
}

TEST_CASE("lanes of economisers name mechanical, partial and full cooling, and means begin before their record",
          "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto facility = writer.add_table(table_of("facility", "", {}, {{"power", "W", "p"}})),
             modes = writer.add_table(table_of("economisers", "economiser", {"economiser_1"}, {{"mode", "1", "mode"}})),
             ups = writer.add_table(
                 table_of("ups", "ups", {"ups_a"}, {{"battery_power", "W", "b", true}, {"power", "W", "p", true}}));
  for (const auto& [time_s, mode, battery_w] :
       {std::tuple(0.0, 0.0F, 0.0F), {60.0, 1.0F, 0.0F}, {120.0, 2.0F, 500.0F}, {180.0, 2.0F, 0.0F}}) {
    writer.append(facility, time_s, std::vector{1000.0F});
    writer.append(modes, time_s, std::vector{mode});
    writer.append(ups, time_s, std::vector{battery_w, 900.0F});
  }
  writer.finish();
  const std::vector<Lane> lanes = equipment_lanes(ResultsReader(folder / "x.h5"));
  const auto spans_of = [&](const std::string& title) {
    const auto found = std::ranges::find(lanes, title, &Lane::title);
    INFO(title);
    REQUIRE(found != lanes.end());
    return found->spans;
  };
  const std::vector<LaneSpan> economiser = spans_of("economiser 1"), battery = spans_of("UPS a");
  REQUIRE(economiser.size() == 3);
  CHECK((economiser[0].words == "mechanical" && economiser[0].begin_s == 0.0));
  CHECK((economiser[1].words == "partial" && economiser[1].begin_s == 60.0));
  CHECK((economiser[2].words == "full" && economiser[2].begin_s == 120.0));
  REQUIRE(battery.size() == 3);
  CHECK((battery[1].state == LaneState::on_battery && battery[1].begin_s == 60.0 && battery[1].end_s == 120.0));
}

TEST_CASE("a cooling schematic has the weather of its time, dry and wet bulb by their names", "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto facility =
      writer.add_table(table_of("facility", "", {}, {{"dry_bulb", "K", "d"}, {"wet_bulb", "K", "w"}}));
  for (int minute = 0; minute < 3; ++minute)
    writer.append(facility, 60.0 * minute, std::vector{cold_k + 20.0F + float(minute), cold_k + 11.0F + float(minute)});
  Topology topology;
  for (const auto& [name, kind] : {std::pair{"tower_1", "cooling tower"}, {"sky", "surroundings"}})
    topology.parts.push_back({name, kind});
  topology.connections = {{"tower_1", "sky", "heat"}};
  writer.write_topology(topology);
  writer.finish();
  const std::string svg = cooling_schematic(ResultsReader(folder / "x.h5"), {.time_s = 60.0});
  CHECK_THAT(svg, Contains(">dry bulb 21 degC<") && Contains(">wet bulb 12 degC<"));
}

TEST_CASE("the plan before the first event is of a record before it, and the heat map has the begin of its intervals",
          "[drawn_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_layout(std::vector<LayoutBox>{{"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}});
  const auto racks = writer.add_table(table_of("racks", "rack", {"row_1.rack_1"}, {{"max_die_temperature", "K", "d"}}));
  for (int minute = 0; minute < 5; ++minute) writer.append(racks, 60.0 * minute, std::vector{330.0F + float(minute)});
  writer.write_events(std::vector<EventRecord>{{120.0, "fail", "cdu_1", "scenario"}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::string page = plans(results, RackTemperatures(results), 180.0);
  CHECK_THAT(page, Contains("<h3>Before: at 1 min</h3>") && Contains("<h3>At worst: at 3 min</h3>") &&
                       Contains("<h3>At the end: at 4 min</h3>"));
  std::vector<double> times_s;
  std::vector<float> dies_k;
  for (int minute = 0; minute < 800; ++minute) times_s.push_back(60.0 * minute), dies_k.push_back(330.0F);
  CHECK_THAT(heat_map(times_s, std::vector<std::string>{"rack_1"}, dies_k),
             Contains("data-times='[&quot;0 s&quot;,&quot;2 min&quot;,&quot;4 min&quot;"));
}
