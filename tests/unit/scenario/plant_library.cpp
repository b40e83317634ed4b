// Towers, chillers, air handlers, pumps, switches and generators of the library meet the ratings that their
// files name, by the models that run them or by hand.
#include <cmath>

#include "electrical/equipment.hpp"
#include "network/switch_power.hpp"
#include "physics/air/psychrometrics.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/library_device.hpp"

using namespace wattloop;
using tests::AnyDevice;
using tests::read_library_device;

namespace {

constexpr double water_heat = 4180.0, air_heat = 1006.0, cfm = 0.3048 * 0.3048 * 0.3048 / 60.0;

double kelvin(double celsius) { return physics::freezing_k + celsius; }

}  // namespace

// The head of the file: wet bulb 25 degC, approach 4 K, range 7 K.
TEST_CASE("the tower of the library rejects its rated heat at its rating", "[library]") {
  AnyDevice device;
  read_library_device("tower_2500kw", device);
  const auto& [tower, pump] = std::tie(device.draft.scenario.cooling.water.front().towers.tower,
                                       device.draft.scenario.cooling.water.front().towers.pump);
  const physics::CoolingTowerNow now = physics::cooling_tower_now(
      tower, {kelvin(36.0), tower.water_design_flow_kg_per_s, water_heat}, kelvin(25.0), 1.0);
  CHECK(now.heat_w == Approx(tower.rated_heat_w).epsilon(0.005));
  CHECK(now.leaving_k == Approx(kelvin(29.0)).margin(0.03));
  CHECK(tower.liquid_to_air_ratio == Approx(physics::liquid_to_air_of_rating(7.0, 4.0, kelvin(25.0))).epsilon(0.001));
  CHECK(pump.rated_flow_kg_per_s == tower.water_design_flow_kg_per_s);
  // An eighth with the fan off at York's own design point: range 5.56 K, wet bulb 25.55 degC, approach 3.845
  // K.
  physics::CoolingTowerParams york = tower;
  york.liquid_to_air_ratio = 1.0;
  const PortNow design{kelvin(25.55 + 5.56 + 3.845), york.water_design_flow_kg_per_s, water_heat};
  CHECK(physics::cooling_tower_now(york, design, kelvin(25.55), 0.0).heat_w /
            physics::cooling_tower_now(york, design, kelvin(25.55), 1.0).heat_w ==
        Approx(0.125).epsilon(0.01));
}

TEST_CASE("the chiller of the library has the powers that its file names", "[library]") {
  AnyDevice device;
  read_library_device("chiller_1250kw", device);
  const twin::ChillersSpec& spec = device.draft.scenario.cooling.chilled_water.front().chillers;
  physics::ChillerParams machine = spec.chiller;
  const auto at_full_load = [&](double condenser_c) {
    const double warm_k = kelvin(20.0) + machine.rated_heat_w / (machine.chilled_design_flow_kg_per_s * water_heat);
    return physics::chiller_now(machine, {warm_k, machine.chilled_design_flow_kg_per_s, water_heat},
                                {kelvin(condenser_c), machine.condenser_design_flow_kg_per_s, water_heat},
                                kelvin(20.0));
  };
  // By hand: 0.6 x 291.15 K over the lift from 18 degC to three kelvin above the leaving condenser water.
  for (const auto& [condenser_c, cop] : {std::pair{24.0, 12.2}, std::pair{29.0, 9.0}}) {
    const double leaving_c = condenser_c + 1.25e6 * (1.0 + 1.0 / cop) / (60.0 * water_heat);
    CHECK(at_full_load(condenser_c).power_w ==
          Approx(1.25e6 * (leaving_c + 3.0 - 18.0) / (0.6 * 291.15)).epsilon(0.005));
    CHECK(at_full_load(condenser_c).evaporator_heat_w / at_full_load(condenser_c).power_w == Approx(cop).epsilon(0.01));
  }
  machine.carnot_fraction = 0.5;
  CHECK(at_full_load(36.0).power_w == Approx(231e3).epsilon(0.005));
  CHECK(at_full_load(36.0).evaporator_heat_w == Approx(machine.rated_heat_w));
  CHECK(spec.chilled_pump.rated_flow_kg_per_s == machine.chilled_design_flow_kg_per_s);
  CHECK(spec.condenser_pump.rated_flow_kg_per_s == machine.condenser_design_flow_kg_per_s);
}

// 252.4 kW, 40,600 CFM, 548 L/min [vertiv_fa069hc]; effectiveness by [incropera2011] eq. 11.32.
TEST_CASE("the air handler of the library moves its rated heat", "[library]") {
  AnyDevice device;
  read_library_device("crah_252kw", device);
  const physics::CrahParams& crah = device.draft.scenario.cooling.crahs.front().crah;
  CHECK(crah.air_design_flow_kg_per_s == Approx(40600.0 * cfm * 1.18).epsilon(0.001));
  CHECK(crah.water_design_flow_kg_per_s == Approx(548.0 / 60.0 * 0.998).epsilon(0.001));
  const double air_w_per_k = crah.air_design_flow_kg_per_s * air_heat;
  const double ratio = air_w_per_k / (crah.water_design_flow_kg_per_s * water_heat);
  const double ntu = crah.design_conductance_w_per_k / air_w_per_k;
  const double effectiveness = 1.0 - std::exp(std::pow(ntu, 0.22) / ratio * std::expm1(-ratio * std::pow(ntu, 0.78)));
  CHECK(effectiveness * air_w_per_k * (35.0 - 18.0) == Approx(crah.rated_heat_w).epsilon(0.005));
  const PortNow water{kelvin(20.0), crah.water_design_flow_kg_per_s, water_heat};
  CHECK(physics::crah_now(crah, {kelvin(32.0), 0.0, air_heat}, water, 1.0).heat_w == Approx(178e3).epsilon(0.005));
  CHECK(physics::crah_now(crah, {kelvin(24.0), 0.0, air_heat}, water, 1.0).heat_w == Approx(59.4e3).epsilon(0.005));
}

// Hydraulic power of 1 m3/s at 1 kPa is 1 kW.
TEST_CASE("the water pumps of the library draw their hydraulic power over 75 %", "[library]") {
  const auto [name, flow, pressure_kpa] = GENERATE(
      table<const char*, double, double>({{"water_pump_77kgs", 77.0, 200.0}, {"water_pump_72kgs", 72.0, 180.0}}));
  AnyDevice device;
  read_library_device(name, device);
  const physics::WaterPumpParams& pump = device.draft.scenario.cooling.water.front().pumps.pump;
  CHECK(pump.rated_flow_kg_per_s == flow);
  CHECK(physics::water_pump_power_w(pump, 1.0, flow) == Approx(1e3 * flow / 998.0 * pressure_kpa / 0.75).epsilon(1e-9));
}

TEST_CASE("the substation transformer of the library has the efficiencies of its standard type", "[library]") {
  AnyDevice device;
  read_library_device("transformer_25mva", device);
  const electrical::Transformer::Params& transformer = device.draft.scenario.power.transformer;
  const auto efficiency = [&](double load) {
    const double output_w = load * 25e6;
    return output_w / (output_w + electrical::loss_w(electrical::loss_curve(transformer), output_w));
  };
  CHECK(efficiency(0.5) == Approx(0.9968).margin(5e-5));
  CHECK(efficiency(1.0) == Approx(0.9954).margin(5e-5));
}

TEST_CASE("generator and switch of the library have the figures of their sources", "[library]") {
  AnyDevice device;
  read_library_device("genset_3mw", device);
  const electrical::Generator::Params& set = device.draft.scenario.power.generators.generator;
  CHECK(set.rated_w == 3e6);
  CHECK(set.start_time_s <= 10.0);  // type 10 of [nfpa110]
  CHECK(set.retransfer_delay_s >= 300.0);
  read_library_device("switch_qm9700", device);
  const network::SwitchParams& switches = device.draft.scenario.network.switches;
  CHECK(network::switch_power_w(switches, 1.0) == 1720.0);
  CHECK(network::switch_power_w(switches, 0.5) == Approx(747.0 + 32 * 15.0));
  CHECK(network::switch_power_w(switches, 0.0) == Approx(682.0 / 721.0 * (747.0 + 32 * 15.0)).epsilon(1e-3));
}

// 99,017.79 MiB/s and at most 2,400 W of one appliance [mlperf_storage_v10_ddn]; air that warms by 15 K at that power.
TEST_CASE("the storage appliance of the library has the figures of its source", "[library]") {
  AnyDevice device;
  read_library_device("storage_appliance", device);
  const workload::ApplianceParams& appliance = device.draft.scenario.storage_racks->appliance;
  CHECK(appliance.active_w == 2400.0);
  CHECK(appliance.read_b_per_s == Approx(99017.79 * 1024.0 * 1024.0).epsilon(1e-3));
  CHECK(appliance.airflow_kg_per_s == Approx(2400.0 / (air_heat * 15.0)).epsilon(0.01));
  CHECK(appliance_power_w(appliance, 0.0) < appliance_power_w(appliance, 1.0));
}
