// Ramps and temporary settings by hand: where a setting stands, second by second, under the rules of docs/step_contract.md.

#include "twin/plant/state/setting_course.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::twin;

namespace {

/// 32 until 100 s, then to 36 by 200 s.
SettingCourse rising() {
  SettingCourse course{.lasting = {32.0, 32.0, 0.0, 0.0}};
  set_lasting(course, 36.0, 100.0, 100.0);
  return course;
}

}  // namespace

TEST_CASE("a ramp is linear from the value it found to the one it was given, and exact at both", "[settings]") {
  const SettingCourse course = rising();
  CHECK(course.at(100.0) == 32.0);
  CHECK(course.at(125.0) == 33.0);
  CHECK(course.at(150.0) == 34.0);
  CHECK(course.at(200.0) == 36.0);
  CHECK(course.at(1e6) == 36.0);
  CHECK(course.moves_after(199.0));
  CHECK_FALSE(course.moves_after(200.0));
  const Ramp thirds{0.1, 0.7, 0.0, 3.0};
  CHECK(thirds.at(3.0) == 0.7);  // not 0.1 + (0.7 - 0.1)
}

TEST_CASE("after a temporary setting a ramp is where it would be without it", "[settings]") {
  SettingCourse course = rising();
  SECTION("while the ramp is under way") {
    set_temporary(course, 1, {33.0, 40.0, 125.0, 125.0});
    CHECK(course.at(125.0) == 40.0);
    CHECK(course.at(149.0) == 40.0);
    CHECK(end_temporary(course, 1, 150.0, 0.0));
    CHECK(course.at(150.0) == 34.0);
    CHECK(course.at(175.0) == 35.0);
    CHECK(course.temporary.empty());
  }
  SECTION("after it") {
    set_temporary(course, 1, {33.0, 40.0, 125.0, 125.0});
    CHECK(end_temporary(course, 1, 300.0, 0.0));
    CHECK(course.at(300.0) == 36.0);
    CHECK_FALSE(course.moves_after(300.0));
  }
}

TEST_CASE("a temporary setting with a ramp leaves as it came, onto the course below", "[settings]") {
  SettingCourse course = rising();
  set_temporary(course, 7, {33.0, 41.0, 125.0, 133.0});
  CHECK(course.at(129.0) == 37.0);
  CHECK(course.at(133.0) == 41.0);
  CHECK(end_temporary(course, 7, 142.0, 16.0));
  CHECK(course.at(142.0) == 41.0);
  CHECK(course.at(150.0) == 0.5 * (41.0 + 34.0));
  CHECK(course.at(158.0) == Approx(32.0 + 4.0 * 0.58).epsilon(1e-15));
  CHECK(course.moves_after(157.0));
  drop_gone(course, 158.0);
  CHECK(course.temporary.empty());
}

TEST_CASE("a temporary setting whose end comes before that of its ramp leaves from where it has come to",
          "[settings]") {
  SettingCourse course{.lasting = {20.0, 20.0, 0.0, 0.0}};
  set_temporary(course, 1, {20.0, 30.0, 0.0, 100.0});
  CHECK(end_temporary(course, 1, 40.0, 100.0));
  CHECK(course.at(40.0) == 24.0);
  CHECK(course.at(90.0) == 22.0);
  CHECK(course.at(140.0) == 20.0);
}

TEST_CASE("of two temporary settings the later is in force, whichever ends first", "[settings]") {
  SettingCourse course{.lasting = {20.0, 20.0, 0.0, 0.0}};
  set_temporary(course, 1, {20.0, 25.0, 0.0, 0.0});
  set_temporary(course, 2, {25.0, 28.0, 10.0, 10.0});
  CHECK(course.at(10.0) == 28.0);
  SECTION("the earlier ends first") {
    CHECK(end_temporary(course, 1, 20.0, 0.0));
    CHECK(course.at(20.0) == 28.0);
    CHECK(end_temporary(course, 2, 30.0, 0.0));
  }
  SECTION("the later ends first") {
    CHECK(end_temporary(course, 2, 20.0, 0.0));
    CHECK(course.at(20.0) == 25.0);
    CHECK(end_temporary(course, 1, 30.0, 0.0));
  }
  CHECK(course.at(30.0) == 20.0);
}

TEST_CASE("what is set for good stays when a temporary setting of before would end", "[settings]") {
  SettingCourse course{.lasting = {20.0, 20.0, 0.0, 0.0}};
  set_temporary(course, 1, {20.0, 25.0, 0.0, 0.0});
  set_lasting(course, 23.0, 10.0, 10.0);
  CHECK(course.at(10.0) == 25.0);  // from where it stands
  CHECK(course.at(15.0) == 24.0);
  CHECK_FALSE(end_temporary(course, 1, 18.0, 0.0));
  CHECK(course.at(20.0) == 23.0);
}
