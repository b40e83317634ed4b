#include "tests/support/halls/lively_hall.hpp"

#include <cmath>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/small_hall.hpp"

namespace wattloop::tests {

twin::Scenario lively_hall_scenario() {
  using Kind = twin::EventSpec::Kind;
  twin::Scenario scenario = small_hall_scenario();
  scenario.name = "lively_hall_in_code";
  scenario.duration_s = lively_s;
  scenario.racks.front().count = 7;
  scenario.racks.front().rows = {3};
  scenario.racks.front().hardware.boot_time_s = 4.0;
  scenario.racks.front().gpu_spread = twin::UnitSpread::none();
  scenario.network.racks = 2;
  scenario.cooling.loops.front().differential_pressure_pa = 60e3;
  scenario.cooling.doors.front().door.fan_power_w = 900.0;
  scenario.cooling.doors.front().door.fan_exponent = 2.7;
  twin::PowerSpec& power = scenario.power;
  power.topology = "2N";
  power.motors_ride_through = true;  // all machines run at all times, as sheets report them
  power.pdus = 9;
  power.has_substation = true;
  power.substation = {.rated_va = 3000e3, .no_load_loss_w = 2500.0, .load_loss_w = 21000.0};
  power.ups.battery_time_s = 240.0;
  power.generators.is_given = true;
  power.generators.count = 2;
  power.generators.generator = {.rated_w = 900e3, .start_time_s = 8.0, .retransfer_delay_s = 5.0};
  scenario.events = {event(3.0, Kind::fail, {"cdu_1.pump_a"}), event(5.0, Kind::fail, {"tower_2"}, 30.0),
                     set_event({.at_s = 7.0, .targets = {"loop_2.supply_temperature"}, .to_si = 307.15}),
                     event(10.0, Kind::open, {"pdu_a_3", "pdu_b_3"}, 40.0),
                     event(14.0, Kind::open, {"utility_a"}, 20.0)};
  scenario.record = {.facility_s = 2.0,
                     .racks_s = 3.0,
                     .gpus_s = 6.0,
                     .gpu_fields = {"power", "clock_fraction", "die_temperature", "plate_temperature"}};
  return scenario;
}

double UnevenWork::next_change_s(double t_s) const { return std::floor(t_s + 1e-9) + 1.0; }

void UnevenWork::sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
                        std::span<double> node_ac_w) const {
  const std::size_t gpus = gpu_w.size() / node_ac_w.size();
  const double second = std::floor(t_s + 1e-9);
  for (std::size_t node = 0; node < nodes.count; ++node) {
    const auto number = static_cast<double>(nodes.first + node);
    double sum_w = 0.0;
    for (std::size_t k = 0; k < gpus; ++k) {
      double& w = gpu_w[node * gpus + k];
      w = 420.0 + 3.0 * number + 5.0 * static_cast<double>(k) + 60.0 * std::sin(0.4 * second + 0.3 * number);
      sum_w += w;
    }
    node_ac_w[node] = 1600.0 + 1.12 * sum_w;
  }
}

}  // namespace wattloop::tests
