// What a scenario says of power: ways from utility feeds to PDUs, each a block, and how loads are laid over them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "electrical/electrical_kinds.hpp"
#include "twin/scenario/specs/cooling_spec.hpp"
#include "twin/scenario/specs/one_line_spec.hpp"

namespace wattloop::twin {

struct GeneratorsSpec {
  bool is_given = false;
  int count = 1;
  bool is_enabled = true;
  electrical::Generator::Params generator = {};
  std::string generator_name = {};

  static constexpr auto fields() {
    using P = GeneratorsSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive, "Number of generators of each block or side."},
        Field<P>{&P::is_enabled, "enabled", "Whether the generators start when the feed is lost."},
    };
  }
};

/// One room for the UPS of each block, with its own air handlers on the chilled water.
struct ElectricalRoomsSpec {
  bool is_given = false;
  RoomSpec room = {};
  CrahsSpec crahs = {};
};

/// What racks or motors hang on: buses and PDUs, one for each of their cords, of several lists in turn; or blocks, of motors.
struct CordsSpec {
  NamesSpec racks, motors;
  std::vector<NamesSpec> feeds;  ///< names of buses and PDUs
  NamesSpec blocks;
  bool has_static_switch = false;  ///< racks draw all from the first bus that is live; else half from each
};

/// One way of power, from a feed of its own to its PDUs. Counts are those of the block.
struct PowerBlockSpec {
  std::string name = "a";
  int transformers = 1;
  int low_voltage_buses = 1;       ///< that transformers, generators, UPS modules and PDUs are divided among, equally
  int redundant_transformers = 0;  ///< that may be out at full load
  bool is_without_ups = false;     ///< its PDUs hang on the low voltage
  int ups_modules = 1;
  int redundant_ups_modules = 0;
  std::string ups_batteries = "per_module";
  std::string ups_bypass = "static";
  int pdus = 1;
  electrical::UtilityFeed::Params utility = {};
  bool has_substation = false;
  electrical::Transformer::Params substation = {};
  electrical::Transformer::Params transformer = {};
  electrical::Ups::Params ups = {};
  electrical::Pdu::Params pdu = {};
  GeneratorsSpec generators;
  std::string substation_name, transformer_name, ups_name, pdu_name;

  /// Name of what is at a low-voltage bus: that of the block, with the number of the bus where there are several ("a_3").
  std::string name_at(int bus) const;
  /// Names of all of them.
  std::vector<std::string> names_at_buses() const;
  /// The bus that a PDU, or a generator, of that index is at, of so many.
  int bus_of(int index, int count) const { return index / (count / low_voltage_buses); }
};

/// Without `named_blocks` it is itself the block of one side, or of each of two.
struct PowerSpec : PowerBlockSpec {
  std::string topology = "single";
  std::string redundancy = "single";  ///< of named blocks
  std::string reserve = "none";       ///< of `redundancy: block`, the block that the others fall back on
  std::vector<PowerBlockSpec> named_blocks;
  bool motors_ride_through = false;
  std::string flow = "watts";
  double rack_power_factor = 0.98;
  double motor_power_factor = 0.9;
  ElectricalRoomsSpec rooms;
  std::vector<CordsSpec> cords;
  NamesSpec absent;  ///< equipment that is not installed
  OneLineSpec one_line;

  bool has_named_blocks() const { return !named_blocks.empty(); }
  /// Whether it is itself the block of its sides.
  bool is_of_one_block() const { return !has_named_blocks() && !one_line.is_given; }
  /// In their order; of `topology` a, or a and b alike; none of a one-line diagram as drawn.
  std::vector<PowerBlockSpec> blocks() const;
  /// How many of them there are.
  int sides() const;
  /// "single", "2N", "block" or "distributed", whoever says it.
  const std::string& laid_out_as() const { return has_named_blocks() ? redundancy : topology; }
  /// Names of those that have a UPS.
  std::vector<std::string> blocks_with_ups() const;
  /// Names of the rooms for UPS: "electrical_room_a"; none where they stand in the hall.
  std::vector<std::string> electrical_rooms() const;
  /// The warmest air in which every UPS carries its rating; infinity without any.
  double highest_ups_air_k() const;

  static constexpr auto fields() {
    using P = PowerSpec;
    return std::array{
        Field<P>{&P::topology, "topology", "single|2N",
                 "single: one path to single-corded racks. 2N: two independent paths, a and b, to dual-corded racks."},
        Field<P>{&P::redundancy, "redundancy", "single|2N|block|distributed",
                 "How the cords of loads are divided among `blocks`. single: each load on one block, alternately. 2N: "
                 "each load on both of two blocks. block: each load on one block, alternately, or on the reserve. "
                 "distributed: each load on two blocks, pairs of blocks alternately."},
        Field<P>{&P::reserve, "reserve", "",
                 "With `redundancy: block`: the block that the others fall back on; it carries no load until another "
                 "block is out of service."},
        Field<P>{
            &P::flow, "flow", "watts|radial|meshed|auto",
            "watts: power only, at nominal voltage and unity power factor. The other methods also compute voltages, "
            "reactive power and currents. radial: sweeps over the tree. meshed: Newton's method, needed for closed "
            "rings and ties. auto: the method that the positions of the switches need (docs/models/tree_voltages.md)."},
        Field<P>{&P::rack_power_factor, "rack_power_factor", "1", Range::positive_fraction,
                 "Power factor of racks (estimate); not used with `flow: watts`."},
        Field<P>{&P::motor_power_factor, "motor_power_factor", "1", Range::positive_fraction,
                 "Power factor of motors with their drives (estimate); not used with `flow: watts`."},
        Field<P>{&P::motors_ride_through, "motors_ride_through",
                 "Whether motors without UPS run on during the transfer of their transfer switch; if not, they stop "
                 "and start again."},
    };
  }
};

}  // namespace wattloop::twin
