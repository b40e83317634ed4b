// Mistakes that a scenario and the file that it extends make together: reported where the text stands, with where the rest of it comes from.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string one_rack = std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/one_rack.yaml";

/// All that is reported of a file which extends another.
std::string reported(const std::string& base, const std::string& own, const std::vector<std::string>& overrides = {}) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "base.yaml") << "extends: " << one_rack << "\n" << base;
  std::ofstream(folder / "own.yaml") << "extends: base.yaml\n" << own;
  try {
    read_scenario(folder / "own.yaml", overrides);
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string place = folder.path().string() + "/";
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place))
      text.erase(at, place.size());
    return text;
  }
  return "nothing";
}

}  // namespace

TEST_CASE("what does not fit what an extending file says is reported with where that is", "[extends]") {
  CHECK_THAT(reported("events: [{ at: 50 min, fail: cdu_1.pump_a }]\n", "duration: 10 min\n"),
             Contains("base.yaml:2:10: event after 50 min, but the run ends after 10 min\n") &&
                 Contains("= 'duration' comes from own.yaml:2\n"));
  CHECK_THAT(reported("", "hall: { cooling: { rear_doors: null } }\n"),
             Contains("nothing cools the air of the racks\n") &&
                 Contains("= hall.cooling needs crahs or rear_doors; 'cooling' comes from own.yaml:2\n"));
}

TEST_CASE("a mistake of a file by itself is reported as if no one extended it", "[extends]") {
  const std::string own = reported("hall: { racks: { cuont: 3 } }\n", "title: x\nhall: { racks: { nodes: 4 } }\n");
  CHECK_THAT(own, Contains("base.yaml:2:18: hall.racks has no parameter 'cuont'\n") &&
                      Contains("= did you mean 'count'?\n") && !Contains("comes from"));
  CHECK_THAT(reported("title: y\n", "hall: { racks: { cuont: 3 } }\n"),
             Contains("own.yaml:2:18: hall.racks has no parameter 'cuont'\n") && !Contains("comes from"));
}

TEST_CASE("files that extend each other are reported once", "[extends]") {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "a.yaml") << "extends: b.yaml\nhall: { rakcs: 1 }\nworkload: { kind: training }\n";
  std::ofstream(folder / "b.yaml") << "extends: a.yaml\nhall: { coling: 1 }\n";
  CHECK_THROWS_WITH(read_scenario(folder / "a.yaml"), Contains("the files extend each other in a cycle"));
}

TEST_CASE("null removes what an extended file says, and nothing else", "[extends]") {
  CHECK(reported("hall: { racks: { count: 4, rows: 2 } }\n", "hall: { racks: { count: null, rows: null } }\n") ==
        "nothing");
  CHECK_THAT(reported("title: y\n", "hall: { racks: { cuont: null } }\n"),
             Contains("own.yaml:2:18: hall.racks has no parameter 'cuont'\n") && Contains("= did you mean 'count'?\n"));
  const std::string named =
      "hall:\n  racks: { hardware: null, count: null, rows: null, nodes: null,\n"
      "    warm: { count: 1, nodes: 8, hardware: hgx_h100_liquid }, cold: { count: 1, nodes: 8, hardware: "
      "hgx_h100_liquid } }\n";
  CHECK(reported(named, "hall: { racks: { cold: null } }\n") == "nothing");
  CHECK_THAT(reported(named, "hall: { racks: { clod: null } }\n"),
             Contains("own.yaml:2:18: hall.racks: there is no item 'clod' to remove\n") &&
                 Contains("= null removes an item of the extended file; write its name, or delete this key\n"));
}

TEST_CASE("null removes a key of another kind of work, like every other key", "[extends]") {
  const std::string training = "workload: { kind: training, compute_gpu_power: 600 W }\n";
  CHECK(reported(training, "workload: { kind: constant, compute_gpu_power: null }\n") == "nothing");
  CHECK(reported(training, "workload: { kind: constant }\n", {"workload.compute_gpu_power=null"}) == "nothing");
  CHECK_THAT(reported(training, "workload: { kind: constant, communication_gpu_power: null }\n"),
             Contains("own.yaml:2:29: workload has no parameter 'communication_gpu_power'\n"));
  const std::string cooler = "parts: { x: { kind: imposed_heat, into: loop_1.return, heat: 1 kW } }\n";
  CHECK_THAT(reported(cooler, "parts: { x: { kind: dry_cooler, heat: null, into: null } }\n"),
             !Contains("no parameter"));
  CHECK_THAT(reported(cooler, "parts: { x: { kind: dry_cooler, heat: null } }\n"), Contains("no parameter 'into'"));
}

TEST_CASE("what null removes has its default again, as if it had never been written", "[extends]") {
  const auto compute_w = [](const std::string& base, const std::string& own) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "base.yaml") << "extends: " << one_rack << "\n" << base;
    std::ofstream(folder / "own.yaml") << "extends: base.yaml\n" << own;
    return read_scenario(folder / "own.yaml").workload.get<workload::TrainingParams>()->compute_gpu_w;
  };
  const std::string base = "workload: { kind: training, compute_gpu_power: 600 W }\n";
  CHECK(compute_w(base, "title: x\n") == 600.0);
  const double by_gpu = compute_w("workload: { kind: training }\n", "title: x\n");
  const double taken_back = compute_w(base, "workload: { compute_gpu_power: null }\n");
  CHECK(std::isnan(by_gpu) == std::isnan(taken_back));
  CHECK((std::isnan(by_gpu) || by_gpu == taken_back));
}

TEST_CASE("where an override changes a kind the message says how to leave out the keys of the other", "[extends]") {
  const std::string own =
      "sequences: { reset: { kind: wet_bulb_reset, setting: facility.supply_temperature, lowest: 18 degC } }\n";
  const std::string hint =
      "`--set sequences.reset=null --set sequences.reset.kind=waterside_economiser` removes the keys of the other kind "
      "that the file has";
  const std::string text = reported("", own, {"sequences.reset.kind=waterside_economiser"});
  CHECK_THAT(text,
             Contains("has no parameter 'lowest'\n") && Contains("= " + hint + "\n") && !Contains("did you mean"));
  CHECK(text.find(hint) == text.rfind(hint));  // once
  CHECK_THAT(reported("", "title: x\n", {"workload.kind=constant", "workload.node_pover=5 kW"}),
             Contains("= did you mean 'node_power'?") && !Contains("leaves out"));  // no key of the file
}

TEST_CASE("an override of the kind that the file has leaves the nearest name to a misspelt one", "[extends]") {
  const std::string own = "workload: { kind: training, stpe_time: 4 s }\n";
  for (const std::vector<std::string>& same :
       {std::vector<std::string>{"workload.kind=training"}, std::vector<std::string>{"workload={kind: training}"},
        std::vector<std::string>{"workload.kind=training", "workload.kind=training"}}) {
    INFO(same.front());
    CHECK_THAT(reported("", own, same), Contains("workload has no parameter 'stpe_time'\n") &&
                                            Contains("= did you mean 'step_time'?") && !Contains("leaves out"));
  }
}

TEST_CASE("a workload of another kind begins anew", "[scenario][extends]") {
  const std::string transformer =
      "workload: { kind: transformer, model: gpt3_175b, precision: fp8, batch: 64, checkpoint_time: 3 s,\n"
      "  parallel: { tensor: 8, pipeline: 8, virtual: 6, micro_batch: 1 } }\n";
  CHECK(reported(transformer, "workload: { kind: constant }\n") == "nothing");
  CHECK(reported(transformer, "workload: { kind: constant, model: null }\n") == "nothing");
  CHECK(reported(transformer, "duration: 1 h\n", {"workload.kind=constant"}) == "nothing");
  CHECK(reported(transformer, "duration: 1 h\n", {"workload={ kind: constant }"}) == "nothing");
  CHECK_THAT(reported(transformer, "workload: { kind: constant, batch: 64 }\n"),
             Contains("own.yaml:2:29: workload has no parameter 'batch'"));
  CHECK_THAT(reported(transformer, "duration: 1 h\n", {"workload.kind=constant", "workload.batch=128"}),
             Contains("--set workload.batch=128: workload has no parameter 'batch'"));
  CHECK_THAT(reported(transformer, "duration: 1 h\n", {"workload.batch=128", "workload.kind=constant"}),
             Contains("workload has no parameter 'batch'"));

  const tests::TemporaryFolder folder;
  std::ofstream(folder / "base.yaml") << "extends: " << one_rack << "\n" << transformer;
  const auto save_s = [&](const std::vector<std::string>& overrides) {
    return read_scenario(folder / "base.yaml", overrides).workload.training()->checkpoint_s;
  };
  const double by_default_s = read_scenario(one_rack).workload.training()->checkpoint_s;
  REQUIRE(by_default_s != 3.0);
  CHECK(save_s({"workload.kind=training"}) == by_default_s);
  CHECK(save_s({"workload.kind=training", "workload.checkpoint_time=5 s"}) == 5.0);
  CHECK(save_s({"workload.checkpoint_time=5 s", "workload.kind=training"}) == 5.0);
  CHECK(save_s({"workload.kind=transformer"}) == 3.0);
}
