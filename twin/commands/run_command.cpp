#include "twin/commands/run_command.hpp"

#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/problem.hpp"
#include "twin/actions/condensation.hpp"
#include "twin/actions/work.hpp"
#include "twin/build/layout.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/energy_balance.hpp"
#include "twin/results/results_reader.hpp"
#include "twin/results/version.hpp"
#include "twin/run/interrupt.hpp"
#include "twin/run/progress.hpp"
#include "twin/run/recorder.hpp"
#include "twin/run/statistics.hpp"
#include "twin/run/summary.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

Scenario read_any(const RunOptions& options) {
  const bool is_results = is_results_file(options.scenario) || options.scenario.extension() == ".h5";
  if (!is_results) return read_scenario(options.scenario, options.overrides);
  const ResultsReader earlier(options.scenario);
  const auto text = earlier.provenance_text("scenario");
  if (!text) throw FileError(fmt::format("{}: holds no scenario to run again", options.scenario.string()));
  return read_scenario_text(*text, options.scenario, options.overrides);
}

std::vector<NamedValue> provenance(const Scenario& scenario, const RunOptions& options, const Integrator& integrator) {
  char host[256] = "unknown";
  gethostname(host, sizeof host - 1);
  const SolverStatistics solver = integrator.statistics();
  return {
      {"title", scenario.title, "", "title of the scenario"},
      {"scenario", scenario.resolved_text, "", "scenario after extends, library and overrides"},
      {"version", std::string(version()), "", "version of Wattloop"},
      {"commit", std::string(commit()), "", "commit of the source tree"},
      {"host", std::string(host), "", "machine of the run"},
      {"seed", static_cast<std::int64_t>(scenario.seed), "", "seed of all random numbers"},
      {"threads", static_cast<std::int64_t>(options.threads), "", "threads of the run"},
      {"integrator", std::string(integrator.name()), "", "integrator"},
      {"relative_tolerance", options.relative_tolerance_ratio, "1", "relative tolerance of the integrator"},
      {"solver_steps", solver.steps, "", "internal steps"},
      {"rate_evaluations", solver.rate_evaluations, "", "evaluations of the rates"},
      {"jacobian_evaluations", solver.jacobian_evaluations, "", "evaluations of the Jacobian"},
      {"factorisations", solver.factorisations, "", "factorisations of the Newton matrix"},
      {"error_test_failures", solver.error_test_failures, "", "steps repeated with a smaller size"},
      {"restarts", solver.restarts, "", "restarts after jumps"},
      {"windows", solver.windows, "", "macro steps of the multirate integrator"},
      {"racks_again", solver.racks_again, "",
       "racks run again over a macro step, since their inlets were mispredicted"},
  };
}

std::string summary_json(const std::vector<NamedValue>& values, const std::filesystem::path& results) {
  nlohmann::ordered_json json;
  json["results"] = results.string();
  for (const NamedValue& value : values) {
    std::visit([&](const auto& v) { json[value.name] = {{"value", v}, {"unit", value.unit}}; }, value.value);
  }
  return json.dump(2);
}

HallCounts layout_counts(const Scenario& scenario, const Plant& plant) {
  const HallParts& hall = plant.hall;
  const PowerSpec& power = scenario.power;
  const bool is_power_drawn = power.sides() > 1 || power.rooms.is_given;  // its boxes have the size of a hall's
  return {.rows = scenario.racks.rows,
          .racks = scenario.racks.count,
          .nodes_per_rack = scenario.racks.nodes,
          .gpus_per_node = static_cast<int>(hall.gpus_per_node),
          .loops = scenario.cooling.loops.count,
          .cdus_per_loop = scenario.cooling.loops.cdus,
          .network_racks = static_cast<int>(hall.network_racks.size()),
          .crahs = static_cast<int>(hall.rooms.front().crahs.size()),  // those of electrical rooms are not drawn
          .chillers = static_cast<int>(hall.chillers.size()),
          .towers = static_cast<int>(hall.towers.size()),
          .sides = is_power_drawn ? power.sides() : 0,
          .substations_per_side = power.has_substation ? 1 : 0,
          .transformers_per_side = 1,  // as many as the diagram has: modules of one are one
          .ups_per_side = 1,
          .generators_per_side = power.generators.is_given ? power.generators.count : 0,
          .pdus_per_side = power.pdus};
}

std::unique_ptr<Integrator> make_integrator(const Plant& plant, const RunOptions& options) {
  if (options.integrator == "multirate") return make_multirate_integrator(plant, {});
  return make_monolithic_integrator(plant, {.relative_tolerance_ratio = options.relative_tolerance_ratio});
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

void leave_partial(std::string_view why, ResultsWriter& writer, const Simulation& simulation) {
  const std::filesystem::path partial = writer.abandon();
  fmt::print(stderr, "{} at {}; what was recorded until then is in {}\n", why,
             format_quantity(simulation.state().time_s, "s"), partial.string());
}

int stop_early(ResultsWriter& writer, const Simulation& simulation) {
  leave_partial("interrupted", writer, simulation);
  return interrupted_exit_code;
}

/// All that is known at the end, to the file.
void write_end(const FinishedRun& run, const std::vector<NamedValue>& summary,
               const std::vector<NamedValue>& provenance, const std::optional<EventRecord>& residual,
               ResultsWriter& writer) {
  std::vector<EventRecord> events = run.simulation.events();
  if (residual) events.push_back(*residual);
  writer.write_events(events);
  writer.write_summary(summary);
  writer.write_provenance(provenance);
}

/// Tells a balance that does not close; SolverError, with the results left under their partial name, where nobody may trust them.
void tell_residual(const EventRecord& residual, const EnergyBalance& balance, ResultsWriter& writer,
                   const Simulation& simulation) {
  const std::string text = fmt::format("the energy balance does not close: {}", residual.detail);
  if (std::abs(balance.residual_ratio()) < largest_residual_ratio) {
    fmt::print(stderr, "warning: {}\n", text);
    return;
  }
  leave_partial("not to be trusted", writer, simulation);
  throw SolverError(text);
}

}  // namespace

int run(const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  omp_set_num_threads(options.threads);
  const Scenario scenario = read_any(options);
  const Work work = make_work(scenario);
  const Plant plant = build_plant(scenario);
  const auto integrator = make_integrator(plant, options);
  Simulation simulation(plant, scenario, *work.workload, *integrator);
  if (!options.is_quiet) {
    for (const std::string& note : work.notes) fmt::print(stderr, "note: {}\n", note);
  }
  for (const std::string& warning : work.warnings) fmt::print(stderr, "warning: {}\n", warning);
  for (const std::string& warning : condensation_warnings(scenario, make_outdoors(scenario))) {
    fmt::print(stderr, "warning: {}\n", warning);
  }

  const std::filesystem::path output =
      options.output.empty() ? std::filesystem::path("results") / (scenario.name + ".h5") : options.output;
  const InterruptGuard guard;  // from here on there is a partial file to leave in order
  ResultsWriter writer(output, scenario.start);
  writer.write_layout(hall_layout(layout_counts(scenario, plant)));
  Recorder recorder(plant, scenario.record, writer);
  Statistics statistics(plant);
  Progress progress(scenario.duration_s, progress_style(options.is_quiet), std::cerr);
  ProgressObserver progress_observer(progress);

  bool is_whole = false;
  try {
    simulation.start();
    is_whole = simulation.run(scenario.duration_s, {&recorder, &statistics, &progress_observer}, interrupt_requested);
  } catch (const SolverError&) {
    progress.finish();
    writer.write_events(simulation.events());
    leave_partial("ended early", writer, simulation);
    throw;
  }
  progress.finish();
  const double wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const FinishedRun finished{plant, scenario, simulation, statistics, wall_time_s};
  std::vector<NamedValue> summary = summarise(finished);
  if (scenario.workload.kind == WorkloadSpec::Kind::replay) {
    summary.push_back(
        {"clamped_sample_share", work.clamped_sample_share, "1",
         "samples of the trace that ask more of the GPUs than their limit; the rest of the node draws the surplus"});
  }
  const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
  const std::optional<EventRecord> residual = residual_event(balance, simulation.state().time_s);
  write_end(finished, summary, provenance(scenario, options, *integrator), residual, writer);
  if (!is_whole) return stop_early(writer, simulation);
  if (residual) tell_residual(*residual, balance, writer, simulation);
  writer.finish();
  if (options.is_json) {
    fmt::print("{}\n", summary_json(summary, output));
  } else {
    fmt::print("{}\nresults            {}\n", summary_text(finished, options.units), output.string());
  }
  return 0;
}

}  // namespace wattloop::twin
