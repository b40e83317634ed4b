// What `explain job` prints and draws of a job in which no two numbers are equal: another stage, the least for the mean, or a part of a step
// too late would show. Heights and times are read back by the scales that the picture itself has.
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "twin/commands/studies/job_text.hpp"
#include "twin/drawings/charts/step_chart.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

constexpr double gib_b = 1024.0 * 1024.0 * 1024.0;

ExplainedJob made_up_job() {
  using workload::StepPhase;
  ExplainedJob job;
  job.name = "pretraining";
  job.job.model = {.name = "made_up", .sequence = 2048};
  job.job.plan = {.tensor = 2, .pipeline = 4, .data = 3, .micro_batch = 2, .global_batch = 48};
  job.job.gpus = 24;
  job.step = {.matrix_s = 0.51,
              .attention_s = 0.12,
              .memory_s = 0.13,
              .recompute_s = 0.14,
              .tensor_s = 0.15,
              .context_s = 0.16,
              .expert_s = 0.17,
              .pipeline_s = 0.07,
              .data_s = 0.08,
              .imbalance_s = 0.09,
              .bubble_s = 0.11,
              .scaling_s = 0.06,
              .jitter_s = 0.05,
              .optimizer_s = 0.04,
              .step_s = 2.0,
              .tokens_per_s = 49152.0,
              .model_flop_per_s = 405e12,
              .mfu_fraction = 0.41,
              .hfu_fraction = 0.53};
  job.memory = {1.0 * gib_b, 2.0 * gib_b, 4.0 * gib_b, 8.0 * gib_b, 16.0 * gib_b};
  job.nodes = 3;
  job.gpu_w = 412.0;
  job.node_w = 5210.0;
  job.least_gpu_w = 205.0;
  job.most_gpu_w = 640.0;
  job.gpu_course_w = {300.0, 640.0, 500.0, 205.0};
  job.timelines = {{{StepPhase::waiting, 0.0, 0.25},
                    {StepPhase::computing, 0.25, 1.25},
                    {StepPhase::data, 1.25, 1.55},
                    {StepPhase::optimizer, 1.55, 2.0}},
                   {{StepPhase::computing, 0.0, 1.4}, {StepPhase::data, 1.4, 1.6}, {StepPhase::optimizer, 1.6, 2.0}}};
  job.energy_per_token_j = 0.318;
  workload::FoundPlan found{.plan = job.job.plan, .time = job.step};
  found.plan.micro_batch = 4;
  found.time.step_s = 1.5;
  found.time.tokens_per_s = 65536.0;
  found.time.mfu_fraction = 0.47;
  job.plans = {{found, 0.274}};
  return job;
}

std::vector<std::vector<std::string>> all_of(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::vector<std::string>> all;
  for (std::sregex_iterator found(text.begin(), text.end(), expression), end; found != end; ++found)
    all.emplace_back(found->begin(), found->end());
  return all;
}

/// A scale of the picture: from places to what is written at two of them.
struct Scale {
  double first = 0.0, last = 1.0, from = 0.0, to = 1.0;
  double at(double place) const { return from + (to - from) * (place - first) / (last - first); }
};

/// Of seconds: ticks at 0 and at 2 s.
Scale time_scale(const std::string& svg) {
  Scale scale{.to = 2.0};
  for (const auto& tick : all_of(svg, "<text x='([-0-9.]+)'[^>]*text-anchor='middle'[^>]*>(0|2 s)</text>"))
    (tick[2] == "0" ? scale.first : scale.last) = std::stod(tick[1]);
  return scale;
}

/// Of watts: lines at 0 and 600 W, with their numbers.
Scale power_scale(const std::string& svg) {
  Scale scale{.to = 600.0};
  for (const auto& line : all_of(svg, "<path d='M[-0-9.]+ ([-0-9.]+)H[-0-9.]+' stroke='#ccc'/>\n<text[^>]*>(0|600)<"))
    (line[2] == "0" ? scale.first : scale.last) = std::stod(line[1]);
  return scale;
}

}  // namespace

TEST_CASE("bars of a step begin and end when the phases of their stage do", "[explained_job]") {
  const ExplainedJob job = made_up_job();
  const std::string svg = step_chart(job);
  const Scale time_s = time_scale(svg);
  const std::map<std::string, workload::StepPhase> phases{{"waits", workload::StepPhase::waiting},
                                                          {"computes", workload::StepPhase::computing},
                                                          {"gradients and weights", workload::StepPhase::data},
                                                          {"optimizer", workload::StepPhase::optimizer}};
  const std::vector<std::vector<std::string>> lengths{{"0.25 s", "1 s", "0.3 s", "0.45 s"},
                                                      {"1.4 s", "0.2 s", "0.4 s"}};
  std::map<std::string, std::string> colours;  // of the legend
  for (const auto& entry : all_of(svg, "height='12' fill='(#[0-9a-f]+)'[^>]*/>\n<text[^>]*>([^<]*)<"))
    colours[entry[2]] = entry[1];
  std::vector<std::size_t> next(job.timelines.size(), 0);
  std::map<std::size_t, std::string> heights;
  for (const auto& bar : all_of(svg,
                                "<rect x='([-0-9.]+)' y='([-0-9.]+)' width='([-0-9.]+)'[^>]*fill='([^']*)'><title>"
                                "stage ([0-9]+) ([a-z ]+): ([^<]*)</title>")) {
    const std::size_t stage = std::stoul(bar[5]) - 1;
    const workload::StepSegment& segment = job.timelines.at(stage).at(next.at(stage));
    const double begin = std::stod(bar[1]);
    INFO(bar[0]);
    CHECK(time_s.at(begin) == Approx(segment.start_s).margin(1e-3));
    CHECK(time_s.at(begin + std::stod(bar[3])) == Approx(segment.end_s).margin(1e-3));
    CHECK(phases.at(bar[6]) == segment.phase);
    CHECK(bar[4] == colours.at(bar[6]));
    CHECK(bar[7] == lengths.at(stage).at(next.at(stage)++));
    heights[stage] = bar[2];
  }
  CHECK(next == std::vector<std::size_t>{4, 3});
  CHECK(std::stod(heights.at(0)) < std::stod(heights.at(1)));
}

TEST_CASE("the power of a step stands at its time and height, and mean, least and most are those of the job",
          "[explained_job]") {
  const ExplainedJob job = made_up_job();
  const std::string svg = step_chart(job);
  const Scale time_s = time_scale(svg), power_w = power_scale(svg);
  const auto course = all_of(svg, "<path d='([^']*)' fill='none' stroke='#0072b2'");
  REQUIRE(course.size() == 1);
  const auto steps = all_of(course[0][1], "[ML]([-0-9.]+) ([-0-9.]+)H([-0-9.]+)");
  REQUIRE(steps.size() == job.gpu_course_w.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    CHECK(time_s.at(std::stod(steps[k][1])) == Approx(0.5 * double(k)).margin(1e-3));
    CHECK(time_s.at(std::stod(steps[k][3])) == Approx(0.5 * double(k + 1)).margin(1e-3));
    CHECK(power_w.at(std::stod(steps[k][2])) == Approx(job.gpu_course_w[k]).margin(1.0));
  }
  CHECK_THAT(svg, Contains(">mean of all stages 412 W, 205 to 640 W<") &&
                      Contains(">One step of made_up on 24 GPUs: 2 s<") &&
                      Contains("tensor 2 x context 1 x data 3 x pipeline 4, virtual 1; 48 sequences, 8 micro-batches a "
                               "pipeline; MFU 41.0 %"));
}

TEST_CASE("explain job prints each number of a job under its own name", "[explained_job]") {
  const std::string text = job_text(made_up_job());
  for (const char* line : {"plan          tensor 2 x data 3 x pipeline 4, micro-batch 2, 8 micro-batches",
                           "step          2 s, 48 sequences, 0.0983 million tokens",
                           "throughput    2048 tokens/s a GPU, 0.0492 million tokens/s in all",
                           "utilisation   MFU 41.0 %, HFU 53.0 %; 405 TFLOP/s a GPU",
                           "power         412 W a GPU, 5.21 kW a node, 15.63 kW for 3 nodes",
                           "swing         205 to 640 W a GPU, mean of all stages, 0.5 times a second",
                           "energy        0.318 J a token at the AC inlets of nodes"})
    CHECK_THAT(text, Contains(line));
  const auto has_row = [&](const std::string& pattern) { return std::regex_search(text, std::regex(pattern)); };
  for (const auto& [name, milliseconds, share] : {std::tuple("matrix products", "510", "25.5"),
                                                  {"attention", "120", "6.0"},
                                                  {"norms, activations", "130", "6.5"},
                                                  {"computed anew", "140", "7.0"},
                                                  {"tensor communication", "150", "7.5"},
                                                  {"context communication", "160", "8.0"},
                                                  {"expert communication", "170", "8.5"},
                                                  {"pipeline messages", "70", "3.5"},
                                                  {"gradients and weights", "80", "4.0"},
                                                  {"FP8 scaling factors", "60", "3.0"},
                                                  {"wait for largest stage", "90", "4.5"},
                                                  {"pipeline bubble", "110", "5.5"},
                                                  {"wait for slowest GPU", "50", "2.5"},
                                                  {"optimizer", "40", "2.0"}}) {
    INFO(name);
    CHECK(has_row(std::string("\n *") + name + " +" + milliseconds + " ms +" + share + " %"));
  }
  CHECK(has_row("matrix products +510 ms +25.5 % +######( |\n)"));  // a quarter of 24 signs
  for (const auto& [name, gib] : {std::pair("weights", "1.0"),
                                  {"gradients", "2.0"},
                                  {"optimizer", "4.0"},
                                  {"activations", "8.0"},
                                  {"reserved", "16.0"},
                                  {"all", "31.0 of 80.0"}}) {
    INFO(name);
    CHECK(has_row(std::string("\n *") + name + " +" + gib + " *\n"));
  }
  CHECK(has_row("tensor 2 x data 3 x pipeline 4, micro-batch 4\\s+1.5 s +2731 +47.0 % +0.274"));
}

TEST_CASE("explain job --json has the numbers of the job, each at its key", "[explained_job]") {
  const nlohmann::json job = nlohmann::json::parse(jobs_json({made_up_job()})).at(0);
  CHECK(job.at("gpus") == 24);
  CHECK(job.at("nodes") == 3);
  CHECK(job.at("step_s") == 2.0);
  CHECK(job.at("time_s").at("attention") == 0.12);
  CHECK(job.at("time_s").at("imbalance") == 0.09);
  CHECK(job.at("time_s").at("bubble") == 0.11);
  CHECK(job.at("memory_b").at("activations") == 8.0 * gib_b);
  CHECK(job.at("tokens_per_s") == 49152.0);
  CHECK(job.at("mfu") == 0.41);
  CHECK(job.at("hfu") == 0.53);
  CHECK(job.at("gpu_power_w") == nlohmann::json{{"mean", 412.0}, {"least", 205.0}, {"most", 640.0}});
  CHECK(job.at("node_power_w") == 5210.0);
  CHECK(job.at("energy_per_token_j") == 0.318);
  CHECK(job.at("plans").at(0).at("step_s") == 1.5);
  CHECK(job.at("plans").at(0).at("micro_batch") == 4);
  CHECK(job.at("plans").at(0).at("energy_per_token_j") == 0.274);
}
