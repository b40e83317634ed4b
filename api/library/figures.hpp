// Values of the inside as the headers have them.
#pragma once

#include <string>
#include <vector>

#include "twin/document/override.hpp"
#include "twin/results/schema/results_schema.hpp"

#include <wattloop/hall.hpp>

namespace wattloop::library {

inline std::vector<v0::Figure> figures_of(const std::vector<twin::NamedValue>& values) {
  std::vector<v0::Figure> figures;
  for (const twin::NamedValue& value : values)
    figures.push_back({value.name, value.value, value.unit, value.long_name});
  return figures;
}

/// "path=value" texts and events, as one list of overrides.
inline std::vector<std::string> overrides_of(const std::vector<std::string>& set,
                                             const std::vector<std::string>& events) {
  std::vector<std::string> overrides = set;
  for (const std::string& event : events) overrides.push_back(twin::event_override(event));
  return overrides;
}

}  // namespace wattloop::library
