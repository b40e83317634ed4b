// `wattloop explain job` beside a run of the same scenario: two ways to throughput, utilisation and watts.
#include <nlohmann/json.hpp>

#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using nlohmann::json;

namespace {

const std::string rack = "format: 1\nextends: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\n";
const std::string job =
    "workload: { kind: transformer, model: megatron_22b, batch: 64, parallel: { tensor: 8 }, recompute: selective, "
    "checkpoint_time: 0 s, sample_interval: 500 ms }\n";

double figure(const json& summary, const std::string& name) { return summary.at(name).at("value"); }

}  // namespace

TEST_CASE("what explain says of a transformer job is what a run of it has", "[cli][explain_job]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("rack.yaml", rack + job + "duration: 20 min\n");
  const Outcome explained = folder.run({"explain", "job", "rack.yaml", "--json", "--plans", "3"});
  REQUIRE(explained.exit_code == 0);
  const json plan = json::parse(explained.output).at(0);
  CHECK(plan.at("gpus") == 64);
  CHECK(plan.at("plan").at("data") == 8);
  double step_s = 0.0;
  for (const auto& [kind, time_s] : plan.at("time_s").items()) step_s += time_s.get<double>();
  CHECK(step_s == Approx(plan.at("step_s").get<double>()).epsilon(1e-9));
  REQUIRE(plan.at("plans").size() == 3);
  CHECK(plan.at("plans")[0].at("step_s") <= plan.at("plans")[1].at("step_s"));
  CHECK(plan.at("plans")[0].at("step_s") <= plan.at("step_s"));

  REQUIRE(folder.run({"run", "rack.yaml", "-o", "out"}).exit_code == 0);
  const json run = json::parse(folder.run({"summary", "out", "--json"}).output);
  const double one_step = plan.at("step_s").get<double>() / 1200.0;  // a step under way at the end is not whole
  CHECK(figure(run, "job_step_time") == Approx(plan.at("step_s").get<double>()).epsilon(1e-9));
  CHECK(figure(run, "job_token_rate") == Approx(plan.at("tokens_per_s").get<double>()).epsilon(one_step));
  CHECK(figure(run, "job_mfu") == Approx(plan.at("mfu").get<double>()).epsilon(one_step));
  // Nodes draw the mean of steps and what dies leak, some percent.
  const double nodes_w = plan.at("node_power_w").get<double>() * 8.0;
  CHECK(figure(run, "mean_node_power") == Approx(nodes_w).epsilon(0.05));
}

TEST_CASE("explain job prints where a step goes, and refuses what it cannot explain", "[cli][explain_job]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("rack.yaml", rack + job);
  const Outcome explained = folder.run({"explain", "job", "rack.yaml"});
  CHECK(explained.exit_code == 0);
  for (const char* words :
       {"job of the hall: megatron_22b", "matrix products", "memory of a GPU", "tokens/s a GPU", "MFU"})
    CHECK(explained.output.find(words) != std::string::npos);
  folder.write("other.yaml", rack + "workload: { kind: constant }\n");
  CHECK(folder.run({"explain", "job", "other.yaml"}).output.find("no job of `kind: transformer`") != std::string::npos);
  const Outcome wrong = folder.run({"explain", "hardware", "rack.yaml"});
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.errors.find("explain hardware takes no scenario") != std::string::npos);
  folder.write("large.yaml",
               rack + "workload: { kind: transformer, model: megatron_1t, batch: 64, parallel: { tensor: 8 } }\n");
  const Outcome large = folder.run({"explain", "job", "large.yaml"});
  CHECK(large.exit_code == 1);
  CHECK(large.errors.find("GiB too few") != std::string::npos);
}

TEST_CASE("a job of a queue may be a transformer", "[cli][explain_job]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("queue.yaml", rack +
                                 "workload: null\nduration: 20 min\njobs:\n  queue:\n    - { name: small, nodes: 4, "
                                 "run_time: 10 min, program: { kind: "
                                 "transformer, model: megatron_22b, batch: 64, parallel: { tensor: 8 }, recompute: "
                                 "selective, checkpoint_time: 0 s } "
                                 "}\n");
  const json plan = json::parse(folder.run({"explain", "job", "queue.yaml", "--json"}).output).at(0);
  CHECK(plan.at("gpus") == 32);
  REQUIRE(folder.run({"run", "queue.yaml", "-o", "out"}).exit_code == 0);
  const json jobs = json::parse(folder.run({"jobs", "out", "--json"}).output);
  CHECK(jobs.at(0).at("state") == "done");
  CHECK(jobs.at(0).at("steps").get<double>() == Approx(600.0 / plan.at("step_s").get<double>()).margin(1.0));
}
