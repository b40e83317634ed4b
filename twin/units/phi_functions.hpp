// The phi functions of exponential integrators, for small dense matrices:
//
//   phi_0(z) = e^z,   phi_k(z) = (phi_{k-1}(z) - I/(k-1)!) / z,   phi_k(0) = I/k!
//
// phi_0 ... phi_3 are the first block row of one exponential, of [[z, I, 0, 0], [0, 0, I, 0], [0, 0, 0, I], [0, 0, 0, 0]]
// [sidje1998]; the exponential by scaling, squaring and the Pade approximant of order 13 [higham2005]. phi_2 and phi_1 are
// then taken from phi_3 by the relation above, so that it holds to rounding and energy balances built on it close. For matrices of
// large norm, units far faster than a sample, that would leave little of phi_1: there all three come by doubling [skaflestad_wright2009].
// Verified in tests/unit/plant/phi_functions.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattloop::twin {

/// Square matrices by rows.
struct PhiFunctions {
  std::vector<double> phi_1, phi_2, phi_3;
};

/// phi_1 ... phi_3 of the `size` x `size` matrix `z`.
PhiFunctions phi_functions(std::span<const double> z, std::size_t size);

/// e^z of the `size` x `size` matrix `z`, by rows.
std::vector<double> matrix_exponential(std::span<const double> z, std::size_t size);

}  // namespace wattloop::twin
