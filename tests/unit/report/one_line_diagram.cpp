// The one-line diagram of small halls whose switches, powers and voltages are written by hand: bars, ties, what is live, what is dead.
#include <map>
#include <regex>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/drawings/diagrams/drawn_power.hpp"
#include "twin/drawings/diagrams/hall_diagrams.hpp"
#include "twin/drawings/diagrams/power_symbols.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

struct BranchAt {
  std::string name, kind, from, to;
  bool goes_both_ways = false;
  float state = 1.0F, power_w = 5e3F;
};

struct Hall {
  std::vector<std::string> buses;
  std::vector<std::string> feeds;  ///< "utility_a" at bus "feed_a" is "a"
  std::vector<BranchAt> branches;
  std::map<std::string, std::vector<std::string>> loads;  ///< buses of each
  std::map<std::string, float> voltages_v{};
  std::map<std::string, double> fault_levels_a{};
};

Topology topology_of(const Hall& hall) {
  Topology topology;
  const auto join = [&](const std::string& from, const std::string& to) {
    topology.connections.push_back({from, to, "electricity"});
  };
  for (const std::string& bus : hall.buses) {
    const auto level = hall.fault_levels_a.find(bus);
    topology.parts.push_back({.name = bus,
                              .kind = "bus",
                              .nominal_v = 400.0,
                              .fault_level_a = level == hall.fault_levels_a.end() ? 0.0 : level->second});
  }
  for (const std::string& feed : hall.feeds) {
    topology.parts.push_back({.name = "utility_" + feed, .kind = "utility feed"});
    join("utility_" + feed, "feed_" + feed);
  }
  for (const BranchAt& one : hall.branches) {
    topology.parts.push_back({.name = one.name, .kind = one.kind, .goes_both_ways = one.goes_both_ways});
    join(one.from, one.name);
    join(one.name, one.to);
  }
  for (const auto& [load, buses] : hall.loads) {
    topology.parts.push_back({.name = load, .kind = load.substr(0, load.find('_'))});
    for (const std::string& bus : buses) join(bus, load);
  }
  return topology;
}

std::string drawn(const Hall& hall) {
  const tests::TemporaryFolder folder;
  ResultsWriter writer(folder / "hall.h5", "2026-01-01T00:00:00");
  TableSpec breakers{.group = "breakers", .item_dimension = "breaker", .columns = {{"state", "1", "s"}}},
      feeders{.group = "feeders", .item_dimension = "feeder", .columns = {{"power", "W", "p"}}},
      buses{.group = "buses", .item_dimension = "bus", .columns = {{"voltage", "V", "v"}, {"voltage_ratio", "1", "r"}}},
      branches{.group = "branches",
               .item_dimension = "branch",
               .columns = {{"current", "A", "c"}, {"power_factor", "1", "f"}}};
  std::vector<float> states, powers, voltages, currents;
  for (const BranchAt& one : hall.branches) {
    for (TableSpec* table : {&breakers, &feeders, &branches}) table->items.push_back(one.name);
    states.push_back(one.state);
    powers.push_back(one.power_w);
    currents.push_back(one.power_w / 100.0F);
  }
  for (std::size_t k = 0; k < hall.branches.size(); ++k) currents.push_back(0.876F);
  for (const auto& [bus, voltage_v] : hall.voltages_v) buses.items.push_back(bus), voltages.push_back(voltage_v);
  for (const auto& [bus, voltage_v] : hall.voltages_v) voltages.push_back(voltage_v / 400.0F);
  const bool has_voltages = !hall.voltages_v.empty();
  const std::size_t states_at = writer.add_table(breakers), powers_at = writer.add_table(feeders);
  const std::size_t buses_at = has_voltages ? writer.add_table(buses) : 0;
  const std::size_t branches_at = has_voltages ? writer.add_table(branches) : 0;
  for (const double time_s : {0.0, 10.0}) {
    writer.append(states_at, time_s, states);
    writer.append(powers_at, time_s, powers);
    if (has_voltages) writer.append(buses_at, time_s, voltages), writer.append(branches_at, time_s, currents);
  }
  writer.write_topology(topology_of(hall));
  writer.finish();
  return one_line_diagram(ResultsReader(folder / "hall.h5"), {.time_s = 0.0});
}

/// Class of the bar or box with that title, then its texts.
std::string box_of(const std::string& svg, const std::string& title) {
  const std::size_t at = svg.find(">" + title + "</text>");
  if (at == std::string::npos) return {};
  const std::size_t begin = svg.rfind("<g class='b", at) + std::string("<g class='").size();
  return svg.substr(begin, svg.find("</g>", at) - begin);
}

struct Bar {
  double left = 0.0, y = 0.0, right = 0.0;
  bool touches(double x, double at_y) const { return left - 0.2 <= x && x <= right + 0.2 && std::abs(at_y - y) < 0.2; }
};

Bar bar_of(const std::string& svg, const std::string& title) {
  const std::string text = box_of(svg, title);
  std::smatch found;
  REQUIRE(std::regex_search(text, found, std::regex("<path d='M([-0-9.]+) ([-0-9.]+)H([-0-9.]+)'")));
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3])};
}

struct Way {
  std::string look;
  double begin_x = 0.0, begin_y = 0.0;
  std::string path;
};

std::vector<Way> ways(const std::string& svg) {
  std::vector<Way> all;
  const std::regex way("<path class='way ([a-z]+)' d='(M([-0-9.]+) ([-0-9.]+)[^']*)'/>");
  for (std::sregex_iterator found(svg.begin(), svg.end(), way), end; found != end; ++found)
    all.push_back({(*found)[1], std::stod((*found)[3]), std::stod((*found)[4]), (*found)[2]});
  return all;
}

std::size_t count_of(const std::string& svg, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++count;
  return count;
}

/// Main, tie, main; a load on each side and one on both.
Hall main_tie_main(float transformer_a, float tie) {
  return {.buses = {"feed_a", "feed_b", "lv_a", "lv_b"},
          .feeds = {"a", "b"},
          .branches = {{"transformer_a", "transformer", "feed_a", "lv_a", false, transformer_a,
                        transformer_a == 1.0F ? 5e3F : 0.0F},
                       {"transformer_b", "transformer", "feed_b", "lv_b"},
                       {"tie", "breaker", "lv_a", "lv_b", true, tie, tie == 1.0F ? 5e3F : 0.0F}},
          .loads = {{"pump_1", {"lv_a"}}, {"fan_1", {"lv_b"}}, {"chiller_1", {"lv_a", "lv_b"}}}};
}

/// Ring of two units; cable 3 is written from the unit to the substation.
Hall ring(float cable_1, float cable_2) {
  return {.buses = {"feed_s", "rmu_a", "rmu_b"},
          .feeds = {"s"},
          .branches = {{"cable_1", "cable", "feed_s", "rmu_a", true, cable_1, cable_1 == 1.0F ? 5e3F : 0.0F},
                       {"cable_2", "cable", "rmu_a", "rmu_b", true, cable_2, cable_2 == 1.0F ? 5e3F : 0.0F},
                       {"cable_3", "cable", "rmu_b", "feed_s", true}},
          .loads = {{"pump_1", {"rmu_a"}}, {"fan_1", {"rmu_b"}}}};
}

}  // namespace

TEST_CASE("a tie stands beside its two bars and touches both", "[one_line_diagram]") {
  const std::string svg = drawn(main_tie_main(1.0F, 0.0F));
  const Bar a = bar_of(svg, "lv a, 400 V"), b = bar_of(svg, "lv b, 400 V");
  CHECK(std::abs(a.y - b.y) < 0.2);
  const bool a_first = a.left < b.left;
  CHECK((a_first ? a.right < b.left : b.right < a.left));
  std::size_t touching_a = 0, touching_b = 0;
  for (const Way& way : ways(svg)) {
    if (way.path.find('H') == std::string::npos) continue;
    touching_a += a.touches(way.begin_x, way.begin_y) ? 1 : 0;
    touching_b += b.touches(way.begin_x, way.begin_y) ? 1 : 0;
  }
  CHECK(touching_a == 1);
  CHECK(touching_b == 1);
  CHECK(count_of(svg, "<g class='symbol'>") == 3);  // two transformers and the tie
  CHECK(box_of(svg, "tie").starts_with("box still"));
  CHECK_THAT(box_of(svg, "tie"), Contains(">open<"));
}

TEST_CASE("both sides of an open tie are drawn, though they are alike", "[one_line_diagram]") {
  Hall alike = main_tie_main(1.0F, 0.0F);
  alike.loads = {{"pump_1", {"lv_a"}}, {"pump_2", {"lv_b"}}};
  const std::string svg = drawn(alike);
  for (const char* title : {"lv a, 400 V", "lv b, 400 V"}) CHECK(count_of(svg, std::string(">") + title + "<") == 1);
  CHECK(count_of(svg, "<g class='bar ") == 2);
  CHECK(box_of(svg, "tie").starts_with("box still"));
  const Bar a = bar_of(svg, "lv a, 400 V"), b = bar_of(svg, "lv b, 400 V");
  CHECK((a.right < b.left || b.right < a.left));
}

TEST_CASE("each bus that joins more than two things is a bar whose name is written once", "[one_line_diagram]") {
  const std::string svg = drawn(main_tie_main(1.0F, 0.0F));
  CHECK(count_of(svg, ">lv a, 400 V<") == 1);
  CHECK(count_of(svg, ">lv b, 400 V<") == 1);
  CHECK(count_of(svg, "<g class='bar ") == 2);
  CHECK(svg.find(">feed a") == std::string::npos);  // joins a feed to a transformer
}

TEST_CASE("behind a failed transformer its bus is dead, and live again by the tie", "[one_line_diagram]") {
  const std::string dead = drawn(main_tie_main(2.0F, 0.0F)), tied = drawn(main_tie_main(2.0F, 1.0F));
  CHECK(box_of(dead, "lv a, 400 V").starts_with("bar still"));
  CHECK_THAT(box_of(dead, "lv a, 400 V"), Contains(">dead<"));
  CHECK(box_of(dead, "lv b, 400 V").starts_with("bar usual"));
  CHECK(box_of(tied, "lv a, 400 V").starts_with("bar usual"));
  for (const std::string& svg : {dead, tied}) {
    CHECK(box_of(svg, "transformer a").starts_with("box failed"));
    const Bar a = bar_of(svg, "lv a, 400 V");
    for (const Way& way : ways(svg)) {  // from the transformer down to the bar
      if (way.path.ends_with(fmt::format("V{:.1f}", a.y)) && way.begin_x < a.right && way.begin_x > a.left)
        CHECK(way.look == "still");
    }
  }
  for (const Way& way : ways(dead)) {
    if (bar_of(dead, "lv a, 400 V").touches(way.begin_x, way.begin_y)) CHECK(way.look == "still");
  }
}

TEST_CASE("in a ring nothing live leaves an open cable, and the far end is fed through the tie", "[one_line_diagram]") {
  const DrawnPower power = drawn_power(topology_of(ring(0.0F, 1.0F)));
  CHECK(power.ties.size() == 1);
  CHECK(power.ties.contains("cable_2"));
  const auto& joined = power.topology.connections;
  CHECK(std::ranges::count(joined, TopologyConnection{"feed_s", "cable_3", "electricity"}) == 1);
  CHECK(std::ranges::count(joined, TopologyConnection{"cable_3", "rmu_b", "electricity"}) == 1);
  const std::string svg = drawn(ring(0.0F, 1.0F));
  CHECK(box_of(svg, "cable 1").starts_with("box still"));
  CHECK(box_of(svg, "rmu a, 400 V").starts_with("bar usual"));
  std::size_t still = 0;
  for (const Way& way : ways(svg)) still += way.look == "still" ? 1 : 0;
  CHECK(still == 1);  // from cable 1 to its bus
  CHECK(box_of(drawn(ring(0.0F, 0.0F)), "rmu a, 400 V").starts_with("bar still"));
}

TEST_CASE("voltages of bars, currents and power factors are those of the tables", "[one_line_diagram]") {
  Hall hall = main_tie_main(1.0F, 0.0F);
  hall.voltages_v = {{"lv_a", 394.0F}, {"lv_b", 0.0F}};
  const std::string svg = drawn(hall);
  CHECK_THAT(box_of(svg, "lv a, 400 V"), Contains(">394 V, 98.5 % of nominal<"));
  CHECK(box_of(svg, "lv b, 400 V").starts_with("bar still"));  // its voltage is 0
  CHECK_THAT(box_of(svg, "transformer a"), Contains(">50 A<") && Contains(">power factor 0.88<"));
}

TEST_CASE("bars have the fault levels of their buses where these are known", "[one_line_diagram]") {
  Hall hall = main_tie_main(1.0F, 0.0F);
  hall.fault_levels_a = {{"lv_a", 52.6e3}, {"feed_a", 11e3}};
  const std::string svg = drawn(hall);
  CHECK_THAT(box_of(svg, "lv a, 400 V"), Contains(">fault level 52.6 kA<"));
  CHECK_THAT(box_of(svg, "lv b, 400 V"), !Contains("fault level"));
}

TEST_CASE("power of a part that is open at that time is reported as a mean", "[one_line_diagram]") {
  Hall hall = main_tie_main(1.0F, 0.0F);
  hall.branches.back().power_w = 3e3F;
  CHECK_THAT(box_of(drawn(hall), "tie"), Contains(">mean 3 kW<") && Contains(">open<"));
  CHECK_THAT(box_of(drawn(hall), "transformer a"), Contains(">5 kW<"));
}

TEST_CASE("what failed is never in one box with what has not", "[one_line_diagram]") {
  Hall hall{.buses = {"feed_a", "out"}, .feeds = {"a"}, .branches = {{"ups_a", "UPS", "feed_a", "out"}}, .loads = {}};
  for (int k = 1; k <= 9; ++k) {
    const bool has_failed = k > 6;
    const std::string number = std::to_string(k);
    hall.buses.push_back("out_" + number);
    hall.branches.push_back(
        {"pdu_" + number, "PDU", "out", "out_" + number, false, has_failed ? 2.0F : 1.0F, has_failed ? 0.0F : 1e3F});
    hall.loads["rack_" + number] = {"out_" + number};
  }
  const std::string svg = drawn(hall);
  CHECK(box_of(svg, "6 PDUs").starts_with("box usual"));
  CHECK(svg.find("9 PDUs") == std::string::npos);
  CHECK(svg.find("of 9 failed") == std::string::npos);
  CHECK(count_of(svg, ">PDU 7<") == 1);
}

TEST_CASE("racks of different PDUs are different boxes, over the buses of the PDUs", "[one_line_diagram]") {
  Hall hall{.buses = {"feed_a", "out"}, .feeds = {"a"}, .branches = {{"ups_a", "UPS", "feed_a", "out"}}, .loads = {}};
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
  const std::string svg = drawn(hall);
  CHECK(count_of(svg, ">4 racks<") == 2);
  for (int pdu = 1; pdu <= 4; ++pdu) CHECK(count_of(svg, fmt::format(">PDU {}, output, 400 V<", pdu)) == 1);
}

TEST_CASE("transfer switches and static bypasses have symbols of their own", "[one_line_diagram]") {
  const auto is_symbol = [](std::string_view kind) { return !symbol_svg(kind, 50.0, 50.0).empty(); };
  CHECK(is_symbol("UPS bypass"));
  CHECK(is_symbol(transfer_leg));
  CHECK(symbol_svg("UPS bypass", 50.0, 50.0) != symbol_svg("UPS", 50.0, 50.0));
  CHECK_FALSE(is_symbol("bus"));
  Hall hall{.buses = {"feed_a", "feed_b", "critical"},
            .feeds = {"a", "b"},
            .branches = {{"sts.preferred", "breaker", "feed_a", "critical", false, 1.0F, 5e3F},
                         {"sts.alternate", "breaker", "feed_b", "critical", false, 0.0F, 0.0F}},
            .loads = {{"pump_1", {"critical"}}, {"fan_1", {"critical"}}}};
  const std::string legs = drawn(hall);
  hall.branches[0].name = "main_a";
  hall.branches[1].name = "main_b";
  CHECK(count_of(legs, "<g class='symbol'>") == count_of(drawn(hall), "<g class='symbol'>"));
  CHECK(count_of(legs, "r='1.6'") > 0);
  CHECK(count_of(drawn(hall), "r='1.6'") == 0);
}
