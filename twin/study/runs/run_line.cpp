#include "twin/study/runs/run_line.hpp"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/text/problem.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/run/hall_run.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_kept = 4;  // snapshots, each with its plant: runs that share one mostly follow one another

/// What the hall is before anything happens to it.
std::vector<DocumentChange> changes_of_hall(std::span<const DocumentChange> changes) {
  std::vector<DocumentChange> of_hall;
  std::ranges::copy_if(changes, std::back_inserter(of_hall), [](const auto& change) { return !change.appends; });
  return of_hall;
}

std::string text_of(std::span<const DocumentChange> changes) {
  std::string text;
  for (const DocumentChange& change : changes) text += change.path + '\n' + document_text(change.value) + '\n';
  return text;
}

}  // namespace

/// A run up to the fork, and all that runs from there on have in common with it.
class RunLine::Shared {
 public:
  Shared(std::string key, Scenario scenario, const RunMethod& method, RunTimes& times)
      : key_(std::move(key)), begin_s_(seconds_now()), run_(std::move(scenario), method) {
    times.built_s = seconds_now() - begin_s_;
  }

  const std::string& key() const { return key_; }
  const Scenario& scenario() const { return run_.base(); }

  /// False where it was stopped.
  bool go_to_fork(double fork_s, const std::function<bool()>& is_stop_requested, RunTimes& times) {
    const double begin_s = seconds_now();
    run_.stop_at(fork_s);
    run_.begin();
    times.started_s = seconds_now() - begin_s;
    std::optional<HallFork> fork = run_.fork_at(fork_s, is_stop_requested);
    if (fork) fork_.emplace(std::move(*fork));
    times.shared_s = seconds_now() - begin_s_;
    times.reached_s = run_.state().time_s;
    return fork_.has_value();
  }

  /// A run of a scenario with other events from the fork on.
  void go_on(Scenario scenario, const std::function<bool()>& is_stop_requested, RunOutcome& outcome) {
    const double begin_s = seconds_now(), duration_s = scenario.duration_s;
    run_.resume(*fork_, std::move(scenario));
    outcome.times.resumed_s = seconds_now() - begin_s;
    outcome.is_whole = run_.advance_to(duration_s, is_stop_requested);
    outcome.times.stepped_s = seconds_now() - begin_s - outcome.times.resumed_s;
    outcome.reached_s = run_.state().time_s;
    if (outcome.is_whole) finish_outcome(run_, 0.0, outcome);
  }

 private:
  std::string key_;
  double begin_s_;
  HallRun run_;
  std::optional<HallFork> fork_;
};

RunLine::RunLine(const ScenarioBase& source, std::optional<double> fork_s, RunMethod method)
    : source_(source), fork_s_(fork_s), method_(std::move(method)) {}

RunLine::~RunLine() = default;

RunOutcome RunLine::run_alone(std::span<const DocumentChange> changes,
                              const std::function<bool()>& is_stop_requested) const {
  try {
    return run_one(source_.with(changes), is_stop_requested, fork_s_, method_);
  } catch (const InputError& error) {
    return {.exit_code = 1, .message = error.what()};
  }
}

/// That of these changes, made now where there is none; null where it was stopped. Throws what a run throws.
RunLine::Shared* RunLine::shared_by(std::span<const DocumentChange> changes,
                                    const std::function<bool()>& is_stop_requested, RunTimes& times) {
  const std::vector<DocumentChange> of_hall = changes_of_hall(changes);
  std::string key = text_of(of_hall);
  const auto found = std::ranges::find(shared_, key, [](const auto& shared) { return shared->key(); });
  if (found != shared_.end()) {
    shared_.splice(shared_.begin(), shared_, found);
    return shared_.front().get();
  }
  if (shared_.size() == most_kept) shared_.pop_back();
  auto made = std::make_unique<Shared>(std::move(key), source_.with(of_hall), method_, times);
  if (!made->go_to_fork(*fork_s_, is_stop_requested, times)) return nullptr;
  shared_.push_front(std::move(made));
  return shared_.front().get();
}

const std::string& RunLine::check_words_of(std::span<const DocumentChange> changes) {
  const std::vector<DocumentChange> of_hall = changes_of_hall(changes);
  const auto [found, is_new] = checked_.try_emplace(text_of(of_hall));
  if (!is_new) return found->second;
  const std::vector<std::string> warnings = check_warnings(source_.with(of_hall));
  if (!warnings.empty())
    found->second = fmt::format("{}{}: {}", count_text(warnings.size(), "warning"),
                                warnings.size() == 1 ? "" : ", the first", warnings.front());
  return found->second;
}

RunOutcome RunLine::run(std::span<const DocumentChange> changes, const std::function<bool()>& is_stop_requested) {
  RunOutcome outcome = run_itself(changes, is_stop_requested);
  if (outcome.exit_code != 0 || !outcome.is_whole) return outcome;
  const RunOutcome checked =
      guarded([&](RunOutcome&) { outcome.figures.push_back(figure_of_check(check_words_of(changes))); });
  return checked.exit_code == 0 ? outcome : checked;
}

RunOutcome RunLine::run_itself(std::span<const DocumentChange> changes,
                               const std::function<bool()>& is_stop_requested) {
  if (!fork_s_ || !method_.can_fork()) return run_alone(changes, is_stop_requested);
  omp_set_num_threads(1);  // of this thread's own teams
  Shared* shared = nullptr;
  RunTimes times;
  RunOutcome outcome = guarded([&](RunOutcome& of) {
    shared = shared_by(changes, is_stop_requested, times);
    of.is_whole = shared != nullptr;
    of.reached_s = times.reached_s;
  });
  outcome.times = times;
  if (outcome.exit_code != 0)
    return run_alone(changes, is_stop_requested);  // it ended before the fork: its own run reports why
  if (shared == nullptr) return outcome;
  std::optional<Scenario> scenario = source_.with_later_events(shared->scenario(), changes, *fork_s_);
  const bool is_same_hall = scenario && clogged_racks(*scenario) == clogged_racks(shared->scenario());
  if (!is_same_hall)
    return run_alone(changes, is_stop_requested);  // racks that clog later have branches from the start
  outcome = guarded([&](RunOutcome& of) { shared->go_on(std::move(*scenario), is_stop_requested, of); });
  outcome.times.built_s = times.built_s;
  outcome.times.started_s = times.started_s;
  outcome.times.shared_s = times.shared_s;
  return outcome;
}

}  // namespace wattloop::twin
