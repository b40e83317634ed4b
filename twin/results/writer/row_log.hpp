// Rows of results as they come, in a plain file beside them: what a results file, which is readable only when it is closed, cannot give
// back after a kill. Checkpoints know how long it was when they were made; what was added since is cut off.
//
//   frame: size of its bytes (8), their CRC-32 (4), bytes; in them rows: table (4), values (4), time in s (8), values (4 each)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "twin/platform/system_file.hpp"

namespace wattloop::twin {

/// All functions throw FileError.
class RowLog {
 public:
  /// A new file, which replaces an existing one; or the existing file, cut off at `bytes`.
  explicit RowLog(const std::filesystem::path& file);
  RowLog(const std::filesystem::path& file, std::uintmax_t bytes);

  void add(std::size_t table, double time_s, std::span<const float> values);

  /// Waits until all rows are on the disk. Returns the length of the file.
  std::uintmax_t keep();

 private:
  void write();

  SystemFile file_;
  std::string bytes_;  ///< not yet written
};

/// Every row of the first `bytes` of a log, in the order in which they came.
void for_each_row(const std::filesystem::path& file, std::uintmax_t bytes,
                  const std::function<void(std::size_t table, double time_s, std::span<const float> values)>& take);

}  // namespace wattloop::twin
