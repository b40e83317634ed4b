#include <sstream>

#include "tests/support/catch.hpp"
#include "twin/simulation/progress.hpp"

using namespace wattloop::twin;

namespace {

/// A clock that shows the same time until it is set.
struct ManualClock {
  double now_s = 1000.0;
  int looks = 0;
  Clock clock() {
    return [this] {
      ++looks;
      return now_s;
    };
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("on a terminal the line shows bar, percent, time, speed and time left", "[progress]") {
  ManualClock clock;
  std::ostringstream out;
  Progress progress(3600.0, ProgressStyle::terminal, out, clock.clock());
  clock.now_s += 2.0;
  progress.at(900.0);
  CHECK(out.str() ==
        "\r\033[K[######..................]  25 %  15 min 00 s of 1 h 00 min  450 x real time  6.0 s left");
  progress.finish();
  CHECK(count(out.str(), "\r\033[K") == 2);
  progress.finish();
  CHECK(count(out.str(), "\r\033[K") == 2);
}

TEST_CASE("a terminal is redrawn at most ten times a second", "[progress]") {
  ManualClock clock;
  std::ostringstream out;
  Progress progress(1e4, ProgressStyle::terminal, out, clock.clock());
  for (int step = 1; step <= 10000; ++step) {  // 1 ms a step: 10 s
    clock.now_s += 0.001;
    progress.at(step);
  }
  CHECK(count(out.str(), "\r\033[K") <= 100);
  CHECK(count(out.str(), "\r\033[K") >= 80);
}

TEST_CASE("a log gets a line every 10 % or 30 s, whichever is rarer", "[progress]") {
  const auto lines = [](double seconds_a_step) {
    ManualClock clock;
    std::ostringstream out;
    Progress progress(1000.0, ProgressStyle::log, out, clock.clock());
    for (int step = 1; step <= 1000; ++step) {
      clock.now_s += seconds_a_step;
      progress.at(step);
    }
    progress.finish();
    CHECK(count(out.str(), "\r") == 0);
    return count(out.str(), "\n");
  };
  CHECK(lines(0.01) == 0);   // 10 s in all
  CHECK(lines(0.1) == 3);    // 100 s: every 30 s
  CHECK(lines(10.0) == 10);  // 10,000 s: every 10 %
}

TEST_CASE("a quiet run prints nothing and does not look at the clock", "[progress]") {
  ManualClock clock;
  std::ostringstream out;
  Progress progress(10.0, ProgressStyle::quiet, out, clock.clock());
  for (int step = 0; step < 1000; ++step) progress.at(step * 0.01);
  progress.finish();
  CHECK(out.str().empty());
  CHECK(clock.looks <= 1);
  CHECK(progress_style(true) == ProgressStyle::quiet);
}

TEST_CASE("the clock is read every so many calls, and every call where steps are slow", "[progress]") {
  ManualClock clock;
  std::ostringstream out;
  Progress progress(1e6, ProgressStyle::log, out, clock.clock());
  for (int step = 0; step < 64000; ++step) {
    clock.now_s += 1e-6;
    progress.at(step);
  }
  CHECK(clock.looks < 1100);
  for (int step = 0; step < 200; ++step) {
    clock.now_s += 1.0;
    progress.at(64000 + step);
  }
  clock.looks = 0;
  for (int step = 0; step < 10; ++step) {
    clock.now_s += 1.0;
    progress.at(65000 + step);
  }
  CHECK(clock.looks == 10);
}

TEST_CASE("progress of nothing, of too much and at time zero is still a line", "[progress]") {
  ManualClock clock;
  std::ostringstream out;
  {
    Progress progress(0.0, ProgressStyle::terminal, out, clock.clock());
    progress.at(0.0);
  }
  CHECK_THAT(out.str(), Catch::Contains("100 %"));
  Progress over(10.0, ProgressStyle::terminal, out, clock.clock());
  clock.now_s += 1.0;
  over.at(11.0);
  CHECK_THAT(out.str(), Catch::Contains("100 %  11 s of 10 s") && Catch::Contains("0.0 s left"));
}

TEST_CASE("durations are reported in the two largest units", "[progress]") {
  CHECK(duration_text(-1.0) == "0.0 s");
  CHECK(duration_text(0.44) == "0.4 s");
  CHECK(duration_text(9.96) == "10 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(59.6) == "1 min 00 s");
  CHECK(duration_text(185) == "3 min 05 s");
  CHECK(duration_text(7620) == "2 h 07 min");
  CHECK(duration_text(273600) == "3 d 04 h");
}
