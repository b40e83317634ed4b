// Many runs at once in one process: each on one thread, rows to the caller or into a journal as they come.
#pragma once

#include <chrono>
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
  std::function<bool()> is_stop_requested;  ///< from any thread
  std::function<void(std::span<const StudyRow>)>
      when_kept;  ///< rows that count now; called by the caller's thread, also with none
  /// Runs that have begun may take so long to end when no further one is begun: schedulers kill half a minute after they warn.
  std::chrono::seconds grace{5};
};

/// All rows to `when_kept`. True where all are done, false where it was stopped. Which thread takes which run changes no row. Throws what a run throws that says
/// nothing of the run.
bool run_study(const EngineWork& work, const EngineWatch& watch);

/// The same; rows count when they are in the journal. Throws its FileError, too; rows that were kept stay.
bool run_study(const EngineWork& work, Journal& journal, const EngineWatch& watch);

}  // namespace wattloop::twin
