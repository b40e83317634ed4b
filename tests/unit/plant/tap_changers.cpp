// A tap changer in a plant: where it comes to rest at the start, when it steps after a load, and where its range ends.
#include "twin/actions/power/tap_changers.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// A transformer with a changer, a weak line before it, and a load behind it that events move.
Scenario with_changer(const std::string& keys, const std::string& events) {
  const std::vector<std::string> overrides{
      "power.flow=auto",
      "duration=20 min",
      "power.one_line.buses.far=20 kV",
      "power.one_line.buses.shop=415 V",
      "power.one_line.branches.line={ from: feed_a, to: far, resistance: 8 ohm, reactance: 16 ohm }",
      "power.one_line.branches.transformer_t={ from: far, to: shop, hardware: transformer_2500kva, with: { " + keys +
          " } }",
      "power.one_line.loads.shop_load={ bus: shop, power: 100 kW, power_factor: 90 % }",
      "events=[" + events + "]"};
  return read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/tests/unit/mistakes/base/one_line.yaml", overrides);
}

struct Changed {
  explicit Changed(const std::string& events,
                   const std::string& keys = "tap_changer_range: 10 %, tap_changer_delay: 20 s")
      : run(with_changer(keys, events), by_multirate()) {
    run.begin();
  }
  std::size_t branch() const { return *electrical::find_branch(run.plant().power_tree, "transformer_t"); }
  int tap() const { return run.state().switches.branch_tap.at(branch()); }
  double ratio() const {
    return std::abs(run.state().voltages.bus[static_cast<std::size_t>(run.plant().power_tree.branch_to[branch()])]);
  }
  std::vector<double> steps_s() const {
    std::vector<double> times_s;
    for (const EventRecord& event : run.events()) {
      if (event.kind == "tap") times_s.push_back(event.time_s);
    }
    return times_s;
  }

  HallRun run;
};

}  // namespace

TEST_CASE("a tap changer begins in its band, and steps after its delay until its voltage is in the band",
          "[tap_changer]") {
  Changed changed("{ at: 60 s, set: shop_load.power, to: 1.5 MW }");
  changed.run.advance_to(59.0);
  const int before = changed.tap();
  CHECK(changed.steps_s().empty());
  CHECK(std::abs(changed.ratio() - 1.0) <= 0.0125);
  changed.run.advance_to(75.0);
  CHECK(changed.tap() == before);
  CHECK(changed.ratio() < 0.98);
  changed.run.advance_to(600.0);
  CHECK(std::abs(changed.ratio() - 1.0) <= 0.0125);
  CHECK(changed.tap() < before);
  const std::vector<double> steps_s = changed.steps_s();
  REQUIRE(static_cast<int>(steps_s.size()) == before - changed.tap());
  for (std::size_t step = 0; step < steps_s.size(); ++step)
    CHECK(steps_s[step] == Approx(80.0 + 20.0 * static_cast<double>(step)).margin(1.5));
  CHECK_FALSE(changed.run.residual());
}

TEST_CASE("a tap changer without a load to answer follows the closed form of its ratio", "[tap_changer]") {
  Changed changed("", "tap_changer_range: 10 %, tap_changer_target: 105 %");
  changed.run.advance_to(60.0);
  Changed fixed("", fmt::format("tap: {} %", 1.25 * changed.tap()));
  fixed.run.advance_to(60.0);
  CHECK(changed.tap() < 0);
  CHECK(changed.ratio() == Approx(fixed.ratio()).epsilon(1e-9));
}

TEST_CASE("at the end of its range a tap changer stays", "[tap_changer]") {
  Changed changed("{ at: 60 s, set: shop_load.power, to: 2 MW }", "tap_changer_range: 2.5 %, tap_changer_delay: 20 s");
  changed.run.advance_to(1000.0);
  CHECK(changed.tap() == -2);
  CHECK(changed.ratio() < 0.98);
}

TEST_CASE("taps are part of a checkpoint: a run that goes on from it has the same steps", "[tap_changer]") {
  const std::string events = "{ at: 60 s, set: shop_load.power, to: 1.5 MW }";
  Changed whole(events), first(events);
  whole.run.advance_to(900.0);
  first.run.advance_to(600.0);
  const CheckpointFile checkpoint = first.run.checkpoint(false);
  HallRun later(with_changer("tap_changer_range: 10 %, tap_changer_delay: 20 s", events), by_multirate());
  later.resume(checkpoint, "a checkpoint");
  later.advance_to(900.0);
  CHECK(later.state().switches == whole.run.state().switches);
  CHECK(later.state().states == whole.run.state().states);
}
