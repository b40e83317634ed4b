// Who takes the heat of a hall to the weather: means over a run, from the series of its equipment.
#pragma once

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// Heat that something takes up, W, and whether it gives it to water that chillers cool.
struct HeatCarrier {
  double heat_w = 0.0;
  bool is_chilled = false;
};

struct HeatCarriers {
  HeatCarrier loops, doors, air_handlers;  ///< coolant of racks, rear doors, coils
  double chillers_w = 0.0;                 ///< out of their water
  double towers_w = 0.0;                   ///< towers and dry coolers of that table

  double sum_w() const { return loops.heat_w + doors.heat_w + air_handlers.heat_w; }
};

/// All zero where the equipment has no series. Rear doors on a coolant loop are not counted in it.
HeatCarriers heat_carriers(const ResultsReader& results);

}  // namespace wattloop::twin
