#include "twin/scenario/library/hardware_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>

#include "core/text/nearest.hpp"
#include "twin/platform/program_files.hpp"
#include "twin/scenario/library/bibliography.hpp"

namespace wattloop::twin {

namespace {

using std::filesystem::path;

constexpr std::size_t deepest_nesting = 8;

/// What stands where: `hardware: NAME` is the file hardware/NAME.yaml.
struct Shelf {
  std::string_view key, folder;
};
constexpr Shelf hardware_shelf{"hardware", "hardware"}, breaker_shelf{"breaker", "hardware"};
constexpr std::string_view names_of_user =
    "buses";  ///< a map of them names nothing of a library: a bus may be called `breaker`
constexpr Shelf tariff_shelf{"tariff", "tariffs"}, rates_shelf{"rates", "failures"}, mix_shelf{"mix", "job_mixes"};

std::optional<path> folder_of_program() {
  const path program = program_of_people();
  if (program.empty()) return std::nullopt;
  return program.parent_path();
}

/// Library folders after that of the scenario and that of the file that says `hardware:`.
std::vector<path> shared_folders() {
  std::vector<path> folders;
  if (const char* library = std::getenv("WATTLOOP_LIBRARY"); library != nullptr && *library != '\0') {
    folders.emplace_back(library);
  }
  if (const auto program = folder_of_program()) folders.push_back(*program / ".." / "share" / "wattloop");
  if (const auto library = folder_of_library()) {
    const path data = path("share") / "wattloop";  // in a package of Python; lib; lib/x86_64-linux-gnu
    for (const path& root : {*library, *library / "..", *library / ".." / ".."}) folders.push_back(root / data);
  }
#ifdef WATTLOOP_SOURCE_LIBRARY
  folders.emplace_back(WATTLOOP_SOURCE_LIBRARY);
#endif
  return folders;
}

bool is_sourced_value(const Node& node) { return find(node, "value") != nullptr; }

/// Maps merge key by key; a value with its source is replaced as a whole, so that no value keeps the source
/// of another.
void change_values(Node& device, const Node& changes) {
  if (!device.is_map() || !changes.is_map() || is_sourced_value(device)) {
    device = changes;
    return;
  }
  for (const Entry& change : changes.entries) {
    if (Node* value = find(device, change.key.text)) {
      change_values(*value, change.value);
    } else {
      device.entries.push_back(change);
    }
  }
}

/// A source is a key of the bibliography, or a list of them.
void demand_keys(const Node& source, const std::set<std::string>& known, Problems& problems) {
  if (source.is_sequence()) {
    for (const Node& item : source.items) demand_keys(item, known, problems);
  } else if (!source.is_scalar() || !known.contains(source.text)) {
    const std::string near = nearest_hint(source.text, std::vector(known.begin(), known.end()));
    problems.add(problem_at(source, fmt::format("source {} is not a key of the bibliography", describe(source)),
                            !near.empty() ? near
                                          : "the keys are in docs/references.bib, and the keys of your own library in "
                                            "references.bib beside its folder hardware/"));
  }
}

/// Every scalar of a library file that is no name stands in a `{ value:, source: }`.
void demand_sources(const Node& map, const std::set<std::string>& known, Problems& problems) {
  static const std::set<std::string_view> names{"kind", "title", "hardware", "currency", "months", "days", "hours"};
  for (const auto& [key, value] : map.entries) {
    if (!value.is_map() && names.contains(key.text)) continue;
    if (value.is_sequence() && !value.items.empty() && value.items.front().is_map()) {
      for (const Node& item : value.items) demand_sources(item, known, problems);
      continue;
    }
    const Node* source = find(value, "source");
    if (value.is_map() && !is_sourced_value(value)) {
      demand_sources(value, known, problems);
    } else if (source == nullptr || source->is_null() || (source->is_sequence() && source->items.empty()) ||
               (source->is_scalar() && source->text.empty())) {
      problems.add(problem_at(value, fmt::format("{}: {} names no source", key.text, describe(value)),
                              fmt::format("write {}: {{ value: ..., source: key of the bibliography }}", key.text)));
    } else {
      demand_keys(*source, known, problems);
    }
  }
}

/// Puts devices instead of their names; remembers where to look and how deep it is.
class Inliner {
 public:
  Inliner(const path& scenario_folder, Problems& problems, std::vector<ReadFile>* files)
      : scenario_folder_(scenario_folder), shared_folders_(shared_folders()), problems_(problems), files_(files) {}

  void visit(Node& node, std::size_t depth) {
    for (Node& item : node.items) visit(item, depth);
    for (Entry& entry : node.entries) {
      if (entry.key.text != "hardware" && entry.key.text != names_of_user) visit(entry.value, depth);
    }
    if (Node* hardware = find(node, "hardware")) place_device(node, *hardware, depth);
    for (const Shelf& shelf : {breaker_shelf, tariff_shelf, rates_shelf, mix_shelf}) {
      Node* named = find(node, shelf.key);
      if (named == nullptr || !named->is_scalar()) continue;
      if (std::optional<Node> loaded = load(*named, shelf, depth)) *named = *std::move(loaded);
    }
  }

 private:
  void place_device(Node& map, Node& hardware, std::size_t depth) {
    if (hardware.is_null()) return;
    if (hardware.is_scalar()) {
      std::optional<Node> device = load(hardware, hardware_shelf, depth);
      if (!device) return;
      hardware = *std::move(device);
    } else if (!hardware.is_map()) {
      problems_.add(problem_at(
          hardware, fmt::format("hardware is {}, expected a name of the library or a map", describe(hardware)),
          "write `hardware: NAME`; `wattloop explain hardware` lists names"));
      return;
    }
    if (const Node* changes = find(map, "with")) {
      if (!changes->is_map() && !changes->is_null()) {
        problems_.add(
            problem_at(*changes, fmt::format("with is {}, expected a map of values to change", describe(*changes))));
      } else if (changes->is_map()) {
        const Node copy = *changes;
        change_values(hardware, copy);
      }
      std::erase_if(map.entries, [](const Entry& entry) { return entry.key.text == "with"; });
    }
    // `hardware` may have moved with the entries.
    if (Node* placed = find(map, "hardware")) visit(*placed, depth + 1);
  }

  std::optional<Node> load(const Node& name, const Shelf& shelf, std::size_t depth) {
    const std::vector<path> folders = folders_for(name, shelf);
    if (name.text.find('/') != std::string::npos) {
      problems_.add(problem_at(
          name, fmt::format("{}: '{}' is not a name of the library", shelf.key, name.text),
          fmt::format("write a name without folders: the file {}/NAME.yaml of a library is read", shelf.folder)));
      return std::nullopt;
    }
    const std::optional<path> file = find_file(name.text, folders, shelf);
    if (!file) {
      problems_.add(problem_at(name, fmt::format("the library has no {} '{}'", shelf.key, name.text),
                               hint_for(name.text, folders, shelf)));
      return std::nullopt;
    }
    if (depth >= deepest_nesting) {
      problems_.add(problem_at(name, fmt::format("{} '{}' contains itself", shelf.key, name.text)));
      return std::nullopt;
    }
    const std::size_t problems_before = problems_.size();
    Node device = read_document(*file, problems_, {.overrides = {}, .named_at = &name, .files = files_});
    if (problems_.size() > problems_before) return std::nullopt;
    if (reported_.insert(file->string()).second) {
      demand_sources(device, bibliography_keys(file->parent_path().parent_path()), problems_);
    }
    Node key = name;
    key.text = "name";
    device.entries.insert(device.entries.begin(), Entry{key, name});
    return device;
  }

  /// Those that exist, each once.
  std::vector<path> folders_for(const Node& name, const Shelf& shelf) const {
    std::vector<path> candidates{scenario_folder_};
    if (name.place.line > 0) {
      const path beside = path(name.place.file).parent_path();
      candidates.push_back(beside.filename() == shelf.folder ? beside.parent_path() : beside);
    }
    candidates.insert(candidates.end(), shared_folders_.begin(), shared_folders_.end());
    std::vector<path> folders;
    for (const path& folder : candidates) {
      std::error_code ignored;
      if (std::filesystem::is_directory(folder / shelf.folder, ignored)) folders.push_back(folder);
    }
    return folders;
  }

  static std::optional<path> find_file(const std::string& name, const std::vector<path>& folders, const Shelf& shelf) {
    for (const path& folder : folders) {
      path file = folder / shelf.folder / (name + ".yaml");
      if (std::filesystem::is_regular_file(file)) return file;
    }
    return std::nullopt;
  }

  static std::string hint_for(const std::string& name, const std::vector<path>& folders, const Shelf& shelf) {
    std::set<std::string> known;
    for (const path& folder : folders) {
      for (const auto& file : std::filesystem::directory_iterator(folder / shelf.folder)) {
        if (file.path().extension() == ".yaml") known.insert(file.path().stem().string());
      }
    }
    const std::vector<std::string> names(known.begin(), known.end());
    const std::string hint = nearest_hint(name, names);
    if (!hint.empty() || !folders.empty()) return hint;
    return fmt::format(
        "no library was found: put a folder {}/ beside the scenario, or set WATTLOOP_LIBRARY to a folder that holds "
        "one",
        shelf.folder);
  }

  path scenario_folder_;
  std::vector<path> shared_folders_;
  Problems& problems_;
  std::vector<ReadFile>* files_;
  std::set<std::string> reported_;  ///< files whose missing sources are reported
};

}  // namespace

std::vector<path> library_folders(const path& scenario_folder) {
  std::vector<path> candidates = shared_folders();
  candidates.insert(candidates.begin(), scenario_folder);
  std::vector<path> folders;
  std::error_code ignored;
  for (const path& folder : candidates) {
    if (std::filesystem::is_directory(folder / "hardware", ignored)) folders.push_back(folder);
  }
  return folders;
}

void inline_hardware(Node& root, const path& scenario_folder, Problems& problems, std::vector<ReadFile>* files) {
  Inliner(scenario_folder, problems, files).visit(root, 0);
}

}  // namespace wattloop::twin
