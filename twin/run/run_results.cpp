#include "twin/run/run_results.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "core/numbers/instruction_level.hpp"
#include "twin/build/floor/hall_floor.hpp"
#include "twin/build/floor/layout.hpp"
#include "twin/platform/typed_command.hpp"
#include "twin/platform/version.hpp"
#include "twin/ratings/rack_places.hpp"
#include "twin/ratings/topology.hpp"
#include "twin/run/figures/gpu_throttles.hpp"
#include "twin/run/figures/printed_summary.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/recording/rack_limits.hpp"
#include "twin/run/recording/recorded_links.hpp"
#include "twin/run/recording/recorded_steps.hpp"

namespace wattloop::twin {

std::unique_ptr<Recorder> record_run(HallRun& run, ResultsWriter& writer) {
  const Scenario& scenario = run.scenario();
  const Plant& plant = run.plant();
  if (scenario.record.is_summary_only()) return nullptr;
  const std::vector<LayoutBox> boxes = named_as_built(hall_layout(layout_floor(scenario, plant)), plant);
  const Topology topology = topology_of(plant);
  writer.write_layout(boxes);
  writer.write_topology(topology);
  std::vector<RecordedTable> more = link_tables(plant, run.workload(), scenario.record, scenario.duration_s);
  std::ranges::move(step_tables(scenario, scenario.duration_s), std::back_inserter(more));
  auto recorder = std::make_unique<Recorder>(plant, scenario.record, writer, scenario.duration_s,
                                             rack_places(plant.it, topology, boxes), std::move(more));
  run.record_with(*recorder);
  write_rack_limits(scenario, plant, writer);
  return recorder;
}

std::vector<NamedValue> provenance_of(const HallRun& run, const RunSources& sources) {
  const Scenario& scenario = run.scenario();
  const SolverStatistics solver = run.simulation().solver_statistics();
  char host[256] = "unknown";
  gethostname(host, sizeof host - 1);
  return {
      {"title", scenario.title, "", "title of the scenario"},
      {"scenario", scenario.resolved_text, "", "scenario after extends, library and overrides"},
      {"scenario_file", sources.scenario_file, "", "path from which the scenario was read"},
      {"command", typed_command(), "", "command line of the run"},
      {"inputs", sources.inputs, "", "files and variables of the run with their checksums, one a line"},
      {"overrides", sources.overrides, "", "--set and --event of the run, one a line; they are in the scenario"},
      {"version", std::string(version()), "", "version of Wattloop"},
      {"commit", std::string(commit()), "", "commit of the source tree"},
      {"isa", std::string(instructions()), "", "instructions of x86-64 that the run was computed with"},
      {"host", std::string(host), "", "host name of the computer of the run"},
      {"seed", static_cast<std::int64_t>(scenario.seed), "", "seed of all random numbers"},
      {"threads", static_cast<std::int64_t>(sources.threads), "", "threads of the run"},
      {"integrator", std::string(run.integrator().name()), "", "integrator"},
      {"relative_tolerance", sources.relative_tolerance_ratio, "1", "relative tolerance of the integrator"},
      {"solver_steps", solver.steps, "", "internal steps"},
      {"rate_evaluations", solver.rate_evaluations, "", "evaluations of the rates"},
      {"jacobian_evaluations", solver.jacobian_evaluations, "", "evaluations of the Jacobian"},
      {"factorisations", solver.factorisations, "", "factorisations of the Newton matrix"},
      {"error_test_failures", solver.error_test_failures, "", "steps repeated with a smaller size"},
      {"restarts", solver.restarts, "", "restarts after jumps"},
      {"windows", solver.windows, "", "macro steps of the multirate integrator"},
      {"racks_again", solver.racks_again, "",
       "racks that repeated a macro step because their inlets were predicted wrongly"},
  };
}

void write_end(const FinishedRun& run, const RunClose& close, ResultsWriter& writer) {
  std::vector<NamedValue> about(close.about.begin(), close.about.end());
  std::ranges::move(printed_summaries(run), std::back_inserter(about));
  writer.write_events(close.events);
  writer.write_limits(close.limits);
  writer.write_jobs(job_outcomes(run));
  if (close.recorder != nullptr) writer.write_placements(close.recorder->placements());
  writer.write_months(months_of(run));
  writer.write_throttles(gpu_throttles_of(run));
  writer.write_summary(close.figures);
  writer.write_provenance(about);
}

}  // namespace wattloop::twin
