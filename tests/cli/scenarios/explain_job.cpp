// `wattloop explain job` beside a run of the same scenario: two ways to throughput, utilisation and watts.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
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

TEST_CASE("a search finds the plans that explain job lists, and makes no run", "[cli][explain_job]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("rack.yaml", rack + job);
  const json listed = json::parse(folder.run({"explain", "job", "rack.yaml", "--json", "--plans", "4"}).output).at(0);
  folder.write("plans.yaml", "title: Plans\nbase: rack.yaml\nsearch: { plans: throughput, most: 4 }\n");
  const Outcome found = folder.run({"search", "plans.yaml", "--json"});
  INFO(found.errors);
  REQUIRE(found.exit_code == 0);
  CHECK(json::parse(found.output).at(0).at("plans") == listed.at("plans"));
  CHECK(folder.keeps_earlier_results());  // no results of its own beside them
  folder.write("energy.yaml", "title: Plans\nbase: rack.yaml\nsearch: { plans: energy }\n");
  const Outcome by_energy = folder.run({"search", "energy.yaml"});
  CHECK(by_energy.output.find("job of the hall, megatron_22b on 64 GPUs") != std::string::npos);
  const json thrifty = json::parse(folder.run({"search", "energy.yaml", "--json"}).output).at(0).at("plans");
  const auto energy_j = [](const json& plan) { return plan.at("energy_per_token_j").get<double>(); };
  CHECK(thrifty.size() == 10);
  CHECK(std::ranges::is_sorted(thrifty, {}, energy_j));
  const json fast = json::parse(found.output).at(0).at("plans");
  CHECK(std::ranges::is_sorted(fast, std::ranges::greater{},
                               [](const json& plan) { return plan.at("tokens_per_s").get<double>(); }));
  CHECK(by_energy.output.find("J a token") != std::string::npos);
}

TEST_CASE("a search for plans answers all that is wrong with it", "[cli][explain_job]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("rack.yaml", rack + job);
  folder.write("wrong.yaml",
               "title: Plans\nbase: rack.yaml\nchanges: { batch: { path: workload.batch, values: [ 64, 128 ] } }\n"
               "search: { plans: throughputs, most: 5000, best: 3 }\n");
  const Outcome wrong = folder.run({"search", "wrong.yaml"});
  CHECK(wrong.exit_code == 1);
  for (const char* words :
       {"plans: 'throughputs' is no order of plans", "did you mean 'throughput'", "most: 5000 is more than 1000 plans",
        "'best'", "a search for plans does not move 'batch'"}) {
    INFO(wrong.errors);
    CHECK(wrong.errors.find(words) != std::string::npos);
  }
  folder.write("constant.yaml", rack + "workload: { kind: constant }\n");
  folder.write("none.yaml", "title: Plans\nbase: constant.yaml\nsearch: { plans: energy }\n");
  const Outcome none = folder.run({"search", "none.yaml"});
  CHECK(none.exit_code == 1);
  CHECK(none.errors.find("the base has no job of `kind: transformer`") != std::string::npos);
}

TEST_CASE("a report and a diagram of a run show where the time of a step goes", "[cli][explain_job]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("rack.yaml", rack + job + "duration: 2 min\n");
  REQUIRE(folder.run({"run", "rack.yaml", "-o", "out"}).exit_code == 0);
  REQUIRE(folder.run({"diagram", "step", "out", "-o", "step.svg"}).exit_code == 0);
  const std::string picture = file_text(folder / "step.svg");
  for (const char* words : {"matrix products", "optimizer", "job of the hall", "<rect"})
    CHECK(picture.find(words) != std::string::npos);
  CHECK(picture.find("FP8 scaling factors") == std::string::npos);  // BF16
  REQUIRE(folder.run({"report", "out", "-o", "page.html"}).exit_code == 0);
  const std::string page = file_text(folder / "page.html");
  for (const char* words : {"Where the time of a step goes", "model FLOP utilisation", "gradients and weights"})
    CHECK(page.find(words) != std::string::npos);
}
