// What a running hall feels of the weather, minute by minute, against the clock: a design day by its sine, a year of hours by the
// lines of its file, both from a start that is no full hour. Humidity by the
// vapour pressure of its dew point: 20.92 degC between 2339.2 Pa at 20 and 2487.7 Pa at 21 degC [iapws_if97], -2 degC over water
// 527.7 Pa [murphy_koop2005].

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include "tests/support/by_name.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

struct Outside {
  double dry_c, vapour_pa, pressure_pa;
};

/// Compares what the plant feels each second with `at`, a function of hours since the midnight before the run.
template <class At>
class Watch final : public Observer {
 public:
  Watch(const Plant& plant, double start_h, At at) : names_(plant), start_h_(start_h), at_(at) {}

  void observe(const PlantState& state, const Evaluation& evaluation) override {
    const tests::Instant now{names_, state, evaluation};
    const Outside must = at_(start_h_ + std::floor(state.time_s / 60.0) / 60.0);  // looked at once a minute
    INFO("at " << state.time_s << " s");
    CHECK(now.input("weather.dry_bulb") - 273.15 == Approx(must.dry_c).margin(1e-3));
    CHECK(now.input("weather.pressure") == Approx(must.pressure_pa).epsilon(1e-6));
    CHECK(now.input("weather.humidity_ratio") ==
          Approx(0.622 * must.vapour_pa / (must.pressure_pa - must.vapour_pa)).epsilon(1e-3));
    ++seen;
  }

  int seen = 0;

 private:
  tests::Names names_;
  double start_h_;
  At at_;
};

/// 15 min of a hall from `start_h` o'clock.
template <class At>
void check_run(Scenario scenario, double start_h, At at) {
  scenario.duration_s = 900.0;
  scenario.record = {.facility_s = 15.0, .racks_s = 60.0, .gpus_s = 60.0};
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(500.0, 7000.0);
  tests::WorkRun simulation(scenario, plant, work, by_multirate());
  Watch watch(plant, start_h, at);
  simulation.start();
  simulation.run(scenario.duration_s, {&watch});
  CHECK(watch.seen > 60);
}

/// A year in which nothing repeats: every hour of the year has its own temperature.
double dry_c_of_hour(double hour_of_year) { return 10.0 + 8.0 * std::sin(0.37 * hour_of_year) + 0.001 * hour_of_year; }

std::string year_file(const tests::TemporaryFolder& folder) {
  const std::string path = folder / "year.epw";
  std::ofstream file(path);
  file << "LOCATION,Nowhere,XX,Country,Source,000000,10.0,20.0,1.0,300.0\n";
  for (int header = 2; header < 8; ++header) file << "COMMENTS\n";
  file << "DATA PERIODS,1,1,Data,Sunday,1/ 1,12/31\n";
  const std::array days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int hours = 0;
  for (int month = 1; month <= 12; ++month) {
    for (int day = 1; day <= days[static_cast<std::size_t>(month - 1)]; ++day) {
      for (int hour = 1; hour <= 24; ++hour) {
        file << fmt::format("2001,{},{},{},0,flags,{:.6f},-2.0,40,97800,0,0\n", month, day, hour,
                            dry_c_of_hour(++hours));
      }
    }
  }
  return path;
}

}  // namespace

TEST_CASE("a hall feels the design day at the minute that its clock shows", "[weather]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.start = "2026-07-15T09:53:00";
  scenario.weather.design_day = "summer";
  // 35.0 degC at 15:00, 11.5 K less at 3:00; a dew point of 20.92 degC. Reported every 5 min, a line between.
  const auto at = [](double hour) {
    const auto sine_c = [](double h) { return 29.25 + 5.75 * std::cos(2.0 * std::numbers::pi * (h - 15.0) / 24.0); };
    return Outside{sine_c(hour), 2475.5, 99.9e3};
  };
  check_run(scenario, 9.0 + 53.0 / 60.0, at);
}

TEST_CASE("a hall feels a year of hours between the hours of its file", "[weather]") {
  const tests::TemporaryFolder folder;
  Scenario scenario = tests::small_hall_scenario();
  scenario.weather.file = year_file(folder);
  scenario.start = "2026-10-05T17:51:00";  // day 278 of the year: 277 whole days before
  const auto at = [](double hour) {
    const double of_year = 277.0 * 24.0 + hour, whole = std::floor(of_year);
    const double here_c = dry_c_of_hour(whole), next_c = dry_c_of_hour(whole + 1.0);
    return Outside{here_c + (of_year - whole) * (next_c - here_c), 527.7, 97800.0};
  };
  check_run(scenario, 17.0 + 51.0 / 60.0, at);
}

TEST_CASE("a hall feels a file that is moved to a colder and higher place", "[weather]") {
  const tests::TemporaryFolder folder;
  Scenario scenario = tests::small_hall_scenario();
  scenario.weather.file = year_file(folder);
  scenario.weather.offset_k = -8.0;
  scenario.weather.pressure_pa = 83.4e3;
  scenario.start = "2026-10-05T17:51:00";
  // A dew point of -10 degC instead of -2: 286.5 Pa over water [murphy_koop2005].
  const auto at = [](double hour) {
    const double of_year = 277.0 * 24.0 + hour, whole = std::floor(of_year);
    const double here_c = dry_c_of_hour(whole), next_c = dry_c_of_hour(whole + 1.0);
    return Outside{here_c + (of_year - whole) * (next_c - here_c) - 8.0, 286.5, 83.4e3};
  };
  check_run(scenario, 17.0 + 51.0 / 60.0, at);
}
