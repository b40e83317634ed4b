#include "twin/scenario/short_forms.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "twin/document/field_reader.hpp"
#include "twin/document/map_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo at_info{"at", "s", Range::positive, "Time of the checkpoint.", {}};
constexpr FieldInfo warm_up_info{
    "warm_up", "s", Range::non_negative, "Duration of the work before the run, which begins in the steady state.", {}};
constexpr double longest_warm_up_s = 86400.0;

Node scalar_like(const Node& node, const char* text) {
  Node scalar;
  scalar.kind = Node::Kind::scalar;
  scalar.text = text;
  scalar.place = node.place;
  scalar.excerpt = node.excerpt;
  return scalar;
}

/// `{ from: FILE, at: T }`.
BeginAt checkpoint_begin(const Node& initial, MapReader& reader, Problems& problems) {
  BeginAt begin;
  begin.mention = {initial.place, initial.excerpt};
  const Node* from = reader.require(
      "from",
      "a checkpoint, which `wattloop run SCENARIO --save-at 10min` writes; or `warm_up` alone: `{ warm_up: 20 min }`");
  if (const Node* at = reader.require("at", "the time of the checkpoint: 10 min"))
    read_field(*at, {&begin.at_s, at_info}, problems);
  if (from == nullptr) return begin;
  begin.file = named_file(*from).string();
  begin.mention = {from->place, from->excerpt};
  std::error_code error;
  if (!from->is_scalar() || !std::filesystem::is_regular_file(begin.file, error))
    problems.add(problem_at(*from, fmt::format("there is no file '{}'", begin.file)));
  return begin;
}

}  // namespace

void spell_out_record(Node& root) {
  Node* record = find(root, "record");
  if (record == nullptr || !record->is_scalar()) return;
  Node map;
  map.kind = Node::Kind::map;
  map.place = record->place;
  map.excerpt = record->excerpt;
  map.entries.push_back({scalar_like(*record, "what"), std::move(*record)});
  *record = std::move(map);
}

std::optional<TakenBegin> take_begin(Node& root, Problems& problems) {
  Node* initial = find(root, "initial");
  if (initial == nullptr || !initial->is_map()) return {};
  TakenBegin taken;
  MapReader reader(*initial, "initial", problems);
  if (const Node* warm_up = reader.find("warm_up")) {
    double warm_up_s = 0.0;
    if (read_field(*warm_up, {&warm_up_s, warm_up_info}, problems)) taken.warm_up_s = warm_up_s;
    if (warm_up_s > longest_warm_up_s)
      problems.add(problem_at(*warm_up, "warm_up is longer than a day",
                              "write at most one day: slower processes begin in their steady state"));
  } else {
    taken.begin = checkpoint_begin(*initial, reader, problems);
  }
  reader.report_unknown_keys();
  Node word = scalar_like(*initial, taken.begin ? "steady" : "settled");
  taken.written = std::exchange(*initial, std::move(word));
  return taken;
}

}  // namespace wattloop::twin
