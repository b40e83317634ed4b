// Of what share of a figure's variance is each input the cause? First order: by itself; total: with all that it does together with others.
//
//   V = variance of f over A and B,    AB_i = A with column i of B
//   S_i  = sum (f(B) - mean) (f(AB_i) - f(A)) / (N V)        S_Ti = sum (f(A) - f(AB_i))^2 / (2 N V)
//
// Source: [saltelli2010] for the first and the design of N (d + 2) runs, [jansen1999] for the second. A and B are the halves of one Sobol sequence, moved by one
// random shift for each dimension modulo 1 [cranley_patterson1976]. Intervals: percentiles of bootstrap samples of rows [efron_tibshirani1993]; rows
// of the sequence are spread more evenly than independent ones, so that intervals are on the wide side.
// Verified in tests/unit/study/search_methods.cpp against Ishigami's function and a sum of squares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wattloop::twin {

struct SobolDesign {
  std::size_t samples = 0;  ///< N
  std::size_t inputs = 0;   ///< d

  std::size_t size() const { return samples * (inputs + 2); }
};

/// Inputs of all runs, each from 0 to below 1: for each sample A, B, AB_1 ... AB_d.
std::vector<std::vector<double>> sobol_shares(const SobolDesign& design, std::uint64_t seed);

struct SobolIndex {
  double first = 0.0, total = 0.0;
  double first_low = 0.0, first_high = 0.0;  ///< of its interval
  double total_low = 0.0, total_high = 0.0;
};

struct Bootstrap {
  std::size_t draws = 1000;
  double share = 0.95;  ///< of draws within the interval
  std::uint64_t seed = 1;
};

/// Indices of each input: [input]. `values` are in the order of `sobol_shares`. A sample with a value that is not a number is left out.
/// The indices are not numbers where fewer than two samples are left, or where the values do not vary.
std::vector<SobolIndex> sobol_indices(const SobolDesign& design, std::span<const double> values,
                                      const Bootstrap& bootstrap = {});

}  // namespace wattloop::twin
