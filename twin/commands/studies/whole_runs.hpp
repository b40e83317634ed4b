// Whole results of the runs of a study that it chooses: FOLDER/runs/run-0042.h5.
#pragma once

#include <filesystem>
#include <vector>

#include "twin/study/plan/study_base.hpp"
#include "twin/study/tables/journal.hpp"

namespace wattloop::twin {

/// A study, and where a command writes it.
struct StudyPlace {
  const PlannedStudy& plan;
  const StudyBase& base;
  std::filesystem::path folder;
  int threads = 1;
};

/// Runs each chosen row again whose whole results are missing, and writes them. Returns false if stopped. Throws what a run throws.
bool write_whole_runs(const StudyPlace& place, const StudyTable& rows);

/// Removes whole results of a study that begins again.
void remove_whole_runs(const std::filesystem::path& folder);

/// Those that the whole table chooses, from where shards have left them; others go. Runs that are nowhere.
std::vector<std::size_t> gather_whole_runs(const StudyTable& table, const std::vector<std::filesystem::path>& folders,
                                           const std::filesystem::path& output);

}  // namespace wattloop::twin
