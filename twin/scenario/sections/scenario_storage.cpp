// `jobs.storage`: the bandwidths that jobs share, and the racks of appliances that have these bandwidths.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr double rounding = 1e-9;

const Node* written(const Node* map, std::string_view key) {
  const Node* value = map == nullptr ? nullptr : find(*map, key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Section on_section(StorageRacksSpec& racks) {
  return {.key = "on",
          .doc = "Rear doors and room of the storage racks, by name; if there is only one, the key can be left out.",
          .special = {name_key("door", "rear_doors, or rear doors by name; none for racks without doors.", racks.door,
                               racks.door_mention),
                      name_key("room", "Room of the hall in which the racks are.", racks.room, racks.room_mention)},
          .is_optional = true};
}

/// What is wrong with a device, at the value that the scenario changed, or in the file of the device.
void check_appliance(const Node& hardware, const workload::ApplianceParams& appliance, Problems& problems) {
  const Node *kind = find(hardware, "kind"), *idle = find(hardware, "idle_power");
  const Node* active = find(hardware, "active_power");
  const bool is_idle_changed = kind != nullptr && idle != nullptr && idle->place.file != kind->place.file;
  const Node* place = is_idle_changed ? idle : active;
  for (const std::string& message : check(appliance))
    problems.add(problem_at(place != nullptr ? *place : hardware, message,
                            fmt::format("{} idle and {} active", format_quantity(appliance.idle_w, "W"),
                                        format_quantity(appliance.active_w, "W"))));
}

/// Appliances and racks that are not given are as few as possible; those that are given must be enough.
void finish_counts(const Node& map, const workload::StorageTraffic& most, StorageRacksSpec& racks, Problems& problems) {
  constexpr double most_that_fit = 1e9;  // of a count; too many are reported with other sizes
  const workload::ApplianceParams& appliance = racks.appliance;
  const double needed = workload::appliances_for(appliance, most);
  if (racks.count == StorageRacksSpec::as_needed) {
    racks.count = static_cast<int>(std::min(needed, most_that_fit));
  } else if (racks.count < needed) {
    const auto refuse = [&](const char* does, double asked_b_per_s, double each_b_per_s) {
      if (asked_b_per_s <= racks.count * each_b_per_s * (1.0 + rounding)) return;
      problems.add(problem_at(
          *find(map, "count"),
          fmt::format("storage {}s {}, and {} of its appliances {} {}", does, format_quantity(asked_b_per_s, "B/s"),
                      racks.count, does, format_quantity(racks.count * each_b_per_s, "B/s")),
          fmt::format("write count: {:.0f} or more, or a lower bandwidth", needed)));
    };
    refuse("read", most.read_b_per_s, appliance.read_b_per_s);
    refuse("write", most.write_b_per_s, appliance.write_b_per_s);
  }
  const int least_racks = 1 + (racks.count - 1) / appliance.per_rack;
  if (racks.racks == StorageRacksSpec::as_needed) {
    racks.racks = least_racks;
  } else if (racks.racks < least_racks) {
    problems.add(
        problem_at(*find(map, "racks"),
                   fmt::format("{} appliances do not fit in {}", racks.count, count_text(racks.racks, "storage rack")),
                   fmt::format("write racks: {} or more: a rack holds {}", least_racks, appliance.per_rack)));
  } else if (racks.racks > racks.count) {
    problems.add(problem_at(*find(map, "racks"),
                            fmt::format("{} storage racks for {}", racks.racks, count_text(racks.count, "appliance")),
                            fmt::format("write racks: {} or fewer", racks.count)));
  }
}

void finish(const Node& map, const workload::StorageParams& storage, StorageRacksSpec& racks, Problems& problems) {
  const workload::ApplianceParams& appliance = racks.appliance;
  check_appliance(*find(map, "hardware"), appliance, problems);
  const std::array values{storage.read_b_per_s, storage.write_b_per_s, appliance.read_b_per_s, appliance.write_b_per_s};
  const bool are_read = std::ranges::all_of(values, [](double value) { return value > 0.0; });
  if (are_read && appliance.per_rack > 0 && racks.count >= 0)
    finish_counts(map, {storage.read_b_per_s, storage.write_b_per_s}, racks, problems);
}

void refuse_keys_of_racks(const Node& map, Problems& problems) {
  for (const char* key : {"count", "racks", "on", "with"}) {
    if (written(&map, key) == nullptr) continue;
    problems.add(problem_at(*find(map, key),
                            fmt::format("storage.{} has no effect without `hardware`: the storage has no racks", key),
                            "write hardware: storage_appliance"));
  }
}

}  // namespace

Section appliance_device(workload::ApplianceParams& appliance) {
  return {.key = std::string(workload::ApplianceParams::kind),
          .doc = "A storage appliance: drives and controllers that serve a parallel file system.",
          .fields = field_refs(appliance)};
}

Section shared_storage_section(const Node* map, Scenario& scenario) {
  workload::StorageParams& storage = scenario.jobs->storage;
  Section section = storage_section(storage);
  section.doc =
      "Storage of all jobs that have a `checkpoint` and no `storage` of their own. Jobs that read or write at the same "
      "time share its bandwidth.";
  StorageRacksSpec& racks = scenario.storage_racks.emplace();
  for (const FieldRef& field : field_refs(racks)) section.fields.push_back(field);
  section.sections.push_back(on_section(racks));
  const Node* hardware = written(map, "hardware");
  if (hardware == nullptr) {
    section.check = refuse_keys_of_racks;
    section.special.push_back({.key = "hardware", .read = [](auto&&...) {}});
    section.special.push_back({.key = "with", .read = [](auto&&...) {}});
    return section;
  }
  section.device = {appliance_device(racks.appliance)};
  section.device_name = &racks.appliance_name;
  section.check = [&storage, &racks, hardware](const Node& own, Problems& problems) {
    if (hardware->is_map()) finish(own, storage, racks, problems);  // a name that is not known is reported
  };
  return section;
}

void finish_shared_storage(const Node& jobs, Scenario& scenario, Problems& problems) {
  const Node* map = written(&jobs, "storage");
  const bool has_racks = written(map, "hardware") != nullptr;
  if (!has_racks) scenario.storage_racks.reset();
  if (map == nullptr) return;
  bool is_used = has_racks;  // racks draw their idle power without jobs
  for (JobSpec& job : scenario.jobs->queue) {
    auto* training = job.program.training();
    if (training == nullptr || !training->checkpoint.is_given || training->storage.is_given) continue;
    training->storage = scenario.jobs->storage;
    is_used = true;
  }
  if (is_used) return;
  problems.add(problem_at(*map, "storage has no use: no job of the queue saves to it",
                          "program: { kind: training, checkpoint: { parameters: 405e9 } }, without `storage`"));
}

std::vector<FieldRow> shared_storage_rows() {
  workload::StorageParams storage;
  std::vector<FieldRow> rows = field_table(field_refs(storage));
  rows.push_back({"hardware", "text", "none", "",
                  "Name of a `storage_appliance` of the library; `with: { ... }` beside it changes single values. "
                  "Without it the storage has no racks and draws no watts."});
  StorageRacksSpec racks;
  for (FieldRow& row : field_table(field_refs(racks))) {
    row.default_value = "as few as needed";
    rows.push_back(std::move(row));
  }
  const Section on = on_section(racks);
  for (const SpecialKey& key : on.special) rows.push_back({"on." + key.key, "text", "the only one", "", key.doc});
  for (FieldRow& row : rows) row.name = "storage." + row.name;
  return rows;
}

}  // namespace wattloop::twin
