#include "twin/planning/run_planner.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/planning/events/followed_by_name.hpp"
#include "twin/planning/weather/weather_ahead.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/planning/work/node_couplings.hpp"
#include "workload/burn_in/acceptance_test.hpp"

namespace wattloop::twin {

namespace {

/// Links of nodes that no acceptance test has.
void check_slow_links(const Scenario& scenario, const Plant& plant, const std::vector<workload::TestedNodes>& tests,
                      Problems& problems) {
  for (const workload::TestedNodes& tested : tests) {
    if (tested.test->params().link_fraction.empty()) continue;
    std::vector<std::string> names;
    for (std::size_t node = 0; node < tested.test->nodes(); ++node)
      names.push_back(node_name(plant, tested.first_node + node));
    for (const auto& [name, fraction] : tested.test->params().link_fraction) {
      if (std::ranges::find(names, name) != names.end()) continue;
      const Mention written = scenario.workload.mention_of("slow_links");
      problems.add({written.place, fmt::format("slow_links: the test has no node '{}'", name),
                    nearest_hint(name, names), written.excerpt});
    }
  }
}

}  // namespace

RunPlan plan_run(const Scenario& scenario, const Plant& plant, const workload::Workload& work) {
  Problems problems;
  const RecordSpec& record = scenario.record;
  RunPlan plan{.duration_s = scenario.duration_s,
               .initial = scenario.initial,
               .warm_up_s = scenario.warm_up_s,
               .trips = scenario.trips == "on",
               .nodes = node_couplings(scenario),
               .outdoors = {},
               .outdoors_before_begin = {},
               .followed = {},
               .events = schedule_events(scenario, plant, problems),
               .record_intervals_s = {record.facility_s, record.racks_s, record.gpus_s}};
  plan.followed = followed_settings(scenario, plant, problems);
  check_set_weather(scenario, plant, plan.events, problems);
  check_slow_links(scenario, plant, work.tests(), problems);
  problems.throw_if_any(scenario.file);
  plan.outdoors = make_outdoors(scenario);
  if (plan.initial == InitialState::settled) plan.outdoors_before_begin = make_outdoors(scenario, 0.0);
  return plan;
}

}  // namespace wattloop::twin
