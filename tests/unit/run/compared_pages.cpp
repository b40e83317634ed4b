// What `compare` prints of differences and of measurements: made-up ones in which no two numbers are equal, so that A for B, the first for the
// farthest, before for after, or a sign would show.
#include <cmath>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/commands/results/compare_json.hpp"
#include "twin/commands/results/compare_text.hpp"
#include "twin/commands/results/measured_text.hpp"
#include "twin/comparison/worst_racks.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;
using wattloop::tests::TemporaryFolder;

namespace {

/// With one blank where there are more, and no line breaks: columns and wrapped lines are as wide as they have to be.
std::string plain(const std::string& text) { return std::regex_replace(text, std::regex("[ \n]+"), " "); }

FigureRow row(const std::string& name, const std::string& unit, decltype(NamedValue::value) a,
              decltype(NamedValue::value) b) {
  return {name, unit, {NamedValue{name, std::move(a), unit}, NamedValue{name, std::move(b), unit}}};
}

Comparison made_up_comparison() {
  ComparedFile a{.file = "one.h5", .racks = {{"row_1.rack_7", 351.15, 120.0}, {"row_1.rack_3", 349.15, 180.0}}};
  ComparedFile b{.file = "other.h5", .racks = {{"row_2.rack_4", 355.15, 240.0}}};
  b.scenario = {{"hall.racks.count", "8", "12"}};
  b.series.columns = 9;
  b.series.divergences = {{.table = "racks",
                           .column = "supply_temperature",
                           .unit = "K",
                           .threshold = 0.1,
                           .first = {120.0, "row_1.rack_1", 305.15, 306.15},
                           .most = {300.0, "row_1.rack_2", 304.15, 309.65},
                           .items = 3}};
  b.events = {{EventRecord{60.0, "start", "pump_a", ""}, EventRecord{95.0, "start", "pump_a", ""}},
              {EventRecord{140.0, "trip", "ups_a", ""}, std::nullopt},
              {std::nullopt, EventRecord{150.0, "fail", "cdu_1", ""}},
              {EventRecord{200.0, "stage", "chillers", "2 on duty"}, EventRecord{200.0, "stage", "chillers", "3"}}};
  return {.tolerances = {},
          .figures = {row("pue", "1", 1.25, 1.2), row("it_energy", "J", 7.2e9, 9e9),
                      row("peak_die_temperature", "K", 350.15, 353.65), row("battery_energy", "J", -7.2e6, -3.6e6),
                      row("throttled_gpus", "", std::int64_t{4}, std::int64_t{7}),
                      row("verdict", "", std::string("MET"), std::string("LOST"))},
          .files = {a, b}};
}

MeasuredSeries made_up_series() {
  MeasuredSeries series{.recorded = "facility.power", .column = "P hall", .unit = "kW"};
  series.overlay = {{{0.0, 60.0, 10.0, 12.0}, {60.0, 120.0, 20.0, 17.0}, {120.0, 180.0, 31.0, 32.0}}, 60.0, 2};
  series.score = {3, 0.1234, -0.0456, 2.5, {}};
  series.worst = {1, 0};
  return series;
}

}  // namespace

TEST_CASE("a comparison prints each figure of A, of B, B less A, and that over the size of A", "[compare][pages]") {
  const std::string text = plain(compare_text(made_up_comparison(), {}));
  CHECK_THAT(text, Contains("Figures A B B - A %"));
  CHECK_THAT(text, Contains(" pue 1.25 1.2 -0.05 -4.0 "));
  CHECK_THAT(text, Contains(" it_energy 2 MWh 2.5 MWh +500 kWh +25.0 "));
  CHECK_THAT(text, Contains(" peak_die_temperature 77 degC 80.5 degC +3.5 K n/a "));
  CHECK_THAT(text, Contains(" battery_energy -2 kWh -1 kWh +1 kWh +50.0 "));  // of -2 kWh to -1 kWh: upwards
  CHECK_THAT(text, Contains(" throttled_gpus 4 7 +3 +75.0 "));
  CHECK_THAT(text, Contains(" verdict A MET B LOST "));
  CHECK_THAT(text, Contains(" hall.racks.count 8 12 "));
  const nlohmann::json figures = nlohmann::json::parse(compare_json(made_up_comparison())).at("figures");
  CHECK(figures.at(3).at("differences").at(0) == 3.6e6);
  CHECK(figures.at(3).at("difference_ratios").at(0) == 0.5);
  CHECK(figures.at(0).at("difference_ratios").at(0).get<double>() == Approx(-0.04));
}

TEST_CASE("a comparison prints where series part first, and where they are farthest apart", "[compare][pages]") {
  const std::string text = plain(compare_text(made_up_comparison(), {}));
  CHECK_THAT(text, Contains("2 min: racks/supply_temperature of row_1.rack_1: A 32 degC, B 33 degC"));
  CHECK_THAT(text, Contains("Divergent, 1 of 9 first at most at A B off "
                            "racks/supply_temperature, row_1.rack_2 and 2 more 2 min 5 min 31 degC 36.5 degC +5.5 K"));
  CHECK_THAT(text, Contains("start pump_a: A 1 min, B 1 min 35 s: +35 s"));
  CHECK_THAT(text, Contains("trip ups_a: only in A, 2 min 20 s"));
  CHECK_THAT(text, Contains("fail cdu_1: only in B, 2 min 30 s"));
  CHECK_THAT(text, Contains("stage chillers: 3 min 20 s, with different text: A '2 on duty', B '3'"));
  CHECK_THAT(text, Contains("Hottest racks A die at B die at 1 row_1.rack_7 78 degC 2 min row_2.rack_4 82 degC 4 min "
                            "2 row_1.rack_3 76 degC 3 min -"));
}

TEST_CASE("the hottest racks are those of their own hottest record, at the first time of it", "[compare][pages]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"a", "b", "c", "network"},
                                       .columns = {{"max_die_temperature", "K", "die"}}});
  for (const auto& [time_s, row_k] : {std::pair(0.0, std::vector{330.0F, 340.0F, 350.0F, std::nanf("")}),
                                      {60.0, {335.0F, 345.0F, 349.0F, std::nanf("")}},
                                      {120.0, {335.0F, 342.0F, 348.0F, std::nanf("")}}})
    writer.append(racks, time_s, row_k);
  writer.finish();
  const std::vector<WorstRack> worst = worst_racks(ResultsReader(folder / "x.h5"), 2);
  REQUIRE(worst.size() == 2);
  CHECK((worst[0].rack == "c" && worst[0].die_k == 350.0 && worst[0].time_s == 0.0));
  CHECK((worst[1].rack == "b" && worst[1].die_k == 345.0 && worst[1].time_s == 60.0));
  const std::vector<WorstRack> all = worst_racks(ResultsReader(folder / "x.h5"), 9);
  REQUIRE(all.size() == 3);                                                       // racks without dies are none
  CHECK((all[2].rack == "a" && all[2].die_k == 335.0 && all[2].time_s == 60.0));  // and stays there
}

TEST_CASE("measurements are printed with scores and worst intervals, off being measured less modelled",
          "[compare][pages]") {
  const std::vector<MeasuredSeries> series{made_up_series()};
  const std::string text = plain(measured_text(series));
  CHECK_THAT(text, Contains("Series unit points CV(RMSE) NMBE RMSE facility.power kW 3 12.34 % -4.56 % 2.5 "));
  CHECK_THAT(text, Contains("facility.power: 2 intervals of 1 min are left out"));
  CHECK_THAT(text, Contains("from to measured modelled off facility.power 1 min 2 min 20 17 3 "
                            "facility.power 0 s 1 min 10 12 -2 "));
  CHECK(overlay_csv(series) == std::string(overlay_head) +
                                   "0,60,facility.power,kW,10,12,-2\n60,120,facility.power,kW,20,17,3\n"
                                   "120,180,facility.power,kW,31,32,-1\n");
  const nlohmann::json json = nlohmann::json::parse(measured_json(series)).at(0);
  CHECK(json.at("cv_rmse") == 0.1234);
  CHECK(json.at("nmbe") == -0.0456);
  CHECK(json.at("rmse") == 2.5);
  CHECK(json.at("intervals_left_out") == 2);
  CHECK(json.at("worst").at(0) ==
        nlohmann::json{{"begin_s", 60.0}, {"end_s", 120.0}, {"measured", 20.0}, {"modelled", 17.0}});
}

TEST_CASE("the worst intervals of a measured series are those farthest off, above or below", "[compare][pages]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto facility = writer.add_table({.group = "facility", .columns = {{"power", "W", "power", true}}});
  for (int minute = 0; minute <= 4; ++minute) writer.append(facility, 60.0 * minute, std::vector{1000.0F});
  writer.finish();
  std::ofstream(folder / "m.csv") << "clock,P hall\n60,1.02\n120,0.95\n180,1.03\n240,1.001\n";
  std::ofstream(folder / "map.yaml") << "time: { column: clock, unit: s, stamp: end }\n"
                                        "series:\n  - { column: P hall, recorded: facility.power, unit: kW }\n";
  const MeasuredComparison found =
      compare_measured({.results = folder / "x.h5", .measured = folder / "m.csv", .map = folder / "map.yaml"});
  REQUIRE(found.series.size() == 1);
  const MeasuredSeries& power = found.series[0];
  REQUIRE(power.overlay.intervals.size() == 4);
  CHECK(power.worst == std::vector<std::size_t>{1, 2, 0});  // 50 W below, 30 W and 20 W above the model
  CHECK(power.overlay.intervals[1].measured == Approx(0.95));
  CHECK(power.overlay.intervals[1].modelled == Approx(1.0));
}
