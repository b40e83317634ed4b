// Bus bandwidth over bytes: lines of a hall by the closed forms of its links, dots that are the rows of the table of measurements, and both drawn where
// the axes say.
#include "twin/commands/results/bus_bandwidth.hpp"

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "network/collectives/collective_time.hpp"
#include "tests/support/catch.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::string base = std::string(WATTLOOP_SOURCE_DIR) + "/tests/unit/mistakes/base/fabric.yaml";

Scenario hall(const std::vector<std::string>& overrides = {}) { return read_scenario(base, overrides); }

struct Point {
  double bytes_b, bus_b_per_s;
};

/// Of rows with a size: source, GPU, nodes, GPUs, algorithm, bytes, microseconds, GB/s.
std::vector<Point> measured_rows(const std::string& source, const std::string& algorithm) {
  std::ifstream table(tests::reference_data() + "/training/nccl_busbw.csv");
  std::vector<Point> rows;
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    if (cells.size() == 8 && cells[0] == source && cells[4] == algorithm && !cells[5].empty())
      rows.push_back({std::stod(cells[5]), 1e9 * std::stod(cells[7])});
  }
  return rows;
}

std::vector<std::string> names_of(const std::vector<BandwidthCurve>& curves) {
  std::vector<std::string> names;
  for (const BandwidthCurve& curve : curves) names.push_back(curve.name);
  return names;
}

}  // namespace

TEST_CASE("bus bandwidth of a hall over bytes is that of the closed forms of its links", "[bandwidth]") {
  const std::vector<BandwidthCurve> curves = bandwidth_curves(hall({"hall.network.nvlink.in_switch=273 GB/s"}));
  REQUIRE(names_of(curves) == std::vector<std::string>{"8 GPUs of a domain, ring", "8 GPUs, NVLink switches",
                                                       "512 GPUs, rails", "8 H100, switches, measured",
                                                       "4 GB200, ring, measured"});
  REQUIRE(curves[0].bytes_b.size() == 57);
  CHECK(curves[0].bytes_b.front() == 1048576.0);
  CHECK(curves[0].bytes_b.back() == Approx(16.0 * 1073741824.0));
  for (std::size_t k = 0; k < curves[0].bytes_b.size(); ++k) {
    const double bytes_b = curves[0].bytes_b[k];
    const double inside_s = 14.0 * 2e-6 + 14.0 / 8.0 * bytes_b / 370e9;
    const double beyond_s = 126.0 * 5e-6 + 126.0 / 64.0 * bytes_b / 8.0 / 48e9;
    const double in_switch_s = std::pow(std::sqrt(121e-6) + std::sqrt(bytes_b / 273e9), 2.0);
    CHECK(curves[0].bus_b_per_s[k] == Approx(14.0 / 8.0 * bytes_b / inside_s));
    CHECK(curves[1].bus_b_per_s[k] == Approx(14.0 / 8.0 * bytes_b / in_switch_s));
    CHECK(curves[2].bus_b_per_s[k] == Approx(1022.0 / 512.0 * bytes_b / (inside_s + beyond_s)));
  }
  CHECK(bandwidth_curves(hall()).size() == 4);  // its switches do not reduce
}

TEST_CASE("measured bus bandwidths are the rows of the table of measurements", "[bandwidth][data]") {
  const std::vector<BandwidthCurve> curves = bandwidth_curves(hall());
  const auto check = [](const BandwidthCurve& curve, const std::vector<Point>& rows) {
    CHECK(curve.is_measured);
    REQUIRE(curve.bytes_b.size() == rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      CHECK(curve.bytes_b[k] == rows[k].bytes_b);
      CHECK(curve.bus_b_per_s[k] == Approx(rows[k].bus_b_per_s).epsilon(1e-12));
    }
  };
  check(curves[2], measured_rows("290", "nvls"));
  check(curves[3], measured_rows("azure", "ring"));
}

TEST_CASE("bus bandwidths are drawn where the axes say", "[bandwidth]") {
  const std::vector<BandwidthCurve> curves{
      {.name = "line", .bytes_b = {1e6, 1e9}, .bus_b_per_s = {100e9, 400e9}},
      {.name = "dot", .bytes_b = {1e8}, .bus_b_per_s = {210e9}, .is_measured = true}};
  const std::string svg = bandwidth_chart(curves);
  // 760 px are three powers of ten from 1 MB, 340 px are 1.05 times 400 GB/s; left and top edge at 70 and 26.
  const auto y_of = [](double gb_per_s) { return fmt::format("{:.1f}", 26.0 + 340.0 * (1.0 - gb_per_s / 420.0)); };
  CHECK_THAT(svg, Catch::Matchers::Contains("M70.0 " + y_of(100.0) + "L830.0 " + y_of(400.0)));
  CHECK_THAT(svg, Catch::Matchers::Contains(fmt::format("M{:.1f} {}h0", 70.0 + 760.0 * 2.0 / 3.0, y_of(210.0))));
  CHECK_THAT(svg, Catch::Matchers::Contains("bus bandwidth, GB/s"));
  CHECK(bandwidth_chart({}).empty());
}

TEST_CASE("a hall without GPUs has no bus bandwidth", "[bandwidth]") {
  Scenario scenario = hall();
  for (RacksSpec& racks : scenario.racks) racks.hardware.units.clear();
  CHECK(bandwidth_curves(scenario).empty());
}
