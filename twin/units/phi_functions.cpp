#include "twin/units/phi_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wattloop::twin {

namespace {

using Matrix = std::vector<double>;

Matrix product(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix c(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return c;
}

/// Sum of `weight` times matrix, plus `diagonal` on the diagonal.
Matrix combine(std::initializer_list<std::pair<double, const Matrix*>> terms, double diagonal, std::size_t n) {
  Matrix sum(n * n, 0.0);
  for (const auto& [weight, matrix] : terms) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight * (*matrix)[k];
  }
  for (std::size_t i = 0; i < n; ++i) sum[i * n + i] += diagonal;
  return sum;
}

/// Solves a x = b for all columns of b, by elimination with row pivoting.
Matrix solve(Matrix a, Matrix b, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k * n + j], b[pivot * n + j]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (std::size_t j = 0; j < n; ++j) b[i * n + j] -= factor * b[k * n + j];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = k + 1; i < n; ++i) b[k * n + j] -= a[k * n + i] * b[i * n + j];
      b[k * n + j] /= a[k * n + k];
    }
  }
  return b;
}

/// Largest sum of magnitudes in a column.
double one_norm(std::span<const double> a, std::size_t n) {
  double largest = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += std::abs(a[i * n + j]);
    if (!(sum <= largest)) largest = sum;
  }
  return largest;
}

}  // namespace

std::vector<double> matrix_exponential(std::span<const double> z, std::size_t n) {
  constexpr double largest_norm = 5.371920351148152;  // theta_13 of [higham2005]
  constexpr std::array b{64764752532480000.0,
                         32382376266240000.0,
                         7771770303897600.0,
                         1187353796428800.0,
                         129060195264000.0,
                         10559470521600.0,
                         670442572800.0,
                         33522128640.0,
                         1323241920.0,
                         40840800.0,
                         960960.0,
                         16380.0,
                         182.0,
                         1.0};
  const double norm = one_norm(z, n);
  if (!std::isfinite(norm)) return Matrix(n * n, norm);
  const int squarings = norm > largest_norm ? static_cast<int>(std::ceil(std::log2(norm / largest_norm))) : 0;
  Matrix a(z.begin(), z.end());
  for (double& value : a) value = std::ldexp(value, -squarings);

  const Matrix a2 = product(a, a, n), a4 = product(a2, a2, n), a6 = product(a2, a4, n);
  const Matrix u_high = product(a6, combine({{b[13], &a6}, {b[11], &a4}, {b[9], &a2}}, 0.0, n), n);
  const Matrix u = product(a, combine({{1.0, &u_high}, {b[7], &a6}, {b[5], &a4}, {b[3], &a2}}, b[1], n), n);
  const Matrix v_high = product(a6, combine({{b[12], &a6}, {b[10], &a4}, {b[8], &a2}}, 0.0, n), n);
  const Matrix v = combine({{1.0, &v_high}, {b[6], &a6}, {b[4], &a4}, {b[2], &a2}}, b[0], n);
  Matrix result = solve(combine({{1.0, &v}, {-1.0, &u}}, 0.0, n), combine({{1.0, &v}, {1.0, &u}}, 0.0, n), n);
  for (int k = 0; k < squarings; ++k) result = product(result, result, n);
  return result;
}

namespace {

/// phi_3 out of the exponential of a block matrix, the others from it by phi_k = 1/k! + z phi_{k+1}. Each of these steps takes what
/// rounding left of the one before times |z|: for stiff matrices nothing is left of phi_1.
PhiFunctions phi_by_recursion(std::span<const double> z, std::size_t size) {
  constexpr std::size_t blocks = 4;
  const std::size_t n = blocks * size;
  Matrix block(n * n, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) block[i * n + j] = z[i * size + j];
    for (std::size_t k = 0; k + 1 < blocks; ++k) block[(k * size + i) * n + (k + 1) * size + i] = 1.0;
  }
  const Matrix exponential = matrix_exponential(block, n);
  const Matrix z_matrix(z.begin(), z.end());
  PhiFunctions phi;
  phi.phi_3.resize(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) phi.phi_3[i * size + j] = exponential[i * n + 3 * size + j];
  }
  const Matrix z_phi_3 = product(z_matrix, phi.phi_3, size);
  phi.phi_2 = combine({{1.0, &z_phi_3}}, 0.5, size);
  const Matrix z_phi_2 = product(z_matrix, phi.phi_2, size);
  phi.phi_1 = combine({{1.0, &z_phi_2}}, 1.0, size);
  return phi;
}

/// The same for matrices of any norm: from a series of z / 2^s by doubling [skaflestad_wright2009], in which nothing cancels.
///
///   phi_k(2 z) = 2^-k (e^z phi_k(z) + sum_{j=1}^{k} phi_j(z) / (k - j)!)
PhiFunctions phi_by_doubling(std::span<const double> z, double norm, std::size_t size) {
  const int doublings = static_cast<int>(std::ceil(std::log2(norm)));
  Matrix scaled(z.begin(), z.end());
  for (double& value : scaled) value = std::ldexp(value, -doublings);
  constexpr int terms = 20;  // of a norm of 1: the next is 1/23!
  Matrix phi_3(size * size, 0.0);
  double factorial = 1.0;
  for (int k = 2; k <= terms + 3; ++k) factorial *= k;
  for (int k = terms; k >= 0; --k) {
    const Matrix higher = product(scaled, phi_3, size);
    phi_3 = combine({{1.0, &higher}}, 1.0 / factorial, size);
    factorial /= k + 3;
  }
  const Matrix z_phi_3 = product(scaled, phi_3, size);
  Matrix phi_2 = combine({{1.0, &z_phi_3}}, 0.5, size);
  const Matrix z_phi_2 = product(scaled, phi_2, size);
  Matrix phi_1 = combine({{1.0, &z_phi_2}}, 1.0, size);
  const Matrix z_phi_1 = product(scaled, phi_1, size);
  Matrix exponential = combine({{1.0, &z_phi_1}}, 1.0, size);
  for (int k = 0; k < doublings; ++k) {
    const Matrix of_3 = product(exponential, phi_3, size), of_2 = product(exponential, phi_2, size);
    const Matrix of_1 = product(exponential, phi_1, size);
    phi_3 = combine({{0.125, &of_3}, {0.0625, &phi_1}, {0.125, &phi_2}, {0.125, &phi_3}}, 0.0, size);
    phi_2 = combine({{0.25, &of_2}, {0.25, &phi_1}, {0.25, &phi_2}}, 0.0, size);
    phi_1 = combine({{0.5, &of_1}, {0.5, &phi_1}}, 0.0, size);
    exponential = product(exponential, exponential, size);
  }
  return {std::move(phi_1), std::move(phi_2), std::move(phi_3)};
}

}  // namespace

PhiFunctions phi_functions(std::span<const double> z, std::size_t size) {
  constexpr double largest_norm = 32.0;  // recursion is good to 1e-11 there
  const double norm = one_norm(z, size);
  return std::isfinite(norm) && norm > largest_norm ? phi_by_doubling(z, norm, size) : phi_by_recursion(z, size);
}

}  // namespace wattloop::twin
