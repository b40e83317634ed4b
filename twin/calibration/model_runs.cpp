#include "twin/calibration/model_runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "core/text/problem.hpp"
#include "twin/study/plan/mover.hpp"
#include "twin/study/runs/one_run.hpp"

namespace wattloop::twin {

namespace {

/// Calls `work(0)` to `work(count - 1)` on threads, and `when_done` after each, on this one. Throws the first that was thrown.
void share_out(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
               const std::function<void()>& when_done) {
  std::mutex mutex;
  std::condition_variable news;
  std::size_t done = 0, running = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
  std::exception_ptr failure;
  std::atomic<std::size_t> next = 0;
  const auto work_all = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        work(i);
        const std::scoped_lock lock(mutex);
        ++done;
        news.notify_one();
      }
    } catch (...) {
      next = count;
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    --running;
    news.notify_one();
  };
  std::vector<std::jthread> workers;
  for (std::size_t thread = running; thread > 0; --thread) workers.emplace_back(work_all);
  std::size_t reported = 0;
  for (bool is_over = false; !is_over;) {
    std::unique_lock lock(mutex);
    news.wait(lock, [&] { return done > reported || running == 0; });
    is_over = running == 0;
    const std::size_t now = done;
    lock.unlock();
    for (; reported < now; ++reported) when_done();
  }
  workers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::vector<DocumentChange> changes_at(const std::vector<CalibratedParameter>& parameters,
                                       const ParameterPoint& point) {
  std::vector<DocumentChange> changes;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    for (const std::string& path : parameters[j].paths)
      changes.push_back({path, scalar_at(parameters[j].written, with_unit(point[j], parameters[j].unit))});
  }
  return changes;
}

ModelRuns::ModelRuns(const ScenarioBase& source, const std::vector<CalibratedParameter>& parameters,
                     const std::vector<SeriesName>& names, Options options)
    : source_(source), parameters_(parameters), names_(names), options_(std::move(options)) {}

ModelRun ModelRuns::run(const ParameterPoint& point, double until_s) const {
  RunOutcome outcome;
  std::unique_ptr<SeriesRecorder> recorder;
  try {
    const Scenario scenario = source_.with(changes_at(parameters_, point));
    const RunWatch watch{[&](const Plant& plant, const Scenario& of) {
                           recorder = std::make_unique<SeriesRecorder>(plant, of.record, names_, of.duration_s);
                           return recorder.get();
                         },
                         std::min(until_s, scenario.duration_s)};
    outcome = run_watched(scenario, options_.is_stop_requested, watch);
  } catch (const InputError& error) {
    return {.exit_code = 1, .message = error.what()};
  }
  if (!outcome.is_whole) throw Interrupted{};
  if (outcome.exit_code != 0) return {.exit_code = outcome.exit_code, .message = outcome.message};
  return {.series = recorder->series()};
}

std::vector<ModelRun> ModelRuns::at(std::span<const ParameterPoint> points, double until_s) {
  std::vector<ModelRun> runs(points.size());
  share_out(
      points.size(), options_.threads, [&](std::size_t i) { runs[i] = run(points[i], until_s); },
      [&] {
        ++count_;
        options_.when_done();
      });
  return runs;
}

}  // namespace wattloop::twin
