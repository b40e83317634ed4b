#include "twin/build/plant_builder.hpp"

#include "twin/build/assembly/assembly.hpp"
#include "twin/build/assembly/coolant_graph.hpp"
#include "twin/build/templates/templates.hpp"

namespace wattloop::twin {

Diagram expand(const Scenario& scenario) {
  const CoolingSpec& cooling = scenario.cooling;
  const RackPlan plan = plan_racks(scenario);
  Diagram diagram;
  add_site(diagram);
  add_water_systems(diagram, cooling);
  add_coolant_loops(diagram, scenario, plan);
  add_rooms(diagram, scenario, plan);
  add_racks(diagram, scenario, plan);
  add_network_racks(diagram, scenario, plan);
  add_storage_racks(diagram, scenario, plan);
  add_cdus(diagram, cooling, plan);
  add_towers(diagram, scenario);
  add_chillers(diagram, scenario);
  add_air_handlers(diagram, scenario);
  join_rows(diagram, cooling);
  Problems problems;
  add_parts(diagram, scenario, problems);
  add_sequences(diagram, scenario, problems);
  add_power(diagram, scenario, problems);
  problems.throw_if_any(scenario.file);
  add_units(diagram, scenario);
  check_coolant_graph(diagram, scenario);
  return diagram;
}

Plant build_plant(const Scenario& scenario) { return assemble(expand(scenario)); }

}  // namespace wattloop::twin
