// Sequences beside events: what a sequence takes for its setting while events have it on a course, and that `check` follows it.
#include "twin/actions/staging/sequences.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double zero_c = 273.15;

/// The reference hall with facility water 5 K above the wet bulb.
Scenario reset_hall(const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides{
      "sequences={reset: {kind: wet_bulb_reset, setting: facility.supply_temperature, approach: 5 K, lowest: 18 degC, "
      "highest: 28 degC, deadband: 0.2 K}}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/h100_10k.yaml", overrides);
}

/// A hall outside of which the wet bulb stands at 20 degC, so that the sequence asks for 25 degC, at an instant when it looks.
struct Hall {
  Plant plant = build_plant(reset_hall());
  PlantState state = initial_state(plant);
  std::size_t setting = plant.sequences.front().input;

  Hall() {
    state.inputs[plant.outside.wet_bulb] = zero_c + 20.0;
    follow_sequences(plant, state, nullptr);
  }

  double set_c() const { return state.inputs[setting] - zero_c; }

  /// An event of the setting, now.
  void set(double to_c, double over_s, std::size_t pair = 0) {
    ScheduledEvent event;
    event.action = ScheduledEvent::Action::set_to;
    event.target_kind = ScheduledEvent::TargetKind::input;
    event.target = setting;
    event.value = zero_c + to_c;
    event.over_s = over_s;
    event.pair = pair;
    std::vector<EventRecord> log;
    apply_event(plant, event, state, log);
    advance_settings(state);
  }

  void go_to(double time_s) {
    state.time_s = time_s;
    advance_settings(state);
  }
};

}  // namespace

TEST_CASE("a sequence leaves a temporary setting alone, and moves what lies below", "[sequences][settings]") {
  Hall hall;
  REQUIRE(hall.set_c() == Approx(25.0));
  hall.set(21.0, 0.0, 1);
  hall.go_to(300.0);
  CHECK(hall.set_c() == Approx(21.0));
  CHECK_FALSE(would_a_sequence_act(hall.plant, hall.state));  // below, the setting is what the sequence asks for

  hall.state.inputs[hall.plant.outside.wet_bulb] += 1.0;
  CHECK(would_a_sequence_act(hall.plant, hall.state));
}

TEST_CASE("a sequence looks at where a ramp is now", "[sequences][settings]") {
  Hall hall;
  hall.set(27.0, 1000.0);
  hall.go_to(300.0);
  CHECK(hall.set_c() == Approx(25.6));
  CHECK(would_a_sequence_act(hall.plant, hall.state));
  hall.state.inputs[hall.plant.outside.wet_bulb] += 0.6;
  CHECK_FALSE(would_a_sequence_act(hall.plant, hall.state));
}

TEST_CASE("what a sequence sets takes over the course that an event began", "[sequences][settings]") {
  Hall hall;
  hall.set(27.0, 1000.0);
  hall.go_to(300.0);
  std::vector<EventRecord> log;
  CHECK(follow_sequences(hall.plant, hall.state, &log));
  REQUIRE(log.size() == 1);
  for (const double time_s : {300.0, 700.0, 2000.0}) {
    hall.go_to(time_s);
    CHECK(hall.set_c() == Approx(25.0));
  }
}

TEST_CASE("a second ramp of a setting goes on from where the first has come to", "[settings][events]") {
  Hall hall;
  hall.set(29.0, 1000.0);
  hall.go_to(500.0);
  hall.set(20.0, 100.0);
  CHECK(hall.state.equipment.courses.size() == 1);
  hall.go_to(550.0);
  CHECK(hall.set_c() == Approx(23.5));
  hall.go_to(2000.0);
  CHECK(hall.set_c() == Approx(20.0));
}

TEST_CASE("check takes the set-point that a sequence asks for at the worst wet bulb", "[sequences][ratings]") {
  NameplateHall hall(reset_hall({"weather.design_day=summer"}));
  hall.begin({});
  const double asked_k = std::clamp(hall.wet_bulb_k() + 5.0, zero_c + 18.0, zero_c + 28.0);
  REQUIRE(asked_k != Approx(hall.scenario().cooling.water.front().supply_k).margin(0.1));
  CHECK(hall.snapshot().input(hall.plant().sequences.front().input) == Approx(asked_k));
}
