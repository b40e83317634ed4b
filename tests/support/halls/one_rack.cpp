#include "tests/support/halls/one_rack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/units/cold_plate.hpp"
#include "physics/units/node_rest.hpp"

namespace wattloop::tests {

namespace {

twin::NodeHardware node_hardware() {
  physics::ColdPlate::Params gpu;
  gpu.die_heat_capacity_j_per_k = 60.0;
  gpu.plate_heat_capacity_j_per_k = 332.0;
  gpu.die_to_plate_w_per_k = 50.0;
  gpu.design_conductance_w_per_k = 60.0;
  gpu.design_flow_kg_per_s = 0.0142;
  gpu.leakage_w_per_k = 1.0;

  physics::NodeRest::Params rest;
  rest.capture_fraction = 0.45;
  rest.liquid_heat_capacity_j_per_k = 2000.0;
  rest.liquid_conductance_w_per_k = 80.0;
  rest.liquid_design_flow_kg_per_s = 0.04;
  rest.air_heat_capacity_j_per_k = 8000.0;
  rest.air_conductance_w_per_k = 120.0;
  rest.air_design_flow_kg_per_s = 0.15;

  twin::NodeHardware node;
  node.name = "test_node";
  node.nameplate_w = 10200.0;
  node.coolant_design_flow_kg_per_s = 0.155;
  node.coolant_pressure_drop_pa = 80e3;
  node.airflow_kg_per_s = 0.15;
  node.rack_liquid_volume_per_node_m3 = 0.0012;
  node.units = {{"gpu", 8, 0.75, 0.0, {"cold_plate", gpu}}, {"rest", 1, 0.25, 1.0, {"node_rest", rest}}};
  node.split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
  node.psu = {.rated_w = 13200.0,
              .cords = 1,
              .efficiency_at_10_fraction = 0.90,
              .efficiency_at_20_fraction = 0.94,
              .efficiency_at_50_fraction = 0.96,
              .efficiency_at_100_fraction = 0.91};
  return node;
}

}  // namespace

twin::Scenario one_rack_scenario() {
  twin::Scenario scenario;
  scenario.name = "one_rack_in_code";
  scenario.duration_s = 600.0;
  scenario.initial = twin::InitialState::steady;
  scenario.racks.front().hardware = node_hardware();
  twin::LoopsSpec& loops = scenario.cooling.loops.front();
  loops.supply_k = 305.15;
  loops.volume_m3 = 0.06;
  loops.cdu.rated_heat_w = 121e3;
  loops.cdu.design_conductance_w_per_k = 30e3;
  loops.cdu.technology_design_flow_kg_per_s = 2.0;
  loops.cdu.facility_design_flow_kg_per_s = 2.2;
  loops.cdu.internal_pressure_drop_pa = 30e3;
  loops.cdu.technology_volume_m3 = 0.01;
  loops.cdu.facility_volume_m3 = 0.006;
  loops.pump.shutoff_pressure_pa = 180e3;
  loops.pump.quadratic_pa_s2_per_m6 = -1.6e10;
  scenario.cooling.doors.resize(1);
  scenario.cooling.doors.front().is_given = true;
  scenario.cooling.doors.front().supply_k = 293.15;
  scenario.cooling.doors.front().door.rated_heat_w = 35e3;
  scenario.cooling.doors.front().door.design_conductance_w_per_k = 2500.0;
  scenario.cooling.doors.front().door.air_design_flow_kg_per_s = 1.2;
  scenario.cooling.doors.front().door.water_design_flow_kg_per_s = 0.9;
  scenario.cooling.doors.front().door.water_volume_m3 = 0.0057;
  scenario.cooling.rooms.front().volume_m3 = 60.0;
  scenario.cooling.rooms.front().mass_heat_capacity_j_per_k = 200e3;
  scenario.cooling.water.front().supply_k = 297.15;
  scenario.power.transformer = {.rated_va = 630e3, .no_load_loss_w = 1180.0, .load_loss_w = 6800.0};
  scenario.power.ups = {.rated_w = 150e3,
                        .constant_loss_fraction = 0.007,
                        .linear_loss_fraction = 0.008,
                        .quadratic_loss_fraction = 0.016};
  scenario.power.pdu = {.rated_w = 120e3, .constant_loss_fraction = 0.002, .quadratic_loss_fraction = 0.01};
  return scenario;
}

double ConstantWork::next_change_s(double) const { return std::numeric_limits<double>::infinity(); }

void ConstantWork::sample(double, workload::NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const {
  std::fill(gpu_w.begin(), gpu_w.end(), gpu_w_);
  std::fill(node_ac_w.begin(), node_ac_w.end(), node_w_);
}

double SquareWork::next_change_s(double t_s) const {
  return (std::floor(t_s / half_s_ * 4.0 + 1e-9) + 1.0) * half_s_ / 4.0;
}

void SquareWork::sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
                        std::span<double> node_ac_w) const {
  const std::size_t gpus = gpu_w.size() / node_ac_w.size();
  for (std::size_t node = 0; node < nodes.count; ++node) {
    const double halves = std::floor(t_s / half_s_ + 1e-9 + static_cast<double>((nodes.first + node) % 8) / 4.0);
    const double gpu = std::fmod(halves, 2.0) < 0.5 ? 600.0 : 200.0;
    for (std::size_t k = 0; k < gpus; ++k) gpu_w[node * gpus + k] = gpu;
    node_ac_w[node] = 1600.0 + 1.12 * 8.0 * gpu;
  }
}

}  // namespace wattloop::tests
