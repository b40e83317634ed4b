// Units in steady state against closed forms, and the Jacobian of a plant with its units in steady state against eliminating their states
// from the Jacobian of all of it.
//
//   q = P + l (x - T_ref),  x = T_in + R q,  R = 1/G + 1/g(m)
//   q = (P + l (T_in - T_ref)) / (1 - l R),  dq/dT_in = l / (1 - l R),  dq/dm = l q R'(m) / (1 - l R)
//
// from [incropera2011] ch. 3 (resistances in series); a rest exists and is stable where l R < 1.
#include "twin/units/settled_units.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "physics/units/cold_plate.hpp"
#include "physics/units/node_rest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/integration/core/jacobian.hpp"
#include "twin/units/settled_classes.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using physics::ColdPlate;
using physics::NodeRest;

namespace {

constexpr double flow_kg_per_s = 0.014;
constexpr double specific_heat = 3950.0;

ColdPlate::Params leaking(double slope_w_per_k) {
  ColdPlate::Params p;
  p.die_heat_capacity_j_per_k = 60.0;
  p.plate_heat_capacity_j_per_k = 332.0;
  p.die_to_plate_w_per_k = 40.0;
  p.design_conductance_w_per_k = 45.0;
  p.design_flow_kg_per_s = 0.0175;
  p.leakage_w_per_k = slope_w_per_k;
  return p;
}

/// From die to inlet.
double resistance_k_per_w(const ColdPlate::Params& p, double flow) {
  const double mc = flow * specific_heat;
  const double film = p.design_conductance_w_per_k * std::pow(flow / p.design_flow_kg_per_s, p.flow_exponent_ratio);
  return 1.0 / p.die_to_plate_w_per_k + 1.0 / (mc * (1.0 - std::exp(-film / mc)));
}

UnitNow<2, 1> gpu_now(double load_w) { return {{320.0, 310.0}, {{{305.15, flow_kg_per_s, specific_heat}}}, load_w}; }

/// Counts how often conductances are computed: for each class at new flows three times, at these and beside them.
struct Counted : ColdPlate {
  static inline int count = 0;
  static std::array<double, 1> conductances_w_per_k(const Params& p, const std::array<PortNow, 1>& port) noexcept {
    ++count;
    return ColdPlate::conductances_w_per_k(p, port);
  }
};

}  // namespace

TEST_CASE("a GPU in steady state is where resistances in series put it, and its heat follows its inlet as they say",
          "[settled]") {
  const ColdPlate::Params p = leaking(2.0);
  UnitNow<2, 1> now = gpu_now(620.0);
  const SettledUnits<ColdPlate> settled(p, now.port);
  REQUIRE(settled.settle(now));
  const double resistance = resistance_k_per_w(p, flow_kg_per_s), feedback = 1.0 - p.leakage_w_per_k * resistance;
  const double heat_w = (620.0 + p.leakage_w_per_k * (305.15 - p.leakage_reference_k)) / feedback;
  CHECK(now.state[0] == Approx(305.15 + resistance * heat_w).epsilon(1e-13));
  CHECK(now.state[1] == Approx(305.15 + (resistance - 1.0 / p.die_to_plate_w_per_k) * heat_w).epsilon(1e-13));
  tests::report_verification({.case_name = "idle GPU with leakage, steady",
                              .source = "closed form",
                              .quantity = "die temperature",
                              .ours = now.state[0],
                              .theirs = 305.15 + resistance * heat_w,
                              .tolerance = 5e-11,
                              .unit = "K"});

  HeatByInlet<1> slope;
  settled.add_heat_by_inlet(now, slope);
  CHECK(slope.temperature_w_per_k[0][0] == Approx(p.leakage_w_per_k / feedback).epsilon(1e-6));
  const double h = 1e-4 * flow_kg_per_s;
  const double resistance_slope =
      (resistance_k_per_w(p, flow_kg_per_s + h) - resistance_k_per_w(p, flow_kg_per_s - h)) / (2.0 * h);
  CHECK(slope.flow_j_per_kg[0][0] == Approx(p.leakage_w_per_k * heat_w * resistance_slope / feedback).epsilon(1e-6));
}

TEST_CASE("the rest of a node in steady state gives what it draws, whatever its inlets", "[settled]") {
  NodeRest::Params p;
  p.capture_fraction = 0.45;
  p.liquid_heat_capacity_j_per_k = 4000.0;
  p.liquid_conductance_w_per_k = 90.0;
  p.liquid_design_flow_kg_per_s = 0.042;
  p.air_heat_capacity_j_per_k = 9000.0;
  p.air_conductance_w_per_k = 140.0;
  p.air_design_flow_kg_per_s = 0.153;
  UnitNow<2, 2> now{{300.0, 400.0}, {{{305.0, 0.03, specific_heat}, {297.0, 0.1, 1006.0}}}, 2300.0};
  const SettledUnits<NodeRest> settled(p, now.port);
  REQUIRE(settled.settle(now));
  const auto rates = NodeRest::rates(p, now);
  CHECK(rates.heat_w[0] == Approx(0.45 * 2300.0).epsilon(1e-12));
  CHECK(rates.heat_w[1] == Approx(0.55 * 2300.0).epsilon(1e-12));
  HeatByInlet<2> slope;
  settled.add_heat_by_inlet(now, slope);
  for (std::size_t q = 0; q < 2; ++q) {
    for (std::size_t inlet = 0; inlet < 2; ++inlet) {
      CHECK(slope.temperature_w_per_k[q][inlet] == Approx(0.0).margin(1e-5));  // of conductances of some 100 W/K
      CHECK(slope.flow_j_per_kg[q][inlet] == Approx(0.0).margin(0.1));         // of some 10 kJ/kg
    }
  }
}

TEST_CASE("a GPU whose leakage runs away has no steady state", "[settled]") {
  const double limit_w_per_k = 1.0 / resistance_k_per_w(leaking(0.0), flow_kg_per_s);
  for (const double share : {0.5, 0.99, 1.01, 3.0}) {
    const ColdPlate::Params p = leaking(share * limit_w_per_k);
    UnitNow<2, 1> now = gpu_now(620.0);
    CHECK(SettledUnits<ColdPlate>(p, now.port).settle(now) == (share < 1.0));
  }
}

TEST_CASE("a GPU without load and without flow rests as it is", "[settled]") {
  UnitNow<2, 1> now = gpu_now(0.0);
  now.port[0].flow_kg_per_s = 0.0;
  now.state = {312.0, 312.0};
  const ColdPlate::Params p = leaking(2.0);
  CHECK(SettledUnits<ColdPlate>(p, now.port).settle(now));
  CHECK(now.state == std::array{312.0, 312.0});
}

TEST_CASE("the Jacobian with units in steady state is that of all states with theirs eliminated", "[settled]") {
  const Scenario scenario = tests::one_rack_scenario();
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(560.0, 6900.0);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  simulation.start();
  const Evaluation& evaluation = simulation.evaluation();

  Jacobian whole(plant);
  whole.assemble(evaluation);
  const std::size_t size = plant.map.state_count;
  std::vector<std::vector<double>> dense(size, std::vector<double>(size, 0.0));  // [row][column]
  for (std::size_t column = 0; column < size; ++column) {
    for (auto k = whole.column_starts()[column]; k < whole.column_starts()[column + 1]; ++k) {
      dense[static_cast<std::size_t>(whole.rows()[k])][column] = whole.values()[k];
    }
  }
  std::vector<bool> is_unit(size, false);
  for (const auto& group : plant.groups) {
    for (std::size_t k = 0; k < group->states().size() * group->count(); ++k) is_unit[group->first_state + k] = true;
  }
  for (std::size_t u = 0; u < size; ++u) {
    if (!is_unit[u]) continue;
    for (std::size_t row = 0; row < size; ++row) {
      const double factor = dense[row][u] / dense[u][u];
      if (row == u || factor == 0.0) continue;
      for (std::size_t column = 0; column < size; ++column) dense[row][column] -= factor * dense[u][column];
    }
  }

  std::vector<std::size_t> slots;
  for (std::size_t slot = 0; slot < size; ++slot) {
    if (!is_unit[slot] && !plant.layout.is_meter(slot)) slots.push_back(slot);
  }
  Jacobian settled = Jacobian::with_settled_units(plant, slots);
  settled.assemble(evaluation);
  std::size_t compared = 0;
  for (std::size_t column = 0; column < slots.size(); ++column) {
    std::vector<double> of_column(slots.size(), 0.0);
    for (auto k = settled.column_starts()[column]; k < settled.column_starts()[column + 1]; ++k) {
      of_column[static_cast<std::size_t>(settled.rows()[k])] = settled.values()[k];
    }
    for (std::size_t row = 0; row < slots.size(); ++row) {
      const double expected = dense[slots[row]][slots[column]];
      INFO("d " << plant.layout.name(slots[row]) << " / d " << plant.layout.name(slots[column]));
      CHECK(of_column[row] == Approx(expected).epsilon(1e-6).margin(1e-8));
      compared += expected != 0.0 ? 1 : 0;
    }
  }
  CHECK(compared > 40);
}

TEST_CASE("classes in steady state are those of their flows, computed once for a few flows that take turns",
          "[settled]") {
  const std::array classes{leaking(0.0), leaking(2.0)};
  const int flows = GENERATE(3, 20);  // these are more than are kept
  SettledClasses<Counted> settled;
  Counted::count = 0;
  for (int turn = 0; turn < 10 * flows; ++turn) {
    UnitNow<2, 1> now = gpu_now(620.0);
    now.port[0].flow_kg_per_s = 0.01 + 0.001 * ((7 * turn) % flows);
    settled.set(classes, now.port);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      UnitNow<2, 1> known = now, alone = now;
      REQUIRE(settled[k].settle(known));
      REQUIRE(SettledUnits<ColdPlate>(classes[k], now.port).settle(alone));
      CHECK(known.state == alone.state);
    }
  }
  if (flows == 3) CHECK(Counted::count == 3 * 3 * static_cast<int>(classes.size()));
}
