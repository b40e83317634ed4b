// Where racks stand and what serves them: coordinates of the table `racks`.
#pragma once

#include <span>
#include <vector>

#include "twin/plant/equipment/it_equipment.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

/// `row`, `coolant_loop`, `pdu` (or the bus of a power tree as drawn, where there are no PDUs; several with a space between), `x` and `y` of
/// the centre, `gpu_count`, in the order of racks. A text is empty and a position is not a number where there is none.
std::vector<ItemLabels> rack_places(const ItEquipment& it, const Topology& topology, std::span<const LayoutBox> boxes);

}  // namespace wattloop::twin
