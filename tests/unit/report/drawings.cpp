// Pictures of reports as SVG: what stands where, how wide, and that texts of scenarios stay texts.
#include <algorithm>
#include <cmath>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/heat_map.hpp"
#include "twin/drawings/charts/live_charts.hpp"
#include "twin/drawings/charts/sankey.hpp"
#include "twin/drawings/charts/xy_chart.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/drawings/diagrams/layered_layout.hpp"
#include "twin/drawings/diagrams/part_groups.hpp"
#include "twin/drawings/names/dygraphs.hpp"
#include "twin/drawings/names/shown_unit.hpp"
#include "twin/report/charts/overlaid_charts.hpp"

using namespace wattloop::twin;

namespace {

/// Two sides: feed, UPS, so many PDUs; racks on both. One pump on side a.
Topology two_sides(int pdus, int racks) {
  Topology topology;
  const auto join = [&](const std::string& from, const std::string& to) {
    topology.connections.push_back({from, to, "electricity"});
  };
  for (const std::string side : {"a", "b"}) {
    topology.parts.push_back({"utility_" + side, "utility feed"});
    topology.parts.push_back({"bus_" + side, "bus"});
    topology.parts.push_back({"ups_" + side, "UPS"});
    topology.parts.push_back({"out_" + side, "bus"});
    join("utility_" + side, "bus_" + side);
    join("bus_" + side, "ups_" + side);
    join("ups_" + side, "out_" + side);
    for (int k = 1; k <= pdus; ++k) {
      topology.parts.push_back({fmt::format("pdu_{}_{}", side, k), "PDU"});
      join("out_" + side, fmt::format("pdu_{}_{}", side, k));
    }
  }
  for (int k = 1; k <= racks; ++k) {
    topology.parts.push_back({fmt::format("rack_{}", k), "rack"});
    for (const char* side : {"a", "b"})
      join(fmt::format("pdu_{}_{}", side, (k - 1) % pdus + 1), fmt::format("rack_{}", k));
  }
  topology.parts.push_back({"pump", "pump"});
  topology.parts.push_back({"lonely", "pump"});
  join("out_a", "pump");
  return topology;
}

Grouping by_power() {
  return {.medium = "electricity", .passed_over = {"bus"}, .kinds_alone = {"utility feed", "UPS", "PDU"}};
}

std::vector<std::string> names_of(const PartGroups& groups) {
  std::vector<std::string> names;
  for (const PartGroup& group : groups.groups)
    names.push_back(
        fmt::format("{} {}{}", group.names.size(), group.names.front(), group.names.size() > 1 ? "..." : ""));
  std::ranges::sort(names);
  return names;
}

std::vector<double> numbers_in(const std::string& text, const std::regex& pattern) {
  std::vector<double> numbers;
  for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found)
    numbers.push_back(std::stod((*found)[1]));
  return numbers;
}

}  // namespace

TEST_CASE("parts that are alike and hang on what is alike are one box", "[drawings]") {
  const PartGroups groups = group_parts(two_sides(6, 12), by_power());
  CHECK(names_of(groups) == std::vector<std::string>{"1 pump", "1 ups_a", "1 ups_b", "1 utility_a", "1 utility_b",
                                                     "12 rack_1...", "6 pdu_a_1...", "6 pdu_b_1..."});
  CHECK(groups.connections.size() == 7);  // 2 feed-UPS, 2 UPS-PDU, 2 PDU-racks, UPS a-pump
  Grouping apart = by_power();
  apart.names_alone = {"pdu_a_2"};
  // Racks 2 and 8 hang on it, and so does what feeds them on the other side.
  const std::vector<std::string> names = names_of(group_parts(two_sides(6, 12), apart));
  CHECK(std::ranges::count(names, "1 pdu_a_2") == 1);
  CHECK(std::ranges::count(names, "5 pdu_a_1...") == 1);
  CHECK(std::ranges::count(names, "2 rack_2...") == 1);
  CHECK(std::ranges::count(names, "10 rack_1...") == 1);
  // Where few are alike each has its own box, and with it what hangs on it.
  CHECK(names_of(group_parts(two_sides(2, 4), by_power())).size() == 2 + 2 + 4 + 2 + 1);
  Grouping coarse = by_power();
  coarse.same_ends = SameEnds::givers;
  coarse.kinds_alone.clear();
  CHECK(names_of(group_parts(two_sides(6, 12), coarse)) ==
        std::vector<std::string>{"1 pump", "12 pdu_a_1...", "12 rack_1...", "2 ups_a...", "2 utility_a..."});
}

TEST_CASE("boxes stand below what gives to them, and none upon another", "[drawings]") {
  const std::vector<std::array<std::size_t, 2>> connections{{0, 1}, {1, 2}, {0, 2}, {3, 2}, {2, 4}, {2, 5}, {5, 1}};
  const LayeredLayout layout = layered_layout(6, connections);
  CHECK(layout.layer == std::vector<std::size_t>{0, 1, 2, 1, 3, 3});
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (layout.layer[a] == layout.layer[b]) CHECK(std::abs(layout.x[a] - layout.x[b]) >= 1.0 - 1e-9);
    }
  }
  CHECK(layout.bends[2].size() == 1);  // around box 1
  CHECK(std::abs(layout.bends[2][0] - layout.x[1]) > 0.5);
  CHECK(layered_layout(0, {}).layer_count == 0);
}

TEST_CASE("of many boxes abreast those that give to none stand lower, their lines side by side or joined",
          "[drawings]") {
  std::vector<std::array<std::size_t, 2>> connections;
  for (std::size_t box = 2; box < 14; ++box)  // two give to twelve, of which the first gives to one more
    for (const std::size_t giver : {0, 1}) connections.push_back({giver, box});
  connections.push_back({2, 14});
  const LayeredLayout layout = layered_layout(15, connections);
  for (std::size_t layer = 0; layer < layout.layer_count; ++layer) CHECK(std::ranges::count(layout.layer, layer) <= 6);
  CHECK(layout.layer[2] == 1);
  CHECK(layout.layer[14] == 2);
  CHECK(layout.width < 9.0);
  for (std::size_t k = 0; k + 2 < connections.size(); k += 2)  // both lines to a box meet above it
    CHECK(layout.bends[k] == layout.bends[k + 1]);
}

TEST_CASE("a curve's label stands within the axes, where the curve leaves them", "[drawings]") {
  const XyChart chart{.x = {.title = "x", .low = 0.0, .high = 10.0},
                      .y = {.title = "y", .low = 0.0, .high = 10.0},
                      .lines = {{.colour = "#bbb", .x = {0, 5, 20}, .y = {0, 5, 20}, .label_at_end = "<40 %>"}}};
  const std::string svg = xy_chart(chart);
  const std::size_t label = svg.find("&lt;40 %&gt;");
  REQUIRE(label != std::string::npos);
  const std::string element = svg.substr(svg.rfind("<text", label), 60);
  CHECK(numbers_in(element, std::regex("x='([0-9.]+)'")).front() == Approx(70 + 760 * 0.5 - 6));  // of the last inside
}

TEST_CASE("texts of a diagram are texts, and what failed is crossed out", "[drawings]") {
  const std::string svg =
      box_diagram({{.title = "<b>", .lines = {"a & b"}}, {.title = "two", .look = Look::failed}}, {{{0, 1}}});
  CHECK(svg.find("&lt;b&gt;") != std::string::npos);
  CHECK(svg.find("a &amp; b") != std::string::npos);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(std::ranges::count(svg, '\n') > 3);
  CHECK(svg.find("class='cross'") != std::string::npos);
  CHECK(box_diagram({}, {}).empty());
}

TEST_CASE("bands are as wide as what flows, and bars as high", "[drawings]") {
  const Sankey sankey{.nodes = {{"in", "#111111", 0}, {"x", "#222222", 1}, {"y", "#333333", 1}, {"out", "#444444", 2}},
                      .flows = {{0, 1, 3e6}, {0, 2, 1e6}, {1, 3, 3e6}, {2, 3, 1e6}, {0, 3, 0.0}, {0, 3, -5.0}},
                      .unit = "W"};
  const std::string svg = sankey_diagram(sankey);
  const std::vector<double> bars = numbers_in(svg, std::regex("width='14' height='([0-9.]+)'"));
  REQUIRE(bars.size() == 4);
  CHECK(bars[0] == Approx(294.0));
  CHECK(bars[1] == Approx(0.75 * bars[0]).margin(0.11));
  CHECK(bars[2] == Approx(0.25 * bars[0]).margin(0.11));
  CHECK(bars[3] == bars[0]);
  CHECK(svg.find("in to x: 3 MW") != std::string::npos);
  CHECK(numbers_in(svg, std::regex("opacity='([.0-9]+)'")).size() == 4);
  CHECK(sankey_diagram({.nodes = {{"in", "#111111", 0}}}).empty());
}

TEST_CASE("a column is shown in the unit that suits its largest", "[drawings]") {
  CHECK(shown_unit("W", 2.5e6).name == "MW");
  CHECK(shown_unit("W", 900.0).name == "W");
  CHECK(shown_unit("K", 300.0).offset == -273.15);
  CHECK(shown_unit("1", 0.5).name == "%");
  CHECK(shown_unit("1", 2560.0).name.empty());
  CHECK(shown_unit(unit_of_column("pue", "1"), 1.2).name.empty());
  CHECK(shown_unit(unit_of_column("throttled_gpus", "1"), 1.0).factor == 1.0);
  CHECK(shown_unit(unit_of_column("valve_position", "1"), 1.0).name == "%");
  CHECK(shown_unit("kg/s", 3.0).factor == 1.0);
}

TEST_CASE("charts keep every extreme of a long run, and gaps", "[drawings]") {
  if (dygraphs_script().empty()) wattloop::tests::skip("built without dygraphs");
  std::vector<double> times_s;
  ChartLine line{"</script><b>"};
  for (int k = 0; k < 30000; ++k) {
    times_s.push_back(k);
    line.values.push_back(k == 12345 ? 500.0F : k == 23456 ? 100.0F : 300.0F + static_cast<float>(k % 3));
  }
  line.values[7] = NAN;
  LiveCharts charts(30000.0);
  CHECK(charts.time_unit() == "h");
  const std::string place = charts.add("a <title>", "K", times_s, {&line, 1});
  CHECK(place.find("a &lt;title&gt;") != std::string::npos);
  const std::vector<ChartMark> marks{{3600.0, "</script>", "1 h"}};
  CHECK(charts.list_of(marks) == "<ol class='marks'><li>1 h: &lt;/script&gt;</li>\n</ol>\n");
  CHECK(charts.list_of({}).empty());
  std::string script = charts.script(marks);
  script = script.substr(script.rfind("<script>"));
  CHECK(script.find("</script>") == script.size() - std::string("</script>\n").size());
  const std::size_t first = script.find("var charts = ") + 13, last = script.find("];\n", first) + 1;
  const nlohmann::json data = nlohmann::json::parse(script.substr(first, last - first));
  REQUIRE(data.size() == 1);
  CHECK(data[0]["labels"][1] == "</script><b>");
  const auto& rows = data[0]["rows"];
  CHECK(rows.size() <= 2000);
  double least = 1e9, most = -1e9;
  std::size_t gaps = 0;
  for (const auto& row : rows) {
    gaps += row[1].is_null() ? 1 : 0;
    if (row[1].is_null()) continue;
    least = std::min(least, row[1].get<double>());
    most = std::max(most, row[1].get<double>());
  }
  CHECK(most == Approx(500.0 - 273.15));
  CHECK(least == Approx(100.0 - 273.15));
  CHECK(gaps == 2);
  CHECK(data[0]["colours"][0] == "#0072b2");
  LiveCharts of_valve(300.0);
  const ChartLine position{.name = "valve", .values = {0.5F, 2.855e-32F, -1e-20F}};
  of_valve.add("what no one can see is nothing", "1", std::vector{0.0, 1.0, 2.0}, {&position, 1});
  CHECK(of_valve.script({}).find("[1,0],[2,0]]") != std::string::npos);
  CHECK(charts.add("nothing", "K", times_s, {}).empty());
  line.colour = "#1f2933";
  charts.add("of one colour everywhere", "K", times_s, {&line, 1});
  CHECK(charts.script(marks).find("\"colours\":[\"#1f2933\"]") != std::string::npos);
}

TEST_CASE("a heat map holds the hottest of each interval of each item", "[drawings]") {
  const std::vector<double> times_s{0.0, 60.0};
  const std::vector<std::string> items{"rack_1", "rack_\"2\"", "rack_3"};
  constexpr auto zero = 273.15F;
  const std::vector<float> k{zero + 20.0F, zero + 60.0F, NAN, zero + 20.4F, zero + 200.0F, zero + 10.0F};
  const std::string html = heat_map(times_s, items, k);
  // Bytes by hand: 1 + (T - 20)/0.4, item after item; 0 is not recorded.
  CHECK(html.find("data-bytes='AQJl/gAB'") != std::string::npos);
  CHECK(html.find("width='2' height='3'") != std::string::npos);
  CHECK(html.find("&quot;rack_2&quot;") != std::string::npos);
  CHECK(html.find("<span style='top:16.67%'>rack 1</span>") != std::string::npos);  // the middle of the first of three
  CHECK(html.find("<span style='left:50.00%'>60 s</span>") != std::string::npos);
  CHECK(html.find("<span style='left:25.00%'>30 s</span>") != std::string::npos);
  CHECK(heat_map({}, items, k).empty());
}

TEST_CASE("times of a heat map are those of all other parts of a page, to the second and from a day on as dates",
          "[drawings]") {
  const std::vector<double> times_s{8000.0, 50920.6, 90000.0};
  const std::vector<float> k(3, 330.0F);
  const std::string html = heat_map(times_s, std::vector<std::string>{"rack_1"}, k, {}, "2026-04-15T00:00:00");
  CHECK(html.find(
            "data-times='[&quot;2 h 13 min 20 s&quot;,&quot;14 h 8 min 41 s&quot;,&quot;2026-04-16T01:00&quot;]'") !=
        std::string::npos);
  CHECK(html.find("from 2 h 13 min 20 s on the left to 2026-04-16T01:00 on the right") != std::string::npos);
}

TEST_CASE("an item that is off is not drawn as a cold one", "[drawings]") {
  const std::vector<double> times_s{0.0, 60.0};
  const std::vector<std::string> items{"rack_1"};
  const std::vector<float> k{273.15F + 60.0F, 273.15F + 20.0F};
  const std::vector<std::uint8_t> is_off{0, 1};
  // Bytes by hand: 1 + (60 - 20)/0.4 = 101, then 255.
  CHECK(heat_map(times_s, items, k, is_off).find("data-bytes='Zf8='") != std::string::npos);
  // 800 times in 400 columns. The first interval is off, then at 60 degC; the second one is at 60 and 20 degC; all others are off.
  std::vector<double> many_s;
  std::vector<float> many_k(800, 273.15F + 60.0F);
  std::vector<std::uint8_t> many_off(800, 1);
  many_off[1] = many_off[2] = many_off[3] = 0;
  many_k[3] = 273.15F + 20.0F;
  for (int minute = 0; minute < 800; ++minute) many_s.push_back(60.0 * minute);
  CHECK(heat_map(many_s, items, many_k, many_off).find("data-bytes='ZWX/////") != std::string::npos);
}

TEST_CASE("values at other times lie on the lines between those that are there", "[drawings]") {
  const std::vector<double> times_s{0.0, 10.0, 20.0}, requested_s{-1.0, 0.0, 5.0, 20.0, 21.0};
  const std::vector<float> values{1.0F, 3.0F, 2.0F};
  const std::vector<float> found = at_times(times_s, values, requested_s);
  REQUIRE(found.size() == 5);
  CHECK(std::isnan(found[0]));
  CHECK(found[1] == 1.0F);
  CHECK(found[2] == Approx(2.0));
  CHECK(found[3] == 2.0F);
  CHECK(std::isnan(found[4]));
}

TEST_CASE("differences are blue below, grey at and red above nothing", "[drawings]") {
  CHECK(difference_colour(-20.0) == "#3b4cc0");
  CHECK(difference_colour(0.0) == "#dddddd");
  CHECK(difference_colour(99.0) == "#b40426");
  CHECK(difference_colour(NAN) == "#bec4ca");
}
