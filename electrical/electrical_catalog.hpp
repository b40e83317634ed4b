// The catalog of kinds of electrical equipment: everything that is known of a kind without knowing the kind.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

/// Where a kind joins others.
struct PortOfKind {
  std::string_view name;  ///< "input"
  PortMedium medium;
};

/// A kind of electrical equipment, erased.
struct ElectricalKind {
  std::string_view name;          ///< "ups"
  std::string_view noun, plural;  ///< in sentences: "UPS"
  std::string_view doc;           ///< one sentence
  bool is_source = false;
  bool is_standby = false;         ///< of sources
  bool is_of_one_side = false;     ///< two cords of a load behind one of it are as good as one
  Box box = not_drawn;             ///< what is seen of one
  std::string_view metered_under;  ///< kind under whose name its loss is metered; of passages

  std::vector<PortOfKind> ports;
  std::vector<PartEvent> events;
  std::vector<StateInfo> states;       ///< the charge of its battery
  PartTable table;                     ///< no group: it is not in results
  std::vector<ReadingColumn> columns;  ///< of the table
  std::vector<RatedColumn> ratings;    ///< what it is rated for

  bool takes(PartEvent event) const;
};

/// Where the switch states of all branches and sources are reported.
inline constexpr PartTable switch_table{"breakers", "breaker"};

/// All kinds, in the order of the list.
std::span<const ElectricalKind> electrical_kinds();

/// The kind of that name; throws std::logic_error for one that is not in the list.
const ElectricalKind& electrical_kind(std::string_view name);

}  // namespace wattloop::electrical
