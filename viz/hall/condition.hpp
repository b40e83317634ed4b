// What is wrong with what is drawn: failed and standing equipment, open feeds, racks whose nodes are off, loops without flow.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::viz {

struct Scene;

/// Of equipment, by its motors and switches.
enum class Condition {
  running,   ///< or nothing is known of it
  impaired,  ///< something of it failed, sticks or is clogged, and it goes on
  stands,    ///< everything that turns in it is off, or its switch is open
  failed
};

/// Gives the boxes of a scene their conditions and their share of nodes that are off, at its time, and says in words what is
/// wrong: `Scene::wrong`, the cause before what follows from it. Wants boxes in the order of the layout, before any is moved.
void read_conditions(Scene& scene, const twin::ResultsReader& results, std::span<const twin::LayoutBox> layout);

}  // namespace wattloop::viz
