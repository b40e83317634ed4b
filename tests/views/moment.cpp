// Which moment is shown, and the scales that are the same for every run.
#include "viz/hall/moment.hpp"

#include <algorithm>

#include "core/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"
#include "tests/views/telling_run.hpp"
#include "viz/hall/scene.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

TEST_CASE("a moment is a time, an event, the worst or the end", "[moment]") {
  const SyntheticRun run;
  const twin::ResultsReader results(write_run(run, "moments"));
  CHECK(read_moment(results, "2 min").time_s == 120.0);
  CHECK(read_moment(results, "restore").time_s == 180.0);
  CHECK_THAT(read_moment(results, "restore").words, Contains("restore"));
  CHECK(read_moment(results, "end").time_s == run.duration_s);
  CHECK(read_moment(results, "").time_s == run.hot_s);
  CHECK_THAT(read_moment(results, "worst").words, Contains("hottest"));
  CHECK_THROWS_WITH(read_moment(results, "restor"), Contains("no event 'restor'") && Contains("restore"));
}

TEST_CASE("a moment is a time of day or a date of the run's own clock", "[moment]") {
  const twin::ResultsReader results(write_run({}, "moments_by_the_clock"));  // from 2026-01-01T00:00:00
  CHECK(read_moment(results, "0:02").time_s == 120.0);
  CHECK(read_moment(results, "00:02:30").time_s == 150.0);
  CHECK(read_moment(results, "2026-01-01 00:05").time_s == 300.0);
  CHECK(read_moment(results, "2026-01-01T00:05").time_s == 300.0);
  CHECK_THROWS_WITH(read_moment(results, "2025-12-31 23:00"),
                    Contains("not in the run") && Contains("2026-01-01T00:00:00"));
  CHECK_THROWS_WITH(read_moment(results, "16:00"), Contains("16 h is not in the run") && Contains("0 s to 10 min"));
  CHECK_THROWS_WITH(read_moment(results, "-5 s"), Contains("not in the run"));
  CHECK_THAT(read_moment(results, "0:02").words, Contains("0:02"));
  CHECK_THROWS_WITH(read_moment(results, "25:00"), Contains("16:00") && Contains("2026-01-01 00:00"));
  CHECK_THROWS_WITH(read_moment(results, "2026-13-01"), Contains("16:00"));
}

TEST_CASE("GPUs that are off make a moment worse than a hot die does", "[moment]") {
  const twin::ResultsReader results(
      write_telling_run({.counts = telling_site(), .off_gpus = 64.0}, "moments_with_gpus_off"));
  CHECK_THAT(worst_moment(results).words, Contains("off"));
  const twin::ResultsReader dark(
      write_telling_run({.counts = telling_site(), .off_gpus = 64.0, .down_gpus = 128.0}, "moments_in_the_dark"));
  CHECK_THAT(worst_moment(dark).words, Contains("without power"));
  const Scene scene = read_scene(dark, {.at_s = 60.0}, "dark");
  CHECK(std::ranges::count(scene.wrong, "64 GPUs off") == 1);
  CHECK(std::ranges::count(scene.wrong, "64 GPUs without power or booting") == 1);
  const twin::ResultsReader throttled(write_telling_run({.counts = telling_site()}, "moments_throttled"));
  CHECK_THAT(worst_moment(throttled).words, Contains("throttled"));
}

TEST_CASE("fixed scales do not follow what is shown", "[moment]") {
  const auto file = write_run({}, "fixed_scales");
  const twin::ResultsReader results(file);
  const Scene scene = read_scene(results, {.has_fixed_scales = true}, file.string());
  CHECK(scene.parts.low == 30.0);
  CHECK(scene.parts.high == 95.0);
  CHECK(scene.parts.limits == std::vector{87.0, 89.0, 95.0});
  CHECK(scene.coolant.low == 15.0);
  CHECK(scene.coolant.high == 60.0);
  CHECK(read_scene(results, {}, file.string()).parts.high < 95.0);
}
