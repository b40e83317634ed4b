// Figures of a summary in the making.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

class FigureList {
 public:
  void number(std::string name, double value, std::string unit, std::string long_name) {
    list_.push_back({std::move(name), value, std::move(unit), std::move(long_name)});
    if (!std::isfinite(value)) because("never seen");
  }
  /// Why the last value is not a number, where it is none.
  void because(std::string reason) {
    const double* value = std::get_if<double>(&list_.back().value);
    if (value != nullptr && !std::isfinite(*value)) list_.back().reason = std::move(reason);
  }
  void count(std::string name, std::size_t value, std::string long_name) {
    list_.push_back({std::move(name), static_cast<std::int64_t>(value), "", std::move(long_name)});
  }
  void text(std::string name, std::string value, std::string long_name) {
    list_.push_back({std::move(name), std::move(value), "", std::move(long_name)});
  }
  std::vector<NamedValue> take() { return std::move(list_); }

 private:
  std::vector<NamedValue> list_;
};

}  // namespace wattloop::twin
