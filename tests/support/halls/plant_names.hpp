// Numbers of what a plant has, by its names. Search; throw std::out_of_range for what is not there.
#pragma once

#include <string_view>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::tests {

std::size_t node_named(const twin::Plant& plant, std::string_view name);
std::size_t input_named(const twin::Plant& plant, std::string_view name);
const twin::Link& link_named(const twin::Plant& plant, std::string_view name);
std::size_t motor_named(const twin::Plant& plant, std::string_view name);
bool has_node(const twin::Plant& plant, std::string_view name);

/// How many racks, CDUs, ... hang on something.
std::size_t count_on(const twin::Plant& plant, std::string_view kind, const std::string& on);

/// Energy meter of what power is used for: "chiller".
inline std::size_t meter_of_use(const twin::Plant& plant, std::string_view use) {
  return plant.meters.energy[twin::use_number(plant, use)];
}

}  // namespace wattloop::tests
