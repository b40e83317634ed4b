#include "twin/report/charts/job_plans.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/report/charts/plan_parts.hpp"
#include "twin/results/reader/job_places.hpp"

namespace wattloop::twin {

namespace {

std::string colour_of(const JobPlaces& places, std::size_t job) {
  const std::optional<std::size_t> colour = places.colour_of(job);
  return colour ? meaning::jobs.at(*colour) : meaning::other_jobs;
}

/// Of every rack.
std::vector<PlanShares> shares_at(const JobPlaces& places, double time_s) {
  std::vector<PlanShares> racks;
  const std::vector<std::vector<JobShare>> jobs_of_rack = places.at(time_s);
  for (std::size_t rack = 0; rack < jobs_of_rack.size(); ++rack) {
    PlanShares shares;
    double idle_nodes = places.nodes()[rack];
    for (const JobShare& one : jobs_of_rack[rack]) {
      shares.shares.push_back({colour_of(places, one.job), one.nodes / places.nodes()[rack]});
      shares.words += fmt::format("{}{}: {:.0f} of {:.0f} nodes", shares.words.empty() ? "" : ", ",
                                  places.name_of(one.job), one.nodes, places.nodes()[rack]);
      idle_nodes -= one.nodes;
    }
    if (idle_nodes > 0.0) shares.shares.push_back({meaning::no_job, idle_nodes / places.nodes()[rack]});
    if (shares.words.empty()) shares.words = "no job";
    racks.push_back(std::move(shares));
  }
  return racks;
}

bool are_alike(const std::vector<PlanShares>& racks) {
  return std::ranges::all_of(racks, [&](const PlanShares& rack) { return rack.words == racks.front().words; });
}

std::string legend_at(const JobPlaces& places, double time_s) {
  const JobPlaces::Legend legend = places.legend_at(time_s);
  std::string lines;
  const auto add = [&](std::string_view colour, const std::string& words, double nodes) {
    lines += fmt::format("<span style='border-color:{}'>{} ({:.0f} node{})</span>\n", colour, page_text(words), nodes,
                         nodes == 1.0 ? "" : "s");
  };
  for (const JobOfLegend& job : legend.jobs) add(meaning::jobs.at(job.colour), job.name, job.nodes);
  if (legend.other_jobs > 0) add(meaning::other_jobs, count_text(legend.other_jobs, "other job"), legend.other_nodes);
  add(meaning::no_job, "without a job", legend.idle_nodes);
  return "<p class='keys'>" + lines + "</p>\n";
}

}  // namespace

std::string job_plans(const ResultsReader& results, const RackTemperatures& racks, double worst_s) {
  const JobPlaces places(results, meaning::jobs.size());
  if (!racks.is_recorded() || !places.are_known()) return {};
  const std::vector<LayoutBox> layout = results.layout();
  const std::vector<PlanMoment> moments = plan_moments(results, racks, worst_s);
  std::vector<double> moments_s;
  for (const PlanMoment& moment : moments) moments_s.push_back(racks.times_s[moment.row]);
  const std::vector<PlanParts> parts = plan_parts(results, layout, moments_s);
  PlansSideBySide drawn;
  bool differ = false;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    const std::vector<PlanShares> shares = shares_at(places, moments_s[k]);
    differ = differ || !are_alike(shares);
    const std::string plan = share_plan(layout, racks.names, shares, racks.of_row(racks.down_gpus, moments[k].row),
                                        racks.of_row(racks.throttled_gpus, moments[k].row), parts[k]);
    drawn.add(moment_heading(results, racks, moments[k]), plan + legend_at(places, moments_s[k]));
  }
  if (!differ) return {};
  return drawn.html() +
         "<p>A rack with nodes of several jobs has a part of each colour. A job keeps its colour over the run. "
         "Hatched: "
         "nodes are down. Purple stripe: GPUs are throttled.</p>\n";
}

}  // namespace wattloop::twin
