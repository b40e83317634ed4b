#include "twin/run/figures/verdict_of_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

bool has_any(const RunReported& run, std::string_view name) { return figure_number(run.figures, name) > 0.0; }

bool is_loss_of_work(const EventRecord& event) {
  if (event.kind == "thermal_shutdown" || event.kind == "inlet_shutdown") return true;
  return event.kind == "lost_power" &&
         (event.target == "node" || event.target == "fabric" || event.target == "storage");
}

std::string plural(double count, std::string_view what) {
  return fmt::format("{:.0f} {}{}", count, what, count == 1.0 ? "" : "s");
}

std::string gpu_time(double gpu_s) {
  constexpr double seconds_per_hour = 3600.0;
  return gpu_s < seconds_per_hour ? fmt::format("{:.4g} GPU s", gpu_s)
                                  : fmt::format("{:.4g} GPU h", gpu_s / seconds_per_hour);
}

/// What does not run at the end.
std::vector<std::string> lost_at_end(const RunReported& run) {
  struct Counted {
    std::string_view figure, what, how;
  };
  static constexpr std::array counted{
      Counted{"shut_down_gpus", "GPU", " off"}, Counted{"failed_nodes", "node", " failed"},
      Counted{"racks_without_power", "rack", " without power"}, Counted{"loops_without_flow", "loop", " without flow"},
      Counted{"rooms_without_air", "room", " without moving air"}};
  std::vector<std::string> words;
  for (const auto& [figure, what, how] : counted) {
    if (has_any(run, figure)) words.push_back(plural(figure_number(run.figures, figure), what) + std::string(how));
  }
  if (!words.empty()) words.back() += " at the end";
  return words;
}

bool is_lost(const RunReported& run) {
  return !lost_at_end(run).empty() || !figure_text(run.figures, "first_loss").empty() ||
         has_any(run, "lost_gpu_time") || std::ranges::any_of(run.events, is_loss_of_work);
}

constexpr double noticeable_s = 0.05;  ///< of a job

bool is_cut_off(const EventRecord& event) { return event.kind == "cut_off"; }

/// Were nodes out of work though they had power: without a way through the fabric, or because their job stopped?
bool are_nodes_idled(const RunReported& run) {
  return figure_number(run.figures, "job_stopped_time") > noticeable_s || has_any(run, "job_stops") ||
         std::ranges::any_of(run.events,
                             [](const EventRecord& event) { return is_cut_off(event) || event.kind == "job_stopped"; });
}

bool is_burn_in(const RunReported& run) { return !figure_text(run.figures, "burn_in").empty(); }

bool is_slowed(const RunReported& run) {
  return has_any(run, "throttled_gpu_time") || has_any(run, "job_stopped_time") || are_nodes_idled(run) ||
         std::ranges::any_of(run.events, slows_work);
}

}  // namespace

bool slows_work(const EventRecord& event) { return event.kind == "first_throttle" || event.kind == "inlet_slowdown"; }

RunVerdict verdict_of(const RunReported& run) {
  if (is_lost(run)) return RunVerdict::lost;
  if (is_slowed(run)) return RunVerdict::slowed;
  if (has_any(run, capped_figure) && !is_burn_in(run)) return RunVerdict::capped;  // a burn-in asks for the limit
  if (figure_text(run.figures, "burn_in") == "failed" || has_any(run, "stuck_jobs")) return RunVerdict::slowed;
  if (figure_number(run.figures, "job_slowed_time") > noticeable_s) return RunVerdict::slowed;
  if (figure_number(run.figures, "job_storage_wait_time") > noticeable_s) return RunVerdict::slowed;
  return run.limits.empty() ? RunVerdict::met : RunVerdict::beyond_limits;
}

std::string_view word_of(RunVerdict verdict) { return run_verdicts.at(static_cast<std::size_t>(verdict)).word; }

std::vector<std::string> verdict_reasons(const RunReported& run) {
  const RunVerdict verdict = verdict_of(run);
  std::vector<std::string> words = lost_at_end(run);
  if (verdict == RunVerdict::lost && words.empty()) words.emplace_back("all that went off is back");
  if (verdict != RunVerdict::lost) words.emplace_back(are_nodes_idled(run) ? "no node was off" : "all nodes worked");
  if (std::ranges::any_of(run.events, is_cut_off)) words.emplace_back("nodes cut off from the fabric");
  const auto add_time = [&](std::string_view figure, std::string_view what) {
    if (has_any(run, figure)) words.push_back(fmt::format("{} {}", gpu_time(figure_number(run.figures, figure)), what));
  };
  add_time("lost_gpu_time", "lost");
  add_time("throttled_gpu_time", "slowed");
  if (!is_burn_in(run)) add_time(capped_figure, "capped");
  const auto add_job = [&](std::string_view figure, std::string_view what) {
    const double time_s = figure_number(run.figures, figure);
    if (time_s > noticeable_s) words.push_back(fmt::format("job {} {}", what, format_quantity(time_s, "s")));
  };
  add_job("job_slowed_time", "slowed by");
  add_job("job_storage_wait_time", "waited for storage for");
  add_job("job_stopped_time", "stopped for");
  if (has_any(run, "stuck_jobs"))
    words.push_back(plural(figure_number(run.figures, "stuck_jobs"), "job") + " could never start");
  if (const double waiting =
          figure_number(run.figures, "never_started_jobs") - figure_number(run.figures, "stuck_jobs");
      waiting > 0.0)
    words.push_back(plural(waiting, "job") + " not started yet");
  if (is_burn_in(run)) words.push_back("burn-in " + figure_text(run.figures, "burn_in"));
  if (verdict == RunVerdict::met || verdict == RunVerdict::beyond_limits) words.emplace_back("no GPU was slowed");
  if (verdict == RunVerdict::met) words.emplace_back("no limit exceeded");
  return words;
}

NamedValue figure_of_verdict(const RunReported& run) {
  return {std::string(verdict_figure), std::string(word_of(verdict_of(run))), "",
          "MET, BEYOND LIMITS, CAPPED, SLOWED or LOST", ""};
}

}  // namespace wattloop::twin
