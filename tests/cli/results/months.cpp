// Months of a run: sums are the figures of the whole run; each month is what a run that has nothing else says;
// energy by price is the tariff's own.
#include <algorithm>
#include <array>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

using Json = nlohmann::json;

const std::vector<std::string> settings{"--set",
                                        "workload={kind: constant}",
                                        "--set",
                                        "record={facility: 1 h, racks: 1 h, gpus: {every: 4 h}}",
                                        "--set",
                                        "economics={tariff: {currency: USD, energy: [{days: weekdays, hours: [8, 20], "
                                        "price: 0.16 USD/kWh}, {price: 0.08 USD/kWh}], demand: "
                                        "[{price: 12 USD/kW}], fixed_per_month: 100 USD}, water_price: 2 USD/m3, "
                                        "generator_energy_price: 0.4 USD/kWh, carbon_intensity: 0.35 "
                                        "kg/kWh}"};

Json months(const WorkFolder& folder, const std::string& hall, const std::string& start, const std::string& duration) {
  std::vector<std::string> words{"run", hall, "-q", "--force", "-o", "r.h5"};
  words.insert(words.end(), settings.begin(), settings.end());
  for (const std::string& set : {"start=" + start, "duration=" + duration}) {
    words.emplace_back("--set");
    words.push_back(set);
  }
  const Outcome ran = folder.run(words);
  INFO(ran.errors);
  REQUIRE(ran.exit_code == 0);
  const Outcome said = folder.run({"summary", "r.h5", "--monthly", "--json"});
  INFO(said.errors);
  REQUIRE(said.exit_code == 0);
  return Json::parse(said.output).at("months");
}

double value(const Json& of, const std::string& name) { return of.at(name).at("value").get<double>(); }

const std::array sums{
    "facility_energy", "utility_energy", "generator_energy", "it_energy", "cooling_energy", "electrical_loss_energy",
    "energy_cost",     "demand_cost",    "fixed_cost",       "fuel_cost", "water_cost",     "total_cost",
    "carbon",          "water_use"};

}  // namespace

TEST_CASE("months of a run sum to it, and are what runs of one month say", "[cli][months]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("hall.yaml", "extends: " + std::string(WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml") +
                                "\nevents:\n  - { at: 20 d, open: 'utility_*', for: 90 min }\n");
  const Json all = months(folder, "hall.yaml", "2028-01-15T06:30:10", "50 d");
  REQUIRE(all.size() == 3);
  CHECK(all[0].at("month") == "2028-01");
  CHECK(all[2].at("month") == "2028-03");
  const double first_end_s = (16.0 + 17.5 / 24.0) * 86400.0 - 10.0;
  CHECK(all[0].at("end_s") == Approx(first_end_s));
  CHECK(all[1].at("end_s") == Approx(first_end_s + 29.0 * 86400.0));  // a leap year
  CHECK(all[2].at("end_s") == 50.0 * 86400.0);
  const Json run = Json::parse(folder.run({"summary", "r.h5", "--json"}).output);
  double highest_w = 0.0, demand_w = 0.0, prices_j = 0.0;
  for (const char* name : sums) {
    CAPTURE(name);
    double sum = 0.0;
    for (const Json& month : all) sum += value(month, name);
    CHECK(sum == Approx(value(run, name)).epsilon(1e-9).margin(1e-9));
  }
  for (const Json& month : all) {
    CHECK(value(month, "pue") == Approx(value(month, "facility_energy") / value(month, "it_energy")).epsilon(1e-9));
    CHECK(value(month, "facility_energy") ==
          Approx(value(month, "utility_energy") + value(month, "generator_energy")).epsilon(1e-9));
    CHECK(value(month, "utility_energy") ==
          Approx(value(month, "price_1_energy") + value(month, "price_2_energy")).epsilon(1e-9));
    CHECK(value(month, "wue") == Approx(value(month, "water_use") / value(month, "it_energy")).epsilon(1e-9));
    CHECK(
        value(month, "energy_cost") ==
        Approx((0.16 * value(month, "price_1_energy") + 0.08 * value(month, "price_2_energy")) / 3.6e6).epsilon(1e-9));
    highest_w = std::max(highest_w, value(month, "peak_facility_power"));
    demand_w = std::max(demand_w, value(month, "peak_demand"));
    prices_j += value(month, "price_1_energy") + value(month, "price_2_energy");
  }
  CHECK(highest_w == value(run, "peak_facility_power"));
  CHECK(demand_w == value(run, "peak_demand"));
  CHECK(prices_j == Approx(value(run, "utility_energy")).epsilon(1e-9));
  CHECK(value(all[0], "generator_energy") == 0.0);
  CHECK(value(all[1], "generator_energy") > 1.3 * 3600.0 * value(run, "mean_node_power"));  // carried 90 minutes
  CHECK(value(all[0], "fuel_cost") == 0.0);
  CHECK(value(all[1], "fuel_cost") > 0.0);
  // The same January by itself.
  folder.write("january.yaml", "extends: " WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml\n");
  const Json alone = months(folder, "january.yaml", "2028-01-15T06:30:10", std::to_string(first_end_s) + " s");
  REQUIRE(alone.size() == 1);
  for (const char* name : sums) {
    CAPTURE(name);
    CHECK(value(alone[0], name) == Approx(value(all[0], name)).epsilon(1e-5).margin(1e-9));
  }
}

TEST_CASE("what generators deliver is no demand of the utility, and fuel without a price has no cost",
          "[cli][months]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("hall.yaml", "extends: " WATTLOOP_SOURCE_DIR
                            "/scenarios/h100_10k.yaml\n"
                            "start: 2027-12-31T22:00:00\nduration: 4 h\nworkload: { kind: constant }\n"
                            "hall: { racks: { count: 8, rows: 2 }, cooling: { loops: { count: 1 } }, network: { racks: "
                            "2 } }\nrecord: { facility: 60 s, racks: 1 h, gpus: null }\n"
                            "economics:\n  tariff: { currency: USD, energy: [ { price: 0.1 USD/kWh } ], "
                            "demand: [ { price: 12 USD/kW } ] }\n  carbon_intensity: 0.4 kg/kWh\n"
                            "events:\n"
                            "  - { at: 151 min, open: 'utility_*', for: 20 min }\n");
  const Outcome ran = folder.run({"run", "hall.yaml", "-o", "r.h5", "-q", "--full"});
  INFO(ran.errors);
  REQUIRE(ran.exit_code == 0);
  const std::string words = std::regex_replace(ran.output, std::regex("\\s+"), " ");  // without its line ends
  CHECK_THAT(words,
             Contains(" from generators ") && Contains(" fuel no price is given (economics.generator_energy_price)"));
  CHECK_THAT(words, Contains("; without fuel and water: no price is given") && Contains("; only for the utility"));
  const wattloop::twin::ResultsReader results(folder / "r.h5");
  const auto number = [&](const char* name) { return results.summary_number(name).value(); };
  CHECK(number("facility_energy") == Approx(number("utility_energy") + number("generator_energy")).epsilon(1e-9));
  CHECK(number("energy_cost") == Approx(0.1 / 3.6e6 * number("utility_energy")).epsilon(1e-9));
  CHECK(number("carbon") == Approx(0.4 / 3.6e6 * number("utility_energy")).epsilon(1e-9));
  CHECK(number("total_cost") == Approx(number("energy_cost") + number("demand_cost")).epsilon(1e-12));
  CHECK(number("generator_energy") > 0.0);
  CHECK(number("peak_demand") <= number("peak_utility_power"));
  CHECK(std::max(number("peak_utility_power"), number("peak_generator_power")) <= number("peak_facility_power"));
  // The utility's own peak, from the tables: what the facility draws less what generators deliver.
  const std::vector<float> power = results.series("facility", "power"), sets = results.column("generators", "power");
  const std::size_t count = results.table("generators").items.size();
  double highest_w = 0.0;
  for (std::size_t row = 1; row < power.size(); ++row) {
    double utility_w = static_cast<double>(power[row]);
    for (std::size_t set = 0; set < count; ++set) utility_w -= static_cast<double>(sets[row * count + set]);
    highest_w = std::max(highest_w, utility_w);
  }
  CHECK(number("peak_utility_power") >= highest_w * (1.0 - 1e-6));  // of intervals, of which records are means
  CHECK(number("peak_utility_power") < 1.1 * highest_w);
  const std::string page = folder.run({"summary", "r.h5", "--monthly"}).output;
  CHECK_THAT(page, Contains(" generators ") && Contains(" facility ") && Contains("no price") && !Contains(" 0 USD"));
  const Json months = Json::parse(folder.run({"summary", "r.h5", "--monthly", "--json"}).output).at("months");
  CHECK(months[0].at("fuel_cost").at("value").is_null());
  CHECK(value(months[0], "generator_energy") == 0.0);
  CHECK(value(months[1], "generator_energy") == Approx(number("generator_energy")).epsilon(1e-9));
}

TEST_CASE("months are printed for people and as CSV, and are refused where there are none", "[cli][months]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("hall.yaml", "extends: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\n");
  const Json all = months(folder, "hall.yaml", "2027-12-31T22:00:00", "4 h");
  REQUIRE(all.size() == 2);
  CHECK(value(all[0], "it_energy") == Approx(value(all[1], "it_energy")).epsilon(1e-3));  // two hours each
  const Outcome page = folder.run({"summary", "r.h5", "--monthly"});
  CHECK(page.exit_code == 0);
  for (const char* word : {"2027-12", "2028-01", "whole run", "PUE", "utility peak demand", "kWh", "USD"}) {
    CAPTURE(word);
    CHECK(page.output.find(word) != std::string::npos);
  }
  CHECK_THAT(page.output, !Contains("generators") && !Contains("facility"));  // the utility is all there is
  const Outcome csv = folder.run({"summary", "r.h5", "--monthly", "--csv"});
  CHECK(csv.exit_code == 0);
  std::istringstream lines(csv.output);
  std::string line;
  std::size_t commas = 0, count = 0;
  for (; std::getline(lines, line); ++count) {
    const auto of_line = static_cast<std::size_t>(std::ranges::count(line, ','));
    if (count == 0)
      CHECK(line.starts_with(
          "month,begin (s),end (s),facility_energy (J),utility_energy (J),generator_energy (J),it_energy (J)"));
    if (count > 0) CHECK(of_line == commas);
    commas = of_line;
  }
  CHECK(count == 4);
  CHECK(folder.run({"summary", "r.h5", "--csv"}).exit_code == 1);
  CHECK(folder.run({"summary", "r.h5", "--monthly", "--full"}).exit_code == 1);
}
