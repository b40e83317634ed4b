// What `explain` lists: parts of a plant against what events accept, devices against the files of the library.
#include "twin/ratings/part_list.hpp"
#include "core/parts/fault_setting.hpp"
#include "twin/planning/events/event_resolver.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/ratings/rated_loads.hpp"
#include "twin/scenario/library/device_list.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Whether that happens to something for which the plant is built only where it happens.
bool is_built_for(const Plant& plant, const EventSpec& spec) {
  return std::ranges::any_of(plant.named, [&](const NamedPart& part) {
    return part.may_clog && spec.targets.front() == part.name + ".passage";
  });
}

/// Whether the event is one that a scenario may hold.
bool is_accepted(Scenario scenario, const Plant& plant, const std::string& event, const std::string& part) {
  static const std::map<std::string, EventSpec::Kind> kinds{{"fail", EventSpec::Kind::fail},
                                                            {"restore", EventSpec::Kind::restore},
                                                            {"open", EventSpec::Kind::open},
                                                            {"close", EventSpec::Kind::close}};
  EventSpec spec;
  if (event.starts_with("set ")) {
    spec.kind = EventSpec::Kind::set;
    spec.by_si = 0.0;
    spec.targets = {part + "." + event.substr(4)};
  } else if (event.starts_with("fail ")) {
    spec.kind = EventSpec::Kind::fail;
    spec.targets = {part + "." + event.substr(5)};
  } else if (event == "stick" || event == "clog") {
    spec.kind = EventSpec::Kind::set;
    spec.to_si = 0.5;
    spec.targets = {part + (event == "stick" ? ".stuck_at" : ".passage")};
  } else {
    spec.kind = kinds.at(event);
    spec.targets = {part};
  }
  scenario.events = {spec};
  Problems problems;
  const auto accepted = [&](const Plant& hall) {
    return !schedule_events(scenario, hall, problems).empty() && problems.size() == 0;
  };
  return is_built_for(plant, spec) ? accepted(build_plant(scenario)) : accepted(plant);
}

}  // namespace

TEST_CASE("names with numbers of any length are listed", "[parts]") {
  const auto row = [](const std::string& name) { return PartRow{name, "pump", {}, {}, 0.0}; };
  const std::string table = part_table({row("p99999999999"), row("p1"), row("p2147483647")});
  for (const char* name : {"p99999999999", "p2147483647"}) CHECK(table.find(name) != std::string::npos);
}

TEST_CASE("parts are listed with the events that are accepted for them, and with no others", "[parts]") {
  const Scenario scenario = GENERATE(tests::small_hall_scenario(), tests::two_sided_scenario());
  const Plant plant = build_plant(scenario);
  const std::vector<PartRow> parts = part_list(plant);
  std::set<std::string> names;
  for (const PartRow& part : parts) {
    INFO(part.name);
    CHECK(names.insert(part.name).second);
    for (const char* event : {"fail", "restore", "open", "close", "stick", "clog"}) {
      INFO(event);
      const bool is_listed = std::ranges::find(part.events, event) != part.events.end();
      CHECK(is_accepted(scenario, plant, event, part.name) == is_listed);
    }
    for (const std::string& event : part.events) CHECK(is_accepted(scenario, plant, event, part.name));
  }
  for (const SettingPart& setting : plant.settings) {
    const std::size_t dot = setting.name.rfind('.');
    INFO(setting.name);
    REQUIRE(names.contains(setting.name.substr(0, dot)));
    if (is_fault(setting.name)) continue;
    const auto part = std::ranges::find(parts, setting.name.substr(0, dot), &PartRow::name);
    CHECK(std::ranges::find(part->events, "set " + setting.name.substr(dot + 1)) != part->events.end());
  }
}

TEST_CASE("every part that events may name is listed, with its rating", "[parts]") {
  const Plant plant = build_plant(tests::small_hall_scenario());
  std::map<std::string, double> rated_w;
  for (const PartRow& part : part_list(plant)) rated_w[part.name] = part.rated_w;
  for (const MotorPart& motor : plant.motors) CHECK(rated_w.contains(motor.name));
  for (const std::string& branch : plant.power_tree.branch_name) CHECK(rated_w.contains(branch));
  for (const std::string& source : plant.power_tree.source_name) CHECK(rated_w.contains(source));
  for (const RatedLoad& load : rated_loads(plant)) {
    INFO(load.name);
    REQUIRE(rated_w.contains(load.name));
    CHECK(rated_w[load.name] == load.rated_w);
  }
}

TEST_CASE("a pump hangs on its CDU and its power, a rack on its loop", "[parts]") {
  const std::vector<PartRow> parts = part_list(build_plant(tests::small_hall_scenario()));
  const auto on = [&](const std::string& name) { return std::ranges::find(parts, name, &PartRow::name)->hangs_on; };
  CHECK(on("cdu_1.pump_a").front() == "cdu_1");
  CHECK(on("cdu_1.pump_a").size() == 2);
  CHECK(on("cdu_3") == std::vector<std::string>{"loop_2", "facility"});
  CHECK(on("row_1.rack_1").front() == "loop_1");
}

TEST_CASE("limits of a part are listed in its units", "[parts][limits]") {
  const std::vector<PartRow> parts = part_list(build_plant(tests::small_hall_scenario()));
  const auto limits = [&](const std::string& name) { return std::ranges::find(parts, name, &PartRow::name)->limits; };
  using Texts = std::vector<std::string>;
  CHECK(limits("row_1.rack_1") == Texts{"inlet_air_temperature up to 30 degC", "inlet_air_temperature from 5 degC",
                                        "door_heat up to 35 kW", "return_temperature up to 70 degC"});
  CHECK(limits("ups_a") ==
        Texts{"loading up to 110 %, 125 % for 10 min, 150 % for 1 min, 200 % for 0.1 s, then it trips",
              "rated power in air of up to 40 degC, off above 50 degC"});
  CHECK(limits("electrical_room_a").front() == "temperature up to 40 degC");
  CHECK(limits("utility_a").empty());
}

TEST_CASE("parts that differ in their numbers alone are one line", "[parts]") {
  const PartRow first{"tower_1", "tower cell", {"facility", "pdu_a_1"}, {"fail"}, 4e6};
  PartRow second = first, other = first;
  second.name = "tower_2";
  second.hangs_on[1] = "pdu_a_2";
  other.name = "tower_3";
  other.rated_w = 5e6;
  CHECK(part_table({first, second, other}) ==
        "3 parts; those that differ only in their numbers share one line\n\ntower cell\n"
        "  tower_1 to tower_2 (2)\n    on      facility, pdu_a_1 to pdu_a_2\n    rating  4 MW\n    events  fail\n"
        "  tower_3\n    on      facility, pdu_a_1\n    rating  5 MW\n    events  fail\n");
  PartRow fourth = second;
  fourth.name = "tower_4";
  CHECK(part_table({first, second, other, fourth}).find("\n  tower_1, tower_2, tower_4 (3)\n") != std::string::npos);
}

TEST_CASE("every file of the library is listed, with kind and title", "[parts]") {
  const std::vector<Device> devices = library_devices();
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(WATTLOOP_SOURCE_DIR "/scenarios/hardware")) {
    INFO(file.path());
    const auto device = find_device(file.path().stem().string());
    REQUIRE(device);
    CHECK_FALSE(device->kind.empty());
    CHECK_FALSE(device->title.empty());
    ++files;
  }
  CHECK(files > 10);
  CHECK(devices.size() >= files);
  const std::string text = device_text(*find_device("cdu_1370kw"));
  CHECK(text.find("Row CDU, 1.37 MW (cdu)") != std::string::npos);
  CHECK(text.find("rated_heat                                       1368 kW  [vertiv_xdu1350]\n") != std::string::npos);
  const std::string list = device_list_text(), line = list.substr(list.find("  cdu_1370kw "));
  CHECK(line.substr(0, line.find('\n')).ends_with("  Row CDU, 1.37 MW"));
}
