// A CDU of a published library [modelica_buildings] as a scenario of ours, by what a run of it records: 6.3 MW on water of 36 degC,
// load in steps of half an hour between 60 and 100 %, films, valve of half authority, pump that holds 50 kPa.
//
// Design point, drops, exponents and control are theirs by their words; the conductance is that of the design point, 6.336 MW over 6 K,
// while their trajectory runs with 0.16 % less, for reasons not found. Compared where load has stood for 20 minutes, ten times the
// integral time of the valve: valve motors differ, theirs with a stroke of 120 s, ours with a lag.
//
// Tolerances: heat 0.5 %, valve and flows 1 %, pump 0.1 %. Flows as shares of the design flow, theirs from the drops of the exchanger; our
// PG25 is lighter by 0.6 %, so that equal volumes, which drops and pump see, are unequal masses.
#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_case.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::tests;

namespace {

constexpr double technology_kg_per_s = 320.235, facility_kg_per_s = 302.814;

bool has_stood(double time_s) {
  constexpr double steps_s[] = {900.0, 2700.0, 4500.0, 6300.0};
  double since_s = time_s;
  for (const double step_s : steps_s) {
    if (time_s > step_s) since_s = time_s - step_s;
  }
  return time_s > steps_s[0] && since_s > 1200.0;
}

/// Share of the design flow; theirs by the quadratic drop of the exchanger.
void check_flow(const PublishedCase& cdu, const char* what, const char* column, const char* drop, double design) {
  for (const double time_s : {2664.0, 4464.0, 6264.0}) {
    INFO(what << " at " << time_s << " s");
    const double is = cdu.ours("cdus", column, time_s) / design, are = std::sqrt(cdu.theirs(drop, time_s) / 80e3);
    CHECK(is == Approx(are).epsilon(0.01));
    if (time_s == 4464.0)
      report_verification({"CDU of a published library at 60 % load", "modelica_buildings",
                           std::string(what) + " over design", is, are, 0.01 * are, "1"});
  }
}

}  // namespace

TEST_CASE("a published CDU moves the heat with the valve, the flows and the pump that it has in a run of ours",
          "[published][data]") {
  const PublishedCase cdu("CDU of a published library under steps of load", "cdu", "cdu_epsntu.csv");
  cdu.check({"heat", "cdus", "heat", "cdu.hex.Q1_flow", 5e-3, "W", true}, has_stood);
  cdu.check({"valve position", "cdus", "valve_position", "cdu.val.y_actual", 1e-2, "1", true}, has_stood);
  cdu.check({"power of the pump", "pumps", "power", "cdu.pum.P", 1e-3, "W", true}, has_stood);
  check_flow(cdu, "facility flow", "facility_flow", "cdu.hex.dp1", facility_kg_per_s);
  check_flow(cdu, "technology flow", "flow", "cdu.hex.dp2", technology_kg_per_s);
  // Where the valve is wide open the supply misses its set-point by what the exchanger cannot do.
  cdu.check({"coolant that leaves", "cdus", "supply_temperature", "senTRac_a.T", 25e-3, "K"}, has_stood);
  cdu.check({"coolant that returns", "cdus", "return_temperature", "senTRac_b.T", 25e-3, "K"}, has_stood);
}
