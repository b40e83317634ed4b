// The core of a plant under what units give, integrated by two methods that share nothing but the rates.
//
//   agreement    one-step method and CVODE at tight tolerance; errors fall with the tolerance
//   order        with one step for each window, half the window divides the error by four
//   energy       heat and power of units = what is stored, rejected and drawn, to rounding, also while pumps slow down
//   jump         nodes that units feed follow a jump of what these give within one long step, their mean over it, too

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/integration/core/core_integrator.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/simulation/simulation.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// One rack in steady state under 560 W for each GPU, with what its units give then.
class Bench {
 public:
  Bench() : plant(build_plant(tests::one_rack_scenario())), seam(plant), rates(plant, seam) {
    const Scenario scenario = tests::one_rack_scenario();
    const auto integrator = make_monolithic_integrator(plant, {});
    const tests::ConstantWork work(560.0, 6900.0);
    const RunPlan plan = plan_run(scenario, plant, work);
    Simulation simulation(plant, plan, work, *integrator);
    simulation.start();
    state = simulation.state();
    Evaluation evaluation(plant);
    std::vector<double> all_rates(plant.map.state_count);
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
    evaluate(plant, state.switches, state.states, evaluation, all_rates);
    std::fill(evaluation.sinks.begin(), evaluation.sinks.end(), 0.0);
    for (std::size_t g = 0; g < plant.groups.size(); ++g) {
      const UnitGroup& group = *plant.groups[g];
      const auto load_w = evaluation.inputs().subspan(group.first_load - plant.map.input(0), group.count());
      group.evaluate({state.states, load_w, evaluation.signals}, evaluation.sinks, evaluation.unit_power_w[g],
                     evaluation.station_power_w[g]);
    }
    for (const std::size_t sink : seam.sinks) steady_w.push_back(evaluation.sinks[sink]);
    for (const std::size_t slot : seam.core_slots) start.push_back(state.states[slot]);
  }

  /// Halves the speed of pumps at the begin, heat of units swings by a third with a period of 100 s, slowly as that of heavy units does.
  std::vector<double> run(CoreIntegrator& core, double end_s, double window_s, double sample_s) {
    PlantState disturbed = state;
    for (const MotorPart& motor : plant.motors) disturbed.inputs[motor.command_input] *= 0.5;
    core.restart(disturbed);
    std::vector<double> now = start;
    for (double begin_s = 0.0; begin_s < end_s - 1e-9; begin_s += window_s) {
      const UnitEnergy units = swing(begin_s, window_s, sample_s);
      CoreWave wave{now.size(), {}, {}};
      wave.resize(units.instants_s.size() - 1);
      std::copy(now.begin(), now.end(), wave.at(0).begin());
      double reached_s = 0.0;
      REQUIRE(core.advance(units, wave, reached_s));
      REQUIRE(reached_s == units.instants_s.back());
      core.accept();
      const auto last = wave.at(units.instants_s.size() - 1);
      now.assign(last.begin(), last.end());
      seconds.insert(seconds.end(), wave.values.begin(),
                     wave.values.begin() + static_cast<std::ptrdiff_t>(now.size() * (units.instants_s.size() - 1)));
    }
    return now;
  }

  /// Units give a third more from the begin of a window of 16 s on and nothing is asked within it. All there is of the wave.
  CoreWave jump(CoreIntegrator& core, bool asks_once) const {
    core.restart(state);
    UnitEnergy units;
    units.sink_count = steady_w.size();
    units.asks_once = asks_once;
    units.instants_s = {0.0, 16.0};
    units.energy_j.assign(steady_w.size(), 0.0);
    for (const double power_w : steady_w) units.energy_j.push_back(16.0 * 4.0 / 3.0 * power_w);
    CoreWave wave{start.size(), {}, {}};
    wave.resize(1);
    std::copy(start.begin(), start.end(), wave.at(0).begin());
    double reached_s = 0.0;
    REQUIRE(core.advance(units, wave, reached_s));
    return wave;
  }

  /// Largest difference of nodes that units feed, K.
  double distance_of_fed(std::span<const double> a, std::span<const double> b) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (std::ranges::find(seam.sinks, seam.core_slots[k]) != seam.sinks.end())
        largest = std::max(largest, std::abs(a[k] - b[k]));
    }
    return largest;
  }

  /// Largest difference of temperatures, K, and of other states.
  double distance(std::span<const double> a, std::span<const double> b, std::string_view unit) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (plant.layout.unit(seam.core_slots[k % seam.core_slots.size()]) == unit) {
        largest = std::max(largest, std::abs(a[k] - b[k]));
      }
    }
    return largest;
  }

  /// Energy that units gave minus what the core holds more, rejected or took from the feed, over what units drew.
  double residual_ratio(std::span<const double> end, double end_s) const {
    double drawn_j = 0.0, balance_j = 0.0;
    const UnitEnergy units = swing(0.0, end_s, 1.0);
    for (std::size_t k = 0; k < seam.sinks.size(); ++k) {
      const double energy_j = units.energy_j[units.energy_j.size() - seam.sinks.size() + k];
      const bool is_load = seam.sinks[k] >= plant.map.state_count;
      balance_j += is_load ? -energy_j : energy_j;
      if (is_load) drawn_j += energy_j;
    }
    std::vector<double> weight(plant.map.state_count, 0.0);
    for (const ThermalNode& node : plant.nodes) {
      if (!node.is_boundary()) weight[node.temperature_signal] = node.heat_capacity_j_per_k;
    }
    for (const std::size_t meter : plant.meters.boundaries) weight[meter] = 1.0;
    weight[plant.meters.outdoors] = 1.0;
    weight[plant.meters.feed] = -1.0;
    for (std::size_t k = 0; k < end.size(); ++k) balance_j -= weight[seam.core_slots[k]] * (end[k] - start[k]);
    return balance_j / drawn_j;
  }

  Plant plant;
  SeamLayout seam;
  CoreRates rates;
  PlantState state;
  std::vector<double> steady_w, start;
  std::vector<double> seconds;  ///< core states at all instants of the last run

 private:
  /// Energies of a smooth swing, exact over each sample.
  UnitEnergy swing(double begin_s, double window_s, double sample_s) const {
    constexpr double rate_per_s = 2.0 * 3.14159265358979 / 100.0;
    UnitEnergy units;
    units.sink_count = steady_w.size();
    const int samples = std::max(1, static_cast<int>(std::lround(window_s / sample_s)));
    for (int s = 0; s <= samples; ++s) {
      const double t_s = begin_s + window_s * s / samples;
      units.instants_s.push_back(t_s);
      const double seconds_of_mean =
          t_s - begin_s - (std::cos(rate_per_s * t_s) - std::cos(rate_per_s * begin_s)) / (3.0 * rate_per_s);
      for (const double power_w : steady_w) units.energy_j.push_back(power_w * seconds_of_mean);
    }
    return units;
  }
};

}  // namespace

TEST_CASE("two integrators of the core agree, the better the tighter", "[core]") {
  Bench exact, loose, tight, cvode;
  const auto reference = make_rosenbrock_core(exact.rates, {.tolerance_ratio = 5e-5});
  const auto coarse = make_rosenbrock_core(loose.rates, {.tolerance_ratio = 5.0});
  const auto fine = make_rosenbrock_core(tight.rates, {.tolerance_ratio = 0.05});
  const auto other = make_cvode_core(cvode.rates, {.tolerance_ratio = 0.5});
  exact.run(*reference, 60.0, 5.0, 0.0625);
  loose.run(*coarse, 60.0, 5.0, 0.0625);
  tight.run(*fine, 60.0, 5.0, 0.0625);
  const double loose_k = exact.distance(exact.seconds, loose.seconds, "K");
  const double tight_k = exact.distance(exact.seconds, tight.seconds, "K");
  INFO("0.05 K a step: " << loose_k << " K in " << coarse->statistics().steps << " steps, 0.0005 K: " << tight_k
                         << " K in " << fine->statistics().steps << " steps, judge " << reference->statistics().steps);
  CHECK(loose_k < 0.05);
  CHECK(tight_k < 0.002);
  CHECK(coarse->statistics().steps < fine->statistics().steps);

  // CVODE takes the mean of a window: windows of one sample
  Bench short_windows;
  const auto reference_of_windows = make_rosenbrock_core(short_windows.rates, {.tolerance_ratio = 5e-4});
  const auto ours = short_windows.run(*reference_of_windows, 60.0, 1.0, 1.0);
  const auto theirs = cvode.run(*other, 60.0, 1.0, 1.0);
  INFO("CVODE: " << exact.distance(ours, theirs, "K") << " K, " << exact.distance(ours, theirs, "1"));
  CHECK(exact.distance(ours, theirs, "K") < 0.01);
  CHECK(exact.distance(ours, theirs, "1") < 0.002);
}

TEST_CASE("with one step for each window, half the window divides the core's error by four", "[core][order]") {
  Bench bench;
  const auto reference = make_rosenbrock_core(bench.rates, {.tolerance_ratio = 5e-5});
  const auto exact = bench.run(*reference, 40.0, 2.0, 0.0625);
  std::array<double, 3> error_k;
  double window_s = 2.0;
  for (double& error : error_k) {
    const auto core = make_rosenbrock_core(bench.rates, {.tolerance_ratio = 1e12});
    error = bench.distance(exact, bench.run(*core, 40.0, window_s, 0.0625), "K");
    CHECK(core->statistics().steps == std::lround(40.0 / window_s));
    window_s /= 2.0;
  }
  INFO(error_k[0] << " " << error_k[1] << " " << error_k[2] << " K");
  CHECK(std::log2(error_k[0] / error_k[1]) > 1.7);
  CHECK(std::log2(error_k[1] / error_k[2]) > 1.7);
}

TEST_CASE("nodes that units feed follow a jump within one long step", "[core][fitted]") {
  const Bench bench;
  CoreRates rates(bench.plant, bench.seam);
  const auto exact = bench.jump(*make_rosenbrock_core(rates, {.tolerance_ratio = 5e-5}), false);
  const auto one_step = make_rosenbrock_core(rates, {.tolerance_ratio = 1e12});
  const auto fitted = bench.jump(*one_step, true);
  REQUIRE(one_step->statistics().steps == 1);
  const auto plain = bench.jump(*make_rosenbrock_core(rates, {.tolerance_ratio = 1e12}), false);
  const double jump_k = bench.distance_of_fed(exact.at(1), exact.at(0));
  const double end_k = bench.distance_of_fed(fitted.at(1), exact.at(1));
  const double mean_k = bench.distance_of_fed(fitted.mean(0), exact.mean(0));
  INFO("jump " << jump_k << " K, at the end off by " << end_k << " K, not fitted by "
               << bench.distance_of_fed(plain.at(1), exact.at(1)) << " K; in the mean by " << mean_k << " and "
               << bench.distance_of_fed(plain.mean(0), exact.mean(0)) << " K");
  CHECK(jump_k > 1.0);
  CHECK(end_k < 0.01 * jump_k);
  CHECK(mean_k < 0.01 * jump_k);
  CHECK(end_k < 0.2 * bench.distance_of_fed(plain.at(1), exact.at(1)));
  CHECK(mean_k < 0.2 * bench.distance_of_fed(plain.mean(0), exact.mean(0)));
}

TEST_CASE("what units give the core is stored, rejected or taken off the feed, to rounding", "[core][conservation]") {
  Bench bench;
  const auto rosenbrock = make_rosenbrock_core(bench.rates, {});
  const double residual = bench.residual_ratio(bench.run(*rosenbrock, 60.0, 5.0, 1.0), 60.0);
  CHECK(std::abs(residual) < 1e-11);
  const auto cvode = make_cvode_core(bench.rates, {});
  const double theirs = bench.residual_ratio(bench.run(*cvode, 60.0, 5.0, 1.0), 60.0);
  INFO("residuals " << residual << ", " << theirs);
  CHECK(std::abs(theirs) < 1e-9);
}
