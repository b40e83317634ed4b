#include "api/engine/hall_recording.hpp"

#include <unistd.h>

#include "api/engine/failures.hpp"
#include "api/engine/scenario_files.hpp"
#include "twin/commands/run/run_inputs.hpp"
#include "twin/commands/run/run_output.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/run/act.hpp"
#include "twin/run/figures/limit_report.hpp"

namespace wattloop::engine {

HallRecording::HallRecording(twin::HallRun& run, const std::filesystem::path& results)
    : results_(results.empty() ? results : std::filesystem::absolute(results)),
      scenario_file_(std::filesystem::absolute(run.base().file).lexically_normal()),
      inputs_(twin::input_lines(run.base(), {})),
      process_(getpid()) {
  if (results.empty()) refuse("record_to", "there is no name of a file", "a file: run.h5");
  twin::RunOptions options;
  options.scenario = run.base().file;
  options.output = results_;
  const twin::AllowedOutput allowed = twin::allowed_output(options, run.base(), {});
  writer_ = std::make_unique<twin::ResultsWriter>(allowed.file, run.base().start);
  try {
    recorder_ = twin::record_run(run, *writer_);
  } catch (...) {
    writer_->abandon();
    throw;
  }
}

/// In a child of the process the writer has no thread to wait for: it is left alone. A folder that is gone, or a full disk, is no reason to end the
/// program of the caller.
HallRecording::~HallRecording() {
  if (process_ != getpid()) {
    [[maybe_unused]] const auto* left_recorder = recorder_.release();
    [[maybe_unused]] const auto* left_writer = writer_.release();
  } else if (writer_ && !is_finished_) {
    try {
      writer_->abandon();
    } catch (const std::exception&) {
      return;  // nothing more can be written
    }
  }
}

void HallRecording::finish(const twin::HallRun& run, const RecordedHall& hall) {
  const twin::FinishedRun finished = run.finished(hall.wall_time_s);
  std::vector<twin::EventRecord> events = run.events();
  if (const auto residual = run.residual()) events.push_back(residual->event);
  const twin::Scenario& scenario = run.base();
  const std::vector<twin::NamedValue> figures = run.figures(hall.wall_time_s);
  const std::vector<twin::LimitRecord> limits = twin::limit_records(finished);
  std::vector<twin::NamedValue> about =
      twin::provenance_of(run, {scenario_file_.string(), inputs_, {}, hall.threads, hall.relative_tolerance_ratio});
  const std::string beside = watts_file(results_, hall.watts, scenario);
  if (!beside.empty())
    twin::write_whole(results_.parent_path() / beside, twin::watts_text(scenario, run.plant(), hall.watts));
  for (twin::NamedValue& value : about) {
    if (value.name == "scenario") value.value = twin::text_with_acts(scenario, hall.acts, beside);
  }
  twin::write_end(finished, {figures, events, limits, about, recorder_.get()}, *writer_);
  writer_->finish();
  is_finished_ = true;
}

}  // namespace wattloop::engine
