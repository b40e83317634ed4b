// Where a picture comes from, as texts that its file carries.
#pragma once

#include <vector>

#include "twin/platform/picture_texts.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Program and commit, the command that was typed; of results also the title of the run, its scenario (from the present folder if it is
/// below that) with what was changed of it, and the program that computed it.
std::vector<PictureText> picture_origin(const ResultsReader* results = nullptr);

}  // namespace wattloop::twin
