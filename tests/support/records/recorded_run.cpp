#include "tests/support/records/recorded_run.hpp"

#include "tests/support/halls/one_rack.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::tests {

RecordedRun record_run(const twin::Scenario& scenario, const std::filesystem::path& file, RunWith integrator) {
  return record_run(scenario, SquareWork(16.0), file, integrator);
}

RecordedRun record_run(const twin::Scenario& scenario, const workload::Workload& work,
                       const std::filesystem::path& file, RunWith integrator_kind) {
  twin::HallRun made(scenario, work,
                     integrator_kind == RunWith::multirate ? twin::by_multirate() : twin::by_monolithic());
  twin::ResultsWriter writer(file, scenario.start);
  twin::Recorder recorder(made.plant(), scenario.record, writer);
  made.record_with(recorder);
  made.begin();
  made.advance_to(scenario.duration_s);
  const twin::FinishedRun finished = made.finished();
  const RecordedRun run{twin::summarise(finished), twin::summary_text(finished)};
  writer.write_events(made.events());
  writer.write_limits(twin::limit_records(finished));
  writer.write_summary(run.summary);
  writer.finish();
  return run;
}

}  // namespace wattloop::tests
