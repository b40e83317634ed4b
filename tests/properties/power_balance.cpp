// Over random diagrams, loads and switch positions: power of sources and batteries equals power of served
// loads plus losses to rounding; nothing but the flow is written; declaring components in another order
// changes nothing.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/power_breaker.hpp"

using namespace wattloop::electrical;

namespace {

using Random = std::mt19937_64;

int pick(Random& random, int below) { return std::uniform_int_distribution<int>(0, below - 1)(random); }

double between(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Equipment random_equipment(Random& random) {
  const double rated_w = std::exp(between(random, std::log(1e4), std::log(1e7)));
  const double loss = between(random, 0.0, 0.02);
  switch (pick(random, 6)) {
    case 0:
      return Feeder::Params{.rated_w = rated_w, .voltage_v = 400.0, .resistance_ohm = 1600.0 * loss / rated_w};
    case 1:
      return Transformer::Params{
          .rated_va = rated_w, .no_load_loss_w = 0.2 * loss * rated_w, .load_loss_w = loss * rated_w};
    case 2:
      return Ups::Params{.rated_w = rated_w,
                         .constant_loss_fraction = loss,
                         .linear_loss_fraction = 0.01,
                         .quadratic_loss_fraction = loss};
    case 3:
      return Pdu::Params{.rated_w = rated_w, .constant_loss_fraction = loss, .quadratic_loss_fraction = loss};
    case 4:
      return Converter::Params{.rated_w = rated_w, .constant_w = loss * rated_w, .efficiency_fraction = 1.0 - loss};
    default:
      return wattloop::tests::breaker_for(rated_w);
  }
}

/// Trees under one to three sources, with open branches across them and loads of one or two cords. With ties some of all branches go both ways,
/// unless they have a battery.
OneLineDiagram random_diagram(Random& random, bool has_ties = false) {
  const int sources = 1 + pick(random, 3);
  const int buses = sources + 1 + pick(random, 60);
  const auto bus = [](int number) { return "bus_" + std::to_string(number); };
  OneLineDiagram diagram;
  diagram.rooms = 1 + pick(random, 3);
  for (int b = 0; b < buses; ++b) diagram.buses.push_back({bus(b)});
  for (int s = 0; s < sources; ++s) diagram.sources.push_back({.name = "source_" + std::to_string(s), .bus = bus(s)});
  const auto add_branch = [&](int from, int to, bool closed) {
    diagram.branches.push_back({.name = "branch_" + std::to_string(diagram.branches.size()),
                                .from = bus(from),
                                .to = bus(to),
                                .equipment = random_equipment(random),
                                .modules = 1 + pick(random, 4),
                                .room = pick(random, diagram.rooms + 1) - 1,
                                .normally_closed = closed});
    Branch& branch = diagram.branches.back();
    branch.goes_both_ways = has_ties && pick(random, 3) == 0 && battery_of(branch.equipment).energy_j == 0.0;
  };
  for (int b = sources; b < buses; ++b) {
    add_branch(pick(random, b), b, true);
    if (pick(random, 4) == 0) add_branch(pick(random, b), b, false);
  }
  for (int l = 0; l < 40; ++l) {
    Load load{.name = "load_" + std::to_string(l), .buses = {bus(pick(random, buses))}};
    const std::string second = bus(pick(random, buses));
    if (pick(random, 2) == 0 && second != load.buses[0]) load.buses.push_back(second);
    if (pick(random, 2) == 0) load.sharing = Load::Sharing::transfer;
    diagram.loads.push_back(load);
  }
  return diagram;
}

/// Takes second cords away where both are behind the same UPS or PDU.
PowerTree build(OneLineDiagram& diagram) {
  for (const Finding& finding : check(diagram)) {
    if (finding.severity == Finding::Severity::warning) continue;
    for (Load& load : diagram.loads) {
      if (load.name == finding.component) load.buses.resize(1);
    }
  }
  return build_power_tree(diagram);
}

std::vector<double> random_loads(Random& random, std::size_t size) {
  std::vector<double> load_w(size);
  for (double& w : load_w) w = pick(random, 8) == 0 ? 0.0 : between(random, 0.0, 5e4);
  return load_w;
}

/// What the batteries of the branches would take, some of them.
std::vector<double> random_recharge(Random& random, const PowerTree& tree) {
  std::vector<double> charging_w(tree.branch_name.size(), 0.0);
  for (std::size_t branch = 0; branch < charging_w.size(); ++branch) {
    if (tree.branch_battery_j[branch] > 0.0 && pick(random, 2) == 0) {
      charging_w[branch] = wattloop::electrical::recharge_w(tree.branch_charger_w[branch], between(random, 0.0, 1.0));
    }
  }
  return charging_w;
}

/// Opens and closes branches, kills sources and readies batteries.
void switch_at_random(Random& random, SwitchState& switches) {
  for (std::uint8_t& closed : switches.branch_closed) closed = pick(random, 6) == 0 ? !closed : closed;
  for (std::uint8_t& live : switches.source_live) live = pick(random, 3) != 0;
  for (std::uint8_t& ready : switches.battery_ready) ready = pick(random, 2) == 1;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void check_balance(const PowerFlow& flow) {
  const double in_w = sum(flow.source_w) + sum(flow.branch_battery_w);
  const double out_w = sum(flow.load_served_w) + sum(flow.room_loss_w) + flow.outdoor_loss_w;
  CHECK(std::abs(in_w - out_w) <= 1e-13 * std::max(sum(flow.source_w), in_w));
  CHECK(flow.source_total_w + flow.battery_total_w == Approx(in_w).epsilon(1e-13));
  CHECK(flow.served_w + flow.loss_w == Approx(out_w).epsilon(1e-13));
  CHECK(std::none_of(flow.branch_loss_w.begin(), flow.branch_loss_w.end(), [](double w) { return w < 0.0; }));
}

/// A battery takes what it is offered where its branch is live from upstream, and gives only where it carries.
void check_batteries(const PowerFlow& flow, const std::vector<double>& recharge_w, const SwitchState& switches) {
  for (std::size_t branch = 0; branch < recharge_w.size(); ++branch) {
    const BranchMode mode = switches.branch_mode[branch];
    const bool is_fed = mode == BranchMode::carrying || mode == BranchMode::idle;
    CHECK(flow.branch_battery_w[branch] <= (mode == BranchMode::on_battery ? 1e300 : 0.0));
    if (mode != BranchMode::on_battery) CHECK(-flow.branch_battery_w[branch] == (is_fed ? recharge_w[branch] : 0.0));
  }
}

}  // namespace

TEST_CASE("sources and batteries give what served loads and losses take", "[conservation]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    OneLineDiagram diagram = random_diagram(random, seed > 100);
    const PowerTree tree = build(diagram);
    SwitchState switches = normal_switch_state(tree);
    PowerFlow flow = make_power_flow(tree);
    for (int position = 0; position < 5; ++position) {
      const std::vector<double> load_w = random_loads(random, tree.load_name.size());
      const std::vector<double> recharge_w = random_recharge(random, tree);
      evaluate(tree, {load_w, recharge_w}, switches, flow);
      check_balance(flow);
      check_batteries(flow, recharge_w, switches);
      switch_at_random(random, switches);
      energise(tree, switches);
    }
  }
}

TEST_CASE("loads are served exactly where a bus of theirs is live", "[power_tree]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    OneLineDiagram diagram = random_diagram(random, seed > 25);
    const PowerTree tree = build(diagram);
    SwitchState switches = normal_switch_state(tree);
    PowerFlow flow = make_power_flow(tree);
    switch_at_random(random, switches);
    energise(tree, switches);
    const std::vector<double> load_w = random_loads(random, tree.load_name.size());
    evaluate(tree, load_w, switches, flow);
    for (std::size_t load = 0; load < load_w.size(); ++load) {
      const auto [first, second] = tree.load_bus[load];
      const bool live = switches.bus_live[first] || (second != no_bus && switches.bus_live[second]);
      CHECK(is_served(switches, load) == live);
      CHECK(flow.load_served_w[load] == (live ? load_w[load] : 0.0));
    }
  }
}

TEST_CASE("evaluating again gives the same bytes in the same memory", "[power_tree]") {
  Random random(7);
  OneLineDiagram diagram = random_diagram(random);
  const PowerTree tree = build(diagram);
  const SwitchState switches = normal_switch_state(tree);
  const std::vector<double> load_w = random_loads(random, tree.load_name.size());
  PowerFlow once = make_power_flow(tree);
  evaluate(tree, load_w, switches, once);
  PowerFlow twice = once;
  const double* memory = twice.branch_loss_w.data();
  evaluate(tree, load_w, switches, twice);
  CHECK(twice.branch_loss_w.data() == memory);
  CHECK(twice.branch_input_w == once.branch_input_w);
  CHECK(twice.bus_w == once.bus_w);
  CHECK(twice.room_loss_w == once.room_loss_w);
  CHECK(twice.loss_w == once.loss_w);
}

TEST_CASE("declaring buses, branches and loads in another order gives the same powers", "[power_tree]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    OneLineDiagram diagram = random_diagram(random);
    const PowerTree tree = build(diagram);
    std::shuffle(diagram.buses.begin(), diagram.buses.end(), random);
    std::shuffle(diagram.branches.begin(), diagram.branches.end(), random);
    const PowerTree shuffled = build_power_tree(diagram);
    const std::vector<double> load_w = random_loads(random, tree.load_name.size());
    PowerFlow flow = make_power_flow(tree), other = make_power_flow(shuffled);
    evaluate(tree, load_w, normal_switch_state(tree), flow);
    evaluate(shuffled, load_w, normal_switch_state(shuffled), other);
    for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
      const std::size_t same = *find_branch(shuffled, tree.branch_name[branch]);
      CHECK(other.branch_input_w[same] == Approx(flow.branch_input_w[branch]).epsilon(1e-12));
    }
    CHECK(other.loss_w == Approx(flow.loss_w).epsilon(1e-12));
  }
}
