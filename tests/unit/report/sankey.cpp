// Bands of a Sankey diagram, read back from the picture: they begin and end on the bars of their nodes, meet without a gap, are as wide as
// their numbers say, and the numbers are those of the summary. No two numbers are equal.
#include "twin/drawings/charts/sankey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/report/charts/power_sankey.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;

namespace {

struct Band {
  double from_x, from_top, to_x, to_top, from_end, to_end;
};
struct Bar {
  double x, top, thick;
};

constexpr double rounding = 0.11;  // of what is written to a tenth of a pixel, twice

std::vector<std::vector<double>> numbers_of(const std::string& svg, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::vector<double>> all;
  for (std::sregex_iterator found(svg.begin(), svg.end(), expression), end; found != end; ++found) {
    all.emplace_back();
    for (std::size_t k = 1; k < found->size(); ++k) all.back().push_back(std::stod((*found)[k].str()));
  }
  return all;
}

std::vector<Band> bands_in(const std::string& svg) {
  std::vector<Band> bands;
  const std::string n = "([-0-9.]+)", skip = "[-0-9.]+";
  for (const auto& v :
       numbers_of(svg, "<path d='M" + n + " " + n + "H" + skip + "C" + skip + " " + skip + " " + skip + " " + skip +
                           " " + n + " " + n + "V" + n + "C" + skip + " " + skip + " " + skip + " " + n))
    bands.push_back({v[0], v[1], v[2], v[3], v[5], v[4]});
  return bands;
}

std::vector<Bar> bars_in(const std::string& svg) {
  std::vector<Bar> bars;
  const std::string n = "([-0-9.]+)";
  for (const auto& v : numbers_of(svg, "<rect x='" + n + "' y='" + n + "' width='14' height='" + n + "'"))
    bars.push_back({v[0], v[1], v[2]});
  return bars;
}

double bar_of(const std::vector<Bar>& bars, double x, double from, double to) {
  const auto found = std::ranges::find_if(bars, [&](const Bar& bar) {
    return std::abs(bar.x - x) < rounding && bar.top < from + rounding && to < bar.top + bar.thick + rounding;
  });
  return found == bars.end() ? -1.0 : static_cast<double>(found - bars.begin());
}

/// Each band lies on a bar at both ends; on each side of a bar bands follow each other without a gap, and fill it on its larger side.
void check_bands(const std::string& svg) {
  const std::vector<Band> bands = bands_in(svg);
  const std::vector<Bar> bars = bars_in(svg);
  REQUIRE(!bands.empty());
  std::map<std::pair<double, bool>, std::vector<std::pair<double, double>>> sides;  // [bar, does it leave]
  for (const Band& band : bands) {
    const double from = bar_of(bars, band.from_x - 14.0, band.from_top, band.from_end),
                 to = bar_of(bars, band.to_x, band.to_top, band.to_end);
    CAPTURE(band.from_x, band.from_top, band.from_end, band.to_x, band.to_top, band.to_end);
    CHECK(from >= 0.0);
    CHECK(to >= 0.0);
    CHECK(from != to);
    CHECK(band.from_end - band.from_top == Approx(band.to_end - band.to_top).margin(2.0 * rounding));
    sides[{from, true}].emplace_back(band.from_top, band.from_end);
    sides[{to, false}].emplace_back(band.to_top, band.to_end);
  }
  for (std::size_t bar = 0; bar < bars.size(); ++bar) {
    double fullest = 0.0;
    for (const bool leaves : {true, false}) {
      auto& side = sides[{static_cast<double>(bar), leaves}];
      std::ranges::sort(side);
      double at = bars[bar].top;
      for (const auto& [top, end] : side) {
        CAPTURE(bar, leaves, top, at);
        CHECK(top == Approx(at).margin(2.0 * rounding));
        at = end;
      }
      fullest = std::max(fullest, at - bars[bar].top);
    }
    CHECK(fullest == Approx(bars[bar].thick).margin(3.0 * rounding));
  }
}

const std::vector<NamedValue> summary{{"simulated_time", 100.0, "s", "time"},
                                      {"utility_energy", 900e5, "J", "in"},
                                      {"generator_energy", 250e5, "J", "in"},
                                      {"battery_energy", -60e5, "J", "given"},
                                      {"pue_node", 1.0, "1", "part of pue: nodes"},
                                      {"node_energy", 800e5, "J", "nodes"},
                                      {"pue_fabric", 0.1, "1", "part of pue: switches"},
                                      {"fabric_energy", 110e5, "J", "switches"},
                                      {"pue_chiller", 0.2, "1", "part of pue: chillers"},
                                      {"chiller_energy", 170e5, "J", "chillers"},
                                      {"pue_tower", 0.05, "1", "part of pue: towers"},
                                      {"tower_energy", 90e5, "J", "towers"},
                                      {"pue_ups_loss", 0.03, "1", "part of pue: loss in UPS"},
                                      {"ups_loss_energy", 40e5, "J", "UPS"},
                                      {"stored_energy", -30e5, "J", "stored"},
                                      {"rejected_energy", 1180e5, "J", "out"}};

Sankey of_summary(const std::vector<NamedValue>& values) {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_summary(values);
  writer.finish();
  return power_sankey(ResultsReader(folder / "x.h5"));
}

/// Rows at 0, 10 and 100 s; the first has no interval.
void write_series(ResultsWriter& writer, const std::string& group, std::vector<ColumnSpec> columns,
                  const std::vector<std::vector<float>>& rows, std::size_t items = 1) {
  for (ColumnSpec& column : columns) {
    column.unit = "W";
    column.long_name = "heat";
    column.is_mean = true;
  }
  TableSpec table{.group = group, .item_dimension = "item", .items = {}, .columns = std::move(columns)};
  for (std::size_t item = 0; item < items; ++item) table.items.push_back(group + std::string(1, "ab"[item]));
  const std::size_t number = writer.add_table(table);
  constexpr std::array times_s{0.0, 10.0, 100.0};
  for (std::size_t row = 0; row < rows.size(); ++row) writer.append(number, times_s[row], rows[row]);
}

/// Racks give heat to a loop and to the water of doors, which chillers cool as they do that of air handlers.
Sankey with_equipment(const std::vector<NamedValue>& values, bool doors_have_own_water = true) {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  Topology topology;
  for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{{"rack", "rack"},
                                                                                   {"loop", "coolant loop"},
                                                                                   {"cdu", "CDU"},
                                                                                   {"warm", "water system"},
                                                                                   {"cold", "water system"},
                                                                                   {"crah", "air handler"},
                                                                                   {"chiller", "chiller"},
                                                                                   {"tower", "tower cell"}})
    topology.parts.push_back({.name = name, .kind = kind});
  topology.connections = {{"rack", "loop", "heat"},   {"loop", "cdu", "heat"},     {"cdu", "warm", "heat"},
                          {"crah", "cold", "heat"},   {"cold", "chiller", "heat"}, {"chiller", "warm", "heat"},
                          {"cold", "crah", "inside"}, {"warm", "tower", "heat"}};
  if (doors_have_own_water) topology.connections.push_back({"rack", "cold", "heat"});
  writer.write_topology(topology);
  write_series(writer, "loops", {{"heat", "", ""}}, {{9e6, 9e6}, {100e3, 200e3}, {400e3, 200e3}}, 2);
  write_series(writer, "racks", {{"door_heat", "", ""}}, {{9e6}, {150e3}, {250e3}});
  write_series(writer, "network", {{"door_heat", "", ""}}, {{9e6}, {50e3}, {50e3}});
  write_series(writer, "crahs", {{"heat", "", ""}, {"latent_heat", "", ""}},
               {{9e6, 9e6}, {100e3, 10e3}, {110e3, 0.0F}});
  write_series(writer, "chillers", {{"heat", "", ""}}, {{9e6}, {300e3}, {420e3}});
  write_series(writer, "towers", {{"heat", "", ""}}, {{9e6}, {910e3}, {1010e3}});
  writer.write_summary(values);
  writer.finish();
  return power_sankey(ResultsReader(folder / "x.h5"));
}

double flow_w(const Sankey& sankey, const std::string& from, const std::string& to) {
  double sum_w = 0.0;
  for (const SankeyFlow& flow : sankey.flows)
    if (sankey.nodes[flow.from].title == from && sankey.nodes[flow.to].title == to) sum_w += flow.value;
  return sum_w;
}

}  // namespace

TEST_CASE("bands of a Sankey diagram lie on their bars and fill them", "[sankey]") {
  check_bands(sankey_diagram(
      {.nodes =
           {{"a", "#111111", 0}, {"b", "#222222", 0}, {"x", "#333333", 1}, {"y", "#444444", 1}, {"out", "#555555", 2}},
       .flows = {{0, 2, 50.0}, {0, 3, 20.0}, {1, 2, 13.0}, {1, 3, 41.0}, {2, 4, 63.0}, {3, 4, 61.0}},
       .unit = "W"}));
  check_bands(sankey_diagram(of_summary(summary)));
}

TEST_CASE("the Sankey diagram of power divides heat by what takes it up, chillers and towers", "[sankey]") {
  const Sankey sankey = with_equipment(summary);
  // By hand, over 10 s and 90 s: loops 300 and 600 kW, doors 200 and 300, air 90 and 110, chillers 300 and 420, towers 910 and 1010.
  CHECK(flow_w(sankey, "heat", "coolant loops") == Approx(570e3));
  CHECK(flow_w(sankey, "heat", "rear doors") == Approx(290e3));
  CHECK(flow_w(sankey, "heat", "air handlers") == Approx(108e3));
  CHECK(flow_w(sankey, "heat", "other equipment") == Approx(212e3));
  CHECK(flow_w(sankey, "heat", "to the sky") == 0.0);
  CHECK(flow_w(sankey, "coolant loops", "without chillers") == Approx(570e3));
  CHECK(flow_w(sankey, "rear doors", "through chillers") == Approx(290e3));
  CHECK(flow_w(sankey, "air handlers", "through chillers") == Approx(108e3));
  CHECK(flow_w(sankey, "other equipment", "through chillers") == Approx(10e3));
  CHECK(flow_w(sankey, "through chillers", "to the sky") == Approx(408e3));
  CHECK(flow_w(sankey, "without chillers", "to the sky") == Approx(772e3));
  CHECK(flow_w(sankey, "to the sky", "towers") == Approx(1000e3));
  CHECK(flow_w(sankey, "to the sky", "other ways") == Approx(180e3));
  CHECK(flow_w(sankey, "heat", "stored") == Approx(30e3));
  check_bands(sankey_diagram(sankey));
  CHECK(flow_w(with_equipment(summary, false), "heat", "coolant loops") == Approx(280e3));  // doors are on the loop
}

TEST_CASE("heat that was taken up and did not leave is in what is stored", "[sankey]") {
  std::vector<NamedValue> values = summary;
  values.back().value = 484e5;              // half of the 968 kW that were taken up
  values[values.size() - 2].value = 666e5;  // so that the balance closes: 1150 kW in, 484 kW out
  const Sankey sankey = with_equipment(values);
  CHECK(flow_w(sankey, "rear doors", "stored") == Approx(145e3));
  CHECK(flow_w(sankey, "coolant loops", "without chillers") == Approx(285e3));
  // Chillers take all of the 199 kW that they can.
  CHECK(flow_w(sankey, "through chillers", "to the sky") == Approx(199e3));
  CHECK(flow_w(sankey, "heat", "stored") == Approx(726e3 - 484e3));  // with the 60 kW of batteries
  check_bands(sankey_diagram(sankey));
}

TEST_CASE("what rounding leaves has no place in a Sankey diagram", "[sankey]") {
  const std::string svg = sankey_diagram({.nodes = {{"a", "#111111", 0}, {"b", "#222222", 1}, {"c", "#333333", 1}},
                                          .flows = {{0, 1, 5e6}, {0, 2, 2.7e-8}},
                                          .unit = "W"});
  CHECK(svg.find(">b 5 MW<") != std::string::npos);
  CHECK(svg.find(">c ") == std::string::npos);
}

TEST_CASE("on a phone each node is a bar, as long as its share of the largest", "[sankey]") {
  const std::string svg = sankey_bars({.nodes = {{"some", "#111111", 0}, {"most", "#222222", 0}, {"all", "#333333", 1}},
                                       .flows = {{0, 2, 1e6}, {1, 2, 3e6}},
                                       .unit = "W"});
  CHECK(svg.find(">some 1 MW, 25 %</text><rect x='0' y='15.0' width='90.0'") != std::string::npos);
  CHECK(svg.find(">most 3 MW, 75 %</text><rect x='0' y='44.0' width='270.0'") != std::string::npos);
  CHECK(svg.find(">all 4 MW, 100 %</text>") > svg.find("stroke-dasharray"));  // of the next group
  CHECK(sankey_bars({.nodes = {{"a", "#111111", 0}}}).empty());
}

TEST_CASE("no label of a Sankey diagram lies on a band", "[sankey]") {
  const std::string svg = sankey_diagram(with_equipment(summary));
  const std::string n = "([-0-9.]+)";
  const auto turns = numbers_of(svg, "<path d='M" + n + " " + n + "H" + n);
  const auto labels = numbers_of(svg, "<text x='" + n + "' y='" + n + "'");
  const std::vector<Bar> bars = bars_in(svg);
  const std::vector<Band> bands = bands_in(svg);
  REQUIRE(labels.size() == bars.size());
  constexpr double letter = 13.0;
  for (const auto& label : labels) {
    for (std::size_t band = 0; band < bands.size(); ++band) {
      // As long as a band is level it is beside labels; where it turns there are none.
      const bool is_beside = label[0] < turns[band][2] && label[0] >= bands[band].from_x - 15.0;
      const bool is_over = label[1] > bands[band].from_top && label[1] - letter < bands[band].from_end;
      CAPTURE(label, turns[band], bands[band].from_top, bands[band].from_end);
      CHECK_FALSE((is_beside && is_over));
    }
  }
}

TEST_CASE("the Sankey diagram of power has the means of the summary, and what comes into each node leaves it",
          "[sankey]") {
  const Sankey sankey = of_summary(summary);
  CHECK(flow_w(sankey, "IT power", "nodes") == Approx(800e3));
  CHECK(flow_w(sankey, "IT power", "switches") == Approx(110e3));
  CHECK(flow_w(sankey, "cooling", "chillers") == Approx(170e3));
  CHECK(flow_w(sankey, "cooling", "towers") == Approx(90e3));
  CHECK(flow_w(sankey, "electrical losses", "loss in UPS") == Approx(40e3));
  CHECK(flow_w(sankey, "heat", "to the sky") == Approx(1180e3));
  CHECK(flow_w(sankey, "from what was stored", "heat") == 0.0);  // 30 kW less in all, of which batteries gave 60 kW
  CHECK(flow_w(sankey, "heat", "stored") == Approx(30e3));
  for (const auto& [source, share] : {std::pair("utility", 900.0 / 1210.0), std::pair("generators", 250.0 / 1210.0),
                                      std::pair("battery", 60.0 / 1210.0)}) {
    CAPTURE(source);
    CHECK(flow_w(sankey, source, "IT power") == Approx(910e3 * share));
    CHECK(flow_w(sankey, source, "cooling") == Approx(260e3 * share));
    CHECK(flow_w(sankey, source, "electrical losses") == Approx(40e3 * share));
  }
  for (std::size_t node = 0; node < sankey.nodes.size(); ++node) {
    double in_w = 0.0, out_w = 0.0;
    for (const SankeyFlow& flow : sankey.flows) {
      in_w += flow.to == node ? flow.value : 0.0;
      out_w += flow.from == node ? flow.value : 0.0;
    }
    const std::string& title = sankey.nodes[node].title;
    CAPTURE(title);
    if (title == "utility") CHECK(out_w == Approx(900e3));
    if (title == "generators") CHECK(out_w == Approx(250e3));
    if (title == "battery") CHECK(out_w == Approx(60e3));
    const bool is_end = sankey.nodes[node].column == 0 || sankey.nodes[node].column == 4 || title.starts_with("from");
    if (!is_end) CHECK(in_w == Approx(out_w));
  }
}
