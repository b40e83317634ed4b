// `wattloop study` by several processes at once: the table of one, byte for byte, under mpirun and wherever a launcher reports ranks; whole
// results of chosen runs; what is refused.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/study/tables/study_table_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string head =
    "title: A small study\n"
    "base: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\n";

std::string study_text(int supplies, const std::string& keep = {}) {
  return head + "set: { duration: 20 s }\n" +
         fmt::format(
             "changes:\n  supply: {{ path: hall.cooling.loops.supply_temperature, range: {{ from: 30 degC, to: "
             "40 degC, steps: {} }} }}\n",
             supplies) +
         "combine: [ supply, { each_part: { of: \"cdu_1.pump_*\", at: 5 s, or_none: true } } ]\n"
         "keep: [ peak_die_temperature: degC, pue, peak_die_gpu" +
         keep +
         " ]\n"
         "limits: [ \"peak_die_temperature <= 58 degC\" ]\n";
}

/// Two processes as Open MPI starts them; `more` in front of the words of each.
std::string two_ranks(const std::string& launch, const std::string& words) {
  std::string line;
  for (const char* rank : {"0", "1"})
    line +=
        fmt::format("OMPI_COMM_WORLD_RANK={} OMPI_COMM_WORLD_SIZE=2 {} $wattloop study s.yaml -q {} >rank{} 2>&1 & ",
                    rank, launch.empty() ? "" : "OMPI_MCA_orte_precondition_transports=" + launch, words, rank);
  return line + "wait";
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) names.insert(entry.path().filename().string());
  return names;
}

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

}  // namespace

TEST_CASE("two ranks make the table of one process, whole at the end, and report it once", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(4));
  folder.run({"study", "s.yaml", "-o", "one", "-q", "--threads", "2"});
  const std::string table = file_text(folder / "one/study.csv");
  REQUIRE(lines_of(table) == 13);
  folder.run_shell(two_ranks("first", "-o two"));
  INFO(file_text(folder / "rank0") << file_text(folder / "rank1"));
  CHECK(file_text(folder / "two/study.csv") == table);
  CHECK(file_text(folder / "two/study.h5") == file_text(folder / "one/study.h5"));
  const std::string reported = file_text(folder / "rank0") + file_text(folder / "rank1");
  CHECK_THAT(reported, Contains("12 of 12 runs done"));
  CHECK(reported.find("runs done") == reported.rfind("runs done"));  // by one of them
}

TEST_CASE("mpirun with two ranks makes the table of one process", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  if (folder.run_shell("command -v mpirun").exit_code != 0) skip("mpirun is not installed");
  folder.write("s.yaml", study_text(12));
  folder.run({"study", "s.yaml", "-o", "one", "-q"});
  const Outcome ranks = folder.run_shell(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 $wattloop study s.yaml -o "
      "two");
  INFO(ranks.errors << ranks.output);
  CHECK_THAT(ranks.output, Contains("36 of 36 runs done"));
  const std::string rows =
      file_text(folder / "two/study-1-of-2.journal") + file_text(folder / "two/study-2-of-2.journal");
  CHECK(lines_of(rows) <= 36 + 2);  // each run once, and the first lines
  CHECK(file_text(folder / "two/study.csv") == file_text(folder / "one/study.csv"));
}

TEST_CASE("a rank that is alone does the other's runs, and what is there already is not done again", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(4));
  folder.run({"study", "s.yaml", "-o", "one", "-q"});
  folder.run({"study", "s.yaml", "-o", "two", "-q", "--shard", "1/3"});
  folder.run_shell(
      "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_MCA_orte_precondition_transports=x $wattloop study s.yaml -q "
      "-o two");
  CHECK(file_text(folder / "two/study.csv") == file_text(folder / "one/study.csv"));
  CHECK(lines_of(file_text(folder / "two/study-1-of-3.journal")) == 5);
  CHECK(lines_of(file_text(folder / "two/study-2-of-2.journal")) == 9);
}

TEST_CASE("ranks without a name of their launch do their shares, and the table is made afterwards", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(4));
  folder.run({"study", "s.yaml", "-o", "one", "-q"});
  folder.run_shell(two_ranks("", "-o two"));
  CHECK(lines_of(file_text(folder / "two/study-1-of-2.journal")) == 7);
  CHECK(lines_of(file_text(folder / "two/study-2-of-2.journal")) == 7);
  CHECK(folder.run({"study", "--collect", "two", "-o", "all"}).exit_code == 3);
  CHECK(file_text(folder / "all/study.csv") == file_text(folder / "one/study.csv"));
}

TEST_CASE("ranks refuse what is for one process, and --alone makes them one", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(2));
  const std::string rank = "PMI_RANK=1 PMI_SIZE=2 $wattloop study s.yaml -q -o s ";
  const Outcome shard = folder.run_shell(rank + "--shard 1/2");
  CHECK(shard.exit_code == 1);
  CHECK_THAT(shard.errors, Contains("--shard: 2 processes were started together and share the runs"));
  CHECK(folder.run_shell(rank + "--afresh").exit_code == 1);
  CHECK(folder.run_shell(rank + "--dry-run").output.empty());
  CHECK_FALSE(fs::exists(folder / "s"));
  CHECK_THAT(folder.run_shell(rank + "--alone").output, Contains("6 of 6 runs done"));
}

TEST_CASE("whole results of the worst runs are kept, the same for shards and ranks", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(3, ", worst 2 by peak_die_temperature"));
  const std::set<std::string> worst{"run-0008.h5", "run-0009.h5"};  // at 40 degC, of equal ones the first
  folder.run({"study", "s.yaml", "-o", "one", "-q"});
  CHECK(names_in(folder / "one/runs") == worst);
  const Outcome summary = folder.run({"summary", "one/runs/run-0008.h5", "--json"});
  CHECK(summary.exit_code == 0);
  const wattloop::twin::StudyTable table = wattloop::twin::read_study_table(folder / "one/study.h5");
  for (const std::size_t run : {8, 9}) {  // each has what its own row says, of what its own changes made of it
    const wattloop::twin::ResultsReader whole(folder / "one/runs" / fmt::format("run-{:04}.h5", run));
    const std::vector<std::string>& cells = table.rows.at(run - 1).cells;
    const auto cell = [&](const char* column) {
      const auto at = std::ranges::find(table.columns, column, &wattloop::twin::TableColumn::name);
      return cells.at(static_cast<std::size_t>(at - table.columns.begin()));
    };
    INFO(run);
    CHECK(whole.summary_number("pue").value() == Approx(std::stod(cell("pue"))).epsilon(1e-12));
    const auto events = whole.events();
    const bool has_none = cell("part") == "none";
    CHECK(std::ranges::count_if(events, [&](const auto& event) {
            return event.kind == "fail" && (has_none || event.target == cell("part"));
          }) == (has_none ? 0 : 1));
  }
  for (const char* shard : {"1/2", "2/2"})
    folder.run({"study", "s.yaml", "-o", std::string("part") + shard[0], "-q", "--shard", shard});
  CHECK(names_in(folder / "part1/runs").size() == 2);
  CHECK(folder.run({"study", "--collect", "part1", "part2", "-o", "all"}).exit_code == 3);
  CHECK(names_in(folder / "all/runs") == worst);
  folder.run_shell(two_ranks("first", "-o two"));
  CHECK(names_in(folder / "two/runs") == worst);
  fs::remove(folder / "one/runs/run-0009.h5");
  folder.write("one/runs/run-0009.h5.1234.partial.h5", "of a run that was killed");
  folder.run({"study", "s.yaml", "-o", "one", "-q"});
  CHECK(names_in(folder / "one/runs") == worst);
  fs::remove(folder / "part1/runs/run-0009.h5");
  fs::remove(folder / "part2/runs/run-0008.h5");
  CHECK_THAT(folder.run({"study", "--collect", "part1", "part2", "-o", "gone"}).errors,
             Contains("results of run 8, 9 are in none of the folders"));
}

TEST_CASE("all whole results are kept where that is asked for, and a choice that is none is reported", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(2, ", all"));
  folder.run({"study", "s.yaml", "-o", "all", "-q"});
  CHECK(names_in(folder / "all/runs").size() == 6);
  folder.write("s.yaml", study_text(2, ", worst 2 by trips"));
  CHECK_THAT(
      folder.run({"study", "s.yaml", "-o", "x"}).errors,
      Contains("s.yaml:7:56: 'trips' is not a number under `keep`") && Contains("known: peak_die_temperature, pue"));
  folder.write("s.yaml", study_text(2, ", worst two by pue"));
  CHECK_THAT(folder.run({"study", "s.yaml", "-o", "x"}).errors, Contains("'worst two by pue' does not choose runs"));
}

TEST_CASE("a study notices that a file has changed which only some of its runs read", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("a.csv", "time_s,heat_kW\n0,3\n600,3\n");
  folder.write("b.csv", "time_s,heat_kW\n0,3\n600,3\n");
  const auto heat = [](const char* file) {
    return fmt::format(
        "{{ kind: imposed_heat, into: loop_1.return, heat: {{ follow: {{ file: {}, column: heat_kW, unit: kW }} }} }}",
        file);
  };
  folder.write("s.yaml", head + "set: { duration: 20 s }\n" +
                             fmt::format("changes:\n  other: {{ path: parts.heater, values: [ {}, {} ] }}\n",
                                         heat("a.csv"), heat("b.csv")) +
                             "  speed: { path: hall.cooling.loops.pump_speed, values: [65 %, 75 %] }\nkeep: [ pue ]\n");
  const Outcome first = folder.run({"study", "s.yaml", "-o", "s", "-q"});
  INFO(first.errors << first.output);
  REQUIRE(first.exit_code == 0);
  CHECK_THAT(folder.run({"study", "s.yaml", "-o", "s"}).errors, Contains("note: 4 runs are already done"));
  folder.write("b.csv", "time_s,heat_kW\n0,4\n600,3\n");
  const Outcome changed = folder.run({"study", "s.yaml", "-o", "s"});
  CHECK(changed.exit_code == 1);
  CHECK_THAT(changed.errors, Contains("from before something changed: a file that runs read"));
}

TEST_CASE("scripts for Slurm are written after a short trial, and nothing runs", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text(4));
  const Outcome scripts =
      folder.run({"study", "s.yaml", "--slurm", "out", "--set", "seed=2", "--event", "at: 5 s, fail: cdu_1"});
  INFO(scripts.errors);
  CHECK(scripts.exit_code == 0);
  CHECK_THAT(scripts.output,
             Contains("12 runs of ") && Contains(" in 1 task of about ") && Contains("submit with         sh "));
  CHECK(names_in(folder / "out") ==
        std::set<std::string>{"study_array.sbatch", "study_collect.sbatch", "study_submit.sh"});
  CHECK_THAT(file_text(folder / "out/study_array.sbatch"),
             Contains("'--set' 'seed=2' '--event' 'at: 5 s, fail: cdu_1'"));
  // The script does the study also where there is no Slurm, reported which task it is.
  folder.run_shell("SLURM_ARRAY_TASK_ID=1 sh out/study_array.sbatch && sh out/study_collect.sbatch");
  CHECK(lines_of(file_text(folder / "out/study.csv")) == 13);
  CHECK_THAT(folder.run({"study", "s.yaml", "--slurm", "my out"}).errors, Contains("cannot be used in a Slurm script"));
}
