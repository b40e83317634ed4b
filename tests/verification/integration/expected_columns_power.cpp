// Columns of the site as a whole and of the power system.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/verification/integration/expected_columns.hpp"

namespace wattloop::tests {

namespace {

using Prefixes = std::vector<std::string>;

/// Of all loads whose name begins with one of these and does not end so.
double loads_w(const Instant& now, const Prefixes& prefixes, const std::string& but_for = "?") {
  double sum_w = 0.0;
  for (const auto& [name, number] : now.names.loads) {
    const bool is_one =
        std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& p) { return name.starts_with(p); });
    if (is_one && !name.ends_with(but_for)) sum_w += now.evaluation.loads_w()[number];
  }
  return sum_w;
}

const Prefixes everything_else{"cdu_", "facility.", "tower_", "chiller_", "chilled_water.", "crah_"};

double door_fans_w(const Instant& now) {
  double sum_w = 0.0;
  for (const auto& [name, number] : now.names.loads) {
    if (name.ends_with(".door_fans")) sum_w += now.evaluation.loads_w()[number];
  }
  return sum_w;
}

double nodes_w(const Instant& now) { return loads_w(now, {"row_"}, ".door_fans"); }
double fabric_w(const Instant& now) { return loads_w(now, {"network_rack_"}, ".door_fans"); }

double die_k(const Instant& now, const std::string& gpu) { return now.state_of(gpu + ".die_temperature"); }

void expect_uses(ExpectedColumns& columns) {
  columns["facility/node_power"] = [](const Instant& now, auto&) { return nodes_w(now); };
  columns["facility/fabric_power"] = [](const Instant& now, auto&) { return fabric_w(now); };
  columns["facility/it_power"] = [](const Instant& now, auto&) { return nodes_w(now) + fabric_w(now); };
  columns["facility/rear_door_fan_power"] = [](const Instant& now, auto&) { return door_fans_w(now); };
  for (const auto& [column, prefix] : std::map<std::string, std::string>{{"cdu_pump", "cdu_"},
                                                                         {"facility_pump", "facility."},
                                                                         {"tower", "tower_"},
                                                                         {"chiller", "chiller_"},
                                                                         {"chilled_water_pump", "chilled_water."},
                                                                         {"crah", "crah_"}}) {
    columns["facility/" + column + "_power"] = [prefix = prefix](const Instant& now, auto&) {
      return loads_w(now, {prefix});
    };
  }
  columns["facility/cooling_power"] = [](const Instant& now, auto&) {
    return loads_w(now, everything_else) + door_fans_w(now);
  };
}

void expect_site(const HallByName& hall, const PowerByHand& power, ExpectedColumns& columns) {
  columns["facility/power"] = [power](const Instant& now, auto&) { return power.all_sources_w(now); };
  columns["facility/electrical_loss"] = [power](const Instant& now, auto&) { return power.losses_w(now, ""); };
  columns["facility/battery_power"] = [power](const Instant& now, auto&) { return power.batteries_w(now); };
  columns["facility/pue"] = [power](const Instant& now, auto&) {
    if (power.batteries_w(now) > 0.0) return std::nan("");
    return power.all_sources_w(now) / (nodes_w(now) + fabric_w(now));
  };
  columns["facility/heat_rejected"] = [](const Instant& now, auto&) {
    return now.into("sky.heat.meter") + now.into("outdoors.heat.meter");
  };
  columns["facility/water_flow"] = [](const Instant& now, auto&) { return now.into("towers.make_up_water.meter"); };
  columns["facility/dry_bulb"] = [](const Instant& now, auto&) { return now.input("weather.dry_bulb"); };
  columns["facility/wet_bulb"] = [](const Instant& now, auto&) { return now.input("weather.wet_bulb"); };
  const std::vector<std::string> gpus = hall.all_gpus();
  columns["facility/max_die_temperature"] = [gpus](const Instant& now, auto&) {
    double hottest_k = 0.0;
    for (const std::string& gpu : gpus) hottest_k = std::max(hottest_k, die_k(now, gpu));
    return hottest_k;
  };
  columns["facility/mean_die_temperature"] = [gpus](const Instant& now, auto&) {
    double sum_k = 0.0;
    for (const std::string& gpu : gpus) sum_k += die_k(now, gpu);
    return sum_k / static_cast<double>(gpus.size());
  };
  columns["facility/throttled_gpus"] = [](const Instant& now, auto&) {
    const auto& clocks = now.state.work.clock_fraction;
    return static_cast<double>(
        std::count_if(clocks.begin(), clocks.end(), [](double c) { return c > 0.0 && c < 1.0; }));
  };
  columns["facility/shut_down_gpus"] = [](const Instant& now, auto&) {
    return static_cast<double>(std::ranges::count(now.state.work.clock_fraction, 0.0));
  };
  columns["facility/down_gpus"] = [](const Instant& now, auto&) {
    return 8.0 * static_cast<double>(now.state.work.node_is.size() -
                                     std::ranges::count(now.state.work.node_is, twin::NodeIs::at_work));
  };
}

/// Motors by their commands, switches by their orders and by what is live behind them.
void expect_states(ExpectedColumns& columns) {
  columns["motors/speed"] = [](const Instant& now, const std::string& item) { return now.state_of(item + ".speed"); };
  columns["motors/state"] = [](const Instant& now, const std::string& item) {
    const auto& motors = now.names.plant.motors;
    const auto number =
        static_cast<std::size_t>(std::ranges::find(motors, item, &twin::MotorPart::name) - motors.begin());
    if (item == "cdu_1.pump_a" && now.state.time_s >= 3.0) return 2.0;
    if (item == "tower_2" && now.state.time_s >= 5.0 && now.state.time_s < 35.0) return 2.0;
    return now.state.equipment.is_running.at(number) != 0 ? 1.0 : 0.0;
  };
  columns["breakers/state"] = [](const Instant& now, const std::string& item) {
    const double t = now.state.time_s;
    if (item == "pdu_a_3" || item == "pdu_b_3") return t >= 10.0 && t < 50.0 ? 0.0 : 1.0;
    if (item == "utility_a") return t >= 14.0 && t < 34.0 ? 0.0 : 1.0;
    if (item.starts_with("generator_a")) return t >= 14.0 && t < 39.0 ? 1.0 : 0.0;  // until 5 s after the feed
    return item.starts_with("generator_b") ? 0.0 : 1.0;
  };
}

}  // namespace

void expect_power(const HallByName& hall, ExpectedColumns& columns) {
  const PowerByHand power(hall.scenario.power);
  expect_uses(columns);
  expect_site(hall, power, columns);
  expect_states(columns);
  for (const std::string group : {"feeders", "ups"}) {
    const auto of_branch = [power](double BranchByHand::*value) -> Expected {
      return [power, value](const Instant& now, const std::string& item) { return power.branch(now, item).*value; };
    };
    columns[group + "/power"] = of_branch(&BranchByHand::output_w);
    columns[group + "/input_power"] = of_branch(&BranchByHand::input_w);
    columns[group + "/loss"] = of_branch(&BranchByHand::loss_w);
    columns[group + "/loading"] = [power](const Instant& now, const std::string& item) {
      const BranchByHand branch = power.branch(now, item);
      return branch.output_w / branch.rated_w;
    };
  }
  columns["ups/battery_power"] = [power](const Instant& now, const std::string& item) {
    return power.branch(now, item).battery_w;
  };
  columns["ups/state_of_charge"] = [](const Instant& now, const std::string& item) {
    return now.state_of(item + ".state_of_charge");
  };
  const double generator_w = hall.scenario.power.generators.generator.rated_w;
  columns["generators/power"] = [power](const Instant& now, const std::string& item) {
    return power.source_w(now, item);
  };
  columns["generators/loading"] = [power, generator_w](const Instant& now, const std::string& item) {
    return power.source_w(now, item) / generator_w;
  };
}

}  // namespace wattloop::tests
