#include "twin/commands/studies/job_text.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "core/units/units.hpp"
#include "twin/commands/program/text_table.hpp"
#include "workload/transformer/step_parts.hpp"

namespace wattloop::twin {

namespace {

using workload::ParallelPlan;
using workload::StepPart;
using workload::StepTime;

constexpr double gib_b = 1024.0 * 1024.0 * 1024.0;

std::vector<std::pair<const char*, double>> memory_of(const workload::TrainingMemory& memory) {
  return {{"weights", memory.weights_b},
          {"gradients", memory.gradients_b},
          {"optimizer", memory.optimizer_b},
          {"activations", memory.activations_b},
          {"reserved", memory.reserved_b}};
}

std::string plan_text(const ParallelPlan& plan) {
  std::string text = fmt::format("tensor {} x ", plan.tensor);
  if (plan.context > 1) text += fmt::format("context {} x ", plan.context);
  text += fmt::format("data {} x pipeline {}", plan.data, plan.pipeline);
  if (plan.virtual_stages > 1) text += fmt::format(", virtual {}", plan.virtual_stages);
  return text + fmt::format(", micro-batch {}", plan.micro_batch);
}

const char* precision_text(const ParallelPlan& plan) {
  if (plan.precision == workload::Precision::fp8) return "FP8";
  return plan.has_loss_scaling ? "FP16" : "BF16";
}

std::string head_text(const ExplainedJob& job) {
  const ParallelPlan& plan = job.job.plan;
  const StepTime& step = job.step;
  const double tokens = static_cast<double>(plan.global_batch) * job.job.model.sequence;
  const std::string model = job.job.model.name.empty() ? "transformer" : job.job.model.name;
  std::string text =
      fmt::format("{}: {}, {:.1f} billion parameters, {}, on {} GPUs ({})\n",
                  job.name.empty() ? "job of the hall" : printable(job.name), model,
                  parameter_count(job.job.model).sum() / 1e9, precision_text(plan), job.job.gpus, job.job.gpu.name);
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<14}{}\n", name, value);
  };
  line("plan", fmt::format("{}, {} micro-batches", plan_text(plan), plan.micro_batches()));
  line("step", fmt::format("{}, {} sequences, {:.3g} million tokens", format_quantity(step.step_s, "s"),
                           plan.global_batch, tokens / 1e6));
  line("throughput", fmt::format("{:.0f} tokens/s a GPU, {:.3g} million tokens/s in all",
                                 step.tokens_per_s / job.job.gpus, step.tokens_per_s / 1e6));
  line("utilisation", fmt::format("MFU {:.1f} %, HFU {:.1f} %; {:.0f} TFLOP/s a GPU", step.mfu_fraction * 100.0,
                                  step.hfu_fraction * 100.0, step.model_flop_per_s / 1e12));
  line("power",
       fmt::format("{} a GPU, {} a node, {} for {}{}", format_quantity(job.gpu_w, "W"),
                   format_quantity(job.node_w, "W"), format_quantity(job.node_w * double(job.nodes), "W"),
                   count_text(job.nodes, "node"), job.has_fan_control ? ", fans at full speed: a run draws less" : ""));
  line("swing", fmt::format("{:.0f} to {:.0f} W a GPU, mean of all stages, {:.3g} times a second", job.least_gpu_w,
                            job.most_gpu_w, 1.0 / step.step_s));
  line("energy", fmt::format("{:.3g} J a token at the AC inlets of nodes", job.energy_per_token_j));
  return text;
}

}  // namespace

std::string job_text(const ExplainedJob& job) {
  std::string text = head_text(job);
  TextTable step({"where a step goes", "time", "share", ""});
  for (const StepPart& part : workload::step_parts) {
    const double time_s = job.step.*part.time_s;
    if (time_s <= 0.0) continue;
    const double share = time_s / job.step.step_s;
    constexpr double full_bar = 24.0;
    std::string bar(static_cast<std::size_t>(std::lround(share * full_bar)), '#');
    bar.resize(static_cast<std::size_t>(full_bar), ' ');
    step.add(
        {std::string(part.words), fmt::format("{:.4g} ms", time_s * 1e3), fmt::format("{:.1f} %", share * 100.0), bar});
  }
  text += "\n" + step.text();
  TextTable memory({"memory of a GPU", "GiB"});
  for (const auto& [name, bytes_b] : memory_of(job.memory)) memory.add({name, fmt::format("{:.1f}", bytes_b / gib_b)});
  memory.add({"all", fmt::format("{:.1f} of {:.1f}", job.memory.sum_b() / gib_b, job.job.gpu.memory_b / gib_b)});
  text += "\n" + memory.text();
  return job.plans.empty() ? text : text + "\n" + plans_text(job);
}

std::string plans_text(const ExplainedJob& job) {
  TextTable plans({"best plans that fit", "step", "tokens/s a GPU", "MFU", "J a token"});
  for (const auto& [found, energy_j] : job.plans)
    plans.add({plan_text(found.plan), format_quantity(found.time.step_s, "s"),
               fmt::format("{:.0f}", found.time.tokens_per_s / job.job.gpus),
               fmt::format("{:.1f} %", found.time.mfu_fraction * 100.0), fmt::format("{:.3g}", energy_j)});
  return plans.text();
}

namespace {

nlohmann::ordered_json json_of(const ParallelPlan& plan) {
  return {{"tensor", plan.tensor},           {"context", plan.context},        {"data", plan.data},
          {"pipeline", plan.pipeline},       {"virtual", plan.virtual_stages}, {"expert", plan.expert},
          {"micro_batch", plan.micro_batch}, {"batch", plan.global_batch}};
}

nlohmann::ordered_json json_of(const ExplainedJob& job) {
  nlohmann::ordered_json json{
      {"name", job.name},         {"model", job.job.model.name}, {"parameters", parameter_count(job.job.model).sum()},
      {"gpus", job.job.gpus},     {"nodes", job.nodes},          {"plan", json_of(job.job.plan)},
      {"step_s", job.step.step_s}};
  for (const StepPart& part : workload::step_parts) json["time_s"][std::string(part.key)] = job.step.*part.time_s;
  for (const auto& [name, bytes_b] : memory_of(job.memory)) json["memory_b"][name] = bytes_b;
  json["tokens_per_s"] = job.step.tokens_per_s;
  json["mfu"] = job.step.mfu_fraction;
  json["hfu"] = job.step.hfu_fraction;
  json["gpu_power_w"] = {{"mean", job.gpu_w}, {"least", job.least_gpu_w}, {"most", job.most_gpu_w}};
  json["node_power_w"] = job.node_w;
  json["energy_per_token_j"] = job.energy_per_token_j;
  for (const auto& [found, energy_j] : job.plans) {
    nlohmann::ordered_json plan = json_of(found.plan);
    plan["energy_per_token_j"] = energy_j;
    plan["step_s"] = found.time.step_s;
    plan["tokens_per_s"] = found.time.tokens_per_s;
    json["plans"].push_back(std::move(plan));
  }
  return json;
}

}  // namespace

std::string jobs_json(const std::vector<ExplainedJob>& jobs) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ExplainedJob& job : jobs) json.push_back(json_of(job));
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace wattloop::twin
