#include "twin/document/override.hpp"

#include <charconv>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/document/environment.hpp"
#include "twin/document/yaml_text.hpp"

namespace wattloop::twin {

namespace {

/// Names between dots; one in quotes may contain dots.
std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const char first = start < path.size() ? path[start] : '.';
    const std::size_t closing = first == '"' || first == '\'' ? path.find(first, start + 1) : std::string_view::npos;
    const bool is_quoted =
        closing != std::string_view::npos && (closing + 1 == path.size() || path[closing + 1] == '.');
    const std::size_t end = is_quoted ? closing + 1 : std::min(path.find('.', start), path.size());
    parts.emplace_back(is_quoted ? path.substr(start + 1, closing - start - 1) : path.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// Takes the next name of a path off `parts`: the longest row of them that is a key of the map, else the first. Names of equipment contain dots.
std::string next_name(const Node& node, std::span<const std::string>& parts) {
  for (std::size_t count = node.is_map() ? parts.size() : 1; count > 1; --count) {
    const std::string joined = fmt::format("{}", fmt::join(parts.first(count), "."));
    if (find(node, joined) == nullptr) continue;
    parts = parts.subspan(count);
    return joined;
  }
  const std::string first = parts.front();
  parts = parts.subspan(1);
  return first;
}

Node key_at(const std::string& name, const Node& written) {
  Node key;
  key.kind = Node::Kind::scalar;
  key.text = name;
  key.place = written.place;
  key.excerpt = written.excerpt;
  return key;
}

/// The part of `node` that `name` means, made where a map lacks it. Null and a problem where there can be
/// none.
Node* step_into(Node& node, const std::string& name, const Node& written, Problems& problems) {
  if (node.is_null()) node.kind = Node::Kind::map;
  if (node.is_map()) {
    if (Node* value = find(node, name)) return value;
    Node nothing;
    nothing.place = written.place;
    node.entries.push_back({key_at(name, written), std::move(nothing)});
    return &node.entries.back().value;
  }
  if (node.is_sequence()) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc{} && end == name.data() + name.size();
    if (is_number && number >= 1 && number <= node.items.size()) return &node.items[number - 1];
  }
  const std::string what = node.is_sequence() ? fmt::format("a list of {}", node.items.size()) : describe(node);
  problems.add(problem_at(written, fmt::format("there is no '{}' in {}", name, what),
                          node.is_sequence() ? "count items from 1" : ""));
  return nullptr;
}

/// The key that a change names is of the change: it stays where another change sets the `kind` of the map.
void sign_key(Node& map, const std::string& name, const Node& written) {
  for (Entry& entry : map.entries) {
    if (entry.key.text != name) continue;
    entry.key.place = written.place;
    entry.key.excerpt = written.excerpt;
  }
}

/// `workload.kind=constant` and `workload={ kind: constant }`.
void take_work_kind(Node& work, std::span<const std::string> rest, const DocumentChange& change) {
  const bool is_kind = rest.size() == 1 && rest.front() == "kind";
  const Node* kind = is_kind ? &change.value : rest.empty() ? find(change.value, "kind") : nullptr;
  if (kind != nullptr && !change.appends) take_kind(work, *kind);
}

constexpr std::string_view event_path = "events+";

/// "path=value" or "path+=value" taken apart.
struct Override {
  std::string_view path;
  std::string value;
  bool appends = false;
  Place place;
};

/// As a place, which every part of the value has: not a copy of a long value for each.
std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 200;
  return text.size() <= longest ? std::string(text) : fmt::format("{}...", text.substr(0, longest));
}

Override take_apart(std::string_view text, std::size_t equals) {
  Override override{text.substr(0, equals),
                    std::string(text.substr(equals + 1)),
                    false,
                    {fmt::format("--set {}", shortened(text)), 0, 0}};
  if (override.path == event_path) {
    override.place.file = fmt::format("--event {}", shortened(override.value));
    if (!override.value.starts_with('{')) override.value = fmt::format("{{ {} }}", override.value);
  }
  if (override.path.ends_with('+')) {
    override.appends = true;
    override.path.remove_suffix(1);
  }
  return override;
}

}  // namespace

std::string event_override(const std::string& event) { return fmt::format("{}={}", event_path, event); }

void apply_change(Node& root, DocumentChange change, Problems& problems) {
  Node* target = &root;
  const std::vector<std::string> path = split_path(change.path);
  for (std::span<const std::string> parts = path; !parts.empty();) {
    const std::string name = next_name(*target, parts);
    if (name.empty()) {
      problems.add(problem_at(change.value, "a name in the path is empty", "for example hall.racks.count"));
      return;
    }
    target = step_into(*target, name, change.value, problems);
    if (target == nullptr) return;
    if (name != key_of_work) continue;
    take_work_kind(*target, parts, change);
    if (!parts.empty()) sign_key(*target, parts.front(), change.value);
  }
  if (!change.appends) return merge_over(*target, change.value);
  if (target->is_null()) target->kind = Node::Kind::sequence;
  if (target->is_sequence()) {
    target->items.push_back(std::move(change.value));
  } else {
    problems.add(
        problem_at(change.value, fmt::format("{} is {}, no list to append to", change.path, describe(*target))));
  }
}

void apply_override(Node& root, const std::string& path_and_value, Problems& problems) {
  const std::size_t equals = path_and_value.find('=');
  if (equals == std::string::npos) {
    problems.add({{fmt::format("--set {}", path_and_value), 0, 0},
                  "expected path=value",
                  "for example --set \"duration=2 h\"",
                  {}});
    return;
  }
  const Override override = take_apart(path_and_value, equals);
  const std::size_t problems_before = problems.size();
  Node value = parse_yaml_value(override.value, override.place, problems);
  if (problems.size() > problems_before) return;
  value.place = override.place;
  expand_environment(value, problems);
  apply_change(root, {std::string(override.path), std::move(value), override.appends}, problems);
}

}  // namespace wattloop::twin
