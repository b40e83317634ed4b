// Water systems whose flows follow from pressures, beside hand computations, and their pumps beside a manufacturer's table.
//
//   between two headers at a difference d, everything in parallel (m_0 left out):
//   user   m = m_d sqrt(d / d_r / (1 - N + N / f(x)^2)),     d_r = 0.95 p_r, f equal percentage, N authority
//   pump   d = min(p_r, p_r (1.31 n^2 - 0.31 (m / m_r)^2)) - 0.05 p_r (m / m_r)^2
//   and d such that pumps give what users take: by bisection
//
// Source: [asme_ashrae_pumps] (affinity), [modelica_buildings] (authority; table of the Wilo CronoLine IL 80/220-4/4).
#include <algorithm>
#include <cmath>
#include <string>

#include "physics/water/cdu_valve.hpp"
#include "physics/water/header_pump.hpp"
#include "tests/support/by_hand/pump_by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/plant/snapshot/evaluation.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double share = 0.05;  ///< of the rated pressure, in the branch of a pump

double user_flow(double design_kg_per_s, double authority, double position, double over_design_pressure) {
  const double log_range = std::log(50.0);
  const double opening = position < 1.0 / log_range ? position * log_range * std::exp(1.0 - log_range)
                                                    : std::exp(log_range * (position - 1.0));
  return design_kg_per_s * std::sqrt(over_design_pressure / (1.0 - authority + authority / (opening * opening)));
}

/// A hall whose speeds and positions a test sets.
struct SetHall {
  explicit SetHall(const Scenario& scenario) : plant(build_plant(scenario)) {}

  void set_speed(const std::string& motor, double speed) {
    state.states[plant.motors[tests::motor_named(plant, motor)].speed_state] = speed;
  }
  void set_valve(std::size_t cdu, double position) {
    const auto& valves = parts_of<physics::CduValve>(plant);
    state.states[static_cast<std::size_t>(valves.now(cdu, place_of_signal).state.valve_fraction)] = position;
  }
  void solve() {
    std::vector<double> rates(plant.map.state_count);
    std::ranges::copy(state.inputs, evaluation.inputs().begin());
    evaluate(plant, state.switches, state.states, evaluation, rates);
  }
  double kg_per_s(const std::string& link) const {
    return evaluation.signals[tests::link_named(plant, link).flow_signal];
  }

  Plant plant;
  PlantState state = initial_state(plant);
  Evaluation evaluation{plant};
};

Scenario hall_with(const std::string& control) {
  Scenario scenario = tests::small_hall_scenario();
  for (WaterPumpsSpec* pumps : {&scenario.cooling.water.front().pumps, &scenario.cooling.chilled_water.front().pumps})
    pumps->control = control;
  return scenario;
}

}  // namespace

TEST_CASE("facility water goes through CDUs as pumps on their curves and valves let it", "[water_network]") {
  const std::string control = GENERATE("differential_pressure", "full_speed");
  const Scenario scenario = hall_with(control);
  SetHall hall(scenario);
  const tests::PumpByHand pump{10.0, 200e3, control == "differential_pressure"};
  const double speeds[][3] = {{1.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.9, 0.7, 0.0}, {1.0, 1.0, 1.0}, {0.3, 0.3, 0.0}};
  const double positions[][4] = {{1.0, 1.0, 1.0, 1.0}, {0.7, 0.6, 0.9, 0.1}, {0.8, 0.8, 0.8, 0.8}};
  for (const auto& speed : speeds) {
    for (const auto& position : positions) {
      CAPTURE(control, speed[0], speed[1], speed[2], position[0], position[1], position[2], position[3]);
      for (int p = 0; p < 3; ++p) hall.set_speed(std::string("facility.pump_") + "abc"[p], speed[p]);
      for (std::size_t cdu = 0; cdu < 4; ++cdu) hall.set_valve(cdu, position[cdu]);
      hall.solve();
      const auto taken = [&](double difference_pa, std::size_t cdu) {
        return user_flow(5.0, 0.5, position[cdu], difference_pa / ((1.0 - share) * 200e3));
      };
      const double difference_pa = tests::root_of(
          [&](double d) {
            double surplus = 0.0;
            for (const double s : speed) surplus += s > 0.0 ? pump.flow_at(d, s) : 0.0;
            for (std::size_t cdu = 0; cdu < 4; ++cdu) surplus -= taken(d, cdu);
            return surplus;
          },
          0.0, 262e3);
      for (std::size_t cdu = 0; cdu < 4; ++cdu) {
        const double ours = hall.kg_per_s("cdu_" + std::to_string(cdu + 1) + ".facility_supply");
        CHECK(ours == Approx(taken(difference_pa, cdu)).epsilon(1e-5));
        if (cdu == 0 && speed[1] == 0.0 && position[0] == 0.7)
          tests::report_verification({"CDU 1 of 4 at 70 %, one pump of two, " + control, "closed form", "facility flow",
                                      ours, taken(difference_pa, cdu), 1e-5 * ours, "kg/s"});
      }
    }
  }
}

TEST_CASE("with everything open and the pumps on duty, users have their design flow", "[water_network]") {
  const double drop_pa = GENERATE(0.0, 60e3);
  Scenario scenario = tests::small_hall_scenario();  // four CDUs of 5 kg/s, two pumps of 10 kg/s on duty
  scenario.cooling.water.front().pumps.header_pressure_drop_pa = drop_pa;
  SetHall hall(scenario);
  hall.set_speed("facility.pump_a", 1.0);
  hall.set_speed("facility.pump_b", 1.0);
  for (std::size_t cdu = 0; cdu < 4; ++cdu) hall.set_valve(cdu, 1.0);
  hall.solve();
  CAPTURE(drop_pa);
  for (int cdu = 1; cdu <= 4; ++cdu)
    CHECK(hall.kg_per_s("cdu_" + std::to_string(cdu) + ".facility_supply") == Approx(5.0).epsilon(1e-5));

  // A header that takes pressure lets those at its end have more when those before it close, and these less where they do.
  for (std::size_t cdu = 0; cdu < 3; ++cdu) hall.set_valve(cdu, 0.0);
  hall.solve();
  const double last_kg_per_s = hall.kg_per_s("cdu_4.facility_supply");
  // d = 0.95 p_r less what the headers take: 15 kPa for each of four lengths at 20, 15, 10 and 5 kg/s, all with one flow now
  const double lengths = 0.25 * (1.0 / 16.0 + 1.0 / 9.0 + 1.0 / 4.0 + 1.0) * drop_pa;
  const double pump_pa = 0.5 * 0.5 * 0.25 * share * 200e3;  // two pumps share a quarter of the flow
  const double user_pa = (1.0 - share) * 200e3 - drop_pa;
  const double expected = 5.0 * std::sqrt(200e3 / (user_pa + lengths + pump_pa));
  CHECK(last_kg_per_s == Approx(expected).epsilon(1e-5));
  tests::report_verification(
      {"last of four CDUs, headers of " + std::to_string(int(drop_pa / 1e3)) + " kPa, others shut", "closed form",
       "facility flow", last_kg_per_s, expected, 1e-5 * expected, "kg/s"});
}

TEST_CASE("doors and air handlers share the chilled water, and a setting moves that of the doors", "[water_network]") {
  SetHall hall(tests::small_hall_scenario());
  hall.set_speed("chilled_water.pump_a", 1.0);
  hall.solve();
  const double before = hall.kg_per_s("row_1.rack_1.door_supply"), handler = hall.kg_per_s("crah_1.supply");
  hall.state.inputs[tests::input_named(hall.plant, "rear_doors.flow")] *= 0.5;
  hall.solve();
  CHECK(hall.kg_per_s("row_1.rack_1.door_supply") / hall.kg_per_s("crah_1.supply") ==
        Approx(0.5 * before / handler).epsilon(1e-5));
  CHECK(hall.kg_per_s("crah_1.supply") > handler);
  hall.state.inputs[tests::input_named(hall.plant, "rear_doors.flow")] = 0.0;
  hall.solve();
  CHECK(hall.kg_per_s("row_1.rack_1.door_supply") == 0.0);
}

TEST_CASE("a pump that is asked for more than its curve has is reported", "[water_network][limits]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = 120.0;
  scenario.events = {tests::set_event({.at_s = 60.0, .targets = {"rear_doors.flow"}, .to_si = 5.0})};
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(300.0, 4000.0);
  tests::WorkRun simulation(scenario, plant, work, by_multirate());
  simulation.start();
  simulation.run(120.0, {});
  const auto reported = std::ranges::find(simulation.events(), "chilled_water.pump_a", &EventRecord::target);
  REQUIRE(reported != simulation.events().end());
  CHECK(reported->kind == "limit_exceeded");
  CHECK(reported->time_s >= 60.0);
  CHECK(reported->detail.find("beyond the end of its pump curve") != std::string::npos);
}

TEST_CASE("a pump that holds its pressure turns as slowly as its curve lets it", "[water_network][water_pump]") {
  const physics::HeaderPump::Params params{{{.rated_flow_kg_per_s = 77.0, .pressure_pa = 200e3}, {}}, true};
  using Now = physics::HeaderPump::Now;
  const auto speed = [&](double most, double flow) {
    return physics::HeaderPump::turning_fraction(params, Now{{most}, {1.0}, {flow}});
  };
  CHECK(speed(1.0, 77.0) == Approx(1.0).epsilon(1e-12));
  CHECK(speed(1.0, 0.0) == Approx(std::sqrt(1.0 / 1.31)).epsilon(1e-12));
  CHECK(speed(0.8, 0.0) == 0.8);   // it coasts down
  CHECK(speed(1.0, 90.0) == 1.0);  // beyond its rating it gives less than that
  const double slow = speed(1.0, 30.0);
  CHECK(params.on_curve.pressure_pa(slow, 30.0) == Approx(200e3).epsilon(1e-12));
  // Affinity: power at a speed and flow is that at full speed and the flow over the speed, times the cube.
  CHECK(params.on_curve.power_w(slow, 30.0) ==
        Approx(slow * slow * slow * params.on_curve.power_w(1.0, 30.0 / slow)).epsilon(1e-12));
  const double rated_w = 200e3 * 77.0 / 998.0 / params.on_curve.pump.efficiency_fraction;
  CHECK(params.on_curve.power_w(1.0, 77.0) == Approx(rated_w).epsilon(1e-12));
  CHECK(params.on_curve.power_w(1.0, 0.0) == Approx(0.46 * rated_w).epsilon(1e-12));
}

// From shut-off to its best point the parabola is within 3.1 % of the table, the straight line of the power within 5.5 %; at 16 %
// beyond it 6 %.
TEST_CASE("the curve of a pump is a manufacturer's table up to its rating", "[water_network][water_pump]") {
  struct Row {
    double flow_m3_per_s, pressure_pa, power_w;
  };
  constexpr double best_m3_per_s = 0.0214286, best_pa = 128439.5, best_w = 3592.8;
  physics::PumpOnCurve pump{{.rated_flow_kg_per_s = best_m3_per_s * physics::pumped_water_kg_per_m3,
                             .pressure_pa = best_pa,
                             .efficiency_fraction = best_m3_per_s * best_pa / best_w},
                            {}};
  for (const Row& row :
       {Row{0.0030345, 168215.2, 1905.3}, Row{0.005789, 166653.2, 2202.0}, Row{0.0086368, 164291.8, 2548.9},
        Row{0.0113912, 161128.3, 2812.1}, Row{0.0146125, 154367.8, 3146.1}, Row{0.0181606, 142807.1, 3435.1},
        Row{0.0214286, 128439.5, 3592.8}, Row{0.0248366, 108468.2, 3710.1}}) {
    const double flow_kg_per_s = row.flow_m3_per_s * physics::pumped_water_kg_per_m3;
    const bool is_beyond = row.flow_m3_per_s > best_m3_per_s;
    const double pressure_pa = pump.pressure_pa(1.0, flow_kg_per_s), power_w = pump.power_w(1.0, flow_kg_per_s);
    const double pressure_tolerance_pa = (is_beyond ? 0.06 : 0.031) * row.pressure_pa;
    const double power_tolerance_w = (is_beyond ? 0.06 : 0.055) * row.power_w;
    CAPTURE(row.flow_m3_per_s, pressure_pa, power_w);
    CHECK(std::abs(pressure_pa - row.pressure_pa) < pressure_tolerance_pa);
    CHECK(std::abs(power_w - row.power_w) < power_tolerance_w);
    const std::string at =
        "Wilo IL 80/220 on its curve, " + std::to_string(1e3 * row.flow_m3_per_s).substr(0, 4) + " L/s";
    tests::report_verification({at, "modelica_buildings", "pressure rise", pressure_pa / 1e3, row.pressure_pa / 1e3,
                                pressure_tolerance_pa / 1e3, "kPa", "published"});
    tests::report_verification(
        {at, "modelica_buildings", "electric power", power_w, row.power_w, power_tolerance_w, "W", "published"});
  }
}
