// Branches that carry power either way: ring mains, main-tie-main. Expected values by hand, stated beside them.
#include <algorithm>
#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/power_breaker.hpp"

using namespace wattloop::electrical;

namespace {

Branch cable(const std::string& name, const std::string& from, const std::string& to, bool is_closed = true) {
  return {.name = name,
          .from = from,
          .to = to,
          .equipment = Feeder::Params{.rated_w = 5e6, .voltage_v = 20e3, .resistance_ohm = 0.4},
          .normally_closed = is_closed,
          .goes_both_ways = true};
}

/// A feed at bus `main`, a ring main -> 1 -> 2 -> 3 -> main that is open between 2 and 3, a load of 1 MW at each of the three.
OneLineDiagram ring() {
  OneLineDiagram diagram;
  for (const char* bus : {"main", "bus_1", "bus_2", "bus_3"}) diagram.buses.push_back({bus, 20e3});
  diagram.sources = {{.name = "utility", .bus = "main"}};
  diagram.branches = {cable("cable_1", "main", "bus_1"), cable("cable_2", "bus_1", "bus_2"),
                      cable("cable_3", "bus_2", "bus_3", false), cable("cable_4", "bus_3", "main")};
  diagram.loads = {{"load_1", {"bus_1"}}, {"load_2", {"bus_2"}}, {"load_3", {"bus_3"}}};
  return diagram;
}

/// Two transformers a side, each with a bus, and a tie between the buses that is open.
OneLineDiagram main_tie_main() {
  OneLineDiagram diagram;
  for (const char* bus : {"feed_a", "feed_b", "low_a", "low_b", "ups_a.output"}) diagram.buses.push_back({bus});
  diagram.sources = {{.name = "utility_a", .bus = "feed_a"}, {.name = "utility_b", .bus = "feed_b"}};
  const auto transformer = [](const std::string& side) {
    return Branch{.name = "transformer_" + side,
                  .from = "feed_" + side,
                  .to = "low_" + side,
                  .equipment = Transformer::Params{.rated_va = 2.5e6, .no_load_loss_w = 1e3, .load_loss_w = 20e3}};
  };
  diagram.branches = {transformer("a"), transformer("b"),
                      Branch{.name = "tie",
                             .from = "low_a",
                             .to = "low_b",
                             .equipment = wattloop::tests::breaker_for(2.5e6),
                             .normally_closed = false,
                             .goes_both_ways = true},
                      Branch{.name = "ups_a",
                             .from = "low_a",
                             .to = "ups_a.output",
                             .equipment = Ups::Params{.rated_w = 1.5e6,
                                                      .constant_loss_fraction = 0.01,
                                                      .linear_loss_fraction = 0.0,
                                                      .quadratic_loss_fraction = 0.0}}};
  diagram.loads = {{"load_a", {"ups_a.output"}}, {"load_b", {"low_b"}}};
  return diagram;
}

struct Position {
  explicit Position(const OneLineDiagram& diagram)
      : tree(build_power_tree(diagram)), switches(normal_switch_state(tree)), flow(make_power_flow(tree)) {}

  std::size_t branch(const char* name) const { return *find_branch(tree, name); }
  void set(const char* name, bool is_closed) { switches.branch_closed[branch(name)] = is_closed; }
  std::vector<int> solve(const std::vector<double>& load_w) {
    std::vector<int> fed_twice = energise(tree, switches);
    evaluate(tree, load_w, switches, flow);
    return fed_twice;
  }
  double output_w(const char* name) const { return flow.branch_output_w[branch(name)]; }

  PowerTree tree;
  SwitchState switches;
  PowerFlow flow;
};

double cable_loss_w(double power_w) { return 0.4 * power_w * power_w / (20e3 * 20e3); }

}  // namespace

TEST_CASE("a ring that is open at one place feeds both of its arms, whichever place it is", "[power_tree][ties]") {
  Position ring_main(ring());
  const std::vector<double> load_w(3, 1e6);
  REQUIRE(ring_main.solve(load_w).empty());
  const double second_w = 1e6 + cable_loss_w(1e6);
  CHECK(ring_main.output_w("cable_2") == Approx(1e6).epsilon(1e-14));
  CHECK(ring_main.output_w("cable_1") == Approx(1e6 + second_w).epsilon(1e-14));
  CHECK(ring_main.output_w("cable_3") == 0.0);
  CHECK(ring_main.output_w("cable_4") == Approx(1e6).epsilon(1e-14));
  // Maintenance of the first cable: all goes round the other way, through cables 3 and 2 against the order in which they are written.
  ring_main.set("cable_3", true);
  ring_main.set("cable_1", false);
  REQUIRE(ring_main.solve(load_w).empty());
  const double two_w = 1e6 + second_w, three_w = 1e6 + two_w + cable_loss_w(two_w);
  CHECK(ring_main.output_w("cable_2") == Approx(1e6).epsilon(1e-14));
  CHECK(ring_main.output_w("cable_3") == Approx(two_w).epsilon(1e-14));
  CHECK(ring_main.output_w("cable_4") == Approx(three_w).epsilon(1e-14));
  CHECK(ring_main.flow.source_w[0] == Approx(three_w + cable_loss_w(three_w)).epsilon(1e-14));
  CHECK(ring_main.flow.source_w[0] == Approx(ring_main.flow.served_w + ring_main.flow.loss_w).epsilon(1e-14));
}

TEST_CASE("a ring that is closed is reported as a loop, with all its cables", "[power_tree][ties]") {
  Position ring_main(ring());
  ring_main.set("cable_3", true);
  CHECK(ring_main.solve({1e6, 1e6, 1e6}).size() == 1);
  OneLineDiagram closed = ring();
  closed.branches[2].normally_closed = true;
  const std::vector<Finding> findings = check(closed);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().severity == Finding::Severity::error);
  CHECK(findings.front().message ==
        "in the normal position there is a closed loop of 'cable_1', 'cable_2', 'cable_3', 'cable_4'");
  CHECK_THAT(findings.front().remedy, Catch::Contains("open: true") && Catch::Contains("flow: auto"));
}

TEST_CASE("a tie carries a side whose transformer is lost, and its UPS is on the battery no longer",
          "[power_tree][ties]") {
  Position mains(main_tie_main());
  const std::vector<double> load_w{1e6, 5e5};
  mains.solve(load_w);
  CHECK(mains.output_w("tie") == 0.0);
  mains.switches.battery_ready.assign(4, 1);
  mains.set("transformer_a", false);
  mains.solve(load_w);
  CHECK(mains.switches.branch_mode[mains.branch("ups_a")] == BranchMode::on_battery);
  mains.set("tie", true);
  REQUIRE(mains.solve(load_w).empty());
  CHECK(mains.switches.branch_is_reversed[mains.branch("tie")] == 1);
  CHECK(mains.switches.branch_mode[mains.branch("ups_a")] == BranchMode::carrying);
  CHECK(mains.output_w("tie") == Approx(1e6 + 15e3).epsilon(1e-14));
  CHECK(mains.output_w("transformer_b") == Approx(1.515e6).epsilon(1e-14));
  mains.set("transformer_b", false);
  mains.set("transformer_a", true);
  REQUIRE(mains.solve(load_w).empty());
  CHECK(mains.switches.branch_is_reversed[mains.branch("tie")] == 0);
  CHECK(mains.output_w("transformer_a") == Approx(1.515e6).epsilon(1e-14));
  mains.set("transformer_b", true);
  CHECK(mains.solve(load_w).size() == 1);  // two sources in parallel
}

TEST_CASE("a battery feeds nothing through a tie, and a tie of a bus with itself is refused", "[power_tree][ties]") {
  Position mains(main_tie_main());
  mains.switches.source_live.assign(2, 0);
  mains.switches.battery_ready.assign(4, 1);
  mains.set("tie", true);
  mains.solve({1e6, 5e5});
  CHECK(mains.flow.load_served_w[0] == 1e6);
  CHECK(mains.flow.load_served_w[1] == 0.0);
  OneLineDiagram diagram = ring();
  diagram.branches[2].to = "bus_2";
  const std::vector<Finding> findings = check(diagram);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().message == "'cable_3' leads from bus 'bus_2' to itself");
}
