#include "twin/scenario/specs/power_spec.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include <fmt/format.h>

namespace wattloop::twin {

std::string PowerBlockSpec::name_at(int bus) const {
  return low_voltage_buses == 1 ? name : fmt::format("{}_{}", name, bus + 1);
}

std::vector<std::string> PowerBlockSpec::names_at_buses() const {
  std::vector<std::string> names;
  for (int bus = 0; bus < low_voltage_buses; ++bus) names.push_back(name_at(bus));
  return names;
}

std::vector<PowerBlockSpec> PowerSpec::blocks() const {
  if (one_line.is_given) return {};
  if (has_named_blocks()) return named_blocks;
  std::vector<PowerBlockSpec> alike(topology == "2N" ? 2 : 1, *this);
  char letter = 'a';
  for (PowerBlockSpec& block : alike) block.name = letter++;
  return alike;
}

int PowerSpec::sides() const {
  if (one_line.is_given) return 0;
  if (has_named_blocks()) return static_cast<int>(named_blocks.size());
  return topology == "2N" ? 2 : 1;
}

std::vector<std::string> PowerSpec::blocks_with_ups() const {
  std::vector<std::string> names;
  for (const PowerBlockSpec& block : blocks()) {
    if (!block.is_without_ups) names.push_back(block.name);
  }
  return names;
}

std::vector<std::string> PowerSpec::electrical_rooms() const {
  std::vector<std::string> names;
  if (!rooms.is_given) return names;
  for (const std::string& block : blocks_with_ups()) names.push_back("electrical_room_" + block);
  for (const DrawnBranch& drawn : one_line.branches) {
    if (!std::holds_alternative<electrical::Ups::Params>(drawn.branch.equipment)) continue;
    const std::string name = drawn.electrical_room();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

double PowerSpec::highest_ups_air_k() const {
  double highest_k = std::numeric_limits<double>::infinity();
  for (const DrawnBranch& drawn : one_line.branches) {
    if (const auto* ups = std::get_if<electrical::Ups::Params>(&drawn.branch.equipment))
      highest_k = std::min(highest_k, ups->rated_air_k);
  }
  for (const PowerBlockSpec& block : blocks()) {
    if (!block.is_without_ups) highest_k = std::min(highest_k, block.ups.rated_air_k);
  }
  return highest_k;
}

}  // namespace wattloop::twin
