#include "workload/transformer/lagged_levels.hpp"

#include <cmath>
#include <stdexcept>

namespace wattloop::workload {

void LaggedLevels::add(double duration_s, double level_w) {
  if (duration_s <= 0.0) return;
  if (count_ == most_parts) throw std::length_error("more levels than are thought of");
  parts_[count_++] = {.start_s = duration_s_, .duration_s = duration_s, .level_w = level_w};
  duration_s_ += duration_s;
}

void LaggedLevels::begin_at(double power_w) {
  energy_j_ = 0.0;
  for (std::size_t k = 0; k < count_; ++k) {
    Part& part = parts_[k];
    part.begin_w = power_w;
    part.energy_before_j = energy_j_;
    energy_j_ += energy_in_j(part, part.duration_s);
    power_w = power_in(part, part.duration_s);
  }
  end_w_ = power_w;
}

void LaggedLevels::begin_as_they_end() {
  constexpr int most_rounds = 1000;
  end_w_ = count_ > 0 ? parts_[count_ - 1].level_w : 0.0;
  for (int k = 0; k < most_rounds; ++k) {
    const double begin_w = end_w_;
    begin_at(begin_w);
    if (std::abs(end_w_ - begin_w) <= 1e-12 * begin_w) break;
  }
}

double LaggedLevels::energy_until_j(double after_s) const {
  if (count_ == 0) return 0.0;
  std::size_t k = count_ - 1;
  while (k > 0 && parts_[k].start_s > after_s) --k;
  return parts_[k].energy_before_j + energy_in_j(parts_[k], after_s - parts_[k].start_s);
}

double LaggedLevels::power_in(const Part& part, double after_s) const {
  const double tau = tau_s(part);
  return tau > 0.0 ? part.level_w + (part.begin_w - part.level_w) * std::exp(-after_s / tau) : part.level_w;
}

double LaggedLevels::energy_in_j(const Part& part, double after_s) const {
  const double tau = tau_s(part);
  const double lag_j = tau > 0.0 ? (part.begin_w - part.level_w) * tau * -std::expm1(-after_s / tau) : 0.0;
  return part.level_w * after_s + lag_j;
}

}  // namespace wattloop::workload
