// Weather years against an independent parse, interpolation and design days against closed forms.
//
// Source: means from a plain parse of the files' columns with another program, [chicago_tmy3],
// [leesburg_tmyx]; the design conditions of the header of the latter.
#include "physics/weather/weather.hpp"
#include "physics/weather/weather_epw.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/air/psychrometrics.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

struct Expected {
  std::string file, place;
  double utc_hours, elevation_m;
  double dry_c, dew_c, humidity, pressure_pa;  // means of all hours
};

const std::vector<Expected> years{
    {"USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw", "Chicago Ohare Intl Ap, USA", -6.0, 201.0, 9.987990867579914,
     4.311061643835585, 70.33538812785388, 99188.68721461187},
    {"USA_VA_Leesburg.Exec.epw", "Leesburg.Exec.AP-Godfrey.Field, USA", -5.0, 119.0, 13.781449771689488,
     7.468413242009151, 68.25239726027397, 99899.92214611873},
};

double mean(const Weather& weather, double WeatherNow::*value) {
  return std::accumulate(weather.samples.begin(), weather.samples.end(), 0.0,
                         [&](double sum, const WeatherNow& now) { return sum + now.*value; }) /
         static_cast<double>(weather.samples.size());
}

}  // namespace

TEST_CASE("a weather year has all its hours and the means of a plain parse", "[weather][data]") {
  const std::string folder = tests::reference_data() + "/weather/";
  for (const Expected& year : years) {
    Problems problems;
    const Weather weather = read_epw(folder + year.file, problems);
    REQUIRE(problems.empty());
    CHECK(weather.samples.size() == 8760);
    CHECK(weather.place == year.place);
    CHECK(weather.utc_offset_s == 3600.0 * year.utc_hours);
    CHECK(weather.elevation_m == year.elevation_m);
    CHECK(mean(weather, &WeatherNow::dry_bulb_k) - freezing_k == Approx(year.dry_c).margin(1e-9));
    CHECK(mean(weather, &WeatherNow::dew_point_k) - freezing_k == Approx(year.dew_c).margin(1e-9));
    CHECK(100.0 * mean(weather, &WeatherNow::relative_humidity_fraction) == Approx(year.humidity).margin(1e-9));
    CHECK(mean(weather, &WeatherNow::pressure_pa) == Approx(year.pressure_pa).margin(1e-5));
    tests::report_verification({year.place + ", 8,760 hours", "plain parse of the file", "mean dry bulb",
                                mean(weather, &WeatherNow::dry_bulb_k) - freezing_k, year.dry_c, 1e-9, "degC"});
  }
}

TEST_CASE("half of the reported humidities agree with the dew point within rounding, and wet bulbs lie in between",
          "[weather][data]") {
  // Whole percents and tenths of a kelvin make 0.005 + 0.003. Both files also have hours in which the two
  // contradict each other, by 0.15 and by 0.30: then the dew point counts.
  const std::string folder = tests::reference_data() + "/weather/";
  for (const Expected& year : years) {
    Problems problems;
    const Weather weather = read_epw(folder + year.file, problems);
    REQUIRE(problems.empty());
    std::vector<double> apart;
    for (const WeatherNow& now : weather.samples) {
      const double of_dew_point = relative_humidity_fraction(now.dry_bulb_k, now.dew_point_k);
      apart.push_back(std::abs(of_dew_point - now.relative_humidity_fraction));
      if (!(now.wet_bulb_k <= now.dry_bulb_k && now.wet_bulb_k >= now.dew_point_k - 1e-6))
        FAIL("wet bulb " << now.wet_bulb_k);
    }
    std::nth_element(apart.begin(), apart.begin() + 4380, apart.end());
    CAPTURE(year.place);
    CHECK(apart[4380] < 0.008);
  }
}

TEST_CASE("hour 1 is 01:00, half past is half way, and the year repeats", "[weather][data]") {
  const std::string folder = tests::reference_data() + "/weather/";
  Problems problems;
  const Weather weather = read_epw(folder + years[0].file, problems);
  REQUIRE(problems.empty());
  const auto dry_c = [&](double hours) { return weather_at(weather, 3600.0 * hours).dry_bulb_k - freezing_k; };
  CHECK(dry_c(1.0) == Approx(-12.2).margin(1e-9));
  CHECK(dry_c(2.0) == Approx(-11.7).margin(1e-9));
  CHECK(dry_c(1.5) == Approx(-11.95).margin(1e-9));
  CHECK(dry_c(0.0) == Approx(dry_c(8760.0)).margin(1e-9));
  CHECK(dry_c(-8759.0) == Approx(dry_c(1.0)).margin(1e-9));
  CHECK(dry_c(0.5) == Approx(0.5 * (dry_c(0.0) - 12.2)).margin(1e-9));
}

TEST_CASE("the summer day peaks at its station's design condition", "[weather]") {
  const Weather summer = design_day("summer");
  const WeatherNow peak = weather_at(summer, 15.0 * 3600.0);
  CHECK(peak.dry_bulb_k == Approx(freezing_k + 35.0).margin(1e-9));
  CHECK(std::abs(peak.wet_bulb_k - freezing_k - 24.8) < 0.02);
  tests::report_verification({"design day summer, 15:00", "leesburg_tmyx", "wet bulb", peak.wet_bulb_k - freezing_k,
                              24.8, 0.02, "degC", "fit"});  // its dew point is made from it
  CHECK(weather_at(summer, 3.0 * 3600.0).dry_bulb_k == Approx(freezing_k + 23.5).margin(1e-9));
}

TEST_CASE("the winter day has its station's design condition as its minimum", "[weather]") {
  const Weather winter = design_day("winter");
  CHECK(weather_at(winter, 27.0 * 3600.0).dry_bulb_k == Approx(freezing_k - 10.1).margin(1e-9));
}

TEST_CASE("a moved day keeps the depression of its dew point, and its wet bulb is that of its pressure", "[weather]") {
  const Weather summer = design_day("summer");
  const Weather moved = shifted(summer, {.offset_k = -10.0, .pressure_pa = 83.4e3});
  const WeatherNow was = weather_at(summer, 54000.0), now = weather_at(moved, 54000.0);
  CHECK(now.dry_bulb_k == Approx(was.dry_bulb_k - 10.0).margin(1e-9));
  CHECK(now.dew_point_k == Approx(was.dew_point_k - 10.0).margin(1e-9));
  CHECK(now.pressure_pa == 83.4e3);
  // 25 degC with a dew point of 10.92 degC at 83.4 kPa: what the film gives up by evaporation it takes from the air, by a
  // psychrometer's formula of [wmo_guide8]: e = e_w(t*) - 6.53e-4 (1 + 9.44e-4 t*) p (t - t*).
  const auto vapour_pa = [](double c) { return 611.2 * std::exp(17.62 * c / (243.12 + c)); };
  const double wet_c = now.wet_bulb_k - freezing_k;
  const double by_psychrometer_pa = vapour_pa(wet_c) - 6.53e-4 * (1.0 + 9.44e-4 * wet_c) * 83.4e3 * (25.0 - wet_c);
  CHECK(by_psychrometer_pa == Approx(vapour_pa(10.92)).epsilon(0.03));
  CHECK(now.wet_bulb_k < shifted(summer, {.offset_k = -10.0}).samples[179].wet_bulb_k - 0.2);
  const Weather same = shifted(summer, {});
  CHECK(same.samples[10].relative_humidity_fraction == summer.samples[10].relative_humidity_fraction);
}

TEST_CASE("design days are sines over 24 hours, with wet bulbs by definition", "[weather]") {
  for (const std::string_view name : design_day_names()) {
    const Weather day = design_day(name);
    CHECK(day.period_s() == 86400.0);
    const double high_k = weather_at(day, 54000.0).dry_bulb_k, low_k = weather_at(day, 10800.0).dry_bulb_k;
    for (double time_s = 0.0; time_s < 86400.0; time_s += 777.0) {
      const WeatherNow now = weather_at(day, time_s);
      const double sine_k =
          0.5 * (high_k + low_k) + 0.5 * (high_k - low_k) * std::cos(2.0 * M_PI * (time_s - 54000.0) / 86400.0);
      CHECK(now.dry_bulb_k == Approx(sine_k).margin(1e-3));
      CHECK(now.wet_bulb_k ==
            Approx(wet_bulb_k(
                       {now.dry_bulb_k, relative_humidity_fraction(now.dry_bulb_k, now.dew_point_k), now.pressure_pa}))
                .margin(1e-3));
      CHECK(now.wet_bulb_k <= now.dry_bulb_k);
    }
    CHECK(weather_at(day, 3600.0).dry_bulb_k ==
          Approx(weather_at(day, 86400.0 * 200 + 3600.0).dry_bulb_k).margin(1e-9));
  }
  CHECK_THROWS_WITH(design_day("sumer"), Catch::Contains("summer, mild, winter"));
}
