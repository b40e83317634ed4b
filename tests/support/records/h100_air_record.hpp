// Eight H100 SXM5 in an air-cooled node: power and temperature at 10 Hz, [gpu_telemetry_h100_10hz], as means of 2 s.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace wattloop::tests {

constexpr std::size_t h100_count = 8;
constexpr double h100_interval_s = 2.0;

/// Places of the GPUs in the air, reported by their temperatures: half of them breathe what the others have warmed.
constexpr std::array<bool, h100_count> is_downstream_h100{true, false, false, true, true, false, true, false};

struct H100Means {
  std::array<double, h100_count> power_w{};
  std::array<double, h100_count> die_k{};
};

/// Every interval of a run ("t2", "t3"); skips the test where there are no reference data.
std::vector<H100Means> read_h100_air_record(const std::string& run);

}  // namespace wattloop::tests
