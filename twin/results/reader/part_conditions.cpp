#include "twin/results/reader/part_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "twin/results/reader/equipment_faults.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

constexpr float off = 0.0F, on = 1.0F, failed = 2.0F;
constexpr float gives_w = 1.0F;

}  // namespace

PartStates states_at(const ResultsReader& results, const std::string& group, double time_s) {
  PartStates states;
  if (!results.has_column(group, "state")) return states;
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return states;
  const std::vector<float> values = results.frame(group, "state", row_at(results, group, "state", times_s, time_s));
  const std::vector<std::string> items = results.table(group).items;
  for (std::size_t item = 0; item < std::min(items.size(), values.size()); ++item) states[items[item]] = values[item];
  for (const std::string& part : parts_restored_at(results, time_s))
    if (const auto known = states.find(part); known != states.end()) known->second = failed;
  return states;
}

PartConditions::PartConditions(const ResultsReader& results, double time_s) {
  for (const char* group : {"breakers", "motors"}) states_.merge(states_at(results, group, time_s));
  read_carriers(results, "generators", "power", time_s);
  read_carriers(results, "ups", "battery_power", time_s);
  for (const char* group : {"storage_racks", "network"}) read_dead(results, group, time_s);
  for (const EquipmentFault& fault : equipment_faults_at(results, time_s)) {
    PartCondition& condition = others_[fault.part];
    condition = std::max(condition, fault.thing.empty() ? PartCondition::failed : PartCondition::impaired);
  }
}

void PartConditions::read_carriers(const ResultsReader& results, const std::string& group, const std::string& column,
                                   double time_s) {
  if (!results.has_column(group, column)) return;
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return;
  const std::vector<float> powers_w = results.frame(group, column, row_at(results, group, column, times_s, time_s));
  const std::vector<std::string> items = results.table(group).items;
  for (std::size_t item = 0; item < std::min(items.size(), powers_w.size()); ++item)
    if (powers_w[item] > gives_w) others_[items[item]] = PartCondition::carrying;
}

void PartConditions::read_dead(const ResultsReader& results, const std::string& group, double time_s) {
  constexpr const char* column = "power";
  if (!results.has_column(group, column)) return;
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return;
  const std::vector<float> powers_w = results.frame(group, column, row_at(results, group, column, times_s, time_s)),
                           first_w = results.frame(group, column, 0);
  const auto draws = [](float power_w) { return power_w > 0.0F; };
  if (std::ranges::none_of(powers_w, draws) && std::ranges::none_of(first_w, draws))
    return;  // their power is not modelled
  const std::vector<std::string> items = results.table(group).items;
  for (std::size_t item = 0; item < std::min(items.size(), powers_w.size()); ++item)
    if (powers_w[item] <= 0.0F) others_[items[item]] = PartCondition::dead;
}

PartCondition PartConditions::by_states(std::string_view name) const {
  const std::string below = std::string(name) + ".";
  std::size_t count = 0, idle = 0, broken = 0;
  for (auto found = states_.lower_bound(name); found != states_.end() && found->first.starts_with(name); ++found) {
    if (found->first != name && !found->first.starts_with(below)) continue;  // cdu_10 is between cdu_1 and cdu_1.pump_a
    ++count;
    idle += found->second == off || found->second == failed ? 1 : 0;
    broken += found->second == failed ? 1 : 0;
  }
  const auto itself = states_.find(name), bypass = states_.find(below + "bypass");
  const bool is_on_bypass =
      itself != states_.end() && itself->second == off && bypass != states_.end() && bypass->second == on;
  if (is_on_bypass) return PartCondition::impaired;
  if (count == 0 || idle < count) return broken > 0 ? PartCondition::impaired : PartCondition::running;
  return broken == count ? PartCondition::failed : PartCondition::idle;
}

PartCondition PartConditions::by_faults(std::string_view name) const {
  const auto other = others_.find(name);
  return other == others_.end() ? PartCondition::running : other->second;
}

PartCondition PartConditions::of(std::string_view name) const { return std::max(by_states(name), by_faults(name)); }

}  // namespace wattloop::twin
