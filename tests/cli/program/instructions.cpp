// Programs of levels: the one that is asked for, the same numbers to the last digits from each, the same bytes from one; what was begun goes on
// with what it was begun with; no instruction of a higher level in a program of a lower one.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/numbers/instruction_level.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/verification.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using Catch::Matchers::Contains;
using wattloop::twin::results_equal;
namespace fs = std::filesystem;

namespace {

const std::string study = "title: A small study\nbase: " + one_rack +
                          "\nset: { duration: 20 s }\n"
                          "changes:\n  supply: { path: hall.cooling.loops.supply_temperature, range: { from: 30 degC, "
                          "to: 40 degC, steps: 3 } }\n"
                          "combine: [ supply ]\nkeep: [ peak_die_temperature: degC, pue ]\n";

std::string program_of(const std::string& level) { return WATTLOOP_PROGRAM "_" + level; }

/// Levels with a program that this processor can run; of a build without them none, and there is nothing to test.
std::vector<std::string> levels_here() {
  std::vector<std::string> levels;
  for (const InstructionLevel level : all_levels()) {
    const std::string name(name_of(level));
    if (level <= level_of_processor() && fs::exists(program_of(name))) levels.push_back(name);
  }
  if (levels.empty()) skip("this build has no levels");
  return levels;
}

std::string said_level(const Outcome& version) {
  const std::string start = "instructions ";
  const std::size_t at = version.output.find(start) + start.size();
  return version.output.substr(at, version.output.find(')', at) - at);
}

nlohmann::json figures(const WorkFolder& folder, const std::string& isa, const std::string& scenario) {
  const Outcome run = folder.run({"run", scenario, "--isa", isa, "--no-results", "--json", "-q"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  return nlohmann::json::parse(run.output);
}

}  // namespace

TEST_CASE("the program is that of the level that is asked for, else of the best", "[cli][isa]") {
  const std::vector<std::string> levels = levels_here();
  const WorkFolder folder(WATTLOOP_PROGRAM);
  CHECK(said_level(folder.run({"--version"})) == levels.back());
  for (const std::string& level : levels) {
    CHECK(said_level(folder.run_shell("WATTLOOP_ISA=" + level + " $wattloop --version")) == level);
    const Outcome run =
        folder.run({"run", one_rack, "--set", "duration=20 s", "-o", level + ".h5", "-q", "--isa=" + level});
    INFO(run.errors);
    REQUIRE(run.exit_code == 0);
    CHECK(twin::ResultsReader(folder / (level + ".h5").c_str()).provenance_text("isa") == level);
  }
  const Outcome wins = folder.run_shell("WATTLOOP_ISA=" + levels.back() + " $wattloop run " + one_rack +
                                        " --set 'duration=20 s' -o first.h5 -q --isa " + levels.front());
  CHECK(wins.exit_code == 0);
  CHECK(twin::ResultsReader(folder / "first.h5").provenance_text("isa") == levels.front());
}

TEST_CASE("instructions that do not exist are refused", "[cli][isa]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome unknown = folder.run({"run", one_rack, "--isa", "v33"});
  CHECK(unknown.exit_code == 1);
  CHECK_THAT(unknown.errors, Contains("'v33' is unknown, expected auto or v2 or v3 or v4; did you mean 'v3'?"));
  const Outcome variable = folder.run_shell("WATTLOOP_ISA=avx2 $wattloop run " + one_rack);
  CHECK(variable.exit_code == 1);
  CHECK_THAT(variable.errors, Contains("'avx2' is unknown"));
}

TEST_CASE("levels agree but for the last digits", "[cli][isa]") {
  const std::vector<std::string> levels = levels_here();
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("faults.yaml", "format: 1\nextends: " + one_rack +
                                  "\nduration: 20 min\nevents:\n  - { at: 5 min, fail: cdu_1.pump_a, for: 5 min }\n"
                                  "  - { at: 12 min, open: utility_a, for: 40 s }\n");
  const nlohmann::json lowest = figures(folder, levels.front(), "faults.yaml");
  for (const std::string& level : levels) {
    const nlohmann::json other = figures(folder, level, "faults.yaml");
    REQUIRE(other.size() == lowest.size());
    CAPTURE(level, lowest.dump(1), other.dump(1));
    double largest = 0.0;
    std::string where;
    const auto compare = [&](const std::string& name, const nlohmann::json& a, const nlohmann::json& b,
                             const auto& self) -> void {
      if (a.is_structured()) {
        REQUIRE(a.size() == b.size());
        for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
          self(a.is_object() ? name + "." + x.key() : name, *x, *y, self);
      } else if (a.is_number() && name.find("wall_time") == std::string::npos &&
                 name.find("residual") == std::string::npos) {
        const double scale = std::max({std::abs(a.get<double>()), std::abs(b.get<double>()), 1.0});
        const double difference = std::abs(a.get<double>() - b.get<double>()) / scale;
        if (difference > largest) where = name;
        largest = std::max(largest, difference);
      } else if (!a.is_number()) {
        CHECK(a == b);
      }
    };
    compare("", lowest, other, compare);
    INFO(where);
    CHECK(largest <= 1e-9);
  }
}

TEST_CASE("a level gives the same bytes on a processor with more", "[cli][isa]") {
  const std::string level = levels_here().front();
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string words = " $wattloop run " + one_rack + " --set 'duration=10 min' -q --isa " + level + " -o ";
  // As the C library is on a processor that has nothing above v2.
  REQUIRE(folder.run_shell("GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4" + words + "old.h5").exit_code ==
          0);
  REQUIRE(folder.run_shell(words + "new.h5").exit_code == 0);
  const auto same = results_equal(folder / "old.h5", folder / "new.h5");
  INFO(same.difference);
  CHECK(same.equal);
}

// Versions of exp and pow differ once in thousands of calls, and by a last bit: no run of a test would show which ones it had.
TEST_CASE("the C library computes with the instructions of the level, and no others", "[cli][isa]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", "format: 1\nextends: " + one_rack + "\nduration: 300 h\n");
  for (const std::string& level : levels_here()) {
    const Outcome started = folder.run_shell(
        "$wattloop run own.yaml --no-results -q --isa " + level + " & p=$!; until readlink /proc/$p/exe | grep -q _" +
        level + "; do sleep 0.01; done; tr '\\0' '\\n' </proc/$p/environ >variables; kill -9 $p");
    const std::string is_kept = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4\n";
    CHECK((file_text(folder / "variables").find(is_kept) != std::string::npos) == (level == "v2"));
    CHECK_THAT(file_text(folder / "variables"), Contains("PATH="));
  }
}

TEST_CASE("a run is resumed with the instructions that it was begun with", "[cli][isa][checkpoint]") {
  const std::vector<std::string> levels = levels_here();
  if (levels.size() < 2) skip("this processor has one level only");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", "format: 1\nextends: " + one_rack + "\nduration: 30 h\n");
  const std::string lowest = levels.front(), best = levels.back();
  REQUIRE(folder.run({"run", "own.yaml", "-o", "whole.h5", "-q", "--isa", lowest}).exit_code == 0);
  Process run = folder.start({"run", "own.yaml", "-o", "own.h5", "-q", "--checkpoint", "0 s", "--isa", lowest});
  for (int k = 0; k < 3000 && !fs::exists(folder / "own.h5.checkpoint"); ++k) folder.run_shell("sleep 0.02");
  run.send(SIGTERM);
  REQUIRE(run.wait().exit_code == 75);
  const Outcome refused = folder.run({"resume", "own.h5", "--isa", best});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.errors,
             Contains("the run was begun with the CPU instruction set " + lowest + ", and " + best + " is requested") &&
                 Contains("wattloop resume own.h5 --isa " + lowest));
  const Outcome resumed = folder.run({"resume", "own.h5", "-q"});  // whatever is the best here
  INFO(resumed.errors);
  REQUIRE(resumed.exit_code == 0);
  CHECK(twin::ResultsReader(folder / "own.h5").provenance_text("isa") == lowest);
  const auto same = results_equal(folder / "whole.h5", folder / "own.h5");
  INFO(same.difference);
  CHECK(same.equal);
}

TEST_CASE("all runs of a study's folder have the same instructions", "[cli][isa][study]") {
  const std::vector<std::string> levels = levels_here();
  if (levels.size() < 2) skip("this processor has one level only");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study);
  const std::string lowest = levels.front(), best = levels.back();
  const auto part = [&](const char* shard, std::vector<std::string> more) {
    std::vector<std::string> words{"study", "s.yaml", "-o", "out", "-q", "--shard", shard};
    words.insert(words.end(), more.begin(), more.end());
    return folder.run(words);
  };
  CHECK(part("1/3", {"--isa", lowest}).exit_code == 0);
  CHECK(file_text(folder / "out/study.isa") == lowest + "\n");
  CHECK(part("2/3", {}).exit_code == 0);  // follows
  const Outcome refused = part("3/3", {"--isa", best});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.errors, Contains("out: the study was begun with the CPU instruction set " + lowest) &&
                                 Contains("the same command with --isa " + lowest));
  CHECK(part("3/3", {"--isa", lowest}).exit_code == 0);
  CHECK(folder.run({"study", "--collect", "out", "-o", "out"}).exit_code == 0);
  REQUIRE(folder.run({"study", "s.yaml", "-o", "whole", "-q", "--isa", lowest}).exit_code == 0);
  CHECK(file_text(folder / "out/study.csv") == file_text(folder / "whole/study.csv"));
  REQUIRE(folder.run({"study", "s.yaml", "-o", "other", "-q", "--isa", best}).exit_code == 0);
  const Outcome joined = folder.run({"study", "--collect", "whole", "other", "-o", "joined"});
  CHECK(joined.exit_code == 1);
  CHECK_THAT(joined.errors, Contains("do not belong to the same study: the instructions ("));
  CHECK(folder.run({"study", "s.yaml", "-o", "whole", "-q", "--afresh", "--isa", best}).exit_code == 0);
  CHECK(file_text(folder / "whole/study.csv") == file_text(folder / "other/study.csv"));
}

TEST_CASE("no program holds instructions above its level", "[cli][isa]") {
  levels_here();
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto found = [&](const std::string& level, const std::string& pattern) {
    return folder.run_shell("objdump -d --no-show-raw-insn " + program_of(level) + " | grep -cE '" + pattern + "'")
        .output;
  };
  CHECK(found("v2", "%[yz]mm|%k[1-7]|\\sv[a-z]+[0-9a-z]*\\s+[%$(]") == "0\n");  // nor any with three operands (VEX)
  CHECK(found("v3", "%zmm|%k[1-7]|%[xy]mm(1[6-9]|[23][0-9])") == "0\n");
  CHECK(std::stoi(found("v3", "vfmadd.*%ymm")) > 100);
  CHECK(std::stoi(found("v4", "%zmm")) > 100);
}

// Vectors are held, and passed to functions, otherwise at each level. A program of a level holds code for any processor, too: where both kinds
// named functions or types of vectors alike, the linker would take one for the other.
TEST_CASE("what is compiled for any processor does not touch vectors of a level", "[cli][isa]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string build = fs::path(WATTLOOP_PROGRAM).parent_path();
  if (!fs::exists(build + "/CMakeFiles/wattloop_loops_v3.dir")) skip("this build has no levels");
  const std::string objects =
      folder
          .run_shell("nm -C -A " + build +
                     "/libwattloop_*.a 2>errors | grep -E 'Eight<|DieLanes' | cut -d: -f2 | sort -u | tee objects; for "
                     "o in $(cat "
                     "objects); do find " +
                     build +
                     "/CMakeFiles/wattloop_loops_v3.dir -name \"$o\" | grep -q . || echo $o is not of a level; done")
          .output;
  CHECK_THAT(objects, Contains("catalog.cpp.o\n") && !Contains("is not of a level"));
}
