// Transfer switches of the power tree, each of which is two branches there, as one part of the one-line diagram.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

/// Kind of the part that stands for both legs, which are breakers or have no hardware.
inline constexpr std::string_view transfer_switch = "transfer switch";

struct TransferSwitch {
  std::string name{};
  std::array<std::string, 2> legs{},
      buses{};  ///< the preferred leg, then the alternate one; the bus that each takes from
};

using TransferSwitches = std::map<std::string, TransferSwitch, std::less<>>;  ///< by the preferred leg

/// Makes one part of the legs of each transfer switch. It has the name of the preferred leg, because a bus can have that of the switch.
TransferSwitches join_transfer_legs(Topology& topology);

}  // namespace wattloop::twin
