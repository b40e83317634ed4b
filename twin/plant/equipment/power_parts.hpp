// Parts of the power system that have a memory, with their numbers in the plant: batteries, standby generators, guards.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wattloop::twin {

/// The batteries of one branch of the power tree, all modules together. Those of modules that are out are not present.
struct BatteryPart {
  std::string name;  ///< of the branch: "ups_a"
  std::size_t branch = 0;
  std::size_t charge_state = 0;  ///< energy present over that of all when full; its sink takes W
  double energy_j = 0.0;         ///< of all when full
  double charger_w = 0.0;        ///< into emptied batteries, from all modules
  bool is_shared = false;        ///< one for all modules: whole whichever of them are out

  /// The charge present when full, with that share of the modules in service.
  double full_charge(double in_service_share) const { return is_shared ? 1.0 : in_service_share; }
};

/// A state that stops the integrator where it falls through a level.
struct Guard {
  std::size_t state = 0;
  double level = 0.0;
};

/// A way of power of its own, from a feed to PDUs, without which loads go on that hang on others, too.
struct BlockPart {
  std::string text;                  ///< "block a"
  std::string feed;                  ///< "utility_a"
  std::vector<std::string> members;  ///< feed, generators and UPS: with these out it gives nothing
};

/// A normally open branch that closes when one of its ends is dead and the other is fed, and opens again when the dead end can be fed
/// without it.
struct AutomaticSwitch {
  std::string name;  ///< of the branch
  std::size_t branch = 0;
  double closes_after_s = 0.0;
  double returns_after_s = 0.0;
};

/// A load of the one-line diagram besides racks and motors: what it draws leaves the site.
struct SiteLoadPart {
  std::size_t load = 0;
  std::size_t power_input = 0;  ///< W that it asks for at nominal voltage
};

/// Branches of which so many at most are closed at a time: those that are listed first go before others.
struct InterlockPart {
  std::string name;
  std::vector<std::size_t> branches;
  std::size_t most_closed = 1;
};

/// What closes by itself, what may not be closed together, and what of a diagram as drawn may be out.
struct SwitchRules {
  std::vector<AutomaticSwitch> automatic;
  std::vector<InterlockPart> interlocks;
  std::vector<std::string> may_be_out;  ///< feeds and branches that `check` takes out, one at a time
};

/// The generators of one side and the bus that they feed while its branches do not.
struct StandbyPart {
  std::string name;  ///< "generator_a"
  std::size_t bus = 0;
  std::vector<std::size_t> sources;  ///< "generator_a_1", ...
  bool is_enabled = true;
  double start_time_s = 0.0;
  double retransfer_delay_s = 0.0;
};

}  // namespace wattloop::twin
