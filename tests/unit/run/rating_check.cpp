// Ratings against loads: the loads of the reference hall by hand, and a warning that names both for every
// rating that is made too small.
#include "tests/support/catch.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";
const std::filesystem::path bench_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "bench" / "scenarios";

/// All scenario files of a folder itself.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  return files;
}

RatingCheck check_of(const std::filesystem::path& file, const Texts& overrides = {}) {
  omp_set_num_threads(1);  // tests run side by side
  return check_ratings(read_scenario(file, overrides));
}

/// With one low-voltage bus a side, and all supplies of a node in use whatever is out.
RatingCheck hall_check(Texts overrides = {}) {
  overrides.emplace_back("hall.racks.with.psu.with.cords=1");
  return check_of(scenarios / "halls/one_low_voltage_bus.yaml", overrides);
}

/// The row of a load with that out; its equipment is the fullest of its kind.
const CheckRow& of(const std::vector<CheckRow>& list, const std::string& must_carry, const std::string& out) {
  const auto found = std::ranges::find_if(list, [&](const CheckRow& rating) {
    return rating.quantity == must_carry && rating.out == (out == "-" ? "nothing" : out);
  });
  INFO(must_carry << ", out: " << out);
  REQUIRE(found != list.end());
  return *found;
}

/// In the order of their names; those of a single node left out.
std::vector<CheckRow> ratings_of(const RatingCheck& check) {
  std::vector<CheckRow> rows = check.rows;
  std::erase_if(rows, [](const CheckRow& row) {
    return row.kind != CheckRow::Kind::rating || row.of == "psu" || row.of == "one cord";
  });
  std::ranges::sort(rows, {}, [](const CheckRow& row) { return row.of + row.out; });
  return rows;
}

Texts one_rack_warnings(const Texts& overrides) { return check_of(scenarios / "one_rack.yaml", overrides).warnings; }

bool has(const Texts& texts, const std::string& text) {
  UNSCOPED_INFO("requested: " << text);
  for (const std::string& found : texts) UNSCOPED_INFO("found: " << found);
  return std::ranges::any_of(texts, [&](const std::string& found) { return found.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("the ratings of the scenarios are consistent at nameplate load", "[ratings]") {
  for (const char* name : {"one_rack.yaml", "h100_10k.yaml"}) {
    const RatingCheck check = check_of(scenarios / name);
    INFO(name);
    CHECK(check.warnings.empty());
    for (const CheckRow& row : check.rows) CHECK(row.margin_fraction() >= 0.0);
  }
}

TEST_CASE("pumps of a water are reported by what draws it", "[ratings]") {
  const RatingCheck air = check_of(scenarios / "halls" / "dgx_h100_air.yaml");
  CHECK(of(air.rows, "water of condensers", "tower_1").value == Approx(180.0).epsilon(1e-3));  // three of 60 kg/s
  CHECK(std::ranges::none_of(air.rows, [](const CheckRow& rating) {
    return rating.quantity.find("CDUs") != std::string::npos && rating.unit == "kg/s";
  }));
  const RatingCheck dry = check_of(scenarios / "halls" / "nvl72_dry_coolers.yaml");
  CHECK(std::ranges::any_of(dry.rows, [](const CheckRow& rating) { return rating.quantity == "water of CDUs"; }));
}

TEST_CASE("chilled-water pumps and evaporators are rated with the valves of air handlers wide open", "[ratings]") {
  const std::filesystem::path file = scenarios / "halls" / "dgx_h100_air.yaml";
  const std::string few = "hall.racks.count=16", row = "hall.racks.rows=1";  // a quarter of what coils can take
  const RatingCheck with = check_of(file, {few, row}),
                    without = check_of(file, {few, row, "hall.cooling.crahs.water_valve=false"});
  for (const char* pumps : {"chilled_water pumps", "chiller pumps"}) {
    const auto row_of = [&](const RatingCheck& check) {
      const auto found = std::ranges::find_if(check.rows, [&](const CheckRow& rating) { return rating.of == pumps; });
      INFO(pumps);
      REQUIRE(found != check.rows.end());
      return *found;
    };
    CHECK(row_of(with).out == open_valves);
    CHECK(row_of(with).value == Approx(row_of(without).value).epsilon(1e-6));
  }
}

TEST_CASE("the scenarios of the benchmarks read, and their ratings are consistent", "[ratings]") {
  const std::vector<std::filesystem::path> files = files_in(bench_scenarios);
  CHECK(files.size() >= 4);
  for (const std::filesystem::path& file : files) {
    for (const std::string& warning : check_of(file).warnings) FAIL_CHECK(file.filename() << ": " << warning);
  }
}

// The two differ in nothing but how racks are cut into units; steady states are found to 1e-9 of their tolerances a second.
TEST_CASE("a rack in one piece asks of the hall what its eight nodes ask", "[ratings]") {
  const std::string day = "duration=1 h", april = "start=2026-04-15T00:00:00";
  const std::vector<CheckRow> by_gpu = ratings_of(check_of(scenarios / "h100_10k.yaml", {day, april}));
  const std::vector<CheckRow> by_rack = ratings_of(check_of(bench_scenarios / "year_by_rack.yaml", {day, april}));
  REQUIRE(by_gpu.size() == by_rack.size());
  for (std::size_t k = 0; k < by_gpu.size(); ++k) {
    INFO(by_gpu[k].name << ", " << by_gpu[k].quantity);
    CHECK(by_rack[k].name == by_gpu[k].name);
    CHECK(by_rack[k].value == Approx(by_gpu[k].value).epsilon(1e-4));
    CHECK(by_rack[k].limit == by_gpu[k].limit);
  }
}

// By hand, with nothing but nameplates and loss curves: a node 10.2 kW, of which its supplies deliver 9790.4 W; liquid are 8 x 700 W
// and half of what is left beyond 340 W of fans, 7525.2 W; 800 switches of 1.72 kW; fans of doors 1 kW at 2.11 kg/s, by the cube of
// the flow 195.2 W behind a rack (1.224 kg/s) and 985.8 W behind a network rack (2.1 kg/s). The tolerance is what the hand leaves
// out: heat of pumps, speeds of fans.
TEST_CASE("the loads of the reference hall are those of a calculation by hand", "[ratings]") {
  const std::vector<CheckRow> list = hall_check().rows;
  const CheckRow& cdu = of(list, "heat of the racks of its loop", "cdu_1");
  CHECK(cdu.value == Approx(40 * 8 * 7525.2 / 2).epsilon(0.005));
  CHECK(cdu.limit == Approx(1368e3));
  // Two CDUs: 24.77 kg/s each, 1468 L/min of PG25. n^2 476.46 + n 135.1 = (1.9233e-4 + 60/1200^2) 1468^2 + 80 kPa.
  CHECK(of(list, "speed that keeps 80 kPa", "cdu_1").value == Approx(0.973).epsilon(0.002));
  CHECK(of(list, "its racks", "side a").value == Approx(8 * (81.6e3 + 195.2) + 2 * (34.4e3 + 985.8)).epsilon(1e-6));

  const double it_w = 160 * 81.6e3 + 800 * 1.72e3;
  const double door_fans_w = 160 * 195.2 + 40 * 985.8, pdus_w = it_w + door_fans_w;
  const double pdu_loss_w = 20e6 * (0.001 + 0.007 * (pdus_w / 20e6) * (pdus_w / 20e6));
  const double ups_w = of(list, "racks, PDUs, CDU pumps", "side a").value;
  CHECK(ups_w == Approx(pdus_w + pdu_loss_w).epsilon(0.005));
  CHECK(of(list, "racks, PDUs, CDU pumps", "1 of its 12 modules").limit == Approx(11 * 1.5e6));
  const auto ups_loss_w = [](double output_w) {
    const double share = output_w / 18e6;
    return 18e6 * (0.007 + 0.008 * share + 0.016 * share * share);
  };
  CHECK(of(list, "heat of the room, at 32 degC", "crah_3").value == Approx(ups_loss_w(0.5 * ups_w)).epsilon(0.005));
  CHECK(of(list, "heat of the room, at 32 degC", "side b").value == Approx(ups_loss_w(ups_w)).epsilon(0.005));
  // Pumps of 288 kg/s for users of 282.12: d / d_r = (1 - 0.05 (m / 288)^2) / 0.95 = (m / 282.12)^2
  const double doors_kg_per_s = 200 * 1.046 + 8 * 9.115;
  CHECK(of(list, "water of doors and air handlers", "valves wide open").value ==
        Approx(doors_kg_per_s / std::sqrt(0.95 + 0.05 * std::pow(doors_kg_per_s / 288.0, 2))).epsilon(1e-5));
  CHECK(of(list, "water of CDUs", "valves wide open").value == Approx(12 * 19.13).epsilon(1e-3));
  // Heat of air of all racks, PDU and UPS losses, pumps of 180 kPa, no fans; five of six machines.
  const double pumps_w = (200 * 1.046 + 8 * 9.115) / 998.0 * 180e3 / 0.75;
  const double chilled_w =
      160 * 8 * 2674.8 + 1.376e6 + door_fans_w + pdu_loss_w + 2 * ups_loss_w(0.5 * ups_w) + pumps_w;
  CHECK(of(list, "heat of doors and air handlers, 5 at work", "chiller_1").value ==
        Approx(chilled_w / 5).epsilon(0.005));
  const double low_voltage_w = of(list, "all of its side", "side a").value;
  const double recharge_w =
      12 * 0.1 * 1.5e6;  // of the side that is left, after its batteries carried until generators did
  CHECK(6 * of(list, "its share of all, batteries recharging", "side a, feed b").value ==
        Approx(low_voltage_w + recharge_w).epsilon(1e-6));
}

// At rest what racks, UPS and PDUs give to air is what doors and air handlers take; with the heat of fans and pumps it is what
// chillers carry; and towers carry that, what compressors add and the heat of CDUs: sums over all rows, whatever reads them.
TEST_CASE("the loads of the reference hall in steady state add up", "[ratings]") {
  omp_set_num_threads(1);
  NameplateHall hall(read_scenario(scenarios / "h100_10k.yaml"));
  hall.settle({});
  const PlantSnapshot now = hall.snapshot();
  std::map<std::string, double> sum_w;
  double rooms_w = 0.0;
  for (const LoadAtRating& load : loads_at_rating(hall.scenario(), now)) {
    if (load.unit == "W") sum_w[load.kind] += load.load;
    if (load.kind.find("room_") != std::string::npos) rooms_w += load.load;
  }
  double indoor_loss_w = 0.0;
  for (const double loss_w : now.evaluation.power.room_loss_w) indoor_loss_w += loss_w;
  const double doors_w = sum_w["door"] + sum_w["network door"];
  const double it_w = 160 * 81.6e3 + 800 * 1.72e3;
  const double cdu_pumps_w = now.power_w(use_number(now.plant, "cdu_pump")),
               door_fans_w = now.power_w(use_number(now.plant, "rear_door_fan"));
  CHECK(doors_w + rooms_w + sum_w["cdu"] == Approx(it_w + door_fans_w + indoor_loss_w + cdu_pumps_w).epsilon(1e-3));
  const double fans_w = now.power_w(use_number(now.plant, "crah")),
               pumps_w = now.power_w(use_number(now.plant, "chilled_water_pump"));
  CHECK(sum_w["chiller"] == Approx(doors_w + rooms_w + fans_w + pumps_w).epsilon(0.005));
  const double tower_w = sum_w["cdu"] + sum_w["chiller"] + now.power_w(use_number(now.plant, "chiller")) +
                         now.power_w(use_number(now.plant, "facility_pump"));
  CHECK(sum_w["tower"] == Approx(tower_w).epsilon(0.005));
}

TEST_CASE("the fullest PDU is that of the cords", "[ratings]") {
  const std::string cords = "power.cords=[{ racks: row_1.rack_*, pdus: [pdu_a_7, pdu_b_7] }]";
  // PDU 7 had racks 7, 27, ... 147 and two network racks; now all twenty of row 1, and of the others seven.
  const RatingCheck check = hall_check({cords});
  const CheckRow& row = of(check.rows, "its racks", "side a");
  CHECK(row.name == "pdu_b_7 of 40");
  CHECK(row.value == Approx((20 + 7) * (81.6e3 + 195.2) + 2 * (34.4e3 + 985.8)).epsilon(1e-6));
  CHECK(has(check.warnings, "with side a out, pdu_b_7 of 40 must carry its racks, 2.279 MW, with a rating of 1 MW"));
}

TEST_CASE("racks with one cord are dark when its side is out, and that is reported", "[ratings]") {
  const Texts warnings = hall_check({"power.cords=[{ racks: network_rack_*, pdus: pdu_b_1 }]"}).warnings;
  CHECK(has(warnings, "with side b out, network_rack_1 and 39 more racks have no power"));
}

TEST_CASE("a rating below what it must carry is warned of with both", "[ratings]") {
  const auto reported = [](const Texts& overrides, const Texts& expected) {
    const Texts warnings = hall_check(overrides).warnings;
    for (const std::string& text : expected) CHECK(has(warnings, text));
  };
  reported({"hall.cooling.loops.cdus=2", "hall.network.racks=24", "hall.cooling.facility.towers.count=7",
            "power.rooms.crahs.air_temperature=27 degC"},
           {"with cdu_1 out, cdu_2 of 8 must carry heat of the racks of its loop, 2.4",
            "with cdu_1 out, differential pressure of loop_1 is at ",
            "door of network_rack_1 must carry heat of rack and room air, ",
            "with tower_1 out, tower_2 of 7 must carry all heat of the facility water, 2.",
            "with crah_3 out, 2 air handlers, electrical_room_a must carry heat of the room"});
  reported({"hall.cooling.chilled_water.chillers.count=5", "power.generators.count=5", "power.ups.modules=9",
            "power.pdus.count=10", "hall.cooling.facility.pumps.duty=2"},
           {"with chiller_1 out, chiller_2 of 5 must carry heat of doors and air handlers, 4 at work, 1.3",
            "with valves wide open, 2 facility pumps must carry water of CDUs, 198.6 kg/s, with a rating of 154 kg/s",
            "_1 of 10 must carry its share of all, batteries recharging, 3.466 MW, with a rating of 3 MW",
            "with side a out, ups_b of 2 must carry racks, PDUs, CDU pumps, 14.71 MW, with a rating of 13.5 MW",
            "with side a out, pdu_b_1 of 20 must carry its racks, 1.45 MW, with a rating of 1 MW"});
}

TEST_CASE("set-points that nothing can hold are warned of with what they are against", "[ratings]") {
  const Texts hot = one_rack_warnings({"hall.cooling.facility.supply_temperature=60 degC"});
  CHECK(has(
      hot,
      "the supply temperature of facility water (60 degC) is not below that of the loops (32 degC): valves are fully "
      "open, pumps run up, and the coolant does not reach its set-point; lower the first or raise the second"));
  CHECK(has(hot, "coolant of loop_1 is at 6"));
  const Texts summer =
      hall_check({"weather.design_day=summer", "power.topology=single", "power.generators=null", "sequences=null"})
          .warnings;
  CHECK(has(summer, "facility water has a set-point of 24 degC, below the highest outdoor wet bulb of 24.8 degC"));
  CHECK(has(summer, ", its set-point is 24 degC, with a wet bulb of 24.8 degC outside"));
}

TEST_CASE("of a hall whose chillers cannot carry it, check reports what they would have to", "[ratings]") {
  const RatingCheck check =
      hall_check({"hall.cooling.chilled_water.chillers.count=3", "power.topology=single", "power.generators=null"});
  CHECK_FALSE(check.has_steady_state);
  CHECK(has(check.warnings, "the hall has no steady state at nameplate load"));
  CHECK(has(check.warnings, "chiller_1 of 3 must carry heat of doors and air handlers, 1."));
}

TEST_CASE("what comes to no steady state with something out is reported with the loads that stand in its place",
          "[ratings]") {
  const Texts few =
      hall_check({"hall.cooling.chilled_water.chillers.count=5", "power.topology=single", "power.generators=null"})
          .warnings;
  CHECK(has(few,
            "with chiller_1 out, the hall has no steady state at nameplate load: it removes less heat than its "
            "equipment releases; loads are those with chillers that carry any heat"));
}

TEST_CASE("fans that find no speed are a doubt of their own", "[ratings]") {
  const auto with_die_line = [](double full_above_rise_k) {
    Scenario scenario = read_scenario(scenarios / "halls" / "dgx_h100_air.yaml", {});
    workload::ServerFanParams& fans = scenario.racks.at(0).hardware.fans;
    fans.trim_s = 0.0;
    fans.die_rise_k = 338.15;  // between those of dies at full and at lowest speed
    fans.die_full_speed_k = fans.die_rise_k + full_above_rise_k;
    return check_ratings(scenario).warnings;
  };
  const char* doubt = "the speed of node fans does not settle";
  CHECK(has(with_die_line(0.01), doubt));
  CHECK(
      std::ranges::none_of(with_die_line(9.0), [&](const std::string& text) { return text.find(doubt) != text.npos; }));
}

TEST_CASE("what was out before does not keep a hall from its rest", "[ratings]") {
  omp_set_num_threads(1);
  NameplateHall hall(read_scenario(scenarios / "utility_loss" / "battery_of_one_minute.yaml", {}));
  for (const char* out : {"", "cdu_1", "facility.pump_a"}) {
    Outage outage;
    EventSpec fail;
    fail.kind = EventSpec::Kind::fail;
    fail.targets = {out};
    if (*out != '\0') outage = {Outage::Kind::machine, out, {fail}};
    INFO("out: " << out);
    CHECK_NOTHROW(hall.settle(outage));
  }
}

TEST_CASE("a rating that is enough, but trips, is warned of", "[ratings]") {
  const RatingCheck check = check_of(scenarios / "one_rack.yaml", {"power.ups.with.overload_limit=50 %"});
  CHECK(std::ranges::any_of(check.warnings, [](const std::string& warning) {
    return warning.find("ups_a") != std::string::npos && warning.find("it would trip after ") != std::string::npos;
  }));
}

TEST_CASE("of parts that share their work and are not alike one of each rating is taken out", "[ratings]") {
  const auto outs = [](const Texts& parts) {
    Texts overrides{"hall.cooling.facility.towers=null"};
    for (const std::string& part : parts) {
      overrides.push_back("parts." + part + ", liquid: { from: facility.return, to: facility.supply } }");
    }
    const NameplateHall hall(read_scenario(scenarios / "h100_10k.yaml", overrides));
    std::set<std::string> named;
    for (const Outage& outage : outages(hall.plant())) {
      if (outage.text.starts_with("c_")) named.insert(outage.text);
    }
    return named;
  };
  const std::string small = "c_small={ hardware: dry_cooler_2900kw, with: { rated_heat: 1 kW }",
                    big = "c_big={ hardware: dry_cooler_2900kw", other = "c_other={ hardware: dry_cooler_2900kw";
  CHECK(outs({small, big}) == std::set<std::string>{"c_big", "c_small"});
  CHECK(outs({big, small}) == std::set<std::string>{"c_big", "c_small"});
  CHECK(outs({big, other}) == std::set<std::string>{"c_big"});
  CHECK(outs({big}).empty());
}

TEST_CASE("batteries carry nothing in the long run", "[ratings]") {
  omp_set_num_threads(1);
  const Texts without_a{
      "power.absent=[generator_a_1, generator_a_2, generator_a_3, generator_a_4, generator_a_5, "
      "generator_a_6]"};
  NameplateHall hall(read_scenario(scenarios / "halls/one_low_voltage_bus.yaml", without_a));
  const std::vector<Outage> all = outages(hall.plant());
  const auto feeds = std::ranges::find(all, "both feeds", &Outage::text);
  REQUIRE(feeds != all.end());
  hall.settle(*feeds);
  const PlantSnapshot now = hall.snapshot();
  for (const BatteryPart& battery : hall.plant().batteries) {
    INFO(battery.name);
    CHECK(now.state.switches.branch_mode[battery.branch] != electrical::BranchMode::on_battery);
  }
  for (const RackPart& rack : hall.plant().it.racks) CHECK(electrical::is_served(now.state.switches, rack.load));
}

TEST_CASE("a hall that comes to no steady state is reported its power", "[ratings]") {
  const RatingCheck check = check_of(scenarios / "one_rack.yaml", {"power.pdus.with.rated_power=4 W"});
  CHECK(has(check.warnings, "the hall has no steady state at nameplate load"));
  CHECK(has(check.warnings, "pdu_1 must carry its racks, 81.8 kW, with a rating of 4 W"));
  CHECK(of(check.rows, "its racks", "-").margin_fraction() < -20000.0);
}

TEST_CASE("of one side nothing is said of the other", "[ratings]") {
  const std::vector<CheckRow> list = hall_check({"power.topology=single"}).rows;
  CHECK(of(list, "racks, PDUs, CDU pumps", "1 of its 12 modules").limit == Approx(16.5e6));
  CHECK(
      std::ranges::none_of(list, [](const CheckRow& rating) { return rating.out.find("side") != std::string::npos; }));
}

TEST_CASE("check takes the highest dry bulb of the run, whichever hour its highest wet bulb is of", "[ratings]") {
  const std::string file = tests::reference_data() + "/weather/USA_VA_Leesburg.Exec.epw";
  std::ifstream in(file);
  REQUIRE(in);
  double highest_c = -100.0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::vector<std::string> cell;
    for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
    const bool is_of_run = cell.size() > 30 && cell[1] == "7" && cell[2] != "1" && cell[2] != "31";
    if (is_of_run) highest_c = std::max(highest_c, std::stod(cell[6]));  // dry bulb
  }
  const RatingCheck check = check_of(scenarios / "halls/mixed.yaml", {"weather.design_day=null", "weather.file=" + file,
                                                                      "start=2026-07-02T00:00:00", "duration=29 d"});
  REQUIRE(check.dry_bulb_k);
  CHECK(*check.dry_bulb_k == Approx(physics::freezing_k + highest_c).margin(0.01));
  CHECK(*check.wet_bulb_k < *check.dry_bulb_k - 5.0);
  const std::string air = fmt::format("air of {}", format_quantity(*check.dry_bulb_k, "K"));
  CHECK(std::ranges::any_of(check.rows, [&](const CheckRow& rating) {
    return rating.name.starts_with("cooler_") && (rating.quantity + rating.starved_by).find(air) != std::string::npos;
  }));
}
