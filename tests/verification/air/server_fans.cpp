// Fans of a server: their two lines, the slow trim in a closed form, the laws of fans, and their share of a server's watts.
//
//   trim against a die that falls by k per unit of speed:  s_n = s_rest + (s_0 - s_rest) (1 - k a)^n,
//                                                          a = interval / (trim_time (die_full_speed - die_target))
//
// Record: [greensku_server_fans], eight points of server and fan watts, of several machines of 320 to 911 W: 8.9 to 15.4 %. Compared are
// watts of fans in a server whose die the control of this header holds in equilibrium; three numbers (watts at full speed and both ends of
// the die line) are fitted. Tolerance: 15 % of each point, 1.9 points of percentage; the best straight line through them is 11 % off one.
#include "workload/nodes/server_fans.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "physics/units/heat_sink.hpp"
#include "tests/support/by_hand/least_squares.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::HeatSink;
using workload::ServerFanParams;

namespace {

constexpr double celsius_k = 273.15, cool_k = celsius_k + 20.0;

ServerFanParams fans_without_trim() {
  ServerFanParams fans;
  fans.trim_s = 0.0;
  fans.ramp_s = 0.0;
  return fans;
}

/// A server of the record as one die under one sink; 40 K above its air at 911 W and full speed.
struct Server {
  HeatSink::Params sink;
  static constexpr double full_flow_kg_per_s = 0.06, air_k = celsius_k + 25.0;

  Server() {
    sink.die_heat_capacity_j_per_k = 100.0;
    sink.sink_heat_capacity_j_per_k = 4000.0;
    sink.die_to_sink_w_per_k = 41.4;
    sink.design_conductance_w_per_k = 111.0;
    sink.design_flow_kg_per_s = full_flow_kg_per_s;
  }

  double die_k(double power_w, double speed) const {
    const PortNow air{air_k, workload::fans_kg_per_s(full_flow_kg_per_s, speed), 1006.0};
    return air_k + power_w * (1.0 / sink.die_to_sink_w_per_k + 1.0 / HeatSink::conductances_w_per_k(sink, {air})[0]);
  }

  /// The speed that the dies at this speed ask for.
  double speed(const ServerFanParams& fans, double power_w) const {
    double low = fans.lowest_speed_fraction, high = 1.0;
    while (high - low > 1e-9) {
      const double middle = 0.5 * (low + high);
      (workload::next_speed(fans, middle, air_k - 5.0, die_k(power_w, middle), 5.0) > middle ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
};

struct Point {
  double server_w, fans_w;
};

std::vector<Point> read_record() {
  std::ifstream file(tests::reference_data() + "/thermal/server_fan_power/server_fan_power.csv");
  REQUIRE(file.good());
  std::string line;
  std::getline(file, line);
  REQUIRE(line.starts_with("server power,fan power"));
  std::vector<Point> points;
  while (std::getline(file, line)) {
    const std::size_t comma = line.find(',');
    points.push_back({std::stod(line), std::stod(line.substr(comma + 1))});
  }
  return points;
}

/// Watts of fans by the model, for unknowns near 1.
std::vector<double> modelled_w(const std::vector<Point>& points, std::span<const double> unknowns) {
  ServerFanParams fans = fans_without_trim();
  fans.lowest_speed_fraction = 0.3;
  fans.die_rise_k = celsius_k + 26.0 * unknowns[1];
  fans.die_full_speed_k = celsius_k + 61.0 * unknowns[2];
  std::vector<double> watts;
  const Server server;
  for (const Point& point : points)
    watts.push_back(workload::fans_w(137.0 * unknowns[0], server.speed(fans, point.server_w)));
  return watts;
}

}  // namespace

TEST_CASE("fans run at lowest speed in cool air, along their lines, and at full speed at their ends", "[server_fans]") {
  const ServerFanParams fans = fans_without_trim();
  const auto speed = [&](double inlet_degc, double die_degc) {
    return workload::next_speed(fans, 0.8, celsius_k + inlet_degc, celsius_k + die_degc, 5.0);
  };
  CHECK(speed(20.0, 60.0) == Approx(0.6));
  CHECK(speed(25.0, 78.0) == Approx(0.6));
  CHECK(speed(30.0, 60.0) == Approx(0.8));
  CHECK(speed(20.0, 82.5) == Approx(0.8));
  CHECK(speed(27.5, 82.5) == Approx(0.8));  // the larger of 0.7 and 0.8
  CHECK(speed(32.5, 82.5) == Approx(0.9));
  CHECK(speed(35.0, 20.0) == Approx(1.0));
  CHECK(speed(20.0, 87.0) == Approx(1.0));
  CHECK(speed(60.0, 120.0) == 1.0);
  CHECK(workload::line_speed(fans, celsius_k + 30.0, celsius_k + 20.0) == Approx(0.8));
}

TEST_CASE("fans without control run at full speed", "[server_fans]") {
  ServerFanParams fans;
  fans.is_controlled = false;
  CHECK(workload::next_speed(fans, 0.6, cool_k, cool_k, 5.0) == 1.0);
  CHECK(workload::line_speed(fans, cool_k, cool_k) == 1.0);
}

TEST_CASE("speed changes by no more than its ramp allows, up and down", "[server_fans]") {
  ServerFanParams fans;  // 20 s from none to full
  CHECK(workload::next_speed(fans, 0.6, celsius_k + 40.0, cool_k, 5.0) == Approx(0.85));
  CHECK(workload::next_speed(fans, 0.6, celsius_k + 40.0, cool_k, 60.0) == 1.0);
  fans.trim_s = 0.0;
  CHECK(workload::next_speed(fans, 1.0, cool_k, cool_k, 5.0) == Approx(0.75));
  CHECK(workload::next_speed(fans, 1.0, cool_k, cool_k, 60.0) == Approx(0.6));
}

TEST_CASE("the trim creeps towards full speed and back at the pace that it names", "[server_fans]") {
  ServerFanParams fans;
  fans.die_rise_k = fans.die_full_speed_k - 1e-6;  // the line out of its way
  const double band_k = fans.die_full_speed_k - fans.die_target_k;
  double speed = 0.6;
  for (int tick = 0; tick < 6; ++tick)
    speed = workload::next_speed(fans, speed, cool_k, fans.die_target_k + 0.5 * band_k, 5.0);
  CHECK(speed == Approx(0.6 + 0.5 * 30.0 / 150.0));
  CHECK(workload::next_speed(fans, speed, cool_k, fans.die_target_k, 5.0) == Approx(speed));
  CHECK(workload::next_speed(fans, speed, cool_k, fans.die_target_k - 0.5 * band_k, 15.0) == Approx(speed - 0.05));
  CHECK(workload::next_speed(fans, 0.6, cool_k, fans.die_target_k - band_k, 5.0) == Approx(0.6));
  CHECK(workload::next_speed(fans, 0.999, cool_k, fans.die_target_k + 0.9 * band_k, 5.0) == 1.0);
}

TEST_CASE("the trim brings the hottest die back to its target, geometrically", "[server_fans]") {
  const ServerFanParams fans;
  constexpr double slope_k = 30.0, standing_k = celsius_k + 95.0, interval_s = 5.0;  // die = 95 degC - 30 K x speed
  const double rest = (standing_k - fans.die_target_k) / slope_k;
  const double gain = interval_s / (fans.trim_s * (fans.die_full_speed_k - fans.die_target_k));
  double speed = 0.72;
  for (int tick = 1; tick <= 40; ++tick) {
    speed = workload::next_speed(fans, speed, cool_k, standing_k - slope_k * speed, interval_s);
    const double exact = rest + (0.72 - rest) * std::pow(1.0 - slope_k * gain, tick);
    CHECK(speed == Approx(exact).epsilon(1e-12));
    if (tick == 40) {
      tests::report_verification(
          {"fans of a server, trim over 200 s", "closed form", "speed", speed, exact, 1e-12, "1"});
    }
  }
}

TEST_CASE("air follows the speed of fans, and watts its cube", "[server_fans]") {
  CHECK(workload::fans_w(1530.0, 1.0) == 1530.0);
  CHECK(workload::fans_w(1530.0, 0.5) == Approx(191.25));
  CHECK(workload::fans_kg_per_s(0.6, 0.5) == Approx(0.3));
}

TEST_CASE("fans that could not be run as described are refused, all mistakes at once", "[server_fans]") {
  CHECK(workload::check(ServerFanParams{}).empty());
  ServerFanParams fans;
  fans.inlet_full_speed_k = fans.inlet_rise_k;
  fans.die_full_speed_k = fans.die_target_k - 1.0;
  const std::vector<std::string> messages = workload::check(fans);
  REQUIRE(messages.size() == 3);
  CHECK(messages[0] == "inlet_full_speed: 25 degC is not above inlet_rise of 25 degC");
  CHECK(messages[1] == "die_full_speed: 68.5 degC is not above die_rise of 78 degC");
  CHECK(messages[2] == "die_full_speed: 68.5 degC is not above die_target of 69.5 degC");
}

TEST_CASE("fans of servers of 320 to 911 W draw what cubic law and die line make of it", "[server_fans][data]") {
  const std::vector<Point> points = read_record();
  REQUIRE(points.size() == 8);
  const auto off = [&](std::span<const double> unknowns) {
    std::vector<double> ratios = modelled_w(points, unknowns);
    for (std::size_t k = 0; k < points.size(); ++k) ratios[k] = ratios[k] / points[k].fans_w - 1.0;
    return ratios;
  };
  const std::vector<double> fitted = tests::least_squares(off, {1.0, 1.0, 1.0});
  const std::vector<double> watts = modelled_w(points, fitted);
  CHECK(tests::root_mean_square(off(fitted)) < 0.10);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double ours = watts[k] / points[k].server_w, theirs = points[k].fans_w / points[k].server_w;
    INFO(points[k].server_w << " W: " << ours << ", measured " << theirs);
    CHECK(watts[k] == Approx(points[k].fans_w).epsilon(0.15));
    CHECK(std::abs(ours - theirs) < 0.019);
    if (k == 0 || k + 1 == points.size()) {
      tests::report_verification({k == 0 ? "server of 320 W" : "server of 911 W", "greensku_server_fans",
                                  "share of fans", ours, theirs, 0.019, "1", "fit"});
    }
  }
}
