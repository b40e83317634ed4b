// Power, losses and switching on a small 2N diagram without generators:
//
//   utility_s -> transformer_s -> ups_s (2 modules), s = a, b; a dual-corded rack on both, a fan on side b
//   only
#include "electrical/power_tree.hpp"

#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::electrical;

namespace {

constexpr double rack_w = 80e3;
constexpr double fan_w = 10e3;
const std::vector<double> load_w{rack_w, fan_w};

OneLineDiagram two_sides() {
  OneLineDiagram diagram;
  diagram.rooms = 1;
  for (const std::string side : {"a", "b"}) {
    for (const char* bus : {"feed_", "low_", "out_"}) diagram.buses.push_back({bus + side});
    diagram.sources.push_back({.name = "utility_" + side, .bus = "feed_" + side});
    diagram.branches.push_back(
        {.name = "transformer_" + side,
         .from = "feed_" + side,
         .to = "low_" + side,
         .equipment = Transformer::Params{.rated_va = 200e3, .no_load_loss_w = 300.0, .load_loss_w = 2000.0}});
    diagram.branches.push_back({.name = "ups_" + side,
                                .from = "low_" + side,
                                .to = "out_" + side,
                                .equipment = Ups::Params{.rated_w = 50e3,
                                                         .constant_loss_fraction = 0.01,
                                                         .linear_loss_fraction = 0.02,
                                                         .quadratic_loss_fraction = 0.03},
                                .modules = 2,
                                .room = 0});
  }
  diagram.loads = {{"rack", {"out_a", "out_b"}}, {"fan", {"out_b"}}};
  return diagram;
}

/// Two modules of 50 kW with half of the output each.
double ups_loss_w(double output_w) {
  const double load = output_w / 100e3;
  return 100e3 * (0.01 + 0.02 * load + 0.03 * load * load);
}

double transformer_loss_w(double output_w) {
  const double load = output_w / 200e3;
  return 300.0 + 2000.0 * load * load;
}

struct Hall {
  PowerTree tree = build_power_tree(two_sides());
  SwitchState switches = normal_switch_state(tree);
  PowerFlow flow = make_power_flow(tree);
  std::size_t ups_a = *find_branch(tree, "ups_a"), ups_b = *find_branch(tree, "ups_b");
  std::size_t transformer_a = *find_branch(tree, "transformer_a");

  std::vector<int> run() {
    std::vector<int> fed_twice = energise(tree, switches);
    evaluate(tree, load_w, switches, flow);
    return fed_twice;
  }
};

}  // namespace

TEST_CASE("each side carries half of a dual-corded rack and the losses on its way", "[power_tree]") {
  Hall hall;
  CHECK(hall.run().empty());
  const double ups_input_w = 40e3 + ups_loss_w(40e3);
  const double source_w = ups_input_w + transformer_loss_w(ups_input_w);
  CHECK(hall.flow.branch_output_w[hall.ups_a] == 40e3);
  CHECK(hall.flow.branch_input_w[hall.ups_a] == Approx(ups_input_w).epsilon(1e-14));
  CHECK(hall.flow.source_w[0] == Approx(source_w).epsilon(1e-14));
  CHECK(hall.flow.branch_loading_fraction[hall.ups_a] == Approx(0.4));
  CHECK(hall.flow.branch_output_w[hall.ups_b] == 50e3);
  CHECK(hall.flow.load_served_w == load_w);
}

TEST_CASE("losses heat the room in which they occur", "[power_tree]") {
  Hall hall;
  hall.run();
  CHECK(hall.flow.room_loss_w[0] == Approx(ups_loss_w(40e3) + ups_loss_w(50e3)).epsilon(1e-14));
  CHECK(hall.flow.outdoor_loss_w == Approx(hall.flow.loss_w - hall.flow.room_loss_w[0]).epsilon(1e-12));
}

TEST_CASE("a dual-corded rack moves to the living side and what hangs on the dead side goes dark", "[power_tree]") {
  Hall hall;
  hall.switches.source_live[1] = 0;
  hall.run();
  CHECK(hall.switches.cord_share[0] == std::array{1.0, 0.0});
  CHECK(is_served(hall.switches, 0));
  CHECK_FALSE(is_served(hall.switches, 1));
  CHECK(hall.flow.branch_output_w[hall.ups_a] == 80e3);
  CHECK(hall.flow.load_served_w == std::vector{rack_w, 0.0});
  CHECK(hall.flow.source_w[1] == 0.0);
  CHECK(hall.flow.branch_loss_w[hall.ups_b] == 0.0);
}

TEST_CASE("an open branch kills what is behind it and what is before it keeps its no-load loss", "[power_tree]") {
  Hall hall;
  hall.switches.branch_closed[hall.ups_a] = 0;
  hall.run();
  CHECK(hall.switches.branch_mode[hall.ups_a] == BranchMode::dead);
  CHECK(hall.flow.branch_loss_w[hall.ups_a] == 0.0);
  CHECK(hall.flow.branch_loss_w[hall.transformer_a] == 300.0);
  CHECK(hall.flow.source_w[0] == 300.0);
  CHECK(hall.flow.branch_output_w[hall.ups_b] == rack_w + fan_w);
}

TEST_CASE("with both feeds gone everything is dead and nothing is lost", "[power_tree]") {
  Hall hall;
  hall.switches.source_live = {0, 0};
  hall.run();
  CHECK(hall.flow.served_w == 0.0);
  CHECK(hall.flow.loss_w == 0.0);
  CHECK(hall.flow.source_total_w == 0.0);
}

TEST_CASE("a ready battery carries its bus when the feed is gone and draws nothing from upstream", "[power_tree]") {
  Hall hall;
  hall.switches.source_live[0] = 0;
  hall.switches.battery_ready[hall.ups_a] = 1;
  hall.run();
  CHECK(hall.switches.branch_mode[hall.ups_a] == BranchMode::on_battery);
  CHECK(hall.switches.cord_share[0] == std::array{0.5, 0.5});
  CHECK(hall.flow.branch_input_w[hall.ups_a] == 0.0);
  CHECK(hall.flow.branch_battery_w[hall.ups_a] == Approx(40e3 + ups_loss_w(40e3)).epsilon(1e-14));
  CHECK(hall.flow.battery_total_w == hall.flow.branch_battery_w[hall.ups_a]);
  CHECK(hall.flow.branch_loss_w[hall.transformer_a] == 0.0);
}

TEST_CASE("a battery does nothing while its UPS is fed, or when the UPS is open", "[power_tree]") {
  Hall hall;
  hall.switches.battery_ready[hall.ups_a] = 1;
  hall.run();
  CHECK(hall.switches.branch_mode[hall.ups_a] == BranchMode::carrying);
  hall.switches.branch_closed[hall.ups_a] = 0;
  hall.switches.source_live[0] = 0;
  hall.run();
  CHECK(hall.switches.branch_mode[hall.ups_a] == BranchMode::dead);
  CHECK(hall.flow.battery_total_w == 0.0);
}

TEST_CASE("a bus that is fed twice is reported, the first feed carries and the other idles", "[power_tree]") {
  OneLineDiagram diagram = two_sides();
  diagram.branches.push_back({.name = "spare_transformer",
                              .from = "feed_b",
                              .to = "low_a",
                              .equipment = diagram.branches[0].equipment,
                              .normally_closed = false});
  const PowerTree tree = build_power_tree(diagram);
  const std::size_t spare = *find_branch(tree, "spare_transformer");
  SwitchState switches = normal_switch_state(tree);
  PowerFlow flow = make_power_flow(tree);

  switches.branch_closed[spare] = 1;
  const std::vector<int> fed_twice = energise(tree, switches);
  REQUIRE(fed_twice.size() == 1);
  CHECK(tree.bus_name[fed_twice[0]] == "low_a");
  evaluate(tree, load_w, switches, flow);
  CHECK(switches.branch_mode[spare] == BranchMode::idle);
  CHECK(flow.branch_output_w[spare] == 0.0);
  CHECK(flow.branch_loss_w[spare] == 300.0);

  switches.source_live[0] = 0;
  CHECK(energise(tree, switches).empty());
  CHECK(switches.branch_mode[spare] == BranchMode::carrying);
}

TEST_CASE("switching back gives the normal state again", "[power_tree]") {
  Hall hall;
  const SwitchState normal = hall.switches;
  hall.switches.source_live[1] = 0;
  hall.run();
  CHECK_FALSE(hall.switches == normal);
  hall.switches.source_live[1] = 1;
  hall.run();
  CHECK(hall.switches == normal);
}

TEST_CASE("a load behind a transfer switch draws from its first live bus alone", "[power_tree]") {
  OneLineDiagram diagram = two_sides();
  diagram.loads[0].sharing = Load::Sharing::transfer;
  const PowerTree tree = build_power_tree(diagram);
  SwitchState switches = normal_switch_state(tree);
  CHECK(switches.cord_share[0] == std::array{1.0, 0.0});
  switches.source_live = {0, 1};
  energise(tree, switches);
  CHECK(switches.cord_share[0] == std::array{0.0, 1.0});
  switches.source_live = {0, 0};
  energise(tree, switches);
  CHECK_FALSE(is_served(switches, 0));
}

TEST_CASE("generators of one bus share it by rating, are one feed, and go before its branches", "[power_tree]") {
  OneLineDiagram diagram = two_sides();
  for (const double rated_w : {100e3, 300e3}) {
    diagram.sources.push_back({.name = rated_w < 200e3 ? "small" : "large",
                               .bus = "low_a",
                               .equipment = Generator::Params{.rated_w = rated_w},
                               .normally_live = false});
  }
  const PowerTree tree = build_power_tree(diagram);
  SwitchState switches = normal_switch_state(tree);
  PowerFlow flow = make_power_flow(tree);
  switches.source_live = {0, 1, 1, 1};
  CHECK(energise(tree, switches).empty());
  evaluate(tree, load_w, switches, flow);
  const double ups_input_w = 40e3 + ups_loss_w(40e3);
  CHECK(flow.source_w[2] == Approx(0.25 * ups_input_w).epsilon(1e-14));
  CHECK(flow.source_w[3] == Approx(0.75 * ups_input_w).epsilon(1e-14));
  CHECK(flow.source_loading_fraction[2] == Approx(flow.source_loading_fraction[3]).epsilon(1e-14));

  switches.source_live = {1, 1, 1, 0};  // the feed is back: its transformer idles
  CHECK(energise(tree, switches).size() == 1);
  evaluate(tree, load_w, switches, flow);
  CHECK(flow.source_w[2] == Approx(ups_input_w).epsilon(1e-14));
  CHECK(flow.source_loading_fraction[2] == Approx(ups_input_w / 100e3).epsilon(1e-14));
  CHECK(flow.source_w[0] == 300.0);
}

TEST_CASE("recharging is drawn from upstream, heats no one and ends in proportion near full charge", "[battery]") {
  Hall hall;
  const double charger_w = hall.tree.branch_charger_w[hall.ups_a];
  CHECK(charger_w == Approx(0.1 * 100e3));
  std::vector<double> recharging_w(hall.tree.branch_name.size(), 0.0);
  hall.run();
  const double input_w = hall.flow.branch_input_w[hall.ups_a], loss = hall.flow.room_loss_w[0];
  recharging_w[hall.ups_a] = recharge_w(charger_w, 0.5);
  evaluate(hall.tree, {load_w, recharging_w}, hall.switches, hall.flow);
  CHECK(hall.flow.branch_input_w[hall.ups_a] == Approx(input_w + charger_w).epsilon(1e-14));
  CHECK(hall.flow.branch_battery_w[hall.ups_a] == -charger_w);
  CHECK(hall.flow.room_loss_w[0] == loss);
  CHECK(recharge_w(charger_w, 0.0) == charger_w);
  CHECK(recharge_w(charger_w, 0.975) == Approx(0.5 * charger_w));
  CHECK(recharge_w(charger_w, 1.0) == 0.0);
}
