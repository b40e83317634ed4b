// A run that has everything that a summary can report, and what the summary must say of it, from its tables and events alone.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tests/support/records/recorded_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::tests {

/// The largest or smallest of a column, of all items whose name begins so: how much, whose, in which record.
struct Extreme {
  double value;
  std::string item;
  double time_s;
  double until_s = 0.0;  ///< the last record that holds the same, to the digits of a file
};
class Tables {
 public:
  explicit Tables(const std::filesystem::path& file) : results_(file) {}

  Extreme highest(const std::string& group, const std::string& column, const std::string& prefix = "") const {
    return extreme(group, column, prefix, 1.0);
  }
  Extreme lowest(const std::string& group, const std::string& column, const std::string& prefix = "") const {
    return extreme(group, column, prefix, -1.0);
  }
  /// Means of a second each, over all items whose name begins so.
  double integral(const std::string& group, const std::string& column, const std::string& prefix = "") const {
    double sum = 0.0;
    for_each(group, column, prefix,
             [&](std::size_t row, const std::string&, double value) { sum += row > 0 ? value : 0.0; });
    return sum;
  }
  std::size_t count(const std::string& group, const std::string& prefix) const {
    const std::vector<std::string> items = results_.table(group).items;
    return static_cast<std::size_t>(
        std::ranges::count_if(items, [&](const std::string& item) { return item.starts_with(prefix); }));
  }
  template <class Visit>
  void for_each(const std::string& group, const std::string& column, const std::string& prefix, Visit visit) const {
    std::vector<std::string> items = results_.table(group).items;
    const std::vector<float> values = results_.column(group, column);
    if (items.empty()) items.resize(results_.table(group).item_count());
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (items[k % items.size()].starts_with(prefix))
        visit(k / items.size(), items[k % items.size()], static_cast<double>(values[k]));
    }
  }
  const twin::ResultsReader& results() const { return results_; }

 private:
  Extreme extreme(const std::string& group, const std::string& column, const std::string& prefix, double sign) const {
    Extreme best{-std::numeric_limits<double>::infinity() * sign, "", 0.0};
    for_each(group, column, prefix, [&](std::size_t row, const std::string& item, double value) {
      if (sign * value > sign * best.value) best = {value, item, static_cast<double>(row)};
      if (value == best.value && item == best.item) best.until_s = static_cast<double>(row);
    });
    return best;
  }

  twin::ResultsReader results_;
};
/// Equipment of one kind: its group of tables, how names begin there, its rating.
struct Kind {
  std::string group, prefix;
  double rated_w;
};
/// Of equipment that has a load, with ratings by its data sheets; but for loops.
std::map<std::string, Kind> rated_kinds();

using Numbers = std::map<std::string, double>;
using Texts = std::map<std::string, std::string>;
/// What a summary must say, from the tables and the events alone.
struct Must {
  Numbers numbers;
  Texts texts;
  std::map<std::string, std::pair<double, double>> peak_at_s;  ///< of the load of each kind
};
/// A minute of the lively hall, whose first loop loses its CDUs in the end.
struct HotRun {
  HotRun();

  TemporaryFolder folder;
  RecordedRun run;
  Tables tables;
  Must must;
};

}  // namespace wattloop::tests
