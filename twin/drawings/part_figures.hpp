// What results say of parts at a moment, by the names of the parts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

/// Values of all tables that name their items, at their rows nearest to a moment. Reads each column once, when it is asked for.
class PartFigures {
 public:
  PartFigures(const ResultsReader& results, double time_s);

  /// SI; nothing where it is not recorded, or not a number.
  std::optional<double> value(const std::string& part, std::string_view column);

  /// Of those of the parts that have one.
  std::vector<double> values(std::span<const std::string> parts, std::string_view column);

 private:
  struct Table {
    std::string group{};
    std::vector<std::string> columns{};
    std::set<std::string, std::less<>> means{};  ///< columns that are
    std::size_t row = 0, row_of_means = 0;
  };
  const std::vector<float>& frame(std::size_t table, std::string_view column);

  const ResultsReader& results_;
  std::vector<Table> tables_;
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> places_;  ///< table and item
  std::map<std::pair<std::size_t, std::string>, std::vector<float>, std::less<>> frames_;
};

}  // namespace wattloop::twin
