// Every machine of a running hall, at three times: what it draws, and what each body of water and air gets from it, by its data
// sheet at the temperatures of its ports (tests/verification/air/machines_by_hand.hpp). What a body gets is what goes into it less what
// the streams carry in and out; an energy balance sees none of it, since both its sides have the same number.

#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "tests/support/work_run.hpp"
#include "tests/verification/air/machines_by_hand.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// [node] what goes in less what streams bring: W.
std::vector<double> given_by_machines_w(const tests::Instant& now) {
  const Plant& plant = now.names.plant;
  std::vector<double> heat_w;
  for (const ThermalNode& node : plant.nodes) heat_w.push_back(now.evaluation.sinks[node.heat_sink]);
  for (const Link& link : plant.links) {
    const double flow_kg_per_s = now.evaluation.signals[link.flow_signal];
    const std::size_t upstream = flow_kg_per_s >= 0.0 ? link.from_node : link.to_node;
    const double carried_w =
        flow_kg_per_s * link.specific_heat_j_per_kg_k * (now.k(plant.nodes[upstream].name) - 300.0);
    heat_w[link.to_node] -= carried_w;
    heat_w[link.from_node] += carried_w;
  }
  return heat_w;
}

double sum_of(const std::map<std::string, double>& parts) {
  double sum = 0.0;
  for (const auto& [name, value] : parts) sum += value;
  return sum;
}

/// Within 1e-6 of it, or a tenth of a watt.
bool is_near(double is, double must) { return std::abs(is - must) <= 1e-6 * std::abs(must) + 0.1; }

void check_machines(const tests::Instant& now, const Scenario& scenario) {
  const tests::Given given = tests::MachinesByHand(scenario, now).given;
  const std::vector<double> heat_w = given_by_machines_w(now);
  std::size_t nodes = 0;
  for (const auto& [name, number] : now.names.nodes) {
    const auto expected = given.heat_w.find(name);
    const double must_w = expected == given.heat_w.end() ? 0.0 : expected->second;
    INFO(name << " gets " << heat_w[number] << " W, by hand " << must_w << " W");
    CHECK(is_near(heat_w[number], must_w));
    nodes += expected == given.heat_w.end() ? 0 : 1;
  }
  CHECK(nodes == given.heat_w.size());
  REQUIRE(given.load_w.size() == now.names.loads.size());
  for (const auto& [name, must_w] : given.load_w) {
    INFO(name << " draws " << now.load_w(name) << " W, by hand " << must_w << " W");
    CHECK(is_near(now.load_w(name), must_w));
  }
  CHECK(is_near(now.into("outdoors.heat.meter"), sum_of(given.outdoors_w)));
  CHECK(is_near(now.into("sky.heat.meter"), sum_of(given.sky_w)));
  CHECK(now.into("towers.make_up_water.meter") == Approx(sum_of(given.make_up_kg_per_s)).epsilon(0.003));
}

}  // namespace

TEST_CASE("machines of a running hall draw and move what their data sheets say at the temperatures of their ports",
          "[machines]") {
  const Scenario scenario = tests::lively_hall_scenario();
  const Plant plant = build_plant(scenario);
  const tests::UnevenWork work;
  tests::WorkRun simulation(scenario, plant, work, by_multirate());
  const tests::Names names(plant);
  simulation.start();
  for (const double until_s :
       {2.0, 20.0, 29.0, 60.0}) {  // all well; on battery; on generators, a tower down; back again
    simulation.run(until_s, {});
    INFO("at " << until_s << " s");
    check_machines({names, simulation.state(), simulation.evaluation()}, scenario);
  }
}
