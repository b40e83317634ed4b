// Meters of energy, and what it is like outside.

#include <array>

#include "core/parts/fault_setting.hpp"
#include "physics/air/air_cooled_rack.hpp"
#include "physics/air/crah_unit.hpp"
#include "physics/air/rear_door_fans.hpp"
#include "physics/air/wet_coil.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/units/node_rack.hpp"
#include "physics/water/chiller_machine.hpp"
#include "physics/water/coolant_pump.hpp"
#include "physics/water/tower_cell.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/plant/snapshot/room_vapour.hpp"

namespace wattloop::twin {

namespace {

/// Where the heat capacity of facility and chilled water is taken.
constexpr double water_reference_k = 293.15;

constexpr double sea_level_pa = 101325.0;

/// What loads of templates are for, in the order in which results report them; uses that other headers declare follow.
constexpr std::array uses_of_templates{physics::NodeRack::use,  physics::NetworkRack::use, physics::CoolantPump::use,
                                       facility_pumps_use,      physics::TowerCell::use,   physics::ChillerMachine::use,
                                       chilled_water_pumps_use, physics::CrahUnit::use,    physics::RearDoorFans::use};

}  // namespace

double water_specific_heat_j_per_kg_k() {
  return physics::find_fluid("water").specific_heat_j_per_kg_k(water_reference_k);
}

double water_heat_capacity_j_per_k(double volume_m3) {
  return volume_m3 *
         (physics::find_fluid("water").density_kg_per_m3(water_reference_k) * water_specific_heat_j_per_kg_k());
}

double air_heat_capacity_j_per_k(double volume_m3) {
  return volume_m3 * physics::air_density_kg_per_m3 * physics::air_specific_heat_j_per_kg_k;
}

void declare_room_weather(Diagram& diagram) {
  diagram.declare_input(std::string(dew_point_outside), physics::no_humidity.dew_point_k);
  diagram.declare_input(std::string(pressure_in_rooms), physics::no_humidity.pressure_pa);
}

void add_site(Diagram& diagram) {
  declare_room_weather(diagram);
  Meters& meters = diagram.meters;
  meters.feed = diagram.declare_meter("feed.energy");
  meters.outdoors = diagram.declare_meter("outdoors.heat");
  for (const UseOfPower& use : uses_of_templates) diagram.use_number(use);
  meters.electrical_loss = diagram.declare_meter("electrical.loss");
}

void declare_weather(Diagram& diagram, double typical_k) {
  OutsideInputs& outside = diagram.outside;
  if (outside.is_felt()) return;
  outside.dry_bulb = diagram.declare_setting("weather", "dry_bulb", "K", typical_k).number;
  outside.wet_bulb = diagram.declare_setting("weather", "wet_bulb", "K", typical_k).number;
  outside.humidity_ratio = diagram.declare_input("weather.humidity_ratio", 0.0).number;
  outside.pressure = diagram.declare_input("weather.pressure", sea_level_pa).number;
  diagram.meters.sky = diagram.declare_meter("sky.heat");
  diagram.meters.boundaries.push_back(diagram.meters.sky);
}

InputId declare_passage(Diagram& diagram, const std::string& name) {
  return diagram.declare_setting(name, clogged_passage.name, "1", clogged_passage.sound);
}

std::size_t make_up_meter(Diagram& diagram) {
  std::size_t& meter = diagram.meters.make_up_water;
  if (meter == no_part) meter = diagram.declare_meter("towers.make_up_water", "kg");
  return meter;
}

WetAir outside_air(const Diagram& diagram) {
  const OutsideInputs& outside = diagram.outside;
  return {.dry_bulb_k = number_of(InputId{outside.dry_bulb}),
          .wet_bulb_k = number_of(InputId{outside.wet_bulb}),
          .humidity_ratio = number_of(InputId{outside.humidity_ratio}),
          .pressure_pa = number_of(InputId{outside.pressure})};
}

}  // namespace wattloop::twin
