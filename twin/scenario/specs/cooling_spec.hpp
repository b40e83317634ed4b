// What a scenario says of cooling: technology loops, facility water with towers, chilled water with chillers, doors, air.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "physics/air/crah.hpp"
#include "physics/air/rear_door.hpp"
#include "physics/fluids/pump.hpp"
#include "physics/water/cdu.hpp"
#include "physics/water/chiller.hpp"
#include "physics/water/cooling_tower.hpp"
#include "physics/water/pressure_control.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::twin {

/// Keys from the top of a scenario to a section, for what is wrong with it.
using FilePath = std::vector<std::string>;

/// Technology loops alike and what serves each of them.
struct LoopsSpec {
  std::string name = {};  ///< empty: loop_1, loop_2; else that of one loop, with numbers those of several
  FilePath path = {"hall", "cooling", "loops"};
  bool is_given = false;
  std::string on = {};  ///< water of their CDUs; empty: that which there is
  Mention on_mention = {};
  int count = 1;
  int cdus = 1;  ///< in each loop
  std::string coolant = "pg25";
  double supply_k = required;
  double volume_m3 = required;            ///< coolant in pipes and manifolds of one loop, half supply, half return
  double differential_pressure_pa = 0.0;  ///< that the pumps hold between the headers; 0: they run at `pump_speed`
  double pump_speed_fraction = 1.0;       ///< highest speed of running pumps
  double rack_pressure_exponent = 2.0;    ///< of the flow in the drop of its racks
  double rack_flow_spread_ratio = 0.03;   ///< deviation of the flow of racks over its mean (docs/models/unit_spread.md)
  int pumps_per_cdu = required_count;     ///< as the CDU's hardware file says
  physics::CduParams cdu = {};
  physics::PumpParams pump = {};
  physics::PressureControlParams pressure_control = {};
  std::string cdu_name = {};
  Mention pumps_mention;  ///< where the number of pumps is written

  static constexpr auto fields() {
    using P = LoopsSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive,
                 "Number of technology loops; the racks are divided among them in groups of equal size."},
        Field<P>{&P::cdus, "cdus", Range::positive, "Number of CDUs in each loop."},
        Field<P>{&P::coolant, "coolant", "pg25|water",
                 "Coolant: water, or water with 25 % propylene glycol by volume."},
        Field<P>{&P::supply_k, "supply_temperature", "K", Range::positive,
                 "Set-point of the coolant that leaves the CDUs."},
        Field<P>{&P::volume_m3, "volume", "m3", Range::positive,
                 "Coolant volume in pipes and manifolds of one loop, half in the supply and half in the return."},
        Field<P>{&P::pump_speed_fraction, "pump_speed", "1", Range::positive_fraction,
                 "Speed of the running pumps divided by rated speed; the highest speed if the pumps keep a "
                 "differential pressure."},
        Field<P>{&P::differential_pressure_pa, "differential_pressure", "Pa", Range::non_negative,
                 "Differential pressure between the headers that the pumps keep; 0: no pressure control, the pumps run "
                 "at `pump_speed`."},
        Field<P>{&P::rack_pressure_exponent, "rack_pressure_exponent", "1", Range::positive,
                 "Exponent of the flow in the pressure drop of the racks of the loop, 1 to 2: 2 in couplings and "
                 "valves, 1.75 in smooth channels."},
        Field<P>{&P::rack_flow_spread_ratio, "rack_flow_spread", "1", Range::fraction,
                 "Spread of the flow between racks, from tolerances of valves and lengths of hoses, drawn from the "
                 "seed: standard deviation divided by mean, at most 0.3. 0: all racks of a kind have the same flow."},
    };
  }

  static constexpr double largest_spread_ratio = 0.3;
};

/// Rear doors alike, on racks that name them.
struct DoorsSpec {
  std::string name = "rear_doors";
  FilePath path = {"hall", "cooling", "rear_doors"};
  bool is_given = false;
  std::string on = {};  ///< chilled water, or `outside`; empty: the only one, without any from outside
  Mention on_mention = {};
  double supply_k = at_water;
  physics::RearDoorParams door = {};
  std::string door_name = {};

  /// Stands for the temperature that the chilled water asks for; no one can write it.
  static constexpr double at_water = std::numeric_limits<double>::infinity();

  static constexpr auto fields() {
    using P = DoorsSpec;
    return std::array{
        Field<P>{&P::supply_k, "supply_temperature", "K", Range::positive,
                 "Supply temperature of the water to doors and all other users. It is the set-point of the chillers if "
                 "they have no set-point of their own; without chillers, it is a given temperature."},
    };
  }
};

/// Humidity control of a room: make-up air is dried to this dew point before it comes in.
struct HumiditySpec {
  bool is_given = false;
  double dew_point_k = 288.15;

  static constexpr auto fields() {
    using P = HumiditySpec;
    return std::array{
        Field<P>{&P::dew_point_k, "dew_point", "K", Range::positive,
                 "Highest dew point of the room air; ASHRAE recommends at most 15 degC."},
    };
  }
};

struct RoomSpec {
  std::string name = {};  ///< empty: the hall has one room, which is called room_1
  FilePath path = {"hall", "cooling", "room"};
  bool is_given = false;
  double volume_m3 = required;              ///< of air
  double mass_heat_capacity_j_per_k = 0.0;  ///< racks, floor and walls
  double mass_conductance_w_per_k = 0.0;    ///< between air and mass; 0: follows from the mass, see below
  double initial_k = 297.15;
  double recirculation_fraction = 0.05;  ///< of a row's air, from its hot aisle straight to its cold aisle
  HumiditySpec humidity = {};

  /// By others: events, tables, parts.
  std::string called() const { return name.empty() ? "room_1" : name; }

  static constexpr auto fields() {
    using P = RoomSpec;
    return std::array{
        Field<P>{&P::volume_m3, "volume", "m3", Range::positive, "Air volume of the room."},
        Field<P>{&P::mass_heat_capacity_j_per_k, "mass_heat_capacity", "J/K", Range::non_negative,
                 "Heat capacity of racks, floor and walls."},
        Field<P>{&P::mass_conductance_w_per_k, "mass_conductance", "W/K", Range::non_negative,
                 "Thermal conductance between air and this mass; 0: 1 W/K for each 1.4 kJ/K of mass."},
        Field<P>{&P::initial_k, "initial_temperature", "K", Range::positive,
                 "Air temperature at the start of the run with `initial: cold`."},
        Field<P>{&P::recirculation_fraction, "recirculation", "1", Range::fraction,
                 "Recirculation: share of the air of a row that comes directly from its hot aisle, through leaks of "
                 "the containment."},
    };
  }
};

/// Time in which the mass of a room follows its air: 11 kJ/(m2 K) of sheet steel, floor and boards behind a film of
/// 7.7 W/(m2 K), the surface resistance 0.13 m2 K/W of [iso_6946]; what lies behind a square metre is an estimate.
inline constexpr double room_mass_lag_s = 1400.0;

/// Heat between the air of a room and its mass per kelvin between them.
inline double mass_conductance_w_per_k(const RoomSpec& room) noexcept {
  return room.mass_conductance_w_per_k > 0.0 ? room.mass_conductance_w_per_k
                                             : room.mass_heat_capacity_j_per_k / room_mass_lag_s;
}

/// Pumps of a water system that share its flow; one more than `duty` may be installed as standby.
struct WaterPumpsSpec {
  bool is_given = false;
  int count = 2;
  int duty = 1;  ///< that run
  std::string flow = "pressures";
  std::string control = "differential_pressure";
  double header_pressure_drop_pa = 0.0;
  physics::WaterPumpParams pump = {};
  physics::WaterPumpCurveParams curve = {};
  std::string pump_name = {};

  bool are_on_curves() const { return flow == "pressures"; }
  bool hold_pressure() const { return control == "differential_pressure"; }

  static constexpr auto fields() {
    using P = WaterPumpsSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive, "Number of installed pumps."},
        Field<P>{&P::duty, "duty", Range::positive,
                 "Number of pumps that run and share the flow; the others are on standby."},
        Field<P>{&P::flow, "flow", "pressures|balanced",
                 "Method for the flows of the system. pressures: from pressures and pump curves. balanced: design flow "
                 "times mean pump speed, independent of valves and other pumps."},
        Field<P>{&P::control, "control", "differential_pressure|full_speed",
                 "With `flow: pressures`. differential_pressure: drives lower the pump speed when valves close, so "
                 "that the pumps keep their rated pressure. full_speed: the pumps run at full speed."},
        Field<P>{&P::header_pressure_drop_pa, "header_pressure_drop", "Pa", Range::non_negative,
                 "With `flow: pressures`: pressure drop of supply and return header together, at design flows, to the "
                 "last user."},
    };
  }
};

/// Cells of wet cooling towers, all alike, on common headers; their fans follow the facility supply temperature.
struct TowersSpec {
  bool is_given = false;
  int count = 1;
  double fan_gain_per_k = 0.15;
  double fan_integral_time_s = 120.0;
  double sensor_lag_s = 10.0;
  double fan_lag_s = 10.0;
  double restart_delay_s = 20.0;
  physics::CoolingTowerParams tower = {};
  physics::WaterPumpParams pump = {};  ///< of each cell
  std::string tower_name = {};

  static constexpr auto fields() {
    using P = TowersSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive, "Cells."},
        Field<P>{&P::fan_gain_per_k, "fan_gain", "delta_K-1", Range::positive,
                 "Proportional gain: fan speed per kelvin of facility supply above its set-point."},
        Field<P>{&P::fan_integral_time_s, "fan_integral_time", "s", Range::positive,
                 "Integral time of the fan controller."},
        Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive,
                 "Time constant of the supply-temperature sensor."},
        Field<P>{&P::fan_lag_s, "fan_lag", "s", Range::positive, "Time constant of the fan speed."},
        Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                 "Time from the return of power to the start of a cell."},
    };
  }
};

/// Water of CDUs and condensers of chillers: facility water, or a system by a name of its own. Without towers, or parts that cool
/// it, it comes from outside, at a given temperature.
struct FacilitySpec {
  std::string name = "facility";
  FilePath path = {"hall", "cooling", "facility"};
  bool is_given = false;
  std::string coolant = "water";
  double supply_k = required;  ///< set-point of the towers, or the given temperature
  double volume_m3 = 0.0;      ///< in pipes, half supply, half return; with towers only
  double differential_pressure_pa =
      0.0;  ///< of water from outside, between supply and return; 0: it comes as it is asked for
  WaterPumpsSpec pumps = {};
  TowersSpec towers = {};

  static constexpr auto fields() {
    using P = FacilitySpec;
    return std::array{
        Field<P>{&P::coolant, "coolant", "water|pg25",
                 "Coolant: water, or water with 25 % propylene glycol by volume, for dry coolers in frost."},
        Field<P>{&P::supply_k, "supply_temperature", "K", Range::positive,
                 "Supply temperature of the facility water to the CDUs: set-point of the towers; without towers, a "
                 "given temperature."},
        Field<P>{&P::volume_m3, "volume", "m3", Range::non_negative,
                 "Volume of facility water in pipes, half in the supply and half in the return; required with towers."},
        Field<P>{&P::differential_pressure_pa, "differential_pressure", "Pa", Range::non_negative,
                 "For water from outside the model: controlled pressure between supply and return at the entry; at "
                 "this pressure users with open valves get their design flows. 0: users get these flows in any case."},
    };
  }
};

/// Chillers between the chilled water of doors and air handlers and the facility water.
struct ChillersSpec {
  bool is_given = false;
  int count = 1;
  double stage_up_fraction = 0.9;
  double stage_down_fraction = 0.75;
  double stage_interval_s = 300.0;
  double warm_supply_k = 0.5;
  double loading_lag_s = 30.0;
  double restart_delay_s = 60.0;
  double start_interval_s = 45.0;  ///< [carrier_pic]
  physics::ChillerParams chiller = {};
  physics::WaterPumpParams chilled_pump, condenser_pump;  ///< of each machine
  std::string chiller_name = {};

  static constexpr auto fields() {
    using P = ChillersSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive, "Machines."},
        Field<P>{&P::stage_up_fraction, "stage_up", "1", Range::positive_fraction,
                 "Stage up: load of the running machines divided by their rating; above this value one more machine "
                 "starts."},
        Field<P>{&P::stage_down_fraction, "stage_down", "1", Range::positive_fraction,
                 "Stage down: load divided by the rating of the machines that would remain; below this value one "
                 "machine stops."},
        Field<P>{&P::stage_interval_s, "stage_interval", "s", Range::positive,
                 "Shortest time between two changes of the number of machines."},
        Field<P>{
            &P::warm_supply_k, "warm_supply", temperature_difference, Range::positive,
            "Deviation of the supply above its set-point at which one more machine starts, if return water bypasses "
            "the running machines; no machine stops if the deviation would then be more than half of this value."},
        Field<P>{&P::loading_lag_s, "loading_lag", "s", Range::positive,
                 "Time constant with which a started compressor takes load."},
        Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                 "Time from the return of power to the start of a machine."},
        Field<P>{&P::start_interval_s, "start_interval", "s", Range::non_negative,
                 "Shortest time between the starts of two machines, so that motors do not start together; 0: none."},
    };
  }
};

/// The loop of rear doors and air handlers, or one of several by name.
struct ChilledWaterSpec {
  std::string name = "chilled_water";
  FilePath path = {"hall", "cooling", "chilled_water"};
  bool is_given = false;
  double supply_k = at_doors;
  double volume_m3 = required;  ///< in pipes, half supply, half return
  WaterPumpsSpec pumps = {};
  ChillersSpec chillers = {};
  std::string condenser = {};  ///< water of the condensers; empty: that which there is
  Mention condenser_mention = {};

  /// Stands for the temperature that the doors ask for; no one can write it.
  static constexpr double at_doors = std::numeric_limits<double>::infinity();

  static constexpr auto fields() {
    using P = ChilledWaterSpec;
    return std::array{
        Field<P>{
            &P::supply_k, "supply_temperature", "K", Range::positive,
            "Set-point of the chillers; if rear doors on this water have a supply temperature, it is the set-point."},
        Field<P>{&P::volume_m3, "volume", "m3", Range::positive,
                 "Volume of chilled water in pipes, half in the supply and half in the return."},
    };
  }
};

/// Air handlers of a room of the hall, or of each electrical room.
struct CrahsSpec {
  std::string name = {};  ///< that of their room; empty: the only one
  FilePath path = {"hall", "cooling", "crahs"};
  bool is_given = false;
  std::string on = {};  ///< water of their coils; empty: that which there is
  Mention on_mention = {};
  int count = 1;
  double air_k = 297.15;
  double fan_gain_per_k = 0.1;
  double fan_integral_time_s = 180.0;
  double sensor_lag_s = 20.0;
  double fan_lag_s = 10.0;
  double lowest_speed_fraction = 0.3;
  bool has_water_valve = true;
  double valve_gain_per_k = 0.05;
  double valve_lag_s = 20.0;
  double smallest_flow_fraction = 0.05;
  double restart_delay_s = 10.0;
  physics::CrahParams crah = {};
  std::string crah_name = {};

  static constexpr auto fields() {
    using P = CrahsSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive,
                 "Number of air handlers; for UPS rooms, the number in each room."},
        Field<P>{&P::air_k, "air_temperature", "K", Range::positive, "Set-point of the room air."},
        Field<P>{&P::fan_gain_per_k, "fan_gain", "delta_K-1", Range::positive,
                 "Proportional gain: fan speed per kelvin of air above its set-point."},
        Field<P>{&P::fan_integral_time_s, "fan_integral_time", "s", Range::positive,
                 "Integral time of the fan controller."},
        Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive, "Time constant of the air-temperature sensor."},
        Field<P>{&P::fan_lag_s, "fan_lag", "s", Range::positive, "Time constant of the fan speed."},
        Field<P>{&P::lowest_speed_fraction, "lowest_speed", "1", Range::fraction,
                 "Lowest fan speed of a running unit."},
        Field<P>{&P::has_water_valve, "water_valve",
                 "Whether each coil has a valve that closes when the air is below its set-point and the fans are at "
                 "their lowest speed."},
        Field<P>{&P::valve_gain_per_k, "valve_gain", "delta_K-1", Range::positive,
                 "Proportional gain: valve position per kelvin of air temperature below its set-point."},
        Field<P>{&P::valve_lag_s, "valve_lag", "s", Range::positive, "Time constant of the actuator of this valve."},
        Field<P>{&P::smallest_flow_fraction, "smallest_flow", "1", Range::positive_fraction,
                 "Lowest share of the design flow of the coil that the valve controller sets."},
        Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                 "Time from the return of power to the start of a unit."},
    };
  }
};

struct CoolingSpec {
  std::vector<LoopsSpec> loops = std::vector<LoopsSpec>(1);        ///< sorts of them
  std::vector<FacilitySpec> water = std::vector<FacilitySpec>(1);  ///< of CDUs and condensers
  std::vector<DoorsSpec> doors = {};                               ///< given ones
  std::vector<ChilledWaterSpec> chilled_water = {};                ///< the same
  std::vector<CrahsSpec> crahs = std::vector<CrahsSpec>(1);        ///< of rooms, in any order
  std::vector<RoomSpec> rooms = std::vector<RoomSpec>(1);          ///< of the hall: its racks stand in them

  /// Whether any room of the hall has air handlers.
  bool has_crahs() const {
    return std::ranges::any_of(crahs, [](const CrahsSpec& spec) { return spec.is_given; });
  }
};

/// Number in CoolingSpec::rooms of the room of that name; empty: of the only one. None where there is no such room.
std::optional<std::size_t> room_number(const CoolingSpec& cooling, const std::string& name);

/// The air handlers of that room; nullptr where it has none.
const CrahsSpec* crahs_of(const CoolingSpec& cooling, std::size_t room);

/// The water system of that name; empty: the only one. nullptr where there is none.
const FacilitySpec* find_water(const CoolingSpec& cooling, const std::string& name);

}  // namespace wattloop::twin
