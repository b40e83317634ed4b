// The layout of a plant's states: every slot of the one state vector has a name, a unit and a tolerance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/unit_model.hpp"

namespace wattloop::twin {

/// Name of states that only integrate: energy, water.
inline constexpr std::string_view meter_state_name = "meter";

class StateLayout {
 public:
  /// Adds one state of one component; returns its slot.
  std::size_t add(std::string component, const StateInfo& info);

  /// Adds one state of many components, slot by slot; returns the first slot.
  std::size_t add_column(const std::vector<std::string>& components, const StateInfo& info);

  std::size_t size() const { return column_of_slot_.size(); }
  std::string name(std::size_t slot) const;  ///< "rack_1.node_1.gpu_1.die_temperature"
  std::string_view unit(std::size_t slot) const { return column_of(slot).info.unit; }
  /// Integrates, and nothing depends on it.
  bool is_meter(std::size_t slot) const { return column_of(slot).is_meter; }
  /// Where searches start.
  double typical(std::size_t slot) const { return column_of(slot).info.typical; }
  /// Error that no one would notice, in the unit of the slot.
  double tolerance(std::size_t slot) const { return column_of(slot).info.tolerance; }

 private:
  struct Column {
    std::size_t first;
    StateInfo info;
    bool is_meter;
    std::vector<std::string> components;
  };
  const Column& column_of(std::size_t slot) const { return columns_[column_of_slot_[slot]]; }

  std::vector<Column> columns_;
  std::vector<std::uint32_t> column_of_slot_;
};

}  // namespace wattloop::twin
