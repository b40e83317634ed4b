// What boxes and lines of a one-line diagram show beside powers: symbols, the direction of power, whose fault levels these are.
#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_line_hall.hpp"
#include "twin/drawings/diagrams/power_symbols.hpp"
#include "twin/drawings/names/fitted_text.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

using tests::one_line::bar_titled, tests::one_line::box_titled, tests::one_line::times_in, tests::one_line::one_line_of,
    tests::one_line::OneLineHall;

/// Two buses with a feed each and a tie that is written from a to b and normally open.
OneLineHall tied(float tie_state, float tie_w) {
  return {.buses = {"feed_a", "feed_b", "lv_a", "lv_b"},
          .feeds = {"a", "b"},
          .branches = {{"transformer_a", "transformer", "feed_a", "lv_a", false, 1.0F, 5e3F},
                       {"transformer_b", "transformer", "feed_b", "lv_b", false, 1.0F, 5e3F},
                       {"tie", "breaker", "lv_a", "lv_b", true, tie_state, tie_w, 0.0F}},
          .loads = {{"pump_1", {"lv_a"}}, {"fan_1", {"lv_b"}}, {"other load_1", {"lv_a"}}},
          .voltages_v = {{"lv_a", 398.0F}, {"lv_b", 397.0F}},
          .fault_levels_a = {{"lv_a", 52.6e3}, {"lv_b", 50e3}}};
}

/// Horizontal directions in which arrows point: 1 to the right, -1 to the left.
std::vector<int> arrows_across(const std::string& svg) {
  std::vector<int> directions;
  const std::regex arrow("<path class='arrow' d='M([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ");
  for (std::sregex_iterator found(svg.begin(), svg.end(), arrow), end; found != end; ++found) {
    const double tip = std::stod((*found)[1]), back = (std::stod((*found)[3]) + std::stod((*found)[5])) / 2.0;
    directions.push_back(std::abs(tip - back) < 1.0 ? 0 : tip > back ? 1 : -1);
  }
  return directions;
}

}  // namespace

TEST_CASE("fault levels are marked as those of the normal position while a switch is in another",
          "[one_line_diagram]") {
  const std::string normal = one_line_of(tied(0.0F, 0.0F)), other = one_line_of(tied(1.0F, 5e3F));
  CHECK_THAT(box_titled(normal, "lv a, 400 V"), Contains(">fault level 52.6 kA<"));
  CHECK(times_in(normal, "in normal") == 0);
  CHECK(times_in(other, " in normal<") == 2);
  CHECK(times_in(other, ">position<") == 2);
  OneLineHall failed = tied(0.0F, 0.0F);
  failed.branches[0].state = 2.0F;
  failed.branches[0].power_w = 0.0F;
  failed.branches[0].state_at_start = 1.0F;
  CHECK_THAT(box_titled(one_line_of(failed), "lv b, 400 V"), Contains(" in normal<") && Contains(">position<"));
}

TEST_CASE("a generator that runs is no other position of switches, and fault levels are not marked for it",
          "[one_line_diagram]") {
  OneLineHall running = tied(0.0F, 0.0F);
  running.generators = {{"generator_a", "lv_a"}};
  running.generator_states = {{"generator_a", {0.0F, 1.0F}}};  // fault levels are from feeds
  const std::string svg = one_line_of(running);
  CHECK_THAT(box_titled(svg, "lv a, 400 V"), Contains(">fault level 52.6 kA<"));
  CHECK(times_in(svg, "in normal") == 0);
  running.branches[2].state = 1.0F;  // the tie, too
  CHECK(times_in(one_line_of(running), " in normal<") == 2);
}

TEST_CASE("arrows show in which direction a tie carries power", "[one_line_diagram]") {
  const std::string forward = one_line_of(tied(1.0F, 5e3F)), back = one_line_of(tied(1.0F, -5e3F));
  const int to_b = bar_titled(forward, "lv a, 400 V").left < bar_titled(forward, "lv b, 400 V").left ? 1 : -1;
  CHECK(arrows_across(forward) == std::vector{to_b, to_b});
  CHECK(arrows_across(back) == std::vector{-to_b, -to_b});
  CHECK(arrows_across(one_line_of(tied(0.0F, 0.0F))).empty());
}

TEST_CASE("arrows show in which direction a cable of a ring carries power", "[one_line_diagram]") {
  OneLineHall ring{.buses = {"feed_s", "rmu_a", "rmu_b"},
                   .feeds = {"s"},
                   .branches = {{"cable_1", "cable", "feed_s", "rmu_a", true},
                                {"cable_2", "cable", "rmu_a", "rmu_b", true, 0.0F, 0.0F},
                                {"cable_3", "cable", "rmu_b", "feed_s", true, 1.0F, -4e3F}},
                   .loads = {{"pump_1", {"rmu_a"}}, {"fan_1", {"rmu_b"}}},
                   .voltages_v = {{"rmu_a", 400.0F}, {"rmu_b", 400.0F}}};
  const std::string svg = one_line_of(ring);
  CHECK(times_in(svg, "class='arrow'") == 4);  // two at each of the cables that carry
  const std::regex arrow("<path class='arrow' d='M([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ([-0-9.]+)L");
  for (std::sregex_iterator found(svg.begin(), svg.end(), arrow), end; found != end; ++found)
    CHECK(std::stod((*found)[2]) > std::stod((*found)[4]));  // down, though cable 3 is written up
}

TEST_CASE("a box of other loads shows their power", "[one_line_diagram]") {
  OneLineHall hall = tied(0.0F, 0.0F);
  hall.other_loads_w = 60e3F;
  CHECK_THAT(box_titled(one_line_of(hall), "other load 1"), Contains(">60 kW<"));
}

TEST_CASE("each device has its symbol, and no title of a long name lies on it", "[one_line_diagram]") {
  OneLineHall hall = tied(0.0F, 0.0F);
  for (const char* name : {"incomer_of_the_east.breaker", "a_name_in_which_words_are_many_and_short.breaker",
                           "incomerofthewesternsubstationinonelongword"}) {
    hall.branches[0].name = name;
    hall.branches[0].kind = "breaker";
    const std::string svg = one_line_of(hall);
    CHECK(times_in(svg, "<g class='symbol'>") == 3);
    const std::regex box("<rect x='([-0-9.]+)' y='[-0-9.]+' width='([0-9.]+)'"),
        title("<text class='title' x='([-0-9.]+)' y='[-0-9.]+'(?: style='font-size:([0-9.]+)px')?>([^<]+)<");
    for (std::size_t begin = svg.find("<g class='box"); begin != std::string::npos;
         begin = svg.find("<g class='box", begin + 1)) {
      const std::string one = svg.substr(begin, svg.find("</text></g>", begin) - begin);
      std::smatch frame;
      REQUIRE(std::regex_search(one, frame, box));
      const double left = std::stod(frame[1]), right = left + std::stod(frame[2]);
      const double symbol_end = one.find("class='symbol'") == std::string::npos ? left : left + 5.0 + symbol_size;
      for (std::sregex_iterator found(one.begin(), one.end(), title), end; found != end; ++found) {
        const double size = (*found)[2].matched ? std::stod((*found)[2]) : 11.5;
        const double half = size * svg_letters * 1.06 * letters_width((*found)[3].str()) / 2.0;
        INFO((*found)[3]);
        CHECK(std::stod((*found)[1]) - half >= symbol_end - 0.1);
        CHECK(std::stod((*found)[1]) + half <= right + 0.1);
      }
    }
  }
}

TEST_CASE("a circuit breaker has a cross at its fixed contact, and a fuse a line through it", "[one_line_diagram]") {
  CHECK_THAT(symbol_svg("breaker", 50.0, 50.0), Contains("l5 5m0 -5l-5 5"));
  CHECK_THAT(symbol_svg("fuse", 50.0, 50.0), !Contains("l5 5m0 -5l-5 5") && Contains("v14"));
}
