#include "twin/sizing/figures_in_library.hpp"

#include <algorithm>
#include <any>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "electrical/supplies/psu_curve.hpp"
#include "physics/units/node_rest.hpp"
#include "twin/document/text_file.hpp"
#include "twin/document/yaml_text.hpp"
#include "twin/imports/device_ratings.hpp"
#include "twin/scenario/library/hardware_library.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr double water_kg_per_m3 = 1000.0;

/// A file of the library, value by value.
class Device {
 public:
  Device(std::string name, const fs::path& folder) : name_(std::move(name)) {
    for (const fs::path& library : library_folders(folder)) {
      const fs::path file = library / "hardware" / (name_ + ".yaml");
      if (!fs::exists(file)) continue;
      Problems problems;
      const auto text = read_text_file(file, nullptr, problems);
      if (text) root_ = parse_yaml(*text, file.string(), problems);
      problems.throw_if_any(file.string());
      return;
    }
    throw InputError({{{"hardware library", 0, 0},
                       fmt::format("no device '{}', of which halls are made", name_),
                       "set WATTLOOP_LIBRARY to the folder that holds hardware/",
                       {}}},
                     "the hardware library");
  }

  const std::string& name() const { return name_; }

  /// The value at a key, or below several joined by dots.
  double value(std::string_view keys, std::string_view unit) const {
    const Node* node = &root_;
    for (std::string_view rest = keys; node != nullptr && !rest.empty();) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      node = find(*node, rest.substr(0, dot));
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
    if (node != nullptr && node->is_map()) node = find(*node, "value");
    if (node == nullptr) return 0.0;
    try {
      return to_si(node->text, unit);
    } catch (const QuantityError& error) {
      throw InputError({problem_at(*node, fmt::format("{}: {}", keys, error.what()))}, node->place.file);
    }
  }

  /// Power of a pump of its own.
  double pump_w(std::string_view flow, std::string_view pressure, std::string_view efficiency) const {
    const double fraction = value(efficiency, "1");
    return fraction > 0.0 ? value(flow, "kg/s") * value(pressure, "Pa") / water_kg_per_m3 / fraction : 0.0;
  }
  double pump_w(const std::string& section) const {
    return pump_w(section + "rated_flow", section + "pressure", section + "efficiency");
  }

 private:
  std::string name_;
  Node root_;
};

CduFigures cdu_figures(const Device& device) {
  return {.name = device.name(),
          .rated_w = device.value("rated_heat", "W"),
          .conductance_w_per_k = device.value("design_conductance", "W/K"),
          .technology_kg_per_s = device.value("technology_design_flow", "kg/s"),
          .facility_kg_per_s = device.value("facility_design_flow", "kg/s"),
          .internal_drop_pa = device.value("internal_pressure_drop", "Pa"),
          .pump_pa = device.value("pump.shutoff_pressure", "Pa"),
          .pump_pa_per_flow = device.value("pump.pressure_per_flow", "Pa s m-3"),
          .pump_pa_per_flow_squared = device.value("pump.pressure_per_flow_squared", "Pa s2 m-6"),
          .pump_efficiency_fraction = device.value("pump.efficiency", "1"),
          .pump_idle_w = device.value("pump.idle_power", "W")};
}

CoilFigures coil_figures(const Device& device) {
  return {.name = device.name(),
          .rated_w = device.value("rated_heat", "W"),
          .conductance_w_per_k = device.value("design_conductance", "W/K"),
          .air_kg_per_s = device.value("air_design_flow", "kg/s"),
          .water_kg_per_s = device.value("water_design_flow", "kg/s"),
          .air_share_fraction = device.value("air_side_resistance", "1"),
          .air_exponent = device.value("air_flow_exponent", "1"),
          .fan_w = device.value("fan_power", "W")};
}

ChillerFigures chiller_figures(const Device& device) {
  return {.name = device.name(),
          .rated_w = device.value("rated_heat", "W"),
          .rated_power_w = device.value("rated_power", "W"),
          .carnot_fraction = device.value("carnot_fraction", "1"),
          .evaporator_pinch_k = device.value("evaporator_pinch", "delta_K"),
          .condenser_pinch_k = device.value("condenser_pinch", "delta_K"),
          .chilled_kg_per_s = device.value("chilled_design_flow", "kg/s"),
          .condenser_kg_per_s = device.value("condenser_design_flow", "kg/s"),
          .aside_w = device.pump_w("chilled_pump.") + device.pump_w("condenser_pump.")};
}

ChillerFigures air_chiller_figures(const Device& device) {
  ChillerFigures figures = chiller_figures(device);
  figures.condenser_pinch_k = device.value("condenser_approach", "delta_K");
  figures.chilled_kg_per_s = device.value("design_flow", "kg/s");
  figures.aside_w = device.value("fan_power", "W") + device.pump_w("design_flow", "pump_pressure", "pump_efficiency");
  return figures;
}

RejectorFigures rejector_figures(const Device& device) {
  const double tower_kg_per_s = device.value("water_design_flow", "kg/s");
  return {.name = device.name(),
          .rated_w = device.value("rated_heat", "W"),
          .water_kg_per_s = tower_kg_per_s > 0.0 ? tower_kg_per_s : device.value("design_flow", "kg/s"),
          .conductance_w_per_k = device.value("conductance", "W/K"),
          .air_kg_per_s = device.value("design_airflow", "kg/s"),
          .motors_w = device.value("fan_power", "W") + device.pump_w("pump.") +
                      device.pump_w("design_flow", "pump_pressure", "pump_efficiency")};
}

PumpFigures pump_figures(const Device& device) {
  return {.name = device.name(), .flow_kg_per_s = device.value("rated_flow", "kg/s"), .power_w = device.pump_w("")};
}

PowerFigures power_figures(const Device& device) {
  return {.name = device.name(),
          .rated_w = device.value("rated_power", "W"),
          .constant_fraction = device.value("constant_loss", "1"),
          .linear_fraction = device.value("linear_loss", "1"),
          .quadratic_fraction = device.value("quadratic_loss", "1")};
}

PowerFigures transformer_figures(const Device& device) {
  const double rated_w = device.value("rated_power", "V A");
  return {.name = device.name(),
          .rated_w = rated_w,
          .constant_fraction = device.value("no_load_loss", "W") / rated_w,
          .quadratic_fraction = device.value("load_loss", "W") / rated_w,
          .short_circuit_fraction = device.value("short_circuit_voltage", "1")};
}

/// One node in the smallest hall that the reader takes.
std::string smallest_hall(const std::string& node, bool has_coolant) {
  return fmt::format(
      "format: 1\nduration: 1 s\nworkload: {{ kind: constant }}\nhall:\n"
      "  racks: {{ count: 1, nodes: 1, hardware: {} }}\n  cooling:\n{}"
      "    rear_doors: {{ hardware: rdhx_35kw, supply_temperature: 20 degC }}\n    room: {{ volume: 60 m3 }}\n"
      "power:\n  transformers: {{ count: 1, hardware: transformer_630kva }}\n  ups: none\n"
      "  pdus: {{ count: 1, hardware: pdu_100kw }}\n",
      node,
      has_coolant ? "    loops: { cdus: 1, hardware: cdu_800kw, supply_temperature: 32 degC, volume: 100 L }\n"
                    "    facility: { supply_temperature: 24 degC }\n"
                  : "");
}

double captured_fraction(const UnitSpec& unit) {
  const auto* rest = std::any_cast<physics::NodeRest::Params>(&unit.params);
  return rest != nullptr ? rest->capture_fraction : 0.0;
}

template <class Figures, class Read>
std::vector<Figures> each(const std::vector<const char*>& names, const fs::path& folder, Read read) {
  std::vector<Figures> list;
  for (const char* name : names) list.push_back(read(Device(name, folder)));
  return list;
}

}  // namespace

NodeFigures node_figures(const NodeHardware& node) {
  const auto gpu = std::ranges::find(node.units, "gpu", &NodeUnits::name);
  const double gpus_w = workload::gpu_from_node_w(node.split, node.nameplate_w, gpu->count) * gpu->count;
  const double dc_w = electrical::psu_output_w(node.psu, node.nameplate_w);
  double liquid_w = gpu->liquid_share_fraction > 0.0 ? gpus_w : 0.0;
  const bool has_supplies = std::ranges::find(node.units, supplies_name, &NodeUnits::name) != node.units.end();
  const double rest_w = (has_supplies ? dc_w - node.fan_w : node.nameplate_w) - gpus_w;
  for (const NodeUnits& unit : node.units) {
    if (unit.name != "gpu" && unit.name != supplies_name) liquid_w += captured_fraction(unit.spec) * rest_w;
  }
  return {.name = node.name,
          .gpus = gpu->count,
          .nameplate_w = node.nameplate_w,
          .gpu_limit_w = node.split.gpu_limit_w,
          .liquid_w = liquid_w,
          .air_w = node.nameplate_w - liquid_w,
          .coolant_kg_per_s = node.coolant_design_flow_kg_per_s,
          .coolant_drop_pa = node.coolant_pressure_drop_pa,
          .airflow_kg_per_s = node.airflow_kg_per_s};
}

std::vector<std::string> node_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const DeviceRating& device : device_ratings(folder)) {
    if (device.kind == "node") names.push_back(device.name);
  }
  return names;
}

NodeFigures read_node_figures(const std::string& name, const fs::path& folder) {
  const std::vector<DeviceRating> devices = device_ratings(folder);
  const auto device = std::ranges::find(devices, name, &DeviceRating::name);
  const bool has_coolant = device != devices.end() && device->has_coolant;
  const Scenario scenario = read_scenario_text(smallest_hall(name, has_coolant), folder / (name + ".yaml"));
  NodeFigures figures = node_figures(scenario.racks.front().hardware);
  figures.name = name;
  return figures;
}

LibraryFigures read_library_figures(const fs::path& folder) {
  const auto device = [&](const char* name) { return Device(name, folder); };
  return {
      .cdus = each<CduFigures>({"cdu_121kw", "cdu_800kw", "cdu_1370kw"}, folder, cdu_figures),
      .doors = each<CoilFigures>({"rdhx_35kw", "rdhx_55kw", "rdhx_75kw"}, folder, coil_figures),
      .crahs = each<CoilFigures>({"crah_100kw", "crah_252kw", "crah_352kw"}, folder, coil_figures),
      .chillers = each<ChillerFigures>({"chiller_500kw", "chiller_1250kw", "chiller_3500kw"}, folder, chiller_figures),
      .air_chiller = air_chiller_figures(device("air_cooled_chiller_1mw")),
      .tower = rejector_figures(device("tower_2500kw")),
      .dry_coolers = each<RejectorFigures>({"dry_cooler_500kw", "dry_cooler_2900kw"}, folder, rejector_figures),
      .facility_pump = pump_figures(device("water_pump_77kgs")),
      .chilled_pump = pump_figures(device("water_pump_72kgs")),
      .pdus = each<PowerFigures>({"pdu_100kw", "pdu_400kva", "pdu_1mva"}, folder, power_figures),
      .ups = each<PowerFigures>({"ups_97", "ups_250kw", "ups_1250kw", "ups_1500kw"}, folder, power_figures),
      .transformers = each<PowerFigures>(
          {"transformer_630kva", "transformer_1000kva", "transformer_2500kva", "transformer_3150kva"}, folder,
          transformer_figures),
      .generators = each<PowerFigures>({"genset_2mw", "genset_3mw"}, folder, power_figures),
  };
}

}  // namespace wattloop::twin
