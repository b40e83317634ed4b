#include "twin/check_command.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "twin/plant_builder.hpp"
#include "twin/rating_check.hpp"
#include "twin/scenario_reader.hpp"
#include "twin/scheduled_events.hpp"
#include "twin/work.hpp"

namespace wattloop::twin {

int check(const CheckOptions& options) {
  const Scenario scenario = read_scenario(options.scenario, options.overrides);
  if (options.is_resolved) {
    fmt::print("{}", scenario.resolved_text);
    return 0;
  }
  const Work work = make_work(scenario);
  const Plant plant = build_plant(scenario);
  Problems problems;
  const std::size_t events = schedule_events(scenario, plant, problems).size();
  problems.throw_if_any(options.scenario.string());
  fmt::print("{}: {}, {} states, {} {} over {}\n", options.scenario.string(), size_text(plant.hall),
             plant.map.state_count, events, events == 1 ? "event" : "events", format_quantity(scenario.duration_s, "s"));
  for (const std::string& note : work.notes) fmt::print("note: {}\n", note);
  const std::vector<std::string> warnings = check_ratings(scenario);
  for (const std::string& warning : warnings) fmt::print("warning: {}\n", warning);
  fmt::print("{}\n", warnings.empty() ? "ratings are consistent at nameplate load"
                                      : fmt::format("{} ratings below what they must carry", warnings.size()));
  return 0;
}

}  // namespace wattloop::twin
