// A node of eight GPUs in air, four behind four, of which four work: in steady state by hand, with no number of the model's,
//
//   front   T_die - T_inlet = P (1/G_ds + 1/G_0)                      G_0 = m c (1 - exp(-UA / (m c))),  UA = UA_0 (m/m_0)^n
//   behind  T_die - T_inlet = P (1/G_ds + 1/G_0) + P_front / (m c)    whatever this one draws
//
// and in time: each integrator against the other while halves of the node take turns, where steps take the sink in front to be linear in
// time. Watts of a constant load contain leakage.
#include <algorithm>
#include <any>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "physics/units/heat_sink.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path beside_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "own.yaml";

const std::string hall = R"(format: 1
duration: 10 min
workload: { kind: constant }
hall:
  racks: { count: 1, nodes: 2, hardware: dgx_h100_air, gpu_spread: SPREAD, with: { fans: { controlled: false } } }
  cooling:
    facility: { supply_temperature: 24 degC, volume: 2 m3, pumps: { count: 1, duty: 1, hardware: water_pump_77kgs }, towers: { count: 1, hardware: tower_2500kw } }
    chilled_water:
      supply_temperature: 12 degC
      volume: 2 m3
      pumps: { count: 1, duty: 1, hardware: water_pump_72kgs }
      chillers: { count: 1, hardware: chiller_1250kw }
    crahs: { count: 1, hardware: crah_100kw, air_temperature: 24 degC }
    room: { volume: 200 m3, mass_heat_capacity: 5 MJ/K, humidity: { dew_point: 5 degC } }
power:
  transformers: { count: 1, hardware: transformer_1000kva }
  ups: { modules: 1, hardware: ups_250kw }
  pdus: { count: 1, hardware: pdu_225kva }
)";

/// Front and rear GPUs of every node at powers of their own, which they change every `turn_s`.
class HalfWork final : public workload::Workload {
 public:
  HalfWork(double front_w, double rear_w, double turn_s) : front_w_(front_w), rear_w_(rear_w), turn_s_(turn_s) {}
  double next_change_s(double t_s) const override { return (std::floor(t_s / turn_s_) + 1.0) * turn_s_; }
  void sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
              std::span<double> node_ac_w) const override {
    const bool is_turned = std::fmod(std::floor(t_s / turn_s_), 2.0) == 1.0;
    for (std::size_t gpu = 0; gpu < gpu_w.size(); ++gpu) gpu_w[gpu] = (gpu % 8 < 4) != is_turned ? front_w_ : rear_w_;
    std::fill_n(node_ac_w.begin(), nodes.count, 2100.0 + 1.12 * 4.0 * (front_w_ + rear_w_));
  }

 private:
  double front_w_, rear_w_, turn_s_;
};

struct Run {
  Run(const workload::Workload& work, bool is_multirate, const std::string& spread = "none")
      : scenario(read_scenario_text(std::string(hall).replace(hall.find("SPREAD"), 6, spread), beside_scenarios)),
        plant(build_plant(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, work, run_method) {
    simulation.start();
  }
  PlantSnapshot now() const { return {plant, simulation.state(), simulation.evaluation()}; }
  double rise_k(std::size_t gpu) const {
    return now().die_k(gpu) - now().reported("racks", "row_1.rack_1", "inlet_air_temperature");
  }

  const Scenario scenario;
  const Plant plant;
  const RunMethod run_method;
  tests::WorkRun simulation;
};

}  // namespace

TEST_CASE("a rear GPU is warmed by the heat of the one in front, not by its own", "[gpus_in_order]") {
  for (const auto& [front_w, rear_w] : {std::pair(700.0, 700.0), std::pair(100.0, 600.0), std::pair(600.0, 100.0)}) {
    const HalfWork work(front_w, rear_w, 1e9);
    const Run run(work, true);
    const NodeHardware& node = run.scenario.racks.front().hardware;
    const auto gpu = std::ranges::find(node.units, "gpu", &NodeUnits::name);
    const auto& p = std::any_cast<const physics::HeatSink::Params&>(gpu->spec.params);
    const double kg_per_s = node.airflow_kg_per_s * gpu->air_share_fraction / 8.0 * 2.0, mc = kg_per_s * 1006.0;
    const auto alone_k = [&](double watts, double conductance_w_per_k) {
      const double film = conductance_w_per_k * std::pow(kg_per_s / p.design_flow_kg_per_s, p.flow_exponent_ratio);
      return watts * (1.0 / p.die_to_sink_w_per_k + 1.0 / (mc * (1.0 - std::exp(-film / mc))));
    };
    for (const std::size_t number : {0u, 3u, 8u})
      CHECK(run.rise_k(number) == Approx(alone_k(front_w, p.design_conductance_w_per_k)).epsilon(1e-3));
    for (const std::size_t number : {4u, 7u, 15u}) {
      const double must_k = alone_k(rear_w, p.design_conductance_w_per_k * p.rear_conductance_ratio) + front_w / mc;
      CHECK(run.rise_k(number) == Approx(must_k).epsilon(1e-3));
      if (number == 4)
        tests::report_verification({fmt::format("rear GPU of {:.0f} W behind one of {:.0f} W, in air", rear_w, front_w),
                                    "closed form", "die above the inlet", run.rise_k(number), must_k, 0.05, "K"});
    }
  }
}

TEST_CASE("integrators agree on GPUs in order while halves of a node take turns", "[gpus_in_order][conservation]") {
  for (const std::string spread : {"none", "{resistance: 7 %, flow: 5 %, leakage: 10 %}"}) {
    for (const double rear_w : {100.0, 0.0}) {  // without load a GPU is off, and units of a rack step one by one
      const HalfWork work(600.0, rear_w, 30.0);
      Run slow(work, false, spread), quick(work, true, spread);
      for (const double until_s : {31.0, 40.0, 60.0, 200.0, 217.0, 600.0}) {
        slow.simulation.run(until_s, {});
        quick.simulation.run(until_s, {});
        INFO(until_s << " s, " << rear_w << " W");
        for (std::size_t gpu = 0; gpu < 16; ++gpu) CHECK(std::abs(slow.rise_k(gpu) - quick.rise_k(gpu)) < 0.1);
      }
      for (const Run* run : {&slow, &quick}) {
        CHECK(std::abs(energy_balance(run->plant, run->simulation.state(), run->simulation.initial_energy())
                           .residual_ratio()) < 1e-8);
      }
    }
  }
}
