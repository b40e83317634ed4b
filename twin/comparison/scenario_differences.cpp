#include "twin/comparison/scenario_differences.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "twin/document/section.hpp"
#include "twin/document/yaml_text.hpp"

namespace wattloop::twin {

namespace {

/// A value without parts: scalars, and maps and lists that are empty.
std::string leaf_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::scalar:
      return node.text;
    case Node::Kind::sequence:
      return "[]";
    case Node::Kind::map:
      return "{}";
    case Node::Kind::null:
      break;
  }
  return "null";
}

class Differences {
 public:
  void compare(const std::string& path, const Node* a, const Node* b) {
    if (a != nullptr && b != nullptr && same_content(*a, *b)) return;
    const bool is_inside_a = a != nullptr && has_parts(*a), is_inside_b = b != nullptr && has_parts(*b);
    if (is_inside_a && is_inside_b && a->kind == b->kind) return compare_parts(path, *a, *b);
    if (!is_inside_a && !is_inside_b) {
      list_.push_back({path, text_of(a), text_of(b)});
      return;
    }
    one_side(path, a, true);
    one_side(path, b, false);
  }
  std::vector<ScenarioDifference> take() { return std::move(list_); }

 private:
  static bool has_parts(const Node& node) { return !node.items.empty() || !node.entries.empty(); }
  static std::optional<std::string> text_of(const Node* node) {
    return node == nullptr ? std::nullopt : std::optional(leaf_text(*node));
  }

  void compare_parts(const std::string& path, const Node& a, const Node& b) {
    for (std::size_t k = 0; k < std::max(a.items.size(), b.items.size()); ++k) {
      compare(joined_path(path, fmt::format("{}", k + 1)), k < a.items.size() ? &a.items[k] : nullptr,
              k < b.items.size() ? &b.items[k] : nullptr);
    }
    for (const Entry& entry : a.entries) {
      compare(joined_path(path, entry.key.text), &entry.value, find(b, entry.key.text));
    }
    for (const Entry& entry : b.entries) {
      if (find(a, entry.key.text) == nullptr) compare(joined_path(path, entry.key.text), nullptr, &entry.value);
    }
  }

  /// All that stands in a value that the other side does not have, or has as something else.
  void one_side(const std::string& path, const Node* node, bool is_a) {
    if (node == nullptr) return;
    if (!has_parts(*node)) {
      list_.push_back(is_a ? ScenarioDifference{path, leaf_text(*node), {}}
                           : ScenarioDifference{path, {}, leaf_text(*node)});
      return;
    }
    for (std::size_t k = 0; k < node->items.size(); ++k) {
      one_side(joined_path(path, fmt::format("{}", k + 1)), &node->items[k], is_a);
    }
    for (const Entry& entry : node->entries) one_side(joined_path(path, entry.key.text), &entry.value, is_a);
  }

  std::vector<ScenarioDifference> list_;
};

}  // namespace

std::vector<ScenarioDifference> scenario_differences(std::string_view a, std::string_view b) {
  Problems ignored;  // a run has read them
  const Node in_a = parse_yaml(a, "A", ignored), in_b = parse_yaml(b, "B", ignored);
  Differences differences;
  differences.compare("", &in_a, &in_b);
  return differences.take();
}

}  // namespace wattloop::twin
