#include "core/text/nearest_file.hpp"

#include <vector>

#include <fmt/format.h>

#include "core/text/nearest.hpp"

namespace wattloop {

namespace fs = std::filesystem;

std::string nearest_file_hint(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return fmt::format("there is no folder '{}'", folder.string());
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  const std::string best = nearest(file.filename().string(), names);
  return best.empty() ? std::string() : fmt::format("did you mean '{}'?", (file.parent_path() / best).string());
}

}  // namespace wattloop
