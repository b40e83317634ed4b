// What the two sides of hdf5_file share: one lock, checked calls, types. Included by hdf5_file*.cpp only.
#pragma once

#include <hdf5.h>
#include <hdf5_hl.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "twin/results/hdf5/hdf5_file.hpp"

namespace wattloop::twin {

/// Holds the library for the calling thread and keeps it from printing its own error reports.
class Hdf5Lock {
 public:
  Hdf5Lock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// What went wrong in the last call: the operating system's words ("No space left on device"), else the
/// library's.
std::string hdf5_error_text();

/// Throws FileError "cannot DOING FILE: reason".
[[noreturn]] void throw_hdf5_error(std::string_view doing, const std::filesystem::path& file);

/// Passes identifiers and results through, negative ones throw. `doing` is "write" or "read".
template <class Result>
Result checked(Result result, std::string_view doing, const std::filesystem::path& file) {
  if (result < 0) throw_hdf5_error(doing, file);
  return result;
}

/// Type of numbers in memory; in the file they stand in little-endian order.
hid_t memory_type(Hdf5Type type);
hid_t file_type(Hdf5Type type);

/// A byte of a text, as netCDF has characters.
Hdf5Handle character_type();

/// UTF-8 text: of variable length for datasets, of its own length for attributes.
Hdf5Handle text_type(std::size_t length);

/// How the name of a dimension without coordinate values begins in netCDF-4 files.
inline constexpr std::string_view empty_scale_mark = "This is a netCDF dimension but not a netCDF variable.";

}  // namespace wattloop::twin
