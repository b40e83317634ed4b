// `trips:` of a scenario, and limits that a device is given.
#include "tests/support/catch.hpp"

#include <filesystem>

#include "core/text/problem.hpp"
#include "electrical/equipment.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path one_rack = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "one_rack.yaml";

std::string problem_of(const std::string& override) {
  try {
    read_scenario(one_rack, {override});
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
  return "no problem";
}

}  // namespace

TEST_CASE("what is overloaded trips, unless a scenario says off", "[scenario][overload]") {
  CHECK(read_scenario(one_rack).trips == "on");
  CHECK(read_scenario(one_rack, {"trips=on"}).trips == "on");
  CHECK(read_scenario(one_rack, {"trips=off"}).trips == "off");
  CHECK(problem_of("trips=maybe").find("trips") != std::string::npos);
}

TEST_CASE("limits of a device are those of the library, or as a scenario gives them", "[scenario][overload]") {
  const Scenario scenario = read_scenario(one_rack, {"power.ups.with.overload_150_time=2 min"});
  CHECK(scenario.power.ups.overload_125_s == 600.0);
  CHECK(trip_time_s(electrical::Ups::endurance(scenario.power.ups), 1.5) == Approx(120.0));
  CHECK(read_scenario(one_rack, {"power.pdus.with.time_multiplier=0.5"}).power.pdu.time_multiplier_ratio == 0.5);
  CHECK(problem_of("power.ups.with.overload_150_time=0 s").find("overload_150_time") != std::string::npos);
}
