// scripts/verification_table refuses what docs/verification.md must not have: a row twice, a row that does not say how it is independent.
#include <cstdlib>

#include "tests/architecture/planted_project.hpp"
#include "tests/support/catch.hpp"

namespace wattloop::tests {

namespace {

bool is_accepted(const std::string& rows) {
  PlantedProject planted;
  planted.plant("rows", rows);
  const std::string script = std::string(WATTLOOP_SOURCE_DIR) + "/scripts/verification_table";
  return std::system((script + " --check " + (planted.root() / "rows").string() + " 2>/dev/null").c_str()) == 0;
}

std::string row(const std::string& name, const std::string& source, const std::string& quantity,
                const std::string& kind = "") {
  return name + "\t" + source + "\t" + quantity + "\t1\t1\t0.1\tK\t" + kind + "\n";
}

}  // namespace

TEST_CASE("a verification row that is there twice is refused") {
  CHECK(
      is_accepted(row("a", "closed form", "heat") + row("a", "closed form", "flow") + row("b", "closed form", "heat")));
  CHECK_FALSE(is_accepted(row("a", "closed form", "heat") + row("b", "closed form", "heat") +
                          row("a", "reference integrator", "heat")));
}

TEST_CASE("a verification row whose source is of no known kind is refused") {
  CHECK_FALSE(is_accepted(row("a", "engineering_estimate", "heat")));
  CHECK(is_accepted(row("a", "engineering_estimate", "heat", "published")));
  CHECK_FALSE(is_accepted(row("a", "closed form", "heat", "nearly independent")));
}

}  // namespace wattloop::tests
