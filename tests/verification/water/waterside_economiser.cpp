// A waterside economiser in three modes: its sequence by hand, and in a small hall against what each mode must be.
//
//   T_p = max(T_wb + a_tower, T_low) + a_exchanger
//   partial from T_return - enable to T_return - disable, full from T_set - full to T_set         (hysteresis)
//   mechanical  the hall without exchanger, to 1e-6 of its energy
//   full        no chiller runs, the supply holds its set-point
//   hours of modes add up to the run, and both integrators change mode at the same instants
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "physics/water/plate_exchanger.hpp"
#include "physics/water/waterside_economiser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using physics::CoolingMode;
using physics::CoolingModeMemory;
using Economiser = physics::WatersideEconomiser;

namespace {

constexpr double zero_c = 273.15;

/// Approaches of 4 and 3 K, margins of 1, 0.5 and 0.6 K: at a return of 24 degC it works below a wet bulb of 16 degC and rests above
/// 16.5; with a set-point of 20 degC chillers are off below 12.4 degC and on above 13.
constexpr Economiser::Params by_hand{.tower_approach_k = 4.0,
                                     .exchanger_approach_k = 3.0,
                                     .enable_margin_k = 1.0,
                                     .disable_margin_k = 0.5,
                                     .full_margin_k = 0.6,
                                     .warm_supply_margin_k = 1.1,
                                     .warm_supply_time_s = 600.0,
                                     .minimum_time_s = 1200.0,
                                     .minimum_basin_k = zero_c + 5.0,
                                     .minimum_condenser_k = zero_c + 12.8,
                                     .dew_point_margin_k = 2.0};

constexpr Economiser::Now at(double wet_bulb_c, double supply_c = 20.0, double dew_point_c = 5.0) {
  return {zero_c + wet_bulb_c, zero_c + 24.0, zero_c + supply_c, zero_c + 20.0, zero_c + dew_point_c};
}

CoolingMode fitting(double wet_bulb_c, CoolingMode held, const Economiser::Plant& plant = {}) {
  return Economiser::fitting(by_hand, plant, at(wet_bulb_c), held);
}

/// A small hall with two exchangers that could carry more than all of its chilled water, at a constant day.
Scenario hall(const Economiser::Params& sequence, bool has_economiser = true) {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = 3600.0;
  scenario.weather.design_day = "mild";
  scenario.start = "2026-04-15T08:00:00";
  scenario.cooling.rooms.front().humidity = {.is_given = true, .dew_point_k = zero_c + 12.0};
  if (!has_economiser) return scenario;
  physics::PlateExchanger::Params plates;
  plates.rated_heat_w = 150e3;
  plates.conductance_w_per_k = 150e3;
  plates.warm_design_flow_kg_per_s = plates.cold_design_flow_kg_per_s = 12.0;
  plates.warm_volume_m3 = plates.cold_volume_m3 = 0.05;
  plates.pump_pressure_pa = 80e3;
  for (const char* name : {"plates_1", "plates_2"}) {
    scenario.parts.push_back({name,
                              "plate_exchanger",
                              plates,
                              {},
                              {{"cold", "facility.supply", "facility.return", {}},
                               {"warm", "chilled_water.return", "chilled_water.return", {}}},
                              {}});
  }
  SequenceSpec spec{.name = "economiser", .kind = std::string(Economiser::kind), .params = sequence};
  spec.references = {{"exchanger", "plates"}, {"towers", "facility"}, {"chilled_water", "chilled_water"}};
  spec.every_s = 60.0;
  scenario.sequences.push_back(spec);
  return scenario;
}

double wet_bulb_k(const Scenario& scenario, double time_s) {
  const Outdoors outdoors = make_outdoors(scenario);
  return physics::weather_at(outdoors.weather, outdoors.start_s + time_s).wet_bulb_k;
}

/// With approaches such that the wet bulb at `time_s` leads to that temperature behind the exchanger.
Economiser::Params leading_to(double leaving_k, double time_s) {
  Economiser::Params sequence = by_hand;
  sequence.exchanger_approach_k = 1.0;
  sequence.full_margin_k = 0.05;  // the wet bulb moves by 0.3 K in half an hour
  sequence.tower_approach_k = leaving_k - sequence.exchanger_approach_k - wet_bulb_k(hall(sequence), time_s);
  return sequence;
}

enum class Method { multirate, monolithic };

/// Extremes of water, at every instant.
class Water final : public Observer {
 public:
  explicit Water(const Plant& plant) : plant_(plant) {}
  void observe(const PlantState& state, const Evaluation& evaluation) override {
    const auto k = [&](const char* name) {
      return evaluation.signals[plant_.nodes[tests::node_named(plant_, name)].temperature_signal];
    };
    coldest_tower_k = std::min(coldest_tower_k, k("facility.supply"));
    if (!plant_.economisers.empty())
      lowest_tower_set_k = std::min(lowest_tower_set_k, state.inputs[plant_.economisers.front().tower_input]);
    warmest_chilled_k = std::max(warmest_chilled_k, k("chilled_water.supply"));
    coldest_chilled_k = std::min(coldest_chilled_k, k("chilled_water.supply"));
  }
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  double coldest_tower_k = 1e3, lowest_tower_set_k = 1e3, warmest_chilled_k = 0.0, coldest_chilled_k = 1e3;

 private:
  const Plant& plant_;
};

struct Run {
  explicit Run(const Scenario& from, Method method = Method::multirate)
      : scenario(from), run_method(method == Method::multirate ? by_multirate() : by_monolithic()) {
    simulation.start();
  }
  Run& to_end() {
    simulation.run(scenario.duration_s, {&water});
    return *this;
  }
  const EconomiserState& economiser() const { return simulation.state().economisers.front(); }
  double in_mode_s(CoolingMode mode) const { return time_in_mode_s(economiser(), mode, simulation.state().time_s); }
  double used_j(const char* use) const {
    return simulation.state().states[plant.meters.energy[use_number(plant, use)]];
  }
  double feed_j() const { return simulation.state().states[plant.meters.feed]; }
  double flow_kg_per_s(const char* link) const {
    return simulation.evaluation().signals[tests::link_named(plant, link).flow_signal];
  }
  std::vector<double> mode_changes_s() const {
    std::vector<double> times_s;
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == "economiser") times_s.push_back(event.time_s);
    }
    return times_s;
  }
  double residual() const {
    return energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::SquareWork work{16.0};
  tests::WorkRun simulation{scenario, plant, work, run_method};
  Water water{plant};
};

double chilled_set_k() {
  const Plant plant = build_plant(hall(by_hand));
  return plant.initial_inputs[plant.economisers.front().set_point_input];
}

}  // namespace

TEST_CASE("an economiser goes on and off at its thresholds, with hysteresis", "[waterside_economiser]") {
  using enum CoolingMode;
  CHECK(fitting(15.99, mechanical) == partial);
  CHECK(fitting(16.01, mechanical) == mechanical);
  CHECK(fitting(16.49, partial) == partial);
  CHECK(fitting(16.51, partial) == mechanical);
  CHECK(fitting(12.39, partial) == full);
  CHECK(fitting(12.41, partial) == partial);
  CHECK(fitting(12.99, full) == full);
  CHECK(fitting(13.01, full) == partial);
  CHECK(fitting(16.51, full) == mechanical);  // in one step where the weather has gone that far
  CHECK(fitting(0.0, mechanical) == full);
}

TEST_CASE("an exchanger that cannot precool knows two modes", "[waterside_economiser]") {
  using enum CoolingMode;
  const Economiser::Plant beside{.can_precool = false};
  CHECK(fitting(12.39, mechanical, beside) == full);
  CHECK(fitting(12.99, full, beside) == full);
  CHECK(fitting(13.01, full, beside) == mechanical);
  CHECK(fitting(12.41, mechanical, beside) == mechanical);
}

TEST_CASE("an exchanger before chillers is judged by towers that they keep warm", "[waterside_economiser]") {
  // At a wet bulb of 14 degC towers make 18 degC, and 21 while chillers run: behind the exchanger 24 degC, no colder than the return.
  Economiser::Params warm = by_hand;
  warm.minimum_condenser_k = zero_c + 21.0;
  const Economiser::Plant shared{.cools_condensers = true};
  CHECK(Economiser::fitting(warm, shared, at(14.0)) == CoolingMode::mechanical);
  CHECK(Economiser::fitting(warm, {}, at(14.0)) == CoolingMode::partial);
  CHECK(Economiser::fitting(warm, shared, at(10.0)) == CoolingMode::full);  // chillers are off: towers may be colder
  warm.minimum_condenser_k = zero_c + 19.0;
  CHECK(Economiser::fitting(warm, shared, at(14.0)) == CoolingMode::partial);
}

TEST_CASE("a mode of an economiser lasts its least time", "[waterside_economiser]") {
  CoolingModeMemory memory;
  std::vector<std::pair<double, CoolingMode>> changes;
  for (double time_s = 0.0; time_s <= 7200.0; time_s += 60.0) {
    const double wet_bulb_c = static_cast<int>(time_s / 300.0) % 2 == 0 ? 10.0 : 20.0;  // of a fickle day
    const CoolingModeMemory next = Economiser::look(by_hand, {}, at(wet_bulb_c), memory, time_s);
    if (next.mode != memory.mode) changes.emplace_back(time_s, next.mode);
    memory = next;
  }
  REQUIRE(changes.size() >= 4);
  CHECK(changes[0] == std::pair(0.0, CoolingMode::full));
  CHECK(changes[1] == std::pair(1500.0, CoolingMode::mechanical));  // 1200 s are over while it is cold
  for (std::size_t k = 1; k < changes.size(); ++k) CHECK(changes[k].first - changes[k - 1].first >= 1200.0);
}

TEST_CASE("a supply that stays too warm brings chillers back before the least time is over", "[waterside_economiser]") {
  CoolingModeMemory memory{.mode = CoolingMode::full, .since_s = 0.0, .may_leave_s = 1e6};
  const auto look = [&](double time_s, double supply_c) {
    memory = Economiser::look(by_hand, {}, at(10.0, supply_c), memory, time_s);
    return memory.mode;
  };
  CHECK(look(60.0, 21.2) == CoolingMode::full);
  CHECK(look(300.0, 21.0) == CoolingMode::full);  // cool again: the count begins anew
  CHECK(look(360.0, 21.2) == CoolingMode::full);
  CHECK(look(900.0, 21.2) == CoolingMode::full);
  CHECK(look(960.0, 21.2) == CoolingMode::partial);
  CHECK(memory.may_leave_s == 960.0 + 1200.0);
  memory = {.mode = CoolingMode::partial, .since_s = 0.0, .may_leave_s = 1e6};
  CHECK(look(5000.0, 25.0) == CoolingMode::partial);  // chillers run there
}

TEST_CASE("towers hold what the exchanger needs, within what they can and may", "[waterside_economiser]") {
  const auto tower_c = [](double wet_bulb_c, const Economiser::Plant& plant, CoolingMode mode, double dew_point_c) {
    return Economiser::tower_k(by_hand, plant, at(wet_bulb_c, 20.0, dew_point_c), mode) - zero_c;
  };
  const Economiser::Plant alone, rooms{.cools_rooms = true}, condensers{.cools_condensers = true};
  CHECK(tower_c(5.0, alone, CoolingMode::full, 5.0) == Approx(17.0));      // set-point less approach
  CHECK(tower_c(15.0, alone, CoolingMode::partial, 5.0) == Approx(19.0));  // wet bulb and approach
  CHECK(tower_c(5.0, rooms, CoolingMode::full, 16.0) == Approx(18.0));     // dew point and margin
  CHECK(tower_c(5.0, alone, CoolingMode::full, 16.0) == Approx(17.0));     // nothing of it in the hall
  Economiser::Params cold = by_hand;
  cold.exchanger_approach_k = 12.0;  // needs 8 degC
  const auto low_c = [&](const Economiser::Plant& plant, CoolingMode mode) {
    return Economiser::tower_k(cold, plant, at(-10.0), mode) - zero_c;
  };
  CHECK(low_c(alone, CoolingMode::partial) == Approx(8.0));
  CHECK(low_c(condensers, CoolingMode::partial) == Approx(12.8));
  CHECK(low_c(condensers, CoolingMode::full) == Approx(8.0));
  cold.exchanger_approach_k = 17.0;  // would need 3 degC
  CHECK(low_c(alone, CoolingMode::full) == Approx(5.0));
  // Water that it may not have is not predicted either.
  CHECK(Economiser::predicted_k(by_hand, rooms, at(0.0, 20.0, 16.0), CoolingMode::full) == Approx(zero_c + 21.0));
}

TEST_CASE("with an economiser alone chillers draw nothing and the supply holds its set-point",
          "[waterside_economiser]") {
  const double set_k = chilled_set_k();
  Run run(hall(leading_to(set_k - 1.0, 7200.0)));
  CHECK(run.economiser().now.mode == CoolingMode::full);  // from its steady start
  run.to_end();
  CHECK(run.in_mode_s(CoolingMode::full) == 3600.0);
  CHECK(run.used_j("chiller") == 0.0);
  CHECK(run.used_j("plate_exchanger") > 0.0);
  CHECK(run.water.warmest_chilled_k - set_k < 0.3);
  CHECK(set_k - run.water.coldest_chilled_k < 0.3);
  CHECK(std::abs(run.residual()) < 1e-9);
}

TEST_CASE("an economiser that is shut off leaves the hall as it is without", "[waterside_economiser]") {
  Run with(hall(leading_to(chilled_set_k() + 30.0, 0.0)));
  Run without(hall(by_hand, false));
  with.to_end();
  without.to_end();
  CHECK(with.in_mode_s(CoolingMode::mechanical) == 3600.0);
  CHECK(with.flow_kg_per_s("plates_1.cold_in") == 0.0);
  CHECK(with.flow_kg_per_s("plates_1.warm_in") == 0.0);
  CHECK(with.used_j("plate_exchanger") == 0.0);
  for (const char* use : {"chiller", "facility_pump", "chilled_water_pump", "tower"}) {
    CAPTURE(use);
    CHECK(with.used_j(use) == Approx(without.used_j(use)).epsilon(1e-6));
  }
  CHECK(with.feed_j() == Approx(without.feed_j()).epsilon(1e-6));
}

TEST_CASE("in between the exchanger takes what it can and chillers do the rest", "[waterside_economiser]") {
  Run without(hall(by_hand, false));
  Run run(hall(leading_to(chilled_set_k() + 0.5, 0.0)));
  run.to_end();
  without.to_end();
  CHECK(run.in_mode_s(CoolingMode::partial) == 3600.0);
  CHECK(run.used_j("chiller") > 0.0);
  CHECK(run.used_j("chiller") < 0.9 * without.used_j("chiller"));
  CHECK(run.flow_kg_per_s("plates_1.warm_out") == Approx(run.flow_kg_per_s("plates_1.warm_in")));
  CHECK(run.flow_kg_per_s("plates_1.warm_past") == 0.0);
  CHECK(std::abs(run.residual()) < 1e-9);
}

TEST_CASE("in between the exchanger is in series on what users bring back", "[waterside_economiser]") {
  Scenario scenario = hall(leading_to(chilled_set_k() + 0.5, 0.0));
  scenario.parts.pop_back();  // one exchanger: 12 of 16 kg/s
  scenario.sequences.front().references.front().name = "plates_1";
  Run run(scenario);
  run.to_end();
  REQUIRE(run.in_mode_s(CoolingMode::partial) == 3600.0);
  const auto k = [&](const char* node) {
    return run.simulation.evaluation().signals[run.plant.nodes[tests::node_named(run.plant, node)].temperature_signal];
  };
  const double plates_kg_per_s = run.flow_kg_per_s("plates_1.warm_in");
  const double past_kg_per_s = run.flow_kg_per_s("chilled_water.users_return");
  CHECK(plates_kg_per_s == Approx(12.0).epsilon(1e-3));
  CHECK(past_kg_per_s > 1.0);
  // Users alone feed it: of what the exchanger has cooled nothing comes to its inlet, and both meet behind it.
  const double users_k = k("chilled_water.users_return"), left_k = k("plates_1.warm");
  const double mixed_k = (plates_kg_per_s * left_k + past_kg_per_s * users_k) / (plates_kg_per_s + past_kg_per_s);
  CHECK(users_k - left_k > 1.0);
  CHECK(k("chilled_water.return") == Approx(mixed_k).margin(0.05));
  CHECK(std::abs(run.residual()) < 1e-9);
}

TEST_CASE("in between as many chillers run as the flow needs, so that the supply holds its set-point",
          "[waterside_economiser][staging]") {
  const double set_k = chilled_set_k();
  Scenario scenario = hall(leading_to(set_k + 0.5, 0.0));  // all that flows past chillers was precooled to that
  ChillersSpec& chillers = scenario.cooling.chilled_water.front().chillers;
  chillers.chilled_pump.rated_flow_kg_per_s =
      7.5;  // of 15.8 kg/s that users draw: one carries the heat, and lets half by
  Run by_heat(scenario);
  by_heat.to_end();
  CHECK(by_heat.in_mode_s(CoolingMode::partial) == 3600.0);
  CHECK(by_heat.water.warmest_chilled_k - set_k > 0.25);
  chillers.warm_supply_k = 0.2;
  Run by_flow(scenario);
  by_flow.to_end();
  CHECK(by_flow.in_mode_s(CoolingMode::partial) == 3600.0);
  CHECK(by_flow.water.warmest_chilled_k - set_k < 0.3);
}

TEST_CASE("both integrators change mode at the same instants, and hours of modes add up", "[waterside_economiser]") {
  const Scenario scenario = hall(leading_to(chilled_set_k(), 1530.0));  // full is left at the look after that
  REQUIRE(wet_bulb_k(scenario, 1800.0) > wet_bulb_k(scenario, 1530.0));
  Run multirate(scenario, Method::multirate), monolithic(scenario, Method::monolithic);
  for (Run* run : {&multirate, &monolithic}) {
    CHECK(run->economiser().now.mode == CoolingMode::full);
    run->to_end();
    CHECK(run->mode_changes_s() == std::vector{1560.0});
    CHECK(run->in_mode_s(CoolingMode::full) == 1560.0);
    CHECK(run->in_mode_s(CoolingMode::partial) == 3600.0 - 1560.0);
    CHECK(run->in_mode_s(CoolingMode::mechanical) == 0.0);
    CHECK(run->used_j("chiller") > 0.0);
    CHECK(std::abs(run->residual()) < 1e-6);
  }
  CHECK(multirate.used_j("chiller") == Approx(monolithic.used_j("chiller")).epsilon(1e-3));
  CHECK(multirate.feed_j() == Approx(monolithic.feed_j()).epsilon(1e-5));
}

TEST_CASE("a run through a checkpoint keeps the hours of its modes", "[waterside_economiser]") {
  const Scenario scenario = hall(leading_to(chilled_set_k(), 1530.0));
  Run whole(scenario), first(scenario), second(scenario);
  whole.to_end();
  first.simulation.run(1800.0, {});
  second.simulation.resume(first.simulation.checkpoint());
  second.to_end();
  CHECK(second.economiser() == whole.economiser());
  CHECK(second.feed_j() == whole.feed_j());
}

TEST_CASE("water of the towers stays above the dew point of the hall", "[waterside_economiser]") {
  Scenario damp = hall(leading_to(chilled_set_k() - 1.5, 7200.0));
  damp.weather.design_day = "winter";
  Run dry(damp);
  CHECK(dry.to_end().in_mode_s(CoolingMode::full) == 3600.0);
  CHECK(dry.water.coldest_tower_k == Approx(chilled_set_k() - 1.0).margin(0.3));

  const double dew_k = chilled_set_k() - 2.5;  // water 0.5 K below the set-point is the coldest: not enough alone
  damp.cooling.rooms.front().humidity.dew_point_k = dew_k;
  Run run(damp);
  CHECK(run.to_end().in_mode_s(CoolingMode::partial) == 3600.0);
  CHECK(run.water.coldest_tower_k == Approx(dew_k + 2.0).margin(0.3));
}

TEST_CASE("the set-point of the towers stays above their minimum basin temperature", "[waterside_economiser]") {
  Scenario cold = hall(leading_to(chilled_set_k() - 1.5, 7200.0));
  cold.weather.design_day = "winter";
  cold.cooling.rooms.front().humidity.dew_point_k = zero_c + 2.0;
  std::any_cast<Economiser::Params&>(cold.sequences.front().params).minimum_basin_k = zero_c + 14.0;
  cold.events.push_back(tests::set_event(
      {.at_s = 300.0, .targets = {"rear_doors.supply_temperature"}, .to_si = zero_c + 12.0}));  // needs 11 degC
  Run run(cold);
  run.to_end();
  CHECK(run.water.lowest_tower_set_k == Approx(zero_c + 14.0));  // fans swing below that on their way
}
