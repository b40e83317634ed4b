// Who asks for inch-pound units gets no kelvins: margins of dies are differences of temperatures.
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

namespace {

std::string summary_of(const std::string& units) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "--set", "duration=1 min",
                                      "-o", "own.h5", "--full", "--units", units});
  REQUIRE(outcome.exit_code == 0);
  return outcome.output;
}

/// Margin to throttling and to half clock in `unit`.
std::pair<double, double> margins(const std::string& summary, const std::string& unit) {
  const std::regex line("margin +([0-9.]+) " + unit + " to throttling, ([0-9.]+) " + unit + " to half clock");
  std::smatch found;
  REQUIRE(std::regex_search(summary, found, line));
  return {std::stod(found[1]), std::stod(found[2])};
}

}  // namespace

TEST_CASE("margins of dies are in degF for who asks for inch-pound units", "[cli][units]") {
  const std::string metric = summary_of("metric"), inch_pound = summary_of("ip");
  const auto [throttle_k, half_k] = margins(metric, "K");
  const auto [throttle_f, half_f] = margins(inch_pound, "degF");
  CHECK(throttle_f == Approx(1.8 * throttle_k).margin(0.05 + 1.8 * 0.05));
  CHECK(half_f == Approx(1.8 * half_k).margin(0.05 + 1.8 * 0.05));
  CHECK(half_k - throttle_k == Approx(2.0).margin(0.11));  // 87 and 89 degC
  CHECK(inch_pound.find("degC") == std::string::npos);
  CHECK(inch_pound.find(" K ") == std::string::npos);
}
