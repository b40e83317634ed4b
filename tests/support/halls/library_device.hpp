// A device of the hardware library of the source tree, read as a scenario would read it.
#pragma once

#include <any>
#include <string>

#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::tests {

/// A place for the values of any device: in `draft`, where a scenario keeps them, or for units of a node in
/// `params`.
struct AnyDevice {
  twin::ScenarioDraft draft;
  std::any params;
};

/// Reads scenarios/hardware/NAME.yaml; throws what is wrong with it. Pumps go to the facility, transformers
/// to the data hall.
void read_library_device(const std::string& name, AnyDevice& device);

}  // namespace wattloop::tests
