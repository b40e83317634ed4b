// All kinds of parts, in the order in which they add to sinks and in which their tables stand in results: an include and a name each. Nothing else of twin/ lists them.
#pragma once

#include <tuple>

#include "network/switch_heat.hpp"
#include "physics/advection.hpp"
#include "physics/cdu_exchanger.hpp"
#include "physics/cdu_valve.hpp"
#include "physics/chiller_machine.hpp"
#include "physics/coolant_pump.hpp"
#include "physics/crah_unit.hpp"
#include "physics/dry_cooler.hpp"
#include "physics/fan_control.hpp"
#include "physics/loop_pressure.hpp"
#include "physics/node_rack.hpp"
#include "physics/rack_row.hpp"
#include "physics/rear_door_coil.hpp"
#include "physics/rear_door_fans.hpp"
#include "physics/room.hpp"
#include "physics/room_mass.hpp"
#include "physics/system_pump.hpp"
#include "physics/tower_cell.hpp"
#include "physics/water_system.hpp"

namespace wattloop::twin {

using PartKinds = std::tuple<  //
    physics::Advection, physics::LoopPressure, physics::CduExchanger, physics::CduValve, physics::CoolantPump,
    physics::RearDoorCoil, physics::RearDoorFans, physics::SystemPump, physics::WaterSystem, physics::FanControl,
    physics::TowerCell, physics::ChillerMachine, physics::Room, physics::RackRow, physics::DryCooler, physics::CrahUnit,
    physics::NodeRack, network::SwitchHeat, physics::RoomMass>;

}  // namespace wattloop::twin
