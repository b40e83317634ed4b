// Watts asked of GPUs one by one, instead of those that the work asks: `set: gpus.power, follow: { file: watts.csv }`.
//
//   t_s,row_1.rack_1.node_1.gpu_1,...    seconds after the time of the event, then a column for each GPU in the order of the table `gpus`
//   60,412.5,...                         from there on, to the next row; after the last one, to the end
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/text/problem.hpp"

namespace wattloop::twin {

inline constexpr const char* gpu_power_setting = "gpus.power";

/// [gpu] from that time on.
struct GpuWatts {
  double at_s = 0.0;
  std::shared_ptr<const std::vector<double>> each_w{};
  std::shared_ptr<const std::vector<std::string>> gpus{};  ///< names of the columns; of the first row of a file alone
};

/// Rows with times that increase; what is wrong goes to `problems`.
std::vector<GpuWatts> read_gpu_watts(const std::filesystem::path& file, const Mention& named_at, Problems& problems);

/// The same as text of a file: numbers read back to the same bits.
std::string gpu_watts_text(std::span<const std::string> gpus, std::span<const GpuWatts> rows);

}  // namespace wattloop::twin
