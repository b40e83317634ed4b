// A plant whose switches act at the instants that they name, without a run around them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/power/switching.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::tests {

struct Switchyard {
  explicit Switchyard(const std::string& file, const std::vector<std::string>& overrides = {})
      : scenario(twin::read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / file, overrides)) {
    Problems problems;
    schedule = twin::schedule_events(scenario, plant, problems);
    problems.throw_if_any(file);
    twin::switch_power(plant, state, events);
  }

  /// Goes to that time from instant to instant, as a run does.
  void until(double time_s) {
    for (;;) {
      double next_s = twin::next_switching_s(plant, state);
      for (const twin::ScheduledEvent& event : schedule) {
        if (event.at_s > state.time_s) next_s = std::min(next_s, event.at_s);
      }
      if (next_s > time_s) break;
      state.time_s = next_s;
      for (const twin::ScheduledEvent& event : schedule) {
        if (event.at_s == next_s) twin::apply_event(plant, event, state, events);
      }
      twin::switch_power(plant, state, events);
    }
    state.time_s = time_s;
  }

  bool carries(const char* branch) const { return mode(branch) == electrical::BranchMode::carrying; }
  electrical::BranchMode mode(const char* branch) const {
    return state.switches.branch_mode[*electrical::find_branch(plant.power_tree, branch)];
  }
  bool is_closed(const char* branch) const {
    return state.switches.branch_closed[*electrical::find_branch(plant.power_tree, branch)] != 0;
  }
  bool is_live(const std::string& bus) const {
    const auto& names = plant.power_tree.bus_name;
    return state.switches.bus_live[static_cast<std::size_t>(std::ranges::find(names, bus) - names.begin())] != 0;
  }
  /// What events of a kind report of one thing.
  std::vector<std::string> details(const std::string& kind, const std::string& name) const {
    std::vector<std::string> found;
    for (const twin::EventRecord& event : events) {
      if (event.kind == kind && event.target == name) found.push_back(event.detail);
    }
    return found;
  }
  std::vector<std::string> transfers_of(const std::string& name) const { return details("transfer", name); }

  twin::Scenario scenario;
  twin::Plant plant = twin::build_plant(scenario);
  twin::PlantState state = twin::initial_state(plant);
  std::vector<twin::ScheduledEvent> schedule;
  std::vector<twin::EventRecord> events;
};

inline std::vector<std::string> with_events(const std::string& list) { return {"events=[" + list + "]"}; }

}  // namespace wattloop::tests
