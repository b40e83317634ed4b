// Every file of the library reads, names a source of the bibliography for each value, and gives back what its
// maker publishes.
#include "tests/support/catch.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "electrical/supplies/psu_curve.hpp"
#include "physics/units/air_part.hpp"
#include "physics/units/cold_plate.hpp"
#include "physics/units/heat_sink.hpp"
#include "physics/units/node_rest.hpp"
#include "tests/support/halls/library_device.hpp"
#include "twin/document/document.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::AnyDevice;
using tests::read_library_device;

namespace {

const std::filesystem::path source_folder = WATTLOOP_SOURCE_DIR;
constexpr double litre_per_min = 1.0 / 60000.0;  // m3/s
constexpr double pg25_j_per_kg_k = 3951.0;       // 37 degC, [melinder2010]

std::vector<std::filesystem::path> library_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(source_folder / "scenarios" / "hardware")) {
    files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::set<std::string> bibliography_keys() {
  std::ifstream file(source_folder / "docs" / "references.bib");
  std::set<std::string> keys;
  for (std::string line; std::getline(file, line);) {
    const std::size_t brace = line.find('{');
    if (line.starts_with('@') && brace != std::string::npos)
      keys.insert(line.substr(brace + 1, line.find(',') - brace - 1));
  }
  return keys;
}

void collect_sources(const Node& node, std::vector<std::string>& sources) {
  for (const auto& [key, value] : node.entries) {
    if (key.text == "source") sources.push_back(value.text);
    collect_sources(value, sources);
  }
}

}  // namespace

TEST_CASE("every file of the hardware library reads, with a source for each value", "[library]") {
  const std::vector<std::filesystem::path> files = library_files();
  REQUIRE(files.size() >= 58);
  for (const std::filesystem::path& file : files) {
    INFO(file);
    AnyDevice device;
    CHECK_NOTHROW(read_library_device(file.stem().string(), device));
  }
}

TEST_CASE("every source of the hardware library is in the bibliography", "[library]") {
  const std::set<std::string> known = bibliography_keys();
  REQUIRE(known.contains("incropera2011"));
  for (const std::filesystem::path& file : library_files()) {
    INFO(file);
    Problems problems;
    std::vector<std::string> sources;
    collect_sources(read_document(file, problems), sources);
    CHECK(sources.size() >= 2);
    for (const std::string& source : sources) {
      INFO(source);
      CHECK(known.contains(source));
    }
  }
}

// 121 kW at 4 K approach with 120 L/min, 115 kPa external, 875 W; 1,368 kW at 4 K with 1,200 L/min, 250 kPa
// external on the published curve, 13.7 kW: data sheets [nvl72_manifold_study], [vertiv_xdu1350]. Tolerance:
// the digits of the files.
TEST_CASE("the CDUs of the library meet their published operating points", "[library]") {
  struct Rating {
    const char* name;
    double heat_w, flow_l_per_min, external_pa, power_w;
  };
  const auto rating =
      GENERATE(Rating{"cdu_121kw", 121e3, 120.0, 115e3, 875.0}, Rating{"cdu_1370kw", 1368e3, 1200.0, 250e3, 13.7e3});
  INFO(rating.name);
  AnyDevice device;
  read_library_device(rating.name, device);
  const auto& [cdu, pump] =
      std::tie(device.draft.scenario.cooling.loops.front().cdu, device.draft.scenario.cooling.loops.front().pump);

  const double capacity_w_per_k = cdu.technology_design_flow_kg_per_s * pg25_j_per_kg_k;
  const double ntu = cdu.design_conductance_w_per_k / capacity_w_per_k;
  const double effectiveness = ntu / (1.0 + ntu);  // counterflow at equal capacity rates
  const double rise_k = rating.heat_w / capacity_w_per_k;
  CHECK(rise_k / effectiveness - rise_k == Approx(4.0).epsilon(0.005));
  CHECK(cdu.facility_design_flow_kg_per_s * 4180.0 == Approx(capacity_w_per_k).epsilon(0.001));

  const double flow_m3_per_s = rating.flow_l_per_min * litre_per_min;
  const double pump_pa = pump.shutoff_pressure_pa + pump.linear_pa_s_per_m3 * flow_m3_per_s +
                         pump.quadratic_pa_s2_per_m6 * flow_m3_per_s * flow_m3_per_s;
  CHECK(pump_pa - cdu.internal_pressure_drop_pa == Approx(rating.external_pa).epsilon(0.001));
  CHECK(pump.idle_power_w + pump_pa * flow_m3_per_s / pump.efficiency_fraction ==
        Approx(rating.power_w).epsilon(0.005));
}

// 41 to 50 degC measured on liquid-cooled H100 [latif2025cooling_matters] imply 0.03 to 0.04 K/W from die to
// inlet; 392 J/K under 700 W without flow go from 60 to 87 degC in 27 K x 392 J/K / 700 W = 15.1 s.
TEST_CASE("the H100 cold plate of the library has the published resistance and heat-up time", "[library]") {
  AnyDevice device;
  read_library_device("h100_sxm5_cold_plate", device);
  const auto& plate = std::any_cast<physics::ColdPlate::Params&>(device.params);
  const double capacity_w_per_k = plate.design_flow_kg_per_s * pg25_j_per_kg_k;
  REQUIRE(plate.has_uniform_heat_flux);
  const double plate_k_per_w =
      plate.spreading_k_per_w + 1.0 / plate.design_conductance_w_per_k + 0.5 / capacity_w_per_k;
  CHECK(plate_k_per_w ==
        Approx(0.0261).epsilon(0.01));  // the OAM record between 0.8 and 0.9 L/min [ocp_oam_cold_plate]
  const double die_to_inlet_k_per_w = 1.0 / plate.die_to_plate_w_per_k + plate_k_per_w;
  CHECK(die_to_inlet_k_per_w > 0.03);
  CHECK(die_to_inlet_k_per_w < 0.04);
  CHECK(27.0 * (plate.die_heat_capacity_j_per_k + plate.plate_heat_capacity_j_per_k) / 700.0 ==
        Approx(15.1).epsilon(0.002));
}

// By parts: GPUs whole; of what the supplies deliver beyond them and the fans, half. At 10.2 kW supplies of 19.8 kW deliver
// 9790.4 W, between 20 % of their output (4212.8 W in) and 50 % (10312.5 W in).
TEST_CASE("the parts of an H100 node bring 74 % of its nameplate to the liquid", "[library]") {
  AnyDevice device;
  read_library_device("hgx_h100_liquid", device);
  const NodeHardware& node = device.draft.scenario.racks.front().hardware;
  REQUIRE(node.units.size() == 3);
  CHECK(node.units[0].name == "gpu");
  CHECK(node.units[0].count == 8);
  CHECK(node.units[1].spec.kind == "node_rest");
  const double gpus_w = 8.0 * node.split.gpu_limit_w;
  const auto& rest = std::any_cast<const physics::NodeRest::Params&>(node.units[1].spec.params);
  CHECK(node.units[2].name == supplies_name);
  CHECK(node.units[2].spec.kind == "air_part");
  CHECK(electrical::psu_output_w(node.psu, node.nameplate_w) == Approx(9790.4).margin(0.1));
  CHECK(rest.capture_fraction == Approx(760.0 / 1512.0).margin(0.005));
  CHECK(node.fan_w == Approx(0.13 * 2600.0).epsilon(0.01));
  const double liquid_w = gpus_w + rest.capture_fraction * (9790.4 - gpus_w - node.fan_w);
  CHECK(liquid_w / node.nameplate_w == Approx(0.738).margin(0.001));
  CHECK(node.coolant_design_flow_kg_per_s / 1012.0 / litre_per_min == Approx(1.2 * 0.75 * 10.2).epsilon(0.001));
  CHECK(node.psu.rated_w == Approx(6 * 3300.0));
}

// 54 to 72 degC measured on air-cooled H100 at load [latif2025cooling_matters]; 586 W is a GPU of a node in training. Air of
// 25 degC, fans at their lowest speed and at full speed.
TEST_CASE("an H100 on the heat sink of the library is as warm as measured ones", "[library]") {
  AnyDevice device;
  read_library_device("h100_sxm5_heat_sink", device);
  const auto& sink = std::any_cast<physics::HeatSink::Params&>(device.params);
  const auto die_degc = [&](double speed) {
    const PortNow air{298.15, speed * sink.design_flow_kg_per_s / sink.stream_gpus_ratio, 1006.0};
    return 25.0 +
           586.0 * (1.0 / sink.die_to_sink_w_per_k + 1.0 / physics::HeatSink::conductances_w_per_k(sink, {air})[0]);
  };
  CHECK(die_degc(0.6) == Approx(63.2).margin(0.2));  // 586 W x (0.0286 + 0.0269 + 0.0098) K/W
  CHECK(die_degc(1.0) == Approx(55.1).margin(0.2));  // 586 W x (0.0286 + 0.0170 + 0.0059) K/W
}

// 1105 CFM at 1.18 kg/m3 warm by 16.5 K at 10.2 kW; supplies of 19.8 kW deliver 9790.4 W. What is not a GPU stands about 24 K
// above the inlet at nameplate.
TEST_CASE("the parts of an air-cooled H100 node have air by their heat", "[library]") {
  AnyDevice device;
  read_library_device("dgx_h100_air", device);
  const NodeHardware& node = device.draft.scenario.racks.front().hardware;
  REQUIRE(node.units.size() == 3);
  const double delivered_w = electrical::psu_output_w(node.psu, node.nameplate_w);
  const double gpus_w = 8.0 * node.split.gpu_limit_w, rest_w = delivered_w - gpus_w - node.fan_w;
  const double supplies_w = node.nameplate_w - gpus_w - rest_w;
  CHECK(node.airflow_kg_per_s == Approx(1105.0 * 0.000471947 * 1.18).epsilon(1e-3));
  CHECK(node.nameplate_w / (node.airflow_kg_per_s * 1006.0) == Approx(16.5).margin(0.1));
  CHECK(node.fan_w == Approx(0.15 * node.nameplate_w));
  CHECK(node.units[0].air_share_fraction == Approx(gpus_w / node.nameplate_w).margin(0.005));
  CHECK(node.units[1].air_share_fraction == Approx(rest_w / node.nameplate_w).margin(0.005));
  CHECK(node.units[2].air_share_fraction == Approx(supplies_w / node.nameplate_w).margin(0.005));
  const auto above_inlet_k = [&](const NodeUnits& unit, double heat_w) {
    const auto& part = std::any_cast<const physics::AirPart::Params&>(unit.spec.params);
    CHECK(part.design_flow_kg_per_s == Approx(unit.air_share_fraction * node.airflow_kg_per_s).epsilon(0.005));
    return heat_w / physics::AirPart::conductances_w_per_k(part, {{{300.0, part.design_flow_kg_per_s, 1006.0}}})[0];
  };
  CHECK(above_inlet_k(node.units[1], rest_w) == Approx(24.0).margin(0.3));
  CHECK(above_inlet_k(node.units[2], supplies_w) == Approx(24.0).margin(0.3));
  const auto& sink = std::any_cast<const physics::HeatSink::Params&>(node.units[0].spec.params);
  CHECK(sink.design_flow_kg_per_s ==
        Approx(sink.stream_gpus_ratio * node.units[0].air_share_fraction * node.airflow_kg_per_s / 8.0).epsilon(0.005));
  CHECK(workload::node_from_gpus_w(node.split, gpus_w) == Approx(8400.0).epsilon(0.01));  // measured [latif2025]
}

// Room neutral at its design point: exhaust 22.5 K above the water, cross-flow both unmixed [incropera2011,
// eq. 11.32].
TEST_CASE("the rear door of the library moves its rated heat", "[library]") {
  AnyDevice device;
  read_library_device("rdhx_35kw", device);
  const physics::RearDoorParams& door = device.draft.scenario.cooling.doors.front().door;
  const double air_w_per_k = door.air_design_flow_kg_per_s * 1006.0;
  const double ratio = air_w_per_k / (door.water_design_flow_kg_per_s * 4184.0);
  const double ntu = door.design_conductance_w_per_k / air_w_per_k;
  const double effectiveness = 1.0 - std::exp(std::pow(ntu, 0.22) / ratio * std::expm1(-ratio * std::pow(ntu, 0.78)));
  CHECK(effectiveness * air_w_per_k * 22.5 == Approx(door.rated_heat_w).epsilon(0.005));
}

TEST_CASE("the 97 % UPS has the efficiencies of its class", "[library]") {
  AnyDevice device;
  read_library_device("ups_97", device);
  const electrical::Ups::Params& ups = device.draft.scenario.power.ups;
  const auto efficiency = [&](double load) {
    const double loss =
        ups.constant_loss_fraction + ups.linear_loss_fraction * load + ups.quadratic_loss_fraction * load * load;
    return load / (load + loss);
  };
  CHECK(efficiency(0.10) == Approx(0.926).margin(6e-4));
  CHECK(efficiency(0.50) == Approx(0.971).margin(6e-4));
  CHECK(efficiency(1.00) == Approx(0.970).margin(6e-4));
}
