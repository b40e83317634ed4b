#include "twin/document/document.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "twin/document/environment.hpp"
#include "twin/document/override.hpp"
#include "twin/document/text_file.hpp"
#include "twin/document/yaml_text.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

Node empty_map(const std::string& file) {
  Node map;
  map.kind = Node::Kind::map;
  map.place.file = file;
  return map;
}

/// Reads a file and the files it extends.
class Extending {
 public:
  Extending(Problems& problems, std::vector<ReadFile>* files) : problems_(problems), files_(files) {}

  /// An empty map where there is nothing to read, with the problem reported.
  Node read_file(const fs::path& file, const Node* named_at) {
    const std::optional<std::string> text = read_text_file(file, named_at, problems_);
    if (text && files_ != nullptr) {
      files_->push_back({file, named_at != nullptr ? shown_file_name(*named_at, file) : file.filename().string()});
    }
    return text ? read_text(*text, file.string()) : empty_map(file.string());
  }

  Node read_text(std::string_view text, const std::string& file) {
    const std::size_t problems_before = problems_.size();
    Node root = parse_yaml(text, file, problems_);
    if (!root.is_map()) {
      if (problems_.size() == problems_before) refuse_root(root, file);
      return empty_map(file);
    }
    expand_environment(root, problems_);
    const auto extends = std::ranges::find(root.entries, "extends", [](const Entry& e) { return e.key.text; });
    if (extends == root.entries.end()) return root;
    const Node base_name = extends->value;
    root.entries.erase(extends);
    open_.push_back(fs::weakly_canonical(file));
    Node base = read_base(base_name);
    open_.pop_back();
    merge_over(base, root);
    return base;
  }

 private:
  Node read_base(const Node& name) {
    if (!name.is_scalar()) {
      problems_.add(problem_at(name, fmt::format("extends: {} is not a file name", describe(name))));
      return empty_map({});
    }
    const fs::path file = named_file(name);
    if (const std::string ending = file.extension().string();
        ending != ".yaml" && ending != ".yml" && ending != ".json") {
      problems_.add(problem_at(name, fmt::format("extends: '{}' does not have the name of a scenario file", name.text),
                               "expected a file that ends in .yaml, .yml or .json"));
      return empty_map({});
    }
    if (std::ranges::find(open_, fs::weakly_canonical(file)) != open_.end()) {
      std::string chain;
      for (const fs::path& open : open_) chain += fmt::format("{} -> ", open.filename().string());
      problems_.add(problem_at(name, "extends: the files extend each other in a cycle",
                               fmt::format("{}{}", chain, file.filename().string())));
      return empty_map({});
    }
    return read_file(file, &name);
  }

  void refuse_root(const Node& root, const std::string& file) {
    Problem problem = problem_at(root, fmt::format("the file is {}", describe(root)),
                                 "expected keys and values, such as 'duration: 2 h'");
    if (root.is_null()) {
      problem.place = Place{file, 0, 0};
      problem.message = fmt::format("the file is empty");
    }
    problems_.add(std::move(problem));
  }

  Problems& problems_;
  std::vector<ReadFile>* files_;
  std::vector<fs::path> open_;  // files whose bases are being read
};

Node with_overrides(Node root, const ReadOptions& options, Problems& problems) {
  for (const std::string& path_and_value : options.overrides) apply_override(root, path_and_value, problems);
  return root;
}

}  // namespace

bool same_content(const Node& a, const Node& b) {
  const auto same_entry = [](const Entry& x, const Entry& y) {
    return x.key.text == y.key.text && same_content(x.value, y.value);
  };
  return a.kind == b.kind && a.text == b.text && std::ranges::equal(a.items, b.items, same_content) &&
         std::ranges::equal(a.entries, b.entries, same_entry);
}

const Node* find(const Node& map, std::string_view key) {
  const auto entry = std::ranges::find(map.entries, key, [](const Entry& e) -> std::string_view { return e.key.text; });
  return entry == map.entries.end() ? nullptr : &entry->value;
}

Node* find(Node& map, std::string_view key) { return const_cast<Node*>(find(std::as_const(map), key)); }

void take_kind(Node& map, const Node& kind) {
  const Node* present = find(map, "kind");
  if (present == nullptr || !present->is_scalar() || !kind.is_scalar() || present->text == kind.text) return;
  for (Entry& entry : map.entries) {
    const Place& written = entry.key.place;
    if (entry.key.text == "kind" || written.line == 0 || written.file == kind.place.file) continue;
    entry.value = {};
    entry.value.is_taken_back = true;
    entry.key.place = entry.value.place = kind.place;
    entry.key.excerpt = entry.value.excerpt = kind.excerpt;
  }
}

void merge_over(Node& node, const Node& changes) {
  if (!node.is_map() || !changes.is_map()) {
    const bool takes_back = changes.is_null() && (!node.is_null() || node.is_taken_back);
    const bool repeats = changes.place.line == 0 && node.is_scalar() && changes.is_scalar() &&
                         node.text == changes.text && (node.place.line > 0 || node.is_repeated);
    node = changes;
    node.is_taken_back = takes_back;
    node.is_repeated = repeats;
    return;
  }
  node.place = changes.place;
  node.excerpt = changes.excerpt;
  std::unordered_map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < node.entries.size(); ++i) numbers.emplace(node.entries[i].key.text, i);
  for (const Entry& change : changes.entries) {
    const auto [number, is_new] = numbers.emplace(change.key.text, node.entries.size());
    if (is_new) {
      node.entries.push_back(change);
    } else {
      Entry& entry = node.entries[number->second];
      entry.key = change.key;
      const Node* kind = change.key.text == key_of_work ? find(change.value, "kind") : nullptr;
      if (kind != nullptr) take_kind(entry.value, *kind);
      merge_over(entry.value, change.value);
    }
  }
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return fmt::format("'{}'", node.text);
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return {};
}

namespace {

/// Without the value of an environment variable, which is no part of a scenario: "${NAME}" instead.
std::string as_written(const Node& node, std::string text) {
  if (node.written.empty() || node.text.empty()) return text;
  const auto replace = [&](const std::string& value, const std::string& name) {
    for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + name.size()))
      text.replace(at, value.size(), name);
  };
  constexpr std::size_t shortest = 4;  // what is shorter stands in other words, too
  if (node.text.size() >= shortest) replace(node.text, node.written);
  replace("'" + node.text + "'", "'" + node.written + "'");
  return text;
}

}  // namespace

Problem problem_at(const Node& node, std::string message, std::string hint) {
  return {node.place, as_written(node, std::move(message)), as_written(node, std::move(hint)), node.excerpt};
}

Node read_document(const fs::path& file, Problems& problems, const ReadOptions& options) {
  return with_overrides(Extending(problems, options.files).read_file(file, options.named_at), options, problems);
}

Node read_document_text(std::string_view text, const std::string& name, Problems& problems,
                        const ReadOptions& options) {
  return with_overrides(Extending(problems, options.files).read_text(text, name), options, problems);
}

std::string shown_file_name(const Node& scalar, const fs::path& file) {
  return (scalar.written.empty() ? file : fs::path(scalar.written)).filename().string();
}

fs::path named_file(const Node& scalar) {
  const fs::path name(scalar.text);
  const bool is_override = scalar.place.line == 0;
  if (name.is_absolute() || is_override) return name.lexically_normal();
  return (fs::path(scalar.place.file).parent_path() / name).lexically_normal();
}

}  // namespace wattloop::twin
