// The one-line diagram: buses, the branches between them, sources that feed buses and loads that hang on
// them, as a user describes it; what may be wrong with it; and the power tree made from it.
//
// A branch carries power from its bus `from` to its bus `to` and never back, unless it goes both ways, as ties and cables of a ring do. All
// others, open ones included, must be free of directed cycles; in its normal position no bus may be fed twice. A transfer
// switch is two branches into one bus. Parallel units that always
// work together are one branch with a count; generators of one bus are one source each, because they fail singly.
#pragma once

#include <string>
#include <vector>

#include "electrical/equipment.hpp"
#include "electrical/power_tree.hpp"

namespace wattloop::electrical {

/// A place without resistance where branches, sources and loads meet.
struct Bus {
  std::string name;
  double voltage_v = 0.0;  ///< nominal; 0: that of equipment here which says it, else not known
};

/// Equipment between two buses.
struct Branch {
  std::string name;
  std::string from;  ///< bus on the side of the sources
  std::string to;    ///< bus on the side of the loads
  Equipment equipment;
  int modules = 1;      ///< alike, in parallel, sharing the power equally
  int room = outdoors;  ///< index of the room that the loss heats
  bool normally_closed = true;
  bool goes_both_ways = false;         ///< carries from either bus to the other: a tie, a cable of a ring
  int spare_modules = not_said;        ///< that may be out while the others carry everything
  std::string module_separator = "_";  ///< between its name and the number of a module: "transformer_a_2"
  bool shares_battery = false;         ///< one battery for all modules; else each has its own, out when it is
  std::string bypassed =
      {};  ///< branch that it carries for, between the same buses, while that one does not; empty: none
  std::string protects =
      {};  ///< branch that it is the breaker or fuse of, in series with it and nothing between; empty: none
  double bypass_return_s = 0.0;  ///< of that: from when it was opened by its protection to when it tries to carry again
};

/// Of one of several modules, numbered from 1.
inline std::string module_name(const Branch& branch, int module) {
  return branch.name + branch.module_separator + std::to_string(module);
}

/// Where power enters.
struct Source {
  std::string name;
  std::string bus;
  SourceEquipment equipment = UtilityFeed::Params{};
  bool normally_live = true;
};

/// Where power leaves: a rack, a pump, a fan.
struct Load {
  /// What a load on two live buses does: draws half from each (two cords), or all from the first (transfer switch). With one of them dead it
  /// draws all from the other; `both_needed` draws nothing then, because supplies on one cord cannot carry it.
  enum class Sharing { equally, transfer, both_needed };
  std::string name;
  std::vector<std::string> buses;  ///< one or two
  Sharing sharing = Sharing::equally;
};

struct OneLineDiagram {
  std::vector<Bus> buses;
  std::vector<Branch> branches;
  std::vector<Source> sources;
  std::vector<Load> loads;
  int rooms = 0;               ///< branches name rooms 0 .. rooms - 1
  bool may_be_meshed = false;  ///< closed rings, parallel branches and closed ties are no mistake
};

/// Something about a component of the diagram that its author should know.
struct Finding {
  enum class Severity { error, warning };
  Severity severity;
  std::string component;    ///< name of a bus, branch, source or load
  std::string message;      ///< a sentence that names all components concerned
  std::string remedy = {};  ///< what to do about it; may be empty
};

/// All that is wrong. Errors: names used twice or empty, unknown buses and rooms, module counts below one, as many to spare,
/// loads with no or too many cords, branches in a cycle, UPS and loads that no source reaches in any switch
/// position, buses fed twice in the normal position, both cords on one bus or behind the same UPS or PDU.
/// Warnings: branches that lead to no load, loads that are dead in the normal position.
std::vector<Finding> check(const OneLineDiagram& diagram);

/// The tree in evaluation order. Throws `InputError` with all errors of `check`.
PowerTree build_power_tree(const OneLineDiagram& diagram);

}  // namespace wattloop::electrical
