// What is known of one part of the hall at a time: everything that was recorded of it, and what is wrong with it.
#pragma once

#include <string>
#include <vector>

#include "viz/hall/scene.hpp"

namespace wattloop::viz {

struct PartFact {
  std::string name, value;  ///< "supply temperature", "32.0 °C"; of what is wrong "pump a", "failed"
  bool is_wrong = false;
};

/// What is wrong first, then what was recorded, in the order of the file. Of a pipe what is known of its loop, of a busway of its PDU, of a rear
/// door of its rack. None where nothing was recorded.
std::vector<PartFact> part_facts(const twin::ResultsReader& results, const SceneBox& shown, double time_s);

}  // namespace wattloop::viz
