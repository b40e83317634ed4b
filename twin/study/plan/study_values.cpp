#include "twin/study/plan/study_values.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include <fmt/format.h>

namespace wattloop::twin {

std::vector<DocumentChange> read_fixed(const Node* set, const Node* events, Problems& problems) {
  std::vector<DocumentChange> fixed;
  if (set != nullptr && set->is_map()) {
    for (const Entry& entry : set->entries) fixed.push_back({entry.key.text, entry.value});
  } else if (set != nullptr && !set->is_null()) {
    problems.add(problem_at(*set, fmt::format("set is {}, expected a map of paths and values", describe(*set))));
  }
  if (events == nullptr) return fixed;
  if (!events->is_sequence()) {
    problems.add(problem_at(*events, fmt::format("events is {}, expected a list", describe(*events))));
    return fixed;
  }
  for (const Node& event : events->items) fixed.push_back({"events", event, true});
  return fixed;
}

std::filesystem::path read_file_name(const Node* name, const std::string& key, Problems& problems) {
  if (name == nullptr) return {};
  if (!name->is_scalar()) {
    problems.add(problem_at(*name, fmt::format("{} is {}, expected a file name", key, describe(*name))));
    return {};
  }
  std::filesystem::path file = named_file(*name);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    problems.add(problem_at(*name, fmt::format("there is no file '{}'", file.string())));
  return file;
}

std::vector<Node> list_of(const Node& node, const std::string& what, Problems& problems) {
  if (node.is_scalar()) return {node};
  if (node.is_sequence() && !node.items.empty()) return node.items;
  problems.add(problem_at(node, fmt::format("{} is {}, expected a list with something in it", what,
                                            node.is_sequence() ? "an empty list" : describe(node))));
  return {};
}

std::vector<Node> texts_of(const Node& node, const std::string& what, Problems& problems) {
  std::vector<Node> texts;
  for (const Node& item : list_of(node, what, problems)) {
    if (item.is_scalar() && !item.text.empty()) {
      texts.push_back(item);
    } else {
      problems.add(problem_at(item, fmt::format("{}: {} is no name", what, describe(item))));
    }
  }
  return texts;
}

bool is_name(const std::string& text) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, is_part);
}

}  // namespace wattloop::twin
