// Phi functions and the exponential of small matrices against closed forms.

#include "twin/units/phi_functions.hpp"

#include <array>
#include <cmath>
#include <random>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;

namespace {

/// phi_k of a number by its power series.
double phi_series(int k, double z) {
  double term = 1.0;
  for (int j = 2; j <= k; ++j) term /= j;
  double sum = 0.0;
  for (int n = 0; n < 60; ++n) {
    sum += term;
    term *= z / (n + 1 + k);
  }
  return sum;
}

}  // namespace

TEST_CASE("phi functions of a number are those of its power series", "[phi]") {
  for (const double z : {0.0, 1e-12, -1e-3, 0.3, -1.2, 2.0, -5.0}) {
    INFO("z = " << z);
    const PhiFunctions phi = phi_functions(std::vector{z}, 1);
    CHECK(phi.phi_1[0] == Approx(phi_series(1, z)).epsilon(1e-13));
    CHECK(phi.phi_2[0] == Approx(phi_series(2, z)).epsilon(1e-13));
    CHECK(phi.phi_3[0] == Approx(phi_series(3, z)).epsilon(1e-13));
  }
}

TEST_CASE("phi functions of a fast decay are those of its limit", "[phi]") {
  for (const double z : {-40.0, -1e3, -1e5}) {
    INFO("z = " << z);
    const PhiFunctions phi = phi_functions(std::vector{z}, 1);
    const double phi_1 = std::expm1(z) / z;
    CHECK(phi.phi_1[0] == Approx(phi_1).epsilon(1e-12));
    CHECK(phi.phi_2[0] == Approx((phi_1 - 1.0) / z).epsilon(1e-10));
    CHECK(phi.phi_3[0] == Approx(((phi_1 - 1.0) / z - 0.5) / z).epsilon(1e-12));
  }
}

// f(J) = f(a) (J - b) / (a - b) + f(b) (J - a) / (b - a) for eigenvalues a and b. A unit of a tenth of a millisecond, over 10 ms to 5 s.
TEST_CASE("phi functions of a stiff matrix are those of its eigenvalues", "[phi]") {
  const std::array<double, 4> rates{-5000.0, 5000.0, 5000.0, -5830.0};
  const double middle = 0.5 * (rates[0] + rates[3]);
  const double root = std::sqrt(middle * middle - rates[0] * rates[3] + rates[1] * rates[2]);
  for (const double h : {0.01, 0.1, 1.0, 5.0}) {
    const double a = h * (middle + root), b = h * (middle - root);
    std::vector<double> z;
    for (const double rate : rates) z.push_back(h * rate);
    const PhiFunctions phi = phi_functions(z, 2);
    for (std::size_t k = 0; k < 4; ++k) {
      const double one = k == 0 || k == 3 ? 1.0 : 0.0;
      const auto value = [&](const auto& f) { return (f(a) * (z[k] - b * one) - f(b) * (z[k] - a * one)) / (a - b); };
      const auto phi_1 = [](double x) { return std::expm1(x) / x; };
      const auto phi_2 = [&](double x) { return (phi_1(x) - 1.0) / x; };
      INFO("h = " << h << ", entry " << k);
      CHECK(phi.phi_1[k] == Approx(value(phi_1)).epsilon(1e-10));
      CHECK(phi.phi_2[k] == Approx(value(phi_2)).epsilon(1e-10));
    }
  }
}

// [[a, 1], [0, a]]: a function of it has f(a) on the diagonal and f'(a) above it.
TEST_CASE("functions of a Jordan block have their derivative beside the diagonal", "[phi]") {
  for (const double a : {-3.0, -0.1, 0.0, 1.5}) {
    INFO("a = " << a);
    const std::vector<double> block{a, 1.0, 0.0, a};
    const std::vector<double> exponential = matrix_exponential(block, 2);
    CHECK(exponential[0] == Approx(std::exp(a)).epsilon(1e-14));
    CHECK(exponential[1] == Approx(std::exp(a)).epsilon(1e-14));
    CHECK(exponential[2] == 0.0);
    const PhiFunctions phi = phi_functions(block, 2);
    const double step = 1e-4;
    CHECK(phi.phi_2[1] == Approx((phi_series(2, a + step) - phi_series(2, a - step)) / (2.0 * step)).epsilon(1e-7));
    CHECK(phi.phi_3[1] == Approx((phi_series(3, a + step) - phi_series(3, a - step)) / (2.0 * step)).epsilon(1e-7));
  }
}

// Rotation by an angle, and its inverse.
TEST_CASE("the exponential of a skew matrix is a rotation", "[phi]") {
  for (const double angle : {0.5, 3.0, 20.0}) {
    const std::vector<double> exponential = matrix_exponential(std::vector{0.0, -angle, angle, 0.0}, 2);
    CHECK(exponential[0] == Approx(std::cos(angle)).margin(1e-13));
    CHECK(exponential[1] == Approx(-std::sin(angle)).margin(1e-13));
    CHECK(exponential[2] == Approx(std::sin(angle)).margin(1e-13));
  }
}

TEST_CASE("the exponentials of a matrix and of its negative undo one another", "[phi]") {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> entry(-2.0, 2.0);
  for (const std::size_t size : {2u, 3u, 7u}) {
    std::vector<double> matrix(size * size), negative;
    for (double& value : matrix) value = entry(engine);
    for (const double value : matrix) negative.push_back(-value);
    const std::vector<double> there = matrix_exponential(matrix, size), back = matrix_exponential(negative, size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        double product = 0.0;
        for (std::size_t k = 0; k < size; ++k) product += there[i * size + k] * back[k * size + j];
        CHECK(product == Approx(i == j ? 1.0 : 0.0).margin(1e-9));
      }
    }
  }
}
