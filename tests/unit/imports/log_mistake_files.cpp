// Logs and tables with mistakes: tests/unit/mistakes/logs. Those of `power` are imported as telemetry, those of `jobs` as jobs; `tables` are named by the
// scenarios queue_table_*.yaml beside them. A line without an end, of more than memory should hold, is written here.
#include <fstream>

#include "tests/support/files_of_mistakes.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/imports/jobs/job_log.hpp"
#include "twin/imports/telemetry/import_telemetry.hpp"
#include "twin/imports/telemetry/telemetry_report.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

std::vector<Problem> problems_of_power(const fs::path& file) {
  TelemetryOptions options;
  const std::string name = file.filename().string();
  if (name.starts_with("wide") || name.starts_with("long")) options.log.boundary = "node_ac";
  if (name.starts_with("dmon")) options.log.interval_s = 1.0;
  try {
    import_telemetry({file}, options);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

std::vector<Problem> problems_of_jobs(const fs::path& file) {
  try {
    import_jobs(file, {});
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

}  // namespace

TEST_CASE("mistakes in logs of power are reported all at once, as the files beside them say", "[mistakes][imports]") {
  for (const fs::path& file : tests::files_with_mistakes(tests::mistakes_folder / "logs" / "power"))
    tests::check_mistakes(file, problems_of_power(file));
}

TEST_CASE("mistakes in logs of jobs are reported all at once, as the files beside them say", "[mistakes][imports]") {
  for (const fs::path& file : tests::files_with_mistakes(tests::mistakes_folder / "logs" / "jobs"))
    tests::check_mistakes(file, problems_of_jobs(file));
}

TEST_CASE("a line of more than 64 MB is refused, and is never whole in memory", "[mistakes][imports]") {
  const tests::TemporaryFolder folder;
  const auto endless = [&](const char* name, const std::string& head) {
    std::ofstream file(folder / name, std::ios::binary);
    file << head;
    const std::string piece(std::size_t{1} << 20, '1');
    for (int k = 0; k < 66; ++k) file << piece;
    return folder / name;
  };
  const std::string expected = "line 2 has more than 64 MB: is this a text file?\n";
  const fs::path power = endless("power.csv", "timestamp, index, power.draw [W]\n");
  CHECK(tests::mistakes_text(problems_of_power(power), power.parent_path()) == "power.csv: " + expected);
  const fs::path jobs = endless("jobs.log", "JobID|Submit|Start|Elapsed|NNodes\n");
  CHECK(tests::mistakes_text(problems_of_jobs(jobs), jobs.parent_path()) == "jobs.log: " + expected);
}

TEST_CASE("each kind of mistake with jobs has three files at least, and all have forty", "[mistakes][imports]") {
  const std::vector<std::vector<std::string>> kinds{
      {"queue_larger", "queue_all_spare", "queue_counted"},   // jobs larger than the hall
      {"reserved_"},                                          // a node reserved twice, or for no one
      {"rates_"},                                             // rates below zero
      {"storage_", "checkpoint_"},                            // storage of 0 B/s with a checkpoint
      {"queue_times", "queue_table_backwards", "backwards"},  // times that run backwards
      {"classes_"},                                           // unknown classes
      {"units", "clocks", "bad_cells"},                       // mixed units
      {"cut_off"},                                            // truncated lines
      {"second_header", "queue_twice"},                       // a second header
  };
  std::vector<std::string> names;
  const fs::path logs = tests::mistakes_folder / "logs";
  for (const fs::path& of : {tests::mistakes_folder, logs / "jobs", logs / "power"}) {
    for (const fs::path& file : tests::files_with_mistakes(of)) names.push_back(file.filename().string());
  }
  std::size_t all = 0;
  for (const std::vector<std::string>& kind : kinds) {
    INFO(kind.front());
    const auto files = static_cast<std::size_t>(std::ranges::count_if(names, [&](const std::string& name) {
      return std::ranges::any_of(kind, [&](const std::string& part) { return name.find(part) != std::string::npos; });
    }));
    CHECK(files >= 3);
    all += files;
  }
  CHECK(all >= 40);
}
