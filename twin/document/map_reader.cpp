#include "twin/document/map_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text/nearest.hpp"

namespace wattloop::twin {

namespace {

/// As if an extended file had never said it.
bool is_taken_back(const Node& value) { return value.is_null() && value.is_taken_back; }

/// A word of a command as a shell takes it whole.
std::string quoted(std::string_view word) {
  if (word.find_first_of(" {}[]()<>*?&|;#$!~'\"`\\") == std::string_view::npos) return std::string(word);
  const char quote = word.find('\'') == std::string_view::npos ? '\'' : '"';
  return fmt::format("{}{}{}", quote, word, quote);
}

/// Where an override says of what other kind a map is, what the file says of another kind stays beside it: how to leave that out.
std::string other_kind_hint(const Node& map, std::string_view subject) {
  constexpr std::string_view set = "--set ", last = ".kind";
  const Node* kind = find(map, "kind");
  if (kind == nullptr || kind->place.line != 0 || kind->is_repeated || !kind->place.file.starts_with(set)) return {};
  const std::string& said = kind->place.file;
  std::string_view path = std::string_view(said).substr(set.size(), said.find('=') - set.size());
  const bool is_of_kind = path.ends_with(last);
  if (is_of_kind) path.remove_suffix(last.size());
  if (!is_of_kind && path.substr(path.rfind('.') + 1) != subject) return {};
  return fmt::format("`--set {}=null --set {}` removes the keys of the other kind that the file has", path,
                     quoted(std::string_view(said).substr(set.size())));
}

}  // namespace

MapReader::MapReader(const Node& node, std::string subject, Problems& problems)
    : node_(node), subject_(std::move(subject)), problems_(problems) {
  if (!node.is_map()) {
    problems_.add(problem_at(node, fmt::format("{}: expected a map, found {}", subject_, describe(node)),
                             "write one 'name: value' on each line, indented below it"));
  }
}

const Node* MapReader::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  const Node* value = twin::find(node_, key);
  return value != nullptr && is_taken_back(*value) ? nullptr : value;
}

const Node* MapReader::require(std::string_view key, std::string hint) {
  find(key);
  const Node* value = twin::find(node_, key);
  if (value != nullptr && !value->is_null()) return value;
  if (!node_.is_map()) return nullptr;  // already reported as a whole
  problems_.add(value == nullptr ? problem_at(node_, fmt::format("{} needs '{}'", subject_, key), std::move(hint))
                                 : problem_at(*value, fmt::format("{}: no value", key), std::move(hint)));
  return nullptr;
}

std::string MapReader::hint_of_unknown(const std::string& key) const {
  const auto redirected =
      std::ranges::find(redirected_, key, [](const auto& pair) -> const std::string& { return pair.first; });
  if (redirected != redirected_.end()) return redirected->second;
  return problems_.are_all_reported() ? nearest_hint(key, known_) : std::string();
}

void MapReader::report_unknown_keys() const {
  std::string of_other_kind = other_kind_hint(node_, subject_);
  const bool is_other_kind = !of_other_kind.empty();
  for (const Entry& entry : node_.entries) {
    const std::string& key = entry.key.text;
    if (is_taken_back(entry.value) || std::ranges::find(known_, key) != known_.end()) continue;
    const bool is_of_file = entry.key.place.line > 0;
    problems_.add(problem_at(
        entry.key, fmt::format("{} has no parameter '{}'", subject_, key),
        is_other_kind && is_of_file ? std::exchange(of_other_kind, {}) : hint_of_unknown(key)));  // reported once
  }
}

}  // namespace wattloop::twin
