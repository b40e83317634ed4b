// Bands of a Sankey diagram, read back from the picture: they begin and end on the bars of their nodes, meet without a gap, are as wide as
// their numbers say, and the numbers are those of the summary. No two numbers are equal.
#include "twin/drawings/charts/sankey.hpp"

#include <algorithm>
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
       numbers_of(svg, "<path d='M" + n + " " + n + "C" + skip + " " + skip + " " + skip + " " + skip + " " + n + " " +
                           n + "V" + n + "C" + skip + " " + skip + " " + skip + " " + n))
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
