// Racks of a hall that are not alike: the flow of each over the mean of its loop, by hand from the classes of twin/build/floor/rack_plan.cpp, whose
// deviation is the one asked for; a loop carries what its CDUs carry, whoever gets which share; a rack's coolant warms by its heat over its
// flow.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;

namespace {

using Run = tests::ScenarioRun;

std::vector<std::string> spread(const std::string& by, const std::string& seed = "1") {
  return {"hall.cooling.loops.rack_flow_spread=" + by, "workload={kind: constant}", "hall.racks.gpu_spread=none",
          "duration=10 min", "seed=" + seed};
}

std::vector<double> ratios(const Run& run) {
  std::vector<double> of_racks;
  for (const twin::PlannedRack& rack : twin::plan_racks(run.scenario).racks) of_racks.push_back(rack.flow_ratio);
  return of_racks;
}

double rack_kg_per_s(const Run& run, const std::string& rack) { return run.link_kg_per_s(rack + ".cold_plates"); }

}  // namespace

TEST_CASE("racks of a loop have the mean flow and the deviation that were asked for", "[rack_spread]") {
  Run run("h100_10k", spread("5 %"), Run::By::multirate);
  const std::vector<double> of_racks = ratios(run);
  REQUIRE(of_racks.size() == 160);
  for (std::size_t loop = 0; loop < 4; ++loop) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t rack = 40 * loop; rack < 40 * (loop + 1); ++rack) {
      sum += of_racks[rack];
      squares += (of_racks[rack] - 1.0) * (of_racks[rack] - 1.0);
    }
    CHECK(sum == Approx(40.0).epsilon(1e-12));
    CHECK(std::sqrt(squares / 40.0) == Approx(0.05).epsilon(1e-3));
  }
  CHECK(std::set(of_racks.begin(), of_racks.end()).size() == 4);
  CHECK(ratios(Run("h100_10k", spread("5 %", "2"), Run::By::multirate)) != of_racks);
}

TEST_CASE("loops carry what their CDUs carry, and a rack's return is warmer where its flow is smaller",
          "[rack_spread][conservation]") {
  for (const Run::By integrator : {Run::By::multirate, Run::By::monolithic}) {
    Run even("h100_10k", spread("0"), integrator), run("h100_10k", spread("5 %"), integrator);
    const std::vector<twin::PlannedRack> racks = twin::plan_racks(run.scenario).racks;
    const auto rise_k = [](const Run& of, const std::string& rack) {
      return of.node_k(rack + ".return") - of.node_k(rack + ".supply");
    };
    std::set<double> flows, dies_k;
    for (std::size_t r = 0; r < racks.size(); ++r) {
      const double flow = rack_kg_per_s(run, racks[r].name);
      flows.insert(flow);
      dies_k.insert(run.die_k(64 * r));
      CHECK(flow == Approx(racks[r].flow_ratio * rack_kg_per_s(even, racks[r].name)).epsilon(2e-4));
      // All racks have the same watts; what goes to air instead of coolant moves by less.
      CHECK(rise_k(run, racks[r].name) * racks[r].flow_ratio == Approx(rise_k(even, racks[r].name)).epsilon(5e-3));
    }
    CHECK(flows.size() >= 4);
    CHECK(dies_k.size() >= 4);
    run.to_end();
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("racks of each loop of a hall differ by the deviation that is asked for, and so do their dies",
          "[rack_spread]") {
  Run run("h100_10k", {"hall.cooling.loops.rack_flow_spread=3 %", "workload={kind: constant}", "duration=10 min"},
          Run::By::multirate);
  const std::vector<double> of_racks = ratios(run);
  for (std::size_t loop = 0; loop < 4; ++loop) {
    double squares = 0.0;
    for (std::size_t rack = 40 * loop; rack < 40 * (loop + 1); ++rack)
      squares += (of_racks[rack] - 1.0) * (of_racks[rack] - 1.0);
    CHECK(std::sqrt(squares / 40.0) == Approx(0.03).epsilon(1e-12));
  }
  // 64 classes of GPUs at each of the four flows.
  std::set<double> dies_mk;
  for (std::size_t gpu = 0; gpu < 64 * of_racks.size(); ++gpu) dies_mk.insert(std::round(1e3 * run.die_k(gpu)));
  CHECK(dies_mk.size() > 3 * 64);
}

TEST_CASE("which rack has which share differs from loop to loop", "[rack_spread]") {
  const std::vector<double> of_racks = ratios(Run("h100_10k", spread("3 %"), Run::By::multirate));
  for (std::size_t loop = 0; loop < 4; ++loop) {
    for (std::size_t other = 0; other < loop; ++other) {
      CAPTURE(loop, other);
      const auto begin = [&](std::size_t of) { return of_racks.begin() + static_cast<std::ptrdiff_t>(40 * of); };
      CHECK_FALSE(std::equal(begin(loop), begin(loop) + 40, begin(other)));
    }
  }
}

TEST_CASE("any number of racks keeps mean and deviation of their flow", "[rack_spread]") {
  for (const int count : {1, 2, 3, 5, 6, 7}) {
    CAPTURE(count);
    Run run("one_rack", {fmt::format("hall.racks.count={}", count), "hall.cooling.loops.rack_flow_spread=3 %"},
            Run::By::multirate);
    double sum = 0.0, squares = 0.0;
    for (const double ratio : ratios(run)) {
      sum += ratio;
      squares += (ratio - 1.0) * (ratio - 1.0);
    }
    CHECK(sum == Approx(count).epsilon(1e-12));
    CHECK(std::sqrt(squares / count) == Approx(count == 1 ? 0.0 : 0.03).margin(1e-12));
  }
}

TEST_CASE("with no spread all racks of a kind are alike", "[rack_spread]") {
  Run run("h100_10k", spread("0"), Run::By::multirate);
  for (const double ratio : ratios(run)) CHECK(ratio == 1.0);
}

TEST_CASE("a rack that an event clogs keeps its share, and no one else has another one for it", "[rack_spread]") {
  std::vector<std::string> clogged = spread("5 %");
  clogged.emplace_back("events=[{at: 5 min, clog: row_1.rack_3, to: 50 %}, {at: 5 min, clog: row_1.rack_4, to: 80 %}]");
  for (const Run::By integrator : {Run::By::multirate, Run::By::monolithic}) {
    Run whole("h100_10k", spread("5 %"), integrator), run("h100_10k", clogged, integrator);
    CHECK(ratios(run) == ratios(whole));
    const std::vector<twin::PlannedRack> racks = twin::plan_racks(run.scenario).racks;
    REQUIRE(racks[2].flow_ratio != racks[3].flow_ratio);
    for (const std::size_t r : {0u, 2u, 3u, 7u, 50u}) {
      CAPTURE(racks[r].name);
      CHECK(rack_kg_per_s(run, racks[r].name) == Approx(rack_kg_per_s(whole, racks[r].name)).epsilon(1e-5));
    }
    run.to_end();
    whole.to_end();
    // Pumps hold the pressure between the headers: a clogged rack has its share of what it had.
    CHECK(rack_kg_per_s(run, racks[2].name) == Approx(0.5 * rack_kg_per_s(whole, racks[2].name)).epsilon(2e-3));
    CHECK(rack_kg_per_s(run, racks[3].name) == Approx(0.8 * rack_kg_per_s(whole, racks[3].name)).epsilon(2e-3));
    CHECK(rack_kg_per_s(run, racks[0].name) == Approx(rack_kg_per_s(whole, racks[0].name)).epsilon(2e-3));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}
