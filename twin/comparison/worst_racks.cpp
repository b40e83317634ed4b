#include "twin/comparison/worst_racks.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

namespace {
constexpr const char* table_name = "racks";
constexpr const char* column_name = "max_die_temperature";
}  // namespace

std::vector<WorstRack> worst_racks(const ResultsReader& results, std::size_t most) {
  if (!results.has_table(table_name) || !results.has_column(table_name, column_name)) return {};
  const std::vector<std::string> names = results.table(table_name).items;
  const std::vector<double> times_s = results.times_s(table_name);
  const std::vector<float> values = results.column(table_name, column_name);
  std::vector<WorstRack> racks;
  for (std::size_t rack = 0; rack < names.size(); ++rack) {
    WorstRack worst{names[rack], -1.0, 0.0};
    for (std::size_t row = 0; row < times_s.size(); ++row) {
      const auto die_k = static_cast<double>(values[row * names.size() + rack]);
      if (die_k > worst.die_k) worst = {names[rack], die_k, times_s[row]};
    }
    if (worst.die_k > 0.0) racks.push_back(std::move(worst));  // racks without dies hold no numbers
  }
  std::ranges::stable_sort(racks, std::ranges::greater(), &WorstRack::die_k);
  if (racks.size() > most) racks.resize(most);
  return racks;
}

}  // namespace wattloop::twin
