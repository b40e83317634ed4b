#include "twin/document/named_file.hpp"

#include <fmt/format.h>

#include "core/text/nearest_file.hpp"

namespace wattloop::twin {

std::optional<std::filesystem::path> find_named_file(const Node& map, std::string_view key, std::string_view what,
                                                     Problems& problems) {
  const Node* name = find(map, key);
  if (name == nullptr || !name->is_scalar() || name->text.empty()) return std::nullopt;
  if (name->text.find("${") != std::string::npos) return std::nullopt;  // a variable that is not set has been reported
  std::filesystem::path file = named_file(*name);
  if (!std::filesystem::exists(file)) {
    const std::filesystem::path folder = file.parent_path();
    const bool has_folder = folder.empty() || std::filesystem::is_directory(folder);
    const std::string near = has_folder ? nearest_file_hint(file) : "";
    problems.add(
        problem_at(*name, fmt::format("{}: {}: no such file", key, describe(*name)),
                   near.empty() ? fmt::format("a {} is looked for relative to the file that names it", what) : near));
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(file)) {
    problems.add(problem_at(*name, fmt::format("{}: {} is not a file", key, describe(*name))));
    return std::nullopt;
  }
  return file;
}

}  // namespace wattloop::twin
