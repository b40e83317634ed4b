// Which GPUs of a run were below full clock because of their temperature, when first, and how each differs from the mean of its kind.
#pragma once

#include <string>
#include <vector>

namespace wattloop::twin {

/// Of all GPUs of a hall, [gpu] in each; empty where none was below full clock.
struct GpuThrottles {
  std::vector<std::string> names{};
  std::vector<double> first_s{};                                          ///< NaN: never
  std::vector<double> resistance_ratio{}, flow_ratio{}, leakage_ratio{};  ///< over the mean of its kind
};

}  // namespace wattloop::twin
