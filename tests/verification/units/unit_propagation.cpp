// Units advanced sample by sample by exponential steps, against closed forms and fine Runge-Kutta steps.
//
//   linear unit, constant inlet:     two-mode exponential [incropera2011] ch. 5.1
//   exponential leakage, ramps:      Runge-Kutta 4 at 2 ms; the step's error falls by four when it is halved
//   energy drawn = heat given + change of stored energy, for any sample

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "physics/units/cold_plate.hpp"
#include "physics/units/immersion_tank.hpp"
#include "physics/units/node_rest.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/by_hand/unit_params.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/units/exponential_propagation.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using tests::params_of;

/// A die whose leakage grows exponentially, with nothing but `rates`.
struct LeakyDie {
  static constexpr std::string_view kind = "leaky_die";
  static constexpr std::string_view doc = "For tests: a cold plate with exponential leakage.";
  static constexpr std::array ports{Medium::liquid};
  static constexpr std::array states{StateInfo{"die", "K", 330.0, 1e-2}, StateInfo{"plate", "K", 310.0, 1e-2}};
  struct Params {
    double leakage_w = 100.0;  // at 330 K, 20 to 30 % of the power
    static constexpr auto fields() { return std::array<Field<Params>, 0>{}; }
  };
  static UnitRates<2, 1> rates(const Params& p, const UnitNow<2, 1>& now) noexcept {
    const auto& [die_k, plate_k] = now.state;
    const double capacity_w_per_k = now.port[0].flow_kg_per_s * now.port[0].specific_heat_j_per_kg_k;
    const double stream_w_per_k = capacity_w_per_k * -std::expm1(-45.0 / capacity_w_per_k);
    const double power_w = now.load_w + p.leakage_w * std::exp((die_k - 330.0) / 50.0);
    const double across_w = 40.0 * (die_k - plate_k);
    const double heat_w = stream_w_per_k * (plate_k - now.port[0].temperature_k);
    return {{(power_w - across_w) / 60.0, (across_w - heat_w) / 250.0}, {heat_w}, power_w};
  }
  static double stored_energy_j(const Params&, const std::array<double, 2>& state) noexcept {
    return 60.0 * state[0] + 250.0 * state[1];
  }
};
static_assert(UnitModel<LeakyDie> && !SharesConductances<LeakyDie>);
static_assert(SharesConductances<physics::ColdPlate> && SharesConductances<physics::NodeRest>);

LeakyDie::Params params_of(LeakyDie) { return {}; }

template <class Model>
using Inlets = std::array<PortNow, Model::ports.size()>;

/// Inlets that move by 3 K and a fifth of the flow in 8 s, at any time.
template <class Model>
Inlets<Model> ramped_inlets(double t_s) {
  Inlets<Model> inlets;
  for (std::size_t p = 0; p < inlets.size(); ++p) {
    const bool is_liquid = Model::ports[p] == Medium::liquid;
    const double flow = is_liquid ? 0.0175 : 0.15;
    inlets[p] = {300.0 + 3.0 / 8.0 * t_s, flow * (1.0 - 0.2 / 8.0 * t_s), is_liquid ? 3900.0 : 1006.0};
  }
  return inlets;
}

/// Heat of each port, then energy drawn.
template <class Model>
struct Propagated {
  std::array<double, Model::states.size()> state;
  std::array<double, Model::ports.size() + 1> energy_j{};
};

template <class Model>
Propagated<Model> runge_kutta(double load_w, double duration_s) {
  constexpr std::size_t states = Model::states.size(), ports = Model::ports.size();
  constexpr std::size_t size = states + ports + 1;
  using Vector = std::array<double, size>;
  const auto params = params_of(Model{});
  const auto rate_at = [&](double t_s, const Vector& y) {
    UnitNow<states, ports> now{};
    for (std::size_t s = 0; s < states; ++s) now.state[s] = y[s];
    now.port = ramped_inlets<Model>(t_s);
    now.load_w = load_w;
    const auto rates = Model::rates(params, now);
    Vector rate;
    for (std::size_t s = 0; s < states; ++s) rate[s] = rates.rate[s];
    for (std::size_t p = 0; p < ports; ++p) rate[states + p] = rates.heat_w[p];
    rate[states + ports] = rates.power_w;
    return rate;
  };
  const auto moved = [](const Vector& y, double by, const Vector& along) {
    Vector to;
    for (std::size_t k = 0; k < size; ++k) to[k] = y[k] + by * along[k];
    return to;
  };
  Vector y{};
  for (std::size_t s = 0; s < states; ++s) y[s] = Model::states[s].typical;
  const int steps = static_cast<int>(std::lround(duration_s / 0.002));
  const double h = duration_s / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Vector k1 = rate_at(t, y), k2 = rate_at(t + h / 2, moved(y, h / 2, k1));
    const Vector k3 = rate_at(t + h / 2, moved(y, h / 2, k2)), k4 = rate_at(t + h, moved(y, h, k3));
    for (std::size_t k = 0; k < size; ++k) y[k] += h / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]);
  }
  Propagated<Model> outcome;
  for (std::size_t s = 0; s < states; ++s) outcome.state[s] = y[s];
  for (std::size_t q = 0; q <= ports; ++q) outcome.energy_j[q] = y[states + q];
  return outcome;
}

template <class Model>
Propagated<Model> propagate(double load_w, double duration_s, int samples) {
  constexpr std::size_t states = Model::states.size();
  ExponentialPropagation<Model> propagation(params_of(Model{}));
  Propagated<Model> outcome;
  for (std::size_t s = 0; s < states; ++s) outcome.state[s] = Model::states[s].typical;
  const double h = duration_s / samples;
  for (int i = 0; i < samples; ++i) {
    const auto begin = ramped_inlets<Model>(i * h), end = ramped_inlets<Model>((i + 1) * h);
    const UnitYield yield = propagation.advance({h, begin, end, {&load_w, 1}}, {outcome.state.data(), 1, 1}, {});
    for (std::size_t p = 0; p < Model::ports.size(); ++p) outcome.energy_j[p] += yield.heat_j[p];
    outcome.energy_j.back() += yield.energy_j;
  }
  return outcome;
}

template <class Model>
double state_error_k(const Propagated<Model>& a, const Propagated<Model>& b) {
  double error_k = 0.0;
  for (std::size_t s = 0; s < a.state.size(); ++s) error_k = std::max(error_k, std::abs(a.state[s] - b.state[s]));
  return error_k;
}

template <class Model>
double energy_error_j(const Propagated<Model>& a, const Propagated<Model>& b) {
  double error_j = 0.0;
  for (std::size_t q = 0; q < a.energy_j.size(); ++q)
    error_j = std::max(error_j, std::abs(a.energy_j[q] - b.energy_j[q]));
  return error_j;
}

}  // namespace

// x' = A x + b with constant b: x(t) = rest + sum of two modes, written out here.
TEST_CASE("a cold plate at constant inlet follows the two-mode exponential", "[propagation]") {
  const auto p = params_of(physics::ColdPlate{});
  const double flow = 0.0160, cp = 3900.0, inlet_k = 305.0, load_w = 600.0;
  const double film = 45.0 * std::pow(flow / 0.0175, p.flow_exponent_ratio);
  const double g = flow * cp * (1.0 - std::exp(-film / (flow * cp)));
  const double a = (1.0 - 40.0) / 60.0, b = 40.0 / 60.0, c = 40.0 / 332.0, d = -(40.0 + g) / 332.0;
  const double u = (load_w - p.leakage_reference_k) / 60.0, v = g * inlet_k / 332.0;
  const double det = a * d - b * c;
  const std::array rest{(-d * u + b * v) / det, (c * u - a * v) / det};
  const double middle = 0.5 * (a + d), root = std::sqrt(middle * middle - det);
  const std::array rate{middle + root, middle - root};
  const std::array start{320.0 - rest[0], 310.0 - rest[1]};
  // modes (b, rate - a)
  const double w1 = (start[1] * b - start[0] * (rate[1] - a)) / (b * (rate[0] - rate[1]));
  const double w2 = start[0] / b - w1;

  ExponentialPropagation<physics::ColdPlate> propagation(p);
  const std::array inlets{PortNow{inlet_k, flow, cp}};
  std::array state{320.0, 310.0};
  double largest_k = 0.0;
  for (int second = 1; second <= 60; ++second) {
    propagation.advance({1.0, inlets, inlets, {&load_w, 1}}, {state.data(), 1, 1}, {});
    const double e1 = w1 * std::exp(rate[0] * second), e2 = w2 * std::exp(rate[1] * second);
    largest_k = std::max(largest_k, std::abs(state[0] - rest[0] - b * (e1 + e2)));
    largest_k = std::max(largest_k, std::abs(state[1] - rest[1] - (rate[0] - a) * e1 - (rate[1] - a) * e2));
  }
  INFO("largest error " << largest_k << " K");  // J is that of the middle of a class of flows, up to 0.8 % away
  CHECK(largest_k < 2e-3);
  CHECK(state[0] == Approx(rest[0]).margin(0.3));
}

// Two equal capacities, C dT_1/dt = P - G (T_1 - T_2), C dT_2/dt = G (T_1 - T_2) - g (T_2 - T_in): in steady state T_2 = T_in + P/g and
// T_1 = T_2 + P/G, and two modes. Steps of a second, as long as a thousand time constants or one.
TEST_CASE("units of 1 ms to 1 s follow the closed form over samples of a second, and steps of load", "[propagation]") {
  for (const double time_constant_s : {1e-3, 1e-2, 1e-1, 1.0}) {
    physics::ColdPlate::Params p = params_of(physics::ColdPlate{});
    p.leakage_w_per_k = 0.0;
    const std::array inlets{PortNow{305.0, p.design_flow_kg_per_s, 3900.0}};
    const double g = physics::ColdPlate::conductances_w_per_k(p, inlets)[0], across = p.die_to_plate_w_per_k;
    const double capacity = g * time_constant_s;
    p.die_heat_capacity_j_per_k = p.plate_heat_capacity_j_per_k = capacity;
    ExponentialPropagation<physics::ColdPlate> propagation(p);
    const double mean = -(across + 0.5 * g) / capacity, root = std::sqrt(across * across + 0.25 * g * g) / capacity;
    std::array state{305.0, 305.0};
    double given_j = 0.0, drawn_j = 0.0;
    for (int second = 0; second < 20; ++second) {
      const double load_w = second % 5 < 2 ? 700.0 : 300.0;
      const double plate_k = 305.0 + load_w / g, die_k = plate_k + load_w / across;
      const std::array off{state[0] - die_k, state[1] - plate_k};
      // e^(J t) off by Sylvester's formula
      const std::array slope{across / capacity * (off[1] - off[0]),
                             across / capacity * (off[0] - off[1]) - g / capacity * off[1]};
      const double fast = std::exp(mean - root), slow = std::exp(mean + root);
      std::array<double, 2> expected;
      for (std::size_t s = 0; s < 2; ++s) {
        const double along = (slow * (slope[s] - (mean - root) * off[s]) - fast * (slope[s] - (mean + root) * off[s]));
        expected[s] = (s == 0 ? die_k : plate_k) + along / (2.0 * root);
      }
      const UnitYield yield = propagation.advance({1.0, inlets, inlets, {&load_w, 1}}, {state.data(), 1, 1}, {});
      given_j += yield.heat_j[0];
      drawn_j += yield.energy_j;
      INFO("time constant " << time_constant_s << " s, second " << second);
      CHECK(state[0] ==
            Approx(expected[0]).epsilon(0.0).margin(0.02));  // J is that of a class of flows, up to 0.8 % away
      CHECK(state[1] == Approx(expected[1]).epsilon(0.0).margin(0.02));
    }
    const double stored_j = capacity * (state[0] + state[1] - 610.0);
    CHECK(drawn_j == Approx(given_j + stored_j).epsilon(1e-10));
  }
}

TEMPLATE_TEST_CASE("halving the sample divides a unit's error by four, with ramps of inlet and flow",
                   "[propagation][order]", LeakyDie, physics::ImmersionTank, physics::NodeRest) {
  const double load_w = 400.0, duration_s = 8.0;
  const auto exact = runge_kutta<TestType>(load_w, duration_s);
  std::array<double, 3> state_k, energy_j;
  for (int k = 0; k < 3; ++k) {
    const auto outcome = propagate<TestType>(load_w, duration_s, 16 << k);
    state_k[k] = state_error_k(outcome, exact);
    energy_j[k] = energy_error_j(outcome, exact);
  }
  INFO(TestType::kind << ": " << state_k[0] << " " << state_k[1] << " " << state_k[2] << " K, " << energy_j[0] << " "
                      << energy_j[1] << " " << energy_j[2] << " J");
  const auto at_1_s = propagate<TestType>(load_w, duration_s, 8);
  CHECK(state_error_k(at_1_s, exact) < 0.02);
  CHECK(energy_error_j(at_1_s, exact) < 1e-3 * exact.energy_j.back());
  for (int k = 0; k < 2; ++k) {
    if (state_k[k + 1] > 1e-7) CHECK(std::log2(state_k[k] / state_k[k + 1]) > 1.8);
    if (energy_j[k + 1] > 1e-4) CHECK(std::log2(energy_j[k] / energy_j[k + 1]) > 1.8);
  }
}

TEMPLATE_TEST_CASE("what units draw over a sample is what they give away and store, to rounding",
                   "[propagation][conservation]", LeakyDie, physics::ColdPlate, physics::ImmersionTank,
                   physics::NodeRest) {
  constexpr std::size_t states = TestType::states.size(), ports = TestType::ports.size(), count = 77;
  std::mt19937_64 engine(3);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const auto params = params_of(TestType{});
  ExponentialPropagation<TestType> propagation(params);
  for (int round = 0; round < 200; ++round) {
    std::array<PortNow, ports> begin, end;
    for (std::size_t p = 0; p < ports; ++p) {
      const double cp = TestType::ports[p] == Medium::liquid ? 3900.0 : 1006.0;
      begin[p] = {between(290.0, 315.0), between(0.002, 0.04), cp};
      end[p] = {between(290.0, 315.0), between(0.002, 0.04), cp};
    }
    std::vector<double> columns, load_w;
    for (std::size_t k = 0; k < states * count; ++k) columns.push_back(between(300.0, 370.0));
    for (std::size_t k = 0; k < count; ++k) load_w.push_back(k % 9 == 8 ? 0.0 : between(50.0, 700.0));
    const auto stored_j = [&] {
      double sum_j = 0.0;
      for (std::size_t u = 0; u < count; ++u) {
        std::array<double, states> state;
        for (std::size_t s = 0; s < states; ++s) state[s] = columns[s * count + u];
        sum_j += TestType::stored_energy_j(params, state);
      }
      return sum_j;
    };
    const double before_j = stored_j();
    const UnitYield yield =
        propagation.advance({between(0.1, 3.0), begin, end, load_w}, {columns.data(), count, count}, {});
    const double change_j = stored_j() - before_j;
    double given_j = 0.0;
    for (const double heat_j : yield.heat_j) given_j += heat_j;
    CHECK(std::abs(yield.energy_j - given_j - change_j) < 1e-12 * before_j);
  }
}

TEST_CASE("units advance the same whatever was advanced before, together or alone", "[propagation][determinism]") {
  const auto params = params_of(LeakyDie{});
  ExponentialPropagation<LeakyDie> fresh(params), used(params), alone(params);
  const std::vector<double> load_w(100, 420.0);
  const std::array begin{PortNow{301.0, 0.0171, 3900.0}}, end{PortNow{302.0, 0.0165, 3900.0}};
  for (double flow = 0.001; flow < 0.1; flow *= 1.1) {
    std::vector<double> other(200, 350.0);
    const std::array inlets{PortNow{310.0, flow, 3900.0}};
    used.advance({0.7, inlets, inlets, load_w}, {other.data(), 100, 100}, {});
  }
  std::vector<double> first(200, 340.0), second(200, 340.0), single(2, 340.0);
  fresh.advance({1.0, begin, end, load_w}, {first.data(), 100, 100}, {});
  used.advance({1.0, begin, end, load_w}, {second.data(), 100, 100}, {});
  alone.advance({1.0, begin, end, {load_w.data(), 1}}, {single.data(), 1, 1}, {});
  CHECK(first == second);
  CHECK(first[17] == single[0]);
}

TEST_CASE("a sample of a known class allocates nothing", "[propagation][allocation]") {
  ExponentialPropagation<LeakyDie> propagation(params_of(LeakyDie{}));
  std::vector<double> columns(200, 340.0), power_w(100);
  const std::vector<double> load_w(100, 420.0);
  const std::array inlets{PortNow{301.0, 0.0171, 3900.0}};
  propagation.advance({1.0, inlets, inlets, load_w}, {columns.data(), 100, 100}, power_w);
  columns.assign(200, 340.0);
  const tests::AllocationCount count;
  propagation.advance({1.0, inlets, inlets, load_w}, {columns.data(), 100, 100}, power_w);
  CHECK(count.allocations() == 0);
  CHECK(power_w[0] > 420.0);
}

TEST_CASE("a mismatch of inlets is reported in kelvin, flow included", "[propagation]") {
  const auto params = params_of(physics::ColdPlate{});
  ExponentialPropagation<physics::ColdPlate> propagation(params);
  std::array state{340.0, 325.0};
  const std::array used{PortNow{305.0, 0.0175, 3900.0}};
  const std::array warmer{PortNow{305.2, 0.0175, 3900.0}}, slower{PortNow{305.0, 0.0140, 3900.0}};
  CHECK(propagation.mismatch_k(used, used, 600.0, {state.data(), 1, 1}) == 0.0);
  CHECK(propagation.mismatch_k(used, warmer, 600.0, {state.data(), 1, 1}) == Approx(0.2).epsilon(1e-6));
  // q / G_slow - q / G_fast at the heat of the faster flow
  const auto g = [](double flow) {
    const double film = 45.0 * std::pow(flow / 0.0175, 0.6), mc = flow * 3900.0;
    return mc * (1.0 - std::exp(-film / mc));
  };
  const double expected_k = (g(0.0175) - g(0.0140)) * 20.0 / g(0.0175);
  CHECK(propagation.mismatch_k(used, slower, 600.0, {state.data(), 1, 1}) == Approx(expected_k).epsilon(1e-6));
}
