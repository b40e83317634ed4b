#include "workload/failures/failure_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop::workload {

namespace {

constexpr std::uint32_t failure_stream = 5;

/// Uniform in [0, 1) from 53 random bits.
double uniform_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

}  // namespace

FailureProcess::FailureProcess(const FailureParams& params, std::size_t gpus, std::uint64_t seed)
    : params_(params), gpus_(gpus), key_(random_key(seed, failure_stream)) {}

RandomCounter FailureProcess::drawn(std::size_t kind, std::uint64_t number) const {
  return philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                 static_cast<std::uint32_t>(kind), 0},
                key_);
}

double FailureProcess::pause_s(std::size_t kind, std::uint64_t number) const {
  const RandomCounter words = drawn(kind, number);
  return -std::log1p(-uniform_of(words[0], words[1])) * params_.kinds[kind].mean_time_s / static_cast<double>(gpus_);
}

FailureCounters FailureProcess::at_begin() const {
  FailureCounters counters;
  for (std::size_t kind = 0; kind < params_.kinds.size(); ++kind) {
    counters.number.push_back(0);
    counters.next_s.push_back(pause_s(kind, 0));
  }
  return counters;
}

double FailureProcess::next_s(const FailureCounters& counters) const {
  return counters.next_s.empty() ? std::numeric_limits<double>::infinity() : std::ranges::min(counters.next_s);
}

FailureProcess::Failure FailureProcess::take_next(FailureCounters& counters) const {
  const auto first = std::ranges::min_element(counters.next_s);
  const auto kind = static_cast<std::size_t>(first - counters.next_s.begin());
  const RandomCounter words = drawn(kind, counters.number[kind]);
  const auto gpu = static_cast<std::size_t>(uniform_of(words[2], words[3]) * static_cast<double>(gpus_));
  *first += pause_s(kind, ++counters.number[kind]);
  return {kind, gpu};
}

}  // namespace wattloop::workload
