// Sparse factors against the matrix that they are of: a solution is right if the matrix gives back what it was asked for.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/numbers/sparse_factors.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;

namespace {

constexpr std::size_t size = 60;

/// A ring of cells with a neighbour on either side, as columns; entries towards the next cell can be switched off.
struct Ring {
  std::vector<std::int64_t> column_starts{0}, rows;
  std::vector<double> values;

  Ring(unsigned seed, bool runs_backwards) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(0.2, 1.0);
    for (std::size_t column = 0; column < size; ++column) {
      const std::size_t before = (column + size - 1) % size, after = (column + 1) % size;
      std::vector<std::size_t> of_column{before, column, after};
      std::ranges::sort(of_column);
      for (const std::size_t row : of_column) {
        rows.push_back(static_cast<std::int64_t>(row));
        const double value = number(random);
        values.push_back(row == column ? 4.0 + value : row == before && !runs_backwards ? 0.0 : -value);
      }
      column_starts.push_back(static_cast<std::int64_t>(rows.size()));
    }
  }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> product(size, 0.0);
    for (std::size_t column = 0; column < size; ++column) {
      for (auto k = static_cast<std::size_t>(column_starts[column]);
           k < static_cast<std::size_t>(column_starts[column + 1]); ++k) {
        product[static_cast<std::size_t>(rows[k])] += values[k] * x[column];
      }
    }
    return product;
  }
};

std::vector<double> some_numbers() {
  std::vector<double> numbers(size);
  for (std::size_t k = 0; k < size; ++k) numbers[k] = std::cos(static_cast<double>(k));
  return numbers;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

std::vector<double> solved(SparseFactors& factors, std::size_t number = 0) {
  std::vector<double> x = some_numbers();
  factors.solve(x, number);
  return x;
}

}  // namespace

TEST_CASE("sparse factors solve, also where an entry that was zero is not any more, and the other way round",
          "[sparse]") {
  const Ring forwards(1, false), backwards(2, true), again(3, false);
  SparseFactors factors(forwards.column_starts, forwards.rows);
  REQUIRE(factors.factor(forwards.values));
  CHECK(largest_difference(forwards.times(solved(factors)), some_numbers()) < 1e-13);
  for (const Ring* ring : {&backwards, &again, &backwards, &forwards}) {
    REQUIRE(factors.refactor(ring->values));
    CHECK(largest_difference(ring->times(solved(factors)), some_numbers()) < 1e-13);
  }
}

TEST_CASE("factors do not depend on what was factored before", "[sparse]") {
  const Ring forwards(1, false), backwards(2, true);
  SparseFactors fresh(forwards.column_starts, forwards.rows), used(forwards.column_starts, forwards.rows);
  REQUIRE(used.factor(backwards.values));
  REQUIRE(used.refactor(forwards.values));
  REQUIRE(used.factor(forwards.values));
  REQUIRE(fresh.factor(forwards.values));
  CHECK(solved(used) == solved(fresh));
}

TEST_CASE("factors of several matrices stand side by side, until one comes with other zeros", "[sparse]") {
  const Ring first(1, false), second(2, false), backwards(3, true);
  SparseFactors factors(first.column_starts, first.rows, 3);
  REQUIRE(factors.factor(first.values, 0));
  REQUIRE(factors.factor(second.values, 2));
  CHECK_FALSE(factors.has(1));
  CHECK(largest_difference(first.times(solved(factors, 0)), some_numbers()) < 1e-13);
  CHECK(largest_difference(second.times(solved(factors, 2)), some_numbers()) < 1e-13);
  REQUIRE(factors.factor(backwards.values, 1));
  CHECK_FALSE(factors.has(0));
  CHECK_FALSE(factors.has(2));
  CHECK(largest_difference(backwards.times(solved(factors, 1)), some_numbers()) < 1e-13);
}

TEST_CASE("a singular matrix has no factors", "[sparse]") {
  Ring ring(1, true);
  std::fill_n(ring.values.begin() + ring.column_starts[7], 3, 0.0);
  SparseFactors factors(ring.column_starts, ring.rows);
  CHECK_FALSE(factors.factor(ring.values));
  CHECK_FALSE(factors.refactor(ring.values));
}
