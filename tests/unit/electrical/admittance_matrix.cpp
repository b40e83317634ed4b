// The admittance matrix of three buses by hand, and its factors against what it multiplies.
#include "electrical/admittance/admittance_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop::electrical;

namespace {

constexpr Complex impedance(0.01, 0.1), shunt(0.002, 0.04);

/// A triangle whose third side is there twice.
AcNetwork triangle() {
  return {.buses = {{"a", 1000.0}, {"b", 1000.0}, {"c", 1000.0}},
          .branches = {{.name = "ab", .from = 0, .to = 1},
                       {.name = "cb", .from = 2, .to = 1},
                       {.name = "ca", .from = 2, .to = 0},
                       {.name = "ac", .from = 0, .to = 2}}};
}

double largest(std::span<const Complex> one, std::span<const Complex> other) {
  double difference = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i) difference = std::max(difference, std::abs(one[i] - other[i]));
  return difference;
}

}  // namespace

TEST_CASE("a branch with a ratio and shunts draws what its ideal transformer and pi draw", "[admittance]") {
  AcNetwork network = triangle();
  AdmittanceMatrix matrix(network);
  matrix.add(1, two_port(impedance, shunt, 1.05));
  const std::vector<Complex> voltage{Complex(0.7), Complex(0.95, -0.05), Complex(1.02, 0.01)};
  std::vector<Complex> current(3);
  matrix.multiply(voltage, current);
  const Complex behind = voltage[2] / 1.05, series = (behind - voltage[1]) / impedance;
  const std::vector<Complex> expected{0.0, 0.5 * shunt * voltage[1] - series, (0.5 * shunt * behind + series) / 1.05};
  CHECK(largest(current, expected) < 1e-13);
}

TEST_CASE("parallel branches and shunts add up, and factors solve what the matrix multiplies", "[admittance]") {
  const AcNetwork network = triangle();
  AdmittanceMatrix matrix(network);
  for (std::size_t branch = 0; branch < 4; ++branch) matrix.add(branch, two_port(impedance, shunt, 1.0));
  CHECK(matrix.rows().size() == 9);
  CHECK(std::abs(matrix.values()[matrix.diagonal(0)] - 3.0 * (1.0 / impedance + 0.5 * shunt)) < 1e-12);
  const std::vector<Complex> voltage{Complex(1.0), Complex(0.95, -0.05), Complex(0.9, 0.1)};
  std::vector<Complex> current(3);
  matrix.multiply(voltage, current);
  AdmittanceFactors factors(matrix);
  factors.take(matrix);
  REQUIRE(factors.factor());
  factors.solve(current);
  CHECK(largest(current, voltage) < 1e-12);
  matrix.clear();
  matrix.multiply(voltage, current);
  CHECK(largest(current, std::vector<Complex>(3)) == 0.0);
}

TEST_CASE("a bus that is fixed has the voltage of the right side, and a block is added at its bus", "[admittance]") {
  const AcNetwork network = triangle();
  AdmittanceMatrix matrix(network);
  for (std::size_t branch = 0; branch < 4; ++branch) matrix.add(branch, two_port(impedance, shunt, 1.0));
  AdmittanceFactors factors(matrix);
  factors.take(matrix);
  factors.fix(matrix, 0);
  factors.add(2, {0.3, 0.0, 0.0, -0.3});  // conj(V) times 0.3
  REQUIRE(factors.factor());
  std::vector<Complex> solved{Complex(1.0, 0.2), Complex(0.5), Complex(0.0, -0.5)}, current(3);
  const std::vector<Complex> right = solved;
  factors.solve(solved);
  CHECK(std::abs(solved[0] - right[0]) < 1e-14);
  matrix.multiply(solved, current);
  CHECK(std::abs(current[1] - right[1]) < 1e-12);
  CHECK(std::abs(current[2] + 0.3 * std::conj(solved[2]) - right[2]) < 1e-12);
}
