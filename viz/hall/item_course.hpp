// What each item of a group had over the whole run, and which item was worst when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"
#include "viz/hall/shown_field.hpp"
#include "viz/hall/shown_time.hpp"

namespace wattloop::viz {

struct ItemCourse {
  std::vector<double> times_s{};
  std::vector<std::string> items{};
  std::vector<double> values{};  ///< [record][item]; not a number where a loop is without flow, or nothing was recorded

  double at(std::size_t record, std::size_t item) const { return values[record * items.size() + item]; }
  bool is_empty() const { return values.empty(); }
  /// Where the highest value is, or the lowest; nothing where no value is a number. Records before `from_s` do not count.
  struct Place {
    std::size_t record = 0, item = 0;
  };
  std::optional<Place> worst(bool is_least_worst, double from_s = 0.0) const;
};

/// A column in SI units; empty where it was not recorded. Of a group without items it has one, without a name.
ItemCourse read_course(const twin::ResultsReader& results, const std::string& group, const std::string& column);

/// A field in its own unit, as pictures show it; with `rack` only the items of this rack.
ItemCourse read_course(const twin::ResultsReader& results, const ShownField& field, const std::string& rack = {});

/// The worst record of a field after the first event that the scenario orders and after the run has settled: where its highest value is, of
/// margins, flows, clocks and charges the lowest. Nothing where no value was recorded.
std::optional<ShownTime> worst_time_of(const twin::ResultsReader& results, const ShownField& field,
                                       const std::string& rack = {});

}  // namespace wattloop::viz
