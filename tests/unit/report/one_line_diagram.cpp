// The one-line diagram of small halls whose switches, powers and voltages are written by hand: bars, ties, what is live, what is dead.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_line_hall.hpp"
#include "twin/drawings/diagrams/drawn_power.hpp"
#include "twin/drawings/diagrams/power_symbols.hpp"
#include "twin/drawings/diagrams/transfer_switches.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

using tests::one_line::BarAt, tests::one_line::bar_titled, tests::one_line::box_titled, tests::one_line::times_in;
using tests::one_line::one_line_of, tests::one_line::OneLineHall, tests::one_line::topology_of, tests::one_line::WayAt,
    tests::one_line::ways_in;

/// Main, tie, main; a load on each side and one on both.
OneLineHall main_tie_main(float transformer_a, float tie) {
  return {.buses = {"feed_a", "feed_b", "lv_a", "lv_b"},
          .feeds = {"a", "b"},
          .branches = {{"transformer_a", "transformer", "feed_a", "lv_a", false, transformer_a,
                        transformer_a == 1.0F ? 5e3F : 0.0F},
                       {"transformer_b", "transformer", "feed_b", "lv_b"},
                       {"tie", "breaker", "lv_a", "lv_b", true, tie, tie == 1.0F ? 5e3F : 0.0F}},
          .loads = {{"pump_1", {"lv_a"}}, {"fan_1", {"lv_b"}}, {"chiller_1", {"lv_a", "lv_b"}}}};
}

/// Ring of two units; cable 3 is written from the unit to the substation.
OneLineHall ring(float cable_1, float cable_2) {
  return {.buses = {"feed_s", "rmu_a", "rmu_b"},
          .feeds = {"s"},
          .branches = {{"cable_1", "cable", "feed_s", "rmu_a", true, cable_1, cable_1 == 1.0F ? 5e3F : 0.0F},
                       {"cable_2", "cable", "rmu_a", "rmu_b", true, cable_2, cable_2 == 1.0F ? 5e3F : 0.0F},
                       {"cable_3", "cable", "rmu_b", "feed_s", true}},
          .loads = {{"pump_1", {"rmu_a"}}, {"fan_1", {"rmu_b"}}}};
}

}  // namespace

TEST_CASE("a tie stands beside its two bars and touches both", "[one_line_diagram]") {
  const std::string svg = one_line_of(main_tie_main(1.0F, 0.0F));
  const BarAt a = bar_titled(svg, "lv a, 400 V"), b = bar_titled(svg, "lv b, 400 V");
  CHECK(std::abs(a.y - b.y) < 0.2);
  const bool a_first = a.left < b.left;
  CHECK((a_first ? a.right < b.left : b.right < a.left));
  std::size_t touching_a = 0, touching_b = 0;
  for (const WayAt& way : ways_in(svg)) {
    if (way.path.find('H') == std::string::npos) continue;
    touching_a += a.touches(way.begin_x, way.begin_y) ? 1 : 0;
    touching_b += b.touches(way.begin_x, way.begin_y) ? 1 : 0;
  }
  CHECK(touching_a == 1);
  CHECK(touching_b == 1);
  CHECK(times_in(svg, "<g class='symbol'>") == 3);  // two transformers and the tie
  CHECK(box_titled(svg, "tie").starts_with("box still"));
  CHECK_THAT(box_titled(svg, "tie"), Contains(">open<"));
}

TEST_CASE("both sides of an open tie are drawn, though they are alike", "[one_line_diagram]") {
  OneLineHall alike = main_tie_main(1.0F, 0.0F);
  alike.loads = {{"pump_1", {"lv_a"}}, {"pump_2", {"lv_b"}}};
  const std::string svg = one_line_of(alike);
  for (const char* title : {"lv a, 400 V", "lv b, 400 V"}) CHECK(times_in(svg, std::string(">") + title + "<") == 1);
  CHECK(times_in(svg, "<g class='bar ") == 2);
  CHECK(box_titled(svg, "tie").starts_with("box still"));
  const BarAt a = bar_titled(svg, "lv a, 400 V"), b = bar_titled(svg, "lv b, 400 V");
  CHECK((a.right < b.left || b.right < a.left));
}

TEST_CASE("each bus that joins more than two things is a bar whose name is written once", "[one_line_diagram]") {
  const std::string svg = one_line_of(main_tie_main(1.0F, 0.0F));
  CHECK(times_in(svg, ">lv a, 400 V<") == 1);
  CHECK(times_in(svg, ">lv b, 400 V<") == 1);
  CHECK(times_in(svg, "<g class='bar ") == 2);
  CHECK(svg.find(">feed a") == std::string::npos);  // joins a feed to a transformer
}

TEST_CASE("behind a failed transformer its bus is dead, and live again by the tie", "[one_line_diagram]") {
  const std::string dead = one_line_of(main_tie_main(2.0F, 0.0F)), tied = one_line_of(main_tie_main(2.0F, 1.0F));
  CHECK(box_titled(dead, "lv a, 400 V").starts_with("bar still"));
  CHECK_THAT(box_titled(dead, "lv a, 400 V"), Contains(">dead<"));
  CHECK(box_titled(dead, "lv b, 400 V").starts_with("bar usual"));
  CHECK(box_titled(tied, "lv a, 400 V").starts_with("bar usual"));
  for (const std::string& svg : {dead, tied}) {
    CHECK(box_titled(svg, "transformer a").starts_with("box failed"));
    const BarAt a = bar_titled(svg, "lv a, 400 V");
    for (const WayAt& way : ways_in(svg)) {  // from the transformer down to the bar
      if (way.path.ends_with(fmt::format("V{:.1f}", a.y)) && way.begin_x < a.right && way.begin_x > a.left)
        CHECK(way.look == "still");
    }
  }
  for (const WayAt& way : ways_in(dead)) {
    if (bar_titled(dead, "lv a, 400 V").touches(way.begin_x, way.begin_y)) CHECK(way.look == "still");
  }
}

TEST_CASE("in a ring nothing live leaves an open cable, and the far end is fed through the tie", "[one_line_diagram]") {
  const DrawnPower power = drawn_power(topology_of(ring(0.0F, 1.0F)));
  CHECK(power.ties.size() == 1);
  CHECK(power.ties.contains("cable_2"));
  const auto& joined = power.topology.connections;
  CHECK(std::ranges::count(joined, TopologyConnection{"feed_s", "cable_3", "electricity"}) == 1);
  CHECK(std::ranges::count(joined, TopologyConnection{"cable_3", "rmu_b", "electricity"}) == 1);
  const std::string svg = one_line_of(ring(0.0F, 1.0F));
  CHECK(box_titled(svg, "cable 1").starts_with("box still"));
  CHECK(box_titled(svg, "rmu a, 400 V").starts_with("bar usual"));
  std::size_t still = 0;
  for (const WayAt& way : ways_in(svg)) still += way.look == "still" ? 1 : 0;
  CHECK(still == 1);  // from cable 1 to its bus
  CHECK(box_titled(one_line_of(ring(0.0F, 0.0F)), "rmu a, 400 V").starts_with("bar still"));
}

TEST_CASE("voltages of bars, currents and power factors are those of the tables", "[one_line_diagram]") {
  OneLineHall hall = main_tie_main(1.0F, 0.0F);
  hall.voltages_v = {{"lv_a", 394.0F}, {"lv_b", 0.0F}};
  const std::string svg = one_line_of(hall);
  CHECK_THAT(box_titled(svg, "lv a, 400 V"), Contains(">394 V, 98.5 % of nominal<"));
  CHECK(box_titled(svg, "lv b, 400 V").starts_with("bar still"));  // its voltage is 0
  CHECK_THAT(box_titled(svg, "transformer a"), Contains(">50 A<") && Contains(">power factor 0.88<"));
}

TEST_CASE("bars have the fault levels of their buses where these are known", "[one_line_diagram]") {
  OneLineHall hall = main_tie_main(1.0F, 0.0F);
  hall.fault_levels_a = {{"lv_a", 52.6e3}, {"feed_a", 11e3}};
  const std::string svg = one_line_of(hall);
  CHECK_THAT(box_titled(svg, "lv a, 400 V"), Contains(">fault level 52.6 kA<"));
  CHECK_THAT(box_titled(svg, "lv b, 400 V"), !Contains("fault level"));
}

TEST_CASE("power of a part that is open at that time is reported as a mean", "[one_line_diagram]") {
  OneLineHall hall = main_tie_main(1.0F, 0.0F);
  hall.branches.back().power_w = 3e3F;
  CHECK_THAT(box_titled(one_line_of(hall), "tie"), Contains(">mean 3 kW<") && Contains(">open<"));
  CHECK_THAT(box_titled(one_line_of(hall), "transformer a"), Contains(">5 kW<"));
}

TEST_CASE("what failed is never in one box with what has not", "[one_line_diagram]") {
  OneLineHall hall{
      .buses = {"feed_a", "out"}, .feeds = {"a"}, .branches = {{"ups_a", "UPS", "feed_a", "out"}}, .loads = {}};
  for (int k = 1; k <= 9; ++k) {
    const bool has_failed = k > 6;
    const std::string number = std::to_string(k);
    hall.buses.push_back("out_" + number);
    hall.branches.push_back(
        {"pdu_" + number, "PDU", "out", "out_" + number, false, has_failed ? 2.0F : 1.0F, has_failed ? 0.0F : 1e3F});
    hall.loads["rack_" + number] = {"out_" + number};
  }
  const std::string svg = one_line_of(hall);
  CHECK(box_titled(svg, "6 PDUs").starts_with("box usual"));
  CHECK(svg.find("9 PDUs") == std::string::npos);
  CHECK(svg.find("of 9 failed") == std::string::npos);
  CHECK(times_in(svg, ">PDU 7<") == 1);
}

TEST_CASE("racks of different PDUs are different boxes, over the buses of the PDUs", "[one_line_diagram]") {
  OneLineHall hall{
      .buses = {"feed_a", "out"}, .feeds = {"a"}, .branches = {{"ups_a", "UPS", "feed_a", "out"}}, .loads = {}};
  for (int pdu = 1; pdu <= 4; ++pdu) {
    const std::string bus = fmt::format("pdu_{}.output", pdu);
    hall.buses.push_back(bus);
    hall.branches.push_back({fmt::format("pdu_{}", pdu), "PDU", "out", bus});
  }
  for (int rack = 1; rack <= 8; ++rack) {
    const int first = rack % 2 + 1;
    hall.loads[fmt::format("rack_{}", rack)] = {fmt::format("pdu_{}.output", first),
                                                fmt::format("pdu_{}.output", first + 2)};
  }
  const std::string svg = one_line_of(hall);
  CHECK(times_in(svg, ">4 racks<") == 2);
  for (int pdu = 1; pdu <= 4; ++pdu) CHECK(times_in(svg, fmt::format(">PDU {}, output, 400 V<", pdu)) == 1);
}

TEST_CASE("transfer switches and static bypasses have symbols of their own", "[one_line_diagram]") {
  const auto is_symbol = [](std::string_view kind) { return !symbol_svg(kind, 50.0, 50.0).empty(); };
  CHECK(is_symbol("UPS bypass"));
  CHECK(is_symbol(transfer_switch));
  CHECK(symbol_svg("UPS bypass", 50.0, 50.0) != symbol_svg("UPS", 50.0, 50.0));
  CHECK_FALSE(is_symbol("bus"));
  OneLineHall hall{.buses = {"feed_a", "feed_b", "critical"},
                   .feeds = {"a", "b"},
                   .branches = {{"sts.preferred", "breaker", "feed_a", "critical", false, 1.0F, 5e3F},
                                {"sts.alternate", "breaker", "feed_b", "critical", false, 0.0F, 0.0F}},
                   .loads = {{"pump_1", {"critical"}}, {"fan_1", {"critical"}}}};
  const std::string legs = one_line_of(hall);
  hall.branches[0].name = "main_a";
  hall.branches[1].name = "main_b";
  const std::string mains = one_line_of(hall);
  CHECK(times_in(legs, "<g class='symbol'>") == 1);  // of both legs
  CHECK(times_in(mains, "<g class='symbol'>") == 2);
  CHECK(times_in(legs, "r='1.6'") > 0);
  CHECK(times_in(mains, "r='1.6'") == 0);
}
