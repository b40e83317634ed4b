// Steps of affine models, composed into one map, against the same steps taken stage by stage: a model that does not say that it is
// affine goes that way. States, heat, power and energy of stations of any size, with ramps of inlets and flows.

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/by_hand/unit_params.hpp"
#include "tests/support/catch.hpp"
#include "twin/units/exponential_propagation.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// The same model, which keeps to itself that it is affine.
template <class Model>
struct Reticent : Model {
  static constexpr bool is_affine_at_given_flows = false;
};

using tests::params_of;

template <class Model>
using Ports = std::array<PortNow, Model::ports.size()>;

/// Units of one station, all it is reported and all it reports.
template <class Model>
struct PlainStation {
  Ports<Model> begin, end;
  std::vector<double> states, load_w, power_w;
  UnitYield yield;
  DieDigest digest;

  std::size_t count() const { return load_w.size(); }

  UnitStep step(double duration_s) {
    return {.sample = {duration_s, begin, end, load_w},
            .units = {states.data(), count(), count()},
            .begin_power_w = power_w.data(),
            .yield = &yield,
            .digest = &digest};
  }
};

template <class Model>
PlainStation<Model> random_station(std::size_t units, bool are_flows_moving, std::mt19937_64& random) {
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  PlainStation<Model> station;
  for (std::size_t p = 0; p < Model::ports.size(); ++p) {
    const double flow_kg_per_s = between(0.01, 0.2),
                 specific_heat = Model::ports[p] == Medium::liquid ? 3900.0 : 1006.0;
    station.begin[p] = {between(290.0, 320.0), flow_kg_per_s, specific_heat};
    station.end[p] = {between(290.0, 320.0), flow_kg_per_s * (are_flows_moving ? between(0.9, 1.1) : 1.0),
                      specific_heat};
  }
  for (std::size_t k = 0; k < units * Model::states.size(); ++k) station.states.push_back(between(300.0, 360.0));
  for (std::size_t k = 0; k < units; ++k) station.load_w.push_back(between(50.0, 700.0));
  station.power_w.resize(units);
  return station;
}

}  // namespace

TEMPLATE_TEST_CASE("an affine step is the step in stages", "[propagation][affine]", physics::ColdPlate,
                   physics::NodeRest, physics::HeatSink) {
  static_assert(AffineUnitModel<TestType> && !AffineUnitModel<Reticent<TestType>>);
  constexpr std::size_t state_count = TestType::states.size();
  std::mt19937_64 random(20);
  ExponentialPropagation<TestType> at_once(params_of(TestType{}));
  ExponentialPropagation<Reticent<TestType>> in_stages(params_of(TestType{}));
  for (const std::size_t units : {1, 7, 8, 13, 64}) {
    for (const bool are_flows_moving : {false, true}) {
      for (const double duration_s : {0.25, 1.0, 15.0}) {
        INFO(units << " units, " << duration_s << " s, flows " << (are_flows_moving ? "moving" : "standing"));
        PlainStation<TestType> a = random_station<TestType>(units, are_flows_moving, random), b = a;
        const UnitStep once[] = {a.step(duration_s)}, staged[] = {b.step(duration_s)};
        at_once.advance(once);
        in_stages.advance(staged);
        double hottest_k = 0.0, coolest_k = 1e9, sum_k = 0.0;
        for (std::size_t k = 0; k < units * state_count; ++k) CHECK(a.states[k] == Approx(b.states[k]).epsilon(1e-13));
        for (std::size_t k = 0; k < units; ++k) {
          CHECK(a.power_w[k] == Approx(b.power_w[k]).epsilon(1e-12));
          hottest_k = std::max(hottest_k, a.states[k]);
          coolest_k = std::min(coolest_k, a.states[k]);
          sum_k += a.states[k];
        }
        const double scale_w = 700.0 * static_cast<double>(units);
        for (std::size_t p = 0; p < TestType::ports.size(); ++p) {
          CHECK(a.yield.heat_j[p] == Approx(b.yield.heat_j[p]).margin(1e-12 * scale_w * duration_s));
        }
        CHECK(a.yield.energy_j == Approx(b.yield.energy_j).epsilon(1e-12));
        CHECK(a.yield.begin_power_w == Approx(b.yield.begin_power_w).epsilon(1e-12));
        CHECK(a.digest.hottest_k == hottest_k);
        CHECK(a.states[a.digest.hottest] == hottest_k);
        CHECK(a.digest.coolest_k == coolest_k);
        CHECK(a.digest.sum_k == Approx(sum_k).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("a station with a unit without load goes in stages, beside others that do not", "[propagation][affine]") {
  std::mt19937_64 random(21);
  ExponentialPropagation<physics::ColdPlate> propagation(params_of(physics::ColdPlate{}));
  ExponentialPropagation<Reticent<physics::ColdPlate>> in_stages(params_of(physics::ColdPlate{}));
  PlainStation<physics::ColdPlate> with = random_station<physics::ColdPlate>(16, false, random), without = with;
  without.load_w[5] = 0.0;
  PlainStation<physics::ColdPlate> with_again = with, without_again = without, third = with;
  const UnitStep steps[] = {with.step(1.0), without.step(1.0), third.step(1.0)};
  propagation.advance(steps);
  const UnitStep one[] = {with_again.step(1.0)}, other[] = {without_again.step(1.0)};
  in_stages.advance(one);
  in_stages.advance(other);
  CHECK(third.states == with.states);
  for (std::size_t k = 0; k < with.states.size(); ++k) {
    CHECK(with.states[k] == Approx(with_again.states[k]).epsilon(1e-13));
    CHECK(without.states[k] == Approx(without_again.states[k]).epsilon(1e-13));
  }
  CHECK(without.power_w[5] == 0.0);  // leakage stops with the load
}
