// Which values of a scenario come from which source, from the text that results keep of it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// "cold_plate.die_heat_capacity 60 J/K", in the order of the text, by the keys of docs/references.bib that stand beside them.
using ValuesBySource = std::map<std::string, std::vector<std::string>>;
ValuesBySource values_by_source(std::string_view scenario);

/// As HTML: each source with how many values and which; empty where the file names none.
std::string sources_list(const ResultsReader& results);

}  // namespace wattloop::twin
