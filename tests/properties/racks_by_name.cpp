// What happens to a rack by its name: it is switched off, which is what a rack without its PDUs is, and the fans of its nodes fail. By both
// integrators, whose dies are within 0.1 K, and with all energy accounted for.
#include <cmath>
#include <string>
#include <vector>

#include "physics/fluids/fluid.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/planning/work/node_couplings.hpp"
#include "twin/plant/equipment/parts_of.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;
using By = ScenarioRun::By;

namespace {

constexpr double off_s = 90.0, checked_s = 240.0;
constexpr double draught = 0.02;  ///< of the air with fans, where they stand

/// Four racks of the reference hall, each on PDUs of its own.
ScenarioRun small_hall(const std::string& events, By by = By::multirate) {
  return ScenarioRun(
      "h100_10k",
      {"hall.racks.rows=1", "hall.racks.count=4", "duration=8 min", "initial=steady", "events=[" + events + "]"}, by);
}

double rack_w(const ScenarioRun& run, std::size_t rack) {
  return run.evaluation().power.load_served_w[run.plant.it.racks[rack].load];
}

double air_kg_per_s(const ScenarioRun& run, std::size_t rack) {
  return run.state().inputs[run.plant.it.racks[rack].airflow_input];
}

std::string detail_of(const ScenarioRun& run, const std::string& kind, const std::string& target) {
  for (const EventRecord& event : run.events()) {
    if (event.kind == kind && event.target == target) return event.detail;
  }
  return "not there";
}

/// Largest difference of any die.
double dies_apart_k(const ScenarioRun& a, const ScenarioRun& b) {
  double apart_k = 0.0;
  for (std::size_t gpu = 0; gpu < a.plant.it.gpu_count(); ++gpu)
    apart_k = std::max(apart_k, std::abs(a.die_k(gpu) - b.die_k(gpu)));
  return apart_k;
}

}  // namespace

TEST_CASE("a rack that is switched off is one that has lost its PDUs", "[racks][switching]") {
  ScenarioRun by_name = small_hall("{at: 90 s, open: row_1.rack_2}");
  ScenarioRun by_pdus = small_hall("{at: 90 s, open: [pdu_a_2, pdu_b_2]}");
  for (ScenarioRun* run : {&by_name, &by_pdus}) run->until(checked_s);
  for (const std::size_t rack : {0, 1, 2, 3}) {
    CHECK(rack_w(by_name, rack) == Approx(rack_w(by_pdus, rack)).epsilon(1e-6));
    CHECK((rack_w(by_name, rack) == 0.0) == (rack == 1));
    CHECK(air_kg_per_s(by_name, rack) == air_kg_per_s(by_pdus, rack));
  }
  CHECK(by_name.link_kg_per_s("row_1.rack_2.cold_plates") ==
        Approx(by_pdus.link_kg_per_s("row_1.rack_2.cold_plates")).epsilon(1e-4));
  CHECK(by_name.link_kg_per_s("row_1.rack_2.cold_plates") > 0.0);
  CHECK(dies_apart_k(by_name, by_pdus) < 0.02);  // PDUs that are left on lose what they lose without load
  CHECK(detail_of(by_name, "lost_power", "node") == "1 of 4: row_1.rack_2; switched off");
  CHECK(detail_of(by_name, "lost_power", "rear_door_fan") == "1 of 44: row_1.rack_2.door_fans; switched off");
}

TEST_CASE("a rack that is switched off for a while comes back after a boot, by both integrators",
          "[racks][multirate]") {
  const std::string events = "{at: 90 s, open: 'row_*.rack_2', for: 60 s}, {at: 120 s, close: row_1.rack_3}";
  ScenarioRun fast = small_hall(events), reference = small_hall(events, By::monolithic);
  for (const double time_s : {off_s - 1.0, off_s + 30.0, checked_s, 480.0}) {
    fast.until(time_s);
    reference.until(time_s);
    INFO(time_s);
    CHECK(dies_apart_k(fast, reference) < 0.1);
    CHECK((rack_w(fast, 1) == 0.0) == (time_s == off_s + 30.0));
  }
  CHECK(fast.times_s("open", "row_1.rack_2") == std::vector<double>{off_s});
  CHECK(fast.times_s("nodes_back", "row_1.rack_2") == std::vector<double>{off_s + 60.0 + 300.0});
  CHECK(detail_of(fast, "close", "row_1.rack_2") == "the end of a temporary open");
  CHECK(detail_of(fast, "close", "row_1.rack_3") == "scenario; changes nothing now");
  CHECK(std::abs(fast.energy_residual()) < 1e-9);
}

TEST_CASE("fans of a rack that fail leave it a natural draught, and what they drew is not drawn", "[racks][fans]") {
  const std::string events = "{at: 90 s, fail: row_1.rack_2.fans, for: 150 s}";
  ScenarioRun fast = small_hall(events), reference = small_hall(events, By::monolithic), sound = small_hall("");
  const double full_kg_per_s = air_kg_per_s(sound, 1);
  for (const double time_s : {off_s - 1.0, off_s + 30.0, checked_s - 1.0, 480.0}) {
    for (ScenarioRun* run : {&fast, &reference, &sound}) run->until(time_s);
    INFO(time_s);
    CHECK(dies_apart_k(fast, reference) < 0.1);
    const bool have_failed = time_s > off_s && time_s < checked_s;
    CHECK(air_kg_per_s(fast, 1) == Approx((have_failed ? draught : 1.0) * full_kg_per_s));
    CHECK(air_kg_per_s(fast, 0) == full_kg_per_s);
    const NodeCoupling node = node_couplings(fast.scenario).front();
    CHECK(rack_w(sound, 1) - rack_w(fast, 1) ==
          Approx(have_failed ? 8.0 * node.fan_w : 0.0).epsilon(0.15).margin(20.0));
  }
  CHECK(detail_of(fast, "fail", "row_1.rack_2.fans") == "scenario");
  CHECK(detail_of(fast, "restore", "row_1.rack_2.fans") == "the end of a temporary fail");
  CHECK(std::abs(fast.energy_residual()) < 1e-9);
}

TEST_CASE("the air of a rack without fans takes its heat all the same", "[racks][fans]") {
  ScenarioRun run = small_hall("{at: 0 s, fail: 'row_1.*.fans'}");
  run.until(480.0);
  const double air_j_per_kg_k = physics::air_specific_heat_j_per_kg_k;
  for (const std::size_t rack : {0, 3}) {
    const std::string name = run.plant.it.racks[rack].name;
    const double rise_k = run.node_k(name + ".exhaust") - run.node_k("row_1.cold_aisle");
    INFO(name << ": " << rise_k << " K");
    CHECK(rise_k > 50.0);
    CHECK(air_kg_per_s(run, rack) * air_j_per_kg_k * rise_k < 0.5 * rack_w(run, rack));
  }
  CHECK(std::abs(run.energy_residual()) < 1e-9);
}
