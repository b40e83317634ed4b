// A closed UPS room whose air handlers have stopped: electronics, batteries and air as three nodes under constant loss.
//
//   C_e dT_e/dt = Q - K_e (T_e - T_a),   C_b dT_b/dt = K_b (T_a - T_b),   C_a dT_a/dt = K_e (T_e - T_a) - K_b (T_a - T_b)
//
// Exact solution: the exponential of the matrix of this system, by its series after halving. In the end all three warm at Q / (C_e + C_b + C_a).
// Air handlers coast down for a while, so that the comparison begins two minutes after they failed, at what the room has come to.
#include <array>
#include <cmath>

#include "physics/fluids/fluid.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double volume_m3 = 200.0, fail_s = 60.0, begin_s = 180.0, end_s = 1800.0;
constexpr double electronics_j_per_k = 0.6e6, rise_k = 20.0, battery_j_per_k = 1.5e6, warming_s = 3000.0;
const tests::ConstantWork steady_work(500.0, 8000.0);

Scenario closed_room() {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = end_s;
  RoomSpec& room = scenario.power.rooms.room;
  room.volume_m3 = volume_m3;
  room.mass_heat_capacity_j_per_k = 0.0;
  electrical::Ups::Params& module = scenario.power.ups;
  module.electronics_j_per_k = electronics_j_per_k;
  module.electronics_rise_k = rise_k;
  module.battery_j_per_k = battery_j_per_k;
  module.battery_warming_s = warming_s;
  module.rated_air_k = module.shutdown_air_k = 400.0;  // it stays in service
  scenario.events = {tests::event(fail_s, EventSpec::Kind::fail, {"crah_3", "crah_4"})};
  return scenario;
}

using Four = std::array<double, 4>;  ///< electronics, battery and air, K; and 1
using Matrix = std::array<Four, 4>;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix exponential(Matrix rates, double time_s) {
  constexpr int halvings = 20, terms = 12;
  for (Four& row : rates)
    for (double& rate : row) rate *= std::ldexp(time_s, -halvings);
  Matrix sum{}, term{};
  for (std::size_t i = 0; i < 4; ++i) sum[i][i] = term[i][i] = 1.0;
  for (int n = 1; n <= terms; ++n) {
    term = product(term, rates);
    for (Four& row : term)
      for (double& value : row) value /= n;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) sum[i][j] += term[i][j];
  }
  for (int n = 0; n < halvings; ++n) sum = product(sum, sum);
  return sum;
}

Four exact(const Four& begin, double loss_w, double rated_loss_w, double modules, double time_s) {
  const double air = volume_m3 * physics::air_density_kg_per_m3 * physics::air_specific_heat_j_per_kg_k;
  const double electronics = modules * electronics_j_per_k, battery = modules * battery_j_per_k;
  const double k_e = modules * rated_loss_w / rise_k, k_b = battery / warming_s;
  const Matrix rates{Four{-k_e / electronics, 0.0, k_e / electronics, loss_w / electronics},
                     Four{0.0, -k_b / battery, k_b / battery, 0.0}, Four{k_e / air, k_b / air, -(k_e + k_b) / air, 0.0},
                     Four{}};
  const Matrix after = exponential(rates, time_s);
  Four now{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) now[i] += after[i][j] * begin[j];
  return now;
}

}  // namespace

// Tolerance: 0.02 K of 30 K, twice the absolute tolerance of temperatures; the loss is that of the first instant, held.
TEST_CASE("a UPS room that lost its air handlers warms as electronics, batteries and air do", "[ups][room]") {
  const bool is_multirate = GENERATE(false, true);
  INFO((is_multirate ? "multirate" : "monolithic"));
  const Scenario scenario = closed_room();
  const Plant plant = build_plant(scenario);
  tests::WorkRun simulation(scenario, plant, steady_work, is_multirate ? by_multirate() : by_monolithic());
  simulation.start();
  const auto temperature_k = [&](const char* node) {
    return simulation.state().states[plant.nodes[tests::node_named(plant, node)].temperature_signal];
  };
  const auto now = [&] {
    return Four{temperature_k("ups_a.electronics"), temperature_k("ups_a.battery"), temperature_k("electrical_room_a"),
                1.0};
  };
  const std::size_t ups = *electrical::find_branch(plant.power_tree, "ups_a");
  const auto loss_w = [&] { return simulation.evaluation().power.branch_loss_w[ups]; };
  const electrical::Ups::Params& module = scenario.power.ups;
  const double rated_loss_w = electrical::loss_w(electrical::Ups::loss_curve(module), module.rated_w);
  const double modules = scenario.power.ups_modules;
  const Four at_rest = now();
  CHECK(at_rest[1] == Approx(at_rest[2]).margin(1e-3));  // a steady start: batteries are as warm as the air
  CHECK(at_rest[0] - at_rest[2] == Approx(loss_w() / (modules * rated_loss_w / rise_k)).margin(1e-3));
  simulation.run(begin_s, {});
  const Four begin = now();
  const double held_w = loss_w();
  REQUIRE(held_w > 10e3);
  for (const double at_s : {200.0, 600.0, end_s}) {
    simulation.run(at_s, {});
    const Four ours = now(), theirs = exact(begin, held_w, rated_loss_w, modules, at_s - begin_s);
    INFO("after " << at_s << " s");
    for (std::size_t node = 0; node < 3; ++node) CHECK(std::abs(ours[node] - theirs[node]) < 0.02);
    if (is_multirate || at_s != end_s) continue;
    tests::report_verification({"UPS room half an hour after its air handlers failed", "closed form", "air temperature",
                                ours[2], theirs[2], 0.02, "K"});
  }
  const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
  CHECK(std::abs(balance.residual_ratio()) < 1e-6);
}
