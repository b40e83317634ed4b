// What results say of parts at one instant, by the names of the parts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Over which means are taken.
struct MeanSpan {
  double begin_s = 0.0, end_s = 0.0;
  double length_s() const { return end_s - begin_s; }
};

/// The interval of the most rarely recorded means that follows a moment, at the end the last: every other table has means of it, too.
MeanSpan common_span(const ResultsReader& results, double time_s);

/// Values of all tables that name their items: those at their time at the row nearest to a moment, means all over its common span. Reads
/// each column once, when it is asked for.
class PartFigures {
 public:
  PartFigures(const ResultsReader& results, double time_s);

  /// SI; nothing where it is not recorded, or not a number.
  std::optional<double> value(const std::string& part, std::string_view column);

  /// The same, of one table; its name is that of its group.
  std::optional<double> value_in(std::string_view group, const std::string& part, std::string_view column);

  /// The same, of tables that name no items: of the site.
  std::optional<double> site_value(std::string_view column) { return value(std::string(), column); }

  /// Of those of the parts that have one.
  std::vector<double> values(std::span<const std::string> parts, std::string_view column);

  /// What passes there, in the words of the results: "facility water" of a column "facility water through the unit".
  std::string medium(const std::string& part, std::string_view column) const;

 private:
  struct Share {
    std::size_t row = 0;
    double of_span = 1.0;  ///< how much of it
  };
  struct Table {
    std::string group{};
    std::vector<ColumnSpec> columns{};
    std::size_t row = 0;
    std::vector<Share> mean_rows{};
  };
  const std::vector<float>& frame(std::size_t table, const ColumnSpec& column);

  const ResultsReader& results_;
  std::vector<Table> tables_;
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> places_;  ///< table and item
  std::map<std::pair<std::size_t, std::string>, std::vector<float>, std::less<>> frames_;
};

}  // namespace wattloop::twin
