// Settings and weather that follow a measured file, against what the file says.
//
//   linear, in a stirred volume   tau dT/dt = T_set - T with T_set = T_0 + r t:  T = T_0 + r (t - tau (1 - exp(-t / tau)))
//   heat over a run               the trapezia (linear) or the rectangles (step) of the rows, by hand
//
// Both integrators give the same heat; a run through a checkpoint, and one of the scenario as it is kept in results, are the run itself.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "physics/fluids/fluid.hpp"
#include "physics/water/imposed_heat.hpp"
#include "physics/water/imposed_water.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

using Run = tests::ScenarioRun;
constexpr double zero_c = 273.15;

/// A measured file in a folder of its own.
struct Measured {
  tests::TemporaryFolder folder;
  std::string path;

  explicit Measured(const std::string& content) : path((folder / "plant.csv").string()) {
    std::ofstream(path, std::ios::binary) << content;
  }
  /// `{ follow: ... }` of a column: of instants, unless `more` says what is between them.
  std::string follow(const std::string& column, const std::string& unit, const std::string& more = {}) const {
    const bool says_between = more.find("between") != std::string::npos;
    return fmt::format("{{follow: {{file: '{}', column: {}, unit: {}{}{}}}}}", path, column, unit,
                       says_between ? "" : ", stamp: instant", more);
  }
};

/// One rack with a heater in its loop.
std::vector<std::string> heated_rack(const std::string& heat, const std::string& more = "events=[]") {
  return {"workload={kind: constant}", "duration=20 min",
          fmt::format("parts={{heater: {{kind: imposed_heat, into: loop_1.return, heat: {}}}}}", heat), more};
}

/// A column of the first part of a kind.
double reported(const twin::Plant& plant, const twin::Evaluation& evaluation, std::string_view kind,
                std::string_view name) {
  const std::size_t number = twin::part_kind_number(kind);
  return plant.components[number]->column_of(0, twin::column_number(twin::part_kinds()[number], name),
                                             {evaluation.signals, evaluation.sinks});
}

/// Heat given by the first part that imposes any, and where windows ended.
class GivenHeat final : public twin::Observer {
 public:
  explicit GivenHeat(const twin::Plant& plant) : plant_(plant) {}
  void observe(const twin::PlantState& state, const twin::Evaluation&) override { seen_s.push_back(state.time_s); }
  void integrate(const twin::PlantState&, const twin::Evaluation& evaluation, double duration_s) override {
    given_j += reported(plant_, evaluation, ImposedHeat::kind, "heat") * duration_s;
  }

  double given_j = 0.0;
  std::vector<double> seen_s;

 private:
  const twin::Plant& plant_;
};

/// Unequal steps, a level section, a hole of one row, rows that are no instant of any control.
const std::string ragged =
    "t_s,heat_kW,other\n0,5,1\n7.5,6,1\n60,2,1\n61,8,1\n300,8,1\n333.25,,1\n360,4,1\n900,10,1\n1200,0,1\n";
const std::vector<double> ragged_s{0, 7.5, 60, 61, 300, 360, 900, 1200};
const std::vector<double> ragged_w{5e3, 6e3, 2e3, 8e3, 8e3, 4e3, 10e3, 0};

double by_hand_j(bool is_step) {
  double sum_j = 0.0;
  for (std::size_t row = 0; row + 1 < ragged_s.size(); ++row) {
    const double mean_w = is_step ? ragged_w[row] : 0.5 * (ragged_w[row] + ragged_w[row + 1]);
    sum_j += mean_w * (ragged_s[row + 1] - ragged_s[row]);
  }
  return sum_j;
}

const char* const wide_gaps = ", longest_gap: 1 h";

}  // namespace

TEST_CASE("heat that follows a file is that of the file, whoever integrates", "[followed]") {
  const Measured file(ragged);
  for (const bool is_step : {false, true}) {
    const std::string heat = file.follow("heat_kW", "kW", std::string(wide_gaps) + (is_step ? ", between: step" : ""));
    for (const Run::By by : {Run::By::monolithic, Run::By::multirate}) {
      INFO((is_step ? "step" : "linear") << (by == Run::By::multirate ? ", multirate" : ", monolithic"));
      Run rack("one_rack", heated_rack(heat), by);
      GivenHeat given(rack.plant);
      rack.to_end(&given);
      CHECK(given.given_j == Approx(by_hand_j(is_step)).epsilon(1e-9));
      CHECK(std::abs(rack.energy_residual()) < 1e-9);
      for (const double row_s : ragged_s) {
        CHECK(std::ranges::any_of(given.seen_s, [&](double t_s) { return std::abs(t_s - row_s) < 1e-6; }));
      }
    }
  }
}

TEST_CASE("both integrators follow a file to the same temperatures", "[followed]") {
  const Measured file(ragged);
  const std::string heat = file.follow("heat_kW", "kW", wide_gaps);
  const std::string supply = fmt::format(
      "sequences={{x: {{kind: follow, setting: loop_1.supply_temperature, file: '{}', column: heat_kW, unit: degC, "
      "scale: 0.4, "
      "offset: 30, longest_gap: 1 h}}}}",
      file.path);
  Run reference("one_rack", heated_rack(heat, supply)), fast("one_rack", heated_rack(heat, supply), Run::By::multirate);
  for (const double t_s : {30.0, 300.0, 700.0, 1200.0}) {
    reference.until(t_s);
    fast.until(t_s);
    INFO("at " << t_s << " s");
    CHECK(fast.hottest_die_k(64) == Approx(reference.hottest_die_k(64)).margin(0.042));
    CHECK(fast.node_k("loop_1.return") == Approx(reference.node_k("loop_1.return")).margin(0.042));
  }
  CHECK(reference.node_k("loop_1.supply") > zero_c + 30.0);
}

TEST_CASE("a stirred volume under a linear ramp follows its closed form", "[followed]") {
  const Measured file("time,plant_degF\n0,75.2\n1,75.2\n11,82.4\n12,82.4\n");  // in minutes: 24 degC, up by 4 K
  constexpr double volume_m3 = 100.0, flow_kg_per_s = 700.0, ramp_k_per_s = 4.0 / 600.0, begin_s = 60.0;
  const std::string plant = fmt::format(
      "parts={{plant: {{kind: imposed_water, volume: {} m3, flow: {} kg/s, temperature: {}, water: {{from: "
      "facility.return, to: "
      "facility.supply}}}}}}",
      volume_m3, flow_kg_per_s, file.follow("plant_degF", "degF", ", time: time, time_unit: min, longest_gap: 1 h"));
  Run hall("h100_10k",
           {"hall.cooling.facility.towers=null", "workload={kind: constant}", "duration=12 min", "events=[]", plant},
           Run::By::multirate);
  const double tau_s = volume_m3 * find_fluid("water").density_kg_per_m3(293.15) / flow_kg_per_s;
  for (const double t_s : {30.0, 120.0, 400.0, 660.0}) {
    hall.until(t_s);
    const double s = std::max(t_s - begin_s, 0.0);
    const double must_k = zero_c + 24.0 + ramp_k_per_s * (s - tau_s * (1.0 - std::exp(-s / tau_s)));
    INFO("at " << t_s << " s");
    CHECK(reported(hall.plant, hall.evaluation(), ImposedWater::kind, "leaving_temperature") ==
          Approx(must_k).margin(1e-3));
  }
  CHECK(std::abs(hall.energy_residual()) < 1e-9);
}

TEST_CASE("a temporary event hides what a setting follows, which goes on below", "[followed]") {
  const Measured file("t_s,heat_kW\n0,1\n600,7\n1200,7\n");
  Run rack("one_rack",
           heated_rack(file.follow("heat_kW", "kW"), "events=[{at: 100 s, set: heater.heat, to: 20 kW, for: 100 s}]"),
           Run::By::multirate);
  const auto heat_kw = [&](double t_s) {
    rack.until(t_s);
    return 1e-3 * reported(rack.plant, rack.evaluation(), ImposedHeat::kind, "heat");
  };
  CHECK(heat_kw(60.0) == Approx(1.0 + 0.01 * 90.0));  // the mean of the minute that begins then
  CHECK(heat_kw(150.0) == Approx(20.0));
  CHECK(heat_kw(300.0) == Approx(1.0 + 0.01 * 330.0));
  CHECK(heat_kw(700.0) == Approx(7.0));
}

TEST_CASE("a run that follows a file is the same run again, from a checkpoint too", "[followed]") {
  const Measured file(ragged);
  const std::vector<std::string> overrides = heated_rack(file.follow("heat_kW", "kW", wide_gaps));
  Run whole("one_rack", overrides, Run::By::multirate), again("one_rack", overrides, Run::By::multirate);
  whole.to_end();
  again.to_end();
  CHECK(again.state().states == whole.state().states);

  const twin::Scenario kept = twin::read_scenario_text(whole.scenario.resolved_text, "elsewhere/kept.yaml");
  const twin::Plant plant = twin::build_plant(kept);
  const twin::Work work = twin::make_work(kept);
  tests::WorkRun left(kept, plant, *work.workload, twin::by_multirate());
  tests::WorkRun taken_up(kept, plant, *work.workload, twin::by_multirate());
  left.start();
  left.run(600.0, {});
  taken_up.resume(left.checkpoint());
  for (tests::WorkRun* run : {&left, &taken_up}) run->run(kept.duration_s);
  CHECK(left.state().states == whole.state().states);
  CHECK(taken_up.state().states == whole.state().states);
}

TEST_CASE("the weather of a run is what was measured", "[followed]") {
  const Measured file("t_h,wet_degC,dry_degC\n0,10,20\n0.5,22,34\n1,16,34\n");
  const auto weather = [&](const std::string& what) {
    return Run("h100_10k", {"workload={kind: constant}", "duration=1 h", "events=[]", "weather=" + what},
               Run::By::multirate);
  };
  const auto wet = file.follow("wet_degC", "degC", ", time_unit: h"),
             dry = file.follow("dry_degC", "degC", ", time_unit: h");
  Run both = weather(fmt::format("{{wet_bulb: {}, dry_bulb: {}}}", wet, dry));
  const auto outside = [](const Run& hall, std::size_t twin::OutsideInputs::*which) {
    return hall.state().inputs[hall.plant.outside.*which];
  };
  using In = twin::OutsideInputs;
  CHECK(outside(both, &In::wet_bulb) == Approx(zero_c + 10.0));
  both.until(900.0);
  CHECK(outside(both, &In::wet_bulb) == Approx(zero_c + 16.0));
  CHECK(outside(both, &In::dry_bulb) == Approx(zero_c + 27.0));
  const double saturated = 0.622 * 1818.8 / (outside(both, &In::pressure) - 1818.8);  // vapour at 16 degC [iapws_if97]
  CHECK(outside(both, &In::humidity_ratio) ==
        Approx(((2501.0 - 2.326 * 16.0) * saturated - 1.006 * 11.0) / (2501.0 + 1.86 * 27.0 - 4.186 * 16.0))
            .epsilon(2e-3));

  Run one = weather(fmt::format("{{design_day: summer, wet_bulb: {}}}", wet));
  Run none = weather("{design_day: summer}");
  CHECK(outside(one, &In::wet_bulb) == Approx(zero_c + 10.0));
  CHECK(outside(one, &In::dry_bulb) - outside(one, &In::wet_bulb) ==
        Approx(outside(none, &In::dry_bulb) - outside(none, &In::wet_bulb)));
}
