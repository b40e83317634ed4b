#include "twin/commands/run/check_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "core/text/count_text.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/run/fault_levels_text.hpp"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/ratings/ranked_text.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

struct CheckOptions {
  std::filesystem::path scenario;
  std::vector<std::string> overrides;
  bool is_resolved = false;  ///< print the resolved scenario instead
  bool is_json = false;
  bool are_all = false;           ///< rows, however far from their limits
  bool are_fault_levels = false;  ///< of all buses, instead of the findings
};

/// What was found, for people and for machines.
struct Findings {
  std::string scenario, start;
  std::string size;
  std::size_t states = 0;
  std::size_t events = 0;
  double duration_s = 0.0;
  std::vector<std::string> notes;
  RatingCheck check;
};

void print_text(const Findings& found, bool are_all) {
  fmt::print("{}: {}, {} states, {} over {}\n", found.scenario, found.size, found.states,
             count_text(found.events, "event"), format_quantity(found.duration_s, "s"));
  for (const std::string& note : found.notes) fmt::print("note: {}\n", note);
  if (const auto& k = found.check.wet_bulb_k) fmt::print("highest wet bulb outside {}\n", format_quantity(*k, "K"));
  if (const auto& k = found.check.dry_bulb_k) fmt::print("highest dry bulb outside {}\n", format_quantity(*k, "K"));
  if (const auto& k = found.check.lowest_dry_bulb_k)
    fmt::print("lowest dry bulb outside {}\n", format_quantity(*k, "K"));
  for (const std::string& mode : found.check.modes) fmt::print("{} then\n", mode);
  if (are_all) fmt::print("\n{}", hours_text(found.check.hours, found.start));
  if (!found.check.rows.empty()) fmt::print("\n{}", ranked_text(found.check.rows, found.start, are_all));
  if (const std::string text = limits_not_compared_text(found.check); !text.empty()) fmt::print("\n{}\n", text);
  fmt::print("\n");
  for (const std::string& warning : found.check.other_warnings) fmt::print("warning: {}\n", warning);
  const std::size_t warnings = found.check.warnings.size();
  fmt::print("{}\n", nameplate_verdict(warnings));
}

nlohmann::ordered_json row_json(const CheckRow& row, const std::string& start) {
  nlohmann::ordered_json json{{"kind", name_of(row.kind)},
                              {"of", row.of},
                              {"name", row.name},
                              {"quantity", row.quantity},
                              {"limited_by", row.why},
                              {"side", row.side == Side::above ? "above" : "below"},
                              {"beyond", name_of(row.beyond)},
                              {"unit", row.unit},
                              {"value", row.value},
                              {"limit", row.limit},
                              {"margin", row.margin()},
                              {"margin_fraction", row.margin_fraction()},
                              {"is_met", row.is_met()},
                              {"out", row.out},
                              {"remedy", row.remedy}};
  if (!row.alike.empty()) json["alike"] = row.alike;
  if (row.nothing_out) json["nothing_out"] = *row.nothing_out;
  if (row.hour_s) json["hour"] = local_time_text(start, *row.hour_s);
  if (row.trips_after_s < for_ever_s) json["trips_after_s"] = row.trips_after_s;
  return json;
}

nlohmann::ordered_json hour_json(const CheckHour& hour, const std::string& start) {
  nlohmann::ordered_json json{{"name", hour.name},
                              {"hour", local_time_text(start, hour.hour_s)},
                              {"hour_s", hour.hour_s},
                              {"dry_bulb_K", hour.dry_bulb_k},
                              {"wet_bulb_K", hour.wet_bulb_k}};
  for (const CheckHour::Place& place : hour.places)
    json["places"][place.name] = {{"temperature_K", place.temperature_k}, {"set_point_K", place.set_point_k}};
  if (hour.hottest_die_k) json["hottest_die_K"] = *hour.hottest_die_k;
  return json;
}

void print_json(const Findings& found) {
  nlohmann::ordered_json json{{"scenario", found.scenario},      {"size", found.size},
                              {"states", found.states},          {"events", found.events},
                              {"duration_s", found.duration_s},  {"notes", found.notes},
                              {"warnings", found.check.warnings}};
  if (found.check.wet_bulb_k) json["wet_bulb_K"] = *found.check.wet_bulb_k;
  if (found.check.dry_bulb_k) json["dry_bulb_K"] = *found.check.dry_bulb_k;
  if (found.check.lowest_dry_bulb_k) json["lowest_dry_bulb_K"] = *found.check.lowest_dry_bulb_k;
  if (!found.check.modes.empty()) json["modes"] = found.check.modes;
  json["hours"] = nlohmann::ordered_json::array();
  for (const CheckHour& hour : found.check.hours) json["hours"].push_back(hour_json(hour, found.start));
  json["rows"] = nlohmann::ordered_json::array();
  for (const CheckRow& row : found.check.rows) json["rows"].push_back(row_json(row, found.start));
  json["has_steady_state"] = found.check.has_steady_state;
  json["limits_not_compared"] = found.check.limits_not_compared;
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// Blocks of power in which nothing carries on while generators start.
std::vector<std::string> ups_notes(const Plant& plant) {
  if (plant.without_ups.empty()) return {};
  return {fmt::format("no UPS in {} {}: racks and motors there lose power with the feed",
                      plant.without_ups.size() == 1 ? "block" : "blocks", fmt::join(plant.without_ups, ", "))};
}

int check(const CheckOptions& options) {
  const Scenario scenario = read_scenario(options.scenario, options.overrides);
  if (options.is_resolved) {
    fmt::print("{}", scenario.resolved_text);
    return 0;
  }
  if (options.are_fault_levels) {
    const std::vector<BusFaultLevels> buses = fault_table(build_plant(scenario).power_tree);
    fmt::print("{}", options.is_json ? fault_levels_json(buses) : fault_levels_text(buses));
    return done;
  }
  omp_set_num_threads(1);                 // what is searched here is over before a second thread pays
  const Work work = make_work(scenario);  // reads, builds and refuses what a run does, in its order
  const Plant plant = build_plant(scenario);
  const RunPlan plan = plan_run(scenario, plant, *work.workload);
  const auto events = std::ranges::count(plan.events, false, &ScheduledEvent::needs_earlier);
  Findings found{.scenario = options.scenario.string(),
                 .start = scenario.start,
                 .size = size_text(plant.it),
                 .states = plant.map.state_count,
                 .events = static_cast<std::size_t>(events),
                 .duration_s = scenario.duration_s,
                 .notes = work.notes,
                 .check = check_ratings(scenario)};
  std::ranges::copy(plan.outdoors.notes, std::back_inserter(found.notes));
  std::ranges::copy(scenario.follow_notes, std::back_inserter(found.notes));
  if (plant.fabric) std::ranges::copy(plant.fabric->fabric.shape.remarks, std::back_inserter(found.notes));
  std::ranges::move(followed_notes(plan.followed), std::back_inserter(found.notes));
  std::ranges::move(ups_notes(plant), std::back_inserter(found.notes));
  std::ranges::copy(found.check.notes, std::back_inserter(found.notes));
  std::vector<std::string> others = work.warnings;
  std::ranges::move(condensation_warnings(scenario, plan.outdoors), std::back_inserter(others));
  for (const std::string& warning : others) {
    found.check.warnings.push_back(warning);
    found.check.other_warnings.push_back(warning);
  }
  options.is_json ? print_json(found) : print_text(found, options.are_all);
  if (found.check.has_steady_state) return done;
  fmt::print(stderr, "{}: the hall has no steady state at nameplate load, so its limits are not known\n",
             found.scenario);
  return solver_failure;
}

}  // namespace

void add_check(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check a scenario without running it");
  command->add_option("scenario", options->scenario, "Scenario (YAML)")->type_name("FILE")->required();
  add_overrides(*command, options->overrides);
  CLI::Option* resolved =
      command->add_flag("--resolved", options->is_resolved,
                        "Print the scenario after extends, library and overrides instead of the findings");
  CLI::Option* all =
      command->add_flag("--all", options->are_all, "Print all limits instead of the ten with the smallest margin");
  command
      ->add_flag("--fault-levels", options->are_fault_levels,
                 "Print the fault level of every bus (IEC 60909) instead of the findings")
      ->excludes(resolved)
      ->excludes(all);
  command->add_flag("--json", options->is_json, "Print all findings as JSON");
  command->footer(
      "Examples:\n  wattloop check scenarios/one_rack.yaml\n"
      "  wattloop check scenarios/one_rack.yaml --set hall.racks.nodes=16\n"
      "  wattloop check scenarios/one_line/main_tie_main.yaml --fault-levels");
  command->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace wattloop::twin
