// A feed is lost: battery, generator, return, in the order and with the functions of
// docs/models/power_tree.md. The state of charge is integrated here as a twin would do it.
#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/power_breaker.hpp"

using namespace wattloop::electrical;

namespace {

constexpr Ups::Params ups{.rated_w = 100e3,
                          .constant_loss_fraction = 0.01,
                          .linear_loss_fraction = 0.01,
                          .quadratic_loss_fraction = 0.02,
                          .battery_time_s = 60.0};
const std::vector<double> load_w{50e3, 30e3};

/// utility and generator -> main -> ups -> rack; a chiller on main
OneLineDiagram diagram() {
  return {.buses = {{"feed"}, {"generator_bus"}, {"main"}, {"critical"}},
          .branches = {{.name = "utility_breaker",
                        .from = "feed",
                        .to = "main",
                        .equipment = wattloop::tests::breaker_for(1e6)},
                       {.name = "generator_breaker",
                        .from = "generator_bus",
                        .to = "main",
                        .equipment = wattloop::tests::breaker_for(1e6),
                        .normally_closed = false},
                       {.name = "ups", .from = "main", .to = "critical", .equipment = ups}},
          .sources = {{.name = "utility", .bus = "feed"},
                      {.name = "generator",
                       .bus = "generator_bus",
                       .equipment = Generator::Params{.rated_w = 0.0},
                       .normally_live = false}},
          .loads = {{"rack", {"critical"}}, {"chiller", {"main"}}},
          .rooms = 0};
}

struct Site {
  PowerTree tree = build_power_tree(diagram());
  SwitchState switches = normal_switch_state(tree);
  PowerFlow flow = make_power_flow(tree);
  std::size_t utility_breaker = *find_branch(tree, "utility_breaker");
  std::size_t generator_breaker = *find_branch(tree, "generator_breaker");
  std::size_t ups_branch = *find_branch(tree, "ups");
  std::size_t utility = *find_source(tree, "utility"), generator = *find_source(tree, "generator");
  double charge_fraction = 1.0;

  void switch_over() {
    CHECK(energise(tree, switches).empty());
    evaluate(tree, load_w, switches, flow);
  }

  double charge_rate_per_s() const {
    return battery_rate_per_s(tree.branch_battery_j[ups_branch], flow.branch_battery_w[ups_branch]);
  }
};

/// Loss at half load: 1 + 0.5 + 0.5 kW.
constexpr double half_load_battery_w = 50e3 + 2e3;

}  // namespace

TEST_CASE("battery, generator and feed take over from each other and the rack never goes dark", "[power_tree]") {
  Site site;
  site.switches.battery_ready[site.ups_branch] = 1;
  site.switch_over();
  CHECK(site.flow.source_w[site.utility] == Approx(30e3 + half_load_battery_w).epsilon(1e-14));
  CHECK(site.charge_rate_per_s() == 0.0);

  site.switches.source_live[site.utility] = 0;
  site.switch_over();
  CHECK(site.flow.load_served_w == std::vector{50e3, 0.0});
  CHECK(site.flow.source_total_w == 0.0);
  site.charge_fraction += 10.0 * site.charge_rate_per_s();
  CHECK(site.charge_fraction == Approx(1.0 - 10.0 * half_load_battery_w / (60.0 * 104e3)).epsilon(1e-14));

  site.switches.branch_closed[site.utility_breaker] = 0;
  site.switches.source_live[site.generator] = 1;
  site.switches.branch_closed[site.generator_breaker] = 1;
  site.switch_over();
  CHECK(site.flow.load_served_w == load_w);
  CHECK(site.flow.source_w[site.generator] == Approx(30e3 + half_load_battery_w).epsilon(1e-14));
  CHECK(site.charge_rate_per_s() == 0.0);

  site.switches.source_live = {1, 0};
  site.switches.branch_closed[site.generator_breaker] = 0;
  site.switches.branch_closed[site.utility_breaker] = 1;
  site.switch_over();
  CHECK(site.flow.source_w[site.utility] == Approx(30e3 + half_load_battery_w).epsilon(1e-14));
  CHECK(site.flow.source_w[site.generator] == 0.0);
}

TEST_CASE("a battery at half load and half loss lasts twice its time, then the rack is dark", "[battery]") {
  // 60 s at 100 kW and 4 kW of loss; at 50 kW and 2 kW of loss 60 s * 104 / 52 = 120 s.
  Site site;
  site.switches.battery_ready[site.ups_branch] = 1;
  site.switches.source_live[site.utility] = 0;
  site.switch_over();
  CHECK(-site.charge_fraction / site.charge_rate_per_s() == Approx(120.0).epsilon(1e-13));

  site.switches.battery_ready[site.ups_branch] = 0;
  site.switch_over();
  CHECK_FALSE(is_served(site.switches, 0));
  CHECK(site.flow.served_w == 0.0);
  CHECK(site.flow.loss_w == 0.0);
}

TEST_CASE("generator and feed closed onto one bus are reported", "[power_tree]") {
  Site site;
  site.switches.source_live[site.generator] = 1;
  site.switches.branch_closed[site.generator_breaker] = 1;
  const std::vector<int> fed_twice = energise(site.tree, site.switches);
  REQUIRE(fed_twice.size() == 1);
  CHECK(site.tree.bus_name[fed_twice[0]] == "main");
  CHECK(site.switches.branch_mode[site.generator_breaker] == BranchMode::idle);
}
