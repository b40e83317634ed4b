// Many runs at once in one process: each on one thread, rows into the journal as they come.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "twin/study/plan/study_base.hpp"
#include "twin/study/tables/journal.hpp"

namespace wattloop::twin {

struct EngineWork {
  const PlannedStudy& plan;
  const StudyBase& base;
  std::vector<std::size_t> runs;  ///< that are to be done
  int threads = 1;
  std::function<std::optional<std::size_t>()> next_run{};  ///< from any thread; where it is there, instead of `runs`
};

struct EngineWatch {
  std::function<bool()> is_stop_requested;
  std::function<void(std::span<const StudyRow>)>
      when_kept;  ///< rows that count now; called by the caller's thread, also with none
};

/// True where all are done, false where it was stopped. Which thread takes which run changes no row. Throws what a run throws that says
/// nothing of the run, and FileError of the journal; rows that were kept stay.
bool run_study(const EngineWork& work, Journal& journal, const EngineWatch& watch);

}  // namespace wattloop::twin
