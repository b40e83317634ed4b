#include "twin/build/floor/rack_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/random.hpp"
#include "core/parts/fault_setting.hpp"
#include "core/text/name_pattern.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

std::vector<PlannedLoop> plan_loops(const CoolingSpec& cooling) {
  std::vector<PlannedLoop> loops;
  for (std::size_t spec = 0; spec < cooling.loops.size(); ++spec) {
    const LoopsSpec& of_sort = cooling.loops[spec];
    const std::string stem = of_sort.name.empty() ? "loop" : of_sort.name;
    const bool is_numbered = of_sort.name.empty() || of_sort.count > 1;
    for (int number = 1; number <= of_sort.count; ++number)
      loops.push_back({is_numbered ? fmt::format("{}_{}", stem, number) : stem, spec});
  }
  return loops;
}

/// Numbers of the loops that racks of a group hang on.
std::vector<std::size_t> loops_of(const RacksSpec& racks, const std::vector<PlannedLoop>& loops,
                                  const CoolingSpec& cooling) {
  std::vector<std::size_t> numbers;
  if (!racks.hardware.takes_coolant()) return numbers;
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    const std::string& sort = cooling.loops[loops[loop].spec].name;
    const bool is_of_sort = racks.on.coolant.empty() || racks.on.coolant == (sort.empty() ? "loops" : sort);
    if (is_of_sort) numbers.push_back(loop);
  }
  return numbers;
}

/// Rooms share racks of switches in equal runs.
std::vector<PlannedRow> plan_network_rows(const Scenario& scenario) {
  std::vector<PlannedRow> rows;
  if (!scenario.network.is_given) return rows;
  std::vector<std::size_t> rooms;
  for (const std::string& name : scenario.network.rooms.names)
    rooms.push_back(room_number(scenario.cooling, name).value_or(0));
  if (rooms.empty()) rooms.push_back(0);
  const auto racks = static_cast<std::size_t>(scenario.network.racks);
  for (std::size_t k = 0; k < rooms.size(); ++k) {
    const std::size_t share = (k + 1) * racks / rooms.size() - k * racks / rooms.size();
    const std::string name = rooms.size() == 1 ? "network_row" : fmt::format("network_row_{}", rows.size() + 1);
    if (share > 0) rows.push_back({.name = name, .racks = share, .room = rooms[k]});
  }
  return rows;
}

std::vector<PlannedRow> plan_storage_rows(const Scenario& scenario) {
  if (!scenario.storage_racks) return {};
  const StorageRacksSpec& spec = *scenario.storage_racks;
  return {{.name = "storage_row",
           .racks = static_cast<std::size_t>(spec.racks),
           .room = room_number(scenario.cooling, spec.room).value_or(0)}};
}

std::optional<std::size_t> doors_of(const RackHangsOn& on, const CoolingSpec& cooling) {
  const DoorsSpec* doors = find_doors(cooling, on.door);
  return doors == nullptr ? std::nullopt : std::optional(static_cast<std::size_t>(doors - cooling.doors.data()));
}

/// Patterns of all passages that events clog, each once.
std::set<std::string> clogged_passages(const Scenario& scenario) {
  std::set<std::string> patterns;
  for (const EventSpec& event : scenario.events) {
    for (const std::string& target : event.targets) {
      const FaultName found = fault_in(target);
      if (found.fault != nullptr && found.fault->name == clogged_passage.name) patterns.emplace(found.target);
    }
  }
  return patterns;
}

/// Middles of the lower two of four equally likely parts of the normal distribution, below its mean: few flows, so that steps of units
/// stay quick.
constexpr std::array lower_parts{1.3629, 0.3775};
constexpr std::uint32_t rack_stream = 0x5241434B;  // letters, so that no other part of a run has them

/// Deviations of `count` racks with a mean of zero and a mean square of one: a symmetric part of the distribution for each; none of one rack.
std::vector<double> symmetric_parts(std::size_t count) {
  std::vector<double> parts(count);
  double squares = 0.0;
  for (std::size_t k = 0; k < count / 2; ++k) {
    const double part = lower_parts[lower_parts.size() * (2 * k + 1) / count];
    parts[k] = -part;
    parts[count - 1 - k] = part;
    squares += 2.0 * part * part;
  }
  for (double& part : parts) part *= squares > 0.0 ? std::sqrt(static_cast<double>(count) / squares) : 0.0;
  return parts;
}

/// Racks of one kind on one loop share its flow: their mean is one, whoever has which part.
void spread_flow(std::span<PlannedRack*> racks, double spread_ratio, RandomKey key) {
  const auto word = [&](std::size_t k) { return philox({static_cast<std::uint32_t>(k), 0, 0, 0}, key)[0]; };
  for (std::size_t k = racks.size(); k > 1; --k)
    std::swap(racks[k - 1], racks[static_cast<std::size_t>(uniform(word(k)) * static_cast<double>(k))]);
  const std::vector<double> parts = symmetric_parts(racks.size());
  for (std::size_t k = 0; k < racks.size(); ++k) racks[k]->flow_ratio = 1.0 + spread_ratio * parts[k];
}

void spread_flows(const Scenario& scenario, RackPlan& plan) {
  for (std::size_t loop = 0; loop < plan.loops.size(); ++loop) {
    const double spread_ratio = scenario.cooling.loops[plan.loops[loop].spec].rack_flow_spread_ratio;
    if (spread_ratio == 0.0) continue;
    for (std::size_t group = 0; group < scenario.racks.size(); ++group) {
      std::vector<PlannedRack*> racks;
      for (PlannedRack& rack : plan.racks) {
        if (rack.loop == loop && rack.group == group) racks.push_back(&rack);
      }
      spread_flow(
          racks, spread_ratio,
          random_key(scenario.seed, rack_stream + static_cast<std::uint32_t>(loop * scenario.racks.size() + group)));
    }
  }
}

/// By itself, or as the part that it is of.
bool is_named(const std::string& passage, const std::set<std::string>& patterns) {
  const std::string part = passage.substr(0, passage.rfind('.'));
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return fits_pattern(part, pattern) || fits_pattern(passage, pattern);
  });
}

}  // namespace

std::string coolant_passage(const std::string& rack) { return rack + ".coolant"; }
std::string door_passage(const std::string& rack) { return rack + ".door.water"; }

std::vector<int> RacksSpec::row_sizes() const {
  if (rows.size() > 1) return rows;
  std::vector<int> sizes;
  const int per_row = (count + rows.front() - 1) / rows.front();
  for (int first = 0; first < count; first += per_row) sizes.push_back(std::min(per_row, count - first));
  return sizes;
}

std::vector<std::size_t> RackPlan::rows_of(std::size_t loop) const {
  std::vector<std::size_t> numbers;
  for (const PlannedRack& rack : racks) {
    if (rack.loop == loop && (numbers.empty() || numbers.back() != rack.row)) numbers.push_back(rack.row);
  }
  if (numbers.empty()) numbers.push_back(0);
  return numbers;
}

RackPlan plan_racks(const Scenario& scenario) {
  RackPlan plan;
  plan.loops = plan_loops(scenario.cooling);
  plan.network_rows = plan_network_rows(scenario);
  plan.storage_rows = plan_storage_rows(scenario);
  const std::set<std::string> clogged = clogged_passages(scenario);
  if (scenario.network.is_given && find_doors(scenario.cooling, scenario.network.on.door) != nullptr) {
    for (int rack = 1; rack <= scenario.network.racks; ++rack)
      plan.clogged_network_doors.push_back(is_named(door_passage(fmt::format("network_rack_{}", rack)), clogged));
  }
  for (std::size_t group = 0; group < scenario.racks.size(); ++group) {
    const RacksSpec& racks = scenario.racks[group];
    const std::vector<std::size_t> loops = loops_of(racks, plan.loops, scenario.cooling);
    const std::size_t room = room_number(scenario.cooling, racks.on.room).value_or(0);
    const std::optional<std::size_t> doors = doors_of(racks.on, scenario.cooling);
    std::size_t of_group = 0;
    for (const int size : racks.row_sizes()) {
      const std::size_t row = plan.rows.size();
      plan.rows.push_back({fmt::format("row_{}", row + 1), group, static_cast<std::size_t>(size), room});
      for (int rack = 1; rack <= size; ++rack, ++of_group) {
        PlannedRack planned{fmt::format("row_{}.rack_{}", row + 1, rack), group, row, {}, doors};
        if (!loops.empty()) planned.loop = loops[of_group * loops.size() / static_cast<std::size_t>(racks.count)];
        planned.is_clogged = planned.loop && is_named(coolant_passage(planned.name), clogged);
        planned.is_door_clogged = doors && is_named(door_passage(planned.name), clogged);
        plan.racks.push_back(std::move(planned));
      }
    }
  }
  spread_flows(scenario, plan);
  return plan;
}

std::vector<std::string> clogged_racks(const Scenario& scenario) {
  std::vector<std::string> names;
  if (clogged_passages(scenario).empty()) return names;
  const RackPlan plan = plan_racks(scenario);
  for (const PlannedRack& rack : plan.racks) {
    if (rack.is_clogged) names.push_back(rack.name);
    if (rack.is_door_clogged) names.push_back(rack.name + ".door");
  }
  for (std::size_t rack = 0; rack < plan.clogged_network_doors.size(); ++rack) {
    if (plan.clogged_network_doors[rack]) names.push_back(fmt::format("network_rack_{}.door", rack + 1));
  }
  return names;
}

}  // namespace wattloop::twin
