// A supply set-point that follows the wet bulb: by hand over temperatures, and in a running hall against the weather.
//
//   T_set = clamp(T_wb + approach, lowest, highest)
//
// In a run it looks every five minutes and moves by no less than its deadband: at every look the set-point is within the
// deadband of the law.
#include <cmath>

#include "physics/water/wet_bulb_reset.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15;

constexpr WetBulbReset::Params settings{.approach_k = 5.0, .lowest_k = zero_c + 18.0, .highest_k = zero_c + 28.0};

double set_c(double wet_bulb_c) {
  return WetBulbReset::setting(settings, {zero_c + 35.0, zero_c + wet_bulb_c}) - zero_c;
}

/// Looks at the set-point and at the wet bulb whenever the sequence has looked.
class Watch final : public twin::Observer {
 public:
  explicit Watch(const twin::Plant& plant) : plant_(plant), input_(plant.sequences.front().input) {}
  void observe(const twin::PlantState& state, const twin::Evaluation&) override {
    if (std::fmod(state.time_s, 300.0) != 0.0) return;
    const double law_k = WetBulbReset::setting(settings, {0.0, state.inputs[plant_.outside.wet_bulb]});
    farthest_k = std::max(farthest_k, std::abs(state.inputs[input_] - law_k));
    ++looks;
  }
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  double farthest_k = 0.0;
  int looks = 0;

 private:
  const twin::Plant& plant_;
  const std::size_t input_;
};

const std::vector<std::string> reset{"weather.design_day=summer", "start=2026-07-15T06:00:00",
                                     "sequences={reset: {kind: wet_bulb_reset, setting: facility.supply_temperature, "
                                     "lowest: 18 degC, highest: 28 degC}}"};

}  // namespace

TEST_CASE("a set-point follows the wet bulb within its limits", "[wet_bulb_reset]") {
  CHECK(set_c(20.0) == Approx(25.0));
  CHECK(set_c(-5.0) == Approx(18.0));
  CHECK(set_c(13.0) == Approx(18.0));
  CHECK(set_c(26.0) == Approx(28.0));
}

TEST_CASE("towers follow a set-point that follows the weather", "[wet_bulb_reset]") {
  tests::ScenarioRun hall("h100_10k", reset, tests::ScenarioRun::By::multirate);
  Watch watch(hall.plant);
  hall.until(4.0 * 3600.0, &watch);
  CHECK(watch.looks >= 48);
  CHECK(watch.farthest_k < 0.2 + 1e-9);
  const std::vector<double> times_s = hall.times_s("reset", "facility.supply_temperature");
  CHECK(times_s.size() >= 3);
  for (const double time_s : times_s) CHECK(std::fmod(time_s, 300.0) == 0.0);
  const double set_k = hall.state().inputs[hall.plant.sequences.front().input];
  CHECK(hall.node_k("facility.supply") == Approx(set_k).margin(0.3));
}

// At 24 degC towers at full speed chase what the weather does not give. The same hour of the same day, with the reset that the hall has.
TEST_CASE("on a summer day the reference hall resets by wet bulb, and its towers draw less than at 24 degC",
          "[wet_bulb_reset]") {
  std::vector<std::string> summer{"weather.design_day=summer", "start=2026-07-15T12:00:00", "duration=1 h"};
  tests::ScenarioRun as_shipped("h100_10k", summer, tests::ScenarioRun::By::multirate);
  summer.emplace_back("sequences=null");
  tests::ScenarioRun chasing("h100_10k", summer, tests::ScenarioRun::By::multirate);
  as_shipped.to_end();
  chasing.to_end();
  CHECK(chasing.node_k("facility.supply") > 273.15 + 24.5);
  CHECK(as_shipped.node_k("facility.supply") < 273.15 + 28.3);
  CHECK(as_shipped.used_j("tower") < 0.8 * chasing.used_j("tower"));
  const auto feed_j = [](const tests::ScenarioRun& run) { return run.state().states[run.plant.meters.feed]; };
  CHECK(feed_j(as_shipped) < 0.995 * feed_j(chasing));
}

TEST_CASE("on a mild day the reference hall stays at 24 degC", "[wet_bulb_reset]") {
  tests::ScenarioRun hall("h100_10k", {"duration=20 min"}, tests::ScenarioRun::By::multirate);
  hall.to_end();
  CHECK(hall.times_s("reset").empty());
  CHECK(hall.node_k("facility.supply") == Approx(273.15 + 24.0).margin(0.1));
}
