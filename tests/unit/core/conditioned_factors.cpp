// Factors that keep their pivots while these are good, against solutions that are known.
#include "core/numbers/conditioned_factors.hpp"

#include <array>
#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop;

namespace {

/// | a 1 |
/// | 1 b |
struct TwoByTwo {
  std::array<std::int64_t, 3> starts{0, 2, 4};
  std::array<std::int64_t, 4> rows{0, 1, 0, 1};
  std::array<double, 4> values{};
  TwoByTwo(double a, double b) : values{a, 1.0, 1.0, b} {}
  SparseColumns columns() const { return {starts, rows, values}; }
};

using Outcome = ConditionedFactors::Outcome;

}  // namespace

TEST_CASE("factors solve, also where the pivots of the matrix before are none for this one", "[factors]") {
  for (const auto order : {ConditionedFactors::Order::columns, ConditionedFactors::Order::symmetric}) {
    ConditionedFactors factors(order);
    for (const auto& [a, b] : {std::pair(4.0, 3.0), std::pair(4.5, 3.0), std::pair(1e-6, 3.0), std::pair(5.0, -2.0)}) {
      CAPTURE(a, b);
      const TwoByTwo matrix(a, b);
      REQUIRE(factors.factor(matrix.columns()) == Outcome::good);
      std::vector<double> x{a * 2.0 + 7.0, 2.0 + b * 7.0};  // of the solution (2, 7)
      REQUIRE(factors.solve(x));
      CHECK(x[0] == Approx(2.0).epsilon(1e-9));
      CHECK(x[1] == Approx(7.0).epsilon(1e-9));
    }
  }
}

TEST_CASE("a singular matrix has no factors, and the next one may have them", "[factors]") {
  ConditionedFactors factors(ConditionedFactors::Order::columns);
  REQUIRE(factors.factor(TwoByTwo(4.0, 3.0).columns()) == Outcome::good);
  CHECK(factors.factor(TwoByTwo(1.0, 1.0).columns()) != Outcome::good);
  factors.forget();
  REQUIRE(factors.factor(TwoByTwo(2.0, 3.0).columns()) == Outcome::good);
  std::vector<double> x{2.0 * 1.0 + 1.0, 1.0 + 3.0};
  REQUIRE(factors.solve(x));
  CHECK(x[0] == Approx(1.0));
}
