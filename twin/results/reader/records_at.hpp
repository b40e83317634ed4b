// Which record reports a moment.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Of values at their time: the record nearest to it. `times_s` has any.
std::size_t nearest_row(const std::vector<double>& times_s, double time_s);

/// Of means over the interval that ends at their time: the one that holds what follows the moment, at the end the last. Beside the
/// states of that moment it shows what they draw, not what was drawn before they changed.
std::size_t row_of_mean(const std::vector<double>& times_s, double time_s);

/// Of a column, whichever of the two it is.
std::size_t row_at(const ResultsReader& results, std::string_view group, std::string_view column,
                   const std::vector<double>& times_s, double time_s);

/// Parts that events restore at that instant. The record of the instant has their states after the event and the temperatures before it, so that
/// pictures of the instant show these parts as failed, and means over what came before.
std::set<std::string, std::less<>> parts_restored_at(const ResultsReader& results, double time_s);

/// The time of which means are to be read at a moment: just before it where parts are restored then, else itself.
double before_repairs_s(const ResultsReader& results, double time_s);

/// GPUs of nodes that are down, whatever the reason; of files that do not report, of those that are switched off.
std::string_view down_gpus_column(const ResultsReader& results, std::string_view group);

}  // namespace wattloop::twin
