// Which parts of a one-line diagram are one box: those that are alike and between the same buses, and both legs of a transfer switch.
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_line_hall.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

using tests::one_line::box_titled, tests::one_line::times_in, tests::one_line::one_line_of,
    tests::one_line::OneLineHall;

/// Two substations that are alike, each with a breaker, a cable and a generator, and a transfer switch between them; a and b differ in watts alone.
OneLineHall two_substations() {
  OneLineHall hall;
  for (const std::string side : {"a", "b"}) {
    const float power_w = side == "a" ? 7e3F : 5e3F;
    hall.feeds.push_back(side);
    for (const char* bus : {"feed_", "cable_in_", "lv_"}) hall.buses.push_back(bus + side);
    hall.branches.push_back({"incomer_" + side, "breaker", "feed_" + side, "cable_in_" + side, false, 1.0F, power_w});
    hall.branches.push_back({"cable_" + side, "cable", "cable_in_" + side, "lv_" + side, false, 1.0F, power_w});
    hall.generators["genset_" + side] = "lv_" + side;
    hall.loads["pump_" + side] = {"lv_" + side};
    hall.branches.push_back({"bypass_" + side, "breaker", "lv_" + side, "spare", false, 0.0F, 0.0F});
  }
  hall.buses.insert(hall.buses.end(), {"mech", "spare"});
  hall.branches.push_back({"ats.preferred", "breaker", "lv_a", "mech", false, 0.0F, 0.0F});
  hall.branches.push_back({"ats.alternate", "breaker", "lv_b", "mech", false, 1.0F, 2e3F});
  hall.loads["fan_1"] = hall.loads["chiller_1"] = {"mech"};
  return hall;
}

/// Two sides of `transformers` each, all alike, of which each has a generator and three PDUs.
OneLineHall two_sides(int transformers) {
  OneLineHall hall{.buses = {"feed_a", "feed_b", "hv_a", "hv_b"}, .feeds = {"a", "b"}, .branches = {}, .loads = {}};
  for (const std::string side : {"a", "b"}) {
    hall.branches.push_back({"substation_" + side, "substation", "feed_" + side, "hv_" + side});
    for (int k = 1; k <= transformers; ++k) {
      const std::string own = fmt::format("{}_{}", side, k);
      hall.buses.push_back("lv_" + own);
      hall.branches.push_back({"transformer_" + own, "transformer", "hv_" + side, "lv_" + own});
      hall.generators["generator_" + own] = "lv_" + own;
      for (int pdu = 1; pdu <= 3; ++pdu) {
        const std::string number = fmt::format("{}_{}", own, pdu);
        hall.buses.push_back("pdu_bus_" + number);
        hall.branches.push_back({"pdu_" + number, "PDU", "lv_" + own, "pdu_bus_" + number});
        for (const char* rack : {"rack_x_", "rack_y_"}) hall.loads[rack + number] = {"pdu_bus_" + number};
      }
    }
  }
  return hall;
}

}  // namespace

TEST_CASE("a hall of a few buses shows each source and each device with its own name and watts", "[one_line_diagram]") {
  const std::string svg = one_line_of(two_substations());
  for (const std::string side : {"a", "b"}) {
    const std::string watts = side == "a" ? ">7 kW<" : ">5 kW<";
    CHECK_THAT(box_titled(svg, "incomer " + side), Contains(watts));
    CHECK_THAT(box_titled(svg, "cable " + side), Contains(watts));
    for (const char* part : {"utility feed ", "genset ", "bypass "})
      CHECK(times_in(svg, ">" + (part + side) + "</text>") == 1);
  }
  for (const char* merged : {">2 utility feeds<", ">2 breakers<", ">2 cables<", ">2 generators<"})
    CHECK(times_in(svg, merged) == 0);
}

TEST_CASE("both legs of a transfer switch are one box with the position of each", "[one_line_diagram]") {
  OneLineHall hall = two_substations();
  const std::string ats = box_titled(one_line_of(hall), "ats");
  CHECK_THAT(ats, Contains(">preferred lv a: open<") && Contains(">alternate lv b: closed<") && Contains(">2 kW<"));
  CHECK(ats.starts_with("box usual"));
  CHECK(one_line_of(hall).find(", preferred<") == std::string::npos);
  hall.branches.back().state = 0.0F;
  hall.branches.back().power_w = 0.0F;
  const std::string open = box_titled(one_line_of(hall), "ats");
  CHECK_THAT(open, Contains(">alternate lv b: open<"));
  CHECK(open.starts_with("box still"));
  hall.branches.back().state = 2.0F;
  CHECK_THAT(box_titled(one_line_of(hall), "ats"), Contains(">alternate lv b: failed<") && Contains(">1 of 2 failed<"));
}

TEST_CASE("in a large hall what is alike is one box, but not across unlike buses", "[one_line_diagram]") {
  const std::string svg = one_line_of(two_sides(8));
  CHECK(times_in(svg, ">8 transformers<") == 2);
  CHECK(times_in(svg, ">8 generators<") == 2);
  CHECK(times_in(svg, ">24 PDUs<") == 2);
  CHECK(times_in(svg, "<g class='box ") <= 14);
}
