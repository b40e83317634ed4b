// A listed hall in the terms of the scenario language: equal racks as groups, power as blocks, CDUs as loops. What the language cannot say
// is noted, never dropped in silence.
#pragma once

#include <string>
#include <vector>

#include "twin/imports/hall_tables.hpp"

namespace wattloop::twin {

/// A device of the library, with another rating where `rating` is not zero.
struct RatedDevice {
  std::string kind{}, hardware{};
  double rating = 0.0;
  int count = 0;
};

struct ImportedRack {
  ListedRack listed;
  std::string name;               ///< "row_2.rack_1"
  std::vector<std::string> pdus;  ///< "pdu_a_3", one for each cord
};

struct ImportedGroup {
  std::string name;            ///< "group_1"
  std::string hardware, loop;  ///< `loop` as the scenario calls it; empty: none
  int nodes = 0;
  std::vector<std::string> blocks;  ///< that its cords go to
  std::vector<std::size_t> rows;    ///< racks of each
  std::vector<ImportedRack> racks;  ///< in the order of the scenario
};

struct ImportedLoop {
  std::string name{}, listed{};
  RatedDevice cdus{};
  std::size_t racks = 0;
};

struct ImportedBlock {
  std::string name{}, root{};                               ///< "a", and the first equipment of its way
  RatedDevice transformers{}, generators{}, ups{}, pdus{};  ///< `count` zero: none
};

struct ImportedHall {
  std::vector<ImportedGroup> groups;
  std::vector<ImportedLoop> loops;
  std::vector<ImportedBlock> blocks;
  std::string redundancy;             ///< "single", "2N", "distributed"
  std::vector<std::string> notes;     ///< what is assumed, and what the language does not say
  std::vector<std::string> warnings;  ///< ratings below the sum of what hangs on them
};

ImportedHall group_hall(const HallTables& tables);

}  // namespace wattloop::twin
