// The plan of a transformer job has each value of the scenario under its own name: all are different here.
#include "tests/support/catch.hpp"
#include "workload/transformer_job/planned_job.hpp"

using namespace wattloop::workload;

namespace {

const NodeSet hall{.nodes = 64, .gpus_per_node = 8, .split = {}};

TransformerParams all_different() {
  TransformerParams params;
  params.model = *find_published_model("gpt3_175b");
  params.batch = 480;
  params.host_wait_s = 0.0125;
  params.adapter_rank = 9;
  params.parallel = {.tensor = 2,
                     .pipeline = 3,
                     .virtual_stages = 4,
                     .context = 5,
                     .expert = 6,
                     .data = 7,
                     .micro_batch = 8,
                     .has_sequence_parallelism = false,
                     .has_sharded_optimizer = true,
                     .counts_embeddings_as_layers = true};
  params.overlap = {.tensor_fraction = 0.1, .context_fraction = 0.2, .pipeline_fraction = 0.3, .data_fraction = 0.4};
  return params;
}

}  // namespace

TEST_CASE("the plan of a job has the degrees and the overlaps of its scenario, each under its own name",
          "[planned_plan]") {
  const PlannedJob job = plan_job(all_different(), hall);
  const ParallelPlan& plan = job.plan;
  CHECK(plan.tensor == 2);
  CHECK(plan.pipeline == 3);
  CHECK(plan.virtual_stages == 4);
  CHECK(plan.context == 5);
  CHECK(plan.expert == 6);
  CHECK(plan.data == 7);
  CHECK(plan.micro_batch == 8);
  CHECK(plan.global_batch == 480);
  CHECK(plan.adapter_rank == 9);
  CHECK(plan.host_s == 0.0125);
  CHECK(plan.tensor_overlap_fraction == 0.1);
  CHECK(plan.context_overlap_fraction == 0.2);
  CHECK(plan.pipeline_overlap_fraction == 0.3);
  CHECK(plan.data_overlap_fraction == 0.4);
  CHECK_FALSE(plan.has_sequence_parallelism);
  CHECK(plan.has_sharded_optimizer);
  CHECK(plan.counts_embeddings_as_layers);
  CHECK(job.gpus == 512);
}

TEST_CASE("precision gives the bytes of a weight and what tensor-parallel GPUs overlap, where nothing else is said",
          "[planned_plan]") {
  TransformerParams params = all_different();
  params.overlap.tensor_fraction = by_precision;
  params.precision = "fp8";
  const ParallelPlan fp8 = plan_job(params, hall).plan;
  CHECK(fp8.weight_bytes_b == 1.0);
  CHECK(fp8.tensor_overlap_fraction == 0.75);
  CHECK_FALSE(fp8.has_loss_scaling);
  params.precision = "fp16";
  const ParallelPlan fp16 = plan_job(params, hall).plan;
  CHECK(fp16.weight_bytes_b == 2.0);
  CHECK(fp16.tensor_overlap_fraction == 0.25);
  CHECK(fp16.has_loss_scaling);
  params.job.spare_nodes = 3;
  CHECK(plan_job(params, hall).gpus == 61 * 8);
}
