// A plant and its parts from a published library [modelica_buildings] as scenarios of ours, by what runs of them record.
//
//   economiser     effectiveness 0.8 of the smaller rate, 25.28 and 12.78 degC, after two hours 18.33 degC: 25.28 - 0.8 x 12.50
//   valve          the same, 10.35 kg/s either way, its supply held at 16.56 degC, and not held
//   plant          1 MW from racks to air of 36 degC, every loop 5 K, every exchanger 3 K: the ends of two trajectories
//   coil           of an air handler, wet then dry, water flow from 100 to 10 %, one number fitted at one time
//
//   pipes          the plant with half the load and 70 % by turns of two minutes: means and swings over three periods, delay of a pipe
//
// Tolerances: of the economiser 3e-5 K, the rounding of theirs and of our results, both of single precision; of the plant 70 mK, ten times
// what the trajectories are from their own design; of the coil 3 %. Glycol of theirs is water here, of the same capacity rates.
//
// The wet coil of theirs comes to rest by an estimate that lags by six minutes: it is compared from the first minute on, and fitted at 350 s.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_case.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::tests;

namespace {

constexpr double single_precision_k = 3e-5;

/// A series of the second half hour: three periods of four minutes, every 18 s.
using Values = std::vector<double>;

double mean_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double swing_of(const Values& values) { return std::ranges::max(values) - std::ranges::min(values); }

/// Time by which `after` follows `before`: least squares of their difference on the slope.
double delay_s(const Values& before, const Values& after) {
  double product = 0.0, square = 0.0;
  for (std::size_t k = 1; k + 1 < before.size(); ++k) {
    const double slope = (before[k + 1] - before[k - 1]) / 36.0;
    product += slope * (before[k] - after[k]);
    square += slope * slope;
  }
  return product / square;
}

Values over_periods(const std::function<double(double)>& value) {
  Values values;
  for (int k = 60; k < 100; ++k) values.push_back(value(18.0 * k));
  return values;
}

/// Weather of one temperature, all year, as a file.
std::string constant_weather(const TemporaryFolder& folder, double dry_bulb_c) {
  const std::string name = (folder / "constant.epw").string();
  std::ofstream file(name);
  file << "LOCATION,Constant,-,-,-,0,0,0,0,0\nDESIGN CONDITIONS,0\nTYPICAL/EXTREME PERIODS,0\nGROUND TEMPERATURES,0\n"
          "HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\nCOMMENTS 1,-\nCOMMENTS 2,-\nDATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31\n";
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int month = 1; month <= 12; ++month) {
    for (int hour = 0; hour < 24 * days[month - 1]; ++hour) {
      file << "2025," << month << ',' << hour / 24 + 1 << ',' << hour % 24 + 1 << ",60,-," << dry_bulb_c
           << ",10,20,101325";
      for (int column = 0; column < 25; ++column) file << ",0";
      file << '\n';
    }
  }
  return name;
}

void check_plant(const std::string& liquid, const std::string& trajectory) {
  const TemporaryFolder folder;
  const PublishedCase plant("plant of a published library at its design point, " + liquid, "plant_design", trajectory,
                            {"weather={design_day: null, file: " + constant_weather(folder, 36.0) + "}"});
  constexpr double tolerance_k = 70e-3;
  const auto check = [&](const char* what, const char* group, const char* column, const char* theirs) {
    plant.check_end({what, group, column, theirs, tolerance_k, "K"});
  };
  check("rack supply", "loops", "supply_temperature", "cdu.conVal.u_m");
  check("rack return", "loops", "return_temperature", "senTRac_b.T");
  check("plant water supply", "plate_exchangers", "supply_temperature", "senTCDU_a.T");
  check("plant water return", "cdus", "facility_return_temperature", "senTCDU_b.T");
  check("tower water supply", "dry_coolers", "supply_temperature", "senTTow_b.T");
  check("tower water return", "dry_coolers", "return_temperature", "senTTow_a.T");
  check("tower water behind the economiser", "plate_exchangers", "cold_return_temperature", "senTWSE_b1.T");
}

}  // namespace

TEST_CASE("a published economiser makes its water as cold in a run of ours", "[published][data]") {
  const PublishedCase free("economiser of a published library in a run", "economiser_outlet", "wse_outlet_control.csv");
  const auto is_settled = [](double time_s) {
    return (time_s > 1400.0 && time_s < 7200.0) || time_s > 7200.0 + 1400.0;
  };
  free.check({"water that leaves", "plate_exchangers", "supply_temperature", "TSup.T", single_precision_k, "K"},
             is_settled);
  const std::string held = "wse_hx_bypass_control.csv";
  const PublishedCase with("economiser of a published library in a run, its valve at work", "economiser_bypass", held);
  with.check_end({"water that leaves", "plate_exchangers", "supply_temperature", "TSen1.T", single_precision_k, "K"});
  const PublishedCase without("economiser of a published library in a run, its valve open", "economiser_bypass", held,
                              {"hall.cooling.water.chilled.supply_temperature=10 degC"});
  without.check_end(
      {"water that leaves", "plate_exchangers", "supply_temperature", "TSen2.T", single_precision_k, "K"});
}

TEST_CASE("a published plant stands at its design point in a run of ours, with glycol and with water",
          "[published][data]") {
  check_plant("glycol", "plant_wse_design_glycol.csv");
  check_plant("water", "plant_wse_design_water.csv");
}

TEST_CASE("a published plant with pipes has the means of ours, other swings, and the delay of a header as large",
          "[published][data]") {
  const std::string title = "plant of a published library, load in turns, pipes as headers";
  const PublishedCase plant(title, "plant_pipes", "plant_wse_dynamic_pipes.csv");
  const auto ours = [&](const char* group, const char* column) {
    return over_periods([&, group, column](double time_s) { return plant.ours(group, column, time_s); });
  };
  const auto theirs = [&](const char* column) {
    return over_periods([&, column](double time_s) { return plant.theirs(column, time_s); });
  };
  struct Place {
    const char *what, *group, *column, *theirs;
    double mean_difference_k, swing_difference_k;  ///< as measured, ours less theirs
  };
  for (const Place& place : {
           Place{"rack supply", "racks", "supply_temperature", "pipRacIn.sta_b.T", 0.0, 0.6},
           Place{"rack return", "racks", "return_temperature", "pipRacOut.sta_a.T", 0.0, 0.9},
           Place{"plant water to the CDU", "plate_exchangers", "supply_temperature", "pipCDUIn.sta_a.T", -0.4, 0.5},
           Place{"plant water from the CDU", "cdus", "facility_return_temperature", "pipCDUOut.sta_a.T", -0.1, -0.6},
           Place{"tower water from the economiser", "plate_exchangers", "cold_return_temperature", "pipTowIn.sta_a.T",
                 0.0, 0.1},
       }) {
    const Values is = ours(place.group, place.column), are = theirs(place.theirs);
    INFO(place.what << ": means " << mean_of(is) << ", " << mean_of(are) << "; swings " << swing_of(is) << ", "
                    << swing_of(are));
    CHECK(mean_of(is) - mean_of(are) == Approx(place.mean_difference_k).margin(0.1));
    CHECK(swing_of(is) - swing_of(are) == Approx(place.swing_difference_k).margin(0.1));
    report_verification({title, "modelica_buildings", std::string(place.what) + ", mean", mean_of(is), mean_of(are),
                         std::abs(place.mean_difference_k) + 0.1, "K"});
  }
  const double is_s = delay_s(ours("cdus", "supply_temperature"), ours("loops", "supply_temperature"));
  const double are_s = delay_s(theirs("pipRacIn.sta_a.T"), theirs("pipRacIn.sta_b.T"));
  CHECK(is_s == Approx(are_s).margin(2.0));
  report_verification({title, "modelica_buildings", "delay of the pipe to the racks", is_s, are_s, 2.0, "s"});
}

TEST_CASE("a published coil of an air handler takes as much heat, sensible and in all, wet and dry",
          "[published][data]") {
  const PublishedCase coil("coil of an air handler of a published library, fitted at 350 s", "crah_coil",
                           "crah_coil_open_loop.csv");
  const auto has_begun = [](double time_s) { return time_s >= 60.0; };
  coil.check({"heat to the water", "racks", "door_heat", "ahu.cooCoi.Q2_flow", 0.03, "W", true, -1.0}, has_begun);
  double worst = 0.0, worst_w = 0.0, theirs_there_w = 0.0;
  for (double time_s = 60.0; time_s < 990.0; time_s += 10.0) {
    const double condensed_kg =
        coil.ours("rooms", "condensate", time_s + 10.0) - coil.ours("rooms", "condensate", time_s - 10.0);
    const double ours_w = coil.ours("racks", "door_heat", time_s) - 2.501e6 * condensed_kg / 20.0;
    const double theirs_w = -coil.theirs("ahu.cooCoi.QSen2_flow", time_s);
    INFO("sensible heat at " << time_s << " s: " << ours_w << " W, theirs " << theirs_w << " W");
    CHECK(std::abs(ours_w / theirs_w - 1.0) < 0.03);
    if (std::abs(ours_w / theirs_w - 1.0) <= worst) continue;
    worst = std::abs(ours_w / theirs_w - 1.0);
    worst_w = ours_w;
    theirs_there_w = theirs_w;
  }
  report_verification(
      {"coil of an air handler of a published library, fitted at 350 s: sensible heat, worst of wet and dry",
       "modelica_buildings", "heat", worst_w, theirs_there_w, 0.03 * theirs_there_w, "W"});
}
