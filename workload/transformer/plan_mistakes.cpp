#include "workload/transformer/plan_mistakes.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "workload/transformer/training_memory.hpp"

namespace wattloop::workload {

namespace {

constexpr double gib_b = 1024.0 * 1024.0 * 1024.0;

bool divides(int divisor, int number) { return divisor > 0 && number % divisor == 0; }

using Counts = std::vector<std::pair<std::string_view, int>>;

void add_counts_below_1(const Counts& counts, std::vector<std::string>& mistakes) {
  for (const auto& [name, count] : counts)
    if (count < 1) mistakes.push_back(fmt::format("{} is {}; at least 1 is needed", name, count));
}

Counts counts_of(const ParallelPlan& p) {
  return {{"tensor", p.tensor}, {"pipeline", p.pipeline}, {"virtual", p.virtual_stages},  {"context", p.context},
          {"data", p.data},     {"expert", p.expert},     {"micro_batch", p.micro_batch}, {"batch", p.global_batch}};
}

Counts counts_of(const TransformerModel& m) {
  return {{"layers", m.layers},         {"width", m.width},
          {"heads", m.heads},           {"feed_forward", m.feed_forward},
          {"vocabulary", m.vocabulary}, {"sequence", m.sequence},
          {"experts", m.experts},       {"experts_per_token", m.experts_per_token}};
}

/// "the nearest are 480 and 512", of multiples; "at least 32", where there is none below.
std::string multiples_near(int number, double divisor) {
  if (divisor > number) return fmt::format("at least {:.0f}", divisor);
  const int step = static_cast<int>(divisor), below = number / step * step;
  return fmt::format("the nearest are {} and {}", below, static_cast<std::int64_t>(below) + step);
}

/// Of counts whose product may be larger than any integer.
double product(std::initializer_list<int> counts) {
  double all = 1.0;
  for (const int count : counts) all *= count;
  return all;
}

bool divides(double divisor, int number) {
  return divisor >= 1.0 && divisor <= number && divides(static_cast<int>(divisor), number);
}

void add_gpus(const ParallelPlan& p, int gpus, std::vector<std::string>& mistakes) {
  const double replica = product({p.tensor, p.pipeline, p.context});
  if (!divides(replica, gpus)) {
    mistakes.push_back(fmt::format("{} GPUs are not a multiple of tensor {} x pipeline {} x context {} = {:.0f}; {}",
                                   gpus, p.tensor, p.pipeline, p.context, replica, multiples_near(gpus, replica)));
  } else if (replica * p.data != gpus) {
    mistakes.push_back(fmt::format("data is {}, which takes {:.0f} GPUs; {} GPUs have data {:.0f}", p.data,
                                   replica * p.data, gpus, gpus / replica));
  }
}

void add_batch(const ParallelPlan& p, std::vector<std::string>& mistakes) {
  const double sequences = product({p.data, p.micro_batch});
  if (!divides(sequences, p.global_batch)) {
    mistakes.push_back(fmt::format("batch {} is not a multiple of data {} x micro_batch {} = {:.0f}; {}",
                                   p.global_batch, p.data, p.micro_batch, sequences,
                                   multiples_near(p.global_batch, sequences)));
  } else if (p.virtual_stages > 1 && !divides(p.pipeline, p.micro_batches())) {
    mistakes.push_back(fmt::format(
        "with virtual stages, the number of micro-batches must be a multiple of pipeline: {} is not a multiple of {}",
        p.micro_batches(), p.pipeline));
  }
}

void add_layers(const TransformerModel& m, const ParallelPlan& p, std::vector<std::string>& mistakes) {
  const double chunks = product({p.pipeline, p.virtual_stages});
  const int layers = static_cast<int>(p.layers_of_schedule(m.layers));
  if (!divides(chunks, layers))
    mistakes.push_back(fmt::format("{} layers{} are not a multiple of pipeline {} x virtual {} = {:.0f}", layers,
                                   p.counts_embeddings_as_layers ? ", input and output among them," : "", p.pipeline,
                                   p.virtual_stages, chunks));
  if (p.virtual_stages > 1 && p.pipeline == 1)
    mistakes.push_back(
        fmt::format("virtual is {}, but pipeline is 1: there is nothing to interleave", p.virtual_stages));
}

void add_widths(const TransformerModel& m, const ParallelPlan& p, std::vector<std::string>& mistakes) {
  const auto check = [&](std::string_view name, int number, std::string_view degree, double divisor) {
    if (!divides(divisor, number))
      mistakes.push_back(fmt::format("{0} {1} is not a multiple of {2} {3:.0f}: for {2} write a divisor of {1}", name,
                                     number, degree, divisor));
  };
  check("heads", m.heads, "tensor", p.tensor);
  check("feed_forward", m.feed_forward, "tensor", p.tensor);
  if (p.has_sequence_parallelism)
    check("sequence", m.sequence, "tensor x context", product({p.tensor, p.context}));
  else
    check("sequence", m.sequence, "context", p.context);
  if (m.key_value_heads > 0) check("heads", m.heads, "key_value_heads", m.key_value_heads);
  if (m.head_width == 0) check("width", m.width, "heads", m.heads);
  check("experts", m.experts, "expert", p.expert);
  check("data", p.data, "expert", p.expert);
  if (m.experts_per_token > m.experts)
    mistakes.push_back(
        fmt::format("experts_per_token of `model` is {}, more than its {} experts", m.experts_per_token, m.experts));
}

/// What to change where a plan needs more memory than a GPU has.
std::string_view memory_remedy(const TransformerModel& m, const ParallelPlan& p, const TrainingGpu& gpu) {
  for (const auto& [recompute, words] : {std::pair{Recompute::selective, "`recompute: selective` fits"},
                                         std::pair{Recompute::full, "`recompute: full` fits"}}) {
    ParallelPlan other = p;
    other.recompute = recompute;
    if (training_memory(m, other, gpu).sum_b() <= gpu.memory_b) return words;
  }
  return "with more tensor or pipeline parallelism, each GPU needs less memory";
}

void add_memory(const TransformerModel& m, const ParallelPlan& p, const TrainingGpu& gpu,
                std::vector<std::string>& mistakes) {
  const TrainingMemory memory = training_memory(m, p, gpu);
  if (memory.sum_b() <= gpu.memory_b) return;
  mistakes.push_back(
      fmt::format("a GPU needs {:.1f} GiB and has {:.1f} GiB, {:.1f} GiB too few: weights {:.1f}, gradients {:.1f}, "
                  "optimizer {:.1f}, activations {:.1f}, reserved {:.1f} GiB; {}",
                  memory.sum_b() / gib_b, gpu.memory_b / gib_b, (memory.sum_b() - gpu.memory_b) / gib_b,
                  memory.weights_b / gib_b, memory.gradients_b / gib_b, memory.optimizer_b / gib_b,
                  memory.activations_b / gib_b, memory.reserved_b / gib_b, memory_remedy(m, p, gpu)));
}

}  // namespace

int data_parallelism(const ParallelPlan& plan, int gpus) {
  const double replica = product({plan.tensor, plan.pipeline, plan.context});
  return divides(replica, gpus) ? gpus / static_cast<int>(replica) : 0;
}

std::vector<std::string> plan_mistakes(const TransformerModel& model, const ParallelPlan& plan, const TrainingGpu& gpu,
                                       int gpus) {
  std::vector<std::string> mistakes;
  add_counts_below_1(counts_of(model), mistakes);
  add_counts_below_1(counts_of(plan), mistakes);
  if (!mistakes.empty()) return mistakes;  // nothing can be divided
  if (plan.precision == Precision::fp8 && gpu.fp8_flop_per_s <= gpu.bf16_flop_per_s)
    mistakes.push_back(fmt::format("precision is fp8, but {} does not have fp8", gpu.name));
  add_gpus(plan, gpus, mistakes);
  add_batch(plan, mistakes);
  add_layers(model, plan, mistakes);
  add_widths(model, plan, mistakes);
  const bool has_all_gpus = product({plan.tensor, plan.context, plan.data, plan.pipeline}) == gpus;
  const bool has_memory = has_all_gpus && plan.global_batch >= product({plan.data, plan.micro_batch});
  if (has_memory) add_memory(model, plan, gpu, mistakes);
  return mistakes;
}

std::vector<std::string> plan_notes(const ParallelPlan& plan, const TrainingGpu& gpu) {
  if (plan.tensor <= gpu.gpus_per_domain) return {};
  return {fmt::format("tensor {} is wider than an NVLink domain of {} GPUs: every layer communicates over the fabric",
                      plan.tensor, gpu.gpus_per_domain)};
}

}  // namespace wattloop::workload
