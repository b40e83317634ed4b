// `checkpoint:` and `storage:` of a training job.
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

bool is_written(const Node& map, std::string_view key) {
  const Node* value = find(map, key);
  return value != nullptr && !value->is_null();
}

/// A time, or a rule that gives one.
void check_interval(const Node& map, workload::CheckpointParams& checkpoint, Problems& problems) {
  static const std::vector<std::string> rules{"young", "daly"};
  const Node* value = find(map, "interval");
  if (value == nullptr || !value->is_scalar() || value->text.empty() || checkpoint.has_rule()) return;
  if (std::isalpha(static_cast<unsigned char>(value->text.front())) != 0) {
    problems.add(problem_at(*value,
                            fmt::format("interval: '{}' is unknown, expected a time, young or daly", value->text),
                            nearest_hint(value->text, rules)));
    return;
  }
  const FieldInfo time{"interval",
                       "s",
                       Range::positive,
                       "Write a time above 0, or `young` or `daly` (formulas for the optimal interval).",
                       {}};
  read_field(*value, FieldRef{&checkpoint.interval_s, time}, problems);
}

void check_stall(const Node& map, Problems& problems) {
  const Node* mode = find(map, "mode");
  const bool is_blocking = !is_written(map, "mode") || mode->text == "blocking";
  for (const char* key : {"stall", "copy_rate"}) {
    if (!is_written(map, key) || !is_blocking) continue;
    problems.add(problem_at(
        *find(map, key), fmt::format("checkpoint.{} has no effect on a blocking save", key),
        "write `mode: asynchronous`, or delete this key: in a blocking save GPUs wait until all data are written"));
  }
  if (is_written(map, "stall") && is_written(map, "copy_rate"))
    problems.add(problem_at(*find(map, "stall"), "checkpoint has both stall and copy_rate",
                            "delete one of the two: the stall is the share of a GPU divided by copy_rate"));
}

}  // namespace

Section checkpoint_section(workload::CheckpointParams& checkpoint) {
  return {
      .key = "checkpoint",
      .doc = "Checkpoint that the job saves to its storage, instead of `checkpoint_time` and `checkpoint_interval`.",
      .fields = field_refs(checkpoint),
      .is_given = &checkpoint.is_given,
      .is_optional = true,
      .check = [&checkpoint](const Node& map, Problems& problems) {
        check_interval(map, checkpoint, problems);
        check_stall(map, problems);
      }};
}

Section storage_section(workload::StorageParams& storage) {
  return {.key = "storage",
          .doc = "Storage of this job alone; jobs of other racks have their own storage.",
          .fields = field_refs(storage),
          .is_given = &storage.is_given,
          .is_optional = true};
}

void check_checkpoints(const Node& map, bool may_share_storage, Problems& problems) {
  const bool has_checkpoint = is_written(map, "checkpoint"), has_storage = is_written(map, "storage");
  if (has_checkpoint && !has_storage && !may_share_storage)
    problems.add(problem_at(*find(map, "checkpoint"), "checkpoint needs a `storage` to write to",
                            "write storage: { read: 1 TB/s, write: 500 GB/s, per_node: 40 GB/s }"));
  if (has_storage && !has_checkpoint)
    problems.add(problem_at(*find(map, "storage"), "storage has no effect without checkpoint",
                            "write checkpoint: { parameters: 405e9 }"));
  for (const char* key : {"checkpoint_time", "checkpoint_interval"}) {
    if (!has_checkpoint || !is_written(map, key)) continue;
    problems.add(problem_at(*find(map, key), fmt::format("{} and checkpoint are both given", key),
                            fmt::format("delete one of the two: {} follows from checkpoint", key)));
  }
}

}  // namespace wattloop::twin
