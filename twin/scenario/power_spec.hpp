// What a scenario says of power: from the utility feeds to the PDUs. Counts are those of one side.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/problem.hpp"
#include "electrical/electrical_kinds.hpp"
#include "twin/scenario/cooling_spec.hpp"

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
        Field<P>{&P::count, "count", Range::positive, "Generators of each side."},
        Field<P>{&P::is_enabled, "enabled", "Whether they start when the feed is lost."},
    };
  }
};

/// One room for the UPS of each side, with its own air handlers on the chilled water.
struct ElectricalRoomsSpec {
  bool is_given = false;
  RoomSpec room = {};
  CrahsSpec crahs = {};
};

/// Names or patterns of components, each where it was written.
struct NamesSpec {
  std::vector<std::string> names;
  std::vector<Mention> mentions;
};

/// Racks that hang on other PDUs than their turn gives them.
struct CordsSpec {
  NamesSpec racks, pdus;
};

struct PowerSpec {
  std::string topology = "single";
  bool motors_ride_through = false;
  int transformers = 1;
  int ups_modules = 1;
  int pdus = 1;
  bool has_substation = false;
  electrical::Transformer::Params substation = {};
  electrical::Transformer::Params transformer = {};
  electrical::Ups::Params ups = {};
  electrical::Pdu::Params pdu = {};
  GeneratorsSpec generators;
  ElectricalRoomsSpec rooms;
  std::vector<CordsSpec> cords;
  NamesSpec absent;  ///< equipment that is not installed
  std::string substation_name, transformer_name, ups_name, pdu_name;

  int sides() const { return topology == "2N" ? 2 : 1; }

  static constexpr auto fields() {
    using P = PowerSpec;
    return std::array{
        Field<P>{&P::topology, "topology", "single|2N",
                 "One path to single-corded racks, or two independent ones, a and b, to dual-corded racks."},
        Field<P>{
            &P::motors_ride_through, "motors_ride_through",
            "Whether motors without UPS run on while their transfer switch goes over; else they stop and start again."},
    };
  }
};

}  // namespace wattloop::twin
