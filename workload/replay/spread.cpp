#include "workload/replay/spread.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numbers/random.hpp"
#include "core/numbers/series.hpp"

namespace wattloop::workload {

namespace {

enum Stream : std::uint32_t { node_stream = 4, copy_stream = 5 };

double uniform_of(RandomKey key, std::size_t index) {
  return uniform(philox({static_cast<std::uint32_t>(index), 0, 0, 0}, key)[0]);
}

}  // namespace

std::vector<double> spread_delays_s(const SpreadParams& params, const Followers& followers, std::uint64_t seed) {
  if (params.phase_jitter_s == 0.0 && params.copy_delay_s == 0.0) return {};
  const RandomKey node_key = random_key(seed, node_stream), copy_key = random_key(seed, copy_stream);
  std::vector<double> delays_s;
  for (std::size_t i = 0; i < followers.count; ++i) {
    const std::size_t copy = i / followers.columns;
    double delay_s = params.phase_jitter_s * uniform_of(node_key, i / followers.per_node);
    if (copy > 0) delay_s += params.copy_delay_s * uniform_of(copy_key, copy);
    delays_s.push_back(delay_s);
  }
  return delays_s;
}

SpreadTrace::SpreadTrace(std::vector<double> stamps_s, double duration_s, std::vector<double> power_w,
                         std::vector<double> delays_s, bool with_energies)
    : stamps_s_(std::move(stamps_s)),
      duration_s_(duration_s),
      columns_(power_w.size() / stamps_s_.size()),
      power_w_(std::move(power_w)),
      delays_s_(std::move(delays_s)) {
  if (delays_s_.empty() && !with_energies) return;
  for (double& delay_s : delays_s_) delay_s = std::fmod(delay_s, duration_s_);
  energy_j_.assign(columns_, 0.0);
  for (std::size_t i = 0; i < power_w_.size(); ++i) {
    const std::size_t row = i / columns_;
    const double end_s = row + 1 < stamps_s_.size() ? stamps_s_[row + 1] : duration_s_;
    energy_j_.push_back(energy_j_[i] + power_w_[i] * (end_s - stamps_s_[row]));
  }
}

double SpreadTrace::mean_w(std::size_t row, std::size_t column, std::size_t follower) const noexcept {
  const double delay_s = delays_s_.empty() ? 0.0 : delays_s_[follower];
  if (delay_s == 0.0) return power_w_[row * columns_ + column];
  const double from_s = stamps_s_[row];
  const double to_s = row + 1 < stamps_s_.size() ? stamps_s_[row + 1] : duration_s_;
  const double energy_j = energy_until_j(to_s - delay_s, column) - energy_until_j(from_s - delay_s, column);
  return energy_j / (to_s - from_s);
}

double SpreadTrace::mean_between_w(double from_s, double to_s, std::size_t column,
                                   std::size_t follower) const noexcept {
  const double delay_s = delays_s_.empty() ? 0.0 : delays_s_[follower];
  const double lap_j = energy_j_[stamps_s_.size() * columns_ + column];
  const auto until_j = [&](double t_s) {
    const double laps = std::floor(t_s / duration_s_);
    const double local_s = std::clamp(t_s - laps * duration_s_, 0.0, duration_s_);
    return laps * lap_j + energy_until_j(local_s, column);
  };
  return (until_j(to_s - delay_s) - until_j(from_s - delay_s)) / (to_s - from_s);
}

std::optional<std::size_t> SpreadTrace::row_between(double from_s, double to_s) const noexcept {
  const double laps = std::floor((from_s + boundary_slack_s) / duration_s_), start_s = laps * duration_s_;
  const std::size_t row = sample_at(stamps_s_, from_s - start_s);
  const double end_s = row + 1 < stamps_s_.size() ? stamps_s_[row + 1] : duration_s_;
  const bool is_row = std::abs(from_s - start_s - stamps_s_[row]) < boundary_slack_s &&
                      std::abs(to_s - start_s - end_s) < boundary_slack_s;
  return is_row ? std::optional(row) : std::nullopt;
}

double SpreadTrace::mean_until_w(double end_s, std::size_t column) const noexcept {
  double energy_j = 0.0;
  for (std::size_t row = 0; row < stamps_s_.size() && stamps_s_[row] < end_s; ++row) {
    const double until_s = row + 1 < stamps_s_.size() ? stamps_s_[row + 1] : duration_s_;
    energy_j += power_w_[row * columns_ + column] * (std::min(until_s, end_s) - stamps_s_[row]);
  }
  return energy_j / end_s;
}

/// Rows of a regular trace follow from division, others are looked for.
std::size_t SpreadTrace::row_at(double t_s) const noexcept {
  const auto guess = static_cast<std::size_t>(t_s / duration_s_ * static_cast<double>(stamps_s_.size()));
  if (guess + 1 < stamps_s_.size() && stamps_s_[guess] <= t_s && t_s < stamps_s_[guess + 1]) return guess;
  return sample_at(stamps_s_, t_s);
}

/// From the first stamp; below 0 for times before it, where the column is what it is at its end.
double SpreadTrace::energy_until_j(double t_s, std::size_t column) const noexcept {
  const double lap_j = energy_j_[stamps_s_.size() * columns_ + column];
  const bool is_before = t_s < 0.0;
  const double local_s = is_before ? t_s + duration_s_ : t_s;
  const std::size_t row = row_at(local_s);
  const double energy_j =
      energy_j_[row * columns_ + column] + power_w_[row * columns_ + column] * (local_s - stamps_s_[row]);
  return is_before ? energy_j - lap_j : energy_j;
}

}  // namespace wattloop::workload
