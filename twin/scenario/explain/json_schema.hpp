// A JSON Schema of scenarios and studies for editors, made from the tables that read them.
//
// What it cannot know it lets pass: `wattloop check` reads units, names and what fits together.
#pragma once

#include <span>
#include <string>

#include "twin/scenario/explain/explain.hpp"

namespace wattloop::twin {

/// Text of the schema; `study` are the topics of studies, the first that of the file itself.
std::string json_schema(std::span<const Topic> study);

}  // namespace wattloop::twin
