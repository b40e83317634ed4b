// What a run of a calibration changes in its base: every path of every parameter, each with its own value and unit.
#include "tests/support/catch.hpp"
#include "twin/calibration/model_runs.hpp"

using namespace wattloop::twin;

TEST_CASE("all paths of a parameter get its value in its unit, and none that of another", "[calibration]") {
  const std::vector<CalibratedParameter> parameters{
      {.name = "fouling", .unit = "K/kW", .paths = {"hall.a", "hall.b", "hall.c"}},
      {.name = "supply", .unit = "degC", .paths = {"hall.d"}},
      {.name = "share", .unit = "", .paths = {"hall.e", "hall.f"}}};
  const std::vector<DocumentChange> changes = changes_at(parameters, {0.25, 31.5, 0.75});
  std::vector<std::string> made;
  for (const DocumentChange& change : changes) made.push_back(change.path + " = " + change.value.text);
  CHECK(made == std::vector<std::string>{"hall.a = 0.25 K/kW", "hall.b = 0.25 K/kW", "hall.c = 0.25 K/kW",
                                         "hall.d = 31.5 degC", "hall.e = 0.75", "hall.f = 0.75"});
}
