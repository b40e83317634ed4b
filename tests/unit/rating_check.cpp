// Ratings against loads: the loads of the reference hall by hand, and a warning that names both for every
// rating that is made too small.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>

#include "twin/rating_check.hpp"
#include "twin/scenario_reader.hpp"

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

std::vector<Rating> hall_ratings(const Texts& overrides = {}) {
  return ratings(read_scenario(scenarios / "h100_10k.yaml", overrides));
}

const Rating& of(const std::vector<Rating>& list, const std::string& equipment,
                 const std::string& must_carry) {
  const auto found = std::ranges::find_if(list, [&](const Rating& rating) {
    return rating.equipment == equipment && rating.must_carry == must_carry;
  });
  INFO(equipment << ", " << must_carry);
  REQUIRE(found != list.end());
  return *found;
}

Texts warnings(const Texts& overrides) {
  Texts texts;
  for (const Rating& rating : hall_ratings(overrides)) {
    if (!rating.is_enough()) texts.push_back(warning_text(rating));
  }
  return texts;
}

}  // namespace

TEST_CASE("the ratings of the scenarios are consistent at nameplate load", "[ratings]") {
  for (const char* name : {"one_rack.yaml", "h100_10k.yaml"}) {
    for (const Rating& rating : ratings(read_scenario(scenarios / name))) {
      INFO(name << ": " << warning_text(rating));
      CHECK(rating.is_enough());
      CHECK(rating.margin_fraction() >= 0.0);
    }
  }
}

TEST_CASE("the scenarios of the benchmarks read, and their ratings are consistent", "[ratings]") {
  const std::vector<std::filesystem::path> files = files_in(bench_scenarios);
  CHECK(files.size() >= 4);
  for (const std::filesystem::path& file : files) {
    for (const Rating& rating : ratings(read_scenario(file))) {
      INFO(file.filename() << ": " << warning_text(rating));
      CHECK(rating.is_enough());
    }
  }
}

TEST_CASE("a rack in one piece asks of the hall what its eight nodes ask", "[ratings]") {
  const std::vector<Rating> by_gpu = hall_ratings(), by_rack = ratings(read_scenario(bench_scenarios / "year_by_rack.yaml"));
  REQUIRE(by_gpu.size() == by_rack.size());
  for (std::size_t k = 1; k < by_gpu.size(); ++k) {  // the first is of a single node
    INFO(by_gpu[k].equipment << ", " << by_gpu[k].must_carry);
    CHECK(by_rack[k].equipment == by_gpu[k].equipment);
    CHECK(by_rack[k].load == Approx(by_gpu[k].load).epsilon(1e-9));
    CHECK(by_rack[k].rating == by_gpu[k].rating);
  }
}

// By hand: a node 10.2 kW, of which its supplies deliver 9790.4 W; liquid are 8 x 700 W and half of what is left beyond 340 W of
// fans, 7525.2 W; 800 switches of 1.72 kW.
TEST_CASE("the loads of the reference hall are those of a calculation by hand", "[ratings]") {
  const std::vector<Rating> list = hall_ratings();
  const auto load = [&](const char* equipment, const char* must_carry) {
    return of(list, equipment, must_carry).load;
  };
  CHECK(load("2 of 3 CDUs of a loop", "liquid heat of its racks") == Approx(40 * 8 * 7525.2).epsilon(1e-5));
  CHECK(of(list, "2 of 3 CDUs of a loop", "liquid heat of its racks").rating == Approx(2 * 1368e3));
  // Two CDUs: 24.77 kg/s each, 1468 L/min of PG25. n^2 476.46 + n 135.1 = (1.9233e-4 + 60/1200^2) 1468^2 + 80 kPa.
  CHECK(load("pumps of 2 of 3 CDUs of a loop", "speed that holds 80 kPa") == Approx(0.973).epsilon(0.002));
  CHECK(load("a rear door", "air heat of a rack") == Approx(8 * 2674.8).epsilon(1e-5));
  CHECK(load("a rear door", "heat of a network rack") == Approx(20 * 1.72e3));
  CHECK(load("a PDU", "its racks, alone") == Approx(8 * (81.6e3 + 195.2) + 2 * (34.4e3 + 985.8)).epsilon(1e-6));

  const double it_w = 160 * 81.6e3 + 800 * 1.72e3;
  const double door_fans_w = 160 * 195.2 + 40 * 985.8;
  const double pdus_w = it_w + door_fans_w;
  const double pdu_loss_w = 20e6 * (0.001 + 0.007 * (pdus_w / 20e6) * (pdus_w / 20e6));
  const double cdu_pumps_w = 12 * 13.7e3;
  const double ups_w = load("the UPS of a side", "racks, PDUs, CDU pumps, alone");
  CHECK(ups_w == Approx(pdus_w + pdu_loss_w + cdu_pumps_w).epsilon(0.001));
  const auto ups_loss_w = [](double output_w) {
    const double share = output_w / 18e6;
    return 18e6 * (0.007 + 0.008 * share + 0.016 * share * share);
  };
  CHECK(load("2 of 3 air handlers of a UPS room", "UPS loss, at 32 degC") ==
        Approx(ups_loss_w(0.5 * ups_w)).epsilon(1e-6));
  CHECK(load("all air handlers of a UPS room", "UPS loss with the other side lost") ==
        Approx(ups_loss_w(ups_w)).epsilon(1e-6));

  const double chilled_w = 160 * 8 * 2674.8 + 1.376e6 + pdu_loss_w + 2 * ups_loss_w(0.5 * ups_w) + 8 * 15e3;
  CHECK(load("5 of 6 chillers", "heat of doors and air handlers") == Approx(chilled_w).epsilon(1e-4));
  CHECK(load("4 of 5 chilled-water pumps", "water of doors and air handlers") ==
        Approx(200 * 1.046 + 8 * 9.115));
  CHECK(load("3 of 4 facility pumps", "all CDUs with open valves") == Approx(12 * 19.13));
  const double facility_w = 1280 * 7525.2 + cdu_pumps_w + chilled_w + 5 * 250e3;
  CHECK(load("7 of 8 tower cells", "all heat of the facility water") == Approx(facility_w).epsilon(1e-4));

  const auto pump_w = [](double flow, double kilopascal) { return flow / 998.0 * kilopascal * 1e3 / 0.75; };
  const double mechanical_w = 8 * 15e3 + 5 * (250e3 + pump_w(60, 80) + pump_w(60, 120)) +
                              4 * pump_w(72, 180) + 3 * pump_w(77, 200) + 7 * (30e3 + pump_w(85.4, 120));
  const double low_voltage_w = ups_w + ups_loss_w(ups_w) + mechanical_w;
  CHECK(load("the transformers of a side", "the whole hall, alone") == Approx(low_voltage_w).epsilon(1e-4));
  const double share = low_voltage_w / 20e6;
  CHECK(load("the generators of a side", "the whole hall, alone") ==
        Approx(low_voltage_w + 8 * (3.2e3 + 20e3 * share * share)).epsilon(1e-4));
}

TEST_CASE("a rating below what it must carry is warned of with both", "[ratings]") {
  const auto check = [](const Texts& overrides, const Texts& expected) {
    INFO(overrides.front());
    CHECK(warnings(overrides) == expected);
  };
  check({"hall.cooling.loops.cdus=2"},
        {"1 of 2 CDUs of a loop must carry liquid heat of its racks, 2.408 MW, with a rating of 1.368 MW",
         "pumps of 1 of 2 CDUs of a loop must carry speed that holds 80 kPa, 1.83, with a rating of 1"});
  check({"hall.network.racks=24"},
        {"a rear door must carry heat of a network rack, 58.48 kW, with a rating of 35 kW",
         "1 of 2 air handlers of the hall must carry heat that doors leave, at 24 degC, 93.96 kW, with a "
         "rating of 44.41 "
         "kW"});
  check(
      {"hall.cooling.chilled_water.chillers.count=5"},
      {"4 of 5 chillers must carry heat of doors and air handlers, 5.478 MW, with a rating of 5 MW",
       "4 of 5 chillers must carry water of doors and air handlers, 282.1 kg/s, with a rating of 240 kg/s"});
  check({"hall.cooling.facility.towers.count=7"},
        {"6 of 7 tower cells must carry all heat of the facility water, 16.6 MW, with a rating of 15 MW",
         "6 of 7 tower cells must carry CDUs with open valves, condensers, 529.6 kg/s, with a rating of "
         "512.4 kg/s"});
  check(
      {"hall.cooling.facility.pumps.duty=2"},
      {"2 of 4 facility pumps must carry all CDUs with open valves, 229.6 kg/s, with a rating of 154 kg/s"});
  check({"power.rooms.crahs.air_temperature=27 degC"},
        {"2 of 3 air handlers of a UPS room must carry UPS loss, at 27 degC, 233.5 kW, with a rating of "
         "177.9 kW",
         "all air handlers of a UPS room must carry UPS loss with the other side lost, 437.8 kW, with a "
         "rating of 266.9 "
         "kW"});
  check({"power.generators.count=5"},
        {"the generators of a side must carry the whole hall, alone, 17.23 MW, with a rating of 15 MW"});
  check({"power.ups.modules=9"},
        {"the UPS of a side must carry racks, PDUs, CDU pumps, alone, 14.69 MW, with a rating of 13.5 MW"});
  check({"power.pdus.count=10"},
        {"1 of 2 air handlers of the hall must carry heat that doors leave, at 24 degC, 57.54 kW, with a rating of 44.41 kW",
         "a PDU must carry its racks, alone, 1.443 MW, with a rating of 1 MW"});
}

TEST_CASE("of one side nothing is said of the other", "[ratings]") {
  const std::vector<Rating> list = hall_ratings({"power.topology=single"});
  CHECK(of(list, "the UPS", "racks, PDUs, CDU pumps").rating == 18e6);
  CHECK(std::ranges::none_of(list, [](const Rating& rating) {
    return rating.must_carry.find("alone") != std::string::npos ||
           rating.must_carry.find("lost") != std::string::npos;
  }));
}

TEST_CASE("the table of ratings has a row for each and its margin", "[ratings]") {
  const std::vector<Rating> list{{"a pump", "all of it", 4e3, 3e3, "W"},
                                 {"two pumps", "more", 4.0, 5.0, "kg/s"}};
  CHECK(rating_table(list) ==
        "equipment  must carry, at nameplate    load  rating  margin\n"
        "a pump     all of it                   3 kW    4 kW    25 %\n"
        "two pumps  more                      5 kg/s  4 kg/s   -25 %\n");
}
