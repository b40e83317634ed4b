#include "twin/scenario/library/extended_mistakes.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/document/other_place.hpp"

namespace wattloop::twin {

namespace {

bool is_at(const Node& node, const Place& place) {
  return node.place.line == place.line && node.place.column == place.column && node.place.file == place.file;
}

/// The maps around what stands at a place, the innermost last; false where nothing does.
bool find_around(const Node& node, const Place& place, std::vector<const Node*>& around) {
  if (node.is_map()) around.push_back(&node);
  for (const Entry& entry : node.entries) {
    if (is_at(entry.key, place) || is_at(entry.value, place) || find_around(entry.value, place, around)) return true;
  }
  for (const Node& item : node.items) {
    if (is_at(item, place) || find_around(item, place, around)) return true;
  }
  if (node.is_map()) around.pop_back();
  return false;
}

/// Files over that of a place, each extending the next: the scenario and the first of its bases, and what overrides them.
struct Above {
  const std::string& scenario;
  std::span<const ReadFile> bases;

  bool has(const Place& place) const {
    const auto is_it = [&](const ReadFile& base) { return base.path == place.file; };
    return place.line == 0 || place.file == scenario || std::ranges::any_of(bases, is_it);
  }
};

/// "'kind' comes from ext.yaml:2": what is said above in the maps around a place, the innermost first; in the outermost, where titles and
/// times stand, only where nothing is in the others.
std::string changes_beside(const Node& root, const Above& above, const Place& place) {
  constexpr std::size_t most_reported = 3;
  std::vector<const Node*> around;
  if (!find_around(root, place, around)) return {};
  std::vector<std::string> changes;
  const Node* inside = nullptr;
  for (auto map = around.rbegin(); map != around.rend(); inside = *map++) {
    if (*map == &root && !changes.empty()) break;
    for (const Entry& entry : (*map)->entries) {
      const Place& said = entry.key.place;
      if (above.has(said) && &entry.value != inside)
        changes.push_back(fmt::format("'{}' comes from {}", entry.key.text, other_place(said, place)));
    }
  }
  const std::size_t more = changes.size() - std::min(changes.size(), most_reported);
  changes.resize(changes.size() - more);
  return fmt::format("{}{}", fmt::join(changes, ", "), more > 0 ? fmt::format(", and {} more do", more) : "");
}

bool has(const std::vector<Problem>& problems, const Problem& searched) {
  return std::ranges::any_of(problems, [&](const Problem& problem) {
    return problem.message == searched.message && problem.place.file == searched.place.file &&
           problem.place.line == searched.place.line && problem.place.column == searched.place.column;
  });
}

}  // namespace

void report_what_extends(const Node& root, std::span<const ReadFile> bases, const MistakesOf& mistakes_of,
                         std::vector<Problem>& problems) {
  std::map<std::string, std::vector<Problem>> of_file;
  for (Problem& problem : problems) {
    const std::string& in = problem.place.file;
    const auto base = std::ranges::find_if(bases, [&](const ReadFile& file) { return file.path == in; });
    if (problem.place.line == 0 || base == bases.end()) continue;
    const Above above{root.place.file, std::span(bases.begin(), base)};
    const std::string changes = changes_beside(root, above, problem.place);
    if (changes.empty()) continue;
    if (!of_file.contains(in)) of_file.emplace(in, mistakes_of(in));
    if (has(of_file.at(in), problem)) continue;
    problem.hint += (problem.hint.empty() ? "" : "; ") + changes;
  }
}

}  // namespace wattloop::twin
