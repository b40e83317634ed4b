// Parts in columns: what they do reaches the sinks they are connected to, derivatives are those of their equations, and what
// they remember changes nothing.
#include "tests/support/catch.hpp"
#include "tests/support/halls/toy_part.hpp"
#include "twin/parts/part_set_of.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ToyFan;

namespace {

constexpr ToyFan::Params params{.full_w = 1000.0, .lag_s = 5.0, .sensor_lag_s = 10.0};

/// Signals: coil 300 K and 2 kg/s, speed 0.5, sensor 305 K, order 1, outside 290 K, room 295 K, leaving 304 K, set-point 303 K.
const std::vector<double> signals{300.0, 2.0, 0.5, 305.0, 1.0, 290.0, 295.0, 304.0, 303.0};

/// A fan that sees signals from `shift` on; sinks count like `Effect`.
void add_fan(PartSet& set, double specific_heat_j_per_kg_k) {
  const ToyFan::Now seen{.coil = {0, 1, specific_heat_j_per_kg_k},
                         .state = numbered<ToyFan::State>(2),
                         .motor = {4},
                         .outside = {5},
                         .room = {6},
                         .leaving_k = 7,
                         .set_point_k = 8};
  const auto from = numbers_in(seen);
  const auto to = numbers_in(numbered<ToyFan::Effect>());
  const auto shown = numbers_in(ToyFan::Shown{.noise_pa = 1});
  set.add({.name = "toy_fan", .params = params, .seen = from, .done = to, .shown = shown});
}

/// Derivatives by sink and signal.
struct Derivatives final : JacobianSink {
  std::vector<std::vector<double>> of = std::vector(6, std::vector<double>(signals.size()));
  void add(std::size_t sink, std::size_t signal, double derivative) override { of[sink][signal] += derivative; }
};

std::vector<double> sinks_of(const PartSet& set, std::span<const double> now, std::span<double> memory) {
  std::vector<double> sinks(6);
  set.evaluate(now, sinks, memory);
  return sinks;
}

}  // namespace

TEST_CASE("a member reports by a struct of 0, 1, 2, ... which number it is", "[parts]") {
  CHECK(number_count<ToyFan::Now> == 10);
  CHECK(numbers_of(&ToyFan::Now::state).first == 3);
  CHECK(numbers_of(&ToyFan::Now::state).count == 2);
  CHECK(numbers_of(&ToyFan::Now::set_point_k).first == 9);
  CHECK(slot_of(40, &ToyFan::State::sensor_k) == 41);
  CHECK(state_info<ToyFan>(&ToyFan::State::sensor_k).name == "sensor_temperature");
  CHECK(typical_state<ToyFan>().sensor_k == 300.0);
  CHECK(setting_info<ToyFan>(&ToyFan::Now::set_point_k).name == "leaving_temperature");
  CHECK_THROWS_WITH(setting_info<ToyFan>(&ToyFan::Now::leaving_k), "no setting of kind 'toy_fan'");
}

TEST_CASE("what parts do is added to the sinks that they are connected to", "[parts]") {
  PartSetOf<ToyFan> set;
  add_fan(set, 4000.0);
  add_fan(set, 1000.0);  // the same, of another fluid
  std::vector<double> memory = set.make_memory();
  const double heat_w = 0.5 * 2.0 * (4000.0 + 1000.0) * 10.0, fan_w = 2 * 250.0, to_room_w = 0.1 * fan_w + 2 * 20.0;
  const std::vector<double> expected{
      2 * (2.0 - 0.5) / 5.0, 2 * (304.0 - 305.0) / 10.0, fan_w, -heat_w, heat_w + fan_w - to_room_w, to_room_w};
  const std::vector<double> sinks = sinks_of(set, signals, memory);
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(sinks[k] == Approx(expected[k]).epsilon(1e-12));
}

TEST_CASE("derivatives of parts are those of their equations", "[parts]") {
  PartSetOf<ToyFan> set;
  add_fan(set, 4000.0);
  Derivatives derivatives;
  set.differentiate(signals, derivatives);
  std::vector<std::vector<double>> expected(6, std::vector<double>(signals.size()));
  expected[0] = {0, 0, -1 / 5.0, 1 / 5.0, 2.0 / 5.0, 0, 0, 0, -1 / 5.0};
  expected[1] = {0, 0, 0, -1 / 10.0, 0, 0, 0, 1 / 10.0, 0};
  expected[2] = {0, 0, 1000.0, 0, 0, 0, 0, 0, 0};
  expected[3] = {-4000.0, -20000.0, 0, 0, 0, 4000.0, 0, 0, 0};
  expected[4] = {4000.0, 20000.0, 900.0, -2.0, 0, -4000.0, 2.0, 0, 0};
  expected[5] = {0, 0, 100.0, 2.0, 0, 0, -2.0, 0, 0};
  for (std::size_t sink = 0; sink < 6; ++sink) {
    for (std::size_t signal = 0; signal < signals.size(); ++signal) {
      INFO("d(sink " << sink << ") / d(signal " << signal << ")");
      CHECK(derivatives.of[sink][signal] == Approx(expected[sink][signal]).epsilon(1e-7).margin(1e-7));
    }
  }
}

TEST_CASE("what parts remember changes nothing, and is forgotten when what it follows from moves", "[parts]") {
  PartSetOf<ToyFan> set;
  add_fan(set, 4000.0);
  std::vector<double> used = set.make_memory();
  CHECK(used.size() == 2);  // the flow and the cached number; the specific heat is given
  std::vector<double> now = signals;
  for (const double flow_kg_per_s : {2.0, 2.0, 3.0, 0.0, 2.0}) {
    now[1] = flow_kg_per_s;
    std::vector<double> fresh = set.make_memory();
    CHECK(sinks_of(set, now, used) == sinks_of(set, now, fresh));
  }
}

TEST_CASE("columns and ratings of parts are those of their header", "[parts]") {
  PartSetOf<ToyFan> set;
  add_fan(set, 4000.0);
  add_fan(set, 1000.0);
  REQUIRE(set.names().size() == 2);
  CHECK(set.names()[1] == "toy_fan");
  const std::vector<double> sinks{0.0, 0.0, 77.0, 0.0, 0.0, 0.0};
  const ReadPlant from{signals, sinks};
  const std::vector<double> expected{0.5, 2.0, 77.0};  // speed, what stands at signal 1, what the motor's load drew
  for (std::size_t column = 0; column < expected.size(); ++column) {
    std::vector<double> filled(2);
    set.fill_column(column, from, filled);
    CHECK(filled == std::vector(2, expected[column]));
    CHECK(set.column_of(1, column, from) == expected[column]);
  }
  CHECK(set.rated_w(0, 0) == 1000.0);
}

TEST_CASE("a part of a kind that is reported has a name", "[parts]") {
  PartSetOf<tests::ToyGauge> set;
  const std::vector<double> seen{3}, load{2};
  CHECK_THROWS_WITH(set.add({.params = tests::ToyGauge::Params{}, .seen = seen, .done = load}),
                    "a part of kind 'toy_gauge' has no name for the results");
}

TEST_CASE("what is watched is the expression of the header, for all parts", "[parts]") {
  PartSetOf<tests::ToyGauge> set;
  const std::vector<double> first{3}, second{4}, load{2};
  set.add({.name = "a", .params = tests::ToyGauge::Params{}, .seen = first, .done = load});
  set.add({.name = "b", .params = tests::ToyGauge::Params{}, .seen = second, .done = load});
  std::vector<double> walls_k(2);
  set.fill_watched(0, {signals, std::vector<double>(6)}, walls_k);
  CHECK(walls_k == std::vector{305.0, 1.0});
}
