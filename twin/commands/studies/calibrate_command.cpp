#include "twin/commands/studies/calibrate_command.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/text/problem.hpp"
#include "twin/calibration/calibrate.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/instruction_choice.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/studies/calibrate_json.hpp"
#include "twin/commands/studies/calibrate_text.hpp"
#include "twin/simulation/interrupt.hpp"
#include "twin/simulation/progress.hpp"

namespace wattloop::twin {

namespace {

constexpr double redraw_interval_s = 0.2, log_interval_s = 30.0;

/// Runs so far, of as many as it may take, and the time that is left.
class RunCount {
 public:
  explicit RunCount(ProgressStyle style)
      : style_(style), clock_(steady_clock()), begin_s_(clock_()), last_s_(begin_s_) {}
  RunCount(const RunCount&) = delete;
  RunCount& operator=(const RunCount&) = delete;
  ~RunCount() { finish(); }

  void report_runs(std::size_t done, std::size_t expected) {
    const double now_s = clock_();
    if (style_ == ProgressStyle::quiet || done == 0) return;
    if (now_s - last_s_ < (style_ == ProgressStyle::terminal ? redraw_interval_s : log_interval_s)) return;
    last_s_ = now_s;
    const double left_s =
        (now_s - begin_s_) * static_cast<double>(expected - std::min(done, expected)) / static_cast<double>(done);
    const std::string line = fmt::format("{} of about {} runs, about {} left", done, expected, duration_text(left_s));
    if (style_ == ProgressStyle::log) return report(line);
    std::cerr << "\r\033[K" << line << std::flush;
    is_open_ = true;
  }

  void finish() noexcept {
    if (is_open_) std::cerr << "\r\033[K" << std::flush;
    is_open_ = false;
  }

 private:
  ProgressStyle style_;
  Clock clock_;
  double begin_s_, last_s_;
  bool is_open_ = false;
};

int exit_code_of(const Calibration& made) {
  const bool are_reported =
      std::ranges::all_of(made.uncertainty.parameters, &KnownParameter::is_reported_by_measurements);
  return made.fit.is_converged && are_reported ? done : solver_failure;
}

}  // namespace

int calibrate_command(const CalibrateOptions& options) {
  demand_isa(options.isa, this_machine());
  Problems problems;
  CalibrationSpec spec = read_calibration(options.file, problems);
  problems.throw_if_any(options.file.string());
  const CalibrationPlan plan = plan_calibration(std::move(spec), options.overrides);
  for (const std::string& note : plan.notes) report("note: " + note);
  const InterruptGuard guard;
  RunCount count(progress_style(options.is_quiet));
  try {
    const CalibrationWatch watch{options.threads, interrupt_requested,
                                 [&](std::size_t runs, std::size_t expected) { count.report_runs(runs, expected); }};
    const Calibration made = calibrate(plan, watch);
    count.finish();
    fmt::print("{}\n", options.is_json ? calibration_json(plan, made) : calibration_text(plan, made));
    return exit_code_of(made);
  } catch (const ModelRuns::Interrupted&) {
    count.finish();
    report("interrupted; an unfinished calibration leaves no results");
    return interrupted_exit_code;
  }
}

void add_calibrate(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "Fit parameters of a scenario to measurements");
  command->add_option("calibration", options->file, "Parameters, measurements and the map of their columns (YAML)")
      ->type_name("FILE")
      ->required();
  command->add_option("--threads", options->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_isa(*command, options->isa);
  command->add_option("--set", options->overrides, "Change the scenario: path=value; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--json", options->is_json, "Print the result as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop calibrate scenarios/calibration/lab_loop_fit.yaml\n"
      "  wattloop calibrate scenarios/calibration/lab_loop_fit.yaml --threads 2 --json");
  command->callback([options, &action] { action = [options] { return calibrate_command(*options); }; });
}

}  // namespace wattloop::twin
