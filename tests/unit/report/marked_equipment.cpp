// Equipment beyond its limits, and racks of storage and of switches without power, in the plans of a report.
#include <array>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/marked_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/names/fitted_text.hpp"
#include "twin/drawings/names/plan_label.hpp"
#include "twin/report/charts/plan_parts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/events/boxes_beyond.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

}  // namespace

TEST_CASE("parts of a plan are marked without power and beyond their limits at the time of the plan", "[marked]") {
  const TemporaryFolder folder;
  const ResultsReader results(write_marked_run(folder / "x.h5"));
  const std::vector<LayoutBox> layout = results.layout();
  const std::vector<PlanParts> parts = plan_parts(results, layout, std::array{0.0, 60.0});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].at("storage_rack_2").condition == PartCondition::running);
  CHECK(parts[1].at("storage_rack_1").condition == PartCondition::running);  // the fan of its door is off
  CHECK(parts[1].at("storage_rack_2").condition == PartCondition::dead);
  CHECK(parts[1].at("network_rack_1").condition == PartCondition::dead);
  CHECK(parts[0].at("cdu_2").beyond.empty());
  CHECK(parts[1].at("cdu_1").beyond.empty());
  CHECK(parts[1].at("cdu_2").beyond == "loading 130.0 % where 100.0 % is allowed");
  CHECK(parts[1].at("ups_b").beyond == "loading 110.0 % where 100.0 % is allowed");
  CHECK(parts[1].at("row_1.rack_2.rear_door").beyond == "door heat at worst 40 kW where 30 kW is allowed");
  CHECK(!parts[1].contains("pdu_a_1"));  // of a kind in which nothing is special
  CHECK(conditions_line(results, layout, 0.0).empty());
  CHECK(
      conditions_line(results, layout, 60.0) ==
      "<p class='does'>Without power: network rack 1, storage rack 2. Beyond limits: row 1, rack 2: door heat at worst "
      "40 kW where 30 kW is allowed; CDU 2: loading 130.0 % where 100.0 % is allowed; UPS b: loading 110.0 % where "
      "100.0 % is allowed; row 1, rack 1: inlet air temperature at worst 32 degC where 30 degC is allowed.</p>\n");
}

TEST_CASE("plans of a report name equipment and racks of storage, and frame what is beyond a limit", "[marked]") {
  const TemporaryFolder folder;
  const ResultsReader results(write_marked_run(folder / "x.h5"));
  const std::string page = plans(results, RackTemperatures(results), 60.0);
  const std::size_t worst = page.find("At worst");
  REQUIRE(worst != std::string::npos);
  const std::string before = page.substr(0, worst), at_worst = page.substr(worst);
  CHECK(count_of(before, "class='beyond'") == 0);
  CHECK(count_of(at_worst, "class='beyond'") == 3);  // CDU 2, UPS b, a door
  CHECK_THAT(at_worst, Contains("storage_rack_2: without power</title>"));
  CHECK_THAT(at_worst, Contains("cdu_2: runs, beyond a limit: loading 130.0 % where 100.0 % is allowed</title>"));
  for (const std::string label :
       {">S1</text>", ">S2</text>", ">1</text>", ">2</text>", ">CRAH 1</text>", ">UPS a</text>"})
    CHECK_THAT(at_worst, Contains(label));
  CHECK_THAT(at_worst, Contains("S1 to S2: racks of storage."));
  CHECK_THAT(at_worst, Contains("Red frame: equipment is beyond a limit."));
}

TEST_CASE("labels of plans fit in their boxes, upright in narrow ones, and are left out where they would be too small",
          "[marked]") {
  CHECK(plan_label("storage_rack", "storage_rack_12") == "S12");
  CHECK(plan_label("cdu", "cdu_3") == "3");
  CHECK(plan_label("crah", "crah_2") == "CRAH 2");
  CHECK(plan_label("ups", "ups_a_2") == "UPS a 2");
  CHECK(plan_label("pdu", "pdu_b_7") == "b7");
  CHECK(plan_label("pdu", "pdu_7") == "PDU 7");
  CHECK(plan_label("rack", "row_1.rack_2").empty());
  CHECK(plan_label("rear_door", "row_1.rack_2.rear_door").empty());
  const LabelPlace upright = label_place("CRAH 2", 0.9, 2.6, 0.4, 0.75),
                   across = label_place("CRAH 2", 2.6, 0.9, 0.4, 0.75);
  CHECK(upright.is_upright);
  CHECK(!across.is_upright);
  CHECK(upright.size == across.size);
  CHECK(upright.size * letters_width("CRAH 2") <= 2.6);
  CHECK(upright.size <= 0.75 * 0.9);
  CHECK(label_place("CRAH 2", 0.9, 1.0, 0.4, 0.75).size == 0.0);
}

TEST_CASE("how far parts are beyond limits is compared as shares, of temperatures above 0 degC", "[marked]") {
  const auto limit = [](const char* part, const char* quantity, const char* unit, double allowed, double worst) {
    return LimitRecord{.part = part, .quantity = quantity, .unit = unit, .limit = allowed, .worst = worst};
  };
  const LimitRecord air = limit("row_1.rack_1", "inlet_air_temperature", "K", 308.15, 318.15),
                    ups = limit("ups_a", "power", "W", 2e6, 2.2e6),
                    cold = limit("loop_1", "supply_temperature", "K", 274.15, 270.15),
                    wet = limit("room_1", "condensate", "kg", 1e-3, 5.0);
  CHECK(excess_of(air, air.worst) == Approx(10.0 / 35.0));  // of kelvin above absolute zero it would be 3 %
  CHECK(excess_of(ups, ups.worst) == Approx(0.1));
  CHECK(excess_of(cold, cold.worst) == Approx(0.4));  // at least of 10 K
  CHECK(farthest_of(std::vector{ups, air, wet})->part == "row_1.rack_1");
  CHECK(farthest_of(std::vector{wet, ups})->part == "ups_a");  // condensate has no size that its limit measures
  CHECK(farthest_of({}) == nullptr);
}
