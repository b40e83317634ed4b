#include "twin/commands/run/run_command.hpp"
#include <CLI/CLI.hpp>
#include "core/units/units.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/numbers/instruction_level.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/commands/run/run_checkpoints.hpp"
#include "twin/commands/run/run_inputs.hpp"
#include "twin/commands/run/run_output.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/verdict.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/recording/recorder.hpp"
#include "twin/run/run_results.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/simulation/interrupt.hpp"
#include "twin/simulation/progress.hpp"

namespace wattloop::twin {

namespace {

struct Request {
  Scenario scenario;
  RunRecord record;  ///< overrides and inputs of the results that are run again included
};

Request read_any(const RunOptions& options) {
  const std::string overrides = fmt::format("{}", fmt::join(options.overrides, "\n"));
  if (options.given != nullptr) return {*options.given, {"", std::filesystem::absolute(options.scenario), ""}};
  const bool is_results = is_results_file(options.scenario) || options.scenario.extension() == ".h5";
  if (!is_results) {
    const std::string file = std::filesystem::absolute(options.scenario).lexically_normal().string();
    return {read_scenario(options.scenario, options.overrides), {overrides, file, {}}};
  }
  const ResultsReader earlier(options.scenario);
  const auto text = earlier.provenance_text("scenario");
  if (!text) throw FileError(fmt::format("{}: contains no scenario to run again", options.scenario.string()));
  const std::string before = earlier.provenance_text("overrides").value_or("");
  return {read_scenario_text(*text, options.scenario, options.overrides),
          {before + (before.empty() || overrides.empty() ? "" : "\n") + overrides,
           earlier.provenance_text("scenario_file").value_or(""), earlier.provenance_text("inputs").value_or("")}};
}

/// Where a result of other files gives way, which no one may have meant.
void report_replaced(const AllowedOutput& place, const RunRecord& record) {
  const std::string changes = place.earlier ? input_changes(place.earlier->inputs, record.inputs) : std::string();
  if (!changes.empty()) report("note: replaces results of other inputs: " + changes);
}

/// Moves the progress bar.
class ProgressObserver final : public Observer {
 public:
  explicit ProgressObserver(Progress& progress) : progress_(progress) {}
  void observe(const PlantState& state, const Evaluation&) override { progress_.at(state.time_s); }
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

 private:
  Progress& progress_;
};

/// The results of a run on their way to a file, or to none.
struct Output {
  std::unique_ptr<ResultsWriter> writer;
  std::unique_ptr<Recorder> recorder;

  Output(const RunOptions& options, const RunRecord& record, HallRun& run) {
    if (options.has_no_results) return;
    const Scenario& scenario = run.scenario();
    const std::filesystem::path file = allowed_output(options, scenario, record).file;
    writer = std::make_unique<ResultsWriter>(
        file, scenario.start, options.checkpoint_every_s ? checkpoint_path(file) : std::filesystem::path());
    recorder = record_run(run, *writer);
  }
};

void leave_partial(std::string_view why, const Output& output, const Simulation& simulation) {
  const std::string when = format_quantity(simulation.state().time_s, "s");
  if (!output.writer) return report(fmt::format("{} at {}; no results were asked for", why, when));
  report(
      fmt::format("{} at {}; the values recorded until then are in {}", why, when, output.writer->abandon().string()));
}

int stop_early(const Output& output, const Simulation& simulation) {
  leave_partial("interrupted", output, simulation);
  return interrupted_exit_code;
}

CheckpointOrigin origin_of(const Scenario& scenario, const RunRecord& record, const RunOptions& options,
                           const std::filesystem::path& output) {
  const auto absolute = [](const std::filesystem::path& file) {
    return std::filesystem::absolute(file).lexically_normal().string();
  };
  const bool has_checkpoints = options.checkpoint_every_s || !options.save_at_s.empty() || !options.resumed.empty();
  return {.scenario = scenario.resolved_text,
          .inputs = record.inputs,
          .program = has_checkpoints ? program_text() : "",
          .isa = std::string(instructions()),
          .integrator = options.method.integrator,
          .relative_tolerance_ratio = options.method.monolithic.relative_tolerance_ratio,
          .asked = absolute(options.scenario),
          .output = output.empty() ? "" : absolute(output),
          .overrides = options.overrides,
          .limits = options.limits};
}

int leave_saved(const Output& output, const RunCheckpoints& checkpoints, const Simulation& simulation) {
  std::error_code ignored;
  if (output.writer) std::filesystem::remove(output.writer->abandon(), ignored);  // its rows are beside the checkpoint
  report(fmt::format("saved at {} in {}; wattloop resume continues from there",
                     format_quantity(simulation.state().time_s, "s"), printable(checkpoints.path().string())));
  return saved_exit_code;
}

/// Times at which a run can be left.
void check_save_times(const RunOptions& options, const Scenario& scenario) {
  for (const double at_s : options.save_at_s) {
    if (is_multiple(at_s, checkpoint_interval_s) && at_s > 0.0 && at_s < scenario.duration_s) continue;
    throw InputError(
        {{{"--save-at", 0, 0},
          fmt::format("no checkpoint can be taken at {}", format_quantity(at_s, "s")),
          fmt::format("write a whole multiple of {} before the end of the run at {}",
                      format_quantity(checkpoint_interval_s, "s"), format_quantity(scenario.duration_s, "s")),
          {}}},
        "the command line");
  }
}

/// Limits on the figures that the run will have. Throws InputError with all that is wrong with them.
std::vector<KpiLimit> limits_of(const RunOptions& options, const HallRun& not_begun) {
  if (options.limits.empty()) return {};
  Problems problems;
  std::vector<KpiLimit> limits = read_limits(options.limits, not_begun.figures(), problems);
  problems.throw_if_any("the command line");
  return limits;
}

/// Reports a balance that does not close; SolverError, with the results left under their partial name, where no one may trust them.
void report_residual(const Residual& residual, const Output& output, const Simulation& simulation) {
  if (!residual.is_beyond_trust) return report("warning: " + residual.text);
  leave_partial("not to be trusted", output, simulation);
  throw SolverError(residual.text);
}

}  // namespace

int run(const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  omp_set_num_threads(options.threads);
  Request request = read_any(options);
  AllowedOutput place;
  if (!options.has_no_results)
    place = allowed_output(options, request.scenario, request.record);  // before anything takes long
  HallRun run(std::move(request.scenario), options.method);
  const Scenario& scenario = run.scenario();
  RunRecord& record = request.record;
  const std::vector<KpiLimit> limits = limits_of(options, run);
  record.inputs = input_lines(scenario, record.inputs);
  check_save_times(options, scenario);
  const CheckpointOrigin origin = origin_of(scenario, record, options, place.file);
  RunCheckpoints checkpoints(options, origin);
  std::optional<CheckpointFile> resumed;
  if (!options.resumed.empty()) {
    resumed = read_checkpoint(options.resumed);
    demand_same_origin(resumed->origin, origin, options.resumed);
  }
  const Outdoors outdoors = make_outdoors(scenario);
  if (!options.is_quiet) {
    report_replaced(place, record);
    for (const auto* notes : {&run.work().notes, &outdoors.notes, &scenario.follow_notes}) {
      for (const std::string& note : *notes) report("note: " + note);
    }
  }
  if (!options.is_quiet && run.plant().fabric) {
    for (const std::string& remark : run.plant().fabric->fabric.shape.remarks) report("note: " + remark);
  }
  for (const std::string& warning : run.work().warnings) fmt::print(stderr, "warning: {}\n", warning);
  for (const std::string& warning : condensation_warnings(scenario, outdoors)) {
    report("warning: " + warning);
  }

  const InterruptGuard guard;  // from here on there is a partial file to leave in order
  const Output output(options, record, run);
  Progress progress(scenario.duration_s, progress_style(options.is_quiet), std::cerr);
  ProgressObserver progress_observer(progress);
  run.show(progress_observer);

  RunCheckpoints::End end = RunCheckpoints::End::stopped;
  try {
    if (output.writer) checkpoints.keep_rows(*output.writer, resumed ? &*resumed : nullptr);
    if (resumed) {
      run.resume(*resumed, options.resumed);
    } else {
      run.begin();
    }
    end = checkpoints.run(run);
  } catch (const SolverError&) {
    progress.finish();
    if (output.writer) output.writer->write_events(run.events());
    leave_partial("ended early", output, run.simulation());
    throw;
  }
  progress.finish();
  if (end == RunCheckpoints::End::saved) return leave_saved(output, checkpoints, run.simulation());
  const double wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const FinishedRun finished = run.finished(wall_time_s);
  const std::optional<Residual> residual = run.residual();
  RunEnd reported{.figures = run.figures(wall_time_s),
                  .about = provenance_of(run, {record.scenario_file, record.inputs, record.overrides, options.threads,
                                               options.method.monolithic.relative_tolerance_ratio}),
                  .events = run.events(),
                  .limits = limit_records(finished),
                  .verdicts = {},
                  .results = output.writer ? named_output(options, scenario) : std::filesystem::path(),
                  .summary_text = summary_text(finished, options.end.units),
                  .start = scenario.start};
  if (residual) reported.events.push_back(residual->event);
  reported.verdicts = judge(limits, reported.figures);
  if (output.writer)
    write_end(finished, {reported.figures, reported.events, reported.limits, reported.about, output.recorder.get()},
              *output.writer);
  if (end != RunCheckpoints::End::whole) return stop_early(output, run.simulation());
  if (residual) report_residual(*residual, output, run.simulation());
  if (output.writer) output.writer->finish();
  checkpoints.remove();
  if (options.given != nullptr) return done;
  print_end(reported, options.end);
  return is_any_violated(reported.verdicts) ? limit_violated : done;
}

void add_run(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a scenario and write its results");
  command->add_option("scenario", options->scenario, "Scenario (YAML), or a results file to run again")
      ->type_name("FILE")
      ->required();
  CLI::Option* output =
      command->add_option("-o,--output", options->output, "Results file; default: results/NAME.h5")->type_name("FILE");
  command->add_flag("--force", options->is_forced, "Replace an output file that Wattloop did not write");
  add_trust(*command, Trusted::running);
  command->add_flag("--no-results", options->has_no_results, "Write no results file")->excludes(output);
  add_overrides(*command, options->overrides);
  add_checkpoints(*command, *options)->excludes("--no-results");
  command
      ->add_option_function<std::vector<std::string>>(
          "--save-at",
          [options](const std::vector<std::string>& times) {
            for (const std::string& time : times) options->save_at_s.push_back(to_si(time, "s"));
          },
          "Write a checkpoint at this time of the run, from which other scenarios can begin; may be repeated")
      ->type_name("TIME")
      ->check(is_time())
      ->excludes("--no-results")
      ->allow_extra_args(false);
  command
      ->add_option("--limit", options->limits,
                   "Check a limit on a figure of the summary, named as in --json: 'pue <= 1.2'; exit code 3 if it is "
                   "violated; may be repeated")
      ->type_name("'KPI <= VALUE UNIT'")
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "Threads")->check(CLI::Range(1, 1024))->capture_default_str();
  add_isa(*command, options->isa);
  add_method(*command, options->method);
  add_end_style(*command, options->end);
  command->add_flag("-q,--quiet", options->is_quiet, "Print no progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop run scenarios/one_rack.yaml\n"
      "  wattloop run scenarios/one_rack.yaml -o warm.h5 --set 'hall.cooling.loops.supply_temperature=40 degC'\n"
      "  wattloop run scenarios/one_rack.yaml --event 'at: 10 min, open: utility_a, for: 40 s'\n"
      "  wattloop run scenarios/one_rack.yaml --limit 'peak_die_temperature <= 80 degC' --limit 'trips <= 0'\n"
      "  wattloop run scenarios/one_rack.yaml --full\n"
      "  wattloop run results/one_rack.h5 --json\n"
      "  wattloop run scenarios/h100_10k.yaml -o day.h5 --checkpoint 10min\n"
      "  wattloop run scenarios/one_rack.yaml --save-at 10min");
  command->callback([options, &action] { action = with_isa(options, run); });
}

}  // namespace wattloop::twin
