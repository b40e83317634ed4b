// Dry and wet bulb that events set, in a hall with towers. By hand: a bulb that is set is what the event says from its instant on, the other keeps
// its difference; a ramp is linear; a temporary one leaves the weather of a run without it. Humidity of 27 degC dry and 16 degC wet from the
// vapour pressure at 16 degC, 1818.8 Pa [iapws_if97].
#include <cmath>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using Run = tests::ScenarioRun;
using In = twin::OutsideInputs;
using Catch::Matchers::Contains;

namespace {

constexpr double freezing_k = 273.15;

Run hall_with(const std::string& events, Run::By integrator = Run::By::multirate) {
  return Run("h100_10k",
             {"workload={kind: constant}", "duration=40 min", "initial=steady", "weather={design_day: summer}",
              "events=[" + events + "]"},
             integrator);
}

double outside(const Run& hall, std::size_t In::*which) { return hall.state().inputs[hall.plant.outside.*which]; }

std::string refusal(const std::string& events) {
  try {
    hall_with(events);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("a dry bulb that an event sets is felt from its instant on, and the wet bulb keeps its difference",
          "[weather]") {
  for (const Run::By integrator : {Run::By::multirate, Run::By::monolithic}) {
    Run hall = hall_with("{at: 90 s, set: weather.dry_bulb, to: 38 degC}", integrator),
        none = hall_with("", integrator);
    const auto difference_k = [](const Run& run) { return outside(run, &In::dry_bulb) - outside(run, &In::wet_bulb); };
    for (const double time_s : {80.0, 90.0, 100.0, 1500.0}) {
      CAPTURE(time_s);
      hall.until(time_s);
      none.until(time_s);
      const double dry_k = time_s < 90.0 ? outside(none, &In::dry_bulb) : freezing_k + 38.0;
      CHECK(outside(hall, &In::dry_bulb) == Approx(dry_k).epsilon(1e-12));
      CHECK(difference_k(hall) == Approx(difference_k(none)).epsilon(1e-9));
      if (integrator == Run::By::monolithic && time_s > 99.0) break;
    }
    CHECK(std::abs(hall.energy_residual()) < 1e-6);
  }
}

TEST_CASE("dry and wet bulb that events set have their humidity", "[weather]") {
  Run hall = hall_with("{at: 0 s, set: weather.dry_bulb, to: 27 degC}, {at: 0 s, set: weather.wet_bulb, to: 16 degC}");
  hall.until(70.0);
  const double saturated = 0.622 * 1818.8 / (outside(hall, &In::pressure) - 1818.8);
  CHECK(outside(hall, &In::humidity_ratio) ==
        Approx(((2501.0 - 2.326 * 16.0) * saturated - 1.006 * 11.0) / (2501.0 + 1.86 * 27.0 - 4.186 * 16.0))
            .epsilon(2e-3));
}

TEST_CASE("a wet bulb on a ramp is linear, and a temporary one leaves the weather as it is without it", "[weather]") {
  Run ramp = hall_with(
      "{at: 0 s, set: weather.wet_bulb, to: 10 degC}, {at: 100 s, set: weather.wet_bulb, to: 20 degC, over: 200 s}");
  ramp.until(150.0);
  CHECK(outside(ramp, &In::wet_bulb) == Approx(freezing_k + 12.5));
  ramp.until(700.0);
  CHECK(outside(ramp, &In::wet_bulb) == Approx(freezing_k + 20.0));
  Run hall = hall_with("{at: 90 s, set: weather.wet_bulb, to: 10 degC, for: 10 min}"), none = hall_with("");
  hall.until(680.0);
  CHECK(outside(hall, &In::wet_bulb) == Approx(freezing_k + 10.0));
  hall.until(1500.0);
  none.until(1500.0);
  for (const auto which : {&In::dry_bulb, &In::wet_bulb, &In::humidity_ratio})
    CHECK(outside(hall, which) == outside(none, which));
}

TEST_CASE("weather that cannot be, and names beside it, are refused", "[weather][mistakes]") {
  CHECK_THAT(refusal("{at: 60 s, set: weather.dry_bulb, to: 20 degC}, {at: 90 s, set: weather.wet_bulb, to: 25 degC}"),
             Contains("the wet bulb of 25 degC is above the dry bulb of 20 degC, at 1 min 30 s"));
  CHECK_THAT(refusal("{at: 60 s, set: weather.wet_bulb, to: 20 degC}, {at: 90 s, set: weather.dry_bulb, to: 5 degC, "
                     "over: 5 min}"),
             Contains("above the dry bulb of 5 degC, at 6 min 30 s"));
  CHECK_THAT(refusal("{at: 60 s, set: weather.dry_bulp, to: 20 degC}"), Contains("did you mean 'weather.dry_bulb'?"));
  CHECK_THAT(refusal("{at: 60 s, set: wether.dry_bulb, to: 20 degC}"), Contains("did you mean 'weather.dry_bulb'?"));
  CHECK_THAT(refusal("{at: 60 s, set: weather.dry_bulb, to: 20 kW}"), Contains("kW"));
  CHECK_THAT(refusal("{at: 60 s, set: weather.dry_bulb, to: 200 degC}"),
             Contains("write a value between -40 degC and 100 degC"));
  CHECK(refusal("{at: 60 s, set: weather.dry_bulb, to: 20 degC, for: 1 min}, {at: 2 min, set: weather.wet_bulb, to: 18 "
                "degC}") == "no InputError");
  // a ramp of 8 s whose setting lasts 7 s is gone long before 2 min
  CHECK(refusal("{at: 0 s, set: weather.wet_bulb, to: 18 degC, for: 7 s, over: 8 s}, {at: 0 s, set: weather.dry_bulb, "
                "to: 45 degC, for: 1 min}, {at: 2 min, set: weather.dry_bulb, to: 5 degC}") == "no InputError");
}
