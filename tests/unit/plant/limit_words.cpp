// A value and its limit in words have enough digits to differ. Expected texts are written by hand.
#include "twin/plant/state/limit_words.hpp"

#include "core/units/quantity_digits.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("a value beside its limit has as many digits as show the difference", "[limit_words]") {
  const ValueAndLimit heat = value_and_limit(1.36842e6, 1.368e6, "W");
  CHECK(heat.value == "1.3684 MW");
  CHECK(heat.limit == "1.368 MW");
  const ValueAndLimit air = value_and_limit(273.15 + 40.0012, 273.15 + 40.0, "K");
  CHECK(air.value == "40.001 degC");
  CHECK(air.limit == "40 degC");
  const ValueAndLimit load = value_and_limit(1.25004, 1.25, "1");
  CHECK(load.value == "125.004 %");
  CHECK(load.limit == "125.000 %");
}

TEST_CASE("a value that is far from its limit keeps the usual digits, and equal ones are equal", "[limit_words]") {
  const ValueAndLimit far = value_and_limit(2.3887e6, 1.368e6, "W");
  CHECK(far.value == "2.389 MW");
  CHECK(far.limit == "1.368 MW");
  CHECK(value_and_limit(1.0, 1.0, "1").value == "100.0 %");
  CHECK(value_and_limit(1.368e6 * (1.0 + 1e-13), 1.368e6, "W").value == "1.368 MW");
  CHECK(limit_words(1.243, "1") == "124.3 %");
}

TEST_CASE("a quantity has the number of digits that is asked for", "[limit_words]") {
  CHECK(format_quantity_digits(1.36842e6, "W", 4) == format_quantity(1.36842e6, "W"));
  CHECK(format_quantity_digits(1.36842e6, "W", 6) == "1.36842 MW");
  CHECK(format_quantity_digits(45.678e3, "Pa", 3) == "45.7 kPa");
  CHECK(format_quantity_digits(0.0, "W", 9) == "0 W");
}
