#include "twin/report/events/boxes_beyond.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "twin/drawings/names/display_name.hpp"

namespace wattloop::twin {

namespace {

using Kinds = std::map<std::string_view, std::string_view, std::less<>>;

/// The box of a part, of "cdu_1.pump_a" that of the CDU; empty where nothing is drawn of it.
std::string box_of(const ExceededLimit& part, const Kinds& kinds) {
  if (const std::string door = part.part + ".rear_door"; part.quantity.starts_with("door_") && kinds.contains(door))
    return door;
  std::string name = part.part;
  while (!kinds.contains(name) && name.find('.') != std::string::npos) name.resize(name.rfind('.'));
  const auto found = kinds.find(name);
  return found == kinds.end() || found->second == "rack" || found->second == "room" ? std::string() : name;
}

/// "row_#.rack_#" of "row_1.rack_12".
std::string without_digits(const std::string& name) {
  std::string kind;
  for (const char letter : name)
    if (letter < '0' || letter > '9')
      kind += letter;
    else if (!kind.ends_with('#'))
      kind += '#';
  return kind;
}

struct Alike {
  const ExceededLimit* worst = nullptr;
  std::string kind{};
  std::vector<std::string> names{};
};

}  // namespace

BoxesBeyond boxes_beyond(std::span<const ExceededLimit> parts, std::span<const LayoutBox> layout) {
  BoxesBeyond boxes;
  if (parts.empty()) return boxes;
  Kinds kinds;
  for (const LayoutBox& box : layout)
    if (box.kind != "node" && box.kind != "gpu") kinds.emplace(box.name, box.kind);
  for (const ExceededLimit& part : parts)
    if (const std::string box = box_of(part, kinds); !box.empty()) boxes.emplace(box, part.words);
  return boxes;
}

std::string beyond_words(std::span<const ExceededLimit> parts) {
  constexpr std::size_t most_kinds = 5;
  std::vector<Alike> all;
  for (const ExceededLimit& part : parts) {
    const std::string kind = without_digits(part.part);
    auto found = std::ranges::find_if(
        all, [&](const Alike& one) { return one.kind == kind && one.worst->quantity == part.quantity; });
    if (found == all.end()) found = all.insert(all.end(), Alike{&part, kind, {}});
    if (std::ranges::count(found->names, part.part) == 0) found->names.push_back(part.part);
  }
  std::string words;
  for (std::size_t k = 0; k < std::min(all.size(), most_kinds); ++k) {
    const Alike& one = all[k];
    words += fmt::format("{}{}: {}{}", k == 0 ? "" : "; ", display_names(one.names), one.worst->words,
                         one.names.size() > 1 ? fmt::format(" ({})", display_name(one.worst->part)) : "");
  }
  if (all.size() > most_kinds) words += fmt::format("; and {} more kinds of parts", all.size() - most_kinds);
  return words;
}

}  // namespace wattloop::twin
