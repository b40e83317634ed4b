// Case: from a pump that trips to a loop without any, at nameplate load; scenarios/pump_failure/, whose README has the table.
//
// Expected values and where they come from:
//   flow       N equal CDUs feed forty racks: n^2 a + n b Q + c Q^2 - d Q^2 = r (N Q)^2, a quadratic in Q, by hand from the
//              CDU's data sheet (a, b, c, d), the pump speed n and the racks' 80 kPa at design flow (r); 0.5 %, for the
//              density that pumps and racks share here
//   die        supply + P (1/G + 1/(eps m c)) with that flow, by hand from the cold plate's data sheet; 0.2 K
//   order      the more is lost, the hotter the hottest die; (b) and (c) are the same to the loop: a CDU without pumps
//   (e)        the first GPU throttles no earlier than one that gives no heat away, no later than one that has to warm the
//              coolant in its rack by as much as itself:
//
//                  C_u (87 degC - T_0) / P  <=  t  <=  (C_u + C_c) (87 degC - T_0) / P
//
//              Of the unit (die and plate, C_u): C_u dT/dt = P - q, and its coolant takes heat, q >= 0. Hence the left side;
//              that the die runs ahead of its plate by no more than at the start makes it hold for the die. Of unit and coolant
//              in the rack (C_c): what leaves the rack aside, P t = C_u dT_u + C_c dT_c. The less flow, the larger the
//              difference between them, so dT_c <= dT_u, and the right side follows. The dying flow still carries some
//              heat away for 2 to 3 s; the right side leaves that out and is the stricter for it. Firmware looks once a second.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/timeline.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

constexpr double zero_c = 273.15;
constexpr double failure_s = 60.0;

constexpr double gpu_w = 700.0;
constexpr double unit_j_per_k = 392.0;          // die and plate
constexpr double gpu_share_fraction = 0.73 / 8;  // of what flows through a node
constexpr double pg25_kg_per_m3 = 1012.0;        // at 37 degC
constexpr double pg25_j_per_kg_k = 3951.0;

/// kg/s of a loop whose pumps run at 71 %, with so many of its CDUs. kPa and L/min as in the data sheets.
double loop_flow_kg_per_s(double cdus) {
  const double speed = 0.71;
  const double a = speed * speed * 476.46, b = speed * 0.092063;
  const double racks_l_per_min = 40 * 8 * 0.1548 / pg25_kg_per_m3 * 60e3;
  const double square = 1.9233e-4 + 60.0 / (1200.0 * 1200.0) + 80.0 * std::pow(cdus / racks_l_per_min, 2);
  const double one_l_per_min = (b + std::sqrt(b * b + 4.0 * square * a)) / (2.0 * square);
  return cdus * one_l_per_min / 60e3 * pg25_kg_per_m3;
}

double steady_die_k(double supply_k, double loop_kg_per_s) {
  const double flow_kg_per_s = loop_kg_per_s / (40 * 8) * gpu_share_fraction;
  const double stream_w_per_k = flow_kg_per_s * pg25_j_per_kg_k;
  const double ua_w_per_k = 52.5 * std::pow(flow_kg_per_s / 0.01413, 0.6);
  return supply_k + gpu_w * (1.0 / 110.0 + 1.0 / (stream_w_per_k * (1.0 - std::exp(-ua_w_per_k / stream_w_per_k))));
}

double loop_flow_kg_per_s(const ScenarioRun& run) {
  const LoopPart& loop = run.plant.hall.loops.front();
  return run.evaluation().signals[run.plant.map.flow(loop.rack_flow)] * static_cast<double>(loop.racks.size());
}

bool is_on_first_loop(const Plant& plant, std::size_t gpu) {
  const std::size_t per_rack = plant.hall.nodes_per_rack * plant.hall.gpus_per_node;
  return plant.hall.racks[gpu / per_rack].loop == 0;
}

/// Every die of the other loops, every 5 s.
class DiesOfOtherLoops final : public Observer {
 public:
  explicit DiesOfOtherLoops(const Plant& plant) : plant_(plant) {}
  void observe(const PlantState& state, const Evaluation&) override {
    if (!is_multiple(state.time_s, 5.0)) return;
    const UnitGroup& gpus = *plant_.groups[plant_.hall.gpu_group];
    for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) {
      if (!is_on_first_loop(plant_, gpu)) die_k.push_back(static_cast<float>(state.states[gpus.state_slot(0, gpu)]));
    }
  }
  std::vector<float> die_k;

 private:
  const Plant& plant_;
};

void check_settled(const ScenarioRun& run, double cdus) {
  const double flow_kg_per_s = loop_flow_kg_per_s(cdus);
  CHECK(loop_flow_kg_per_s(run) == Approx(flow_kg_per_s).epsilon(0.005));
  const double supply_k = run.node_k(run.plant.hall.loops.front().supply_node);
  CHECK(supply_k == Approx(32.0 + zero_c).margin(0.1));
  const double by_hand_k = steady_die_k(32.0 + zero_c, flow_kg_per_s);
  CHECK(run.die_k(0) == Approx(by_hand_k).margin(0.2));
  tests::report_verification({fmt::format("hall at nameplate, {:.0f} of 3 CDUs carry a loop", cdus), "closed form",
                              "flow of the loop", loop_flow_kg_per_s(run), flow_kg_per_s, 0.005 * flow_kg_per_s, "kg/s"});
  tests::report_verification({fmt::format("hall at nameplate, {:.0f} of 3 CDUs carry a loop", cdus), "closed form",
                              "die temperature", run.die_k(0) - zero_c, by_hand_k - zero_c, 0.2, "degC"});
}

}  // namespace

TEST_CASE("the more of a loop is lost, the hotter its hottest die", "[case]") {
  constexpr double tolerance_k = 0.01;  // absolute tolerance of the integrator for a die
  double coolest_k = 0.0;
  for (const auto& [name, cdus] : {std::pair{"a_pump_trips", 3.0}, {"b_standby_fails", 2.0}, {"c_cdu_lost", 2.0},
                                   {"d_two_cdus_lost", 1.0}, {"e_all_cdus_lost", 0.0}}) {
    INFO(name);
    ScenarioRun run(std::string("pump_failure/") + name);
    check_settled(run, 3.0);
    run.to_end();
    CHECK(run.statistics.die_k.highest >= coolest_k - tolerance_k);
    coolest_k = run.statistics.die_k.highest;
    CHECK(std::abs(run.energy_residual()) < 1e-6);
    if (cdus == 0.0) continue;
    check_settled(run, cdus);
    CHECK(run.times_s("first_throttle").empty());
    CHECK(run.times_s("start") == (cdus == 3.0 ? std::vector{failure_s} : std::vector<double>{}));
  }
}

TEST_CASE("a loop without CDUs throttles between two bounds and shuts down, the others hardly notice", "[case]") {
  ScenarioRun lost("pump_failure/e_all_cdus_lost"), whole("pump_failure/no_failure");
  const double start_die_k = lost.die_k(0);
  DiesOfOtherLoops beside(lost.plant), undisturbed(whole.plant);
  lost.to_end(&beside);
  whole.to_end(&undisturbed);

  const double rise_k = 87.0 + zero_c - start_die_k;
  const double coolant_j_per_k = 2e-3 * pg25_kg_per_m3 * pg25_j_per_kg_k * gpu_share_fraction;
  REQUIRE(lost.times_s("first_throttle").size() == 1);
  const double throttle_s = lost.times_s("first_throttle").front() - failure_s;
  CHECK(throttle_s >= unit_j_per_k * rise_k / gpu_w);
  CHECK(throttle_s <= (unit_j_per_k + coolant_j_per_k) * rise_k / gpu_w + 1.0);

  CHECK(lost.times_s("thermal_shutdown").size() == 320);
  CHECK(lost.times_s("thermal_shutdown").front() > lost.times_s("first_throttle").front());
  for (std::size_t node = 0; node < lost.plant.hall.node_count(); ++node) {
    const bool is_down = lost.state().work.is_shut_down[node] != 0;
    CHECK(is_down == is_on_first_loop(lost.plant, node * lost.plant.hall.gpus_per_node));
  }
  CHECK(loop_flow_kg_per_s(lost) < 1e-6);

  REQUIRE(beside.die_k.size() == 121 * 7680);
  REQUIRE(undisturbed.die_k.size() == beside.die_k.size());
  double largest_k = 0.0;
  for (std::size_t i = 0; i < beside.die_k.size(); ++i) {
    largest_k = std::max(largest_k, std::abs(static_cast<double>(beside.die_k[i] - undisturbed.die_k[i])));
  }
  CHECK(largest_k < 0.5);
  CHECK(whole.times_s("first_throttle").empty());
  CHECK(whole.statistics.die_k.highest - start_die_k < 0.01);
  CHECK(std::abs(whole.energy_residual()) < 1e-6);
}
