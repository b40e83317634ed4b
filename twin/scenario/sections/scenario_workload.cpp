// `workload:` of a scenario: a synthetic job, the replay of measured power or a constant load.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/document/named_file.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "workload/workload_kinds.hpp"

namespace wattloop::twin {

namespace {

constexpr double smallest_dc_over_ac = 0.5;

std::vector<std::string_view> names_of_kinds() {
  std::vector<std::string_view> names;
  workload::for_each_workload_kind([&](const auto& kind) { names.push_back(kind.kind); });
  return names;
}

/// "training|replay|constant".
const std::string& kind_names() {
  static const std::string names = fmt::format("{}", fmt::join(names_of_kinds(), "|"));
  return names;
}

FieldInfo kind_info() { return {"kind", {}, Range::any, "Work of the hall.", kind_names()}; }

/// The work of that name, which is there, with its default parameters.
workload::AnyWork kind_named(std::string_view name) {
  std::vector<workload::AnyWork> all = work_of_each_kind();
  return std::move(*std::ranges::find(all, name, &workload::AnyWork::kind));
}

/// Calls `act` with the parameters as those of their kind.
template <class Act>
void visit_kind(workload::AnyWork& work, const Act& act) {
  workload::for_each_workload_kind([&]<class Kind>(const Kind&) {
    if (auto* params = work.get<Kind>()) act(*params);
  });
}

template <class Kind>
Section section_of_kind(Kind& params) {
  return {.key = "workload", .doc = std::string(Kind::doc), .fields = field_refs(params)};
}

Section section_of_kind(workload::ReplayParams& params) {
  std::vector<FieldRef> fields = field_refs(params);
  for (const FieldRef& field : field_refs(params.times)) fields.push_back(field);
  return {
      .key = "workload",
      .doc = std::string(params.doc),
      .fields = std::move(fields),
      .sections = {
          {.key = "spread",
           .doc =
               "Delays between nodes that replay the same column, so that they do not change power at the same time.",
           .fields = field_refs(params.spread)}}};
}

/// `slow_links: { row_1.rack_3.node_2: 40 % }`.
SpecialKey slow_links_key(std::map<std::string, double>& fractions) {
  return {.key = "slow_links",
          .doc = "Nodes whose links have only a share of their bandwidth: `{ row_1.rack_3.node_2: 40 % }`.",
          .rows = {{"NAME", "ratio", "", "more than 0, at most 1",
                    "Bandwidth of the links of this node, divided by full bandwidth."}},
          .read = [&fractions](const Node& map, Problems& problems) {
            if (!map.is_map()) {
              problems.add(problem_at(map, fmt::format("slow_links is {}, expected a map", describe(map)),
                                      "write slow_links: { row_1.rack_3.node_2: 40 % }, the share of full bandwidth"));
              return;
            }
            for (const Entry& entry : map.entries) {
              const FieldInfo info{
                  entry.key.text, "1", Range::positive_fraction, "Remaining bandwidth divided by full bandwidth.", {}};
              read_field(entry.value, FieldRef{&fractions[entry.key.text], info}, problems);
            }
          }};
}

Section section_of_kind(workload::BurnInParams& params) {
  return {.key = "workload",
          .doc = std::string(params.doc),
          .fields = field_refs(params),
          .special = {slow_links_key(params.link_fraction)}};
}

void read_rates(const Node& rates, workload::FailureParams& failures, Problems& problems) {
  if (rates.is_scalar()) return;  // a name that the library does not know, which is reported
  MapReader reader(rates, "rates", problems);
  if (!reader.is_map()) return;
  for (const char* key : {"name", "title", "kind"}) reader.offer(key);
  if (const Node* kinds = reader.require("kinds", "write kinds: { faulty_gpu: { mean_time: 6000 d }, ... }")) {
    if (!kinds->is_map())
      problems.add(problem_at(*kinds, fmt::format("kinds is {}, expected a map", describe(*kinds))));
    for (const Entry& entry : kinds->entries) {
      workload::FailureKind& kind = failures.kinds.emplace_back();
      kind.name = entry.key.text;
      read_section(entry.value, "rates.kinds." + kind.name,
                   {.key = kind.name, .doc = "A kind of failure.", .fields = field_refs(kind)}, problems);
    }
  }
  if (failures.kinds.empty())
    problems.add(problem_at(rates, "rates have no kinds", "delete `failures` if nothing fails"));
  reader.report_unknown_keys();
}

}  // namespace

SpecialKey failures_key(const std::string& path, workload::FailureParams& failures) {
  workload::FailureKind kind;
  std::vector<FieldRow> rows{{"rates", "name or map", "required", "",
                              "Mean times between failures by kind: a file of `failures/` in the library, or `{ kinds: "
                              "{ NAME: { mean_time, takes_node } } }`."}};
  for (const std::vector<FieldRef>& fields : {field_refs(failures), field_refs(kind)}) {
    for (FieldRow& row : field_table(fields)) rows.push_back(std::move(row));
  }
  return {.key = "failures",
          .doc =
              "Random failures of GPUs, nodes, switches and software, drawn from `seed`. Without this section nothing "
              "fails.",
          .rows = std::move(rows),
          .read = [&failures, path](const Node& map, Problems& problems) {
            SpecialKey rates{.key = "rates",
                             .read = [&failures](const Node& node, Problems& all) { read_rates(node, failures, all); }};
            rates.is_required = true;
            read_section(map, path,
                         {.key = "failures", .doc = "Failures.", .fields = field_refs(failures), .special = {rates}},
                         problems);
          }};
}

namespace {

Section section_of_kind(workload::TrainingParams& params) {
  return {.key = "workload",
          .doc = std::string(params.doc),
          .fields = field_refs(params),
          .sections = {checkpoint_section(params.checkpoint), storage_section(params.storage)},
          .special = {failures_key("workload.failures", params.failures)}};
}

Section section_of_kind(workload::TransformerParams& params) {
  Section section = transformer_section(params);
  section.sections.push_back(checkpoint_section(params.job.checkpoint));
  section.sections.push_back(storage_section(params.job.storage));
  section.special.push_back(failures_key("workload.failures", params.job.failures));
  return section;
}

/// The ratio of two meters stands for supplies that no one has built yet, or for a slip, below a half.
void check_ratio(const Node& map, const workload::ReplayParams& replay, Problems& problems) {
  const Node* ratio = find(map, "dc_over_ac");
  if (ratio == nullptr || !(replay.dc_over_ac_ratio > 0.0)) return;
  if (replay.dc_over_ac_ratio < smallest_dc_over_ac) {
    problems.add(problem_at(*ratio, fmt::format("dc_over_ac: {} is out of range, expected 0.5 to 1", ratio->text),
                            "write the DC energy divided by the AC energy of the same nodes"));
  }
  if (replay.meaning != "node_dc") {
    problems.add(problem_at(*ratio, fmt::format("dc_over_ac has no effect on power with `meaning: {}`", replay.meaning),
                            "delete dc_over_ac, or write `meaning: node_dc`: only power on the DC side of power "
                            "supplies is converted to the AC inlet"));
  }
}

/// Powers that are not written follow the GPU of each group of racks, which is not known here.
void forget_defaults_of_h100(const Node& map, workload::TrainingParams& job) {
  const auto is_default = [&](const char* key) { return find(map, key) == nullptr || find(map, key)->is_null(); };
  if (is_default("compute_gpu_power")) job.compute_gpu_w = workload::power_by_gpu;
  if (is_default("communication_gpu_power")) job.communication_gpu_w = workload::power_by_gpu;
  if (is_default("checkpoint_gpu_power")) job.checkpoint_gpu_w = workload::power_by_gpu;
}

/// What a kind looks at once its keys are read, besides the ranges of its fields.
template <class Kind>
void finish_reading(const Node&, Kind&, const WorkloadSpec&, Problems&) {}

/// The trace as it is reached from the working folder: its own mistakes are reported under that name.
void finish_reading(const Node& map, workload::ReplayParams& replay, const WorkloadSpec&, Problems& problems) {
  if (const auto file = find_named_file(map, "trace", "trace", problems)) replay.trace = file->string();
  check_ratio(map, replay, problems);
}

void finish_reading(const Node& map, workload::BurnInParams& test, const WorkloadSpec&, Problems& problems) {
  const Node* limit = find(map, "outlier");
  if (limit == nullptr || test.outlier_time_ratio > 1.0) return;
  problems.add(problem_at(*limit, fmt::format("outlier: {} is not above 1, the median time", limit->text),
                          "write for example 1.03: 3 % longer"));
}

void finish_reading(const Node& map, workload::TrainingParams& job, const WorkloadSpec& spec, Problems& problems) {
  forget_defaults_of_h100(map, job);
  check_checkpoints(map, spec.may_share_storage, problems);
}

void finish_reading(const Node& map, workload::TransformerParams& params, const WorkloadSpec& spec,
                    Problems& problems) {
  forget_defaults_of_h100(map, params.job);
  check_checkpoints(map, spec.may_share_storage, problems);
  finish_transformer(map, params);
}

}  // namespace

std::vector<workload::AnyWork> work_of_each_kind() {
  std::vector<workload::AnyWork> all;
  workload::for_each_workload_kind([&](const auto& kind) { all.emplace_back(kind); });
  return all;
}

void read_workload(const Node& map, const std::string& path, WorkloadSpec& workload, Problems& problems) {
  std::string kind;
  workload.mention = {map.place, map.excerpt};
  MapReader reader(map, path, problems);
  if (!reader.is_map()) return;
  const Node* kind_node = reader.require("kind", fmt::format("{}", fmt::join(names_of_kinds(), ", ")));
  if (kind_node == nullptr) return;
  const FieldRef field{&kind, kind_info()};
  if (!read_field(*kind_node, field, problems)) return;
  workload.params = kind_named(kind);
  Section section = section_of(workload);
  section.special.push_back({.key = "kind", .read = [](auto&&...) {}});
  read_section(map, path, section, problems);
  for (const Entry& entry : map.entries) workload.keys[entry.key.text] = {entry.value.place, entry.value.excerpt};
  visit_kind(workload.params, [&](auto& params) { finish_reading(map, params, workload, problems); });
}

Section section_of(WorkloadSpec& workload) {
  Section section;
  visit_kind(workload.params, [&](auto& params) { section = section_of_kind(params); });
  return section;
}

SpecialKey group_workload_key(std::optional<WorkloadSpec>& workload) {
  return {.key = "workload",
          .doc = "Work of these racks, as in the section workload; without it they have the work of the hall.",
          .read = [&workload](const Node& map, Problems& problems) {
            read_workload(map, "workload", workload.emplace(), problems);
          }};
}

SpecialKey workload_key(WorkloadSpec& workload) {
  std::string kind;
  const std::array field{FieldRef{&kind, kind_info()}};
  return {
      .key = "workload",
      .doc = fmt::format("Work of the hall; each kind has its own keys: see {}.", fmt::join(names_of_kinds(), ", ")),
      .is_required = true,
      .or_else = "jobs",
      .rows = field_table(field),
      .read = [&workload](const Node& map, Problems& problems) { read_workload(map, "workload", workload, problems); }};
}

}  // namespace wattloop::twin
