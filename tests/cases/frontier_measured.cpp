// Case: Frontier's plant under the measured heat of its 25 CDUs, scenarios/halls/frontier_measured.yaml. Expected are
//
//   heat given       sums of the file itself, read here: trapezia of its rows
//   wet bulb         the file's, line by line, at whole minutes, which are rows
//   coolant          32 degC as set, through steps of 2.4 MW in 15 s; the rise is heat over capacity rate
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "physics/fluids/fluid.hpp"
#include "physics/water/imposed_heat.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/parts/part_catalog.hpp"

using namespace wattloop;

namespace {

constexpr double zero_c = 273.15, row_s = 15.0;
constexpr std::size_t cdus = 25;

/// [row][column] of the file: seconds, 25 times kW, degC.
std::vector<std::vector<double>> rows_of_file() {
  std::ifstream file(tests::reference_data() +
                     "/facility/frontier_cdu_heat_15s/frontier_2024-04-07_first12h_cdu_kW.csv");
  std::vector<std::vector<double>> rows;
  std::string line, cell;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

/// Heat of each part, and how far coolant gets from what is set.
class Watch final : public twin::Observer {
 public:
  explicit Watch(const tests::ScenarioRun& hall) : hall_(hall), given_j(cdus, 0.0) {}
  void observe(const twin::PlantState& state, const twin::Evaluation&) override {
    if (state.time_s < 60.0) return;
    for (std::size_t cdu = 1; cdu <= cdus; ++cdu) {
      const double supply_k = hall_.node_k("loop_" + std::to_string(cdu) + ".supply");
      farthest_k = std::max(farthest_k, std::abs(supply_k - zero_c - 32.0));
    }
  }
  void integrate(const twin::PlantState&, const twin::Evaluation& evaluation, double duration_s) override {
    const std::size_t kind = twin::part_kind_number(physics::ImposedHeat::kind);
    const std::size_t column = twin::column_number(twin::part_kinds()[kind], "heat");
    for (std::size_t cdu = 0; cdu < cdus; ++cdu) {
      given_j[cdu] +=
          hall_.plant.components[kind]->column_of(cdu, column, {evaluation.signals, evaluation.sinks}) * duration_s;
    }
  }

 private:
  const tests::ScenarioRun& hall_;

 public:
  std::vector<double> given_j;
  double farthest_k = 0.0;
};

}  // namespace

TEST_CASE("Frontier's plant carries the measured heat of 25 CDUs, and coolant stays where it is set",
          "[followed][frontier]") {
  const auto rows = rows_of_file();
  REQUIRE(rows.size() == 2880);
  tests::ScenarioRun hall("halls/frontier_measured", {"duration=7 h"}, tests::ScenarioRun::By::multirate);
  Watch watch(hall);
  for (const double hour : {1.0, 6.0, 7.0}) {
    hall.until(hour * 3600.0, &watch);
    const auto row = static_cast<std::size_t>(hour * 3600.0 / row_s);
    CHECK(hall.state().inputs[hall.plant.outside.wet_bulb] == Approx(zero_c + rows[row][cdus + 1]).margin(1e-6));
  }
  for (std::size_t cdu = 1; cdu <= cdus; ++cdu) {
    double file_j = 0.0;
    for (std::size_t row = 0; row < 7 * 240; ++row) file_j += 500.0 * (rows[row][cdu] + rows[row + 1][cdu]) * row_s;
    INFO("CDU " << cdu);
    CHECK(watch.given_j[cdu - 1] == Approx(file_j).epsilon(1e-9));
  }
  CHECK(watch.farthest_k < 1.0);
  CHECK(std::abs(hall.energy_residual()) < 1e-9);
}
