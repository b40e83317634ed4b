#include "viz/hall/job_colours.hpp"

#include <fmt/core.h>

#include <numeric>

#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "twin/drawings/names/meaning_colours.hpp"

namespace wattloop::viz {
namespace {

/// Of "#0072b2".
std::string nodes_text(double nodes) { return fmt::format("{:.0f} node{}", nodes, nodes == 1.0 ? "" : "s"); }

std::vector<JobKey> legend_of(const twin::JobPlaces& places, double time_s) {
  const twin::JobPlaces::Legend legend = places.legend_at(time_s);
  std::vector<JobKey> keys;
  for (const twin::JobOfLegend& job : legend.jobs)
    keys.push_back({fmt::format("{} ({})", printable(job.name), nodes_text(job.nodes)), job_colour(job.colour)});
  if (legend.other_jobs > 0)
    keys.push_back({fmt::format("{} ({})", count_text(legend.other_jobs, "other job"), nodes_text(legend.other_nodes)),
                    job_colour({})});
  keys.push_back(
      {fmt::format("without a job ({})", nodes_text(legend.idle_nodes)), twin::colour_of(twin::meaning::no_job)});
  return keys;
}

}  // namespace

twin::JobPlaces job_places(const twin::ResultsReader& results) { return {results, twin::meaning::jobs.size()}; }

Colour job_colour(std::optional<std::size_t> colour) {
  return twin::colour_of(colour ? twin::meaning::jobs.at(*colour) : twin::meaning::other_jobs);
}

void colour_jobs(Scene& scene, const twin::ResultsReader& results) {
  const twin::JobPlaces places = job_places(results);
  const std::vector<std::vector<twin::JobShare>> jobs_of_rack = places.at(scene.time_s);
  std::size_t rack = 0;
  for (SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack" || rack >= jobs_of_rack.size()) continue;
    double idle_share = 1.0;
    for (const twin::JobShare& one : jobs_of_rack[rack]) {
      const double share = one.nodes / places.nodes()[rack];
      shown.shares.push_back({share, job_colour(places.colour_of(one.job))});
      idle_share -= share;
    }
    constexpr double rounding = 1e-9;
    if (idle_share > rounding) shown.shares.push_back({idle_share, twin::colour_of(twin::meaning::no_job)});
    ++rack;
  }
  scene.job_keys = legend_of(places, scene.time_s);
}

}  // namespace wattloop::viz
