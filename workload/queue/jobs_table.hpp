// A table of jobs: what a scheduler reads, whoever wrote it.
//
//   name,submit_s,nodes,gpus,run_time_s,time_limit_s,priority,class
//   12041,0,4,32,5400,7200,0,large
//
// submit_s counts from the first job or any other start. nodes is 0 where only GPUs are known. An empty time_limit_s is no limit; class may be empty.
// The columns time_limit_s, priority, class, and one of nodes and gpus, may be left out. '#' begins a comment. Read by core/tables/csv_table.hpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/text/problem.hpp"

namespace wattloop::workload {

struct JobRow {
  std::string name;
  double submit_s = 0.0;
  std::size_t nodes = 0;
  std::size_t gpus = 0;
  double run_time_s = 0.0;
  double time_limit_s = std::numeric_limits<double>::infinity();  ///< infinite: none
  int priority = 0;                                               ///< higher goes first
  std::string job_class;

  bool operator==(const JobRow&) const = default;
};

/// In the order of their submission, equal times in that of the file. Every mistake goes into `problems`, by file and line; `named_at` says where a
/// scenario named the file. Refused: rows that ask for nothing, times below 0, names that are there twice.
std::vector<JobRow> read_jobs_table(const std::filesystem::path& path, Problems& problems,
                                    const Mention& named_at = {});

/// The text of the file; each line of `comment` is a comment at its head.
std::string jobs_table_text(std::span<const JobRow> jobs, std::span<const std::string> comment = {});

/// Throws FileError. For a file that appears whole or not at all: jobs_table_text().
void write_jobs_table(const std::filesystem::path& path, std::span<const JobRow> jobs,
                      std::span<const std::string> comment = {});

}  // namespace wattloop::workload
