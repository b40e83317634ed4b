// Rows of the requested runs: rows of the journal, and rows of runs that are done now and added to it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "twin/study/study_engine.hpp"

namespace wattloop::twin {

class KeptRuns {
 public:
  struct Options {
    int threads = 1;
    std::function<bool()> is_stop_requested;
    std::function<void(std::span<const StudyRow>)> when_kept = [](std::span<const StudyRow>) {};
  };

  /// All must outlive it; `plan` may get further runs.
  KeptRuns(const PlannedStudy& plan, const StudyBase& base, Journal& journal, Options options);

  /// Rows of these runs, ordered by run. With `is_enough`, as many runs are done at a time as there are threads, and no further ones after it is
  /// true for one row. Which runs are done depends on the rows and the number of threads alone. Throws Interrupted where a stop was requested, and what `run_study` throws.
  std::vector<StudyRow> rows_of(const std::vector<std::size_t>& runs,
                                const std::function<bool(const StudyRow&)>& is_enough = {});

  const std::map<std::size_t, StudyRow>& all() const { return rows_; }

  struct Interrupted {};

 private:
  void make(std::span<const std::size_t> runs);

  const PlannedStudy& plan_;
  const StudyBase& base_;
  Journal& journal_;
  Options options_;
  std::map<std::size_t, StudyRow> rows_;
};

}  // namespace wattloop::twin
