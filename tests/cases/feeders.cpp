// Case: feeders of the reference data, imported as one-line diagrams and run as scenarios.
//
// Expected values and where they come from:
//   losses, voltages      MATPOWER, as published with the data; with ties closed and for loads that follow the voltage, another program
//   collapse              the same feeder by plain sweeps in another language: 3.6 times the loads have a solution, 3.8 times have none
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/by_hand/feeder_case.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/imports/feeder_lists.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

Scenario imported(const std::string& name, const std::vector<std::string>& overrides = {}) {
  static_cast<void>(tests::read_feeder_case(name));  // skips without reference data
  const auto folder = std::filesystem::path(std::getenv("WATTLOOP_REFERENCE_DATA")) / "electrical" / name;
  return read_scenario_text(feeder_text(read_feeder_lists(folder), name), "feeder.yaml", overrides);
}

/// Loss of the lines of the feeder.
double line_loss_w(const HallRun& run) {
  double sum_w = 0.0;
  const electrical::PowerTree& tree = run.plant().power_tree;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (tree.branch_name[branch].starts_with("line_")) sum_w += run.evaluation().power.branch_loss_w[branch];
  }
  return sum_w;
}

double ratio(const HallRun& run, const std::string& bus) {
  const auto& names = run.plant().power_tree.bus_name;
  return std::abs(run.state().voltages.bus[static_cast<std::size_t>(std::ranges::find(names, bus) - names.begin())]);
}

std::vector<std::string> with_ties_closed() {
  std::vector<std::string> closed;
  for (const char* tie : {"21_8", "9_15", "12_22", "18_33", "25_29"})
    closed.push_back(fmt::format("power.one_line.branches.line_{}.open=false", tie));
  return closed;
}

/// Of every load.
std::vector<std::string> with_share(const std::string& share) {
  std::vector<std::string> shares;
  for (int bus = 2; bus <= 33; ++bus)
    shares.push_back(fmt::format("power.one_line.loads.load_bus_{}.{}=100 %", bus, share));
  return shares;
}

}  // namespace

TEST_CASE("an imported feeder runs with the losses and voltages of another program", "[case][feeders]") {
  const auto [name, loss_w] =
      GENERATE(table<const char*, double>({{"feeder_33bw", 202.677126e3}, {"feeder_12da", 20.713774e3}}));
  const std::string flow = GENERATE("radial", "meshed", "auto");
  const tests::FeederCase feeder = tests::read_feeder_case(name);
  HallRun run(imported(name, {"power.flow=" + flow}), by_multirate());
  run.begin();
  run.advance_to(60.0);
  CHECK(std::abs(line_loss_w(run) - loss_w) < 1e-2);
  double largest = 0.0;
  for (std::size_t bus = 0; bus < feeder.network.buses.size(); ++bus)
    largest =
        std::max(largest, std::abs(ratio(run, "bus_" + feeder.network.buses[bus].name) - feeder.solved_ratio[bus]));
  CHECK(largest < 1e-6);
  CHECK_FALSE(run.residual());
}

TEST_CASE("an imported feeder with its ties closed runs as another program solves it", "[case][feeders]") {
  const std::string flow = GENERATE("meshed", "auto");
  std::vector<std::string> overrides = with_ties_closed();
  overrides.push_back("power.flow=" + flow);
  HallRun run(imported("feeder_33bw", overrides), GENERATE(true, false) ? by_multirate() : by_monolithic());
  run.begin();
  run.advance_to(60.0);
  CHECK(line_loss_w(run) == Approx(123.290830e3).margin(1.0));
  CHECK(std::abs(ratio(run, "bus_32") - 0.9532799207) < 1e-8);
  CHECK_FALSE(run.residual());
}

TEST_CASE("ties that people close bring a run from one published loss to the other", "[case][feeders]") {
  std::string ties = "line_21_8, line_9_15, line_12_22, line_18_33, line_25_29";
  HallRun run(imported("feeder_33bw", {fmt::format("events=[{{ at: 60 s, close: [{}], for: 60 s }}]", ties)}),
              by_multirate());
  run.begin();
  run.advance_to(50.0);
  CHECK(line_loss_w(run) == Approx(202.677126e3).margin(1.0));
  run.advance_to(100.0);
  CHECK(line_loss_w(run) == Approx(123.290830e3).margin(1.0));
  run.advance_to(150.0);
  CHECK(line_loss_w(run) == Approx(202.677126e3).margin(1.0));
  CHECK_FALSE(run.residual());
}

TEST_CASE("loads that follow the voltage lose what another computation says, through a run", "[case][feeders]") {
  const auto [share, loss_w] =
      GENERATE(table<const char*, double>({{"constant_current", 176.627695e3}, {"constant_impedance", 156.872031e3}}));
  std::vector<std::string> overrides = with_share(share);
  overrides.push_back(GENERATE("power.flow=radial", "power.flow=meshed"));
  HallRun run(imported("feeder_33bw", overrides), by_multirate());
  run.begin();
  run.advance_to(60.0);
  CHECK(std::abs(line_loss_w(run) - loss_w) < 0.05);
  CHECK_FALSE(run.residual());
}

TEST_CASE("a feeder carries 3.6 times its loads, and ends the run at its weakest bus at 3.8 times", "[case][feeders]") {
  const tests::FeederCase feeder = tests::read_feeder_case("feeder_33bw");
  const std::string flow = GENERATE("radial", "meshed");
  const double factor = GENERATE(3.6, 3.8);
  std::vector<std::string> overrides{"power.flow=" + flow};
  for (std::size_t load = 0; load < feeder.load_va.size(); ++load) {
    if (feeder.load_va[load] == 0.0) continue;
    const std::string path =
        fmt::format("power.one_line.loads.load_bus_{}.", feeder.network.buses[feeder.network.loads[load].bus].name);
    overrides.push_back(fmt::format("{}power={:.9g} W", path, factor * feeder.load_va[load].real()));
    overrides.push_back(fmt::format("{}reactive_power={:.9g} VA", path, factor * feeder.load_va[load].imag()));
  }
  HallRun run(imported("feeder_33bw", overrides), by_multirate());
  const auto run_on = [&] {
    run.begin();
    run.advance_to(5.0);
  };
  if (factor < 3.7) {
    run_on();
    CHECK(std::abs(ratio(run, "bus_18") - 0.4667337748) < 1e-6);
  } else {
    CHECK_THROWS_WITH(run_on(), Catch::Matchers::Contains("the voltage of bus bus_18 collapses"));
  }
}

TEST_CASE("events move the power of a load, and what it draws leaves the site", "[case][feeders]") {
  HallRun run(imported("feeder_12da", {"events=[{ at: 60 s, set: load_bus_12.power, to: 100 kW, for: 60 s }]"}),
              by_multirate());
  run.begin();
  run.advance_to(59.0);
  const double before_w = run.evaluation().power.served_w;
  run.advance_to(90.0);
  CHECK(run.evaluation().power.served_w - before_w == Approx(85e3).epsilon(1e-3));
  run.advance_to(200.0);
  CHECK(run.evaluation().power.served_w == Approx(before_w).epsilon(1e-6));
  const Meters& meters = run.plant().meters;
  const std::size_t use = use_number(run.plant(), "site_load");
  const double served_j = run.state().states[meters.energy[use]];
  CHECK(served_j == Approx(435e3 * 200.0 + 85e3 * 60.0).epsilon(1e-9));
  CHECK(run.state().states[meters.outdoors] > served_j);
  CHECK_FALSE(run.residual());
}

TEST_CASE("what others on the feeder draw is no part of PUE", "[case][feeders]") {
  const auto figures_of = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"duration=2 min", "hall.racks.gpu_spread=none"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    HallRun run(imported("feeder_33bw", all), by_multirate());
    run.begin();
    run.advance_to(120.0);
    std::map<std::string, double> numbers;
    for (const NamedValue& figure : run.figures())
      if (const double* number = std::get_if<double>(&figure.value)) numbers[figure.name] = *number;
    return numbers;
  };
  const auto with = figures_of({});
  CHECK(with.at("site_load_energy") == Approx(3715e3 * 120.0).epsilon(1e-6));  // the loads of the published feeder
  CHECK(with.at("pue") == Approx((with.at("facility_energy") - with.at("site_load_energy")) / with.at("it_energy")));
  CHECK(with.at("cooling_energy") < 0.2 * with.at("it_energy"));
  CHECK_FALSE(with.contains("pue_site_load"));
  double parts = 0.0;
  for (const auto& [name, value] : with)
    if (name.starts_with("pue_")) parts += value;
  CHECK(parts == Approx(with.at("pue")).epsilon(1e-6));
}

// 100 kW and 450 kvar at 10 kV are 26.6 A: 1.065 of 25 A, which one line carries; that of 4 kvar carries 5.78 A.
TEST_CASE("a line that carries mostly reactive power is loaded by its current, in check, run and tables",
          "[case][feeders]") {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "buses.csv") << "bus,base_kV,is_source,load_kW,load_kvar\ngrid,10,1,,\nfar,10,0,100,450\n"
                                         "near,10,0,100,4\n";
  std::ofstream(folder / "branches.csv") << "from,to,r_ohm,x_ohm,rated_A\ngrid,far,0.01,0.01,25\n"
                                            "grid,near,0.01,0.01,25\n";
  const std::string flow = GENERATE("power.flow=radial", "power.flow=meshed");
  const Scenario scenario =
      read_scenario_text(feeder_text(read_feeder_lists(folder.path()), "two"), "feeder.yaml", {flow, "duration=1 min"});
  const double far = std::hypot(100.0, 450.0) / (std::sqrt(3.0) * 10.0) / 25.0;
  HallRun run(scenario, by_multirate());
  run.begin();
  run.advance_to(60.0);
  const std::vector<NamedValue> figures = run.figures();
  const auto highest = std::ranges::find(figures, "highest_cable_loading", &NamedValue::name);
  REQUIRE(highest != figures.end());
  CHECK(std::get<double>(highest->value) == Approx(far).epsilon(1e-3));
  std::map<std::string, double> margins;
  for (const CheckRow& row : check_ratings(scenario).rows)
    if (row.kind == CheckRow::Kind::rating && row.name.starts_with("line_grid_far"))
      margins[row.name] = row.value / row.limit;
  REQUIRE(margins.size() == 1);
  CHECK(margins.begin()->second == Approx(far).epsilon(1e-3));
}
