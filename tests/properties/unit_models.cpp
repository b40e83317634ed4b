// Promises of every unit model, over random parameters, states and inlets.
//
//   d(stored energy)/dt = power - sum of heat        for any state, port and load
//   df_i/dT_in >= 0, df_i/dT_j >= 0 for i != j       a warmer inlet never cools: by Kamke's theorem solutions
//                                                    of such a system keep their order
#include <array>
#include <cmath>
#include <random>

#include "physics/units/air_part.hpp"
#include "physics/units/cold_plate.hpp"
#include "physics/units/heat_sink.hpp"
#include "physics/units/node_rest.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;

namespace {

std::mt19937_64 engine;  // seeded at the start of every case
double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
/// Evenly over the decades.
double spread(double low, double high) { return low * std::pow(high / low, between(0.0, 1.0)); }

physics::ColdPlate::Params random_params(physics::ColdPlate) {
  physics::ColdPlate::Params p;
  p.die_heat_capacity_j_per_k = spread(20.0, 500.0);
  p.plate_heat_capacity_j_per_k = spread(50.0, 1000.0);
  p.die_to_plate_w_per_k = spread(5.0, 100.0);
  p.design_conductance_w_per_k = spread(5.0, 200.0);
  p.design_flow_kg_per_s = spread(0.003, 0.1);
  p.flow_exponent_ratio = between(0.0, 1.0);
  p.leakage_w_per_k = between(0.0, 4.0);
  p.spreading_k_per_w = spread(1e-3, 0.1);
  p.has_uniform_heat_flux = between(0.0, 1.0) > 0.5;
  return p;
}

physics::NodeRest::Params random_params(physics::NodeRest) {
  physics::NodeRest::Params p;
  p.capture_fraction = between(0.0, 1.0);
  p.liquid_heat_capacity_j_per_k = spread(100.0, 1e4);
  p.liquid_conductance_w_per_k = spread(5.0, 200.0);
  p.liquid_design_flow_kg_per_s = spread(0.003, 0.1);
  p.liquid_flow_exponent_ratio = between(0.0, 1.0);
  p.air_heat_capacity_j_per_k = spread(1e3, 1e5);
  p.air_conductance_w_per_k = spread(5.0, 500.0);
  p.air_design_flow_kg_per_s = spread(0.01, 1.0);
  p.air_flow_exponent_ratio = between(0.0, 1.0);
  return p;
}

physics::AirPart::Params random_params(physics::AirPart) {
  physics::AirPart::Params p;
  p.heat_capacity_j_per_k = spread(100.0, 1e5);
  p.conductance_w_per_k = spread(5.0, 500.0);
  p.design_flow_kg_per_s = spread(0.01, 1.0);
  p.flow_exponent_ratio = between(0.0, 1.0);
  return p;
}

physics::HeatSink::Params random_params(physics::HeatSink) {
  physics::HeatSink::Params p;
  p.die_heat_capacity_j_per_k = spread(5.0, 100.0);
  p.sink_heat_capacity_j_per_k = spread(100.0, 5000.0);
  p.die_to_sink_w_per_k = spread(5.0, 100.0);
  p.design_conductance_w_per_k = spread(5.0, 500.0);
  p.design_flow_kg_per_s = spread(0.01, 0.5);
  p.flow_exponent_ratio = between(0.0, 1.0);
  p.stream_gpus_ratio = between(1.0, 4.0);
  p.upstream_gpus_ratio = between(0.0, 3.0);
  p.leakage_w_per_k = between(0.0, 4.0);
  return p;
}

template <class Model>
using NowOf = UnitNow<Model::states.size(), Model::ports.size()>;

template <class Model>
NowOf<Model> random_now() {
  NowOf<Model> now;
  for (double& state : now.state) state = between(280.0, 400.0);
  for (std::size_t i = 0; i < Model::ports.size(); ++i) {
    const bool is_liquid = Model::ports[i] == Medium::liquid;
    double flow = spread(1e-6, 1.0);
    if (between(0.0, 1.0) < 0.1) flow = 0.0;
    if (between(0.0, 1.0) < 0.05) flow = -flow;  // a fault may drive a stream backwards
    now.port[i] = {between(280.0, 330.0), flow, is_liquid ? 3958.0 : 1006.0};
  }
  now.load_w = between(0.0, 1200.0);
  return now;
}

}  // namespace

TEMPLATE_TEST_CASE("what a unit draws is what it stores and gives away", "[units][conservation]", physics::ColdPlate,
                   physics::NodeRest, physics::AirPart, physics::HeatSink) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    engine.seed(seed);
    const auto p = random_params(TestType{});
    const NowOf<TestType> now = random_now<TestType>();
    const auto rates = TestType::rates(p, now);
    // stored energy along the rates, by a central difference
    auto before = now.state, after = now.state;
    constexpr double h = 1e-3;
    double scale_w = std::abs(rates.power_w) + 1.0, net_w = rates.power_w;
    for (std::size_t i = 0; i < before.size(); ++i) {
      before[i] -= h * rates.rate[i];
      after[i] += h * rates.rate[i];
    }
    for (double heat_w : rates.heat_w) {
      net_w -= heat_w;
      scale_w += std::abs(heat_w);
    }
    const double stored_w = (TestType::stored_energy_j(p, after) - TestType::stored_energy_j(p, before)) / (2.0 * h);
    const double round_off_w = 1e-15 * TestType::stored_energy_j(p, now.state) / h;
    INFO("seed " << seed);
    CHECK(std::abs(stored_w - net_w) <= 1e-11 * scale_w + round_off_w);
  }
}

TEMPLATE_TEST_CASE("a warmer inlet or neighbour never cools any part of a unit", "[units]", physics::ColdPlate,
                   physics::NodeRest, physics::AirPart, physics::HeatSink) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    engine.seed(seed);
    const auto p = random_params(TestType{});
    const NowOf<TestType> now = random_now<TestType>();
    const auto here = TestType::rates(p, now);
    INFO("seed " << seed);
    for (std::size_t port = 0; port < TestType::ports.size(); ++port) {
      NowOf<TestType> warmer = now;
      warmer.port[port].temperature_k += 5.0;
      const auto there = TestType::rates(p, warmer);
      CHECK(there.heat_w[port] <= here.heat_w[port]);
      for (std::size_t i = 0; i < TestType::states.size(); ++i) CHECK(there.rate[i] >= here.rate[i]);
    }
    for (std::size_t j = 0; j < TestType::states.size(); ++j) {
      NowOf<TestType> warmer = now;
      warmer.state[j] += 5.0;
      const auto there = TestType::rates(p, warmer);
      for (std::size_t i = 0; i < TestType::states.size(); ++i) {
        if (i != j) CHECK(there.rate[i] >= here.rate[i]);
      }
      for (std::size_t port = 0; port < TestType::ports.size(); ++port) CHECK(there.heat_w[port] >= here.heat_w[port]);
    }
    NowOf<TestType> busier = now;
    busier.load_w += 50.0;
    const auto there = TestType::rates(p, busier);
    for (std::size_t i = 0; i < TestType::states.size(); ++i) CHECK(there.rate[i] >= here.rate[i]);
  }
}

TEMPLATE_TEST_CASE("a unit's rates are finite and the same for the same question, at any flow", "[units]",
                   physics::ColdPlate, physics::NodeRest, physics::AirPart, physics::HeatSink) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    engine.seed(seed);
    const auto p = random_params(TestType{});
    NowOf<TestType> now = random_now<TestType>();
    for (double flow : {-1.0, -1e-300, 0.0, 1e-320, 1e-30, 1e-6, 1.0, 1e6}) {
      for (PortNow& port : now.port) port.flow_kg_per_s = flow;
      const auto rates = TestType::rates(p, now), again = TestType::rates(p, now);
      INFO("seed " << seed << ", flow " << flow);
      for (std::size_t i = 0; i < TestType::states.size(); ++i) {
        CHECK(std::isfinite(rates.rate[i]));
        CHECK(rates.rate[i] == again.rate[i]);
      }
      for (double heat_w : rates.heat_w) {
        CHECK(std::isfinite(heat_w));
        if (flow <= 0.0) CHECK(heat_w == 0.0);
      }
    }
  }
}

// The second difference of an affine function is none, in any direction.
TEMPLATE_TEST_CASE("a unit model that says so is affine at given flows while it has load", "[units][affine]",
                   physics::ColdPlate, physics::NodeRest, physics::AirPart, physics::HeatSink) {
  static_assert(AffineUnitModel<TestType>);
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    engine.seed(seed);
    const auto p = random_params(TestType{});
    NowOf<TestType> before = random_now<TestType>(), middle = before, after = before;
    const auto spread_out = [&](double& low, double& mean, double& high, double step) {
      low = mean - step;
      high = mean + step;
    };
    for (std::size_t s = 0; s < middle.state.size(); ++s) {
      spread_out(before.state[s], middle.state[s], after.state[s], between(-50.0, 50.0));
    }
    for (std::size_t i = 0; i < middle.port.size(); ++i) {
      spread_out(before.port[i].temperature_k, middle.port[i].temperature_k, after.port[i].temperature_k,
                 between(-20.0, 20.0));
    }
    middle.load_w = between(200.0, 1200.0);
    spread_out(before.load_w, middle.load_w, after.load_w, between(-199.0, 199.0));
    const auto low = TestType::rates(p, before), mean = TestType::rates(p, middle), high = TestType::rates(p, after);
    const auto is_straight = [](double a, double b, double c) {
      return std::abs(a - 2.0 * b + c) <= 1e-9 * (std::abs(a) + std::abs(c) + 1.0);
    };
    for (std::size_t s = 0; s < middle.state.size(); ++s) CHECK(is_straight(low.rate[s], mean.rate[s], high.rate[s]));
    for (std::size_t i = 0; i < middle.port.size(); ++i)
      CHECK(is_straight(low.heat_w[i], mean.heat_w[i], high.heat_w[i]));
    CHECK(is_straight(low.power_w, mean.power_w, high.power_w));
  }
}
