// Whether two runs gave the same data: every group, dataset, unit and value, byte for byte.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

struct ResultsEquality {
  bool equal = true;
  std::string difference;  ///< the first one found: "racks/it_power[time 12, item 3]: 1.5 and 1.6"
  explicit operator bool() const { return equal; }
};

/// Leaves out what may differ between equal runs: `/provenance` and `summary/wall_time`. Throws `FileError`
/// where a file cannot be read.
ResultsEquality results_equal(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace wattloop::twin
