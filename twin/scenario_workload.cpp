// `workload:` of a scenario: a synthetic job or the replay of measured power.
#include <fmt/format.h>

#include "twin/named_file.hpp"
#include "twin/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo kind_info{"kind", {}, Range::any, "What work the hall does.", "training|replay"};

/// The trace as it is reached from the working folder: its own mistakes are told under that name.
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
  for (const FieldRef& field : field_refs(workload)) fields.push_back(field);
  return {.key = "workload", .doc = "Measured power, replayed.", .fields = std::move(fields)};
}

namespace {

void read_workload(const Node& map, WorkloadSpec& workload, Problems& problems) {
  std::string kind;
  workload.mention = {map.place, map.excerpt};
  MapReader reader(map, "workload", problems);
  if (!reader.is_map()) return;
  const Node* kind_node = reader.require("kind", "training, replay");
  if (kind_node == nullptr) return;
  const FieldRef field{&kind, kind_info};
  if (!read_field(*kind_node, field, problems)) return;
  workload.kind = kind == "replay" ? WorkloadSpec::Kind::replay : WorkloadSpec::Kind::training;
  const bool is_replay = workload.kind == WorkloadSpec::Kind::replay;
  Section section = is_replay ? replay_section(workload) : training_section(workload);
  section.special.push_back({.key = "kind", .read = [](auto&&...) {}});
  read_section(map, "workload", section, problems);
  if (is_replay) locate_trace(map, workload, problems);
}

}  // namespace

SpecialKey workload_key(WorkloadSpec& workload) {
  std::string kind;
  const std::array field{FieldRef{&kind, kind_info}};
  return {
      .key = "workload",
      .doc = "What work the hall does; each kind has keys of its own: see training and replay.",
      .is_required = true,
      .rows = field_table(field),
      .read = [&workload](const Node& map, Problems& problems) { read_workload(map, workload, problems); }};
}

}  // namespace wattloop::twin
