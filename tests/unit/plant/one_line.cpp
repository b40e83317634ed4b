// The one-line diagram: what its check reports, the order of the tree made from it, and what switching does
// to the halves of a 2N diagram with dual-corded racks.
#include "electrical/one_line.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/power_breaker.hpp"

using namespace wattloop::electrical;
using Severity = Finding::Severity;

namespace {

constexpr Transformer::Params transformer{.rated_va = 1e6, .no_load_loss_w = 1e3, .load_loss_w = 10e3};
constexpr Ups::Params ups{.rated_w = 500e3,
                          .constant_loss_fraction = 0.01,
                          .linear_loss_fraction = 0.01,
                          .quadratic_loss_fraction = 0.01,
                          .battery_time_s = 60.0};
constexpr Pdu::Params pdu{.rated_w = 200e3, .constant_loss_fraction = 0.005, .quadratic_loss_fraction = 0.01};
constexpr Breaker::Params breaker = wattloop::tests::breaker_for(2e6);

/// utility -> breaker -> main <- breaker <- generator; main -> transformer -> low voltage -> UPS -> PDU
void add_side(OneLineDiagram& diagram, const std::string& side, int room) {
  for (const char* bus : {"pdu_out", "ups_out", "low", "main", "generator_bus", "feed"}) {
    diagram.buses.push_back({bus + ("_" + side)});
  }
  const auto add = [&](const std::string& name, const std::string& from, const std::string& to,
                       const Equipment& equipment) {
    diagram.branches.push_back({.name = name + "_" + side,
                                .from = from + "_" + side,
                                .to = to + "_" + side,
                                .equipment = equipment,
                                .room = room});
  };
  add("pdu", "ups_out", "pdu_out", pdu);
  add("ups", "low", "ups_out", ups);
  add("transformer", "main", "low", transformer);
  add("utility_breaker", "feed", "main", breaker);
  add("generator_breaker", "generator_bus", "main", breaker);
  diagram.branches.back().normally_closed = false;
  diagram.sources.push_back({.name = "utility_" + side, .bus = "feed_" + side});
  diagram.sources.push_back({.name = "generator_" + side,
                             .bus = "generator_bus_" + side,
                             .equipment = Generator::Params{.rated_w = 0.0},
                             .normally_live = false});
}

/// 2N: a dual-corded rack, a pump on the UPS of side a, a chiller without UPS on side b.
OneLineDiagram two_sides() {
  OneLineDiagram diagram;
  diagram.rooms = 2;
  add_side(diagram, "a", 0);
  add_side(diagram, "b", 1);
  diagram.loads = {{"rack", {"pdu_out_a", "pdu_out_b"}}, {"pump", {"ups_out_a"}}, {"chiller", {"low_b"}}};
  return diagram;
}

Branch& branch(OneLineDiagram& diagram, const std::string& name) {
  return *std::find_if(diagram.branches.begin(), diagram.branches.end(),
                       [&](const Branch& b) { return b.name == name; });
}

std::vector<std::string> messages(const OneLineDiagram& diagram, Severity severity) {
  std::vector<std::string> found;
  for (const Finding& finding : check(diagram)) {
    if (finding.severity == severity) found.push_back(finding.message);
  }
  return found;
}

std::vector<std::string> errors(const OneLineDiagram& diagram) { return messages(diagram, Severity::error); }

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("a sound 2N diagram passes the check", "[one_line]") { CHECK(check(two_sides()).empty()); }

TEST_CASE("names that do not resolve are all reported at once", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  branch(diagram, "pdu_a").to = "pdu_exit_a";
  diagram.loads[1].buses = {"ups_out_c"};
  diagram.sources[0].bus = "fed_a";
  CHECK(errors(diagram) == Messages{"'pdu_a' leads to bus 'pdu_exit_a', which does not exist",
                                    "'utility_a' feeds bus 'fed_a', which does not exist",
                                    "'pump' is fed by bus 'ups_out_c', which does not exist"});
}

TEST_CASE("a rack on a PDU that does not exist is reported", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  diagram.loads[0].buses[1] = "pdu_out_c";
  CHECK(errors(diagram) == Messages{"'rack' is fed by bus 'pdu_out_c', which does not exist"});
}

TEST_CASE("names used twice, missing cords, rooms and modules are reported", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  diagram.loads[1].name = "ups_a";
  diagram.loads[2].buses.clear();
  branch(diagram, "pdu_b").room = 2;
  branch(diagram, "ups_b").modules = 0;
  CHECK(errors(diagram) == Messages{"the name 'ups_a' belongs to a UPS and to a load",
                                    "'pdu_b' is in room 2, but there are 2 rooms",
                                    "'ups_b' has 0 modules, needs at least 1", "'chiller' has 0 cords, needs 1 or 2"});
}

TEST_CASE("a UPS fed by nothing is reported with all that hangs behind it", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  branch(diagram, "transformer_a").to = "low_b";
  branch(diagram, "transformer_a").normally_closed = false;
  CHECK(errors(diagram) == Messages{"no source reaches UPS 'ups_a': nothing feeds bus 'low_a'",
                                    "no source reaches 'rack': nothing feeds bus 'pdu_out_a'",
                                    "no source reaches 'pump': nothing feeds bus 'ups_out_a'"});
}

TEST_CASE("branches in a circle are reported together", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  diagram.branches.push_back({.name = "tie", .from = "pdu_out_a", .to = "low_a", .equipment = breaker});
  diagram.branches.push_back({.name = "loop", .from = "feed_b", .to = "feed_b", .equipment = breaker});
  CHECK(errors(diagram) ==
        Messages{"power goes in a circle through 'pdu_a', 'ups_a', 'tie'", "power goes in a circle through 'loop'"});
}

TEST_CASE("a bus fed twice in the normal position is reported with both feeds", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  diagram.sources[1].normally_live = true;
  branch(diagram, "generator_breaker_a").normally_closed = true;
  CHECK(errors(diagram) == Messages{"in the normal position bus 'main_a' is fed by 'utility_breaker_a', "
                                    "'generator_breaker_a' at once"});
}

TEST_CASE("both cords on one side are reported with what they share", "[one_line]") {
  OneLineDiagram same_bus = two_sides();
  same_bus.loads[0].buses = {"pdu_out_a", "pdu_out_a"};
  CHECK(errors(same_bus) == Messages{"both cords of 'rack' are on one side: bus 'pdu_out_a'"});

  OneLineDiagram same_ups = two_sides();
  same_ups.loads[0].buses = {"pdu_out_a", "ups_out_a"};
  CHECK(errors(same_ups) == Messages{"both cords of 'rack' are on one side: behind UPS 'ups_a'"});
}

TEST_CASE("branches to no load and loads dead in the normal position are warned of", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  diagram.loads[0].buses = {"pdu_out_b"};
  diagram.loads.push_back({"standby_heater", {"generator_bus_a"}});
  CHECK(errors(diagram).empty());
  CHECK(messages(diagram, Severity::warning) ==
        Messages{"PDU 'pdu_a' leads to no load", "'standby_heater' is dead in the normal position"});
}

TEST_CASE("a faulty diagram is not built", "[one_line]") {
  OneLineDiagram diagram = two_sides();
  diagram.loads[0].buses = {"nowhere"};
  CHECK_THROWS_AS(build_power_tree(diagram), wattloop::InputError);
}

TEST_CASE("the tree puts branches after those that feed them and levels in declared order", "[power_tree]") {
  const PowerTree tree = build_power_tree(two_sides());
  CHECK(tree.branch_name == Messages{"utility_breaker_a", "generator_breaker_a", "utility_breaker_b",
                                     "generator_breaker_b", "transformer_a", "transformer_b", "ups_a", "ups_b", "pdu_a",
                                     "pdu_b"});
  CHECK(tree.load_name == Messages{"rack", "pump", "chiller"});
  const std::size_t main = tree.branch_to[*find_branch(tree, "generator_breaker_a")];
  REQUIRE(tree.infeed_begin[main + 1] - tree.infeed_begin[main] == 2);
  CHECK(tree.branch_name[tree.infeed[tree.infeed_begin[main]]] == "utility_breaker_a");
  CHECK(tree.branch_battery_j[*find_branch(tree, "ups_a")] == Approx(60.0 * 1.03 * 500e3));
  CHECK_FALSE(find_load(tree, "rack_2").has_value());
}
