// Losses that are quadratic in load, integrated sample by sample while the core takes steps over many samples.
//
//   E = sum over samples of (c P_r + q P^2 / P_r) dt        P: AC power of the rack in that sample, P_r: rating of the PDU
//
// by hand, against the meter of the run. At the mean load of a step the loss would be q Var(P) / P_r lower.

#include <algorithm>
#include <any>
#include <cmath>

#include "physics/units/cold_plate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// All nodes together: one second at 7.5 kW, one at 3.5 kW.
class AlternatingWork final : public workload::Workload {
 public:
  static double node_w(double t_s) { return std::fmod(std::floor(t_s + 1e-9), 2.0) == 0.0 ? 7500.0 : 3500.0; }

  double next_change_s(double t_s) const override { return std::floor(t_s + 1e-9) + 1.0; }
  void sample(double t_s, workload::NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    std::fill(gpu_w.begin(), gpu_w.end(), (node_w(t_s) - 1600.0) / 1.12 / 8.0);
    std::fill(node_ac_w.begin(), node_ac_w.end(), node_w(t_s));
  }
};

Scenario rack_without_leakage() {
  Scenario scenario = tests::one_rack_scenario();
  auto& gpu = std::any_cast<physics::ColdPlate::Params&>(scenario.racks.front().hardware.units[0].spec.params);
  gpu.leakage_w_per_k = 0.0;
  return scenario;
}

double pdu_loss_j(const Scenario& scenario, const RunMethod& method, const Plant& plant, double duration_s) {
  const AlternatingWork work;
  tests::WorkRun simulation(scenario, plant, work, method);
  simulation.start();
  simulation.run(duration_s, {});
  const auto meter = std::ranges::find(plant.meters.loss, "pdu", &LossMeter::kind);
  REQUIRE(meter != plant.meters.loss.end());
  return simulation.state().states[meter->meter];
}

}  // namespace

TEST_CASE("quadratic losses are integrated sample by sample, by both integrators", "[losses]") {
  constexpr double duration_s = 120.0;
  const Scenario scenario = rack_without_leakage();
  const Plant plant = build_plant(scenario);
  const electrical::Pdu::Params& pdu = scenario.power.pdu;
  double by_hand_j = 0.0, mean_w = 0.0;
  for (double t_s = 0.0; t_s < duration_s; t_s += 1.0) {
    const double rack_w = 8.0 * AlternatingWork::node_w(t_s);
    by_hand_j += pdu.constant_loss_fraction * pdu.rated_w + pdu.quadratic_loss_fraction * rack_w * rack_w / pdu.rated_w;
    mean_w += rack_w / duration_s;
  }
  const double at_mean_j = duration_s * (pdu.constant_loss_fraction * pdu.rated_w +
                                         pdu.quadratic_loss_fraction * mean_w * mean_w / pdu.rated_w);
  CHECK(by_hand_j > 1.05 * at_mean_j);  // else this test could not fail
  const double multirate_j = pdu_loss_j(scenario, by_multirate(), plant, duration_s);
  const double monolithic_j = pdu_loss_j(scenario, by_monolithic(), plant, duration_s);
  CHECK(std::abs(multirate_j / by_hand_j - 1.0) < 1e-9);
  CHECK(std::abs(monolithic_j / by_hand_j - 1.0) < 1e-9);
  tests::report_verification({"PDU under a load that jumps every second", "closed form", "loss", multirate_j, by_hand_j,
                              1e-9 * by_hand_j, "J"});
}
