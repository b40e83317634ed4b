// `wattloop calibrate`: a laboratory loop fitted on half of its record and predicted on the other, mistakes at their place.
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using Json = nlohmann::json;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";

}  // namespace

TEST_CASE("a laboratory loop fitted in its first half predicts the second within 1.5 K", "[cli][calibration]") {
  reference_data();
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome =
      folder.run({"calibrate", scenarios + "calibration/lab_loop_fit.yaml", "--json", "-q", "--threads", "2"});
  INFO(outcome.errors << outcome.output);
  REQUIRE(outcome.exit_code == 2);  // residuals drift: no interval is narrower than its bounds
  const Json found = Json::parse(outcome.output);
  CHECK(found["converged"] == true);
  const Json& predicted = found["series"][0]["predicted"][0];
  CHECK(predicted["points"].get<int>() > 80);
  CHECK(predicted["rmse"].get<double>() < 1.5);
  CHECK(found["series"][0]["fitted"][0]["rmse"].get<double>() < 0.3);
  CHECK(found["parameters"]["film"]["state"] == "too_wide");
}

TEST_CASE("mistakes of a calibration are reported at their lines, all at once", "[cli][calibration]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("m.csv", "t,T\n1,20\n2,21\n");
  folder.write("bad.yaml", "base: " + scenarios +
                               "one_rack.yaml\n"
                               "parameters:\n"
                               "  a: { path: hall.racks.nodes, from: 8, to: 4 }\n"
                               "  b: { path: hall.cooling.loops.volume, from: 50 L, to: 0.1 m3 }\n"
                               "measured: m.csv\n"
                               "map: { time: { column: t, unit: s }, series: [] }\n"
                               "fitt: { to: 1 s }\n");
  const Outcome outcome = folder.run({"calibrate", "bad.yaml"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("bad.yaml:3") && Contains("write an upper bound above the lower bound"));
  CHECK_THAT(outcome.errors, Contains("bad.yaml:4") && Contains("write all in one unit"));
  CHECK_THAT(outcome.errors, Contains("bad.yaml:7") && Contains("did you mean 'fit'?"));
}
