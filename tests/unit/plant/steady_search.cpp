// The search for a steady state comes to the same rest from wherever it begins, also where coolant stands in a CDU: its flow is then none
// but for rounding, which each build and each start rounds otherwise.
#include "tests/support/catch.hpp"

#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/integration/core/fastest_states.hpp"
#include "twin/integration/steady/steady_state.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

PlantState rest_with_a_cdu_out(NameplateHall& hall) {
  hall.settle({});
  const std::vector<Outage> all = outages(hall.plant());
  const auto cdu = std::ranges::find(all, "cdu_1", &Outage::text);
  REQUIRE(cdu != all.end());
  hall.settle(*cdu);
  return hall.snapshot().state;
}

/// All temperatures up to `way_k` from where they were.
PlantState moved(const Plant& plant, PlantState state, double way_k, std::mt19937& random) {
  std::uniform_real_distribution<double> way(-way_k, way_k);
  for (std::size_t slot = 0; slot < state.states.size(); ++slot) {
    if (plant.layout.unit(slot) == "K") state.states[slot] += way(random);
  }
  return state;
}

/// What the equations leave open: where coolant stands.
bool is_free(const std::string& name) { return name.starts_with("cdu_1."); }

}  // namespace

TEST_CASE("what is slow is searched as if it were quick, and what stands is let stand", "[steady]") {
  for (const bool is_fluid : {true, false}) {
    CHECK(searched_time_ratio(0.1, is_fluid) == 1.0);                               // a header: in its own time
    CHECK(searched_time_ratio(1.0 / 14400.0, is_fluid) == Approx(10.0 / 14400.0));  // the mass of a room: in 10 s
    CHECK(searched_time_ratio(1e-7, is_fluid) == Approx(1e-6));                     // four months
    CHECK(searched_time_ratio(0.0, is_fluid) == 1.0);                               // no flow at all
  }
  CHECK(searched_time_ratio(1e-12, false) == Approx(1e-11));  // a sensor that takes an endless time
  CHECK(searched_time_ratio(1e-12, true) == 1.0);             // no flow but for rounding
  CHECK(searched_time_ratio(1e-24, true) == 1.0);
}

TEST_CASE("a search comes to the same rest from wherever it begins, with coolant that stands", "[steady]") {
  constexpr int starts = 12;
  constexpr double way_k = 3.0, same_k = 1e-4;
  omp_set_num_threads(1);
  NameplateHall hall(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "h100_10k.yaml"));
  const PlantState rest = rest_with_a_cdu_out(hall);
  const Plant& plant = hall.plant();
  std::mt19937 random(3);
  for (int start = 0; start < starts; ++start) {
    INFO("start " << start);
    PlantState found = moved(plant, rest, way_k, random);
    REQUIRE_NOTHROW(find_steady_state(plant, found));
    for (std::size_t slot = 0; slot < rest.states.size(); ++slot) {
      if (plant.layout.unit(slot) != "K" || is_free(plant.layout.name(slot))) continue;
      INFO(plant.layout.name(slot));
      CHECK(found.states[slot] == Approx(rest.states[slot]).margin(same_k));
    }
  }
}

// Twelve CDUs for 4 nodes: a step without a limit throws their valves to -1.5, where the equations have steady states that no hall has.
TEST_CASE("a plant that is much too large for its racks has one plausible steady state, from wherever a search begins",
          "[steady]") {
  constexpr int starts = 12;
  constexpr double way_k = 3.0, same_k = 1e-4;
  constexpr std::size_t most_steps = 150;
  omp_set_num_threads(1);
  NameplateHall hall(
      read_scenario_text("extends: h100_10k.yaml\nworkload: { kind: training }\ninitial: steady\n"
                         "hall: { racks: { count: 4, rows: 2, nodes: 1 }, network: { racks: 1 } }\n",
                         std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "four_racks.yaml"));
  hall.settle({});
  const PlantState rest = hall.snapshot().state;
  const Plant& plant = hall.plant();
  std::mt19937 random(4);
  for (int start = 0; start < starts; ++start) {
    INFO("start " << start);
    PlantState found = moved(plant, rest, way_k, random);
    SteadyStateSearch search(plant);
    REQUIRE_NOTHROW(search.find(found));
    CHECK(search.steps() < most_steps);
    for (std::size_t slot = 0; slot < rest.states.size(); ++slot) {
      const std::string name = plant.layout.name(slot);
      if (plant.layout.unit(slot) != "K" || name.starts_with("chiller_")) continue;  // idle
      INFO(name);
      CHECK(found.states[slot] == Approx(rest.states[slot]).margin(same_k));
    }
  }
}

// Of 17 outages five leave the water and the air as another has left them; the others take about ten steps each, and one, whose room goes
// from fans to its valve, a second search with smaller steps.
TEST_CASE("a check searches each steady state once, in few steps", "[steady][check]") {
  omp_set_num_threads(1);
  NameplateHall hall(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "h100_10k.yaml"));
  const std::vector<Outage> all = outages(hall.plant());
  REQUIRE(all.size() == 15);
  for (const Outage& outage : all) hall.settle(outage);
  CHECK(hall.searches() == 12);
  CHECK(hall.search_steps() < 13 * hall.searches());
}

TEST_CASE("a steady state that is known from another outage is the one that a search finds", "[steady][check]") {
  constexpr double same_k = 1e-5;
  omp_set_num_threads(1);
  const Scenario scenario = read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "h100_10k.yaml");
  NameplateHall known(scenario), fresh(scenario);
  const std::vector<Outage> all = outages(known.plant());
  const auto named = [&](const char* text) { return *std::ranges::find(all, text, &Outage::text); };
  known.settle(named("side a"));
  const std::size_t before = known.searches();
  known.settle(named("side a, feed b"));
  CHECK(known.searches() == before);
  fresh.settle(named("side a, feed b"));
  CHECK(fresh.searches() > 0);
  const std::vector<double>&a = known.snapshot().state.states, &b = fresh.snapshot().state.states;
  for (std::size_t slot = 0; slot < a.size(); ++slot) {
    if (known.plant().layout.unit(slot) != "K" || is_free(known.plant().layout.name(slot))) continue;
    INFO(known.plant().layout.name(slot));
    CHECK(a[slot] == Approx(b[slot]).margin(same_k));
  }
}

TEST_CASE("one search after the other in one plant ends where a search of its own ends", "[steady]") {
  constexpr double same_k = 1e-6;
  omp_set_num_threads(1);
  NameplateHall hall(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "one_rack.yaml"));
  hall.settle({});
  const PlantState rest = hall.snapshot().state;
  std::mt19937 random(7);
  SteadyStateSearch search(hall.plant());
  for (int start = 0; start < 4; ++start) {
    PlantState together = moved(hall.plant(), rest, 5.0, random), alone = together;
    search.find(together);
    find_steady_state(hall.plant(), alone);
    for (std::size_t slot = 0; slot < rest.states.size(); ++slot) {
      if (hall.plant().layout.unit(slot) != "K") continue;
      INFO(hall.plant().layout.name(slot));
      CHECK(together.states[slot] == Approx(alone.states[slot]).margin(same_k));
    }
  }
}

TEST_CASE("what is not steady is reported in degrees and by the hour", "[steady]") {
  NameplateHall hall(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "one_rack.yaml"));
  hall.settle({});
  const Plant& plant = hall.plant();
  const PlantState& state = hall.snapshot().state;
  std::vector<double> rates(state.states.size());
  std::size_t slot = 0;
  while (plant.layout.is_meter(slot) || plant.layout.unit(slot) != "K") ++slot;
  const std::string begin = fmt::format("{} at {} ", plant.layout.name(slot), format_quantity(state.states[slot], "K"));
  rates[slot] = 0.01;
  CHECK(unsteady_states(plant, state.states, rates) == begin + "rises by 36 K an hour");
  rates[slot] = -0.02;
  CHECK(unsteady_states(plant, state.states, rates) == begin + "falls by 72 K an hour");
}
