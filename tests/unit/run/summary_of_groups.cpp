// Figures of the summary of a hall whose racks are of two kinds, against what each kind has by itself.
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/records/recorded_run.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

double number_of(const tests::RecordedRun& run, const std::string& name) {
  for (const NamedValue& value : run.summary)
    if (value.name == name) return std::get<double>(value.value);
  FAIL("no value " << name);
  return 0.0;
}

/// Two racks that do the same work; firmware of the second throttles and slows down at dies that much cooler.
Scenario two_kinds(double cooler_k) {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 10.0;
  RacksSpec second = scenario.racks.front();
  scenario.racks.front().name = "first";
  second.name = "second";
  second.hardware.protection.throttle_k -= cooler_k;
  second.hardware.protection.slowdown_k -= cooler_k;
  scenario.racks.push_back(second);
  return scenario;
}

}  // namespace

TEST_CASE("margins to firmware are those of the kind of racks that is nearest to its own limit", "[summary]") {
  const tests::TemporaryFolder folder;
  const tests::RecordedRun alike = tests::record_run(two_kinds(0.0), folder / "alike.h5"),
                           unlike = tests::record_run(two_kinds(10.0), folder / "unlike.h5");
  CHECK(number_of(unlike, "peak_die_temperature") == Approx(number_of(alike, "peak_die_temperature")).margin(1e-6));
  for (const char* margin : {"smallest_throttle_margin", "smallest_slowdown_margin"}) {
    INFO(margin);
    CHECK(number_of(unlike, margin) == Approx(number_of(alike, margin) - 10.0).margin(0.5));
  }
}
