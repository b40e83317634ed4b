// The picture of `wattloop diagram bus-bandwidth SCENARIO`: bus bandwidth of all-reduce among GPUs of a hall over its bytes, beside measured ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/drawings/charts/bandwidth_chart.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Of its sound links: GPUs of an NVLink domain by ring and, if its switches reduce, in them; all GPUs of equal nodes over rails; then measured ones.
/// Empty without GPUs.
std::vector<BandwidthCurve> bandwidth_curves(const Scenario& scenario);

struct BandwidthPicture {
  std::string svg, title;
};

/// Throws InputError where the hall has no GPUs.
BandwidthPicture bandwidth_picture(const std::filesystem::path& scenario);

}  // namespace wattloop::twin
