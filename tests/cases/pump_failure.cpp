// Case: from a pump that trips to a loop without any, at nameplate load; scenarios/pump_failure/, whose README has the table.
//
// Expected values and where they come from:
//   flow       N equal CDUs feed forty racks: n^2 a + n b Q + c Q^2 - d Q^2 = r (N Q)^2, by hand from the CDU's data sheet
//              (a, b, c, d) and the racks' 80 kPa at design flow (r). Their pumps hold these 80 kPa: the flow is the design
//              flow, and the quadratic gives the speed n; where n would be above 1 it is 1, and the quadratic gives Q.
//              0.5 %, for the density that pumps and racks share here
//   supply     32 degC; with one CDU, whose valve is open as far as it goes, by effectiveness and NTU of its data sheet; 0.2 K
//   die        supply + P (1/G + R_s + 1/UA + 1/(2 m c)) with that flow, by hand from the cold plate's data sheet; 0.08 K
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
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/units/unit_classes.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;
using By = ScenarioRun::By;

namespace {

constexpr double zero_c = 273.15;
constexpr double failure_s = 60.0;

constexpr double gpu_w = 700.0;
constexpr std::size_t gpus_of_loop = 40 * 64;
constexpr double unit_j_per_k = 392.0;           // die and plate
constexpr double gpu_share_fraction = 0.73 / 8;  // of what flows through a node
constexpr double pg25_kg_per_m3 = 1012.0;        // at 37 degC
constexpr double pg25_j_per_kg_k = 3951.0;

struct LoopByHand {
  double flow_kg_per_s;
  double speed_fraction;  ///< of the pumps that run
};

/// A loop whose pumps hold 80 kPa, with so many of its CDUs. kPa and L/min as in the data sheets.
LoopByHand loop_by_hand(double cdus) {
  const double a = 476.46, b = 0.092063, inside = 1.9233e-4 + 60.0 / (1200.0 * 1200.0);
  const double racks_l_per_min = 40 * 8 * 0.1548 / pg25_kg_per_m3 * 60e3;
  const double held_l_per_min = racks_l_per_min / cdus;
  const double drop = inside * held_l_per_min * held_l_per_min + 80.0;
  const double linear = b * held_l_per_min;
  const double speed = (-linear + std::sqrt(linear * linear + 4.0 * a * drop)) / (2.0 * a);
  if (speed <= 1.0) return {40 * 8 * 0.1548, speed};
  const double square = inside + 80.0 * std::pow(cdus / racks_l_per_min, 2);
  const double one_l_per_min = (b + std::sqrt(b * b + 4.0 * square * a)) / (2.0 * square);
  return {cdus * one_l_per_min / 60e3 * pg25_kg_per_m3, 1.0};
}

/// Facility water through a CDU with an open valve: its design flow at 0.95 of the pumps' pressure; a twentieth of that is lost
/// in the branches of three pumps of 77 kg/s when they move as much.
double open_cdu_kg_per_s(double all_kg_per_s) {
  const double share = all_kg_per_s / (3.0 * 77.0);
  return 19.13 * std::sqrt((1.0 - 0.05 * share * share) / 0.95);
}

/// Supply of a loop that one CDU carries with an open valve: facility water + Q (1 / (eps C_min) - 1 / C_technology).
double steady_supply_k(double facility_k, double flow_kg_per_s, double facility_kg_per_s, double heat_w) {
  const double technology_w_per_k = flow_kg_per_s * pg25_j_per_kg_k, facility_w_per_k = facility_kg_per_s * 4180.0;
  const double ua_w_per_k =
      342e3 * 2.0 / (std::pow(flow_kg_per_s / 20.24, -0.8) + std::pow(facility_kg_per_s / 19.13, -0.8));
  const double ratio = facility_w_per_k / technology_w_per_k;
  const double decay = std::exp(-ua_w_per_k / facility_w_per_k * (1.0 - ratio));
  const double effectiveness = (1.0 - decay) / (1.0 - ratio * decay);
  return facility_k + heat_w * (1.0 / (effectiveness * facility_w_per_k) - 1.0 / technology_w_per_k);
}

double steady_die_k(double supply_k, double loop_kg_per_s) {
  const double flow_kg_per_s = loop_kg_per_s / (40 * 8) * gpu_share_fraction;
  const double stream_w_per_k = flow_kg_per_s * pg25_j_per_kg_k;
  const double film_w_per_k = 490.0 * std::pow(flow_kg_per_s / 0.01413, 0.33);
  return supply_k + gpu_w * (1.0 / 110.0 + 0.0151 + 1.0 / film_w_per_k + 0.5 / stream_w_per_k);
}

/// Die to inlet of one GPU at design flow, from what it differs by; the cold plate's data sheet.
double resistance_k_per_w(const UnitVariation& gpu) {
  const double stream_w_per_k = 0.01413 * pg25_j_per_kg_k;
  return (1.0 / 110.0 + 0.0151) * gpu.resistance_ratio + 1.0 / (490.0 * std::pow(gpu.flow_ratio, 0.33)) +
         0.5 / (gpu.flow_ratio * stream_w_per_k);
}

double loop_flow_kg_per_s(const ScenarioRun& run) {
  double sum = 0.0;
  for (const NamedPart& part : run.plant.named) {
    if (part.kind == "rack" && part.hangs_on.front() == "loop_1") sum += run.link_kg_per_s(part.name + ".cold_plates");
  }
  return sum;
}

/// Racks have one flow, as hands reckon.
const std::string racks_alike = "hall.cooling.loops.rack_flow_spread=0";

/// Through all CDUs.
double facility_kg_per_s(const ScenarioRun& run) {
  double sum = 0.0;
  for (int cdu = 1; cdu <= 12; ++cdu) sum += run.link_kg_per_s("cdu_" + std::to_string(cdu) + ".facility_supply");
  return sum;
}

bool is_on_first_loop(const Plant& plant, std::size_t gpu) {
  const std::size_t per_rack = plant.it.groups.front().nodes_per_rack * plant.it.groups.front().gpus_per_node;
  const std::string& rack = plant.it.racks[gpu / per_rack].name;
  return std::ranges::find(plant.named, rack, &NamedPart::name)->hangs_on.front() == "loop_1";
}

/// Every die of the other loops, every 5 s.
class DiesOfOtherLoops final : public Observer {
 public:
  explicit DiesOfOtherLoops(const Plant& plant) : plant_(plant) {}
  void observe(const PlantState& state, const Evaluation&) override {
    if (!is_multiple(state.time_s, 5.0)) return;
    const UnitGroup& gpus = *plant_.groups[plant_.it.groups.front().gpu_units];
    for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) {
      if (!is_on_first_loop(plant_, gpu)) die_k.push_back(static_cast<float>(state.states[gpus.state_slot(0, gpu)]));
    }
  }
  std::vector<float> die_k;

 private:
  const Plant& plant_;
};

double fastest_pump_fraction(const ScenarioRun& run) {
  double fastest = 0.0;
  for (const NamedPart& part : run.plant.named) {
    if (part.kind != "CDU" || part.hangs_on.front() != "loop_1") continue;
    for (const std::size_t motor : part.motors)
      fastest = std::max(fastest, run.state().states[run.plant.motors[motor].speed_state]);
  }
  return fastest;
}

/// Reports under `name`, if there is one.
void check_settled(const ScenarioRun& run, double cdus, const std::string& name = {}) {
  const auto [flow_kg_per_s, speed_fraction] = loop_by_hand(cdus);
  CHECK(loop_flow_kg_per_s(run) == Approx(flow_kg_per_s).epsilon(0.005));
  CHECK(fastest_pump_fraction(run) == Approx(speed_fraction).epsilon(0.005));
  const double heat_w =
      loop_flow_kg_per_s(run) * pg25_j_per_kg_k * (run.node_k("loop_1.return") - run.node_k("loop_1.supply"));
  const double supply_k = cdus == 1.0 ? steady_supply_k(run.node_k("facility.supply"), flow_kg_per_s,
                                                        open_cdu_kg_per_s(facility_kg_per_s(run)), heat_w)
                                      : 32.0 + zero_c;
  CHECK(run.node_k("loop_1.supply") == Approx(supply_k).margin(0.2));
  const double by_hand_k = steady_die_k(supply_k, flow_kg_per_s);
  const double mean_die_k = run.mean_die_k(gpus_of_loop);  // GPUs differ; their mean is that of the data sheet
  CHECK(mean_die_k == Approx(by_hand_k).margin(0.08));
  if (name.empty()) return;
  tests::report_verification(
      {name, "closed form", "flow of the loop", loop_flow_kg_per_s(run), flow_kg_per_s, 0.005 * flow_kg_per_s, "kg/s"});
  tests::report_verification(
      {name, "closed form", "pump speed", fastest_pump_fraction(run), speed_fraction, 0.005 * speed_fraction, "1"});
  tests::report_verification(
      {name, "closed form", "mean die temperature", mean_die_k - zero_c, by_hand_k - zero_c, 0.08, "degC"});
}

/// When each GPU of the first loop is throttled first.
class ThrottleTimes final : public Observer {
 public:
  void observe(const PlantState& state, const Evaluation&) override {
    for (std::size_t gpu = 0; gpu < gpus_of_loop; ++gpu) {
      if (times_s[gpu] == 0.0 && state.work.clock_fraction[gpu] < 1.0) times_s[gpu] = state.time_s;
    }
  }
  std::vector<double> times_s = std::vector<double>(gpus_of_loop);
};

}  // namespace

TEST_CASE("the more of a loop is lost, the hotter its hottest die", "[case]") {
  constexpr double tolerance_k = 0.01;  // absolute tolerance of the integrator for a die
  const By by = GENERATE(By::monolithic, By::multirate);
  double coolest_k = 0.0;
  for (const auto& [name, cdus] : {std::pair{"a_pump_trips", 3.0},
                                   {"b_standby_fails", 2.0},
                                   {"c_cdu_lost", 2.0},
                                   {"d_two_cdus_lost", 1.0},
                                   {"e_all_cdus_lost", 0.0}}) {
    INFO(name);
    ScenarioRun run(std::string("pump_failure/") + name, {}, by);
    check_settled(run, 3.0);
    run.to_end();
    CHECK(run.statistics.die_k.highest >= coolest_k - tolerance_k);
    coolest_k = run.statistics.die_k.highest;
    CHECK(std::abs(run.energy_residual()) < 1e-6);
    if (cdus == 0.0) continue;
    const std::string case_name = fmt::format("hall at nameplate, {:.0f} of 3 CDUs carry a loop, {}", cdus, name);
    check_settled(run, cdus, by == By::multirate ? case_name : "");  // reported as users get it
    CHECK(run.times_s("first_throttle").empty());
    CHECK(run.times_s("start") == (cdus == 3.0 ? std::vector{failure_s} : std::vector<double>{}));
  }
}

TEST_CASE("a loop without CDUs throttles between two bounds and shuts down, the others hardly notice", "[case]") {
  const By by = GENERATE(By::monolithic, By::multirate);
  ScenarioRun lost("pump_failure/e_all_cdus_lost", {racks_alike}, by),
      whole("pump_failure/no_failure", {racks_alike}, by);
  const double start_die_k = lost.hottest_die_k(gpus_of_loop);
  const double start_of_all_k = whole.hottest_die_k(whole.plant.it.gpu_count());
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
  for (std::size_t node = 0; node < lost.plant.it.node_count(); ++node) {
    const bool is_down = lost.state().work.node_is[node] == NodeIs::off_by_die;
    CHECK(is_down == is_on_first_loop(lost.plant, node * lost.plant.it.groups.front().gpus_per_node));
  }
  CHECK(loop_flow_kg_per_s(lost) < 1e-6);

  REQUIRE(beside.die_k.size() == 121 * 7680);
  REQUIRE(undisturbed.die_k.size() == beside.die_k.size());
  double largest_k = 0.0;
  for (std::size_t i = 0; i < beside.die_k.size(); ++i) {
    largest_k = std::max(largest_k, std::abs(static_cast<double>(beside.die_k[i] - undisturbed.die_k[i])));
  }
  CHECK(largest_k < 0.014);
  CHECK(whole.times_s("first_throttle").empty());
  CHECK(whole.statistics.die_k.highest - start_of_all_k < 0.01);
  CHECK(std::abs(whole.energy_residual()) < 1e-6);
}

TEST_CASE("who throttles first follows from what GPUs differ by", "[case]") {
  // Before the failure a die stands P R above the supply; without flow all warm up by the same kelvin a second, P / C. So
  // seconds between two GPUs are C (R_1 - R_2), 0.14 s for each percent of R. Firmware looks once a second, and dying flow
  // adds to what the smaller of two flows is worth: hence 1.5 s.
  const By by = GENERATE(By::monolithic, By::multirate);
  ScenarioRun varied("pump_failure/e_all_cdus_lost", {racks_alike}, by),
      alike("pump_failure/e_all_cdus_lost", {racks_alike, "hall.racks.gpu_spread=none"}, by);
  const UnitGroup& gpus = *varied.plant.groups[varied.plant.it.groups.front().gpu_units];
  const UnitClasses classes = make_unit_classes({}, varied.scenario.seed, gpus.stations);
  std::vector<double> by_hand_k_per_w;
  for (std::size_t gpu = 0; gpu < gpus_of_loop; ++gpu) {
    by_hand_k_per_w.push_back(resistance_k_per_w(classes.variations[classes.class_of_unit[gpu]]));
  }
  const auto [least, largest] = std::ranges::minmax(by_hand_k_per_w);
  for (std::size_t gpu = 0; gpu < gpus_of_loop; ++gpu) {
    const double differs_k = varied.die_k(gpu) - varied.mean_die_k(gpus_of_loop);
    if (gpu % 97 == 0) CHECK(differs_k == Approx(gpu_w * (by_hand_k_per_w[gpu] - 0.0352)).margin(0.3));
  }
  ThrottleTimes of_varied, of_alike;
  varied.until(150.0, &of_varied);
  alike.until(150.0, &of_alike);
  const auto [first, last] = std::ranges::minmax_element(of_varied.times_s);
  std::size_t out_of_order = 0;
  for (std::size_t gpu = 0; gpu < gpus_of_loop; ++gpu) {
    const double by_hand_s = *first + unit_j_per_k * (largest - by_hand_k_per_w[gpu]);
    if (!(std::abs(of_varied.times_s[gpu] - by_hand_s) <= 1.5)) ++out_of_order;
  }
  CHECK(out_of_order == 0);
  CHECK(*first > failure_s);
  const double by_hand_s = unit_j_per_k * (largest - least);
  CHECK(*last - *first == Approx(by_hand_s).margin(1.5));
  const auto [first_alike, last_alike] = std::ranges::minmax(of_alike.times_s);
  CHECK(last_alike - first_alike <= 1.0);
  if (by == By::monolithic) return;  // reported as users get it
  tests::report_verification({"loop of 2,560 GPUs loses its CDUs", "closed form",
                              "time from the first throttled GPU to the last", *last - *first, by_hand_s, 1.5, "s"});
  fmt::print("  from the first throttled GPU to the last {:.0f} s, where all are alike {:.0f} s\n", *last - *first,
             last_alike - first_alike);
}
