// `workload:` of a scenario: a synthetic job, the replay of measured power or a constant load.
#include <filesystem>

#include <fmt/format.h>

#include "twin/document/named_file.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "workload/training.hpp"

namespace wattloop::twin {

namespace {

constexpr double smallest_dc_over_ac = 0.5;

constexpr FieldInfo kind_info{"kind", {}, Range::any, "What work the hall does.", "training|replay|constant"};

/// The trace as it is reached from the working folder: its own mistakes are reported under that name.
void locate_trace(const Node& map, WorkloadSpec& workload, Problems& problems) {
  const auto file = find_named_file(map, "trace", "trace", problems);
  if (!file) return;
  workload.trace_place = find(map, "trace")->place;
  workload.replay.trace = file->string();
}

}  // namespace

Section training_section(WorkloadSpec& workload) {
  return {.key = "workload",
          .doc = "A synthetic synchronous training job: compute, communication, evaluation, checkpoint.",
          .fields = field_refs(workload.training)};
}

Section replay_section(WorkloadSpec& workload) {
  std::vector<FieldRef> fields = field_refs(workload.replay);
  for (const FieldRef& field : field_refs(workload.replay.times)) fields.push_back(field);
  for (const FieldRef& field : field_refs(workload)) fields.push_back(field);
  return {.key = "workload",
          .doc = "Measured power, replayed.",
          .fields = std::move(fields),
          .sections = {{.key = "spread",
                        .doc = "How nodes that replay the same column are kept out of lock-step.",
                        .fields = field_refs(workload.replay.spread)}}};
}

Section constant_section(WorkloadSpec& workload) {
  return {.key = "workload",
          .doc = "The same power for every node, all the time.",
          .fields = field_refs(workload.constant)};
}

namespace {

WorkloadSpec::Kind kind_named(std::string_view name) {
  if (name == "replay") return WorkloadSpec::Kind::replay;
  if (name == "constant") return WorkloadSpec::Kind::constant;
  return WorkloadSpec::Kind::training;
}

Section section_of(WorkloadSpec& workload) {
  switch (workload.kind) {
    case WorkloadSpec::Kind::replay:
      return replay_section(workload);
    case WorkloadSpec::Kind::constant:
      return constant_section(workload);
    case WorkloadSpec::Kind::training:
      break;
  }
  return training_section(workload);
}

/// The ratio of two meters stands for supplies that no one has built yet, or for a slip, below a half.
void check_ratio(const Node& map, const workload::ReplayParams& replay, Problems& problems) {
  const Node* ratio = find(map, "dc_over_ac");
  if (ratio == nullptr || !(replay.dc_over_ac_ratio > 0.0)) return;
  if (replay.dc_over_ac_ratio < smallest_dc_over_ac) {
    problems.add(problem_at(*ratio, fmt::format("dc_over_ac: {} is out of range, expected 0.5 to 1", ratio->text),
                            "DC energy over AC energy of the same nodes"));
  }
  if (replay.meaning != "node_dc") {
    problems.add(problem_at(*ratio, fmt::format("dc_over_ac has no meaning for watts of `meaning: {}`", replay.meaning),
                            "only watts behind power supplies, `meaning: node_dc`, are taken to the AC inlet by it"));
  }
}

/// Powers that are not written follow the GPU of each group of racks, which is not known here.
void forget_defaults_of_h100(const Node& map, workload::TrainingParams& job) {
  const auto is_default = [&](const char* key) { return find(map, key) == nullptr || find(map, key)->is_null(); };
  if (is_default("compute_gpu_power")) job.compute_gpu_w = workload::power_by_gpu;
  if (is_default("communication_gpu_power")) job.communication_gpu_w = workload::power_by_gpu;
  if (is_default("checkpoint_gpu_power")) job.checkpoint_gpu_w = workload::power_by_gpu;
}

void read_workload(const Node& map, WorkloadSpec& workload, Problems& problems) {
  std::string kind;
  workload.mention = {map.place, map.excerpt};
  MapReader reader(map, "workload", problems);
  if (!reader.is_map()) return;
  const Node* kind_node = reader.require("kind", "training, replay, constant");
  if (kind_node == nullptr) return;
  const FieldRef field{&kind, kind_info};
  if (!read_field(*kind_node, field, problems)) return;
  workload.kind = kind_named(kind);
  Section section = section_of(workload);
  section.special.push_back({.key = "kind", .read = [](auto&&...) {}});
  read_section(map, "workload", section, problems);
  if (workload.kind == WorkloadSpec::Kind::replay) {
    locate_trace(map, workload, problems);
    check_ratio(map, workload.replay, problems);
  }
  if (workload.kind == WorkloadSpec::Kind::training) forget_defaults_of_h100(map, workload.training);
  if (const Node* power = find(map, "node_power"); power != nullptr) {
    workload.node_power_mention = {power->place, power->excerpt};
  }
}

}  // namespace

SpecialKey group_workload_key(std::optional<WorkloadSpec>& workload) {
  return {
      .key = "workload",
      .doc = "Work of these racks, as in the section workload; without it they do that of the hall.",
      .read = [&workload](const Node& map, Problems& problems) { read_workload(map, workload.emplace(), problems); }};
}

SpecialKey workload_key(WorkloadSpec& workload) {
  std::string kind;
  const std::array field{FieldRef{&kind, kind_info}};
  return {.key = "workload",
          .doc = "What work the hall does; each kind has keys of its own: see training, replay and constant.",
          .is_required = true,
          .rows = field_table(field),
          .read = [&workload](const Node& map, Problems& problems) { read_workload(map, workload, problems); }};
}

}  // namespace wattloop::twin
