// Numbers of the surroundings that a program sets in a hall: dry and wet bulb of the weather, and heats that a scenario imposes.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

#include <wattloop/wattloop.hpp>

using namespace wattloop;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

namespace {

const std::string hall_folder = WATTLOOP_SOURCE_DIR "/scenarios/";

Hall cooled_hall() {
  return Hall::from_text(
      "extends: scenarios/h100_10k.yaml\n"
      "duration: 4 min\ninitial: steady\nworkload: { kind: constant }\nevents: []\n"
      "parts: { neighbours: { kind: imposed_heat, heat: 1 MW, into: facility.return } }\n",
      WATTLOOP_SOURCE_DIR "/own.yaml");
}

const Input& input_of(const std::vector<Input>& inputs, const std::string& name) {
  const auto found = std::ranges::find(inputs, name, &Input::name);
  REQUIRE(found != inputs.end());
  return *found;
}

std::string mistake_of(const auto& step) {
  try {
    step();
  } catch (const InputError& error) {
    return error.problems().front().message + " = " + error.problems().front().hint;
  }
  return "no InputError";
}

std::string all_values(Hall& hall) {
  std::string bytes;
  for (const SeriesInfo& info : hall.all_series()) {
    const auto values = hall.values(info.series);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  return bytes;
}

}  // namespace

TEST_CASE("dry bulb, wet bulb and imposed heat are set by name, held, and repeated by the scenario",
          "[library][weather]") {
  Hall hall = cooled_hall();
  hall.set("weather.dry_bulb", 311.15);
  hall.set("weather.wet_bulb", "24 degC");
  hall.advance_to(60.0);
  hall.set("neighbours.heat", 2.5e6);
  hall.advance_to(97.5);
  hall.set("weather.wet_bulb", 293.15);
  CHECK(input_of(hall.inputs(), "weather.dry_bulb").value == 311.15);
  CHECK_THAT(input_of(hall.inputs(), "weather.wet_bulb").value, WithinAbs(297.15, 1e-12));
  CHECK(hall.value(hall.series("neighbours.heat")) == 2.5e6);
  Hall fork = hall.fork(), kept = Hall::from_snapshot(hall.snapshot());
  Hall repeated = Hall::from_text(hall.scenario(), WATTLOOP_SOURCE_DIR "/repeated.yaml");
  for (Hall* one : {&hall, &fork, &kept, &repeated}) one->advance_to(one->end_s());
  CHECK(input_of(hall.inputs(), "weather.wet_bulb").value == 293.15);
  CHECK(hall.value(hall.series("facility.wet_bulb")) == 293.15);
  const std::string end = all_values(hall);
  for (Hall* one : {&fork, &kept, &repeated}) CHECK((all_values(*one) == end));
}

TEST_CASE("a wet bulb above the dry bulb is refused, also where another act has set it, and the hall is as it was",
          "[library][weather][mistakes]") {
  Hall hall = cooled_hall();
  hall.set("weather.dry_bulb", "30 degC");
  const std::string before = hall.scenario();
  CHECK_THAT(mistake_of([&] { hall.set("weather.wet_bulb", "31 degC"); }),
             Contains("the wet bulb of 31 degC is above the dry bulb of 30 degC, at 0 s"));
  hall.advance_to(60.0);
  CHECK_THAT(mistake_of([&] { hall.set("weather.wet_bulb", "31 degC"); }), Contains("above the dry bulb of 30 degC"));
  CHECK_THAT(mistake_of([&] { hall.set("weather.wet_bulp", 290.0); }), Contains("did you mean 'weather.wet_bulb'?"));
  CHECK_THAT(mistake_of([&] { hall.set("weather.wet_bulb", "3 W"); }), Contains("W"));
  CHECK(hall.scenario() == before);
  hall.set("weather.wet_bulb", "30 degC");
  hall.advance_to(120.0);
  CHECK(hall.value(hall.series("facility.wet_bulb")) == hall.value(hall.series("facility.dry_bulb")));
  Hall dry(hall_folder + "one_rack.yaml");
  CHECK_THAT(mistake_of([&] { dry.act("set: weather.dry_bulb, to: 30 degC"); }), Contains("uses outdoor air"));
}

TEST_CASE("a bulb that is set is compared with ramps that go on and with acts ahead, also in a fork",
          "[library][weather][mistakes]") {
  Hall hall = cooled_hall();
  hall.set("weather.dry_bulb", "30 degC");
  hall.set("weather.wet_bulb", "10 degC");
  hall.advance_to(30.0);
  hall.act("set: weather.dry_bulb, to: 20 degC, over: 60 s");
  hall.act("at: 3 min, set: weather.dry_bulb, to: 15 degC, for: 10 s");
  hall.advance_to(60.0);  // the dry bulb is at 25 degC
  Hall fork = hall.fork();
  for (Hall* one : {&hall, &fork}) {
    CHECK_THAT(mistake_of([&] { one->set("weather.wet_bulb", "26 degC"); }), Contains("above the dry bulb of 25 degC"));
    CHECK_THAT(mistake_of([&] { one->set("weather.wet_bulb", "22 degC"); }), Contains("above the dry bulb of 20 degC"));
    CHECK_THAT(mistake_of([&] { one->set("weather.wet_bulb", "17 degC"); }), Contains("above the dry bulb of 15 degC"));
    CHECK(mistake_of([&] { one->act("set: weather.wet_bulb, to: 22 degC, for: 10 s"); }) == "no InputError");
    one->set("weather.wet_bulb", "14 degC");
  }
  Hall repeated = Hall::from_text(hall.scenario(), WATTLOOP_SOURCE_DIR "/repeated.yaml");
  repeated.advance_to(30.0);
  for (Hall* one : {&hall, &fork, &repeated}) one->advance_to(one->end_s());
  CHECK((all_values(fork) == all_values(hall)));
  CHECK((all_values(repeated) == all_values(hall)));
}
