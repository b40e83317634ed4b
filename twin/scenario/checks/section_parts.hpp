// Parts of sections that a part of the scenario may replace: tower cells and chillers. A part called as one of
// them replaces it; it takes heat of the same water.
#pragma once

#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

struct SectionPart {
  std::string name;   ///< "tower_3", "chiller_1"
  std::string water;  ///< whose heat it takes
  FilePath section;   ///< that makes it
};

/// In the order in which they are numbered.
std::vector<SectionPart> section_parts(const Scenario& scenario);

/// Whether a part of the scenario is called so.
bool is_replaced(const Scenario& scenario, const std::string& name);

/// Parts of the scenario that replace parts which a section makes for that water.
std::vector<PartSpec> replacing_parts(const Scenario& scenario, const std::string& water);

/// Parts that replace others but do not take their heat, and sections of which nothing is left.
void check_section_parts(const Node& root, const Scenario& scenario, Problems& problems);

}  // namespace wattloop::twin
