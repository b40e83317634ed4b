// Properties of coolants against IAPWS-IF97 (evaluated here, region 1) and against tables computed by others.
//
//   v = R T pi gamma_pi / p,  c_p = -R tau^2 gamma_tau_tau,  gamma = sum of n (7.1 - pi)^I (tau - 1.222)^J
//
// Source: [iapws_if97] table 2, eq. 7, check values of table 5; tables water_if97_0p1MPa.csv (IAPWS-IF97
// density and specific heat, IAPWS 2008 viscosity, IAPWS 2011 conductivity) and coolant_pg25.csv
// ([melinder2010] as coded in the Modelica Buildings library).
#include "physics/fluids/fluid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace wattloop::physics;

namespace {

struct Term {
  int i, j;
  double n;
};

constexpr std::array region_1{
    Term{0, -2, 0.14632971213167},        Term{0, -1, -0.84548187169114},       Term{0, 0, -3.756360367204},
    Term{0, 1, 3.3855169168385},          Term{0, 2, -0.95791963387872},        Term{0, 3, 0.15772038513228},
    Term{0, 4, -0.016616417199501},       Term{0, 5, 0.81214629983568e-3},      Term{1, -9, 0.28319080123804e-3},
    Term{1, -7, -0.60706301565874e-3},    Term{1, -1, -0.018990068218419},      Term{1, 0, -0.032529748770505},
    Term{1, 1, -0.021841717175414},       Term{1, 3, -0.52838357969930e-4},     Term{2, -3, -0.47184321073267e-3},
    Term{2, 0, -0.30001780793026e-3},     Term{2, 1, 0.47661393906987e-4},      Term{2, 3, -0.44141845330846e-5},
    Term{2, 17, -0.72694996297594e-15},   Term{3, -4, -0.31679644845054e-4},    Term{3, 0, -0.28270797985312e-5},
    Term{3, 6, -0.85205128120103e-9},     Term{4, -5, -0.22425281908000e-5},    Term{4, -2, -0.65171222895601e-6},
    Term{4, 10, -0.14341729937924e-12},   Term{5, -8, -0.40516996860117e-6},    Term{8, -11, -0.12734301741641e-8},
    Term{8, -6, -0.17424871230634e-9},    Term{21, -29, -0.68762131295531e-18}, Term{23, -31, 0.14478307828521e-19},
    Term{29, -38, 0.26335781662795e-22},  Term{30, -39, -0.11947622640071e-22}, Term{31, -40, 0.18228094581404e-23},
    Term{32, -41, -0.93537087292458e-25},
};

struct If97 {
  double density_kg_per_m3, specific_heat_j_per_kg_k;
};

If97 if97(double temperature_k, double pressure_pa) {
  constexpr double gas_constant = 461.526;
  const double pi = pressure_pa / 16.53e6, tau = 1386.0 / temperature_k;
  double gamma_pi = 0.0, gamma_tau_tau = 0.0;
  for (const Term& t : region_1) {
    if (t.i > 0) gamma_pi -= t.n * t.i * std::pow(7.1 - pi, t.i - 1) * std::pow(tau - 1.222, t.j);
    gamma_tau_tau += t.n * std::pow(7.1 - pi, t.i) * t.j * (t.j - 1) * std::pow(tau - 1.222, t.j - 2);
  }
  return {pressure_pa / (gas_constant * temperature_k * pi * gamma_pi), -gas_constant * tau * tau * gamma_tau_tau};
}

std::vector<std::vector<std::string>> rows_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    rows.push_back(row);
  }
  return rows;
}

/// Largest differences, relative, met so far.
struct Worst {
  double density = 0.0, specific_heat = 0.0, viscosity = 0.0, conductivity = 0.0;
  static void note(double& worst, double ours, double theirs) {
    worst = std::max(worst, std::abs(ours / theirs - 1.0));
  }
};

}  // namespace

TEST_CASE("IF97 as evaluated in this test gives the check values of its release", "[fluids]") {
  CHECK(1.0 / if97(300.0, 3e6).density_kg_per_m3 == Approx(0.00100215168).epsilon(1e-9));
  CHECK(if97(300.0, 3e6).specific_heat_j_per_kg_k == Approx(4173.01218).epsilon(1e-9));
  CHECK(if97(300.0, 80e6).specific_heat_j_per_kg_k == Approx(4010.08987).epsilon(1e-9));
}

TEST_CASE("water follows IF97 from 5 to 95 degC: density to 6e-6, specific heat to 2.1e-5", "[fluids]") {
  const Fluid& water = find_fluid("water");
  CHECK(water.lowest_k == Approx(278.15));
  CHECK(water.highest_k == Approx(368.15));
  Worst worst;
  for (double t = water.lowest_k; t <= water.highest_k; t += 0.5) {
    const If97 theirs = if97(t, 101325.0);
    Worst::note(worst.density, water.density_kg_per_m3(t), theirs.density_kg_per_m3);
    Worst::note(worst.specific_heat, water.specific_heat_j_per_kg_k(t), theirs.specific_heat_j_per_kg_k);
  }
  CHECK(worst.density < 6e-6);
  CHECK(worst.specific_heat < 2.1e-5);
}

TEST_CASE("water meets the table of IAPWS properties at atmospheric pressure", "[fluids][reference]") {
  const Fluid& water = find_fluid("water");
  Worst worst;
  const auto rows = rows_of(wattloop::tests::reference_data() + "/equipment/water_if97_0p1MPa.csv");
  REQUIRE(rows.size() == 16);
  for (const auto& row : rows) {
    const double t = 273.15 + std::stod(row[0]);
    Worst::note(worst.density, water.density_kg_per_m3(t), std::stod(row[1]));
    Worst::note(worst.specific_heat, water.specific_heat_j_per_kg_k(t), 1e3 * std::stod(row[3]));
    Worst::note(worst.viscosity, water.viscosity_pa_s(t), 1e-3 * std::stod(row[4]));
    Worst::note(worst.conductivity, water.conductivity_w_per_m_k(t), std::stod(row[5]));
  }
  CHECK(worst.density < 6e-6);
  CHECK(worst.specific_heat < 2.1e-5);
  CHECK(worst.viscosity < 5e-5);     // two formulations of IAPWS: at 0.1 MPa and in general
  CHECK(worst.conductivity < 5e-5);  // the same
}

TEST_CASE("PG25 meets Melinder's correlations within the rounding of their table", "[fluids][reference]") {
  const Fluid& pg25 = find_fluid("pg25");
  Worst worst;
  int compared = 0;
  for (const auto& row : rows_of(wattloop::tests::reference_data() + "/equipment/coolant_pg25.csv")) {
    if (row[0] != "PG25vol") continue;
    const double t = 273.15 + std::stod(row[2]);
    Worst::note(worst.density, pg25.density_kg_per_m3(t), std::stod(row[3]));
    Worst::note(worst.specific_heat, pg25.specific_heat_j_per_kg_k(t), std::stod(row[4]));
    Worst::note(worst.conductivity, pg25.conductivity_w_per_m_k(t), std::stod(row[5]));
    Worst::note(worst.viscosity, pg25.viscosity_pa_s(t), 1e-3 * std::stod(row[6]));
    ++compared;
  }
  CHECK(compared == 9);
  CHECK(worst.density < 7e-5);
  CHECK(worst.specific_heat < 7e-5);
  CHECK(worst.viscosity < 7e-5);
  CHECK(worst.conductivity < 7e-5);
}

TEST_CASE("PG25 follows Melinder's correlations above the table, to 70 degC", "[fluids]") {
  struct Row {
    double celsius, density, specific_heat, viscosity, conductivity;
  };
  // The 18 coefficients of each property in [modelica_buildings], PropyleneGlycolWater, at a mass fraction of 0.2601: dx = -4.6931, dy = t - 32.7083.
  constexpr std::array rows{Row{65.0, 995.794, 4017.27, 8.21593e-4, 0.501888},
                            Row{70.0, 992.551, 4028.83, 7.53792e-4, 0.505989}};
  const Fluid& pg25 = find_fluid("pg25");
  CHECK(pg25.highest_k == Approx(343.15));
  Worst worst;
  for (const Row& row : rows) {
    const double t = 273.15 + row.celsius;
    Worst::note(worst.density, pg25.density_kg_per_m3(t), row.density);
    Worst::note(worst.specific_heat, pg25.specific_heat_j_per_kg_k(t), row.specific_heat);
    Worst::note(worst.viscosity, pg25.viscosity_pa_s(t), row.viscosity);
    Worst::note(worst.conductivity, pg25.conductivity_w_per_m_k(t), row.conductivity);
  }
  CHECK(worst.density < 2e-5);
  CHECK(worst.specific_heat < 2e-5);
  CHECK(worst.viscosity < 2e-4);
  CHECK(worst.conductivity < 2.5e-4);
}

TEST_CASE("instead of PG25, water would overstate the heat per litre by 3.7 % at 40 degC", "[fluids]") {
  const Fluid& water = find_fluid("water");
  const Fluid& pg25 = find_fluid("pg25");
  const auto per_volume = [](const Fluid& fluid) {
    return fluid.density_kg_per_m3(313.15) * fluid.specific_heat_j_per_kg_k(313.15);
  };
  CHECK(per_volume(water) / per_volume(pg25) == Approx(1.037).margin(5e-4));  // from the two tables
  CHECK(pg25.viscosity_pa_s(313.15) / water.viscosity_pa_s(313.15) == Approx(2.14).margin(5e-3));
}

TEST_CASE("a coolant is found by name, and one that is not there is answered with those that are", "[fluids]") {
  for (std::string_view name : fluid_names()) CHECK(find_fluid(name).name == name);
  CHECK_THROWS_AS(find_fluid("glycol"), std::invalid_argument);
  CHECK_THROWS_WITH(find_fluid("glycol"), Catch::Contains("water, pg25"));
}

TEST_CASE("air weighs what the gas law says at 25 degC", "[fluids]") {
  CHECK(air_density_kg_per_m3 == Approx(101325.0 / (287.042 * 298.15)).epsilon(5e-4));
}
