// What diagrams draw as live, dead, disabled and still, in small files whose states, powers and flows are written by hand.
#include "twin/drawings/diagrams/hall_diagrams.hpp"

#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/disabled_generators.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

struct PowerPart {
  const char *name, *kind;
  float state = 1.0F, power_w = 0.0F;
};

/// A feed, a UPS and its PDUs in a line down to racks, each over a bus; the last PDU hangs on the same bus as the first.
ResultsReader power_in(const tests::TemporaryFolder& folder, const std::vector<PowerPart>& parts) {
  ResultsWriter writer(folder / "power.h5", "2026-01-01T00:00:00");
  TableSpec breakers{.group = "breakers", .item_dimension = "breaker", .columns = {{"state", "1", "s"}}},
      feeders{.group = "feeders", .item_dimension = "feeder", .columns = {{"power", "W", "p"}}};
  std::vector<float> states, powers;
  Topology topology;
  for (const PowerPart& part : parts) {
    topology.parts.push_back({part.name, part.kind});
    const bool is_rack = std::string_view(part.kind) == "rack";
    if (!is_rack) breakers.items.emplace_back(part.name), states.push_back(part.state);
    if (std::string_view(part.kind) != "utility feed")
      feeders.items.emplace_back(part.name), powers.push_back(part.power_w);
  }
  for (const char* bus : {"medium", "ups.output", "pdu_1.output"}) topology.parts.push_back({bus, "bus"});
  topology.connections = {{"utility_a", "medium", "electricity"},    {"medium", "ups_a", "electricity"},
                          {"ups_a", "ups.output", "electricity"},    {"ups.output", "pdu_1", "electricity"},
                          {"ups.output", "pdu_2", "electricity"},    {"pdu_1", "pdu_1.output", "electricity"},
                          {"pdu_1.output", "rack_1", "electricity"}, {"generator_a_1", "medium", "electricity"}};
  const std::size_t states_at = writer.add_table(breakers), powers_at = writer.add_table(feeders);
  for (const double time_s : {0.0, 10.0}) {
    writer.append(states_at, time_s, states);
    writer.append(powers_at, time_s, powers);
  }
  writer.write_topology(topology);
  writer.finish();
  return ResultsReader(folder / "power.h5");
}

/// Class of the box with that title: "usual", "still"; its texts behind it.
std::string box_of(const std::string& svg, const std::string& title) {
  const std::size_t at = svg.find(title + "</text>");
  if (at == std::string::npos) return {};
  constexpr std::string_view open = "<g class='box ";
  const std::size_t begin = svg.rfind(open, at) + open.size();
  return svg.substr(begin, svg.find("</g>", at) - begin);
}

std::size_t ways(const std::string& svg, const std::string& look) {
  std::size_t count = 0;
  const std::string text = "class='way " + look + "'";
  for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("what has voltage and gives nothing looks live, what is without voltage dead", "[live_diagrams]") {
  const tests::TemporaryFolder folder;
  const PowerPart feed{"utility_a", "utility feed"}, open_feed{"utility_a", "utility feed", 0.0F}, ups{"ups_a", "UPS"},
      rack{"rack_1", "rack"}, generator{"generator_a_1", "generator", 0.0F};
  const auto drawn = [&](const PowerPart& utility, const PowerPart& pdu) {
    return one_line_diagram(power_in(folder, {utility, generator, ups, pdu, {"pdu_2", "PDU"}, rack}), {.time_s = 0.0});
  };
  const std::string idle = drawn(feed, {"pdu_1", "PDU"});
  for (const char* title : {"UPS a", "PDU 1", "PDU 2", "rack 1"}) {
    INFO(title);
    CHECK(box_of(idle, title).starts_with("usual"));
    CHECK_THAT(box_of(idle, title), Contains(">0 W<"));
  }
  CHECK(box_of(idle, "generator a 1").starts_with("still"));
  CHECK(ways(idle, "still") == 1);  // of the generator
  const std::string opened = drawn(feed, {"pdu_1", "PDU", 0.0F});
  CHECK(box_of(opened, "PDU 1").starts_with("still"));
  CHECK(box_of(opened, "rack 1").starts_with("still"));
  CHECK(box_of(opened, "PDU 2").starts_with("usual"));
  const std::string dark = drawn(open_feed, {"pdu_1", "PDU"});
  for (const char* title : {"UPS a", "PDU 1", "PDU 2", "rack 1"}) {
    INFO(title);
    CHECK(box_of(dark, title).starts_with("still"));
  }
  const std::string on_battery = one_line_diagram(
      power_in(folder, {open_feed, generator, {"ups_a", "UPS", 1.0F, 5e3F}, {"pdu_1", "PDU"}, {"pdu_2", "PDU"}, rack}),
      {.time_s = 0.0});
  CHECK(box_of(on_battery, "PDU 2").starts_with("usual"));
}

TEST_CASE("a CDU whose pumps failed is joined to the water that flows through it, not to its loop", "[live_diagrams]") {
  const tests::TemporaryFolder folder;
  const auto still_ways = [&](float coolant, float water) {
    ResultsWriter writer(folder / "water.h5", "2026-01-01T00:00:00");
    const std::size_t cdus = writer.add_table({.group = "cdus",
                                               .item_dimension = "cdu",
                                               .items = {"cdu_1"},
                                               .columns = {{"flow", "kg/s", "coolant through the unit"},
                                                           {"facility_flow", "kg/s", "facility water through it"}}});
    for (const double time_s : {0.0, 10.0}) writer.append(cdus, time_s, std::vector{coolant, water});
    Topology topology;
    topology.parts = {{"loop_1", "coolant loop"}, {"cdu_1", "CDU"}, {"facility", "water system"}};
    topology.connections = {{"loop_1", "cdu_1", "heat"}, {"cdu_1", "facility", "heat"}};
    writer.write_topology(topology);
    writer.finish();
    const std::string svg = cooling_schematic(ResultsReader(folder / "water.h5"), {.time_s = 0.0});
    CHECK(ways(svg, "still") + ways(svg, "usual") == 2);
    return ways(svg, "still");
  };
  CHECK(still_ways(40.0F, 30.0F) == 0);
  CHECK(still_ways(0.0F, 4.0F) == 1);
  CHECK(still_ways(0.0F, 0.0F) == 2);
}

TEST_CASE("generators that the scenario does not let start are disabled, of blocks those of the block and its likes",
          "[live_diagrams]") {
  const tests::TemporaryFolder folder;
  const auto disabled = [&](const std::string& power) {
    ResultsWriter writer(folder / "generators.h5", "2026-01-01T00:00:00");
    const std::size_t table = writer.add_table({.group = "generators",
                                                .item_dimension = "generator",
                                                .items = {"generator_a_1", "generator_b_1", "generator_b_2"},
                                                .columns = {{"power", "W", "p"}}});
    writer.append(table, 0.0, std::vector{0.0F, 0.0F, 0.0F});
    const std::string scenario = "hall:\n  cooling:\n    enabled: false\npower:\n" + power;
    writer.write_provenance(std::vector<NamedValue>{{"scenario", scenario, "", "Scenario"}});
    writer.finish();
    return disabled_generators(ResultsReader(folder / "generators.h5"));
  };
  using Names = std::set<std::string, std::less<>>;
  const Names all{"generator_a_1", "generator_b_1", "generator_b_2"}, of_b{"generator_b_1", "generator_b_2"};
  CHECK(disabled("  generators:\n    count: 2\n  ups:\n    enabled: false\n").empty());
  CHECK(disabled("  generators:\n    count: 2\n    enabled: true\n").empty());
  CHECK(disabled("  generators:\n    count: 2\n    hardware:\n      name: x\n    enabled: false\n") == all);
  const std::string a = "  blocks:\n    a:\n      generators:\n        count: 1\n";
  CHECK(disabled(a + "        enabled: false\n    b:\n      like: a\n") == all);
  CHECK(disabled(a + "    b:\n      like: a\n      generators:\n        enabled: false\n") == of_b);
  CHECK(disabled(a + "        enabled: false\n    b:\n      like: a\n      generators:\n        enabled: true\n") ==
        Names{"generator_a_1"});
}
