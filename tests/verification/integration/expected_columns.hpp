// What every column of a results file must hold for an item of a given name, from temperatures, flows, states, inputs and loads by
// their names, and from the scenario: never by way of what records it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/by_hand/power_by_hand.hpp"
#include "tests/support/by_name.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::tests {

/// A hall whose racks stand in loops and rows by these names; four racks on loop_1, the others on loop_2, two CDUs a loop.
struct HallByName {
  const twin::Scenario& scenario;
  std::vector<std::string> racks;  ///< in their order: the first four on loop_1
  double water_j_per_kg_k, coolant_j_per_kg_k;

  std::string loop_of_cdu(const std::string& cdu) const;
  std::vector<std::string> racks_of_loop(const std::string& loop) const;
  std::vector<std::string> gpus_of_rack(const std::string& rack) const;
  std::vector<std::string> all_gpus() const;
};

HallByName hall_by_name(const twin::Scenario& scenario, const std::vector<std::string>& racks);

using Expected = std::function<double(const Instant& now, const std::string& item)>;
using ExpectedColumns = std::map<std::string, Expected>;  ///< by "group/column"

void expect_power(const HallByName& hall,
                  ExpectedColumns& columns);  ///< facility, feeders, ups, generators, motors, breakers
void expect_water(const HallByName& hall, ExpectedColumns& columns);  ///< loops to chillers
void expect_hall(const HallByName& hall, ExpectedColumns& columns);   ///< rooms, rows, air handlers, racks, GPUs

}  // namespace wattloop::tests
