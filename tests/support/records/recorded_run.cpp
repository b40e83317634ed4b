#include "tests/support/records/recorded_run.hpp"

#include "tests/support/halls/one_rack.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/recording/recorder.hpp"

namespace wattloop::tests {

RecordedRun record_run(const twin::Scenario& scenario, const std::filesystem::path& file, RunWith integrator) {
  return record_run(scenario, SquareWork(16.0), file, integrator);
}

RecordedRun record_run(const twin::Scenario& scenario, const workload::Workload& work,
                       const std::filesystem::path& file, RunWith integrator_kind) {
  const twin::Plant plant = twin::build_plant(scenario);
  const auto integrator = integrator_kind == RunWith::multirate ? twin::make_multirate_integrator(plant, {})
                                                                : twin::make_monolithic_integrator(plant, {});
  twin::Simulation simulation(plant, scenario, work, *integrator);
  twin::ResultsWriter writer(file, scenario.start);
  twin::Recorder recorder(plant, scenario.record, writer);
  twin::Statistics statistics(plant, {scenario.racks.front().hardware.protection.throttle_k});
  simulation.start();
  simulation.run(scenario.duration_s, {&recorder, &statistics});
  const twin::FinishedRun finished{plant, scenario, simulation, statistics, 0.0};
  const RecordedRun run{twin::summarise(finished), twin::summary_text(finished)};
  writer.write_events(simulation.events());
  writer.write_limits(twin::limit_records(finished));
  writer.write_summary(run.summary);
  writer.finish();
  return run;
}

}  // namespace wattloop::tests
