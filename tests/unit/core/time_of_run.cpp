// Moments of a run to the second.
#include "core/tables/time_of_run.hpp"

#include "tests/support/catch.hpp"

using wattloop::time_of_run;

TEST_CASE("moments of a run are reported to the second, however late", "[time_of_run]") {
  CHECK(time_of_run(0.0) == "0 s");
  CHECK(time_of_run(12.5) == "12.5 s");
  CHECK(time_of_run(78.0) == "1 min 18 s");
  CHECK(time_of_run(3600.0) == "1 h");
  CHECK(time_of_run(50400.0) == "14 h");
  CHECK(time_of_run(50410.0) == "14 h 0 min 10 s");
  CHECK(time_of_run(50460.0) == "14 h 1 min");
  CHECK(time_of_run(86410.0) == "1 d 0 h 0 min 10 s");
  CHECK(time_of_run(7383900.0) == "85 d 11 h 5 min");
  CHECK(time_of_run(-1.0) == "-1 s");
}
