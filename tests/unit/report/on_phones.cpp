// What a report says and draws for a telephone, and what its words are made of.
#include <regex>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/xy_chart.hpp"
#include "twin/report/charts/step_section.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/run/limits_with_records.hpp"
#include "twin/report/run/power_dips.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using Catch::Contains;
using wattloop::tests::TemporaryFolder;

TEST_CASE("a chart for a telephone is as wide as its column, its legend above the title of its axis", "[on_phones]") {
  const XyChart chart{.x = {.title = "time", .low = 0.0, .high = 10.0},
                      .y = {.title = "power", .low = 0.0, .high = 1.0},
                      .lines = {{.name = "curve", .colour = "#111111", .x = {0.0, 10.0}, .y = {0.0, 1.0}}}};
  const std::string both = xy_chart_in_both_widths(chart);
  const std::size_t phone = both.find("<div class='on_phone'><svg class='phone_xy' viewBox='-0 -17 360 ");
  INFO(both.substr(both.find("on_phone"), 120));
  REQUIRE(phone != std::string::npos);
  CHECK(both.find("<div class='on_wide'><svg class='xy' ") < phone);
  CHECK(both.find("M70.0 266.0L340.0 26.0", phone) != std::string::npos);
  CHECK(xy_chart_in_both_widths({}).empty());
}

TEST_CASE("labels of a plan that have no room for letters of nine pixels are not on a telephone", "[on_phones]") {
  const auto plan_of = [](double wide_m) {
    const std::vector<LayoutBox> layout{{"row_1.rack_1", "rack", "", {0.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
                                        {"row_2.rack_1", "rack", "", {0.0, 2.0, 1.0}, {0.6, 1.2, 2.2}},
                                        {"cdu_1", "cdu", "", {wide_m, 0.0, 1.0}, {1.2, 1.2, 2.2}}};
    const std::vector<std::string> racks{"row_1.rack_1", "row_2.rack_1"};
    const std::vector<float> dies_k{330.0F, 331.0F};
    return hall_plan(layout, racks, dies_k, {}, {}, {{"cdu_1", {}}});
  };
  CHECK_THAT(plan_of(20.0), Contains("--phone:") && !Contains("class='fine'"));
  const std::string wide = plan_of(200.0);
  CHECK(std::regex_search(wide, std::regex("<text class='fine' [^>]*>1</text>")));  // of the CDU
  CHECK(std::regex_search(
      wide, std::regex("<text class='fine' [^>]*>2</text>")));            // of the second row, too near to the first
  CHECK(std::regex_search(wide, std::regex("<text x='[^>]*>1</text>")));  // of the first
}

TEST_CASE("a quiet run says what its dips of power are, from its records", "[power_dips]") {
  std::vector<double> times_s;
  std::vector<float> power_w;
  for (int k = 0; k <= 100; ++k) {
    times_s.push_back(10.0 * k);
    power_w.push_back(k % 40 == 20 || k % 40 == 21 ? 4e6F : 9e6F);
  }
  const std::vector<PowerDip> dips = power_dips(times_s, power_w);
  REQUIRE(dips.size() == 2);
  CHECK((dips[0].begin_s == 200.0 && dips[0].end_s == 220.0 && dips[0].least_w == 4e6));
  CHECK((dips[1].begin_s == 600.0 && dips[1].end_s == 620.0));
  const auto words = [&](double saving_s) {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const auto facility = writer.add_table({.group = "facility", .columns = {{"it_power", "W", "it"}}});
    for (std::size_t k = 0; k < times_s.size(); ++k) writer.append(facility, times_s[k], std::vector{power_w[k]});
    writer.write_summary(std::vector<NamedValue>{{"job_checkpoint_time", saving_s, "s", "saving"}});
    writer.finish();
    return power_dips_words(ResultsReader(folder / "x.h5"));
  };
  const std::string dip = " IT power falls 2 times to 4 MW for 20 s, every 6 min 40 s, first at 3 min 20 s";
  CHECK(words(38.0) == dip + ", while jobs save their checkpoints.");
  CHECK(words(0.0) == dip + ".");
  CHECK(power_dips(times_s, std::vector<float>(times_s.size(), 9e6F)).empty());
}

TEST_CASE("no record of a page is worse than what the page calls worst", "[limits_with_records]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"row_1.rack_1", "row_1.rack_2"},
                                       .columns = {{"inlet_air_temperature", "K", "air"}}});
  writer.append(racks, 0.0, std::vector{340.0F, 290.0F});  // before the limit was passed
  writer.append(racks, 60.0, std::vector{316.5F, 290.0F});
  writer.append(racks, 120.0, std::vector{310.0F, 300.0F});
  const auto limit = [](const char* part, double worst_k) {
    return LimitRecord{part, "inlet_air_temperature", "K", "hot", "log", 303.0, worst_k, 59.0, 30.0, 90.0};
  };
  writer.write_limits(std::vector<LimitRecord>{limit("row_1.rack_1", 316.25), limit("row_1.rack_2", 305.0)});
  writer.finish();
  const std::vector<LimitRecord> limits = limits_with_records(ResultsReader(folder / "x.h5"));
  REQUIRE(limits.size() == 2);
  CHECK((limits[0].worst == 316.5 && limits[0].worst_time_s == 60.0));
  CHECK((limits[1].worst == 305.0 && limits[1].worst_time_s == 59.0));
}

TEST_CASE("model FLOP utilisation names the peak that it is a share of", "[on_phones]") {
  const auto peak = [](float scaling_s) {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const auto steps = writer.add_table({.group = "step_times",
                                         .item_dimension = "step_part",
                                         .items = {"hall.matrix_products", "hall.scaling"},
                                         .columns = {{"duration", "s", "time"}, {"share", "1", "share"}}});
    writer.append(steps, 0.0, std::vector{1.0F, scaling_s, 0.9F, 0.1F});
    writer.write_summary(std::vector<NamedValue>{{"job_mfu", 0.275, "1", "mfu"}});
    writer.finish();
    return step_section(ResultsReader(folder / "x.h5"));
  };
  CHECK_THAT(peak(0.1F), Contains("(MFU) 27.5 % of the FP8 peak of the GPUs") && Contains("class='phone_step'"));
  CHECK_THAT(peak(0.0F), Contains("of the BF16 peak of the GPUs"));
}

TEST_CASE("a limit that is no longer exceeded is back within it, and its worst is in the table", "[on_phones]") {
  const std::vector<EventRecord> events{
      {600.0, "limit_cleared", "row_1.rack_1",
       "inlet_air_temperature after 4 min; at worst 43.09 degC; and 3 more of 72 racks"}};
  REQUIRE(event_summary(events).size() == 1);
  CHECK(event_summary(events)[0].words ==
        "back within its limit, row 1, rack 1: inlet air temperature after 4 min; and 3 more");
}
