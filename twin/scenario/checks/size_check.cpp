#include "twin/scenario/checks/size_check.hpp"

#include <fmt/format.h>

#include <array>

#include "core/units/units.hpp"
#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

using Path = FilePath;

constexpr double year_s = 365.25 * 86400.0;
constexpr double longest_run_s = 100.0 * year_s;
constexpr double shortest_interval_s = 1e-3;
constexpr double shortest_battery_s = 1.0;
constexpr double longest_sample_s = 86400.0;
constexpr double most_draws = 1e6;  ///< of noise that a sample is the mean of
constexpr double most_steps_behind = 1000;
constexpr double smallest_room_m3 = 1.0, smallest_room_mass_j_per_k = 1.0, smallest_water_m3 = 0.01;
constexpr double most_intervals = 1e8;  ///< of a run: three years of seconds

/// Of all that a node holds: 1.6 million GPUs with what is around them. The largest halls that are planned have a tenth.
constexpr double most_units = 2e6;
constexpr double most_racks = 100e3;
constexpr double most_machines = 10e3;  ///< of one kind
constexpr double most_loop_pumps = 256;
constexpr double most_blocks = 100;

class Checker {
 public:
  Checker(const Node& root, Problems& problems) : root_(root), problems_(problems) {}

  /// At the value or, where it is left to its default, at the map that lacks it.
  void refuse(const Path& keys, std::string message, std::string hint) {
    problems_.add(problem_at(mention_of(root_, keys), std::move(message), std::move(hint)));
  }

  void check_count(const Path& keys, double count, double most, std::string_view of_what) {
    if (count <= most) return;
    refuse(keys, fmt::format("{:.0f} {} are more than Wattloop supports", count, of_what),
           fmt::format("write at most {:.0f} in all: ten times the size of the largest hall", most));
  }

  /// An interval that something is done at over the whole run.
  void check_interval(const Path& keys, std::string_view name, double interval_s, double duration_s) {
    if (interval_s < shortest_interval_s) {
      refuse(keys, fmt::format("{}: {} is too short", name, format_quantity(interval_s, "s")),
             fmt::format("write at least {}: nothing in a hall is faster", format_quantity(shortest_interval_s, "s")));
    } else if (duration_s / interval_s > most_intervals) {
      refuse(keys,
             fmt::format("{}: {:.3g} intervals of {} in {}", name, duration_s / interval_s,
                         format_quantity(interval_s, "s"), format_quantity(duration_s, "s")),
             fmt::format(
                 "write a longer interval: at most {:.0g} in a run, because more need too much disk space and time",
                 most_intervals));
    }
  }

 private:
  const Node& root_;
  Problems& problems_;
};

void check_loop_pumps(const LoopsSpec& loops, Checker& checker) {
  const double loop_pumps = static_cast<double>(loops.cdus) * loops.cdu.pump_count;
  if (loop_pumps <= most_loop_pumps) return;
  checker.refuse(inside(loops.path, {"cdus"}),
                 fmt::format("{:.0f} CDU pumps in one loop are more than Wattloop supports", loop_pumps),
                 fmt::format("write at most {:.0f}: each pump changes the flow of all others; loops have about a dozen",
                             most_loop_pumps));
}

void check_block(const PowerBlockSpec& block, const Path& pdus, const Path& generators, Checker& checker) {
  checker.check_count(pdus, block.pdus, most_machines, "PDUs");
  checker.check_count(generators, block.generators.count, most_machines, "generators");
}

/// Each has a name and may fail by itself.
void check_modules(const PowerBlockSpec& block, const Path& ups, const Path& transformers, Checker& checker) {
  checker.check_count(ups, block.ups_modules, most_machines, "UPS modules");
  checker.check_count(transformers, block.transformers, most_machines, "transformers");
}

void check_counts(const Scenario& scenario, Checker& checker) {
  const CoolingSpec& cooling = scenario.cooling;
  const PowerSpec& power = scenario.power;
  double rack_count = 0.0, units = 0.0;
  for (const RacksSpec& racks : scenario.racks) {
    double units_of_node = 0.0;
    for (const NodeUnits& of_node : racks.hardware.units) units_of_node += of_node.count;
    units += units_of_node * racks.nodes * racks.count;
    rack_count += racks.count;
  }
  checker.check_count({"hall", "racks", "count"}, rack_count, most_racks, "racks");
  checker.check_count({"hall", "racks"}, units, most_units, "units of nodes");
  checker.check_count({"hall", "network", "racks"}, scenario.network.racks, most_machines, "network racks");
  if (scenario.storage_racks) {
    checker.check_count({"jobs", "storage"}, scenario.storage_racks->count, most_racks, "storage appliances");
    checker.check_count({"jobs", "storage", "racks"}, scenario.storage_racks->racks, most_machines, "storage racks");
  }
  double cdus = 0.0;
  for (const LoopsSpec& loops : cooling.loops) {
    cdus += static_cast<double>(loops.count) * loops.cdus;
    check_loop_pumps(loops, checker);
  }
  checker.check_count({"hall", "cooling", "loops"}, cdus, most_machines, "CDUs");
  for (const FacilitySpec& water : cooling.water) {
    checker.check_count(inside(water.path, {}), water.pumps.count, most_machines, water.name + " pumps");
    checker.check_count(inside(water.path, {"towers"}), water.towers.count, most_machines, "tower cells");
  }
  for (const ChilledWaterSpec& water : cooling.chilled_water) {
    checker.check_count(water.path, water.pumps.count, most_machines, "chilled-water pumps");
    checker.check_count(inside(water.path, {"chillers"}), water.chillers.count, most_machines, "chillers");
  }
  double crahs = 0.0;
  for (const CrahsSpec& of_room : cooling.crahs) crahs += of_room.count;
  checker.check_count({"hall", "cooling", "crahs"}, crahs, most_machines, "air handlers");
  checker.check_count({"power", "rooms", "crahs"}, power.rooms.crahs.count, most_machines, "air handlers");
  if (power.is_of_one_block()) {
    check_block(power, {"power", "pdus"}, {"power", "generators"}, checker);
    check_modules(power, {"power", "ups"}, {"power", "transformers"}, checker);
  }
  for (const PowerBlockSpec& block : power.named_blocks) {
    const std::string& name = block.name;
    check_block(block, {"power", "blocks", name, "pdus"}, {"power", "blocks", name, "generators"}, checker);
    check_modules(block, {"power", "blocks", name, "ups"}, {"power", "blocks", name, "transformers"}, checker);
  }
  checker.check_count({"power", "blocks"}, power.sides(), most_blocks, "power blocks");
}

void check_work(const Path& work, const WorkloadSpec& spec, double duration_s, Checker& checker) {
  const auto* training = spec.training();
  if (training == nullptr) return;
  const workload::TrainingParams& job = *training;
  checker.check_interval(inside(work, {"sample_interval"}), "sample_interval", job.sample_interval_s, duration_s);
  if (job.stage_lag_s > most_steps_behind * job.step_s) {
    checker.refuse(inside(work, {"stage_lag"}),
                   fmt::format("stage_lag: {} are {:.3g} steps", format_quantity(job.stage_lag_s, "s"),
                               job.stage_lag_s / job.step_s),
                   fmt::format("write a stage_lag of at most {:.0f} steps; a real lag is below one step, because all "
                               "stages work on the same step",
                               most_steps_behind));
  }
  if (job.sample_interval_s > longest_sample_s) {
    checker.refuse(inside(work, {"sample_interval"}),
                   fmt::format("sample_interval: {} is too long", format_quantity(job.sample_interval_s, "s")),
                   "write at most one day: a sample is the mean power of the job during this time");
  } else if (job.sample_interval_s / job.noise_interval_s > most_draws) {
    checker.refuse(
        inside(work, {"noise_interval"}),
        fmt::format("noise_interval is too short: a sample of {1} contains {0:.3g} noise intervals",
                    job.sample_interval_s / job.noise_interval_s, format_quantity(job.sample_interval_s, "s")),
        fmt::format("write a longer interval: a sample may contain at most {:.0g} intervals", most_draws));
  }
  checker.check_interval(inside(work, {"noise_interval"}), "noise_interval", job.noise_interval_s, duration_s);
  checker.check_interval(inside(work, {"step_time"}), "step_time", job.step_s, duration_s);
  checker.check_interval(inside(work, {"evaluation_interval"}), "evaluation_interval", job.evaluation_interval_s,
                         duration_s);
  if (!job.checkpoint.is_given) {
    checker.check_interval(inside(work, {"checkpoint_interval"}), "checkpoint_interval", job.checkpoint_interval_s,
                           duration_s);
  } else if (!job.checkpoint.has_rule()) {
    checker.check_interval(inside(work, {"checkpoint", "interval"}), "checkpoint.interval", job.checkpoint.interval_s,
                           duration_s);
  }
}

void check_times(const Scenario& scenario, Checker& checker) {
  const double duration_s = scenario.duration_s;
  if (duration_s > longest_run_s) {
    return checker.refuse({"duration"}, fmt::format("duration: {} is too long", format_quantity(duration_s, "s")),
                          "write at most 100 years");
  }
  const RecordSpec& record = scenario.record;
  checker.check_interval({"record", "facility"}, "record.facility", record.facility_s, duration_s);
  checker.check_interval({"record", "racks"}, "record.racks", record.racks_s, duration_s);
  checker.check_interval({"record", "gpus", "every"}, "record.gpus.every", record.gpus_s, duration_s);
  check_work({"workload"}, scenario.workload, duration_s, checker);
  for (const RacksSpec& racks : scenario.racks) {
    if (racks.workload) check_work(inside(racks.path, {"workload"}), *racks.workload, duration_s, checker);
  }
}

void check_room(const Path& volume_keys, const Path& mass_keys, const RoomSpec& room, Checker& checker) {
  if (room.volume_m3 < smallest_room_m3) {
    checker.refuse(volume_keys,
                   fmt::format("volume: {} is too small for a room", format_quantity(room.volume_m3, "m3")),
                   "write at least 1 m3: a smaller volume changes faster than can be simulated");
  }
  const double mass_j_per_k = room.mass_heat_capacity_j_per_k;
  if (mass_j_per_k > 0.0 && mass_j_per_k < smallest_room_mass_j_per_k) {
    checker.refuse(
        mass_keys, fmt::format("mass_heat_capacity: {} is too small", format_quantity(mass_j_per_k, "J/K")),
        "write at least 1 J/K, or 0 J/K for no mass: a smaller heat capacity changes faster than can be simulated");
  }
}

void check_water(const Path& keys, double volume_m3, Checker& checker) {
  if (volume_m3 == 0.0 || volume_m3 >= smallest_water_m3) return;
  checker.refuse(keys, fmt::format("volume: {} is too small for the pipes", format_quantity(volume_m3, "m3")),
                 "write at least 10 L: a smaller volume changes faster than can be simulated");
}

void check_contents(const Scenario& scenario, Checker& checker) {
  const CoolingSpec& cooling = scenario.cooling;
  for (const RoomSpec& room : cooling.rooms)
    check_room(inside(room.path, {"volume"}), inside(room.path, {"mass_heat_capacity"}), room, checker);
  if (scenario.power.rooms.is_given) {
    check_room({"power", "rooms", "volume"}, {"power", "rooms", "mass_heat_capacity"}, scenario.power.rooms.room,
               checker);
  }
  for (const FacilitySpec& water : cooling.water) check_water(inside(water.path, {"volume"}), water.volume_m3, checker);
  for (const ChilledWaterSpec& water : cooling.chilled_water)
    check_water(inside(water.path, {"volume"}), water.volume_m3, checker);
}

void check_battery(const Scenario& scenario, Checker& checker) {
  const auto check = [&](double battery_s, const Path& keys) {
    if (battery_s == 0.0 || battery_s >= shortest_battery_s) return;
    checker.refuse(keys, fmt::format("battery_time: {} is too short", format_quantity(battery_s, "s")),
                   "write 1 s or more, or 0 s for a UPS without a battery");
  };
  const PowerSpec& power = scenario.power;
  if (power.is_of_one_block() && !power.is_without_ups)
    check(power.ups.battery_time_s, {"power", "ups", "hardware", "battery_time"});
  for (const PowerBlockSpec& block : power.named_blocks) {
    if (!block.is_without_ups)
      check(block.ups.battery_time_s, {"power", "blocks", block.name, "ups", "hardware", "battery_time"});
  }
}

}  // namespace

void check_size(const Node& root, const Scenario& scenario, Problems& problems) {
  Checker checker(root, problems);
  check_counts(scenario, checker);
  check_times(scenario, checker);
  check_contents(scenario, checker);
  check_battery(scenario, checker);
}

}  // namespace wattloop::twin
