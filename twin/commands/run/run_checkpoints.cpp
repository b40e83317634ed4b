#include "twin/commands/run/run_checkpoints.hpp"
#include <CLI/CLI.hpp>
#include "core/units/units.hpp"
#include "twin/commands/program/shared_options.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/commands/run/run_inputs.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/simulation/interrupt.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

fs::path rows_path(const fs::path& checkpoint) { return checkpoint.string() + ".rows"; }

void remove_if_there(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

/// Unfinished files of processes that were killed; no one else writes beside this checkpoint meanwhile.
void remove_leftovers(const fs::path& checkpoint, const fs::path& own) {
  std::error_code ignored;
  std::vector<fs::path> leftovers;
  const std::string begin = checkpoint.filename().string() + ".";
  const fs::path folder = checkpoint.has_parent_path() ? checkpoint.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_unfinished = name.ends_with(".partial") || name.ends_with(".partial.h5");
    if (name.starts_with(begin) && is_unfinished && name != own.filename()) leftovers.push_back(entry.path());
  }
  for (const fs::path& file : leftovers) remove_if_there(file);
}

double seconds_of_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void refuse(const fs::path& named, std::string message, std::string hint) {
  throw InputError({{{named.string(), 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

}  // namespace

fs::path checkpoint_path(const fs::path& results) { return results.string() + ".checkpoint"; }

fs::path kept_checkpoint_path(const fs::path& results, double time_s) {
  return results.parent_path() / fmt::format("{}.at-{:.0f}s.checkpoint", results.stem().string(), time_s);
}

fs::path checkpoint_to_resume(const fs::path& named) {
  if (is_checkpoint(named)) return named;
  const fs::path beside = checkpoint_path(named);
  if (is_checkpoint(beside)) return beside;
  std::error_code error;
  if (is_results_file(named))
    refuse(named, "its run is done: there is nothing to resume", "wattloop run runs it again");
  if (!fs::exists(named, error)) refuse(named, "there is no checkpoint of that name", "");
  refuse(named, "is no checkpoint", "wattloop run SCENARIO --checkpoint 10min writes one during the run");
}

void demand_same_origin(const CheckpointOrigin& then, const CheckpointOrigin& now, const fs::path& file) {
  std::vector<Problem> problems;
  const auto differs = [&](std::string what, std::string hint) {
    problems.push_back({{file.string(), 0, 0}, std::move(what), std::move(hint), {}});
  };
  const std::string inputs = input_changes(then.inputs, now.inputs);
  if (!inputs.empty()) differs("its inputs have changed: " + inputs, "");
  if (then.scenario != now.scenario && inputs.empty()) differs("its scenario has changed", "");
  if (then.program != now.program)
    differs(fmt::format("it was written by another program: {}, and this program is {}", then.program, now.program),
            "");
  if (then.isa != now.isa)
    differs(fmt::format("it was computed with the CPU instruction set {}, and this program has {}", then.isa, now.isa),
            "");
  if (problems.empty()) return;
  problems.back().hint = "a run is resumed only if it is the same to the byte; wattloop run begins a new run";
  throw InputError(std::move(problems), file.string());
}

RunCheckpoints::RunCheckpoints(const RunOptions& options, CheckpointOrigin origin)
    : options_(options), origin_(std::move(origin)) {}

RunCheckpoints::~RunCheckpoints() {
  if (!log_ || has_checkpoint_) return;
  log_.reset();  // nothing goes on from these rows: they stand where there may be no room
  remove_if_there(rows_path(path()));
}

void RunCheckpoints::keep_rows(ResultsWriter& writer, const CheckpointFile* from) {
  if (!is_asked()) return;
  const fs::path rows = rows_path(path());
  remove_leftovers(path(), writer.partial());
  if (from == nullptr) {
    remove_if_there(path());  // of an earlier run, whose rows go now
    log_ = std::make_unique<RowLog>(rows);
  } else {
    for_each_row(rows, from->origin.log_bytes, [&](std::size_t table, double time_s, std::span<const float> values) {
      writer.append(table, time_s, values);
    });
    has_checkpoint_ = true;
    log_ = std::make_unique<RowLog>(rows, from->origin.log_bytes);
  }
  writer.keep_rows(log_.get());
}

double RunCheckpoints::next_stop_s(double now_s, double until_s) const {
  double stop_s = until_s;
  if (is_asked()) stop_s = std::min(stop_s, next_multiple_s(now_s, checkpoint_interval_s));
  for (const double at_s : options_.save_at_s) {
    if (at_s > now_s) stop_s = std::min(stop_s, at_s);
  }
  return stop_s;
}

/// Rows first: a checkpoint never reports any that are not on the disk.
void RunCheckpoints::save(HallRun& run) {
  CheckpointFile file = run.checkpoint(true);
  if (log_) origin_.log_bytes = log_->keep();
  file.origin = origin_;
  write_checkpoint(path(), std::move(file));
  has_checkpoint_ = true;
}

RunCheckpoints::End RunCheckpoints::run(HallRun& run) {
  const auto never = [] { return false; };
  const double until_s = run.scenario().duration_s;
  double saved_s = seconds_of_clock();
  while (true) {
    const double stop_s = next_stop_s(run.state().time_s, until_s);
    const bool is_whole = is_asked() ? run.advance_to(stop_s, never) : run.advance_to(stop_s, interrupt_requested);
    if (!is_whole) return End::stopped;
    if (run.state().time_s >= until_s) return End::whole;
    if (std::ranges::count(options_.save_at_s, run.state().time_s) > 0) {
      CheckpointFile kept = run.checkpoint(false);
      kept.origin = origin_;
      kept.origin.output.clear();  // nothing goes on in its place
      write_checkpoint(kept_checkpoint_path(origin_.output, run.state().time_s), std::move(kept));
    }
    if (!is_asked()) continue;
    const bool is_last = interrupt_requested();
    if (!is_last && seconds_of_clock() - saved_s < *options_.checkpoint_every_s) continue;
    save(run);
    saved_s = seconds_of_clock();
    if (is_last) return End::saved;
  }
}

void RunCheckpoints::remove() {
  if (!is_asked()) return;
  log_.reset();
  remove_if_there(path());
  remove_if_there(rows_path(path()));
}

CLI::Option* add_checkpoints(CLI::App& command, RunOptions& options) {
  return command
      .add_option_function<std::string>(
          "--checkpoint", [&options](const std::string& every) { options.checkpoint_every_s = to_si(every, "s"); },
          "Save the run at this interval of real time; wattloop resume continues a run that was killed; SIGTERM saves "
          "and ends with exit code 75")
      ->type_name("DURATION")
      ->check(is_time());
}

}  // namespace wattloop::twin
