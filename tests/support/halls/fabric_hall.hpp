// The small hall of 64 nodes with a modelled fabric.
#pragma once

#include <utility>
#include <vector>

#include "tests/support/halls/small_hall.hpp"

namespace wattloop::tests {

/// A fat tree of two units of 32 nodes, 8 leaves each.
inline twin::Scenario fabric_hall(workload::AnyWork work, std::vector<twin::EventSpec> events, double duration_s) {
  twin::Scenario scenario = small_hall_scenario();
  scenario.duration_s = duration_s;
  scenario.workload.params = std::move(work);
  scenario.network.switches = {.idle_w = 900.0, .typical_w = 1200.0, .typical_traffic_fraction = 0.5, .max_w = 1720.0};
  scenario.network.fabric.kind = "fat_tree";
  scenario.events = std::move(events);
  return scenario;
}

}  // namespace wattloop::tests
