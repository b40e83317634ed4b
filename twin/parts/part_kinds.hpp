// All kinds of parts, in the order in which they add to sinks and in which their tables stand in results: an include and a name each. Nothing else of twin/ lists them.
#pragma once

#include <tuple>

#include "physics/air/air_cooled_rack.hpp"
#include "physics/air/crah_unit.hpp"
#include "physics/air/crah_valve.hpp"
#include "physics/air/imposed_air.hpp"
#include "physics/air/in_row_unit.hpp"
#include "physics/air/rack_row.hpp"
#include "physics/air/rear_door_coil.hpp"
#include "physics/air/rear_door_fans.hpp"
#include "physics/air/room.hpp"
#include "physics/air/room_mass.hpp"
#include "physics/fluids/advection.hpp"
#include "physics/units/node_rack.hpp"
#include "physics/water/air_cooled_chiller.hpp"
#include "physics/water/cdu_exchanger.hpp"
#include "physics/water/cdu_valve.hpp"
#include "physics/water/chiller_machine.hpp"
#include "physics/water/coolant_pump.hpp"
#include "physics/water/dry_cooler.hpp"
#include "physics/water/fan_control.hpp"
#include "physics/water/header_pump.hpp"
#include "physics/water/imposed_heat.hpp"
#include "physics/water/imposed_water.hpp"
#include "physics/water/loop_pressure.hpp"
#include "physics/water/plate_exchanger.hpp"
#include "physics/water/system_pump.hpp"
#include "physics/water/tower_cell.hpp"
#include "physics/water/water_system.hpp"

namespace wattloop::twin {

using PartKinds = std::tuple<  //
    physics::Advection, physics::LoopPressure, physics::CduExchanger, physics::CduValve, physics::CoolantPump,
    physics::RearDoorCoil, physics::RearDoorFans, physics::SystemPump, physics::HeaderPump, physics::WaterSystem,
    physics::FanControl, physics::TowerCell, physics::ChillerMachine, physics::Room, physics::RackRow,
    physics::DryCooler, physics::CrahUnit, physics::NodeRack, physics::NetworkRack, physics::RoomMass,
    physics::PlateExchanger, physics::AirCooledChiller, physics::InRowUnit, physics::ImposedHeat, physics::ImposedWater,
    physics::ImposedAir, physics::CrahValve, physics::StorageRack>;

}  // namespace wattloop::twin
