#include "twin/results/reader/equipment_faults.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace wattloop::twin {

namespace {

constexpr double for_ever_s = std::numeric_limits<double>::infinity();

/// Names that have a state of their own.
std::set<std::string, std::less<>> reported_by_state(const ResultsReader& results) {
  std::set<std::string, std::less<>> names;
  for (const char* group : {"motors", "breakers"}) {
    if (!results.has_table(group)) continue;
    for (const std::string& item : results.table(group).items) names.insert(item);
  }
  return names;
}

/// "30 %" of "from free to 30 %", "from 100 % to 33.3 % over 10 min"; empty where it does not say.
std::string end_of(const std::string& detail) {
  const std::size_t at = detail.find(" to ");
  if (at == std::string::npos) return {};
  const std::string rest = detail.substr(at + 4);
  return rest.substr(0, rest.find(" over "));
}

std::string words_of(const EventRecord& event, const std::string& thing) {
  const std::string to = end_of(event.detail);
  if (event.kind == "stick") return "stuck" + (to.empty() || to == "free" ? "" : " at " + to);
  if (event.kind == "clog") return "clogged" + (to.empty() ? "" : " to " + to);
  return thing.empty() ? "failed" : thing.starts_with("fan") ? "stands" : "out";
}

bool is_fault(const EventRecord& event) {
  return event.kind == "stick" || event.kind == "clog" || event.kind == "fail";
}

/// Ends what lasts of that name.
void end(std::vector<EquipmentFault>& faults, const std::string& part, const std::string& thing, double time_s) {
  for (EquipmentFault& fault : faults) {
    if (fault.part == part && fault.thing == thing && fault.end_s == for_ever_s) fault.end_s = time_s;
  }
}

}  // namespace

std::vector<EquipmentFault> equipment_faults(const ResultsReader& results) {
  const std::set<std::string, std::less<>> known = reported_by_state(results);
  std::vector<EquipmentFault> faults;
  for (const EventRecord& event : results.events()) {
    if (!(is_fault(event) || event.kind == "restore") || known.contains(event.target)) continue;
    const std::size_t dot = event.target.rfind('.');
    const std::string part = event.target.substr(0, dot);
    const std::string thing = dot == std::string::npos ? std::string() : event.target.substr(dot + 1);
    if (event.detail.find("changes nothing") != std::string::npos) continue;
    end(faults, part, thing, event.time_s);
    const bool is_sound = event.kind == "restore" || (event.kind == "clog" && end_of(event.detail) == "100 %");
    if (!is_sound) faults.push_back({part, thing, words_of(event, thing), event.time_s, for_ever_s});
  }
  std::erase_if(faults, [](const EquipmentFault& fault) { return !(fault.end_s > fault.begin_s); });
  return faults;
}

std::vector<EquipmentFault> equipment_faults_at(const ResultsReader& results, double time_s) {
  std::vector<EquipmentFault> faults = equipment_faults(results);
  std::erase_if(faults, [&](const EquipmentFault& fault) { return !fault.is_at(time_s); });
  return faults;
}

}  // namespace wattloop::twin
