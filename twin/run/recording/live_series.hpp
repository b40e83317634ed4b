// Everything that runs record of a plant, and every field of GPUs, as it is at any instant: for who looks at a run while it is open.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

/// A column of a table, of all its items or of one.
struct LiveHandle {
  std::size_t table = 0, column = 0;
  std::optional<std::size_t> item = {};
  std::size_t layout = 0;  ///< of the series that it is of
  bool operator==(const LiveHandle&) const = default;
};

class LiveSeries {
 public:
  /// `plant` must outlive it.
  explicit LiveSeries(const Plant& plant);

  const std::vector<RecordedTable>& tables() const { return tables_; }

  /// Of all names: equal where handles of one plant mean the same in another.
  std::size_t layout() const { return layout_; }

  /// Names of the items of a table; of GPUs as events have them. Empty for the hall as a whole.
  const std::vector<std::string>& items(std::size_t table) const { return items_[table]; }

  /// The column of that table. Throws InputError with the nearest name.
  LiveHandle column(std::string_view table, std::string_view column) const;

  /// The column of one part: "cdu_3.return_temperature", "facility.pue". Throws InputError with the nearest name.
  LiveHandle named(std::string_view part_and_column) const;

  const ColumnSpec& spec(const LiveHandle& handle) const { return tables_[handle.table].columns[handle.column].spec; }
  std::size_t size(const LiveHandle& handle) const;

  /// All values, SI; `values` has `size` of them.
  void fill(const LiveHandle& handle, const PlantSnapshot& snapshot, std::span<double> values) const;

 private:
  struct Place {
    std::size_t table, item;
  };

  void refuse_table(std::string_view name, std::string_view column) const;

  std::vector<RecordedTable> tables_;
  std::vector<std::vector<std::string>> items_;            ///< [table]
  std::unordered_multimap<std::string, Place> by_name_{};  ///< items
  std::size_t layout_ = 0;
};

}  // namespace wattloop::twin
