// Rows of `check`: their order, ties, limits of one quantity, remedies; and rows of the coldest hour against a run that comes to it.
#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/ranked_text.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/ratings/remedies.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

CheckRow rating(const std::string& name, double value, double limit, const std::string& out = "nothing") {
  return {.of = name, .name = name, .quantity = "all", .unit = "W", .value = value, .limit = limit, .out = out};
}

CheckRow temperature(const std::string& why, double value_k, double limit_k, Side side = Side::above) {
  return {.kind = CheckRow::Kind::limit,
          .of = "water systems",
          .name = "facility",
          .quantity = "supply_temperature",
          .why = why,
          .unit = "K",
          .side = side,
          .value = value_k,
          .limit = limit_k};
}

RatingCheck check_of(const std::string& name, const Texts& overrides) {
  omp_set_num_threads(1);
  return check_ratings(
      read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / (name + ".yaml"), overrides));
}

}  // namespace

TEST_CASE("rows are ranked by their margins, those that are not met first", "[check]") {
  std::vector<CheckRow> rows{rating("wide", 5.0, 10.0), temperature("hot", 350.0, 355.0), rating("short", 11.0, 10.0),
                             rating("narrow", 9.5, 10.0), temperature("warm", 356.0, 355.0)};
  rank(rows);
  Texts order;
  for (const CheckRow& row : rows) order.push_back(row.kind == CheckRow::Kind::limit ? row.why : row.name);
  CHECK(order == Texts{"short", "warm", "narrow", "hot", "wide"});  // 5 K count as 10 %, 1 K as 2 %
}

TEST_CASE("of outages that are equal but for rounding the first is named", "[check]") {
  std::vector<CheckRow> rows;
  for (const char* out : {"cdu_1", "cdu_2", "cdu_3"}) {
    CheckRow row = temperature("hot", 350.0, 355.0);
    row.value += *out == 'c' && out[4] == '1' ? 0.0 : 1e-5;
    row.out = out;
    keep_nearest(row, false, rows);
  }
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().out == "cdu_1");
}

TEST_CASE("limits of one quantity are one row, and name the others that are passed", "[check]") {
  std::vector<CheckRow> rows{temperature("it freezes", 280.0, 273.15, Side::below),
                             temperature("colder than the range of its known properties", 280.0, 278.15, Side::below)};
  rank(rows);
  std::vector<CheckRow> one = one_of_each(rows);
  REQUIRE(one.size() == 1);
  CHECK(one.front().why == "colder than the range of its known properties");
  for (CheckRow& row : rows) row.value = 272.0;
  one = one_of_each(rows);
  REQUIRE(one.size() == 1);
  CHECK(one.front().why == "colder than the range of its known properties; beyond 0 degC it freezes");
}

TEST_CASE("a remedy counts the machines that are missing", "[check]") {
  CheckRow row = rating("generator", 4.1e6, 3e6);
  row.name = "generator_1 of 2";
  row.sharing = 2;  // 8.2 MW on machines of 3 MW
  CHECK(remedy_of(row) == "1 more generator on the same bus, or 4.1 MW each");
  row.sharing = 6;  // 24.6 MW
  CHECK(remedy_of(row) == "3 more generators on the same bus, or 4.1 MW each");
  CheckRow handlers = rating("east", 44.79e3, 44.41e3);  // a room with a name of its own
  handlers.name = "1 air handler, east";
  CHECK(remedy_of(handlers) == "1 more air handler");
}

TEST_CASE("machines that others starve come behind these, and no number of them is a remedy", "[check]") {
  CheckRow chiller = rating("chiller", 1.1e6, 12.5e3), tower = rating("tower", 8.9e6, 2.5e6);
  chiller.name = "chiller_1 of 6";
  chiller.quantity = "heat of doors";
  chiller.starved_by = "condenser water of 52.6 degC";
  chiller.sharing = 5;
  std::vector<CheckRow> rows{rating("fan", 1.0, 2.0), chiller, tower};
  rank(rows);
  CHECK(rows[0].of == "tower");
  CHECK(rows[1].of == "chiller");
  CHECK(
      row_text(rows[1]) ==
      "chiller_1 of 6 must carry 1.1 MW of heat of doors, but condenser water of 52.6 degC leaves it next to nothing");
  CHECK(remedy_of(rows[1]) == "colder water or air at the condensers");
  for (CheckRow& row : rows) row.remedy = remedy_of(row);
  CHECK(ranked_text(rows, "2026-01-01T00:00:00", false)
            .find("chiller_1 of 6: heat of doors; condenser water of 52.6 degC leaves next to nothing\n") !=
        std::string::npos);
}

TEST_CASE("an hour of a run is written by its calendar", "[check]") {
  CHECK(local_time_text("2026-01-01T00:00:00", 6.0 * 86400.0 + 7.0 * 3600.0) == "2026-01-07T07:00");
  CHECK(local_time_text("2026-07-15T06:00:00", 0.0) == "2026-07-15T06:00");
  CHECK(local_time_text("2026-12-31T23:00:00", 7200.0) == "2027-01-01T01:00");
}

TEST_CASE("ten rows are printed, what would lift the first, and how many more there are", "[check]") {
  std::vector<CheckRow> rows;
  for (int k = 0; k < 14; ++k) rows.push_back(rating(fmt::format("part {}", k), 9.0 - 0.5 * k, 10.0));
  for (CheckRow& row : rows) row.remedy = remedy_of(row);
  const std::string text = ranked_text(rows, "2026-01-01T00:00:00", false);
  CHECK(text.find("part 9: all\n4 more limits with a margin of 60 % or more: --all\n") != std::string::npos);
  CHECK(text.find("nearest to its limit: part 0 must carry all, 9 W, with a rating of 10 W\n") != std::string::npos);
  CHECK(text.find("to lift it: 1 more part 0\n") != std::string::npos);
  CHECK(ranked_text(rows, "2026-01-01T00:00:00", true).find("part 13: all\n") != std::string::npos);
}

// 23.9 kg/s each: the design flow that the library gives for a dry cooler of 500 kW.
TEST_CASE("machines that are parts have a row of the water that their pumps move", "[check]") {
  const RatingCheck check = check_of("halls/nvl72_dry_coolers", {});
  const auto row_of = [&](const std::string& name) {
    const auto row = std::ranges::find(check.rows, name, &CheckRow::name);
    REQUIRE(row != check.rows.end());
    return *row;
  };
  const CheckRow machines = row_of("pumps of 11 dry coolers");
  CHECK(machines.limit == Approx(11 * 23.9));
  CHECK(machines.value == row_of("2 dry pumps").value);
  CHECK(machines.unit == "kg/s");
  const RatingCheck few = check_of("halls/nvl72_dry_coolers", {"parts.cooler.with={ design_flow: 4 kg/s }"});
  const auto reported = std::ranges::find(few.rows, "pumps of 11 dry coolers", &CheckRow::name);
  REQUIRE(reported != few.rows.end());
  CHECK_FALSE(reported->is_met());
  CHECK(std::ranges::any_of(few.warnings, [](const std::string& warning) {
    return warning.find("pumps of 11 dry coolers must carry water of CDUs") != std::string::npos;
  }));
}

TEST_CASE("check says of the coldest hour what a run comes to", "[check][cold]") {
  const std::string file = tests::reference_data() + "/weather/USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw";
  const Texts january{"weather.design_day=null", "weather.file=" + file, "start=2026-01-07T03:00:00", "duration=6 h"};
  const RatingCheck check = check_of("halls/nvl72_dry_coolers", january);
  const auto row = std::ranges::find_if(check.rows, [](const CheckRow& other) {
    return other.of == "water systems" && other.why == "it freezes" && other.side == Side::below;
  });
  REQUIRE(row != check.rows.end());
  REQUIRE(row->hour_s);
  CHECK(*row->hour_s > 0.0);
  REQUIRE(check.lowest_dry_bulb_k);
  CHECK(*check.lowest_dry_bulb_k < 252.15);
  Texts run_of = january;
  run_of.back() = fmt::format("duration={} s", *row->hour_s);
  run_of.insert(run_of.end(), {"workload=null", "workload={ kind: constant }"});
  tests::ScenarioRun run("halls/nvl72_dry_coolers", run_of);
  run.to_end();
  const PlantSnapshot now{run.plant, run.state(), run.evaluation()};
  CHECK(row->value == Approx(now.reported("water_systems", row->name, row->quantity)).margin(0.5));
}

TEST_CASE("check says what the warmest and the coldest hour of a day bring, and what is below its set-point",
          "[check]") {
  const RatingCheck check = check_of("h100_10k", {"weather={ design_day: winter, offset: -10 K }"});
  REQUIRE(check.hours.size() == 2);
  const CheckHour &warmest = check.hours.front(), &coldest = check.hours.back();
  CHECK(warmest.dry_bulb_k > coldest.dry_bulb_k + 5.0);
  for (const CheckHour* hour : {&warmest, &coldest}) {
    const auto facility = std::ranges::find(hour->places, "facility", &CheckHour::Place::name);
    REQUIRE(facility != hour->places.end());
    CHECK(facility->temperature_k == Approx(facility->set_point_k).margin(0.5));
  }
  const auto dew = std::ranges::find(check.rows, "waters of coils", &CheckRow::of);
  REQUIRE(dew != check.rows.end());
  CHECK(dew->hour_s == coldest.hour_s);
  CHECK(dew->limit == Approx(273.15 + 15.0 + 2.0));  // the dew point that the hall's room is dried to, and 2 K

  tests::ScenarioRun hall("one_rack", {"duration=60 s", "hall.cooling.loops.supply_temperature=32 degC"});
  CHECK(low_set_points({hall.plant, hall.state(), hall.evaluation()}).empty());
  PlantState moved = hall.state();
  for (const SystemPart& system : hall.plant.systems) moved.inputs[system.set_point_input] += 3.0;
  const std::vector<CheckRow> low = low_set_points({hall.plant, moved, hall.evaluation()});
  REQUIRE(!low.empty());
  CHECK(low.front().side == Side::below);
  CHECK(!low.front().is_met());
  CHECK_THAT(row_text(low.front()), Catch::Contains(" is at ") && Catch::Contains("its set-point is "));
  CHECK_THAT(remedy_of(low.front()), Catch::Contains("fewer machines at work"));
}

TEST_CASE("of parts of unlike ratings the one with the smallest share left is kept", "[check]") {
  std::vector<CheckRow> rows;
  for (auto [name, value_w, limit_w] :
       {std::tuple{"large", 950e3, 1000e3}, {"small", 99e3, 100e3}, {"middle", 480e3, 500e3}}) {
    CheckRow row = rating(name, value_w, limit_w);
    row.of = "pdus";
    keep_nearest(row, true, rows);
  }
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().name == "small");
}

TEST_CASE("of limits that are not met the worst is kept with the names of the others", "[check]") {
  std::vector<CheckRow> rows;
  for (auto [name, value_a] : {std::tuple{"one", 60e3}, {"two", 80e3}, {"three", 40e3}, {"four", 70e3}}) {
    keep_worst({.kind = CheckRow::Kind::limit,
                .of = "breakers of 50 kA",
                .name = name,
                .quantity = "fault level of its bus",
                .why = "more than it interrupts",
                .unit = "A",
                .value = value_a,
                .limit = 50e3},
               rows);
  }
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().name == "two");
  CHECK(rows.front().alike == Texts{"one", "four"});
  CHECK(row_text(rows.front()) == "two (and 2 alike): fault level of its bus 80 kA, more than it interrupts: 50 kA");
}

TEST_CASE("violated limits that are not printed are counted", "[check]") {
  std::vector<CheckRow> rows;
  for (int k = 0; k < 60; ++k) {
    CheckRow row = rating(fmt::format("rack {}", k % 10), 20.0 + k, 10.0);
    row.kind = CheckRow::Kind::limit;
    row.quantity = "inlet air";
    row.side = Side::above;
    rows.push_back(row);
  }
  for (int k = 0; k < 3; ++k) rows.push_back(rating(fmt::format("met {}", k), 5.0, 10.0));
  rank(rows);
  const std::string text = ranked_text(rows, "2026-01-01T00:00:00", false);
  CHECK(text.find("10 of 60 violated limits shown, the worst of each kind: --all\n") != std::string::npos);
  CHECK(ranked_text(rows, "2026-01-01T00:00:00", true).find(" violated limits shown") == std::string::npos);
  std::vector<CheckRow> met(rows.end() - 3, rows.end());
  CHECK(ranked_text(met, "2026-01-01T00:00:00", false).find(" violated limits shown") == std::string::npos);
}

// 1.26 MVA that trip above a fifth of it: 252 kW, which half of the hall exceeds with nothing out.
TEST_CASE("equipment that carries less than its rating without end is compared with that", "[ratings]") {
  const std::vector<std::string> early{"power.one_line.branches.transformer_a.with.overload_limit=0.2", "events=[]"};
  const std::vector<CheckRow> rows =
      check_ratings(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_line/ring.yaml", early))
          .rows;
  const auto row = std::ranges::find_if(rows, [](const CheckRow& each) {
    return each.kind == CheckRow::Kind::rating && each.name.starts_with("transformer_a");
  });
  REQUIRE(row != rows.end());
  CHECK(row->limit <= 0.2 * 1.26e6 + 1.0);
  CHECK(row->margin_fraction() < 0.0);
  CHECK_FALSE(row->is_met());
  CHECK_THAT(row->quantity, Catch::Matchers::Contains("at most 20 % of its rating continuously"));
}
