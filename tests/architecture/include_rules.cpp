#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

/// What a folder's code may include, besides its own.
const std::map<std::string, std::set<std::string>> allowed_folders{
    {"core", {}},
    {"physics", {"core"}},
    {"electrical", {"core"}},
    {"network", {"core"}},
    {"workload", {"core"}},
    {"twin", {"core", "physics", "electrical", "network", "workload"}},
    {"viz", {"core", "physics", "electrical", "network", "workload", "twin"}},
    {"api", {"core", "physics", "electrical", "network", "workload", "twin"}},
    {"python", {}},
};

/// Rooms of a folder: each knows those above it.
struct Rooms {
  std::string folder;
  std::vector<std::string> names;

  /// Number of the room that a path below the folder is in; `names.size()` where it is in none.
  std::size_t room_of(const std::string& path) const {
    const std::size_t first = folder.size() + 1, end = path.find('/', first);
    if (end == std::string::npos) return names.size();
    const auto place = std::ranges::find(names, std::string_view(path).substr(first, end - first));
    return static_cast<std::size_t>(place - names.begin());
  }
};

/// Rooms of a folder, in the order of cmake/rooms.cmake.
Rooms rooms_of(const std::string& folder) {
  std::ifstream file(std::string(WATTLOOP_SOURCE_DIR) + "/cmake/rooms.cmake");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string before = "set(WATTLOOP_ROOMS_" + folder + " ";
  const std::size_t begin = text.find(before), end = text.find(')', begin);
  if (begin == std::string::npos) throw std::runtime_error("cmake/rooms.cmake has no rooms of " + folder);
  std::istringstream words(text.substr(begin + before.size(), end - begin - before.size()));
  return {folder, {std::istream_iterator<std::string>(words), {}}};
}

const std::vector<Rooms>& houses() {
  static const std::vector<Rooms> all{rooms_of("twin"), rooms_of("physics"), rooms_of("viz"),
                                      Rooms{"api", {"include", "engine", "library"}}};
  return all;
}

/// Folders with rooms and with files beside these.
const std::vector<Rooms>& partly_divided() {
  static const std::vector<Rooms> all{rooms_of("electrical"), rooms_of("network"), rooms_of("workload")};
  return all;
}

/// Those of a folder that CMake compiles one by one; null where it compiles the folder as a whole.
const Rooms* compiled_rooms_of(const std::string& folder) {
  for (const std::vector<Rooms>* all : {&houses(), &partly_divided()}) {
    const auto found = std::ranges::find(*all, folder, &Rooms::folder);
    if (found != all->end()) return &*found;
  }
  return nullptr;
}

/// Rooms inside a room, in their order. Files that stand beside them know all of them, and none of them knows such a file.
const std::array inner_rooms{
    Rooms{"core", {"text", "units", "numbers", "parts", "tables"}},
    Rooms{"twin/scenario", {"specs", "library", "sections", "checks", "explain"}},
    Rooms{"twin/run", {"meters", "figures", "recording"}},
    Rooms{"twin/report", {"events", "charts", "run", "study"}},
    Rooms{"twin/results", {"hdf5", "schema", "writer", "reader"}},
    Rooms{"twin/study", {"draws", "runs", "plan", "tables"}},
    Rooms{"twin/actions", {"events", "weather", "work", "jobs", "power", "staging"}},
    Rooms{"twin/planning", {"events", "weather", "work"}},
    Rooms{"twin/plant", {"equipment", "state", "snapshot"}},
    Rooms{"twin/build", {"floor", "assembly", "templates"}},
    Rooms{"twin/integration", {"core", "units", "steady"}},
    Rooms{"twin/drawings", {"names", "colours", "charts", "diagrams"}},
    Rooms{"twin/imports", {"telemetry", "jobs"}},
    Rooms{"twin/commands", {"program", "results", "run", "studies", "halls"}},
};

/// Headers of a third party, and the files that may include them.
struct ThirdParty {
  std::regex header;
  std::regex where;
};

const std::array third_parties{
    ThirdParty{std::regex("(sundials|cvodes?|arkode|nvector|sunmatrix|sunlinsol|sunnonlinsol)/.*"),
               std::regex("twin/integration/(core/)?integrator.*\\.cpp")},
    ThirdParty{std::regex("klu\\.h"), std::regex("core/numbers/(sparse|conditioned)_factors\\.cpp")},
    ThirdParty{std::regex("hdf5(_hl)?\\.h|H5.*"), std::regex("twin/results/hdf5/hdf5_file.*")},
    ThirdParty{std::regex("libdeflate\\.h"),
               std::regex("twin/(results/hdf5/chunk_compression|platform/system_file)\\.cpp")},
    ThirdParty{std::regex("zlib\\.h"), std::regex("core/text/packed_text\\.cpp")},
    ThirdParty{std::regex("yaml-cpp/.*"), std::regex("twin/document/(document|yaml_text)\\.cpp")},
    ThirdParty{std::regex("udunits2\\.h"), std::regex("core/units/units\\.cpp")},
    ThirdParty{std::regex("boost/.*"), std::regex("(physics|electrical|network|twin)/.*\\.cpp")},
    ThirdParty{
        std::regex("(unsupported/)?Eigen/.*"),
        std::regex("twin/calibration/(least_squares|fit_uncertainty)\\.cpp|twin/report/charts/power_shape\\.cpp")},
    ThirdParty{std::regex("omp\\.h"), std::regex("(twin|api/engine|workload|tests/.*)/.*\\.cpp")},
    ThirdParty{std::regex("vtk.*"), std::regex("(viz|tests/views)/.*")},
    ThirdParty{std::regex("(CLI|nlohmann)/.*"), std::regex("(twin|viz|api/library|tests/.*)/.*\\.cpp")},
    ThirdParty{std::regex("mpi\\.h"), std::regex("twin/commands/studies/study.*\\.cpp")},
    ThirdParty{std::regex("fmt/.*"), std::regex(".*\\.cpp|tests/support/.*")},
    ThirdParty{std::regex("wattloop/.*"),
               std::regex("(api/(include|library)|python|bench|tests/(library|outside))/.*")},
    ThirdParty{std::regex("pybind11/.*"), std::regex("python/module\\.cpp")},
    ThirdParty{std::regex("catch2/.*"), std::regex("tests/support/catch\\.hpp")},
    ThirdParty{std::regex("benchmark/.*"), std::regex("bench/.*\\.cpp")},
};

/// Headers of the operating system: the only others with a '/' or a '.'.
const std::regex system_header(
    "(sys/.*|unistd|fcntl|dlfcn|signal|termios|spawn|poll|dirent|execinfo|malloc|stdlib|immintrin)(\\.h)?");

std::string folder_of(const std::string& path) { return path.substr(0, path.find('/')); }

/// Whether a path is inside of a folder, at any depth.
bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

struct Include {
  std::string header;
  bool is_quoted;
};

std::optional<Include> include_of(const std::string& line) {
  static const std::regex pattern(R"re(\s*#\s*include\s*(["<])([^">]+)[">].*)re");
  std::smatch match;
  if (!line.starts_with('#') && line.find("include") == std::string::npos) return {};
  if (!std::regex_match(line, match, pattern)) return {};
  return Include{match[2], match[1] == "\""};
}

std::string third_party_reason(const TextFile& file, const std::string& header) {
  for (const ThirdParty& party : third_parties) {
    if (!std::regex_match(header, party.header)) continue;
    if (std::regex_match(file.path, party.where)) return {};
    return fmt::format("<{}> is not for this file", header);
  }
  const bool is_ours_or_standard = header.find_first_of("/.") == std::string::npos;
  if (is_ours_or_standard || std::regex_match(header, system_header)) return {};
  return fmt::format("<{}> belongs to no third party in the table of tests/architecture/include_rules.cpp", header);
}

}  // namespace

Violations layer_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    const std::string folder = folder_of(file.path);
    const auto allowed = allowed_folders.find(folder);
    if (!file.is_code() || allowed == allowed_folders.end()) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::optional<Include> include = include_of(file.lines[i]);
      if (!include || !include->is_quoted) continue;
      const std::string other = folder_of(include->header);
      if (other == folder || allowed->second.contains(other)) continue;
      found.push_back(violation(file, i, fmt::format("{} must not know \"{}\"", folder, include->header)));
    }
  }
  return found;
}

static Violations violations_in(const Rooms& rooms, const Project& project) {
  Violations found;
  std::set<std::size_t> used, described;
  for (const TextFile& file : project.files) {
    if (!is_below(file.path, rooms.folder)) continue;
    const std::size_t room = rooms.room_of(file.path);
    if (room == rooms.names.size()) {
      found.push_back(violation(file, 0, fmt::format("stands in no room of {}/", rooms.folder)));
      continue;
    }
    if (file.path.ends_with("/README.md")) {
      described.insert(room);
      if (file.lines.size() > 15) found.push_back(violation(file, 15, "a room is described in at most 15 lines"));
    }
    if (!file.is_code()) continue;
    used.insert(room);
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::optional<Include> include = include_of(file.lines[i]);
      if (!include || !include->is_quoted || !is_below(include->header, rooms.folder)) continue;
      if (rooms.room_of(include->header) <= room) continue;
      found.push_back(violation(
          file, i, fmt::format("{}/{} must not know \"{}\"", rooms.folder, rooms.names[room], include->header)));
    }
  }
  for (const std::size_t room : used) {
    if (!described.contains(room))
      found.push_back(fmt::format("{}/{} has no README.md", rooms.folder, rooms.names[room]));
  }
  return found;
}

static Violations violations_inside(const Rooms& rooms, const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!is_below(file.path, rooms.folder) || !file.is_code()) continue;
    const std::size_t room = rooms.room_of(file.path);
    const std::string where = file.path.substr(0, file.path.rfind('/'));
    if (room == rooms.names.size() && where != rooms.folder)
      found.push_back(violation(file, 0, fmt::format("{} is no room of {}", where, rooms.folder)));
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::optional<Include> include = include_of(file.lines[i]);
      if (!include || !include->is_quoted || !is_below(include->header, rooms.folder)) continue;
      if (rooms.room_of(include->header) <= room) continue;
      found.push_back(violation(file, i, fmt::format("{} must not know \"{}\"", where, include->header)));
    }
  }
  return found;
}

Violations full_room_violations(const Project& project) {
  constexpr std::size_t most_sources = 36;
  std::map<std::string, std::size_t> sources;
  for (const TextFile& file : project.files) {
    if (file.is_code()) ++sources[file.path.substr(0, file.path.rfind('/'))];
  }
  Violations found;
  for (const auto& [folder, count] : sources) {
    if (count > most_sources)
      found.push_back(fmt::format("{} has {} sources; a folder has {} at most", folder, count, most_sources));
  }
  return found;
}

std::vector<std::string> compiled_rooms() {
  std::vector<std::string> found;
  for (const auto& [folder, allowed] : allowed_folders) {
    if (folder == "api" || folder == "python") continue;  // a whole of cmake/library.cmake; without headers of ours
    found.push_back(folder);
    const Rooms* rooms = compiled_rooms_of(folder);
    if (rooms == nullptr) continue;
    for (const std::string& name : rooms->names) found.push_back(folder + "/" + name);
  }
  return found;
}

bool is_in_reach(const std::string& header, const std::string& room) {
  const std::string own = folder_of(room), other = folder_of(header);
  if (other != own) return allowed_folders.at(own).contains(other);
  const Rooms* rooms = compiled_rooms_of(own);
  return rooms == nullptr || rooms->room_of(header) <= rooms->room_of(room + "/");
}

Violations room_violations(const Project& project) {
  Violations found;
  for (const Rooms& rooms : houses()) std::ranges::copy(violations_in(rooms, project), std::back_inserter(found));
  for (const Rooms& rooms : partly_divided())
    std::ranges::copy(violations_inside(rooms, project), std::back_inserter(found));
  for (const Rooms& rooms : inner_rooms)
    std::ranges::copy(violations_inside(rooms, project), std::back_inserter(found));
  return found;
}

Violations third_party_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.is_code()) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::optional<Include> include = include_of(file.lines[i]);
      if (!include || include->is_quoted) continue;
      const std::string reason = third_party_reason(file, include->header);
      if (!reason.empty()) found.push_back(violation(file, i, reason));
    }
  }
  return found;
}

}  // namespace wattloop::tests
