// Array jobs of Slurm: tasks of minutes, limits with room, names that a shell cannot misread; and which runs keep whole results.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/clusters/slurm_script.hpp"
#include "twin/study/plan/chosen_runs.hpp"
#include "twin/study/tables/study_table.hpp"

using namespace wattloop::tests;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

SlurmStudy study_of(std::size_t runs, double run_s) {
  return {.title = "t",
          .program = "/opt/wattloop's/bin/wattloop",
          .study = "/srv/my studies/$HOME.yaml",
          .folder = "/scratch/out",
          .overrides = {"--set", "title=it's"},
          .runs = runs,
          .run_s = run_s,
          .memory_bytes = 150e6,
          .isa = "v3"};
}

bool is_shell(const std::string& script) {
  const TemporaryFolder folder;
  std::ofstream(folder / "script") << script;
  return std::system(fmt::format("sh -n {}", (folder / "script").string()).c_str()) == 0;
}

StudyTable table_of(std::initializer_list<const char*> margins) {
  StudyTable table{.runs = 12, .columns = {{.name = "supply"}, {.name = "smallest_throttle_margin"}}};
  for (const char* margin : margins)
    table.rows.push_back({table.rows.size() + 1, *margin == '\0' ? 2 : 0, {"30", margin}, {}});
  return table;
}

using Runs = std::vector<std::size_t>;

Runs chosen(const char* text, const StudyTable& table) { return choose(read_chosen_runs(text).value(), table); }

}  // namespace

TEST_CASE("an array has tasks of minutes, not of runs, and few enough", "[study][clusters]") {
  CHECK(slurm_scripts(study_of(10'000, 0.36)).tasks == 6);        // 3,600 s in parts of 600 s
  CHECK(slurm_scripts(study_of(16, 0.04)).tasks == 1);            // 0.64 s are not worth two
  CHECK(slurm_scripts(study_of(10'000, 0.119)).tasks == 1);       // two would be shorter than 600 s
  CHECK(slurm_scripts(study_of(1'000'000, 30.0)).tasks == 1000);  // 30e6 s
  CHECK(slurm_scripts(study_of(3, 4000.0)).tasks == 3);           // a run is not divided
  SlurmStudy small = study_of(10'000, 0.36);
  small.task_s = 1.0;
  CHECK(slurm_scripts(small).tasks == 120);  // of 30 s
  small.threads = 4;
  CHECK(slurm_scripts(small).tasks == 30);
}

TEST_CASE("limits of a task have room beyond what the trial says", "[study][clusters]") {
  const SlurmScripts scripts = slurm_scripts(study_of(10'000, 0.36));
  CHECK(scripts.minutes == 35);     // 3 x 600 s + 300 s
  CHECK(scripts.megabytes == 400);  // 1.3 x 150 MB + 200 MB = 395
  CHECK_THAT(scripts.array, Contains("#SBATCH --array=1-6\n") && Contains("#SBATCH --time=35\n") &&
                                Contains("#SBATCH --mem=400M\n") && Contains("#SBATCH --requeue\n") &&
                                Contains("#SBATCH --signal=B:USR1@60\n"));
  CHECK_THAT(scripts.submit, Contains("--dependency=\"afterany:$array\""));
}

TEST_CASE("names in scripts are words, whatever stands in them", "[study][clusters]") {
  const SlurmScripts scripts = slurm_scripts(study_of(10'000, 0.36));
  CHECK_THAT(scripts.array,
             Contains("'/opt/wattloop'\\''s/bin/wattloop' study '/srv/my studies/$HOME.yaml' -o '/scratch/out' --shard "
                      "\"$SLURM_ARRAY_TASK_ID/6\" --threads 1 --alone --quiet --isa v3 '--set' 'title=it'\\''s' &\n"));
  SlurmStudy for_one_machine = study_of(10'000, 0.36);
  for_one_machine.isa.clear();
  CHECK_THAT(slurm_scripts(for_one_machine).array, Contains("--alone --quiet '--set'"));
  CHECK(is_shell(scripts.array));
  CHECK(is_shell(scripts.collect));
  CHECK(is_shell(scripts.submit));
}

TEST_CASE("the worst runs are those with the least margin, of equal ones the first", "[study]") {
  const StudyTable table = table_of({"4", "2", "3", "", "2", "9"});
  CHECK(chosen("worst 1 by smallest_throttle_margin", table) == Runs{2});
  CHECK(chosen("worst 3 by smallest_throttle_margin", table) == Runs{2, 3, 5});
  CHECK(chosen("largest 2 by smallest_throttle_margin", table) == Runs{1, 6});
  CHECK(chosen("worst 1 by supply", table) == Runs{1});
  CHECK(chosen("all", table) == Runs{1, 2, 3, 5, 6});
  CHECK(chosen("none", table).empty());
  CHECK(chosen("worst 99 by smallest_throttle_margin", table).size() == 5);
}

TEST_CASE("the worst of a study are among the worst of its shards", "[study]") {
  const StudyTable table = table_of({"4", "2", "3", "7", "2", "9", "1", "2", "5", "2"});
  for (const char* text : {"worst 3 by smallest_throttle_margin", "largest 2 by smallest_throttle_margin"}) {
    Runs of_shards;
    for (std::size_t shard = 0; shard < 3; ++shard) {
      StudyTable part = table;
      std::erase_if(part.rows, [&](const StudyRow& row) { return row.run % 3 != shard; });
      for (const std::size_t run : chosen(text, part)) of_shards.push_back(run);
    }
    std::ranges::sort(of_shards);
    const Runs whole = chosen(text, table);
    CHECK(std::ranges::includes(of_shards, whole));
  }
}

TEST_CASE("what chooses no runs is reported from a figure", "[study]") {
  CHECK(reports_whole_results("worst five"));
  CHECK_FALSE(reports_whole_results("worst_node"));
  for (const char* text :
       {"worst", "worst five by pue", "worst 0 by pue", "worst 5 pue", "worst 5 by", "all of them", "worst 5 by a b"})
    CHECK_FALSE(read_chosen_runs(text));
  CHECK(results_name(7, 65) == "run-0007.h5");
  CHECK(results_name(7, 100'000) == "run-000007.h5");
}
