// What a scenario says of the plant around its racks: the reference hall arrives in SI units, everything
// around racks may be left out, and what does not fit together is reported with its place.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "network/fat_tree.hpp"
#include "physics/weather/weather.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/scenario/explain/explain.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";
const std::filesystem::path hall_10k = scenarios / "h100_10k.yaml";

/// Problems of a scenario with overrides, each as "message | hint".
Texts problems_of(const std::filesystem::path& file, const Texts& overrides) {
  Texts texts;
  try {
    read_scenario(file, overrides);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.message + " | " + problem.hint);
  }
  return texts;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("h100_10k.yaml reads into SI units", "[scenario]") {
  const Scenario scenario = read_scenario(hall_10k);
  CHECK(scenario.weather.design_day == "mild");
  CHECK(scenario.weather.file.empty());
  CHECK(scenario.racks.front().count * scenario.racks.front().nodes == 1280);
  CHECK(scenario.network.is_given);
  CHECK(scenario.network.switches.max_w == 1720.0);
  CHECK(scenario.network.switch_name == "switch_qm9700");
  CHECK(scenario.network.airflow_kg_per_s == Approx(2.1));
  const network::FatTree tree = network::fat_tree(scenario.network.tree, 1280);
  CHECK(tree.switches == std::vector{320, 320, 160});

  const CoolingSpec& cooling = scenario.cooling;
  CHECK(cooling.loops.front().count * cooling.loops.front().cdus == 12);
  CHECK(cooling.water.front().supply_k == Approx(297.15));
  CHECK(cooling.water.front().volume_m3 == 60.0);
  CHECK(cooling.water.front().pumps.is_given);
  CHECK(cooling.water.front().pumps.duty == 3);
  CHECK(cooling.water.front().pumps.pump.pressure_pa == 200e3);
  CHECK(cooling.water.front().towers.is_given);
  CHECK(cooling.water.front().towers.count == 8);
  CHECK(cooling.water.front().towers.tower.basin_volume_m3 == 5.0);
  CHECK(cooling.water.front().towers.pump.pressure_pa == 120e3);
  CHECK(cooling.water.front().towers.tower_name == "tower_2500kw");
  REQUIRE(cooling.chilled_water.size() == 1);
  CHECK(cooling.chilled_water.front().pumps.is_given);
  CHECK(cooling.chilled_water.front().chillers.is_given);
  CHECK(cooling.chilled_water.front().chillers.chiller.carnot_fraction == Approx(0.6));
  CHECK(cooling.chilled_water.front().chillers.chilled_pump.pressure_pa == 80e3);
  CHECK(cooling.chilled_water.front().chillers.condenser_pump.pressure_pa == 120e3);
  CHECK(cooling.chilled_water.front().chillers.stage_up_fraction == Approx(0.6));
  CHECK(cooling.crahs.front().is_given);
  CHECK(cooling.crahs.front().air_k == Approx(298.15));
  CHECK(cooling.rooms.front().recirculation_fraction == Approx(0.05));

  const PowerSpec& power = scenario.power;
  CHECK(power.sides() == 2);
  CHECK(power.has_substation);
  CHECK(power.substation.rated_va == 25e6);
  CHECK(power.substation_name == "transformer_25mva");
  CHECK(power.transformer.rated_va == 2.5e6);
  CHECK(power.generators.is_given);
  CHECK(power.generators.is_enabled);
  CHECK(power.generators.generator.start_time_s == 10.0);
  CHECK(power.rooms.is_given);
  CHECK(power.rooms.room.volume_m3 == 600.0);
  CHECK(power.rooms.crahs.is_given);
  CHECK(power.rooms.crahs.count == 3);
  CHECK(power.rooms.crahs.crah_name == "crah_252kw");
}

TEST_CASE("single GPUs of a large hall are recorded every 10 min, unless it says otherwise", "[scenario]") {
  const auto interval_s = [](const Texts& overrides) {
    return read_scenario(scenarios / "one_rack.yaml", overrides).record.gpus_s;
  };
  const std::string not_given = "record.gpus=null";
  CHECK(interval_s({not_given}) == 60.0);
  CHECK(interval_s({not_given, "hall.racks.count=312"}) == 60.0);   // 19,968 GPUs
  CHECK(interval_s({not_given, "hall.racks.count=313"}) == 600.0);  // 20,032
  CHECK(interval_s({"hall.racks.count=313", "record.gpus.every=30 s"}) == 30.0);
}

TEST_CASE("nothing around the racks of one_rack.yaml is given", "[scenario]") {
  const Scenario scenario = read_scenario(scenarios / "one_rack.yaml");
  CHECK_FALSE(scenario.network.is_given);
  CHECK_FALSE(scenario.cooling.water.front().pumps.is_given);
  CHECK_FALSE(scenario.cooling.water.front().towers.is_given);
  CHECK(scenario.cooling.chilled_water.empty());
  CHECK_FALSE(scenario.cooling.crahs.front().is_given);
  CHECK_FALSE(scenario.power.has_substation);
  CHECK_FALSE(scenario.power.generators.is_given);
  CHECK_FALSE(scenario.power.rooms.is_given);
  CHECK(scenario.power.sides() == 1);
  CHECK(scenario.weather.design_day == "mild");
}

TEST_CASE("a scenario extends the reference hall, changes values of it and leaves parts out", "[scenario]") {
  const tests::TemporaryFolder folder;
  write(folder / "mine.yaml", "extends: " + hall_10k.string() + R"(
weather: { design_day: summer }
hall:
  cooling:
    facility: { towers: { count: 9, with: { pump: { pressure: 150 kPa } } } }
    chilled_water: null
power: { generators: { enabled: false }, rooms: { crahs: { air_temperature: 30 degC } } }
)");
  const Scenario scenario = read_scenario(folder / "mine.yaml", {"hall.cooling.facility.towers.with.fan_power=25 kW"});
  CHECK(scenario.weather.design_day == "summer");
  CHECK(scenario.cooling.water.front().towers.count == 9);
  CHECK(scenario.cooling.water.front().towers.pump.pressure_pa == 150e3);
  CHECK(scenario.cooling.water.front().towers.pump.rated_flow_kg_per_s == Approx(85.4));
  CHECK(scenario.cooling.water.front().towers.tower.fan_power_w == 25e3);
  CHECK(scenario.cooling.chilled_water.empty());
  CHECK_FALSE(scenario.power.generators.is_enabled);
  CHECK(scenario.power.generators.count == 8);
  CHECK(scenario.power.rooms.crahs.air_k == Approx(303.15));
  CHECK(scenario.racks.front().count == 160);
}

TEST_CASE("the resolved text of the reference hall reads back to itself", "[scenario]") {
  const tests::TemporaryFolder folder;
  const Scenario scenario = read_scenario(hall_10k);
  write(folder / "elsewhere.yaml", scenario.resolved_text);
  const Scenario again = read_scenario(folder / "elsewhere.yaml");
  CHECK(again.resolved_text == scenario.resolved_text);
  CHECK(again.cooling.chilled_water.front().chillers.chiller_name == "chiller_1250kw");
}

TEST_CASE("a weather file is found beside the file that names it and absolute in the resolved text", "[scenario]") {
  const tests::TemporaryFolder folder;
  write(folder / "site/city.epw", "LOCATION\n");
  write(folder / "site/base.yaml",
        "extends: " + hall_10k.string() + "\nweather: { file: \"city.epw\", design_day: null }\n");
  write(folder / "mine.yaml", "extends: site/base.yaml\nduration: 5 min\n");
  const Scenario scenario = read_scenario(folder / "mine.yaml");
  const std::string file = (folder / "site/city.epw").string();
  CHECK(scenario.weather.file == file);
  CHECK(scenario.weather.file_place.file == (folder / "site/base.yaml").string());
  CHECK(scenario.weather.file_place.line == 2);
  CHECK(scenario.resolved_text.find('"' + file + '"') != std::string::npos);
  write(folder / "other/elsewhere.yaml", scenario.resolved_text);
  CHECK(read_scenario(folder / "other/elsewhere.yaml").weather.file == file);
}

TEST_CASE("the design days of the language are those of the weather model", "[scenario]") {
  const std::vector<std::string_view> days = physics::design_day_names();
  REQUIRE(days.size() == 3);
  for (const std::string_view day : days) {
    CHECK(read_scenario(hall_10k, {"weather.design_day=" + std::string(day)}).weather.design_day == day);
  }
}

TEST_CASE("parts that may be left out are reported to be", "[explain]") {
  const std::string note = "This map may be left out";
  for (const char* name :
       {"hall.network", "hall.cooling.facility.towers", "hall.cooling.facility.pumps", "hall.cooling.chilled_water",
        "hall.cooling.chilled_water.chillers", "hall.cooling.rear_doors", "hall.cooling.loops", "hall.cooling.facility",
        "hall.cooling.crahs", "power.substation", "power.generators", "power.rooms"}) {
    INFO(name);
    CHECK(explain(name).find(note) != std::string::npos);
  }
  for (const char* name : {"hall.racks", "power.rooms.crahs", "power.ups"}) {
    INFO(name);
    CHECK(explain(name).find(note) == std::string::npos);
  }
  CHECK(explain("weather").find("summer, mild, winter") != std::string::npos);
  CHECK(explain("power.rooms").find("recirculation") == std::string::npos);
}

TEST_CASE("parts of a hall that do not fit together are reported", "[scenario][errors]") {
  const auto check = [](const std::string& override_text, const std::string& expected) {
    INFO(override_text);
    CHECK(problems_of(hall_10k, {override_text}) == Texts{expected});
  };
  check("hall.cooling.facility.pumps.duty=5",
        "there are more pumps on duty (5) than pumps (4) | the pumps that are not on duty are on standby: count must "
        "be at least duty");
  check("hall.cooling.chilled_water.pumps.count=3",
        "there are more pumps on duty (4) than pumps (3) | the pumps that are not on duty are on standby: count must "
        "be at least duty");
  check("hall.cooling.facility.pumps=null",
        "facility water has towers but no pumps | hall.cooling.facility needs 'pumps'");
  check("hall.cooling.facility.volume=0 m3",
        "facility water has towers but no volume | hall.cooling.facility needs 'volume': the water in its "
        "pipes");
  CHECK(
      problems_of(hall_10k, {"hall.cooling.facility.towers=null"}) ==
      Texts{
          "facility water has pumps but no towers | delete the pumps: without towers, or `parts` that cool it, "
          "this water comes from outside at a given temperature",
          "there are no towers that take the heat of the chillers' condensers | hall.cooling.facility needs 'towers'"});
  check("hall.cooling.facility.towers.with.concentration_cycles=1",
        "concentration_cycles: with a ratio of 1 or less, the make-up water is infinite | write a ratio above 1");
  check("hall.cooling.chilled_water.chillers=null",
        "chilled water has pumps but no chillers | delete chilled_water: without chillers, or `parts` that cool it, "
        "this water comes from outside at a given temperature");
  check("hall.cooling.chilled_water.chillers.stage_down=70 %",
        "stage_down is not below stage_up: chillers would stop at the load at which they start | write a stage_down "
        "below stage_up, which is 0.6");
  check("hall.network.radix=63",
        "radix: a fat tree cannot consist of 63-port switches | write an even number of at least 4");
  check("weather.file=none.epw",
        "weather has both a design_day and a file | keep one of the two; to remove the design day of the extended "
        "file, write `design_day: null`");
  CHECK(problems_of(hall_10k, {"weather.file=none.epw", "weather.design_day=null"}) ==
        Texts{"file: 'none.epw': no such file | a weather file is looked for relative to the file that names it"});
  check("hall.cooling.facility.towers.with.latent_share=0.88",
        "cooling_tower has no parameter 'latent_share' | delete it: evaporation now follows from the outdoor air");
  check("weather.design_day=sumer",
        "design_day: 'sumer' is unknown, expected one of summer, mild, winter | did you mean 'summer'?");
  check("weather.design_day=null",
        "weather is not given | write one of: design_day (summer, mild, winter), file (EPW)");
  check("power.topology=singel", "topology: 'singel' is unknown, expected one of single, 2N | did you mean 'single'?");
}

TEST_CASE("a start is a day that exists and a time of it", "[scenario][errors]") {
  for (const char* start :
       {"2026-13-01T00:00:00", "2026-00-01T00:00:00", "2026-02-29T00:00:00", "2026-04-31T00:00:00",
        "2026-04-00T00:00:00", "2026-04-15T24:00:00", "2026-04-15T00:60:00", "2026-04-15T00:00:60"}) {
    INFO(start);
    CHECK(problems_of(hall_10k, {std::string("start=") + start}) ==
          Texts{fmt::format("start: '{}' is not a time | write local standard time as in 2026-07-15T00:00:00", start)});
  }
  for (const char* start : {"2024-02-29T23:59:59", "2000-02-29T00:00:00", "2026-12-31T00:00:00"}) {
    INFO(start);
    CHECK(read_scenario(hall_10k, {std::string("start=") + start}).start == start);
  }
}

TEST_CASE("power supplies that draw less for more are refused", "[scenario][errors]") {
  const Texts problems = problems_of(hall_10k, {"hall.racks.with.psu.with.efficiency_at_10_percent=40 %"});
  REQUIRE(problems.size() == 2);  // from 0 to 10 and from 10 to 20 %
  for (const std::string& problem : problems) CHECK(problem.find("input must rise with output") != std::string::npos);
}

TEST_CASE("air handlers work on door water that is held", "[scenario]") {
  const Scenario scenario = read_scenario(hall_10k, {"hall.cooling.chilled_water=null"});
  CHECK(scenario.cooling.crahs.front().is_given);
}
