// Python opens what we write: tests/support/check_results.py over results of every shape, run by Debian's
// Python.
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/run/recording/recorder.hpp"

namespace fs = std::filesystem;
using namespace wattloop::twin;
using namespace wattloop::tests;

namespace {

struct Checked {
  int exit_code;
  std::string output;
};

Checked run_python(const TemporaryFolder& folder, const std::string& script_and_arguments) {
  const fs::path output = folder / "output.txt";
  const std::string command = "/usr/bin/python3 " + script_and_arguments + " > " + output.string() + " 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream in(output);
  return {WEXITSTATUS(status), std::string(std::istreambuf_iterator<char>(in), {})};
}

Checked check(const TemporaryFolder& folder, const fs::path& file) {
  const Checked outcome = run_python(folder, WATTLOOP_SOURCE_DIR "/tests/support/check_results.py " + file.string());
  if (outcome.exit_code == 77) skip(outcome.output);
  return outcome;
}

}  // namespace

TEST_CASE("every group opens in xarray, in both engines, without a warning", "[results][python]") {
  const TemporaryFolder folder;
  const SampleSize size =
      GENERATE(SampleSize{}, SampleSize{.racks = 1, .gpus = 1, .events = 0},
               SampleSize{.facility_rows = 1, .rack_rows = 0, .gpu_rows = 33, .racks = 2, .gpus = 2561, .events = 1});
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  write_sample(writer, size);
  writer.finish();
  const Checked outcome = check(folder, folder / "run.h5");
  INFO(outcome.output);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("GPUs can be selected by rack and node in xarray", "[results][python]") {
  const TemporaryFolder folder;
  const Scenario scenario = small_hall_scenario();
  const Plant plant = build_plant(scenario);
  RecordSpec record = scenario.record;
  record.gpu_fields = {"die_temperature"};
  for (const RecordedTable& table : recorded_tables(plant, record)) {
    if (table.spec.group != "gpus") continue;
    TableSpec spec = table.spec;
    spec.columns = {{"die_temperature", "K", "die"}};
    ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
    const std::size_t number = writer.add_table(spec);
    std::vector<float> row(spec.item_count());
    std::iota(row.begin(), row.end(), 300.0F);
    writer.append(number, 0.0, row);
    writer.finish();
    CHECK(ResultsReader(folder / "run.h5").table("gpus").columns.size() == 1);  // labels are no columns
  }
  std::ofstream(folder / "select.py") << "import xarray\n"
                                         "gpus = xarray.open_dataset('"
                                      << (folder / "run.h5").string()
                                      << "', group='gpus', engine='h5netcdf')\n"
                                         "one = gpus.where(gpus.node == 'row_2.rack_1.node_2', drop=True)\n"
                                         "print(*one.gpu_name.values[:2], int(one.die_temperature.min()))\n"
                                         "print(gpus.groupby('rack').max().sizes['rack'], sorted(gpus.coords))\n";
  const Checked outcome = run_python(folder, (folder / "select.py").string());
  INFO(outcome.output);
  if (outcome.output.find("No module named") != std::string::npos) skip(outcome.output);
  CHECK(outcome.exit_code == 0);
  // By hand: eight racks in two rows; GPUs are counted rack by rack and node by node.
  const int gpus_per_node = 8;
  const int nodes = static_cast<int>(plant.it.gpu_count()) / 8 / gpus_per_node;
  const int first = 4 * nodes * gpus_per_node + gpus_per_node;
  CHECK_THAT(outcome.output,
             Catch::Contains(fmt::format("row_2.rack_1.node_2.gpu_1 row_2.rack_1.node_2.gpu_2 {}", 300 + first)));
  CHECK_THAT(outcome.output, Catch::Contains("8 ['gpu', 'gpu_name', 'node', 'rack', 'time']"));
}

TEST_CASE("a partial file opens in xarray", "[results][python]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "run.h5", "2026-01-01T12:30:00");
  append_rows(writer, rack_table(3), 1030, 1.0);
  const Checked outcome = check(folder, writer.abandon());
  INFO(outcome.output);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("the check of results notices a unit that xarray would misread", "[results][python]") {
  const TemporaryFolder folder;
  TableSpec table = facility_table();
  table.columns[0].unit = "seconds";
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  append_rows(writer, table, 5, 1.0);
  writer.finish();
  const Checked outcome = check(folder, folder / "run.h5");
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.output, Catch::Contains("facility/power: became time differences"));
}

TEST_CASE("the reader in docs/results_format.md runs as printed", "[results][python]") {
  const TemporaryFolder folder;
  const std::size_t racks = GENERATE(std::size_t(1), std::size_t(2));  // the hall of the first run has one
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  write_sample(writer, {.facility_rows = 3600, .rack_rows = 241, .gpu_rows = 61, .racks = racks, .gpus = 16});
  writer.finish();
  if (check(folder, folder / "run.h5").exit_code != 0) FAIL("the sample itself does not open");
  std::ifstream page(WATTLOOP_SOURCE_DIR "/docs/results_format.md");
  std::ofstream script(folder / "reader.py");
  bool is_code = false;
  int lines = 0;
  for (std::string line; std::getline(page, line);) {
    if (line == "```") is_code = false;
    if (is_code) script << line << '\n';
    lines += is_code ? 1 : 0;
    if (line == "```python" && lines == 0) is_code = true;
  }
  script.close();
  CHECK(lines == 10);
  const Checked outcome =
      run_python(folder, "-W error " + (folder / "reader.py").string() + " " + (folder / "run.h5").string());
  INFO(outcome.output);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, Catch::Contains("PUE 1.18"));
  CHECK_THAT(outcome.output, Catch::Contains("row_1.rack_1"));
}
