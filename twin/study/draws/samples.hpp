// Samples of the unit interval by counter: the same seed and stream are the same samples on any machine.
//
// Latin hypercube: of n samples each of the n strata [k/n, (k+1)/n) has one, in an order of its own for every stream.
// Source: [mckay1979]. Verified in tests/unit/study/study_expansion.cpp: each stratum once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wattloop::twin {

/// Independent, from 0 to below 1.
std::vector<double> random_samples(std::size_t count, std::uint64_t seed, std::uint32_t stream);

/// One in each of `count` strata.
std::vector<double> stratified_samples(std::size_t count, std::uint64_t seed, std::uint32_t stream);

}  // namespace wattloop::twin
