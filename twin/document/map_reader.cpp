#include "twin/document/map_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/nearest.hpp"

namespace wattloop::twin {

MapReader::MapReader(const Node& node, std::string subject, Problems& problems)
    : node_(node), subject_(std::move(subject)), problems_(problems) {
  if (!node.is_map()) {
    problems_.add(problem_at(node, fmt::format("{}: expected a map, found {}", subject_, describe(node)),
                             "write one 'name: value' a line, indented below it"));
  }
}

const Node* MapReader::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  return twin::find(node_, key);
}

const Node* MapReader::require(std::string_view key, std::string hint) {
  const Node* value = find(key);
  if (value != nullptr && !value->is_null()) return value;
  if (!node_.is_map()) return nullptr;  // already reported as a whole
  problems_.add(value == nullptr ? problem_at(node_, fmt::format("{} needs '{}'", subject_, key), std::move(hint))
                                 : problem_at(*value, fmt::format("{}: no value", key), std::move(hint)));
  return nullptr;
}

void MapReader::report_unknown_keys() const {
  for (const Entry& entry : node_.entries) {
    const std::string& key = entry.key.text;
    if (std::ranges::find(known_, key) != known_.end()) continue;
    const auto redirected =
        std::ranges::find(redirected_, key, [](const auto& pair) -> const std::string& { return pair.first; });
    problems_.add(problem_at(entry.key, fmt::format("{} has no parameter '{}'", subject_, key),
                             redirected != redirected_.end() ? redirected->second
                             : problems_.are_all_told()      ? nearest_hint(key, known_)
                                                             : std::string()));
  }
}

}  // namespace wattloop::twin
