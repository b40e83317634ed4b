// Fields of an export that no dataset holds: the margin of racks, the state of equipment from that of its motors and breakers; and points for
// motors and breakers, which a layout does not have.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/report/events/boxes_beyond.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "viz/export/xdmf.hpp"

namespace wattloop::viz {

/// "margin (K)" of racks to their nearest limit, at these times; without values where the results have no limits.
XdmfField margin_field(const twin::ResultsReader& results, std::span<const double> times_s);

/// "state (1)" of parts: 2 where all motors of a part, or else breakers, have failed; 3 where the part is beyond a limit (`beyond`, one for each
/// time, or none); 1 where a motor is on; else 0. Of racks of storage and of switches 0 without power. Without values where nothing of this is known.
XdmfField state_field(const twin::ResultsReader& results, std::span<const std::string> parts,
                      std::span<const double> times_s, std::span<const twin::BoxesBeyond> beyond = {});

/// Boxes that are beyond a limit, at each of these times.
std::vector<twin::BoxesBeyond> boxes_beyond_over(const twin::ResultsReader& results, std::span<const double> times_s);

/// x, y, z of each: above the part of this name or that it belongs to, several side by side; what has no part in the layout stands in a row
/// before the hall.
std::vector<float> points_of(std::span<const std::string> items, std::span<const twin::LayoutBox> layout);

}  // namespace wattloop::viz
