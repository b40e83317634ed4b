#include "twin/scenario/size_check.hpp"

#include <fmt/format.h>

#include <array>

#include "core/units.hpp"
#include "twin/scenario/consistency_check.hpp"

namespace wattloop::twin {

namespace {

using Path = std::initializer_list<std::string_view>;

constexpr double year_s = 365.25 * 86400.0;
constexpr double longest_run_s = 100.0 * year_s;
constexpr double shortest_interval_s = 1e-3;
constexpr double shortest_battery_s = 1.0;
constexpr double most_intervals = 1e8;  ///< of a run: three years of seconds

/// Of all that a node holds: 1.6 million GPUs with what is around them. The largest halls that are planned have a tenth.
constexpr double most_units = 2e6;
constexpr double most_racks = 100e3;
constexpr double most_machines = 10e3;  ///< of one kind
constexpr double most_loop_pumps = 256;

class Checker {
 public:
  Checker(const Node& root, Problems& problems) : root_(root), problems_(problems) {}

  /// At the value or, where it is left to its default, at the map that lacks it.
  void refuse(Path keys, std::string message, std::string hint) {
    const Node* node = &root_;
    for (const std::string_view key : keys) {
      const Node* next = find(*node, key);
      if (next == nullptr) break;
      node = next;
    }
    problems_.add(problem_at(*node, std::move(message), std::move(hint)));
  }

  void check_count(Path keys, double count, double most, std::string_view of_what) {
    if (count <= most) return;
    refuse(keys, fmt::format("{:.0f} {} are more than Wattloop takes", count, of_what),
           fmt::format("at most {:.0f} in all: ten times what the largest hall has", most));
  }

  /// An interval that something is done at over the whole run.
  void check_interval(Path keys, std::string_view name, double interval_s, double duration_s) {
    if (interval_s < shortest_interval_s) {
      refuse(keys, fmt::format("{}: {} is too short", name, format_quantity(interval_s, "s")),
             fmt::format("at least {}: nothing in a hall is faster", format_quantity(shortest_interval_s, "s")));
    } else if (duration_s / interval_s > most_intervals) {
      refuse(keys,
             fmt::format("{}: {:.3g} intervals of {} in {}", name, duration_s / interval_s,
                         format_quantity(interval_s, "s"), format_quantity(duration_s, "s")),
             fmt::format("at most {:.0g} in a run: no disk and no patience holds more", most_intervals));
    }
  }

 private:
  const Node& root_;
  Problems& problems_;
};

void check_counts(const Scenario& scenario, Checker& checker) {
  const RacksSpec& racks = scenario.racks;
  const CoolingSpec& cooling = scenario.cooling;
  const PowerSpec& power = scenario.power;
  double units_of_node = 0.0;
  for (const NodeUnits& units : racks.hardware.units) units_of_node += units.count;
  checker.check_count({"hall", "racks", "count"}, racks.count, most_racks, "racks");
  checker.check_count({"hall", "racks"}, units_of_node * racks.nodes * racks.count, most_units, "units of nodes");
  checker.check_count({"hall", "network", "racks"}, scenario.network.racks, most_machines, "network racks");
  const double cdus = static_cast<double>(cooling.loops.count) * cooling.loops.cdus;
  checker.check_count({"hall", "cooling", "loops"}, cdus, most_machines, "CDUs");
  const double loop_pumps = static_cast<double>(cooling.loops.cdus) * cooling.loops.cdu.pump_count;
  if (loop_pumps > most_loop_pumps) {
    checker.refuse(
        {"hall", "cooling", "loops", "cdus"},
        fmt::format("{:.0f} CDU pumps in one loop are more than Wattloop takes", loop_pumps),
        fmt::format("at most {:.0f}: each moves the coolant of all others; loops have a dozen", most_loop_pumps));
  }
  checker.check_count({"hall", "cooling", "facility"}, cooling.facility.pumps.count, most_machines, "facility pumps");
  checker.check_count({"hall", "cooling", "facility", "towers"}, cooling.facility.towers.count, most_machines,
                      "tower cells");
  checker.check_count({"hall", "cooling", "chilled_water"}, cooling.chilled_water.pumps.count, most_machines,
                      "chilled-water pumps");
  checker.check_count({"hall", "cooling", "chilled_water", "chillers"}, cooling.chilled_water.chillers.count,
                      most_machines, "chillers");
  checker.check_count({"hall", "cooling", "crahs"}, cooling.crahs.count, most_machines, "air handlers");
  checker.check_count({"power", "rooms", "crahs"}, power.rooms.crahs.count, most_machines, "air handlers");
  checker.check_count({"power", "pdus"}, power.pdus, most_machines, "PDUs");
  checker.check_count({"power", "generators"}, power.generators.count, most_machines, "generators");
}

void check_times(const Scenario& scenario, Checker& checker) {
  const double duration_s = scenario.duration_s;
  if (duration_s > longest_run_s) {
    return checker.refuse({"duration"}, fmt::format("duration: {} is too long", format_quantity(duration_s, "s")),
                          "at most 100 years, longer than any hall stands");
  }
  const RecordSpec& record = scenario.record;
  checker.check_interval({"record", "facility"}, "record.facility", record.facility_s, duration_s);
  checker.check_interval({"record", "racks"}, "record.racks", record.racks_s, duration_s);
  checker.check_interval({"record", "gpus", "every"}, "record.gpus.every", record.gpus_s, duration_s);
  if (scenario.workload.kind != WorkloadSpec::Kind::training) return;
  const workload::TrainingParams& job = scenario.workload.training;
  checker.check_interval({"workload", "sample_interval"}, "sample_interval", job.sample_interval_s, duration_s);
  checker.check_interval({"workload", "noise_interval"}, "noise_interval", job.noise_interval_s, duration_s);
  checker.check_interval({"workload", "step_time"}, "step_time", job.step_s, duration_s);
  checker.check_interval({"workload", "evaluation_interval"}, "evaluation_interval", job.evaluation_interval_s,
                         duration_s);
  checker.check_interval({"workload", "checkpoint_interval"}, "checkpoint_interval", job.checkpoint_interval_s,
                         duration_s);
}

void check_battery(const Scenario& scenario, Checker& checker) {
  const double battery_s = scenario.power.ups.battery_time_s;
  if (battery_s == 0.0 || battery_s >= shortest_battery_s) return;
  checker.refuse({"power", "ups", "hardware", "battery_time"},
                 fmt::format("battery_time: {} is no battery", format_quantity(battery_s, "s")),
                 "1 s or more; 0 s for a UPS without one");
}

}  // namespace

void check_size(const Node& root, const Scenario& scenario, Problems& problems) {
  Checker checker(root, problems);
  check_counts(scenario, checker);
  check_times(scenario, checker);
  check_battery(scenario, checker);
}

}  // namespace wattloop::twin
