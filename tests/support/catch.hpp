// Catch2, version 2 or 3, and what Wattloop's tests add: skipping with a reason.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <optional>
#include <string>

namespace wattloop::tests {

/// Ends the running test case as skipped; CTest counts it by the exit code 77.
[[noreturn]] void skip(const std::string& reason);

/// Folder of the reference data, `$WATTLOOP_REFERENCE_DATA`; skips the test case where it is not set.
std::string reference_data();

}  // namespace wattloop::tests
