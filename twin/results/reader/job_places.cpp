#include "twin/results/reader/job_places.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

/// From the first instant at which a job had a node to the last.
struct Span {
  double begin_s = std::numeric_limits<double>::infinity(), end_s = 0.0;
  bool overlaps(const Span& other) const { return begin_s < other.end_s && other.begin_s < end_s; }
};

std::vector<Span> spans_of(std::span<const JobPlace> places, std::size_t jobs) {
  std::vector<Span> spans(jobs);
  for (const JobPlace& place : places) {
    Span& span = spans[static_cast<std::size_t>(place.job)];
    span.begin_s = std::min(span.begin_s, place.begin_s);
    const bool is_open = place.is_at(std::numeric_limits<double>::max());
    span.end_s = std::max(span.end_s, is_open ? std::numeric_limits<double>::infinity() : place.end_s);
  }
  return spans;
}

/// Spans that have a colour; no two of them overlap.
class ColourInUse {
 public:
  bool is_free(const Span& span) const {
    const auto next = by_begin_s_.lower_bound(span.end_s);
    return next == by_begin_s_.begin() || !span.overlaps(std::prev(next)->second);
  }
  void take(const Span& span) { by_begin_s_.emplace(span.begin_s, span); }
  std::size_t count() const { return by_begin_s_.size(); }

 private:
  std::map<double, Span> by_begin_s_{};
};

}  // namespace

JobPlaces::JobPlaces(const ResultsReader& results, std::size_t colours) : places_(results.placements()) {
  if (places_.empty()) return;
  const std::vector<JobOutcome> jobs = results.jobs();
  std::map<std::string, std::size_t, std::less<>> racks;
  for (const LayoutBox& box : results.layout()) {
    if (box.kind == "rack") racks.emplace(box.name, racks.size());
    if (box.kind != "node") continue;
    const std::size_t rack = racks.at(box.parent);
    nodes_.resize(std::max(nodes_.size(), rack + 1));
    nodes_[rack] += 1.0;
  }
  nodes_.resize(racks.size());
  for (const JobOutcome& job : jobs) names_.push_back(job.name);
  const bool is_known = std::ranges::all_of(places_, [&](const JobPlace& place) {
    return static_cast<std::size_t>(place.job) < names_.size() && static_cast<std::size_t>(place.rack) < nodes_.size();
  });
  if (!is_known) throw FileError("the group 'placements' has jobs or racks that are not in the results");
  choose_colours(jobs, colours);
}

void JobPlaces::choose_colours(std::span<const JobOutcome> jobs, std::size_t colours) {
  const std::vector<Span> spans = spans_of(places_, jobs.size());
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t job) { return jobs[job].nodes; });
  colour_of_job_.resize(jobs.size());
  std::vector<ColourInUse> in_use(colours);
  for (const std::size_t job : order) {
    if (!(spans[job].begin_s < spans[job].end_s)) continue;
    std::optional<std::size_t> best;
    for (std::size_t colour = 0; colour < colours; ++colour) {
      const bool is_better = !best || in_use[colour].count() < in_use[*best].count();
      if (is_better && in_use[colour].is_free(spans[job])) best = colour;
    }
    if (best) in_use[*best].take(spans[job]);
    colour_of_job_[job] = best;
  }
}

std::vector<std::vector<JobShare>> JobPlaces::at(double time_s) const {
  std::vector<std::vector<JobShare>> racks(nodes_.size());
  for (const JobPlace& place : places_) {
    if (!place.is_at(time_s)) continue;
    racks[static_cast<std::size_t>(place.rack)].push_back(
        {static_cast<std::size_t>(place.job), static_cast<double>(place.nodes)});
  }
  for (std::vector<JobShare>& rack : racks) std::ranges::sort(rack, {}, &JobShare::job);
  return racks;
}

JobPlaces::Legend JobPlaces::legend_at(double time_s) const {
  std::map<std::size_t, double> nodes_of_job;
  Legend legend{.idle_nodes = std::accumulate(nodes_.begin(), nodes_.end(), 0.0)};
  for (const JobPlace& place : places_) {
    if (!place.is_at(time_s)) continue;
    nodes_of_job[static_cast<std::size_t>(place.job)] += static_cast<double>(place.nodes);
    legend.idle_nodes -= static_cast<double>(place.nodes);
  }
  for (const auto& [job, nodes] : nodes_of_job) {
    if (colour_of_job_[job]) {
      legend.jobs.push_back({job, names_[job], nodes, *colour_of_job_[job]});
    } else {
      ++legend.other_jobs;
      legend.other_nodes += nodes;
    }
  }
  std::ranges::stable_sort(legend.jobs, std::greater(), &JobOfLegend::nodes);
  return legend;
}

std::vector<double> JobPlaces::nodes_over(std::span<const double> times_s, std::optional<std::size_t> job) const {
  std::vector<double> changes(times_s.size() + 1);
  const auto first_at = [&](double time_s) {
    return static_cast<std::size_t>(std::ranges::lower_bound(times_s, time_s) - times_s.begin());
  };
  for (const JobPlace& place : places_) {
    if (job && static_cast<std::size_t>(place.job) != *job) continue;
    changes[first_at(place.begin_s)] += static_cast<double>(place.nodes);
    if (place.end_s == place.end_s) changes[first_at(place.end_s)] -= static_cast<double>(place.nodes);
  }
  std::partial_sum(changes.begin(), changes.end(), changes.begin());
  changes.resize(times_s.size());
  return changes;
}

}  // namespace wattloop::twin
