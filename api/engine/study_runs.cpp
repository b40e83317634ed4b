#include "api/engine/study_runs.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "core/numbers/instruction_level.hpp"
#include "core/text/problem.hpp"
#include "twin/study/plan/study_base.hpp"
#include "twin/study/runs/run_line.hpp"

namespace wattloop::engine {

namespace {

using twin::StudyRow;

/// Threads that take runs one after the other, and give their rows to the thread that waits for them.
class Workers {
 public:
  Workers(const twin::PlannedStudy& plan, const twin::StudyBase& base, int threads) : plan_(plan), base_(base) {
    running_ = std::min(static_cast<std::size_t>(threads), plan.runs.size());
    for (std::size_t thread = running_; thread > 0; --thread) threads_.emplace_back([this] { run_all(); });
  }
  ~Workers() { stop(); }

  void stop() { stops_ = true; }

  /// Rows that came since the last time; false where no more will come.
  bool take(std::vector<StudyRow>& rows) {
    rows.clear();
    std::unique_lock lock(mutex_);
    news_.wait(lock, [this] { return !rows_.empty() || running_ == 0; });
    rows.swap(rows_);
    if (rows.empty() && failure_) std::rethrow_exception(failure_);
    return !rows.empty();
  }

 private:
  void run_all() {
    try {
      twin::RunLine line(base_.source, plan_.fork_s(), plan_.study.method);
      for (std::size_t number = next_++; number <= plan_.runs.size() && !stops_; number = next_++) {
        const twin::StudyRun run = plan_.runs.run(number);
        const twin::RunOutcome outcome = line.run(run.changes, [this] { return stops_.load(); });
        if (!outcome.is_whole) break;
        StudyRow row = twin::row_of(run, outcome, plan_);
        const std::scoped_lock lock(mutex_);
        rows_.push_back(std::move(row));
        news_.notify_one();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stops_ = true;
    }
    const std::scoped_lock lock(mutex_);
    --running_;
    news_.notify_one();
  }

  const twin::PlannedStudy& plan_;
  const twin::StudyBase& base_;
  std::atomic<std::size_t> next_ = 1;
  std::atomic<bool> stops_ = false;
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<StudyRow> rows_;
  std::size_t running_ = 0;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // last: they use all else
};

}  // namespace

twin::StudyTable run_study(const StudyRequest& request, const std::function<bool(const StudyRow&)>& on_row) {
  Problems problems;
  constexpr int most_threads = 1024;
  if (request.threads < 1 || request.threads > most_threads)
    problems.add({{"threads", 0, 0}, fmt::format("{} threads", request.threads), "1 to 1024", {}});
  twin::Study study = twin::read_study(request.file, problems);
  if (!study.search.is_null())
    problems.add(twin::problem_at(study.search, "the study has a section `search`", "run it with wattloop search"));
  problems.throw_if_any(request.file.string());
  const twin::StudyBase base = twin::read_base(study, request.overrides);
  const twin::PlannedStudy plan = twin::plan_study(std::move(study), base, problems);
  problems.throw_if_any(request.file.string());
  twin::StudyTable table{.title = plan.study.title, .runs = plan.runs.size(), .columns = twin::table_columns(plan)};
  Workers workers(plan, base, request.threads);
  bool goes_on = true;
  for (std::vector<StudyRow> rows; workers.take(rows);) {
    for (StudyRow& row : rows) {
      if (goes_on && !on_row(row)) {
        goes_on = false;
        workers.stop();
      }
      table.rows.push_back(std::move(row));
    }
  }
  std::ranges::sort(table.rows, {}, &StudyRow::run);
  return table;
}

std::string_view instructions_of_library() { return instructions(); }

}  // namespace wattloop::engine
