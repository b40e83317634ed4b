#include "api/engine/scenario_files.hpp"

#include <fmt/format.h>

namespace wattloop::engine {

std::filesystem::path place_of(const std::filesystem::path& file) {
  return file.empty() ? file : std::filesystem::absolute(file).lexically_normal();
}

std::string watts_file(const std::filesystem::path& file, const std::vector<twin::GpuWatts>& watts,
                       const twin::Scenario& base) {
  if (watts.empty()) return {};
  const std::filesystem::path folder = std::filesystem::absolute(file).lexically_normal().parent_path();
  const auto is_read = [&](const std::string& name) {
    return base.resolved_text.find((folder / name).string()) != std::string::npos;
  };
  std::string name = file.stem().string() + ".gpu_power.csv";
  for (int number = 2; is_read(name); ++number) name = fmt::format("{}.gpu_power_{}.csv", file.stem().string(), number);
  return name;
}

}  // namespace wattloop::engine
