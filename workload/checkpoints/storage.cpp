#include "workload/checkpoints/storage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace wattloop::workload {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

double limit_of_nodes_b_per_s(const StorageParams& storage, const Transfer& transfer) {
  return storage.per_node_b_per_s * transfer.nodes;
}

double bandwidth_b_per_s(const StorageParams& storage, bool is_read) {
  return is_read ? storage.read_b_per_s : storage.write_b_per_s;
}

}  // namespace

std::vector<double> max_min_rates(double bandwidth_per_s, std::span<const double> limits_per_s) {
  std::vector<std::size_t> order(limits_per_s.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t job) { return limits_per_s[job]; });
  std::vector<double> rates(limits_per_s.size());
  double left_per_s = bandwidth_per_s;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double level = left_per_s / static_cast<double>(order.size() - k);
    rates[order[k]] = std::min(limits_per_s[order[k]], level);
    left_per_s = std::max(0.0, left_per_s - rates[order[k]]);
  }
  return rates;
}

std::vector<double> transfer_rates_b_per_s(const StorageParams& storage, std::span<const Transfer> transfers) {
  std::vector<double> rates(transfers.size());
  for (const bool is_read : {false, true}) {
    std::vector<std::size_t> own;
    std::vector<double> limits;
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      if (transfers[k].is_read != is_read) continue;
      own.push_back(k);
      limits.push_back(limit_of_nodes_b_per_s(storage, transfers[k]));
    }
    const std::vector<double> shared = max_min_rates(bandwidth_b_per_s(storage, is_read), limits);
    for (std::size_t k = 0; k < own.size(); ++k) rates[own[k]] = shared[k];
  }
  return rates;
}

double transfer_s(const StorageParams& storage, const Transfer& transfer) {
  return transfer.bytes_b / transfer_rates_b_per_s(storage, std::span(&transfer, 1)).front();
}

bool is_limited_by_nodes(const StorageParams& storage, const Transfer& transfer) {
  return limit_of_nodes_b_per_s(storage, transfer) < bandwidth_b_per_s(storage, transfer.is_read);
}

std::size_t StorageEvents::begin(const Transfer& transfer) {
  if (transfer.start_s < now_s_) throw std::invalid_argument("a transfer cannot begin in the past");
  under_way_.push_back({transfer, transfer.bytes_b, never_s});
  share();
  return under_way_.size() - 1;
}

void StorageEvents::cancel(std::size_t number) {
  under_way_[number].is_over = true;
  share();
}

double StorageEvents::next_s() const {
  double next_s = never_s;
  for (const UnderWay& one : under_way_) {
    if (one.is_over) continue;
    const bool has_begun = one.transfer.start_s <= now_s_;
    next_s = std::min(next_s, has_begun ? now_s_ + one.left_b / one.rate_b_per_s : one.transfer.start_s);
  }
  return next_s;
}

void StorageEvents::advance(double t_s) {
  const double next = next_s();
  if (t_s < now_s_ || t_s > next) throw std::invalid_argument("storage goes from event to event");
  for (UnderWay& one : under_way_) {
    if (one.is_over || one.transfer.start_s > now_s_) continue;
    const bool ends = now_s_ + one.left_b / one.rate_b_per_s <= t_s;
    one.left_b = ends ? 0.0 : std::max(0.0, one.left_b - one.rate_b_per_s * (t_s - now_s_));
    if (!ends) continue;
    one.is_over = true;
    one.end_s = t_s;
  }
  now_s_ = t_s;
  share();
}

/// Rates from now on.
void StorageEvents::share() {
  std::vector<Transfer> now;
  std::vector<UnderWay*> of;
  for (UnderWay& one : under_way_) {
    if (one.is_over || one.transfer.start_s > now_s_) continue;
    now.push_back(one.transfer);
    of.push_back(&one);
  }
  const std::vector<double> rates = transfer_rates_b_per_s(storage_, now);
  for (std::size_t k = 0; k < of.size(); ++k) of[k]->rate_b_per_s = rates[k];
}

std::vector<double> transfer_ends_s(const StorageParams& storage, std::span<const Transfer> transfers) {
  StorageEvents events(storage);
  for (const Transfer& transfer : transfers) events.begin(transfer);
  for (double next = events.next_s(); next < never_s; next = events.next_s()) events.advance(next);
  std::vector<double> ends;
  for (std::size_t k = 0; k < transfers.size(); ++k) ends.push_back(events.end_s(k));
  return ends;
}

}  // namespace wattloop::workload
