// The journal of a study of 100,000 runs: what bookkeeping costs, and that it holds little in memory. A process of its own does the work, because
// the largest memory of a process has all that other tests took before.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/study/plan/expander.hpp"
#include "twin/study/plan/expansion.hpp"
#include "twin/study/tables/journal.hpp"
#include "twin/study/tables/study_report.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::twin;

namespace {

constexpr std::size_t runs = 100'000;

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Of this program since it was started.
double largest_memory_bytes() {
  std::ifstream status("/proc/self/status");
  double kb = 0.0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:" && status >> kb) break;
  }
  return 1024.0 * kb;
}

/// What this program prints when it runs one of its tests in a process of its own.
std::string output_of_test(const std::string& tag) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  FILE* pipe = ::popen(fmt::format("'{}' '{}' 2>&1", program, tag).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) output += static_cast<char>(letter);
  ::pclose(pipe);
  return output;
}

Expansion sampled() {
  Problems problems;
  const Study study = read_study_text("base: " WATTLOOP_SOURCE_DIR
                                      "/scenarios/one_rack.yaml\nkeep: pue\n"
                                      "changes:\n"
                                      "  supply: { path: a, range: { from: 30 degC, to: 45 degC } }\n"
                                      "  load: { path: b, range: { from: 300 W, to: 660 W } }\n"
                                      "  nodes: { path: c, values: [4, 5, 8, 10, 16] }\n"
                                      "combine: { latin_hypercube: { runs: 100000, seed: 1 } }\n",
                                      "study.yaml", problems);
  Expansion expansion = expand(study, {}, problems);
  REQUIRE(problems.empty());
  return expansion;
}

StudyIdentity identity_of(const Expansion& expansion) {
  StudyIdentity identity{.title = "many", .runs = runs, .study = "1", .scenario = "2", .inputs = "3", .program = "4"};
  for (const StudyColumn& column : expansion.columns())
    identity.columns.push_back({column.name, column.unit, "", {}, true});
  for (const char* figure : {"peak_die_temperature", "smallest_throttle_margin", "throttled_gpu_time", "pue"})
    identity.columns.push_back({figure, "K", "what it is", {}, false});
  return identity;
}

StudyRow row_of(const StudyRun& run) {
  StudyRow row{run.number, 0, run.cells, {}};
  for (const double figure : {329.6543210987654, 30.12345678901234, 0.0, 1.064512345678901})
    row.cells.push_back(fmt::format("{}", figure + 1e-6 * static_cast<double>(run.number)));
  return row;
}

}  // namespace

TEST_CASE("a process that keeps 100,000 runs prints its CPU time and its memory", "[.kept_runs]") {
  const TemporaryFolder folder;
  const double begin_s = cpu_s();
  const Expansion expansion = sampled();
  const StudyIdentity identity = identity_of(expansion);
  {
    Journal journal(folder / "s", identity, {}, false);
    std::vector<StudyRow> rows;
    for (std::size_t run = runs; run > 0; --run) {
      rows.push_back(row_of(expansion.run(run)));
      if (rows.size() < 50 && run > 1) continue;
      journal.append(rows);
      rows.clear();
    }
  }
  const Journal again(folder / "s", identity, {}, false);
  CHECK(again.rows().size() == runs);
  const StudyTable table = join_journals({folder / "s"});
  REQUIRE(table.rows.size() == runs);
  CHECK(table.rows.front().run == 1);
  CHECK(find_in(table).spreads.at(3).most_run == runs);
  write_csv(table, folder / "s/study.csv");
  write_hdf5(table, folder / "s/study.h5");
  std::printf("kept_runs %.9g s %.9g bytes\n", cpu_s() - begin_s, largest_memory_bytes());
}

TEST_CASE("100,000 runs are kept within 2 ms of bookkeeping each and 500 MB", "[study]") {
  const std::string output = output_of_test("[.kept_runs]");
  INFO(output);
  const std::size_t line = output.find("kept_runs ");
  REQUIRE(line != std::string::npos);
  double all_s = 0.0, bytes = 0.0;
  REQUIRE(std::sscanf(output.c_str() + line, "kept_runs %lf s %lf bytes", &all_s, &bytes) == 2);
  CHECK(output.find("All tests passed") != std::string::npos);
  CHECK(all_s / static_cast<double>(runs) < 2e-3);
  CHECK(bytes > 1e6);
  CHECK(bytes < 500e6);
}
