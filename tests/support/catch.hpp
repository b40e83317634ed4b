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

/// Ends the running test case, or its running section, as skipped. A check that failed before still counts as
/// failed.
[[noreturn]] void skip(const std::string& reason);

/// Folder of the reference data, `$WATTLOOP_REFERENCE_DATA`; skips the test case where it is not set. Call it
/// outside of CHECK and REQUIRE: inside, a skip is a failed check.
std::string reference_data();

}  // namespace wattloop::tests
