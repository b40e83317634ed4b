// Jobs of a queue by their racks at one time, with a colour that a job keeps over the whole run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Of a rack, what one job has of it.
struct JobShare {
  std::size_t job = 0;  ///< row of the jobs
  double nodes = 0.0;
};

/// A line of the legend at one time.
struct JobOfLegend {
  std::size_t job = 0;
  std::string name{};
  double nodes = 0.0;
  std::size_t colour = 0;
};

class JobPlaces {
 public:
  /// `colours`: how many distinct ones there are for jobs.
  JobPlaces(const ResultsReader& results, std::size_t colours);

  /// Whether the results hold where jobs of a queue had their nodes.
  bool are_known() const { return !places_.empty(); }

  /// [rack of nodes, in the order of the layout] its jobs by row; none where it has none.
  std::vector<std::vector<JobShare>> at(double time_s) const;

  /// Nodes of each rack, in the same order.
  std::span<const double> nodes() const { return nodes_; }

  /// Which colour a job has. Larger jobs come first: nothing where as many jobs as there are colours have nodes at the same time. Jobs that
  /// follow each other have different ones as long as there are.
  std::optional<std::size_t> colour_of(std::size_t job) const { return colour_of_job_[job]; }
  const std::string& name_of(std::size_t job) const { return names_[job]; }

  /// Jobs that have nodes then and a colour, those with most nodes first; beside them what has no colour of its own.
  struct Legend {
    std::vector<JobOfLegend> jobs{};
    std::size_t other_jobs = 0;
    double other_nodes = 0.0, idle_nodes = 0.0;
  };
  Legend legend_at(double time_s) const;

  /// Nodes of a job, or of all together, at ascending times.
  std::vector<double> nodes_over(std::span<const double> times_s, std::optional<std::size_t> job = {}) const;

 private:
  void choose_colours(std::span<const JobOutcome> jobs, std::size_t colours);

  std::vector<JobPlace> places_;
  std::vector<std::string> names_;  ///< [job]
  std::vector<std::optional<std::size_t>> colour_of_job_;
  std::vector<double> nodes_;  ///< [rack]
};

}  // namespace wattloop::twin
