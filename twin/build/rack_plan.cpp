#include "twin/build/rack_plan.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/fault_setting.hpp"
#include "core/name_pattern.hpp"
#include "twin/scenario/coil_water.hpp"

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

}  // namespace

std::string coolant_passage(const std::string& rack) { return rack + ".coolant"; }

std::vector<int> RacksSpec::row_sizes() const {
  if (rows.size() > 1) return rows;
  std::vector<int> sizes;
  const int per_row = (count + rows.front() - 1) / rows.front();
  for (int first = 0; first < count; first += per_row) sizes.push_back(std::min(per_row, count - first));
  return sizes;
}

RackPlan plan_racks(const Scenario& scenario) {
  RackPlan plan;
  plan.loops = plan_loops(scenario.cooling);
  const std::set<std::string> clogged = clogged_passages(scenario);
  for (std::size_t group = 0; group < scenario.racks.size(); ++group) {
    const RacksSpec& racks = scenario.racks[group];
    const std::vector<std::size_t> loops = loops_of(racks, plan.loops, scenario.cooling);
    const std::optional<std::size_t> doors = doors_of(racks.on, scenario.cooling);
    std::size_t of_group = 0;
    for (const int size : racks.row_sizes()) {
      const std::size_t row = plan.rows.size();
      plan.rows.push_back({fmt::format("row_{}", row + 1), group, static_cast<std::size_t>(size)});
      for (int rack = 1; rack <= size; ++rack, ++of_group) {
        PlannedRack planned{fmt::format("row_{}.rack_{}", row + 1, rack), group, row, {}, doors};
        if (!loops.empty()) planned.loop = loops[of_group * loops.size() / static_cast<std::size_t>(racks.count)];
        planned.is_clogged =
            planned.loop && std::ranges::any_of(clogged, [&](const std::string& pattern) {
              return fits_pattern(planned.name, pattern) || fits_pattern(coolant_passage(planned.name), pattern);
            });
        plan.racks.push_back(std::move(planned));
      }
    }
  }
  return plan;
}

std::vector<std::string> clogged_racks(const Scenario& scenario) {
  std::vector<std::string> names;
  if (clogged_passages(scenario).empty()) return names;
  for (const PlannedRack& rack : plan_racks(scenario).racks) {
    if (rack.is_clogged) names.push_back(rack.name);
  }
  return names;
}

}  // namespace wattloop::twin
