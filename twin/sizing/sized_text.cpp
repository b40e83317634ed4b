#include "twin/sizing/sized_text.hpp"
#include "twin/sizing/sized_cooling_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double ups_room_m3_per_mw = 35.0,
                 ups_room_mj_per_mw = 1.2;  // of the 18 MW of UPS of a side of the reference hall

std::string title_of(const HallSizes& hall) {
  std::string cooling = hall.asked.cooling;
  std::ranges::replace(cooling, '_', ' ');
  return fmt::format("{} GPUs in {} racks of {}, {}, {}", grouped(hall.racks.gpus), grouped(hall.racks.racks),
                     hall.node.name, cooling, hall.asked.redundancy);
}

std::string moved_text(const AskedHall& asked) {
  std::string text;
  if (asked.offset_k != 0.0) text += fmt::format(" --offset \"{:g} K\"", asked.offset_k);
  if (asked.pressure_pa > 0.0) text += fmt::format(" --pressure \"{:g} kPa\"", asked.pressure_pa / 1e3);
  return text;
}

std::string head_text(const HallSizes& hall) {
  std::string text = fmt::format(
      "# Sized by wattloop new: --gpus {} --hardware {} --cooling {} --redundancy {} {}\n"
      "# Every count follows from the nameplates of the nodes and the ratings of the library (docs/new_hall.md). What "
      "carries heat has "
      "10 %\n# to spare and one more, what carries power has 10 % to spare.\n",
      hall.asked.gpus, hall.node.name, hall.asked.cooling, hall.asked.redundancy,
      (hall.asked.weather.empty() ? "--climate " + hall.asked.climate : "--weather FILE") + moved_text(hall.asked));
  for (const std::string& note : hall.notes) text += fmt::format("# {}.\n", comment_text(note));
  return text;
}

/// Powers of GPUs that are not those of an H100, whose the defaults are.
std::string workload_text(const HallSizes& hall) {
  constexpr double h100_limit_w = 700.0, compute_w = 613.0, communication_w = 220.0, checkpoint_w = 156.0;
  const double ratio = hall.node.gpu_limit_w / h100_limit_w;
  if (ratio == 1.0)
    return "# The work: a synthetic training job with the phases of measured ones.\nworkload: { kind: training }\n";
  return fmt::format(
      "# The work: a synthetic training job. Powers of its phases are those of an H100, in the proportion of the "
      "limits, {:.0f} W to "
      "700 W.\nworkload: {{ kind: training, compute_gpu_power: {:.0f} W, communication_gpu_power: {:.0f} W, "
      "checkpoint_gpu_power: {:.0f} W }}\n",
      hall.node.gpu_limit_w, ratio * compute_w, ratio * communication_w, ratio * checkpoint_w);
}

std::string run_text(const HallSizes& hall) {
  const bool is_dry = !hall.towers;
  const Climate& climate = hall.climate;
  return fmt::format(
      "format: 1\ntitle: {}\n"
      "# A day, that of the highest {} bulb.\n"
      "start: 2026-{}T00:00:00\nduration: 24 h\nseed: 1\n\n{}\n"
      "# {}: up to {:.1f} degC dry bulb, {:.1f} degC wet bulb, {}.\nweather: {}\n",
      title_of(hall), is_dry ? "dry" : "wet", is_dry ? climate.hottest_by_dry_bulb : climate.hottest_by_wet_bulb,
      workload_text(hall), comment_text(climate.place), climate.dry_bulb_c, climate.wet_bulb_c, climate.source,
      climate.weather);
}

std::string racks_text(const HallSizes& hall) {
  const std::vector<int> rows = rows_of(hall.racks.racks);
  const bool is_even = rows.front() == rows.back();
  const std::string rows_said = is_even ? fmt::format("{}", rows.size()) : fmt::format("[{}]", fmt::join(rows, ", "));
  return fmt::format(
      "hall:\n"
      "  # Racks: {} nodes of {} GPUs, {} at nameplate each; a rack draws {}, {} of it into the air. {} in all.\n"
      "  # There are no switches: `wattloop explain hall.network` shows how to add the fabric, its heat and its "
      "power.\n"
      "  racks: {{ count: {}, rows: {}, nodes: {}, hardware: {} }}\n",
      hall.racks.nodes_per_rack, hall.node.gpus, watts(hall.node.nameplate_w), watts(hall.racks.rack_w),
      watts(hall.racks.rack_air_w), watts(hall.racks.it_w), hall.racks.racks, rows_said, hall.racks.nodes_per_rack,
      hall.node.name);
}

std::string redundancy_reason(const HallSizes& hall) {
  const BlockPlan& plan = hall.plan;
  if (plan.redundancy == "N")
    return "One path with what it needs: nothing of it may be out but a generator, where there are several";
  if (plan.redundancy == "N+1") return "One path; one module of the UPS, one transformer or one generator may be out";
  if (plan.redundancy == "2N") return "Two paths, each of which carries the whole hall";
  if (plan.has_reserve())
    return fmt::format("{} blocks carry a share each, and the reserve r takes over from any one", plan.blocks);
  return fmt::format("{} blocks, each rack on two of them; with one out the others carry its share", plan.blocks);
}

std::string counted(const char* key, const char* count, const PowerCount& equipment, int buses = 1) {
  const std::string spare = equipment.spare > 0 ? fmt::format("redundant: {}, ", equipment.spare)
                            : buses > 1         ? fmt::format("low_voltage_buses: {}, ", buses)
                                                : "";
  return fmt::format("      {}: {{ {}: {}, {}hardware: {} }}", key, count, equipment.count, spare,
                     equipment.device.name);
}

std::string block_text(const HallSizes& hall) {
  const BlockSizes& block = hall.block;
  PowerCount generators = block.generators;
  generators.spare = 0;  // is not said of generators
  return fmt::format("{}   # {} of UPS and motors\n{}\n{}   # {} of racks, PDUs{}\n{}   # {} of racks on the fullest\n",
                     counted("transformers", "count", block.transformers, block.low_voltage_buses),
                     watts(block.transformers.load_w), counted("generators", "count", generators),
                     counted("ups", "modules", block.ups), watts(block.ups.load_w), hall.loops ? " and CDU pumps" : "",
                     counted("pdus", "count", block.pdus), watts(block.pdus.load_w));
}

std::string ups_rooms_text(const HallSizes& hall) {
  const double ups_mw = hall.block.ups.rated_w() / 1e6;
  return fmt::format(
      "  # A room for each UPS, which loses {} at its fullest; air handlers take {} each at {:.0f} degC. 35 m3 and 1.2 "
      "MJ/K for each MW of "
      "UPS.\n  rooms:\n    volume: {:.0f} m3\n    mass_heat_capacity: {:.0f} kJ/K\n    humidity: {{ dew_point: {:.0f} "
      "degC }}\n"
      "    crahs: {{ count: {}, hardware: {}, air_temperature: {:.0f} degC }}\n",
      watts(hall.ups_room_heat_w), watts(hall.ups_crahs.net_w), hall.set.ups_room_c,
      std::ceil(std::max(30.0, ups_mw * ups_room_m3_per_mw)),
      std::ceil(std::max(1.0, ups_mw * ups_room_mj_per_mw)) * 1e3, hall.set.dew_point_c, hall.ups_crahs.count,
      hall.ups_crahs.crah.name, hall.set.ups_room_c);
}

/// `one_line`: the diagram as drawn, instead of blocks.
std::string power_text(const HallSizes& hall, const std::string& one_line) {
  if (!one_line.empty()) return "\npower:\n" + one_line + ups_rooms_text(hall);
  const std::vector<std::string> names = hall.plan.names();
  std::string text = fmt::format(
      "\npower:\n  # {}.\n  # Counts are those of one block, loads those with the worst other block out, all motors "
      "running.\n"
      "  redundancy: {}\n",
      redundancy_reason(hall), hall.plan.said());
  if (hall.plan.has_reserve()) text += "  reserve: r\n";
  text += "  blocks:\n    a:\n" + block_text(hall);
  for (std::size_t k = 1; k < names.size(); ++k) text += fmt::format("    {}: {{ like: a }}\n", names[k]);
  return text + ups_rooms_text(hall);
}

std::string record_text(const HallSizes& hall) {
  constexpr int many_gpus = 20'000;
  return fmt::format(
      "\n# What the results file holds, and how often.\nrecord: {{ facility: 15 s, racks: {}, gpus: {{ every: {}, "
      "fields: "
      "[die_temperature] }} }}\n",
      "60 s", hall.racks.gpus > many_gpus ? "1 h" : "10 min");
}

std::string next_text(const HallSizes& hall, const std::string& file) {
  const std::string set_point =
      hall.loops ? "hall.cooling.loops.supply_temperature" : "hall.cooling.crahs.air_temperature";
  const double warmer_c = (hall.loops ? hall.set.coolant_c : hall.set.room_c) + 4.0;
  return fmt::format(
      "\n# Next:\n"
      "#   wattloop check {0}                          every rating against its load, with anything out\n"
      "#   wattloop run {0} -o results/hall.h5          the day\n"
      "#   wattloop view results/hall.h5                 a picture of it\n"
      "#   wattloop report results/hall.h5               a page of it\n"
      "#   wattloop run {0} --set \"{1}={2:.0f} degC\" -o results/warmer.h5\n"
      "#   wattloop run {0} --event \"at: 10 min, open: utility_a, for: 5 min\" -o results/feed_lost.h5\n"
      "# A study of both, in a file of its own beside this one (docs/studies.md), is run by wattloop study:\n"
      "#   base: {0}\n"
      "#   changes:\n"
      "#     warmer: {{ path: {1}, values: [{3:.0f} degC, {2:.0f} degC] }}\n"
      "#   keep:\n"
      "#     - peak_die_temperature: degC\n"
      "#     - pue\n",
      file, set_point, warmer_c, warmer_c - 4.0);
}

}  // namespace

std::string watts(double value_w) { return format_quantity(value_w, "W"); }

std::string grouped(int value) {
  std::string text = fmt::format("{}", value);
  for (int place = static_cast<int>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

std::string sized_text(const HallSizes& hall, const std::string& file, const std::string& one_line) {
  return head_text(hall) + run_text(hall) + "\n" + racks_text(hall) + sized_cooling_text(hall) +
         sized_parts_text(hall) + power_text(hall, one_line) + record_text(hall) + next_text(hall, file);
}

}  // namespace wattloop::twin
