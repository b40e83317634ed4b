// Bus bandwidth over the bytes of a collective, as SVG: lines of a hall, dots of what was measured elsewhere.
#pragma once

#include <string>
#include <vector>

namespace wattloop::twin {

struct BandwidthCurve {
  std::string name{};
  std::vector<double> bytes_b{};  ///< rising
  std::vector<double> bus_b_per_s{};
  bool is_measured = false;
};

/// Empty without a curve.
std::string bandwidth_chart(const std::vector<BandwidthCurve>& curves);

}  // namespace wattloop::twin
