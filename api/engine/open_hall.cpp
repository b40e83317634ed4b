#include "api/engine/open_hall.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>

#include <fmt/format.h>

#include "api/engine/failures.hpp"
#include "api/engine/input_range.hpp"
#include "api/engine/running_clock.hpp"
#include "core/numbers/clock_grid.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/commands/run/run_inputs.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/platform/whole_file.hpp"

namespace wattloop::engine {

using twin::HallRun;
using twin::Scenario;

namespace {

/// The instant of the clock that is meant: now or the end where they are as near.
double instant_near(double time_s, double now_s, double end_s) {
  const double asked_s = on_clock_s(time_s);
  for (const double known_s : {now_s, end_s})
    if (asked_s == on_clock_s(known_s)) return known_s;
  return asked_s;
}

}  // namespace

class OpenHall::Use {
 public:
  explicit Use(const OpenHall& hall, bool is_allowed_after_error = true) : hall_(hall), threads_(hall.method_.threads) {
    if (hall.process_ != getpid())
      throw Misuse(
          "a hall is used in a process that was forked from its own: make halls after fork(2), or take up a snapshot "
          "there");
    if (hall.is_in_use_.exchange(true))
      throw Misuse("a hall is used by two threads at once, or from its own callback: give each a fork");
    if (is_allowed_after_error || hall.failure_.empty()) return;
    hall.is_in_use_ = false;
    throw Misuse(fmt::format("the hall ended early at {} and goes no further: {}",
                             format_quantity(hall.run_->state().time_s, "s"), hall.failure_));
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { hall_.is_in_use_ = false; }

 private:
  const OpenHall& hall_;
  ThreadCount threads_;
};

OpenHall::OpenHall(const GivenScenario& given, HallMethod method)
    : method_(std::move(method)),
      run_(make_run(given, method_)),
      inputs_(twin::input_lines_beside_text(run_->base())),
      keeper_(*run_),
      process_(getpid()) {
  const ThreadCount threads(method_.threads);
  series_ = std::make_shared<const twin::LiveSeries>(run_->plant());
  report_notes();
  run_->find_begin();
  if (run_->base().begin_at) keeper_.observe(run_->state(), run_->evaluation());
  run_->show(keeper_);
}

OpenHall::OpenHall(const Snapshot& snapshot, HallMethod method)
    : OpenHall{snapshot, make_run(snapshot, method), method} {}  // braces: the run is made first, and sets the method

OpenHall::OpenHall(const Snapshot& snapshot, std::unique_ptr<HallRun> run, HallMethod method)
    : method_(std::move(method)),
      run_(std::move(run)),
      file_(snapshot.file),
      inputs_(snapshot.origin.inputs),
      acts_(snapshot.acts),
      keeper_(*run_),
      process_(getpid()) {
  const ThreadCount threads(method_.threads);
  series_ = std::make_shared<const twin::LiveSeries>(run_->plant());
  for (std::size_t k = 0; k < snapshot.watts_s.size(); ++k)
    watts_.push_back({snapshot.watts_s[k], std::make_shared<const std::vector<double>>(snapshot.watts_w.at(k))});
  for (const std::string& text : acts_) twin::add_act(*run_, twin::read_again(run_->base(), text));
  const double reached_s = reached_by(snapshot, run_->base());
  const auto is_new = [reached_s](const twin::GpuWatts& watts) { return watts.at_s == reached_s; };
  for (const twin::GpuWatts& watts : watts_) {
    if (!is_new(watts)) twin::add_act(*run_, twin::act_of_watts(watts));
  }
  if (snapshot.checkpoint) {
    run_->resume(*snapshot.checkpoint, "the snapshot");
  } else {
    run_->find_begin();
  }
  keeper_.take(snapshot);
  run_->show(keeper_);
  for (const double stop_s : snapshot.stops_s) advance_to(stop_s, {});
  has_new_watts_ = std::ranges::any_of(watts_, is_new);
}

OpenHall::OpenHall(std::unique_ptr<HallRun> run, const OpenHall& parent)
    : method_(parent.method_),
      run_(std::move(run)),
      file_(parent.file_),
      inputs_(parent.inputs_),
      series_(parent.series_),
      acts_(parent.acts_),
      watts_(parent.watts_),
      has_new_watts_(parent.has_new_watts_),
      keeper_(*run_),
      process_(getpid()) {
  const Snapshot snapshot = parent.keeper_.snapshot();
  keeper_.take(snapshot);
  for (const double stop_s : snapshot.stops_s) keeper_.stop(stop_s);
  run_->show(keeper_);
}

OpenHall::~OpenHall() = default;

double OpenHall::time_s() const {
  const Use use(*this);
  return run_->state().time_s;
}

std::vector<double> OpenHall::settings() const {
  const Use use(*this);
  std::vector<double> values;
  for (const twin::SettingPart& setting : plant().settings) values.push_back(run_->state().inputs[setting.input]);
  return values;
}

std::vector<twin::EventRecord> OpenHall::events(std::size_t first) const {
  const Use use(*this);
  const std::vector<twin::EventRecord>& all = run_->events();
  return {all.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.size())), all.end()};
}

void OpenHall::report_notes() const {
  const twin::Outdoors outdoors = twin::make_outdoors(run_->base());
  if (method_.on_note) {
    for (const auto* notes : {&run_->work().notes, &outdoors.notes, &run_->base().follow_notes}) {
      for (const std::string& note : *notes) method_.on_note(note);
    }
    if (run_->plant().fabric) {
      for (const std::string& remark : run_->plant().fabric->fabric.shape.remarks) method_.on_note(remark);
    }
  }
  if (!method_.on_warning) return;
  for (const std::string& warning : run_->work().warnings) method_.on_warning(warning);
  for (const std::string& warning : twin::condensation_warnings(run_->base(), outdoors)) method_.on_warning(warning);
}

bool OpenHall::advance_to(double time_s, const std::function<bool()>& is_stop_requested) {
  const Use use(*this, false);
  const double now_s = run_->state().time_s;
  if (!std::isfinite(time_s)) refuse("advance", "the time is not a number", "seconds from the start of the scenario");
  time_s = instant_near(time_s, now_s, end_s());
  if (time_s < now_s)
    refuse("advance", fmt::format("{} is past", format_quantity(time_s, "s")),
           fmt::format("the hall is at {}; a fork or a snapshot goes back", format_quantity(now_s, "s")));
  if (time_s > end_s())
    refuse("advance", fmt::format("{} is after the end of the scenario", format_quantity(time_s, "s")),
           fmt::format("it ends at {}: a longer `duration`", format_quantity(end_s(), "s")));
  if (time_s == now_s && !(time_s == end_s() && run_->simulation().is_pending())) return true;
  if (has_new_watts_) ask_of_gpus(*run_);
  has_new_watts_ = false;
  present_.move_on();
  if (time_s > now_s && !approach(time_s, is_stop_requested)) {
    if (run_->state().time_s > now_s) end_piece(run_->state().time_s);
    return false;
  }
  try {
    end_piece(time_s);
    if (time_s < end_s()) return true;
    const RunningClock clock(wall_time_s_);
    run_->advance_to(time_s);
    const std::optional<twin::Residual> residual = run_->residual();
    if (residual && residual->is_beyond_trust) throw SolverError(residual->text);
    if (recording_)
      recording_->finish(*run_, {acts_, watts_, method_.threads, method_.run.monolithic.relative_tolerance_ratio,
                                 wall_time_s_ + clock.now_s()});
    return true;
  } catch (const std::exception& error) {
    failure_ = error.what();
    throw;
  }
}

bool OpenHall::approach(double time_s, const std::function<bool()>& is_stop_requested) {
  const RunningClock clock(wall_time_s_);
  try {
    return run_->approach(time_s, is_stop_requested);
  } catch (const std::exception& error) {
    failure_ = error.what();
    throw;
  }
}

void OpenHall::demand_pending() const {
  if (run_->simulation().is_pending()) return;
  const bool is_over = run_->state().time_s >= end_s();
  refuse("act", is_over ? "the run is over" : "what is due at this instant has acted already",
         is_over ? "a longer `duration`" : "advance the hall by a moment, then act");
}

void OpenHall::act(std::string_view event) {
  const Use use(*this, false);
  demand_pending();
  take_act(twin::read_act(run_->base(), event, run_->state().time_s));
}

void OpenHall::set(std::string_view input, double value) {
  const twin::SettingPart& setting = input_named(input);
  if (!std::isfinite(value)) refuse("set", fmt::format("{}: the value is not a number", setting.name), {});
  demand_in_range(setting, value, number_text(value, setting.unit), run_->state());
  set(input, number_text(value, setting.unit));
}

void OpenHall::set(std::string_view input, std::string_view value_with_unit) {
  const Use use(*this, false);
  const twin::SettingPart& setting = input_named(input);
  demand_pending();
  demand_in_range(setting, value_with_unit, run_->state());
  take_act(twin::read_set(run_->base(), setting.name, value_with_unit, run_->state().time_s));
}

void OpenHall::set(std::string_view input, std::span<const double> values) {
  const Use use(*this, false);
  if (input != twin::gpu_power_setting)
    refuse("set", fmt::format("{} takes no array", std::string(printable(input.substr(0, 200)))),
           fmt::format("{} does: watts for every GPU, in the order of the table `gpus`", twin::gpu_power_setting));
  demand_pending();
  const double now_s = run_->state().time_s;
  twin::GpuWatts watts{now_s, std::make_shared<const std::vector<double>>(values.begin(), values.end())};
  twin::check_act(*run_, twin::act_of_watts(watts));
  if (!has_new_watts_ && !watts_.empty() && watts_.back().at_s == now_s)  // a stop that came at once left the hall here
    refuse("set", "the run has an array of this instant already", "advance the hall by a moment, then set");
  if (has_new_watts_) watts_.pop_back();
  watts_.push_back(std::move(watts));
  has_new_watts_ = true;
}

/// After all acts of the instant, as the file of watts is the last event of the scenario.
void OpenHall::ask_of_gpus(HallRun& run) const { twin::add_act(run, twin::act_of_watts(watts_.back())); }

const twin::SettingPart& OpenHall::input_named(std::string_view input) const {
  if (input == twin::gpu_power_setting)
    refuse("set", fmt::format("{} takes an array, not one value", twin::gpu_power_setting),
           "watts for every GPU, in the order of the table `gpus`");
  const auto& settings = plant().settings;
  const auto found = std::ranges::find(settings, input, [](const auto& one) { return std::string_view(one.name); });
  if (found != settings.end()) return *found;
  std::vector<std::string> names;
  for (const twin::SettingPart& setting : settings) names.push_back(setting.name);
  names.emplace_back(twin::gpu_power_setting);
  constexpr std::size_t longest = 200;
  refuse("set", fmt::format("there is no input '{}'", printable(input.substr(0, longest))), input_hint(input, names));
}

void OpenHall::take_act(twin::Act act) {
  twin::add_act(*run_, act);
  acts_.push_back(std::move(act.text));
}

std::unique_ptr<OpenHall> OpenHall::fork() const {
  const Use use(*this, false);
  const bool is_pending = run_->simulation().is_pending();
  const auto& begin = run_->base().begin_at;
  const bool is_as_resumed = begin && !is_pending && run_->state().time_s == begin->at_s;
  if (!is_pending && !is_as_resumed && run_->state().time_s < end_s())
    refuse("fork", "what is due at this instant has acted already", "advance the hall by a moment, then fork");
  if (!is_pending && !is_as_resumed)
    refuse("fork",
           fmt::format("the run is over: it ended at {}, and a fork would have nothing to run",
                       format_quantity(run_->state().time_s, "s")),
           "fork before the end, or give the scenario a longer `duration`; a hall that is over can still be read");
  std::unique_ptr<OpenHall> other(is_pending && method_.run.can_fork() ? new OpenHall(run_->fork(), *this)
                                                                       : new OpenHall(kept(), run_->again(), method_));
  for (const auto& meter : meters_) {
    other->meters_.push_back(std::make_unique<twin::SeriesMeter>(*meter, other->plant(), *other->series_));
    other->run_->show(*other->meters_.back());
  }
  return other;
}

void OpenHall::demand(const twin::LiveHandle& handle) const {
  const auto& tables = series_->tables();
  if (handle.layout != series_->layout() || handle.table >= tables.size() ||
      handle.column >= tables[handle.table].columns.size() ||
      (handle.item && *handle.item >= tables[handle.table].spec.item_count()))
    refuse("values", "the handle is of no series of this hall",
           "handles come from `series` of the hall or of a fork of it");
}

std::span<const double> OpenHall::values(const twin::LiveHandle& handle) {
  const Use use(*this);
  demand(handle);
  return present_.of(*run_, *series_, handle);
}

std::vector<twin::NamedValue> OpenHall::summary() const {
  const Use use(*this);
  if (!run_->simulation().is_pending() || !method_.run.can_fork() || !failure_.empty())
    return run_->figures(wall_time_s_);
  const std::unique_ptr<HallRun> ending = run_->fork();
  if (has_new_watts_) ask_of_gpus(*ending);
  ending->advance_to(run_->state().time_s);  // what is due now acts, and is seen
  return ending->figures(wall_time_s_);
}

std::string OpenHall::scenario() const {
  const Use use(*this);
  return twin::text_with_acts(run_->base(), acts_, watts_file(file_, watts_, run_->base()));
}

void OpenHall::save_scenario(const std::filesystem::path& file) const {
  const Use use(*this);
  if (file.filename().empty()) refuse("save_scenario", "there is no name of a file", "a file: mine.yaml");
  std::error_code unknown;
  if (std::filesystem::equivalent(file, file_, unknown))
    refuse("save_scenario", "this is the file of the hall itself", "another name, so that the file stays as it is");
  const std::string beside = watts_file(file, watts_, run_->base());
  if (!beside.empty()) twin::write_whole(file.parent_path() / beside, twin::watts_text(run_->base(), plant(), watts_));
  twin::write_whole(file, twin::text_with_acts(run_->base(), acts_, beside));
}

Snapshot OpenHall::snapshot() const {
  const Use use(*this, false);
  return kept();
}

Snapshot OpenHall::kept() const {
  Snapshot snapshot = keeper_.snapshot();
  snapshot.origin = {this_program(), method_.run.integrator, inputs_};
  snapshot.file = file_;
  snapshot.scenario = run_->base().resolved_text;
  snapshot.acts = acts_;
  for (const twin::GpuWatts& watts : watts_) {
    snapshot.watts_s.push_back(watts.at_s);
    snapshot.watts_w.push_back(*watts.each_w);
  }
  return snapshot;
}

void OpenHall::record_to(const std::filesystem::path& results) {
  const Use use(*this, false);
  const Scenario& scenario = run_->base();
  const bool has_begun = run_->state().time_s > (scenario.begin_at ? scenario.begin_at->at_s : 0.0);
  if (has_begun || recording_)
    refuse("record_to", "a run is recorded from its start, once", "before the first advance");
  recording_ = std::make_unique<HallRecording>(*run_, results);
}

void OpenHall::meter(const twin::LiveHandle& handle) {
  const Use use(*this, false);
  demand(handle);
  auto meter = std::make_unique<twin::SeriesMeter>(plant(), *series_, handle, run_->state().time_s);
  std::erase_if(meters_, [&](const auto& old) {
    if (old->handle() != handle) return false;
    run_->hide(*old);
    return true;
  });
  run_->show(*meter);
  meters_.push_back(std::move(meter));
}

std::span<const double> OpenHall::means(const twin::LiveHandle& handle, std::optional<double> since_s) {
  const Use use(*this);
  demand(handle);
  const twin::LiveHandle all{handle.table, handle.column, {}, handle.layout};
  const auto of = [this](const twin::LiveHandle& one) {
    return std::ranges::find(meters_, one, [](const auto& meter) { return meter->handle(); });
  };
  auto found = of(handle);
  const bool is_of_all = found == meters_.end();
  if (is_of_all) found = of(all);
  if (found == meters_.end())
    refuse(
        "mean",
        fmt::format("{} of {} is not metered", series_->spec(handle).name, series_->tables()[handle.table].spec.group),
        "`meter` it first: means are since then or later");
  const std::span<const double> means = (*found)->means(since_s);
  return is_of_all ? means.subspan(*handle.item, 1) : means;
}

void OpenHall::end_piece(double time_s) {
  keeper_.stop(time_s);
  for (const auto& meter : meters_) meter->mark(time_s);
}

}  // namespace wattloop::engine
