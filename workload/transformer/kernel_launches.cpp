#include "workload/transformer/kernel_launches.hpp"

namespace wattloop::workload {

namespace {

struct Pass {
  double forward;
  double backward;
};

Pass products(const TransformerModel& m, const ParallelPlan& plan) {
  const double count = 2.0 + 2.0 * m.experts / plan.expert, cast = plan.precision == Precision::fp8 ? 1.0 : 0.0;
  const double gradients = plan.has_adapters() ? 1.0 + cast : 2.0;
  return {count * (1.0 + cast), count * (gradients + cast)};
}

Pass attention(const TransformerModel& m, const ParallelPlan& plan) {
  if (plan.has_fused_attention) {
    const double rings = plan.context + 2.0 * (plan.context - 1.0);
    return {rings, rings};
  }
  const double scores = m.has_dropout ? 2.0 : 1.0;
  return {2.0 + scores, 4.0 + scores};
}

double exchanges(const ParallelPlan& plan) {
  const double tensor = plan.tensor < 2 ? 0.0 : plan.has_sequence_parallelism ? 4.0 : 2.0;
  return tensor + (plan.expert > 1 ? 2.0 : 0.0);
}

Pass adapters(const ParallelPlan& plan) {
  if (!plan.has_adapters()) return {0.0, 0.0};
  const double exchange = plan.tensor > 1 ? 1.0 : 0.0, others = 3.0;
  return {2.0 * (2.0 + others + exchange), 2.0 * (4.0 + others + exchange)};
}

}  // namespace

KernelLaunches kernel_launches(const TransformerModel& m, const ParallelPlan& plan) {
  constexpr double memory = 7.0;
  const Pass product = products(m, plan), core = attention(m, plan), adapter = adapters(plan);
  KernelLaunches launches{product.forward + memory + core.forward + exchanges(plan) + adapter.forward,
                          product.backward + memory + core.backward + exchanges(plan) + adapter.backward};
  if (plan.recompute == Recompute::full) launches.recompute = launches.forward;
  if (plan.recompute == Recompute::selective) launches.recompute = core.forward;
  return launches;
}

}  // namespace wattloop::workload
