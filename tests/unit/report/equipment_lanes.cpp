// Lanes of equipment: what the results of runs say of states, and pictures of made-up spans.
#include "twin/report/charts/equipment_lanes.hpp"

#include <algorithm>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/contrast.hpp"
#include "tests/support/run_program.hpp"
#include "twin/drawings/charts/time_axis.hpp"
#include "twin/results/reader/equipment_faults.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

TEST_CASE("samples of equal state are one span, each until the next", "[lanes]") {
  const std::vector<double> times_s{0, 10, 20, 30};
  const std::vector<LaneState> states{LaneState::runs, LaneState::runs, LaneState::failed, LaneState::runs};
  const std::vector<LaneSpan> spans = lane_spans(times_s, states, 45.0);
  REQUIRE(spans.size() == 3);
  CHECK((spans[0].begin_s == 0.0 && spans[0].end_s == 20.0 && spans[0].state == LaneState::runs));
  CHECK((spans[1].begin_s == 20.0 && spans[1].end_s == 30.0 && spans[1].state == LaneState::failed));
  CHECK((spans[2].begin_s == 30.0 && spans[2].end_s == 45.0 && spans[2].state == LaneState::runs));
  CHECK(lane_spans({}, {}, 1.0).empty());
}

TEST_CASE("a lane is as wide as its time, says its state and carries no text of others as markup", "[lanes]") {
  const std::vector<Lane> lanes{{"pump <a>", {{0.0, 30.0, LaneState::runs, {}}, {30.0, 60.0, LaneState::failed, {}}}}};
  const std::string svg = swim_lanes(lanes, 0.0, 60.0);
  CHECK_THAT(svg, Contains("pump &lt;a&gt;") && !Contains("pump <a>"));
  CHECK_THAT(svg, Contains("x='120.0' y='2.5' width='370.0' height='15' fill='#56b4e9'"));
  CHECK_THAT(svg, Contains("x='490.0' y='2.5' width='370.0' height='15' fill='#d55e00'"));
  CHECK_THAT(svg, Contains(">30 s</text>") && Contains("failed, 30 s to 1 min"));
  CHECK(swim_lanes({}, 0.0, 60.0).empty());
  CHECK(swim_lanes(lanes, 60.0, 60.0).empty());
}

TEST_CASE("on a phone lanes have their whole time in the column, and whole times below them", "[lanes]") {
  const std::vector<Lane> lanes{{"pump <a>", {{0.0, 30.0, LaneState::runs, {}}, {30.0, 60.0, LaneState::failed, {}}}}};
  const std::string svg = narrow_swim_lanes(lanes, 0.0, 60.0);
  CHECK_THAT(svg, Contains("viewBox='0 -2 360 ") && Contains("pump &lt;a&gt;"));
  CHECK_THAT(svg, Contains("x='8.0' y='15.0' width='172.0' height='15' fill='#56b4e9'") &&
                      Contains("x='180.0' y='15.0' width='172.0' height='15' fill='#d55e00'"));
  CHECK_THAT(svg, Contains("<text x='0.0'") && Contains(">0 s</text>") && Contains(">30 s</text>"));
  CHECK(narrow_swim_lanes({}, 0.0, 60.0).empty());
}

TEST_CASE("words on bars of lanes stand out from them by 4.5 : 1, in every state", "[lanes]") {
  std::vector<Lane> lanes;
  for (int state = 0; state < 12; ++state) lanes.push_back({"pump", {{0.0, 60.0, LaneState(state), {}}}});
  const std::string svg = swim_lanes(lanes, 0.0, 60.0);
  const std::regex bar("height='15' fill='(#[0-9a-f]+)'><title>[^<]*</title></rect>\n<text [^>]*fill='(#[0-9a-f]+)'");
  int bars = 0;
  for (std::sregex_iterator found(svg.begin(), svg.end(), bar), end; found != end; ++found, ++bars) {
    INFO((*found)[2] << " on " << (*found)[1]);
    CHECK(contrast((*found)[1], (*found)[2]) >= 4.5);
  }
  CHECK(bars == 11);  // what is not recorded has no words
}

TEST_CASE("names of lanes have room, long ones in two lines", "[lanes]") {
  const std::vector<LaneSpan> spans{{0.0, 60.0, LaneState::runs, {}}};
  const std::vector<Lane> lanes{{"pump a", spans},
                                {"chilled water of the eastern hall, pump a, b, c, d and e of the second set", spans}};
  const std::string svg = swim_lanes(lanes, 0.0, 60.0);
  const std::regex text("<text x='([0-9.]+)' y='[0-9.]+' text-anchor='end'[^>]*>([^<]+)<");
  std::size_t lines = 0;
  for (std::sregex_iterator found(svg.begin(), svg.end(), text), end; found != end; ++found, ++lines)
    CHECK(std::stod((*found)[1]) > 6.0 * static_cast<double>((*found)[2].length()));  // pixels of a letter of 12
  CHECK(lines == 3);
}

TEST_CASE("a UPS that failed has one lane, and causes stand above what followed at the same time", "[lanes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto lanes_of = [&](const char* scenario, const char* event) {
    const Outcome run = folder.run({"run", std::string(WATTLOOP_SOURCE_DIR "/scenarios/") + scenario, "-q", "-o",
                                    "x.h5", "--force", "--set", "duration=4 min", "--event", event});
    INFO(run.errors);
    REQUIRE(run.exit_code == 0);
    return equipment_lanes(ResultsReader(folder / "x.h5"));
  };
  const std::vector<Lane> failed = lanes_of("pump_failure/no_failure.yaml", "at: 2 min, fail: ups_b_*");
  CHECK(std::ranges::count_if(failed, [](const Lane& lane) { return lane.title == "UPS b 1 to 8"; }) == 1);
  const std::vector<Lane> dark = lanes_of("utility_loss/no_generators_10min.yaml", "at: 3 min, fail: cdu_1");
  const auto place = [&](const std::string& begin) {
    const auto found = std::ranges::find_if(dark, [&](const Lane& lane) { return lane.title.starts_with(begin); });
    INFO(begin);
    REQUIRE(found != dark.end());
    return found - dark.begin();
  };
  CHECK(place("utility") < place("UPS a"));
  CHECK(place("UPS a") < place("tower"));
  CHECK(place("tower") < place("GPUs"));
}

TEST_CASE("ticks are round and few", "[lanes]") {
  const auto words = [](double begin_s, double end_s) {
    std::string all;
    for (const TimeTick& tick : time_ticks(begin_s, end_s)) all += tick.words + " ";
    return all;
  };
  CHECK(words(0.0, 600.0) == "0 min 2 min 4 min 6 min 8 min 10 min ");
  CHECK(words(0.0, 86400.0) == "0 h 3 h 6 h 9 h 12 h 15 h 18 h 21 h 24 h ");
  CHECK(words(7.0, 9.0) == "7 s 8 s 9 s ");
  CHECK(number_ticks(0.0, 1.0) == std::vector<double>{0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0});
  CHECK(number_ticks(3.0, 3.0) == std::vector<double>{3.0});
}

TEST_CASE("what stood still, failed and came back in a run has its lanes, and nothing else", "[lanes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run =
      folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "-q", "-o", "x.h5", "--set", "duration=5 min",
                  "--set", "record={facility: 1 s, racks: 10 s}", "--event", "at: 60 s, fail: cdu_1.pump_a, for: 60 s",
                  "--event", "at: 90 s, open: utility_a, for: 30 s"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const ResultsReader results(folder / "x.h5");
  const std::vector<Lane> lanes = equipment_lanes(results);
  const auto lane = [&](const std::string& title) {
    const auto found = std::ranges::find(lanes, title, &Lane::title);
    INFO(title);
    REQUIRE(found != lanes.end());
    return found->spans;
  };
  const std::vector<LaneSpan> pump = lane("CDU 1, pump a"), feed = lane("utility feed a"), ups = lane("UPS a");
  REQUIRE(pump.size() >= 3);
  CHECK((pump[1].state == LaneState::failed && pump[1].begin_s == 60.0 && pump[1].end_s == 120.0));
  REQUIRE(feed.size() == 3);
  CHECK((feed[1].state == LaneState::off && feed[1].words == "open" && feed[1].begin_s == 90.0 &&
         feed[1].end_s == 120.0));
  REQUIRE(ups.size() == 3);
  CHECK((ups[1].state == LaneState::on_battery && ups[1].begin_s == 90.0));
  CHECK(std::ranges::none_of(lanes, [](const Lane& one) { return one.spans.size() < 2; }));
  CHECK(std::ranges::is_sorted(lanes, {}, [](const Lane& one) { return one.spans[1].begin_s; }));
}

TEST_CASE("fans that stand, passages that clog and valves that stick have lanes, too", "[lanes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run = folder.run(
      {"run", WATTLOOP_SOURCE_DIR "/scenarios/pump_failure/no_failure.yaml", "-q", "-o", "x.h5", "--set",
       "duration=5 min", "--event", "at: 60 s, fail: tower_1.fan, for: 60 s", "--event",
       "at: 90 s, clog: cdu_2.technology, to: 50 %", "--event", "at: 2 min, stick: cdu_1.valve, at_position: 30 %"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const ResultsReader results(folder / "x.h5");
  const std::vector<EquipmentFault> faults = equipment_faults(results);
  REQUIRE(faults.size() == 3);
  CHECK((faults[0].part == "tower_1" && faults[0].thing == "fan" && faults[0].words == "stands"));
  CHECK((faults[0].begin_s == 60.0 && faults[0].end_s == 120.0));
  CHECK((faults[1].part == "cdu_2" && faults[1].thing == "technology" && faults[1].words == "clogged to 50 %"));
  CHECK((faults[2].part == "cdu_1" && faults[2].thing == "valve" && faults[2].words == "stuck at 30 %"));
  CHECK(equipment_faults_at(results, 100.0).size() == 2);
  CHECK(equipment_faults_at(results, 120.0).size() == 2);
  CHECK(equipment_faults_at(results, 59.0).empty());
  const std::vector<Lane> lanes = equipment_lanes(results);
  const auto fan = std::ranges::find(lanes, "tower 1, fan", &Lane::title);
  REQUIRE(fan != lanes.end());
  REQUIRE(fan->spans.size() == 3);
  CHECK((fan->spans[1].state == LaneState::failed && fan->spans[1].begin_s == 60.0 && fan->spans[1].end_s == 120.0));
  CHECK(fan->spans[1].words == "stands");
}

TEST_CASE("generators that may not start have a lane, and GPUs are down in part before all are", "[lanes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run = folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "-q", "-o", "x.h5", "--set",
                                  "duration=2 min", "--set", "record={facility: 0.1 s, racks: 10 s}", "--event",
                                  "at: 10 s, fail: [cdu_1.pump_a, cdu_1.pump_b]"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const std::vector<Lane> lanes = equipment_lanes(ResultsReader(folder / "x.h5"));
  const auto gpus = std::ranges::find(lanes, "GPUs", &Lane::title);
  REQUIRE(gpus != lanes.end());
  REQUIRE(gpus->spans.size() == 4);
  CHECK((gpus->spans[1].state == LaneState::slowed && gpus->spans[2].state == LaneState::off_in_part));
  CHECK((gpus->spans[3].state == LaneState::off && gpus->spans[3].words == "all down"));
  CHECK_THAT(swim_lanes(lanes, 0.0, 120.0), Contains(">all down</text>"));
  const auto lane_of = [&](const char* scenario, const std::string& duration) {
    const Outcome outage = folder.run({"run", std::string(WATTLOOP_SOURCE_DIR "/scenarios/utility_loss/") + scenario,
                                       "-q", "-o", "y.h5", "--force", "--set", "duration=" + duration});
    REQUIRE(outage.exit_code == 0);
    std::vector<Lane> found = equipment_lanes(ResultsReader(folder / "y.h5"));
    std::erase_if(found, [](const Lane& lane) { return !lane.title.starts_with("generator"); });
    return found;
  };
  const std::vector<Lane> disabled = lane_of("no_generators_10min.yaml", "12 min");
  REQUIRE(disabled.size() == 2);
  CHECK(disabled[0].title == "generator a 1 to 8");
  CHECK((disabled[0].spans.size() == 1 && disabled[0].spans[0].state == LaneState::disabled));
  for (const Lane& lane : lane_of("feeds_lost_40s.yaml", "3 min"))
    CHECK(std::ranges::count(lane.spans, LaneState::disabled, &LaneSpan::state) == 0);
}

TEST_CASE("the legend of lanes with all states goes on in a second line, and the picture is as high as both",
          "[lanes]") {
  std::vector<LaneSpan> spans;
  for (int state = 0; state <= int(LaneState::stopped); ++state)
    spans.push_back({10.0 * state, 10.0 * (state + 1), LaneState(state), {}});
  const std::string svg = swim_lanes(std::vector<Lane>{{"pump", spans}}, 0.0, 120.0);
  std::smatch size;
  REQUIRE(std::regex_search(svg, size, std::regex("viewBox='0 -2 ([0-9.]+) ([0-9.]+)'")));
  const double width = std::stod(size[1]), height = std::stod(size[2]);
  const std::regex key("<rect x='([0-9.]+)' y='([0-9.]+)' width='12'[^>]*/><text x='[0-9.]+' y='[0-9.]+'>([^<]*)<");
  std::size_t keys = 0;
  for (std::sregex_iterator one(svg.begin(), svg.end(), key), end; one != end; ++one, ++keys) {
    CHECK(std::stod((*one)[1]) + 17.0 + 6.6 * double((*one)[3].length()) <= width);
    CHECK(std::stod((*one)[2]) + 12.0 <= height - 2.0);
  }
  CHECK(keys == spans.size());
}

TEST_CASE("a UPS whose battery is empty is off, and what has just begun to turn runs", "[lanes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run =
      folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/utility_loss/battery_of_one_minute.yaml", "-q", "-o", "x.h5"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const ResultsReader results(folder / "x.h5");
  const std::vector<double> times_s = results.times_s("ups");
  const std::vector<float> power_w = results.column("ups", "power");
  const std::size_t items = results.table("ups").item_count();
  const std::vector<Lane> lanes = equipment_lanes(results);
  const auto ups = std::ranges::find_if(lanes, [](const Lane& lane) { return lane.title.starts_with("UPS a"); });
  REQUIRE(ups != lanes.end());
  CHECK(ups->spans[1].state == LaneState::on_battery);
  REQUIRE(std::ranges::count(ups->spans, LaneState::off, &LaneSpan::state) == 1);
  const auto off = std::ranges::find(ups->spans, LaneState::off, &LaneSpan::state);
  std::size_t dead_rows = 0;
  for (std::size_t row = 1; row < times_s.size(); ++row) {
    if (times_s[row] <= off->begin_s || times_s[row] > off->end_s) continue;
    ++dead_rows;
    CHECK(power_w[row * items] < 1.0F);
  }
  CHECK(dead_rows > 10);
  for (const Lane& lane : lanes) {
    INFO(lane.title);
    if (lane.title == "GPUs") CHECK(lane.spans.back().words == "all down");
    if (lane.title.starts_with("tower") || lane.title.starts_with("chiller"))
      CHECK(std::ranges::count(lane.spans, LaneState::off, &LaneSpan::state) == 0);
  }
}
