// Figures by month of made-up results, and the psychrometric chart of them.
#include "twin/report/charts/weather_views.hpp"

#include <array>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;
using namespace wattloop::tests;

namespace {

constexpr double day_s = 86400.0, mwh = 3.6e9;
constexpr std::array<double, 4> days_of_month{17, 28, 31, 14};

/// Ninety days from 15 January by days: PUE 1.1 before 1 March, then 1.3; 1 kg/s of water; the economiser is full, partial from 1 March.
void write_ninety_days(const std::filesystem::path& file) {
  ResultsWriter writer(file, "2026-01-15T00:00:00");
  const TableSpec facility{.group = "facility",
                           .columns = {{"power", "W", "power", true},
                                       {"it_power", "W", "IT", true},
                                       {"water_flow", "kg/s", "water", true},
                                       {"dry_bulb", "K", "outside"},
                                       {"wet_bulb", "K", "outside"}}};
  const TableSpec economisers{.group = "economisers",
                              .item_dimension = "economiser",
                              .items = {"economiser"},
                              .columns = {{"mode", "1", "mode"}}};
  const auto table = writer.add_table(facility), modes = writer.add_table(economisers);
  for (int day = 0; day <= 90; ++day) {
    const bool is_spring = day >= 45,
               was_spring = day > 45;  // 17 days of January, 28 of February; means of the day before
    const float dry_k = is_spring ? 293.15F : 273.15F;
    writer.append(table, day * day_s,
                  std::vector<float>{was_spring ? 1.3e6F : 1.1e6F, 1e6F, 1.0F, dry_k, dry_k - 3.0F});
    writer.append(modes, day * day_s, std::vector<float>{is_spring ? 1.0F : 2.0F});
  }
  std::vector<MonthRecord> months;
  double begin_s = 0.0;
  for (std::size_t k = 0; k < days_of_month.size(); ++k) {
    const double end_s = begin_s + days_of_month[k] * day_s;
    months.push_back(
        {fmt::format("2026-0{}", k + 1), begin_s, end_s, {{"facility_energy", 700.0 * mwh, "J"}, {"pue", 1.25, "1"}}});
    begin_s = end_s;
  }
  writer.write_months(months);
  writer.write_summary(std::vector<NamedValue>{{"facility_energy", 2800.0 * mwh, "J"}, {"pue", 1.25, "1"}});
  writer.finish();
}

}  // namespace

TEST_CASE("a month's outside air and modes are of its samples, its energies those that the run integrated",
          "[weather_views]") {
  const TemporaryFolder folder;
  write_ninety_days(folder / "x.h5");
  const ResultsReader results(folder / "x.h5");
  const std::vector<MonthRecord> records = results.months();
  const std::vector<MonthSamples> months = samples_of(results, records);
  REQUIRE(months.size() == days_of_month.size());
  for (std::size_t k = 0; k < months.size(); ++k) {
    INFO(k);
    const double long_s = days_of_month[k] * day_s;
    CHECK(months[k].time_s == Approx(long_s));
    const double jump_k = k == 1 ? 10.0 / 28.0 : 0.0;  // half of 20 K on the last day of February
    CHECK(months[k].mean_dry_bulb_k() == Approx((k < 2 ? 273.15 : 293.15) + jump_k).epsilon(1e-6));
    CHECK(months[k].mode_s[2] == Approx(k < 2 ? long_s : 0.0));
    CHECK(months[k].mode_s[1] == Approx(k < 2 ? 0.0 : long_s));
  }
  const std::string table = months_table(results);
  CHECK_THAT(table, Contains("<td>2026-02</td><td class='number'>0.3571 degC</td><td class='number'>700 MWh</td>"
                             "<td class='number'>1.2500</td>") &&
                        Contains("width:100px") && Contains("0 h, 744 h, 0 h"));
  CHECK_THAT(table, Contains("<td>whole run</td>") && Contains("<td class='number'>2.8 GWh</td>"));
}

TEST_CASE(
    "a psychrometric chart shows each mode of the economiser in its colour, and none without weather that changes",
    "[weather_views]") {
  const TemporaryFolder folder;
  write_ninety_days(folder / "x.h5");
  const ResultsReader results(folder / "x.h5");
  const std::string chart = psychrometric_chart(results);
  CHECK_THAT(chart, Contains(">partial</text>") && Contains(">full</text>") && !Contains(">mechanical</text>"));
  CHECK_THAT(chart, Contains("Outside air from 0.0 to 20.0 degC;") && Contains("101.325 kPa"));
  // -5 to 25 degC over 760 px: 20 degC is at 70 + 760 * 25 / 30; 17 degC of wet bulb hold 10.87 g/kg, of 0 to 14 over 340 px
  const std::size_t at = chart.find("d='M703.3 ", chart.find("clip-path='url"));
  REQUIRE(at != std::string::npos);
  CHECK(std::stod(chart.substr(at + 10, 6)) == Approx(26.0 + 340.0 * (1.0 - 10.87 / 14.0)).margin(0.3));
  ResultsWriter writer(folder / "still.h5", "2026-01-15T00:00:00");
  writer.finish();
  CHECK(psychrometric_chart(ResultsReader(folder / "still.h5")).empty());
  CHECK(months_table(ResultsReader(folder / "still.h5")).empty());
}
