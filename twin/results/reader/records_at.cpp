#include "twin/results/reader/records_at.hpp"

#include <algorithm>

namespace wattloop::twin {

std::size_t nearest_row(const std::vector<double>& times_s, double time_s) {
  const auto after = std::ranges::lower_bound(times_s, time_s);
  if (after == times_s.begin()) return 0;
  if (after == times_s.end()) return times_s.size() - 1;
  const auto row = static_cast<std::size_t>(after - times_s.begin());
  return times_s[row] - time_s < time_s - times_s[row - 1] ? row : row - 1;
}

std::size_t row_of_mean(const std::vector<double>& times_s, double time_s) {
  constexpr double rounding_s = 1e-6;
  const auto next = std::ranges::upper_bound(times_s, time_s + rounding_s);
  return static_cast<std::size_t>((next == times_s.end() ? next - 1 : next) - times_s.begin());
}

std::size_t row_at(const ResultsReader& results, std::string_view group, std::string_view column,
                   const std::vector<double>& times_s, double time_s) {
  return results.is_mean(group, column) ? row_of_mean(times_s, time_s) : nearest_row(times_s, time_s);
}

std::set<std::string, std::less<>> parts_restored_at(const ResultsReader& results, double time_s) {
  constexpr double rounding_s = 1e-6;
  std::set<std::string, std::less<>> failed_parts, restored;
  for (const EventRecord& event : results.events()) {
    if (event.time_s > time_s + rounding_s || event.detail.find("changes nothing") != std::string::npos) continue;
    if (event.kind == "fail") failed_parts.insert(event.target);
    if (event.kind != "restore" || failed_parts.erase(event.target) == 0) continue;
    if (event.time_s >= time_s - rounding_s) restored.insert(event.target);
  }
  return restored;
}

double before_repairs_s(const ResultsReader& results, double time_s) {
  constexpr double moment_s = 1e-3;
  return parts_restored_at(results, time_s).empty() ? time_s : time_s - moment_s;
}

std::string_view down_gpus_column(const ResultsReader& results, std::string_view group) {
  return results.has_column(group, "down_gpus") ? "down_gpus" : "shut_down_gpus";
}

}  // namespace wattloop::twin
