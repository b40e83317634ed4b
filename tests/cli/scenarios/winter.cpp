// Halls of `wattloop new` in the coldest and the warmest hour of their weather: they run, and `check` says before what the run says.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

namespace {

using Json = nlohmann::json;

const std::vector<std::string> year{"--set", "workload={ kind: constant }", "--set", "start=2026-01-01T00:00:00"};

double value_of(const Json& figures, const std::string& name) { return figures.at(name).at("value").get<double>(); }

/// Of two hours that end with `hour`, which begin in the steady state of their first instant.
Json run_until(const WorkFolder& folder, const Json& hour) {
  const double before_s = std::max(hour.at("hour_s").get<double>() - 7200.0, 0.0);
  std::vector<std::string> words{"run", "hall.yaml", "--no-results", "--json", "-q"};
  words.insert(words.end(), year.begin(), year.end());
  const int minutes = static_cast<int>(before_s / 60.0), day = minutes / 1440;
  constexpr std::array months{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int month = 0, left = day;
  for (; left >= months.at(static_cast<std::size_t>(month)); ++month)
    left -= months.at(static_cast<std::size_t>(month));
  words.back() =
      fmt::format("start=2026-{:02}-{:02}T{:02}:{:02}:00", month + 1, left + 1, minutes / 60 % 24, minutes % 60);
  words.insert(words.end(), {"--set", fmt::format("duration={} s", hour.at("hour_s").get<double>() - before_s)});
  const Outcome outcome = folder.run(words);
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.output);
}

}  // namespace

TEST_CASE("halls of new run in cold, warm and thin air, and check says before what they say", "[cli][new][winter]") {
  const std::string weather = reference_data() + "/weather/";
  const std::vector<std::pair<std::string, std::string>> cells{
      {"USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw", "--offset=-10 K"},
      {"USA_VA_Leesburg.Exec.epw", "--offset=8 K"},
      {"USA_VA_Leesburg.Exec.epw", "--pressure=83.4 kPa"}};
  for (const std::string cooling : {"dry_coolers", "warm_water", "chilled_water"}) {
    for (const auto& [file, moved] : cells) {
      CAPTURE(cooling, file, moved);
      const WorkFolder folder(WATTLOOP_PROGRAM);
      const Outcome made =
          folder.run({"new", "--gpus", "64", "--cooling", cooling, "--weather", weather + file, moved});
      INFO(made.errors);
      REQUIRE(made.exit_code == 0);
      folder.write("hall.yaml", file_text(folder / "my_hall.yaml"));
      std::vector<std::string> words{"check", "hall.yaml", "--json", "--set", "duration=365 d"};
      words.insert(words.end(), year.begin(), year.end());
      const Outcome checked = folder.run(words);
      REQUIRE(checked.exit_code == 0);
      const Json check = Json::parse(checked.output);
      CHECK(check.at("warnings").empty());
      REQUIRE(check.at("hours").size() == 2);
      for (const Json& hour : check.at("hours")) {
        CAPTURE(hour.at("name"));
        const Json run = run_until(folder, hour);
        CHECK(run.at("verdict").at("value") == "MET");
        const bool is_cold = hour.at("name") == "coldest";
        const auto near = [&](const char* place, const std::string& figure) {
          const double said_k = hour.at("places").at(place).at("temperature_K").get<double>();
          CHECK(value_of(run, figure) == Approx(said_k).margin(0.5));
        };
        const std::string end = is_cold ? "lowest_" : "highest_";
        near("facility", end + "facility_water_supply_temperature");
        near("chilled_water", end + "chilled_water_supply_temperature");
        near("loop_1", end + "supply_temperature");
        CHECK(value_of(run, "peak_die_temperature") == Approx(hour.at("hottest_die_K").get<double>()).margin(0.5));
        if (is_cold) CHECK(value_of(run, "facility_below_set_point_time") == 0.0);
      }
    }
  }
}
