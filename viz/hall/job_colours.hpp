// Racks in the colours of the jobs of a queue that have their nodes.
#pragma once

#include <string_view>

#include "twin/results/reader/job_places.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

/// The name of the field: what was recorded of it has no column of the racks.
inline constexpr std::string_view job_field = "job";

/// Jobs of the results with as many colours as pictures have for them.
twin::JobPlaces job_places(const twin::ResultsReader& results);

/// Of the job with that number of a colour; without one that of all other jobs.
Colour job_colour(std::optional<std::size_t> colour);

/// Gives racks the shares of their jobs at the scene's time, and the scene its legend.
void colour_jobs(Scene& scene, const twin::ResultsReader& results);

}  // namespace wattloop::viz
