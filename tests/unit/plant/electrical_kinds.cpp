// What holds for every kind of electrical equipment, whatever it is. A new kind is held to it by being in the list.
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "electrical/electrical_catalog.hpp"
#include "electrical/one_line.hpp"
#include "electrical/passage.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/toy_line.hpp"
#include "tests/support/power_breaker.hpp"

using namespace wattloop;
using namespace wattloop::electrical;

namespace {

double random_in(double low, double high) {
  static std::mt19937 generator(1);
  return std::uniform_real_distribution(low, high)(generator);
}

/// Numbers between 0.2 and 0.8, whatever they mean.
template <class K>
typename K::Params random_params() {
  using Params = typename K::Params;
  Params params{};
  if constexpr (!std::is_empty_v<Params>) {
    for (const auto& field : Params::fields()) {
      if (const auto* number = std::get_if<0>(&field.member)) params.*(*number) = random_in(0.2, 0.8);
    }
  }
  return params;
}

template <class List>
struct WithToy;
template <class... Kinds>
struct WithToy<std::tuple<Kinds...>> {
  using type = std::tuple<tests::ToyLine, Kinds...>;
};
using AllPassages = WithToy<PassageKinds>::type;

template <class K>
double charger_w([[maybe_unused]] const typename K::Params& params) {
  if constexpr (HasBattery<K>) return recharge_w(K::battery(params).charger_w, random_in(0.9, 1.0));
  return 0.0;
}

/// One branch of a kind, with a load behind it.
OneLineDiagram one_branch(const Equipment& equipment, int modules) {
  return {.buses = {{"feed"}, {"end"}},
          .branches = {{.name = "branch", .from = "feed", .to = "end", .equipment = equipment, .modules = modules}},
          .sources = {{.name = "utility", .bus = "feed"}},
          .loads = {{.name = "load", .buses = {"end"}}}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("power into equipment is power out of it and heat, fed or on its battery",
                        "[electrical_kinds][conservation]", AllPassages) {
  INFO(TestType::kind);
  for (int trial = 0; trial < 400; ++trial) {
    const auto params = random_params<TestType>();
    const bool is_fed = trial % 2 == 0, feeds = trial % 4 < 2;
    const double out_w = random_in(0.0, 3.0);
    const Passage::Effect effect =
        Passage::effect(TestType::loss_curve(params), {.input = {is_fed ? 1.0 : 0.0},
                                                       .output = {feeds ? 1.0 : 0.0, out_w},
                                                       .battery = {charger_w<TestType>(params)}});
    const double in_w = effect.input.power_w + effect.battery.power_w, given_w = feeds ? out_w : 0.0;
    REQUIRE(std::isfinite(in_w));
    CHECK(std::abs(in_w - given_w - effect.room.heat_w) <= 1e-14 * (in_w + given_w));
    CHECK(effect.room.heat_w >= 0.0);
    if (!is_fed) CHECK(effect.input.power_w == 0.0);
    if (!is_fed && !feeds) CHECK(effect.room.heat_w == 0.0);
    if (is_fed) CHECK(effect.battery.power_w <= 0.0);
  }
}

TEMPLATE_LIST_TEST_CASE("the power tree is filled from the header of a kind", "[electrical_kinds]", PassageKinds) {
  INFO(TestType::kind);
  for (int trial = 0; trial < 20; ++trial) {
    const auto params = random_params<TestType>();
    const PowerTree tree = build_power_tree(one_branch(params, 3));
    CHECK(tree.branch_kind[0] == TestType::kind);
    CHECK(tree.branch_rated_w[0] == 3 * rated_w<TestType>(params));
    const SwitchState switches = normal_switch_state(tree);
    PowerFlow flow = make_power_flow(tree);
    const std::vector<double> load_w{random_in(0.0, 3.0)};
    evaluate(tree, load_w, switches, flow);
    const double loss = 3 * loss_w(TestType::loss_curve(params), load_w[0] / 3);
    CHECK(flow.branch_loss_w[0] == Approx(loss).epsilon(1e-12));
    CHECK(flow.source_w[0] == Approx(load_w[0] + loss).epsilon(1e-12));
    if constexpr (HasBattery<TestType>) {
      CHECK(tree.branch_battery_j[0] == Approx(3 * TestType::battery(params).energy_j).epsilon(1e-14));
      CHECK(tree.branch_charger_w[0] == Approx(3 * TestType::battery(params).charger_w).epsilon(1e-14));
    } else {
      CHECK(tree.branch_battery_j[0] == 0.0);
      CHECK(tree.branch_charger_w[0] == 0.0);
    }
    for (const ReadingColumn& column : TestType::columns()) {
      if (column.name == "power") CHECK(column.value({flow, 0, 0.0}) == flow.branch_output_w[0]);
      if (column.name == "loss") CHECK(column.value({flow, 0, 0.0}) == flow.branch_loss_w[0]);
      if (column.name == "input_power") CHECK(column.value({flow, 0, 0.0}) == flow.branch_input_w[0]);
    }
  }
}

TEST_CASE("kinds of electrical equipment are found by name, and one that is not there is named", "[electrical_kinds]") {
  std::set<std::string_view> names;
  for (const ElectricalKind& kind : electrical_kinds()) {
    INFO(kind.name);
    CHECK(&electrical_kind(kind.name) == &kind);
    CHECK(kind.doc.ends_with("."));
    CHECK_FALSE(kind.plural.empty());
    CHECK(kind.is_source == kind.metered_under.empty());
    if (!kind.is_source) CHECK(electrical_kind(kind.metered_under).metered_under == kind.metered_under);
    names.insert(kind.name);
  }
  CHECK(names.size() == electrical_kinds().size());
  CHECK(electrical_kind("substation").metered_under == "transformer");
  CHECK_THROWS_WITH(electrical_kind("toy_line"), "kind 'toy_line' is not in the list, electrical/electrical_kinds.hpp");
}

TEST_CASE("ports of electrical equipment have names and media", "[electrical_kinds]") {
  const auto names_of = [](std::string_view kind) {
    std::vector<std::string_view> names;
    for (const PortOfKind& port : electrical_kind(kind).ports) {
      CHECK(port.medium == (port.name == "room" ? PortMedium::heat : PortMedium::electric));
      names.push_back(port.name);
    }
    return names;
  };
  using Names = std::vector<std::string_view>;
  CHECK(names_of("transformer") == Names{"input", "output", "room"});
  CHECK(names_of("ups") == Names{"input", "output", "room", "battery"});
  CHECK(names_of("generator") == Names{"output"});
}

TEST_CASE("kinds of electrical equipment that are reported in one table have the same columns", "[electrical_kinds]") {
  std::map<std::string_view, const ElectricalKind*> first_of;
  for (const ElectricalKind& kind : electrical_kinds()) {
    if (kind.columns.empty() || kind.name == UtilityFeed::kind) continue;  // a feed has a loading, and no table
    INFO(kind.name);
    CHECK_FALSE(kind.table.group.empty());
    const ElectricalKind& first = *first_of.try_emplace(kind.table.group, &kind).first->second;
    REQUIRE(kind.columns.size() == first.columns.size());
    CHECK(kind.table.item == first.table.item);
    for (std::size_t c = 0; c < kind.columns.size(); ++c) {
      CHECK(kind.columns[c].name == first.columns[c].name);
      CHECK(kind.columns[c].text == first.columns[c].text);
      CHECK(kind.columns[c].value == first.columns[c].value);
    }
  }
}

TEST_CASE("a bus has the voltage that is said of it, or of a feeder there", "[electrical_kinds]") {
  OneLineDiagram diagram = one_branch(Feeder::Params{.rated_w = 1e3, .voltage_v = 415.0, .resistance_ohm = 0.01}, 1);
  diagram.buses[0].voltage_v = 420.0;
  CHECK(build_power_tree(diagram).bus_voltage_v == std::vector{420.0, 415.0});
  CHECK(build_power_tree(one_branch(wattloop::tests::breaker_for(1e3), 1)).bus_voltage_v == std::vector{0.0, 0.0});
}
