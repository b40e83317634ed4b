#include "twin/commands/results/scenario_start.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <system_error>

#include "core/text/problem.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/run_results.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr double shown_s = 60.0;

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "wattloop-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw FileError("cannot make the temporary folder in which the first minute of the scenario is run: " + name);
  return name;
}

void record_start(HallRun& run, const std::filesystem::path& scenario, ResultsWriter& writer) {
  const std::unique_ptr<Recorder> recorder = record_run(run, writer);
  if (!recorder)
    throw FileError(scenario.string() +
                    ": it records only its summary (`record: summary`), so there is nothing to plot; run it again "
                    "without `record: summary`");
  run.begin();
  run.advance_to(std::min(shown_s, run.scenario().duration_s));
  const std::vector<NamedValue> figures = run.figures(),
                                about = provenance_of(
                                    run, {.scenario_file = scenario.string(), .inputs = {}, .overrides = {}});
  const FinishedRun finished = run.finished();
  const std::vector<LimitRecord> limits = limit_records(finished);
  write_end(finished, {figures, run.events(), limits, about, recorder.get()}, writer);
  writer.finish();
}

}  // namespace

bool is_scenario(const std::filesystem::path& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

ScenarioStart::ScenarioStart(const std::filesystem::path& scenario)
    : folder_(new_folder()), results_(folder_ / "start.h5") {
  try {
    HallRun run(read_scenario(scenario));
    ResultsWriter writer(results_, run.scenario().start);
    record_start(run, scenario, writer);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

ScenarioStart::~ScenarioStart() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace wattloop::twin
