// All kinds of parts, in the order in which they add to sinks: an include and a name each. Nothing else of twin/ lists them.
#pragma once

#include <tuple>

#include "network/switch_heat.hpp"
#include "physics/advection.hpp"
#include "physics/cdu_exchanger.hpp"
#include "physics/cdu_valve.hpp"
#include "physics/chiller_machine.hpp"
#include "physics/coolant_pump.hpp"
#include "physics/crah_unit.hpp"
#include "physics/fan_control.hpp"
#include "physics/loop_pressure.hpp"
#include "physics/rear_door_coil.hpp"
#include "physics/rear_door_fans.hpp"
#include "physics/room_mass.hpp"
#include "physics/system_pump.hpp"
#include "physics/tower_cell.hpp"

namespace wattloop::twin {

using PartKinds = std::tuple<  //
    physics::Advection, physics::CduExchanger, physics::CduValve, physics::LoopPressure, physics::CoolantPump,
    physics::RearDoorCoil, physics::RearDoorFans, physics::SystemPump, physics::FanControl, physics::TowerCell,
    physics::ChillerMachine, physics::CrahUnit, network::SwitchHeat, physics::RoomMass>;

}  // namespace wattloop::twin
