// Which moment is shown, and the scales that are the same for every run.
#include "viz/hall/shown_time.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/synthetic_run.hpp"
#include "tests/views/telling_run.hpp"
#include "twin/report/events/run_verdict.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/hall/scene.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

TEST_CASE("a moment is a time, an event, the worst or the end", "[moment]") {
  const SyntheticRun run;
  const twin::ResultsReader results(write_run(run, "moments"));
  CHECK(read_shown_time(results, "2 min").time_s == 120.0);
  CHECK(read_shown_time(results, "restore").time_s == 180.0);
  CHECK_THAT(read_shown_time(results, "restore").words, Contains("restore"));
  CHECK(read_shown_time(results, "end").time_s == run.duration_s);
  CHECK(read_shown_time(results, "").time_s == run.hot_s);
  CHECK_THAT(read_shown_time(results, "worst").words, Contains("hottest"));
  CHECK_THROWS_WITH(read_shown_time(results, "restor"), Contains("no event 'restor'") && Contains("restore"));
}

namespace {

/// A rack each minute: hottest at once, less hot after a failure at 2 min.
std::filesystem::path write_hot_begin(double settling_s, const std::vector<twin::EventRecord>& events) {
  static const TemporaryFolder folder;
  const auto file = folder.path() / fmt::format("begin_{:.0f}_{}.h5", settling_s, events.size());
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  const std::size_t racks = writer.add_table({.group = "racks",
                                              .item_dimension = "rack",
                                              .items = {"row_1.rack_1"},
                                              .columns = {{"max_die_temperature", "K", "hottest"},
                                                          {"throttled_gpus", "1", "throttled"},
                                                          {"shut_down_gpus", "1", "off"}}});
  for (const double minute : {0.0, 1.0, 2.0, 3.0, 4.0}) {
    const float die_k = minute == 0.0 ? 340.0F : minute == 3.0 ? 335.0F : minute == 1.0 ? 334.0F : 330.0F;
    writer.append(racks, 60.0 * minute, std::vector<float>{die_k, 0.0F, 0.0F});
  }
  const std::vector<twin::NamedValue> summary{{"settling_time", settling_s, "s", "settles"}};
  writer.write_summary(summary);
  writer.write_events(events);
  writer.finish();
  return file;
}

}  // namespace

TEST_CASE("the worst moment is after the first event, of a quiet run after it has settled", "[moment]") {
  const twin::EventRecord staged{100.0, "stage", "chillers", ""}, failed{120.0, "fail", "cdu_1", ""};
  CHECK(worst_time(twin::ResultsReader(write_hot_begin(0.0, {}))).time_s == 0.0);
  CHECK(worst_time(twin::ResultsReader(write_hot_begin(0.0, {staged}))).time_s == 0.0);  // quiet
  CHECK(worst_time(twin::ResultsReader(write_hot_begin(30.0, {}))).time_s == 180.0);
  CHECK(worst_time(twin::ResultsReader(write_hot_begin(1.0, {staged, failed}))).time_s == 180.0);
  const twin::EventRecord last{600.0, "fail", "cdu_1", ""};  // after the last record
  CHECK(worst_time(twin::ResultsReader(write_hot_begin(2.0, {last}))).time_s == 0.0);
}

namespace {

/// Dies are hottest and most GPUs are throttled at 2 min; inlet air of the second rack is nearest its limit at 3 min, a die of the first at
/// 2 min. At the start, before the failure at 1 min, margins are least.
std::filesystem::path write_margins(const TemporaryFolder& folder, const std::vector<twin::LimitRecord>& exceeded = {},
                                    float highest_inlet_k = 307) {
  const auto file = folder.path() / fmt::format("margins_{}_{:.0f}.h5", exceeded.size(), highest_inlet_k);
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  const auto table = [&](const char* group, std::vector<twin::ColumnSpec> columns) {
    return writer.add_table({.group = group, .item_dimension = "rack", .items = names, .columns = std::move(columns)});
  };
  const std::size_t limits =
      table("rack_limits", {{"max_die_temperature", "K", "die"}, {"inlet_air_temperature", "K", "inlet"}});
  writer.append(limits, 0.0, std::vector<float>{360, 360, 308, 309});
  const std::size_t racks = table("racks", {{"max_die_temperature", "K", "hottest"},
                                            {"inlet_air_temperature", "K", "inlet"},
                                            {"throttled_gpus", "1", "throttled"}});
  writer.append(racks, 0.0, std::vector<float>{359.5F, 300, 300, 300, 0, 0});
  writer.append(racks, 60.0, std::vector<float>{340, 341, 301, 301, 0, 0});
  writer.append(racks, 120.0, std::vector<float>{356, 350, 302, 303, 5, 0});
  writer.append(racks, 180.0, std::vector<float>{345, 345, 303, highest_inlet_k, 1, 0});
  writer.append(racks, 240.0, std::vector<float>{344, 344, 301, 305, 0, 0});
  writer.write_events(std::vector<twin::EventRecord>{{60.0, "fail", "crah_1", ""}});
  writer.write_limits(exceeded);
  writer.finish();
  return file;
}

}  // namespace

TEST_CASE("the worst moment is that of the least margin of any rack, or of the one that is shown", "[moment]") {
  const TemporaryFolder folder;
  const twin::ResultsReader results(write_margins(folder));
  CHECK(worst_time(results).time_s == 180.0);  // 309 K less 307 K; the die has 4 K
  CHECK(worst_time(results).words == "when row 1, rack 2 is 2.0 K from inlet air 35.85 degC");
  CHECK(worst_time(results, {.rack = "row_1.rack_1"}).time_s == 120.0);
  CHECK_THAT(worst_time(results, {.are_gpus = true}).words, Contains("throttled"));  // of which no margin is shown
}

TEST_CASE("the head of a report has the rack, the limit and the margin of the moment that pictures show", "[moment]") {
  const TemporaryFolder folder;
  const twin::ResultsReader near(write_margins(folder)), beyond(write_margins(folder, {}, 310.5F)),
      equal(write_margins(folder, {}, 305.05F));
  const auto line = twin::nearest_limit_line(near);
  REQUIRE(line);
  CHECK(line->label == "nearest limit");
  CHECK(line->words == "2.0 K to inlet air 35.85 degC: row 1, rack 2");
  CHECK(line->more == "recorded at 3 min");
  CHECK(twin::nearest_limit_line(beyond)->words == "1.5 K over inlet air 35.85 degC: row 1, rack 2");
  const auto first = twin::nearest_limit(equal);  // 309 K less 305.05 K at 3 min; 4 K and 4.0 K at the others
  REQUIRE(first);
  CHECK(first->time_s == 180.0);
  CHECK(first->equal_racks == 0);  // inlet air of the other rack has 5 K there
}

TEST_CASE("if only equipment is beyond a limit, the worst moment is that of the part farthest beyond its own",
          "[moment]") {
  const TemporaryFolder folder;
  const twin::LimitRecord cdu{
      .part = "cdu_3", .quantity = "loading", .unit = "1", .limit = 1.0, .worst = 1.7, .worst_time_s = 241.0},
      ups{.part = "ups_a", .quantity = "power", .unit = "W", .limit = 2e6, .worst = 2.5e6, .worst_time_s = 120.0},
      before{.part = "cdu_1", .quantity = "loading", .unit = "1", .limit = 1.0, .worst = 3.0, .worst_time_s = 30.0};
  const twin::ResultsReader beyond(
      write_margins(folder, {ups, cdu, before}));  // the last was before the failure at 1 min
  CHECK(worst_time(beyond).time_s == 240.0);
  CHECK(worst_time(beyond).words == "when CDU 3 is farthest beyond its limit");
  CHECK(worst_time(beyond, {.rack = "row_1.rack_1"}).time_s == 120.0);
  const twin::ResultsReader racks_too(write_margins(folder, {ups, cdu}, 310));
  CHECK(worst_time(racks_too).time_s == 180.0);
  CHECK(worst_time(racks_too).words == "when row 1, rack 2 is 1.0 K over inlet air 35.85 degC");
}

TEST_CASE("if nothing is beyond a limit, the worst moment is when most GPUs are down", "[moment]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  {
    twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const std::vector<twin::ColumnSpec> die{{"max_die_temperature", "K", "die"}};
    const std::size_t limits =
        writer.add_table({.group = "rack_limits", .item_dimension = "rack", .items = names, .columns = die});
    writer.append(limits, 0.0, std::vector<float>{360, 360});
    const std::size_t racks = writer.add_table(
        {.group = "racks",
         .item_dimension = "rack",
         .items = names,
         .columns = {{"max_die_temperature", "K", "die"}, {"down_gpus", "1", "down"}, {"shut_down_gpus", "1", "off"}}});
    writer.append(racks, 0.0, std::vector<float>{340, 341, 0, 0, 0, 0});
    writer.append(racks, 60.0, std::vector<float>{350, 341, 0, 0, 0, 0});  // the least margin
    writer.append(racks, 120.0, std::vector<float>{330, 331, 8, 0, 0, 0});
    writer.append(racks, 180.0, std::vector<float>{330, 331, 8, 8, 0, 0});
    writer.append(racks, 240.0, std::vector<float>{330, 331, 0, 8, 0, 0});
    writer.finish();
  }
  const twin::ResultsReader results(folder / "x.h5");
  CHECK(worst_time(results).time_s == 180.0);
  CHECK(worst_time(results).words == "the worst moment: most GPUs are down");
  CHECK(worst_time(results, {.rack = "row_1.rack_1"}).time_s == 120.0);
}

TEST_CASE("orders to slow, drain and resume are orders of the scenario, too", "[moment]") {
  for (const char* kind : {"slow", "drain", "resume", "clog"}) {
    const auto file =
        write_hot_begin(0.0, {{130.0, "stage", "chillers", ""}, {150.0, kind, "row_1.rack_1", "scenario"}});
    CHECK(first_ordered_s(twin::ResultsReader(file)) == 150.0);
  }
}

TEST_CASE("of parts beyond limits in different units the worst is that of the largest share", "[moment]") {
  const TemporaryFolder folder;
  const twin::LimitRecord ups{
      .part = "ups_a", .quantity = "power", .unit = "W", .limit = 2e6, .worst = 2.1e6, .worst_time_s = 120.0},
      room{.part = "room_1",
           .quantity = "temperature",
           .unit = "K",
           .limit = 308.15,
           .worst = 315.15,
           .worst_time_s = 240.0};  // 20 % of 35 degC
  const twin::ResultsReader results(write_margins(folder, {ups, room}));
  CHECK(worst_time(results).words == "when room 1 is farthest beyond its limit");
}

TEST_CASE("a moment is a time of day or a date of the run's own clock", "[moment]") {
  const twin::ResultsReader results(write_run({}, "moments_by_the_clock"));  // from 2026-01-01T00:00:00
  CHECK(read_shown_time(results, "0:02").time_s == 120.0);
  CHECK(read_shown_time(results, "00:02:30").time_s == 150.0);
  CHECK(read_shown_time(results, "2026-01-01 00:05").time_s == 300.0);
  CHECK(read_shown_time(results, "2026-01-01T00:05").time_s == 300.0);
  CHECK_THROWS_WITH(read_shown_time(results, "2025-12-31 23:00"),
                    Contains("not in the run") && Contains("2026-01-01T00:00:00"));
  CHECK_THROWS_WITH(read_shown_time(results, "16:00"), Contains("16 h is not in the run") && Contains("0 s to 10 min"));
  CHECK_THROWS_WITH(read_shown_time(results, "-5 s"), Contains("not in the run"));
  CHECK_THAT(read_shown_time(results, "0:02").words, Contains("0:02"));
  CHECK_THROWS_WITH(read_shown_time(results, "25:00"), Contains("16:00") && Contains("2026-01-01 00:00"));
  CHECK_THROWS_WITH(read_shown_time(results, "2026-13-01"), Contains("16:00"));
}

TEST_CASE("GPUs that are off make a moment worse than a hot die does", "[moment]") {
  const twin::ResultsReader results(
      write_reporting_run({.counts = reporting_site(), .off_gpus = 64.0}, "moments_with_gpus_off"));
  CHECK_THAT(worst_time(results).words, Contains("off"));
  const twin::ResultsReader dark(
      write_reporting_run({.counts = reporting_site(), .off_gpus = 64.0, .down_gpus = 128.0}, "moments_in_the_dark"));
  CHECK(worst_time(dark).words == "the worst moment: most GPUs are down");
  const Scene scene = read_scene(dark, {.at_s = 60.0}, "dark");
  CHECK(std::ranges::count(scene.wrong, "64 GPUs off") == 1);
  CHECK(std::ranges::count(scene.wrong, "64 GPUs without power or booting") == 1);
  const twin::ResultsReader throttled(write_reporting_run({.counts = reporting_site()}, "moments_throttled"));
  CHECK_THAT(worst_time(throttled).words, Contains("throttled"));
}

TEST_CASE("fixed scales do not follow what is shown", "[moment]") {
  const auto file = write_run({}, "fixed_scales");
  const twin::ResultsReader results(file);
  const Scene scene = read_scene(results, {.has_fixed_scales = true}, file.string());
  CHECK(scene.parts.low == 30.0);
  CHECK(scene.parts.high == 95.0);
  CHECK(scene.parts.limits == std::vector{87.0, 89.0, 95.0});
  CHECK(scene.coolant.low == 15.0);
  CHECK(scene.coolant.high == 60.0);
  CHECK(read_scene(results, {}, file.string()).parts.high < 95.0);
}

namespace {

/// Two racks recorded each 10 s, their GPUs each 20 s; those of the first are throttled from 10 s to `throttled_until_s`.
std::filesystem::path write_rare_gpus(double throttled_until_s) {
  static const TemporaryFolder folder;
  const auto file = folder.path() / fmt::format("until_{:.0f}.h5", throttled_until_s);
  const twin::HallCounts counts{.rows = 1, .racks = 2, .loops = 1, .cdus_per_loop = 1};
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  std::size_t gpus = 0;
  for (const twin::LayoutBox& box : twin::hall_layout(counts)) gpus += box.kind == "gpu" ? 1 : 0;
  const std::size_t racks = writer.add_table({.group = "racks",
                                              .item_dimension = "rack",
                                              .items = {"row_1.rack_1", "row_1.rack_2"},
                                              .columns = {{"max_die_temperature", "K", "hottest"},
                                                          {"throttled_gpus", "1", "throttled"},
                                                          {"shut_down_gpus", "1", "off"}}});
  const std::size_t dies = writer.add_table(
      {.group = "gpus", .item_dimension = "gpu", .columns = {{"die_temperature", "K", "die"}}, .numbered_items = gpus});
  for (const double time_s : {0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0}) {
    const float throttled = time_s >= 10.0 && time_s <= throttled_until_s ? 8.0F : 0.0F;
    const float die_k = 330.0F + static_cast<float>(time_s) / 60.0F;
    writer.append(racks, time_s, std::vector<float>{die_k, die_k, throttled, 0.0F, 0.0F, 0.0F});
    if (std::fmod(time_s, 20.0) == 0.0) writer.append(dies, time_s, std::vector<float>(gpus, die_k));
  }
  writer.write_layout(twin::hall_layout(counts));
  const std::vector<twin::EventRecord> events{{10.0, "first_throttle", "row_1.rack_1", ""}};
  writer.write_events(events);
  writer.finish();
  return file;
}

}  // namespace

TEST_CASE("the worst moment of a rack is a record of its GPUs at which what is said of it holds", "[moment]") {
  const twin::ResultsReader results(write_rare_gpus(30.0));
  CHECK(worst_time(results).time_s == 10.0);  // of the hall, whose racks were recorded then
  const ShownTime rack = worst_time(results, {.are_gpus = true, .rack = "row_1.rack_1"});
  CHECK(rack.time_s == 20.0);  // GPUs were recorded at 0 s, nearer to 10 s, too
  CHECK_THAT(rack.words, Contains("throttled"));
  const ShownTime other = worst_time(results, {.are_gpus = true, .rack = "row_1.rack_2"});
  CHECK(other.time_s == 60.0);
  CHECK_THAT(other.words, Contains("hottest") && !Contains("throttled"));
  CHECK(read_shown_time(results, "first_throttle", {.are_gpus = true}).time_s == 20.0);
  CHECK(read_shown_time(results, "first_throttle").time_s == 10.0);
  const twin::ResultsReader brief(write_rare_gpus(15.0));  // throttled at no time at which GPUs were recorded
  CHECK_THAT(worst_time(brief, {.are_gpus = true, .rack = "row_1.rack_1"}).words, !Contains("throttled"));
  CHECK_THAT(worst_time(brief, {.are_gpus = true}).words, !Contains("throttled"));
}

TEST_CASE("what is shown of a rack are its GPUs, of a hall its racks", "[moment]") {
  const auto file = write_rare_gpus(30.0);
  const twin::ResultsReader results(file);
  const Hall hall = read_hall(results, file.string());
  const Shown rack = what_is_shown(results, hall, {.rack = "row_1.rack_2"});
  CHECK((rack.are_gpus && rack.rack == "row_1.rack_2"));
  CHECK_FALSE(what_is_shown(results, hall, {.may_show_gpus = false}).are_gpus);
}
