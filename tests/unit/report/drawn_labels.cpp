// What stands beside what is drawn: numbers of scales, names of lanes, words at marks, means beside tiers, times of a story. Made-up input of
// which no two numbers are equal, against values by hand.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <regex>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/swim_lanes.hpp"
#include "twin/drawings/charts/time_current_chart.hpp"
#include "twin/drawings/diagrams/fabric_diagram.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/report/charts/job_plans.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/run/run_tables.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

TEST_CASE("the scale of a quiet hall has each number at the colour of this margin", "[drawn_labels]") {
  const std::array<double, 2> ends_k{12.0, 24.0};
  const std::string svg = quiet_scale(ends_k);
  const std::regex rectangle("<rect x='([0-9]+)'[^>]*fill='(#[0-9a-f]+)'"), tick("<text x='([0-9]+)'[^>]*>([^<]*) K<");
  std::map<int, std::string> colours;  // by where they begin
  for (std::sregex_iterator one(svg.begin(), svg.end(), rectangle), end; one != end; ++one)
    colours[std::stoi((*one)[1])] = (*one)[2];
  REQUIRE(colours.size() == 40);
  std::map<int, double> ticks;
  for (std::sregex_iterator one(svg.begin(), svg.end(), tick), end; one != end; ++one)
    ticks[std::stoi((*one)[1])] = std::stod((*one)[2]);
  CHECK(ticks == std::map<int, double>{{20, 12.0}, {340, 18.0}, {660, 24.0}});
  CHECK(colours[20] == quiet_colour(12.15, ends_k));  // the middle of the first fortieth of 12 K
  CHECK(colours[644] == quiet_colour(23.85, ends_k));
}

TEST_CASE("a long name of a lane stands in two lines, whole", "[drawn_labels]") {
  const std::string name = "row 1 and 2, rack 1, 3, 5, 7 and 9, coolant distribution unit 14";
  const std::string svg = swim_lanes(std::vector<Lane>{{name, {{0.0, 60.0, LaneState::failed, {}}}}}, 0.0, 60.0);
  const std::regex line("text-anchor='end' font-size='10'>([^<]*)<");
  std::string read;
  for (std::sregex_iterator one(svg.begin(), svg.end(), line), end; one != end; ++one)
    read += (read.empty() ? "" : " ") + (*one)[1].str();
  CHECK(read == name);
}

TEST_CASE("the largest short circuit is named at the dashed line of its current, the smallest at the dotted one",
          "[drawn_labels]") {
  const std::string svg = time_current_chart({{.name = "breaker",
                                               .currents_a = {1e3, 2e3, 60e3},
                                               .times_s = {1e3, 10.0, 0.1},
                                               .largest_a = 50e3,
                                               .smallest_a = 8e3}},
                                             "400 V");
  CHECK_THAT(svg, Contains(">largest 50 kA<") && Contains(">smallest 8 kA<"));
  const std::regex mark("<path d='M([0-9.]+) [^']*'[^>]*stroke-dasharray='([0-9. ]+)'"),
      label("<text x='([0-9.]+)'[^>]*>(largest|smallest) ");
  std::map<std::string, double> lines, labels;
  for (std::sregex_iterator one(svg.begin(), svg.end(), mark), end; one != end; ++one)
    lines[(*one)[2] == "6 4" ? "largest" : "smallest"] = std::stod((*one)[1]);
  for (std::sregex_iterator one(svg.begin(), svg.end(), label), end; one != end; ++one)
    labels[(*one)[2]] = std::stod((*one)[1]);
  REQUIRE((lines.size() == 2 && labels.size() == 2));
  CHECK(lines["largest"] > lines["smallest"]);
  for (const char* which : {"largest", "smallest"}) CHECK(labels[which] == Approx(lines[which]).margin(5.0));
}

TEST_CASE("the load beside a tier is the mean of its links, of islands of unlike sizes", "[drawn_labels]") {
  // 100 links at 10 % and 300 at 50 %: 40 %; by islands it would be 30 %, by switches 23.3 %.
  const std::string svg = fabric_diagram(std::vector<DrawnFabricTier>{
      {"leaf.island_1", 8.0, 100.0, 0.0, 0.0, 0.1, 0.2}, {"leaf.island_2", 4.0, 300.0, 0.0, 0.0, 0.5, 0.9}});
  CHECK_THAT(svg, Contains(">400 links down: load 40 %, most 90 %<") && Contains(">leaf: 12 switches<"));
}

TEST_CASE("a job has the share of its own rack where racks have unlike numbers of nodes", "[drawn_labels]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  std::vector<LayoutBox> layout;
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  for (const auto& [rack, nodes] : {std::pair(0, 8), {1, 4}}) {
    layout.push_back({names[std::size_t(rack)], "rack", "", {rack * 1.0, 0.0, 1.1}, {0.6, 1.2, 2.2}});
    for (int node = 1; node <= nodes; ++node)
      layout.push_back({fmt::format("{}.node_{}", names[std::size_t(rack)], node),
                        "node",
                        names[std::size_t(rack)],
                        {},
                        {0.5, 0.9, 0.2}});
  }
  writer.write_layout(layout);
  const auto racks = writer.add_table(
      {.group = "racks", .item_dimension = "rack", .items = names, .columns = {{"max_die_temperature", "K", "die"}}});
  for (const double time_s : {0.0, 60.0}) writer.append(racks, time_s, std::vector(2, 330.0F));
  writer.write_jobs(std::vector<JobOutcome>{{.name = "one", .state = "running", .nodes = 5}});
  constexpr double open_s = std::numeric_limits<double>::quiet_NaN();
  writer.write_placements(std::vector<JobPlace>{{0, 0, 2, 0.0, open_s}, {0, 1, 3, 0.0, open_s}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::string page = job_plans(results, RackTemperatures(results), 60.0);
  for (const auto& [rack, deep_m] : {std::pair(1, 1.2 * 2 / 8), {2, 1.2 * 3 / 4}})
    CHECK_THAT(page, Contains(fmt::format("height='{:.2f}' fill='{}'><title>row_1.rack_{}: one: ", deep_m,
                                          meaning::jobs[0], rack)));
}

TEST_CASE("the head of a report has the cause and the harm with the times at which they began", "[drawn_labels]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.finish();
  const std::vector<EventSummaryLine> event_lines{
      {60.0, 240.0, 3, "CDU 1 to 3 failed", Weight::cause, true},
      {120.0, 120.0, 1, "CDU 4 failed", Weight::cause, true},
      {150.0, 150.0, 1, "first GPU throttled", Weight::loss, false, false, true},
      {300.0, 600.0, 8, "8 nodes switched off", Weight::loss, false, false, false, true}};
  CHECK_THAT(verdict(ResultsReader(folder / "x.h5"), event_lines),
             Contains("At 1 min CDU 1 to 3 failed. At 5 min 8 nodes switched off, and 2 more events, listed under What "
                      "happened.") &&
                 !Contains("later"));
}
