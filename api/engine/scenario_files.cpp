#include "api/engine/scenario_files.hpp"

namespace wattloop::engine {

std::string watts_file(const std::filesystem::path& file, const std::vector<twin::GpuWatts>& watts) {
  return watts.empty() ? std::string() : file.stem().string() + ".gpu_power.csv";
}

}  // namespace wattloop::engine
