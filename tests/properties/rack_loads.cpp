// Loads of nodes against what the work asks at their AC inlets: whatever GPUs get, nothing is lost or added.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/by_hand/unit_params.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "twin/actions/work/coupling.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/node_couplings.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Two racks of `nodes` nodes; `rests` units share what GPUs leave.
Scenario two_racks(int nodes, int gpus, int rests) {
  Scenario scenario = tests::one_rack_scenario();
  scenario.racks.front().count = 2;
  scenario.racks.front().nodes = nodes;
  scenario.racks.front().hardware.units[0].count = gpus;
  scenario.racks.front().hardware.units[1].count = rests;
  return scenario;
}

/// Work that asks what stands here.
class GivenWork final : public workload::Workload {
 public:
  std::vector<double> asked_gpu_w, asked_node_w;

  double next_change_s(double) const override { return 1e9; }
  void sample(double, workload::NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const std::size_t gpus = asked_gpu_w.size() / asked_node_w.size();
    std::copy_n(asked_gpu_w.begin() + static_cast<std::ptrdiff_t>(nodes.first * gpus), nodes.count * gpus,
                gpu_w.begin());
    std::copy_n(asked_node_w.begin() + static_cast<std::ptrdiff_t>(nodes.first), nodes.count, node_ac_w.begin());
  }
};

double load_w(const Plant& plant, const PlantState& state, std::size_t group, std::size_t node) {
  const std::size_t per_node = plant.groups[group]->count() / plant.it.node_count();
  const auto first = state.inputs.begin() + static_cast<std::ptrdiff_t>(plant.groups[group]->first_load -
                                                                        plant.map.input(0) + node * per_node);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(per_node), 0.0);
}

}  // namespace

TEST_CASE("loads of a node add up to what the work asks of it, however many nodes and units there are", "[loads]") {
  const int nodes = GENERATE(1, 8, 11, 18), gpus = GENERATE(4, 8, 9), rests = GENERATE(1, 3);
  const Scenario scenario = two_racks(nodes, gpus, rests);
  const NodeHardware& hardware = scenario.racks.front().hardware;
  const Plant plant = build_plant(scenario);
  const NodeCouplings coupling{node_coupling(hardware)};
  PlantState state = initial_state(plant);
  std::mt19937 random(static_cast<unsigned>(nodes * 100 + gpus * 10 + rests));
  std::uniform_real_distribution<double> node_w(4000.0, 9000.0), gpu_w(100.0, 700.0);
  GivenWork work;
  work.asked_gpu_w.resize(plant.it.gpu_count());
  work.asked_node_w.resize(plant.it.node_count());
  for (double& w : work.asked_node_w) w = node_w(random);
  for (double& w : work.asked_gpu_w) w = gpu_w(random);
  work.asked_node_w.back() = 0.4 * 9.0 * 100.0;  // less than its GPUs ask for
  std::fill_n(work.asked_gpu_w.end() - gpus, gpus, 500.0);
  state.work.node_is[0] = NodeIs::off_by_die;  // as firmware does it
  state.work.is_restrained[0] = 1;
  std::fill_n(state.work.clock_fraction.begin(), gpus, 0.0);
  AskedWatts asked(plant.it);
  apply_work(plant, coupling, work, state, asked);

  const std::size_t gpu_group = plant.it.groups.front().gpu_units, rest_group = 1 - gpu_group;
  const std::size_t last = plant.it.node_count() - 1;
  CHECK(load_w(plant, state, gpu_group, 0) == 0.0);
  CHECK(load_w(plant, state, rest_group, 0) == 0.0);
  for (std::size_t node = 1; node <= last; ++node) {
    const double all_w = load_w(plant, state, gpu_group, node) + load_w(plant, state, rest_group, node);
    CHECK(all_w == Approx(work.asked_node_w[node]).epsilon(1e-12));
    if (node == last) continue;
    const auto first = work.asked_gpu_w.begin() + static_cast<std::ptrdiff_t>(node) * gpus;
    const double asked_w = std::accumulate(first, first + gpus, 0.0);
    const double given_w = electrical::psu_output_w(hardware.psu, work.asked_node_w[node]);
    CHECK(load_w(plant, state, gpu_group, node) == Approx(std::min(asked_w, given_w)).epsilon(1e-12));
  }
  CHECK(load_w(plant, state, gpu_group, last) < 0.4 * 9.0 * 100.0);
}

namespace {

/// Loads of a node that draws `node_ac_w`, as a replay would have it: GPUs, supplies (if it has a unit for them), rest.
struct Parts {
  double gpus_w, supplies_w, rest_w;
  double all_w() const { return gpus_w + supplies_w + rest_w; }
};

Scenario one_node(bool has_supplies) {
  Scenario scenario = tests::one_rack_scenario();
  scenario.racks.front().nodes = 1;
  if (!has_supplies) return scenario;
  scenario.racks.front().hardware.units.push_back(
      {std::string(supplies_name), 1, 0.0, 0.3, {"air_part", tests::params_of(physics::AirPart{})}});
  scenario.racks.front().hardware.fan_w = 340.0;
  return scenario;
}

Parts parts_of(const Scenario& scenario, const Plant& plant, double node_ac_w) {
  const NodeHardware& hardware = scenario.racks.front().hardware;
  GivenWork work;
  work.asked_gpu_w.assign(8, workload::gpu_from_node_w(hardware.split, node_ac_w, 8));
  work.asked_node_w.assign(1, node_ac_w);
  PlantState state = initial_state(plant);
  AskedWatts asked(plant.it);
  apply_work(plant, {node_coupling(hardware)}, work, state, asked);
  return {load_w(plant, state, 0, 0), plant.groups.size() > 2 ? load_w(plant, state, 2, 0) : 0.0,
          load_w(plant, state, 1, 0)};
}

}  // namespace

TEST_CASE("a replayed node draws what was measured, from nothing to beyond its nameplate", "[loads]") {
  const Scenario scenario = one_node(GENERATE(false, true));
  const Plant plant = build_plant(scenario);
  for (double node_w = 0.0; node_w <= 15e3; node_w += node_w < 400.0 ? 0.7 : 13.0) {
    const Parts parts = parts_of(scenario, plant, node_w);
    CAPTURE(node_w, parts.gpus_w, parts.supplies_w, parts.rest_w);
    CHECK(std::abs(parts.all_w() - node_w) <= 1e-12 * node_w);
    CHECK(parts.gpus_w >= 0.0);
    CHECK(parts.supplies_w >= 0.0);
    CHECK(parts.rest_w >= -1e-12 * node_w);
  }
}

// Supplies of 13.2 kW at 50 % of their output take 6600 / 0.96 = 6875 W: 275 W are lost. GPUs take (6875 - 1600) / 1.12 W.
TEST_CASE("what supplies lose and fans draw goes to the unit that stands for them, the rest of the DC watts elsewhere",
          "[loads]") {
  const Scenario scenario = one_node(true);
  const Plant plant = build_plant(scenario);
  const Parts parts = parts_of(scenario, plant, 6875.0);
  CHECK(parts.gpus_w == Approx(5275.0 / 1.12).epsilon(1e-12));
  CHECK(parts.supplies_w == Approx(275.0 + 340.0).epsilon(1e-12));
  CHECK(parts.rest_w == Approx(6600.0 - 5275.0 / 1.12 - 340.0).epsilon(1e-12));
}
