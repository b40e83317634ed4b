// The last line of a results file: a checksum of all bytes before it, so that every reader notices a changed one, wherever it
// is. Other readers do not see the line: HDF5 says itself where its data end.
#pragma once

#include <filesystem>

namespace wattloop::twin {

/// What the file's own attribute of that name says to those who read it with other programs.
inline constexpr const char* seal_attribute = "wattloop_seal";
inline constexpr const char* seal_description = "the last line holds the CRC-32 of all bytes before it";

/// Appends the line to a file that is closed. Throws FileError.
void seal_results(const std::filesystem::path& file);

/// True where the file ends in the line and holds what was written; false where it ends in none. Throws FileError where a byte
/// differs. Reads the whole file: some 50 ms for 100 MB that were just written.
bool is_sealed(const std::filesystem::path& file);

/// The variable of the environment that lets files be read that have no valid seal; it holds seconds of processor time that reading may
/// take, 0 for any.
inline constexpr const char* trust_variable = "WATTLOOP_TRUST_RESULTS";

/// Throws FileError unless the file has a valid seal, or `trust_variable` is set: HDF5 crashes on damaged files, and damaged numbers look
/// like others.
void demand_seal(const std::filesystem::path& file);

}  // namespace wattloop::twin
