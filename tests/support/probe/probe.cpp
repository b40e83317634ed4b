// Cases that skip, fail and pass on purpose: tests/CMakeLists.txt runs them and checks the exit codes of our
// main.
#include "tests/support/catch.hpp"

namespace wattloop::tests {

TEST_CASE("skips") { skip("on purpose"); }

TEST_CASE("skips in a section") {
  SECTION("first") { skip("on purpose"); }
  SECTION("second") { CHECK(1 == 1); }
}

TEST_CASE("fails and skips") {
  CHECK(1 == 2);
  skip("on purpose");
}

TEST_CASE("passes") { CHECK(1 == 1); }

TEST_CASE("needs data") {
  const std::string folder = reference_data();
  CHECK_FALSE(folder.empty());
}

}  // namespace wattloop::tests
