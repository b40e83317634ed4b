// `kind: transformer` of a workload: model, parallelism, GPU.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

/// Keys of training that steps of a model do not answer.
std::vector<FieldRef> training_fields(workload::TrainingParams& job) {
  std::vector<FieldRef> fields;
  for (const FieldRef& field : field_refs(job)) {
    if (std::ranges::find(workload::followed_keys, field.info.name) == workload::followed_keys.end())
      fields.push_back(field);
  }
  return fields;
}

/// What to do instead of writing one of the others.
std::vector<std::pair<std::string, std::string>> keys_of_training() {
  std::vector<std::pair<std::string, std::string>> keys;
  for (const std::string_view key : workload::followed_keys)
    keys.emplace_back(key, "delete it: it follows from the model; `kind: training` has this key");
  return keys;
}

workload::TransformerModel model_to_read() {
  workload::TransformerModel model;
  for (int workload::TransformerModel::*count :
       {&workload::TransformerModel::layers, &workload::TransformerModel::width, &workload::TransformerModel::heads,
        &workload::TransformerModel::feed_forward, &workload::TransformerModel::vocabulary,
        &workload::TransformerModel::sequence})
    model.*count = required_count;
  return model;
}

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const workload::TransformerModel& model : workload::published_models()) names.push_back(model.name);
  return names;
}

void read_model(const Node& node, workload::TransformerModel& model, Problems& problems) {
  if (node.is_map()) {
    model = model_to_read();
    read_params(node, "workload.model", model, problems);
    return;
  }
  const workload::TransformerModel* found = workload::find_published_model(node.text);
  if (node.is_scalar() && found != nullptr) {
    model = *found;
    return;
  }
  problems.add(problem_at(node, fmt::format("model: {} is unknown, expected a name or a map", describe(node)),
                          node.is_scalar() ? nearest_hint(node.text, names_of_models())
                                           : std::string("write model: { layers: 96, width: 12288, ... }")));
}

SpecialKey model_key(workload::TransformerModel& model) {
  workload::TransformerModel shape = model_to_read();
  std::vector<FieldRow> rows{
      {"model", "name or map", "required", "",
       fmt::format("A published model: {}; or a map of the keys below.", fmt::join(names_of_models(), ", "))}};
  for (FieldRow& row : field_table(field_refs(shape))) rows.push_back(std::move(row));
  return {.key = "model",
          .doc = "The transformer model (LLM) that is trained.",
          .is_required = true,
          .rows = std::move(rows),
          .read = [&model](const Node& node, Problems& problems) { read_model(node, model, problems); }};
}

bool is_written(const Node& map, std::string_view section, std::string_view key) {
  const Node* inner = find(map, section);
  const Node* value = inner != nullptr && inner->is_map() ? find(*inner, key) : nullptr;
  return value != nullptr && !value->is_null();
}

/// Values of the GPU that is named, but for those that are written.
workload::TrainingGpu named_gpu(const Node& map, const workload::TransformerParams& params) {
  const auto named = std::ranges::find(workload::training_gpus, params.gpu_name, &workload::TrainingGpu::name);
  if (named == workload::training_gpus.end()) return params.gpu;  // a mistake, which is reported
  workload::TrainingGpu gpu = *named;
  for (const auto& field : workload::TrainingGpu::fields()) {
    if (!is_written(map, "calibration", field.info.name)) continue;
    std::visit([&](auto member) { gpu.*member = params.gpu.*member; }, field.member);
  }
  return gpu;
}

}  // namespace

Section transformer_section(workload::TransformerParams& params) {
  std::vector<FieldRef> fields = field_refs(params);
  for (const FieldRef& field : training_fields(params.job)) fields.push_back(field);
  return {
      .key = "workload",
      .doc = std::string(workload::TransformerParams::doc),
      .fields = std::move(fields),
      .sections =
          {{.key = "parallel",
            .doc = "How GPUs share the model and the batch: GPUs = tensor x context x data x pipeline.",
            .fields = field_refs(params.parallel),
            .is_optional = true},
           {.key = "overlap",
            .doc = "Shares of communication that computing overlaps.",
            .fields = field_refs(params.overlap),
            .is_optional = true},
           {.key = "gpu_power",
            .doc = "Power of a GPU in each activity, without deviations and leakage; if not given: the power of an "
                   "H100, times the power limit of the GPU over 700 W.",
            .fields = field_refs(params.power),
            .is_optional = true},
           {.key = "calibration",
            .doc = "Values that software reaches on the GPU; if not given: the values of `gpu`, shown for h100_sxm.",
            .fields = field_refs(params.gpu),
            .is_optional = true}},
      .special = {model_key(params.model)},
      .former = keys_of_training()};
}

void finish_transformer(const Node& map, workload::TransformerParams& params) {
  params.gpu = named_gpu(map, params);
  if (!is_written(map, "overlap", "tensor")) params.overlap.tensor_fraction = workload::by_precision;
  for (const auto& field : workload::StepPowerParams::fields()) {
    if (field.info.unit != "W" || is_written(map, "gpu_power", field.info.name)) continue;
    params.power.*std::get<double workload::StepPowerParams::*>(field.member) = workload::power_by_gpu;
  }
  if (params.job.checkpoint.parameters == workload::TransformerParams::parameters_of_model && params.model.layers > 0)
    params.job.checkpoint.parameters = workload::parameter_count(params.model).sum();
}

}  // namespace wattloop::twin
