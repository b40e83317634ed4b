// Months as text, as CSV and as JSON: made-up figures in which no two numbers are equal, so that another month, another column or the whole run
// for its last month would show.
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "twin/commands/results/monthly_text.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

constexpr double mwh_j = 3.6e9, day_s = 86400.0;

std::vector<NamedValue> figures(double factor, double generators_mwh) {
  return {{"utility_energy", factor * 11.0 * mwh_j, "J"},
          {"generator_energy", generators_mwh * mwh_j, "J"},
          {"facility_energy", factor * 12.0 * mwh_j, "J"},
          {"it_energy", factor * 10.0 * mwh_j, "J"},
          {"pue", 1.0 + 0.1 * factor, "1"},
          {"water_use", factor * 3.0, "m3"},
          {"peak_utility_power", factor * 1.1e6, "W"},
          {"peak_facility_power", factor * 1.3e6, "W"},
          {"energy_cost", factor * 101.0, "USD"},
          {"demand_cost", factor * 102.0, "USD"},
          {"fuel_cost", factor * 103.0, "USD"},
          {"total_cost", factor * 306.0, "USD"},
          {"peak_demand", factor * 1.2e6, "W"},
          {"carbon", factor * 204.0, "kg"}};
}

/// Generators gave something in February alone.
std::vector<MonthRecord> months() {
  return {{"2026-01", 0.0, 20.0 * day_s, figures(1.0, 0.0)},
          {"2026-02", 20.0 * day_s, 48.0 * day_s, figures(2.0, 0.5)},
          {"2026-03", 48.0 * day_s, 50.0 * day_s, figures(3.0, 0.0)}};
}

std::string plain(const std::string& text) { return std::regex_replace(text, std::regex("[ \n]+"), " "); }

}  // namespace

TEST_CASE("months as text have each figure under its head, and columns of what happened in any month",
          "[months][pages]") {
  const std::string text = plain(monthly_text(months(), figures(6.0, 0.5), UnitStyle::metric));
  CHECK_THAT(text, Contains("Energy utility generators facility IT PUE water utility peak "));
  CHECK_THAT(text, Contains(" 2026-01 11 MWh 0 J 12 MWh 10 MWh 1.1 3 m3 1.1 MW "));
  CHECK_THAT(text, Contains(" 2026-02 22 MWh 500 kWh 24 MWh 20 MWh 1.2 6 m3 2.2 MW "));
  CHECK_THAT(text, Contains(" whole run 66 MWh 500 kWh 72 MWh 60 MWh 1.6 18 m3 6.6 MW "));
  CHECK_THAT(text, Contains("Cost energy demand fuel in all utility peak demand carbon "));
  CHECK_THAT(text, Contains(" 2026-03 303 USD 306 USD 309 USD 918 USD 3.6 MW 612 kg "));
}

TEST_CASE("months as CSV begin and end where they do, and the whole run at the ends of all", "[months][pages]") {
  const std::string csv = monthly_csv(months(), figures(6.0, 0.5));
  CHECK(csv.starts_with("month,begin (s),end (s),utility_energy (J),generator_energy (J),facility_energy (J),"));
  CHECK_THAT(csv, Contains("\n2026-02,1728000,4147200,79200000000,1800000000,86400000000,72000000000,1.2,6,"));
  CHECK_THAT(csv, Contains("\n2026-03,4147200,4320000,118800000000,0,"));
  CHECK_THAT(csv, Contains("\nwhole run,0,4320000,237600000000,1800000000,"));
}

TEST_CASE("months as JSON have the figures of their own", "[months][pages]") {
  const nlohmann::json all = nlohmann::json::parse(monthly_json(months())).at("months");
  REQUIRE(all.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const double factor = double(k) + 1.0;
    CHECK(all[k].at("month") == months()[k].month);
    CHECK(all[k].at("begin_s") == months()[k].begin_s);
    CHECK(all[k].at("end_s") == months()[k].end_s);
    CHECK(all[k].at("it_energy").at("value") == factor * 10.0 * mwh_j);
    CHECK(all[k].at("peak_demand").at("value") == factor * 1.2e6);
    CHECK(all[k].at("carbon").at("value") == factor * 204.0);
  }
}
