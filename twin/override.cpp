#include "twin/override.hpp"

#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "twin/environment.hpp"
#include "twin/yaml_text.hpp"

namespace wattloop::twin {

namespace {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    parts.emplace_back(path.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

Node key_at(const std::string& name, const Place& place) {
  Node key;
  key.kind = Node::Kind::scalar;
  key.text = name;
  key.place = place;
  return key;
}

/// The part of `node` that `name` means, made where a map lacks it. Null and a problem where there can be
/// none.
Node* step_into(Node& node, const std::string& name, const Place& place, Problems& problems) {
  if (node.is_null()) node.kind = Node::Kind::map;
  if (node.is_map()) {
    if (Node* value = find(node, name)) return value;
    Node nothing;
    nothing.place = place;
    node.entries.push_back({key_at(name, place), std::move(nothing)});
    return &node.entries.back().value;
  }
  if (node.is_sequence()) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc{} && end == name.data() + name.size();
    if (is_number && number >= 1 && number <= node.items.size()) return &node.items[number - 1];
  }
  const std::string what =
      node.is_sequence() ? fmt::format("a list of {}", node.items.size()) : describe(node);
  problems.add({place,
                fmt::format("there is no '{}' in {}", name, what),
                node.is_sequence() ? "items are numbered from 1" : "",
                {}});
  return nullptr;
}

}  // namespace

void apply_override(Node& root, const std::string& path_and_value, Problems& problems) {
  const Place place{fmt::format("--set {}", path_and_value), 0, 0};
  const std::size_t equals = path_and_value.find('=');
  if (equals == std::string::npos) {
    problems.add({place, "expected path=value", "for example --set \"duration=2 h\"", {}});
    return;
  }
  const std::size_t problems_before = problems.size();
  Node value = parse_yaml_value(std::string_view(path_and_value).substr(equals + 1), place, problems);
  if (problems.size() > problems_before) return;
  Node* target = &root;
  for (const std::string& name : split_path(std::string_view(path_and_value).substr(0, equals))) {
    if (name.empty()) {
      problems.add({place, "a name in the path is empty", "for example --set hall.racks.count=8", {}});
      return;
    }
    target = step_into(*target, name, place, problems);
    if (target == nullptr) return;
  }
  value.place = place;
  expand_environment(value, problems);
  merge_over(*target, value);
}

}  // namespace wattloop::twin
