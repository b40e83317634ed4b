// What is wrong with what is drawn: failed and idle equipment, open feeds, racks whose nodes are off, loops without flow.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/part_conditions.hpp"

namespace wattloop::viz {

struct Scene;

using Condition = twin::PartCondition;

/// Gives the boxes of a scene their conditions and their share of nodes that are off, at its time, and says in words what is
/// wrong: `Scene::wrong`, the cause before what follows from it. Wants boxes in the order of the layout, before any is moved.
void read_conditions(Scene& scene, const twin::ResultsReader& results, std::span<const twin::LayoutBox> layout);

}  // namespace wattloop::viz
