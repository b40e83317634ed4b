#include "twin/scenario/short_forms.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "twin/document/field_reader.hpp"
#include "twin/document/map_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo at_info{"at", "s", Range::positive, "Time of the checkpoint.", {}};

Node scalar_like(const Node& node, const char* text) {
  Node scalar;
  scalar.kind = Node::Kind::scalar;
  scalar.text = text;
  scalar.place = node.place;
  scalar.excerpt = node.excerpt;
  return scalar;
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
  taken.begin.mention = {initial->place, initial->excerpt};
  const Node* from = reader.require("from", "a checkpoint, which `wattloop run SCENARIO --save-at 10min` writes");
  if (const Node* at = reader.require("at", "the time of the checkpoint: 10 min"))
    read_field(*at, {&taken.begin.at_s, at_info}, problems);
  reader.report_unknown_keys();
  if (from != nullptr) {
    taken.begin.file = named_file(*from).string();
    taken.begin.mention = {from->place, from->excerpt};
    std::error_code error;
    if (!from->is_scalar() || !std::filesystem::is_regular_file(taken.begin.file, error))
      problems.add(problem_at(*from, fmt::format("there is no file '{}'", taken.begin.file)));
  }
  Node steady = scalar_like(*initial, "steady");
  taken.written = std::exchange(*initial, std::move(steady));
  return taken;
}

}  // namespace wattloop::twin
