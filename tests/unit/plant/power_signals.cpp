// Electric values as signals: parts see buses and loads as switching and the power tree leave them, in the same evaluation.
#include "twin/plant/snapshot/power_signals.hpp"

#include <memory>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/toy_vent.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/parts/part_set_of.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ToyVent;

namespace {

constexpr double per_k = 1e-3;

struct Hall {
  Plant plant = build_plant(tests::one_rack_scenario());
  std::size_t bus = 0, load = 0, node = 0, outside = 0;
  std::unique_ptr<PartSet> vents;
  PlantState state;

  Hall() {
    const electrical::PowerTree& tree = plant.power_tree;
    bus = static_cast<std::size_t>(tree.branch_to[*electrical::find_branch(tree, "transformer_a")]);
    load = plant.it.racks.front().load;
    node = plant.rooms.front().node;
    const auto set_point = std::ranges::find(plant.input_names, "loop_1.supply_temperature");
    outside = plant.map.input(static_cast<std::size_t>(set_point - plant.input_names.begin()));
    plant.power_tree.bus_voltage_v[bus] = 400.0;
    vents = std::make_unique<PartSetOf<ToyVent>>();
    const double room = static_cast<double>(plant.nodes[node].temperature_signal);
    const auto seen = numbers_in(ToyVent::Now{.bus = bus_at(plant.map, bus),
                                              .damper = live_of_load(plant.map, load),
                                              .room = {room},
                                              .outside = {static_cast<double>(outside)}});
    const auto done = numbers_in(ToyVent::Effect{.room = {static_cast<double>(plant.nodes[node].heat_sink)},
                                                 .outside = {static_cast<double>(plant.meters.outdoors)}});
    vents->add({.name = "vent", .params = ToyVent::Params{per_k}, .seen = seen, .done = done});
    state = initial_state(plant);
  }

  Evaluation evaluated() const {
    Evaluation evaluation(plant);
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
    std::vector<double> rates(plant.map.state_count);
    evaluate(plant, state.switches, state.states, evaluation, rates);
    return evaluation;
  }

  /// The same with the vent in the plant.
  Evaluation evaluated_with_vent() {
    plant.components.push_back(std::move(vents));
    Evaluation evaluation = evaluated();
    vents = std::move(plant.components.back());
    plant.components.pop_back();
    return evaluation;
  }

  void lose_feed() {
    state.switches.source_live.assign(state.switches.source_live.size(), 0);
    state.switches.battery_ready.assign(state.switches.battery_ready.size(), 0);
    electrical::energise(plant.power_tree, state.switches);
  }

  std::vector<double> reported(const Evaluation& now) const {
    std::vector<double> values;
    for (std::size_t c = 0; c < ToyVent::columns().size(); ++c)
      values.push_back(vents->column_of(0, c, {now.signals, now.sinks}));
    return values;
  }
};

struct Derivatives final : JacobianSink {
  std::vector<std::size_t> signals;
  void add(std::size_t, std::size_t signal, double) override { signals.push_back(signal); }
};

}  // namespace

TEST_CASE("a part that sees a bus is evaluated behind the power tree, in the same evaluation", "[power_signals]") {
  Hall hall;
  const Evaluation without = hall.evaluated(), with = hall.evaluated_with_vent();
  const double bus_w = without.power.bus_w[hall.bus];
  REQUIRE(bus_w > 1e3);
  const std::size_t sink = hall.plant.nodes[hall.node].heat_sink;
  const double room_k = with.signals[hall.plant.nodes[hall.node].temperature_signal];
  const double outside_k = with.signals[hall.outside];
  REQUIRE(room_k != outside_k);
  CHECK(with.sinks[sink] - without.sinks[sink] == Approx(-per_k * bus_w * (room_k - outside_k)).epsilon(1e-9));
  CHECK(with.power.bus_w == without.power.bus_w);
}

TEST_CASE("buses and loads are reported as switching and the power tree leave them", "[power_signals]") {
  Hall hall;
  const Evaluation live = hall.evaluated();
  CHECK(hall.reported(live) == std::vector{live.power.bus_w[hall.bus], 400.0, 1.0});
  for (std::size_t bus = 0; bus < hall.plant.map.bus_count; ++bus) {
    CHECK(live.signals[hall.plant.map.bus_power(bus)] == live.power.bus_w[bus]);
    CHECK(live.signals[hall.plant.map.bus_live(bus)] == 1.0);
    CHECK(live.signals[hall.plant.map.bus_voltage(bus)] == (bus == hall.bus ? 400.0 : 0.0));
  }
  hall.lose_feed();
  const Evaluation dead = hall.evaluated();
  CHECK(hall.reported(dead) == std::vector{0.0, 0.0, 0.0});
  CHECK(dead.signals[static_cast<std::size_t>(live_of_bus(hall.plant.map, hall.bus).live_fraction)] == 0.0);
}

TEST_CASE("each electric value has a signal of its own, behind the inputs", "[power_signals]") {
  const Hall hall;
  const SignalMap& map = hall.plant.map;
  std::vector<int> times(map.signal_count(), 0);
  for (std::size_t bus = 0; bus < map.bus_count; ++bus) {
    ++times[map.bus_live(bus)];
    ++times[map.bus_voltage(bus)];
    ++times[map.bus_power(bus)];
  }
  for (std::size_t load = 0; load < map.load_count; ++load) ++times[map.load_served(load)];
  for (std::size_t signal = 0; signal < times.size(); ++signal)
    CHECK(times[signal] == (signal > map.input(map.input_count - 1) ? 1 : 0));
}

TEST_CASE("derivatives leave out what switching and the power tree decide", "[power_signals]") {
  const Hall hall;
  const Evaluation now = hall.evaluated();
  Derivatives derivatives;
  hall.vents->differentiate(now.signals, derivatives);
  CHECK(derivatives.signals.size() == 4);  // room and outside, for both heats
  for (const std::size_t signal : derivatives.signals) CHECK(signal < hall.plant.map.power(0));
}
