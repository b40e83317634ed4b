#include "twin/drawings/diagrams/transfer_switches.hpp"

#include <algorithm>

namespace wattloop::twin {

TransferSwitches join_transfer_legs(Topology& topology) {
  constexpr std::string_view preferred = ".preferred", alternate = ".alternate";
  TransferSwitches transfers;
  std::map<std::string, std::string, std::less<>> preferred_of;  // [alternate leg]
  for (const TopologyPart& part : topology.parts) {
    if (!part.name.ends_with(preferred)) continue;
    const std::string name = part.name.substr(0, part.name.size() - preferred.size());
    const std::string other = name + std::string(alternate);
    if (std::ranges::find(topology.parts, other, &TopologyPart::name) == topology.parts.end()) continue;
    transfers[part.name] = {.name = name, .legs = {part.name, other}};
    preferred_of[other] = part.name;
  }
  if (transfers.empty()) return transfers;
  for (TopologyPart& part : topology.parts)
    if (transfers.contains(part.name)) part.kind = transfer_switch;
  std::erase_if(topology.parts, [&](const TopologyPart& part) { return preferred_of.contains(part.name); });
  for (TopologyConnection& one : topology.connections) {
    const auto to = preferred_of.find(one.to), from = preferred_of.find(one.from);
    if (const auto known = transfers.find(one.to); known != transfers.end()) known->second.buses[0] = one.from;
    if (to != preferred_of.end()) {
      transfers.at(to->second).buses[1] = one.from;
      one.to = to->second;
    }
    if (from != preferred_of.end()) one.from = from->second;
  }
  return transfers;
}

}  // namespace wattloop::twin
