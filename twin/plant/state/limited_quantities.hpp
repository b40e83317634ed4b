// Which quantities of a plant have a limit: those that the headers of its parts declare, and what parts are rated for. Equipment of the
// power system is not among them: its loadings are counted by themselves (twin/plant/state/overload_state.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/limit.hpp"
#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

/// A column of all parts of one kind, and the limit of each.
struct LimitedQuantity {
  const PartSet* parts;
  std::size_t column;
  std::string_view part_kind;  ///< "rack"
  std::string_view name;       ///< of the column: "inlet_air_temperature"
  std::string_view unit;       ///< SI
  Beyond beyond;
  Side side;
  std::string_view why;       ///< "hotter than the maker of the nodes allows"
  std::vector<double> limit;  ///< [part]; infinite, towards its side, where a part has none
  bool is_rating = false;

  std::size_t count() const { return limit.size(); }
};

/// Those of a plant, kind by kind; the memory of a run (`LimitState`) keeps their parts in this order, one after the other.
std::vector<LimitedQuantity> limited_quantities(const Plant& plant);

/// Parts of all of them.
std::size_t part_count(std::span<const LimitedQuantity> quantities);

/// "inlet_air_temperature 31.2 degC, hotter than the maker of the nodes allows: 30 degC".
std::string beyond_text(const LimitedQuantity& quantity, std::size_t part, double value);

}  // namespace wattloop::twin
