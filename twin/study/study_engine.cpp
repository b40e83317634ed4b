#include "twin/study/study_engine.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/text/problem.hpp"
#include "twin/study/runs/run_line.hpp"

namespace wattloop::twin {

namespace {

constexpr std::chrono::milliseconds look_interval{50};

/// Threads that take runs one after the other.
class Workers {
 public:
  Workers(const EngineWork& work, const EngineWatch& watch)
      : work_(work), watch_(watch), is_stop_requested_([this] { return stops_.load() || watch_.is_stop_requested(); }) {
    running_ = work.threads;
    for (int thread = 0; thread < work.threads; ++thread) threads_.emplace_back([this] { run_all(); });
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    stops_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  /// Rows that came since the last time, after a while at most. False where no more will come.
  bool take(std::vector<StudyRow>& rows) {
    rows.clear();
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, look_interval, [this] { return !rows_.empty() || running_ == 0; });
    rows.swap(rows_);
    return running_ > 0 || !rows.empty();
  }

  void throw_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Where no more rows come: whether some run was not done.
  bool is_broken_off() const { return is_broken_off_; }

 private:
  std::optional<std::size_t> next_run() {
    std::optional<std::size_t> run;
    if (work_.next_run) {
      run = work_.next_run();
    } else if (const std::size_t next = next_++; next < work_.runs.size()) {
      run = work_.runs[next];
    }
    if (!run || !is_stop_requested_()) return run;
    is_broken_off_ = true;
    return {};
  }

  bool is_break_requested() {
    if (stops_) return true;
    if (!is_stop_requested_()) return false;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    std::chrono::nanoseconds none{0};
    stop_seen_.compare_exchange_strong(none, now);
    return now - stop_seen_.load() >= watch_.grace;
  }

  void run_all() {
    try {
      RunLine line(work_.base.source, work_.plan.fork_s(), work_.plan.study.method);
      for (auto next = next_run(); next; next = next_run()) {
        const StudyRun run = work_.plan.runs.run(*next);
        const RunOutcome outcome = line.run(run.changes, [this] { return is_break_requested(); });
        if (!outcome.is_whole) {
          is_broken_off_ = true;
          break;
        }
        StudyRow row = row_of(run, outcome, work_.plan);
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

  const EngineWork& work_;
  const EngineWatch& watch_;
  std::function<bool()> is_stop_requested_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stops_ = false, is_broken_off_ = false;
  std::atomic<std::chrono::nanoseconds> stop_seen_{};  ///< of the steady clock; 0: not yet
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<StudyRow> rows_;
  int running_ = 0;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;  // last: they use all else
};

}  // namespace

bool run_study(const EngineWork& work, const EngineWatch& watch) {
  Workers workers(work, watch);
  for (std::vector<StudyRow> rows; workers.take(rows);) watch.when_kept(rows);
  workers.throw_failure();
  return !workers.is_broken_off();
}

bool run_study(const EngineWork& work, Journal& journal, const EngineWatch& watch) {
  EngineWatch kept = watch;
  kept.when_kept = [&](std::span<const StudyRow> rows) {
    if (!rows.empty()) journal.append(rows);
    watch.when_kept(rows);
  };
  return run_study(work, kept);
}

}  // namespace wattloop::twin
