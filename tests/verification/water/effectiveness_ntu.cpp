// Effectiveness of heat exchangers against tables, an exact series and the logarithmic mean.
//
//   both unmixed, exact:  eps = 1 - e^-(1+C)N (I_0(z) + sqrt(C) I_1(z) - (1-C)/C sum_n>=2 C^(n/2) I_n(z))
//   logarithmic mean:     Q = UA (dT_1 - dT_2) / ln(dT_1 / dT_2)                        z = 2 N sqrt(C)
//
// Source: ntu_reference.csv (evaluated from [incropera2011] table 11.3, five digits); reference results of
// [modelica_buildings] (EpsilonNTUZ); exact series [baclic1978]; logarithmic mean [incropera2011] ch. 11.3.
#include "physics/fluids/effectiveness.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::physics;
using enum wattloop::physics::FlowArrangement;

namespace {

std::vector<std::vector<double>> numbers_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (!cell.empty() && std::isdigit(static_cast<unsigned char>(cell.front()))) row.push_back(std::stod(cell));
    }
    rows.push_back(row);
  }
  return rows;
}

double exact_both_unmixed(double ntu, double ratio) {
  const double z = 2.0 * ntu * std::sqrt(ratio);
  double sum = std::cyl_bessel_i(0.0, z) + std::sqrt(ratio) * std::cyl_bessel_i(1.0, z);
  for (int n = 2; n < 60; ++n) {
    sum -= (1.0 - ratio) / ratio * std::pow(ratio, 0.5 * n) * std::cyl_bessel_i(static_cast<double>(n), z);
  }
  return 1.0 - std::exp(-(1.0 + ratio) * ntu) * sum;
}

constexpr std::array every_arrangement{counterflow,          parallel,          crossflow_unmixed, crossflow_cmax_mixed,
                                       crossflow_cmin_mixed, shell_one_tube_two};
constexpr std::array names{"counterflow",           "parallel flow",         "crossflow, both unmixed",
                           "crossflow, Cmax mixed", "crossflow, Cmin mixed", "one shell, two tube passes"};

}  // namespace

TEST_CASE("effectiveness meets every printed digit of the table", "[effectiveness][reference]") {
  const auto rows = numbers_of(wattloop::tests::reference_data() + "/equipment/ntu_reference.csv");
  REQUIRE(rows.size() == 6);
  constexpr double half_a_digit = 0.5e-5 * (1.0 + 1e-9);
  for (const auto& row : rows) {
    REQUIRE(row.size() == 8);
    for (std::size_t a = 0; a < every_arrangement.size(); ++a) {
      INFO(names[a] << ", NTU " << row[0] << ", capacity ratio " << row[1]);
      const double ours = effectiveness(every_arrangement[a], row[0], row[1]);
      CHECK(std::abs(ours - row[2 + a]) <= half_a_digit);
      if (row[0] == 2.0 && row[1] == 0.5) {
        wattloop::tests::report_verification({std::string(names[a]) + ", NTU 2, capacity ratio 0.5", "incropera2011",
                                              "effectiveness", ours, row[2 + a], half_a_digit, "1"});
      }
    }
  }
}

TEST_CASE("NTU found by Modelica Buildings gives back its effectiveness", "[effectiveness][reference]") {
  const auto rows = numbers_of(wattloop::tests::reference_data() +
                               "/modelica/Fluid_HeatExchangers_BaseClasses_Examples_EpsilonNTUZ.csv");
  REQUIRE(rows.size() == 101);
  for (const auto& row : rows) {
    const double t = row[0], ratio = std::abs(std::cos(t));
    const double theirs = 0.01 + 0.98 * std::abs(std::sin(t)) / (1.0 + ratio);
    INFO("t = " << t);
    // columns: ntu[1], ntu[6], ntu[3], ntu[2], ntu[4], ntu[5]; their iterations stop at a relative 1e-6 or so
    CHECK(effectiveness(parallel, row[1], ratio) == Approx(theirs).epsilon(1e-6));
    CHECK(effectiveness(counterflow, row[2], 0.0) == Approx(theirs).epsilon(1e-6));  // phase change on one side
    CHECK(effectiveness(crossflow_unmixed, row[3], ratio) == Approx(theirs).epsilon(1e-6));
    // their counterflow bends capacity ratios above 0.97 towards 0.98
    CHECK(effectiveness(counterflow, row[4], ratio) == Approx(theirs).epsilon(ratio < 0.97 ? 1e-6 : 1e-3));
    CHECK(effectiveness(crossflow_cmin_mixed, row[5], ratio) == Approx(theirs).epsilon(1e-6));
    CHECK(effectiveness(crossflow_cmax_mixed, row[6], ratio) == Approx(theirs).epsilon(1e-6));
  }
}

TEST_CASE("cross-flow of unmixed streams is within 4 % of the exact series, within 2.5 % from NTU 1 up",
          "[effectiveness]") {
  CHECK(exact_both_unmixed(2.0, 1.0) == Approx(0.6142).margin(1e-4));  // 1 - e^-4 (I_0(4) + I_1(4))
  const auto worst_from = [](double lowest_ntu) {
    double worst = 0.0;
    for (double ntu = lowest_ntu; ntu <= 10.0; ntu *= 1.05) {
      for (double ratio = 0.05; ratio <= 1.0; ratio += 0.05) {
        const double exact = exact_both_unmixed(ntu, ratio);
        worst = std::max(worst, std::abs(effectiveness(crossflow_unmixed, ntu, ratio) / exact - 1.0));
      }
    }
    return worst;
  };
  CHECK(worst_from(0.02) < 0.04);
  CHECK(worst_from(1.0) < 0.025);
}

TEST_CASE("every arrangement has its limits", "[effectiveness]") {
  for (const FlowArrangement arrangement : every_arrangement) {
    for (double ratio : {0.0, 1e-12, 0.3, 1.0}) CHECK(effectiveness(arrangement, 0.0, ratio) == 0.0);
    for (double ntu : {1e-6, 0.5, 3.0, 30.0}) {
      // one stream of endless capacity: the arrangement does not matter
      CHECK(effectiveness(arrangement, ntu, 0.0) == Approx(-std::expm1(-ntu)).epsilon(1e-12));
      CHECK(effectiveness(arrangement, ntu, 1e-13) == Approx(-std::expm1(-ntu)).epsilon(1e-12));
      // equal capacities: no jump from the neighbourhood
      CHECK(effectiveness(arrangement, ntu, 1.0) ==
            Approx(effectiveness(arrangement, ntu, 1.0 - 1e-13)).epsilon(1e-11));
    }
    CHECK(effectiveness(arrangement, 1e-9, 0.6) ==
          Approx(1e-9).epsilon(arrangement == crossflow_unmixed ? 1e-4 : 1e-7));
  }
  CHECK(effectiveness(counterflow, 3.0, 1.0) == Approx(0.75).epsilon(1e-15));  // NTU / (1 + NTU)
  CHECK(effectiveness(counterflow, 4.28, 1.0) == Approx(0.81).margin(1e-3));   // XDU1350 as published
  CHECK(effectiveness(counterflow, 1e9, 0.7) == Approx(1.0).epsilon(1e-12));
  CHECK(effectiveness(parallel, 1e9, 0.7) == Approx(1.0 / 1.7).epsilon(1e-12));
}

TEST_CASE("counterflow and parallel flow obey the logarithmic mean temperature difference", "[effectiveness]") {
  const Stream hot{330.0, 5e3}, cold{300.0, 8e3};
  const double conductance_w_per_k = 9e3;
  for (const FlowArrangement arrangement : {counterflow, parallel}) {
    const double heat_w = exchanged_heat_w(hot, cold, conductance_w_per_k, arrangement);
    const double hot_out_k = hot.temperature_k - heat_w / hot.capacity_rate_w_per_k;
    const double cold_out_k = cold.temperature_k + heat_w / cold.capacity_rate_w_per_k;
    const double one_k =
        arrangement == parallel ? hot.temperature_k - cold.temperature_k : hot.temperature_k - cold_out_k;
    const double other_k = arrangement == parallel ? hot_out_k - cold_out_k : hot_out_k - cold.temperature_k;
    CHECK(heat_w == Approx(conductance_w_per_k * (one_k - other_k) / std::log(one_k / other_k)).epsilon(1e-12));
  }
}

TEST_CASE("a stream that stands still exchanges nothing, and one that nearly does next to nothing", "[effectiveness]") {
  for (const FlowArrangement arrangement : every_arrangement) {
    CHECK(exchanged_heat_w({330.0, 0.0}, {300.0, 1e3}, 1e3, arrangement) == 0.0);
    CHECK(exchanged_heat_w({330.0, 1e3}, {300.0, 0.0}, 1e3, arrangement) == 0.0);
    CHECK(exchanged_heat_w({330.0, 0.0}, {300.0, 0.0}, 1e3, arrangement) == 0.0);
    for (double trickle : {1e-3, 1e-9, 1e-300}) {  // all of what the trickle can carry
      CHECK(exchanged_heat_w({330.0, trickle}, {300.0, 1e3}, 1e3, arrangement) == Approx(30.0 * trickle).epsilon(1e-5));
    }
    CHECK(exchanged_heat_w({300.0, 2e3}, {330.0, 1e3}, 1e3, arrangement) < 0.0);
  }
}
