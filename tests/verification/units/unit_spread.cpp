// GPUs that differ by classes: their statistics against the declared spread, and their steps against Runge-Kutta on the rates of
// the plain model, each unit's parameters and flow scaled here by hand.
//
// Of a class's statistics theirs is the definition: mean 1, deviation as declared. Of steps: the ordinary differential equation of
// physics/units/cold_plate.hpp at 5 ms by Runge-Kutta 4, whose own error is below 1e-9 K; the step's is that of its second order.
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tests/support/by_hand/unit_params.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/units/catalog.hpp"
#include "twin/units/unit_classes.hpp"
#include "twin/units/varied_propagation.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using physics::ColdPlate;
using physics::HeatSink;
using physics::ImmersionTank;

namespace {

constexpr UnitSpread declared{.resistance_ratio = 0.07, .flow_ratio = 0.05, .leakage_ratio = 0.10};

std::vector<Station> stations_of(std::initializer_list<std::size_t> counts) {
  std::vector<Station> stations;
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    stations.push_back({first, count, 0, {}});
    first += count;
  }
  return stations;
}

std::vector<Station> hall() {
  std::vector<Station> stations;
  for (std::size_t rack = 0; rack < 160; ++rack) stations.push_back({64 * rack, 64, 0, {}});
  return stations;
}

struct Deviation {
  double mean, deviation;
};

Deviation statistics(const UnitClasses& classes, double UnitVariation::*ratio) {
  double sum = 0.0, squares = 0.0;
  for (const std::uint8_t k : classes.class_of_unit) sum += classes.variations[k].*ratio;
  const double mean = sum / static_cast<double>(classes.class_of_unit.size());
  for (const std::uint8_t k : classes.class_of_unit) squares += std::pow(classes.variations[k].*ratio - mean, 2);
  return {mean, std::sqrt(squares / static_cast<double>(classes.class_of_unit.size()))};
}

/// As the class says, without the code that makes its parameters: flow is scaled in the port, by the caller.
ColdPlate::Params by_hand(ColdPlate::Params p, const UnitVariation& variation) {
  p.die_to_plate_w_per_k = 1.0 / (variation.resistance_ratio / p.die_to_plate_w_per_k);
  p.spreading_k_per_w *= variation.resistance_ratio;
  p.leakage_w_per_k *= variation.leakage_ratio;
  return p;
}

ImmersionTank::Params by_hand(ImmersionTank::Params p, const UnitVariation& variation) {
  p.die_to_fluid_w_per_k /= variation.resistance_ratio;
  p.leakage_w_per_k *= variation.leakage_ratio;
  return p;
}

HeatSink::Params by_hand(HeatSink::Params p, const UnitVariation& variation) {
  p.die_to_sink_w_per_k /= variation.resistance_ratio;
  p.leakage_w_per_k *= variation.leakage_ratio;
  return p;
}

template <class Model>
typename Model::Params mean_params() {
  auto p = tests::params_of(Model{});
  if constexpr (std::is_same_v<Model, ColdPlate>) {
    p.spreading_k_per_w = 0.0151;
    p.has_uniform_heat_flux = true;
  }
  return p;
}

struct UnitByHand {
  std::array<double, 2> state;
  double drawn_j = 0.0, given_j = 0.0;
};

/// A second with an inlet that goes from one temperature to another.
template <class Model>
UnitByHand runge_kutta(const typename Model::Params& p, UnitByHand unit, PortNow port, double end_k, double load_w) {
  constexpr int steps = 200;
  constexpr double h = 1.0 / steps;
  const double begin_k = port.temperature_k;
  using Four = std::array<double, 4>;
  const auto slope = [&](double t, const Four& y) {
    port.temperature_k = begin_k + t * (end_k - begin_k);
    const auto rates = Model::rates(p, {{y[0], y[1]}, {port}, load_w});
    return Four{rates.rate[0], rates.rate[1], rates.power_w, rates.heat_w[0]};
  };
  const auto moved = [](Four y, double by, const Four& along) {
    for (std::size_t k = 0; k < 4; ++k) y[k] += by * along[k];
    return y;
  };
  Four y{unit.state[0], unit.state[1], 0.0, 0.0};
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Four a = slope(t, y), b = slope(t + h / 2, moved(y, h / 2, a)), c = slope(t + h / 2, moved(y, h / 2, b)),
               d = slope(t + h, moved(y, h, c));
    for (std::size_t k = 0; k < 4; ++k) y[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return {{y[0], y[1]}, y[2], y[3]};
}

}  // namespace

TEST_CASE("classes have the declared spread, and a hall the mean of its device", "[unit_spread]") {
  for (const std::uint64_t seed : {1u, 2u, 77u}) {
    const UnitClasses classes = make_unit_classes(declared, seed, hall());
    REQUIRE(classes.class_of_unit.size() == 10240);
    for (const auto& [name, ratio, deviation] : {std::tuple{"resistance", &UnitVariation::resistance_ratio, 0.07},
                                                 {"flow", &UnitVariation::flow_ratio, 0.05},
                                                 {"leakage", &UnitVariation::leakage_ratio, 0.10}}) {
      INFO(name << ", seed " << seed);
      const Deviation found = statistics(classes, ratio);
      CHECK(found.mean == Approx(1.0).epsilon(1e-12));
      CHECK(found.deviation == Approx(deviation).epsilon(0.05));  // 640 pairs of eights drawn of four
      if (seed == 1) {
        tests::report_verification({std::string("10,240 GPUs by classes, ") + name, "closed form",
                                    "deviation over mean", found.deviation, deviation, 0.05 * deviation, "1"});
      }
    }
    for (std::size_t eight = 0; eight < 1280; ++eight) {
      double flow = 0.0;
      for (std::size_t lane = 0; lane < 8; ++lane)
        flow += classes.variations[classes.class_of_unit[8 * eight + lane]].flow_ratio;
      CHECK(flow == Approx(8.0).epsilon(1e-12));
    }
  }
}

TEST_CASE("the seed decides who is who, and nothing else does", "[unit_spread]") {
  const UnitClasses one = make_unit_classes(declared, 1, hall()), again = make_unit_classes(declared, 1, hall()),
                    other = make_unit_classes(declared, 2, hall());
  CHECK(one.class_of_unit == again.class_of_unit);
  CHECK(one.class_of_unit != other.class_of_unit);
  for (std::size_t k = 0; k < one.variations.size(); ++k) {
    CHECK(one.variations[k].resistance_ratio == again.variations[k].resistance_ratio);
  }
  CHECK(std::set(one.class_of_unit.begin(), one.class_of_unit.end()).size() == 64);
}

TEST_CASE("without a spread there are no classes, and ratios of one change no bit", "[unit_spread]") {
  CHECK(make_unit_classes(UnitSpread::none(), 1, hall()).are_alike());
  const auto mean = mean_params<ColdPlate>();
  const auto same = ColdPlate::varied(mean, {});
  const UnitNow<2, 1> now{{331.7, 317.3}, {{{303.1, 0.0141, 3951.0}}}, 612.3};
  CHECK(ColdPlate::rates(same, now).rate == ColdPlate::rates(mean, now).rate);
}

TEST_CASE("a hall of any number of GPUs has the mean of its device, and leftovers are as it says", "[unit_spread]") {
  for (const auto& stations : {stations_of({1, 1, 1}), stations_of({4, 4}), stations_of({32, 32, 32}),
                               stations_of({12, 20, 8}), stations_of({8}), stations_of({24, 24, 24})}) {
    const UnitClasses classes = make_unit_classes(declared, 5, stations);
    CHECK(classes.class_of_unit.size() == stations.back().first_unit + stations.back().unit_count);
    for (const auto ratio :
         {&UnitVariation::resistance_ratio, &UnitVariation::flow_ratio, &UnitVariation::leakage_ratio}) {
      CHECK(statistics(classes, ratio).mean == Approx(1.0).epsilon(1e-12));
    }
  }
  const UnitClasses alone = make_unit_classes(declared, 5, stations_of({4}));
  for (const std::uint8_t k : alone.class_of_unit) CHECK(alone.variations[k].resistance_ratio == 1.0);
}

TEMPLATE_TEST_CASE("a second of units that differ is that of each by itself", "[unit_spread]", ColdPlate, ImmersionTank,
                   HeatSink) {
  using Model = TestType;
  const auto mean = mean_params<Model>();
  constexpr std::size_t count = 27;  // three eights and three left over
  const UnitClasses classes = make_unit_classes(declared, 3, stations_of({count, 5}));
  std::vector<typename Model::Params> params;
  for (const UnitVariation& variation : classes.variations) params.push_back(Model::varied(mean, variation));
  VariedPropagation<Model> propagation(params, classes);
  for (const bool has_idle_unit : {false, true}) {
    std::vector<double> states(2 * count), load_w(count), power_w(count);
    for (std::size_t unit = 0; unit < count; ++unit) {
      states[unit] = 330.0 + static_cast<double>(unit % 7);
      states[count + unit] = 312.0 - static_cast<double>(unit % 5);
      load_w[unit] = 400.0 + 10.0 * static_cast<double>(unit);
    }
    if (has_idle_unit) load_w[4] = 0.0;
    const std::vector<double> before = states;
    const std::array begin{PortNow{305.0, 0.0141, 3951.0}}, end{PortNow{305.4, 0.0141, 3951.0}};
    const UnitYield yield = propagation.advance({1.0, begin, end, load_w}, {states.data(), count, count}, power_w);
    double drawn_j = 0.0, given_j = 0.0, stored_j = 0.0;
    for (std::size_t unit = 0; unit < count; ++unit) {
      const UnitVariation& variation = classes.variations[classes.class_of_unit[unit]];
      PortNow port = begin[0];
      port.flow_kg_per_s *= variation.flow_ratio;
      const UnitByHand theirs = runge_kutta<Model>(by_hand(mean, variation), {{before[unit], before[count + unit]}},
                                                   port, end[0].temperature_k, load_w[unit]);
      INFO("unit " << unit);
      CHECK(std::abs(states[unit] - theirs.state[0]) < 2e-3);
      CHECK(std::abs(states[count + unit] - theirs.state[1]) < 2e-3);
      drawn_j += theirs.drawn_j;
      given_j += theirs.given_j;
      stored_j += Model::stored_energy_j(mean, {states[unit], states[count + unit]}) -
                  Model::stored_energy_j(mean, {before[unit], before[count + unit]});
    }
    CHECK(yield.energy_j == Approx(drawn_j).epsilon(1e-5));
    CHECK(yield.heat_j[0] == Approx(given_j).epsilon(1e-4));
    CHECK(yield.energy_j - yield.heat_j[0] == Approx(stored_j).margin(1e-8 * yield.energy_j));
  }
}
