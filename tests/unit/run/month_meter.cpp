// Months of a run by hand: what ends at midnight on the first of a month is of the month before, what begins there of the next.
#include "twin/run/meters/month_meter.hpp"

#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;

TEST_CASE("a month has the peak of its own intervals, where one ends at its midnight as where one spans it",
          "[months]") {
  const std::vector<double> begin{0.0}, midnight{10.0}, end{30.0};
  MonthMeter met("2026-01-31T23:00:00"), spanned("2026-01-31T23:30:00");
  met.observe(0.0, begin, {});
  met.observe(3600.0, midnight, {24e3, 20e3});
  met.observe(7200.0, end, {66e3, 60e3});
  REQUIRE(met.months().size() == 2);
  CHECK((met.months()[0].peak.facility_w == 24e3 && met.months()[0].peak.utility_w == 20e3));
  CHECK((met.months()[1].peak.facility_w == 66e3 && met.months()[1].peak.utility_w == 60e3));
  CHECK((met.months()[0].amount(0) == 10.0 && met.months()[1].amount(0) == 20.0));
  spanned.observe(0.0, begin, {});
  spanned.observe(3600.0, end, {66e3, 60e3});
  REQUIRE(spanned.months().size() == 2);
  for (const MonthMeter::Month& month : spanned.months())
    CHECK((month.peak.facility_w == 66e3 && month.amount(0) == 15.0));
}

TEST_CASE("an interval over midnight is shared by its own length, though the month began long before", "[months]") {
  MonthMeter meter("2026-01-31T22:30:00");
  meter.observe(0.0, std::vector{0.0}, {});
  meter.observe(3600.0, std::vector{12.0}, {});
  meter.observe(7200.0, std::vector{32.0}, {});  // half of these 20 before midnight at 5400 s
  REQUIRE(meter.months().size() == 2);
  CHECK(meter.months()[0].amount(0) == 22.0);
  CHECK(meter.months()[1].amount(0) == 10.0);
}
