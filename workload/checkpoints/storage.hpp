// Storage that jobs share: rates at which they read and write at once, and when each is done.
//
//   rate_j = min(limit_j, level)        the highest level with sum of rates <= bandwidth (max-min fair, progressive filling [bertsekas1992])
//
// Reads share the bandwidth of reading, writes that of writing. The limit of a job is that of its nodes together. Verified in
// tests/verification/work/storage.cpp. Documented in docs/models/checkpoints.md.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "workload/checkpoints/checkpoint_parameters.hpp"

namespace wattloop::workload {

/// Max-min fair rates of what shares a bandwidth. limits_per_s [job], may be infinite.
std::vector<double> max_min_rates(double bandwidth_per_s, std::span<const double> limits_per_s);

/// Bytes that a job reads or writes.
struct Transfer {
  double start_s = 0.0;
  double bytes_b = 0.0;
  double nodes = 1.0;  ///< that read or write at once
  bool is_read = false;
};

/// Rates of transfers under way at once. [transfer]
std::vector<double> transfer_rates_b_per_s(const StorageParams& storage, std::span<const Transfer> transfers);

/// Time of a transfer that has the storage for itself.
double transfer_s(const StorageParams& storage, const Transfer& transfer);

/// Whether the nodes limit a transfer that has the storage for itself, not the storage.
bool is_limited_by_nodes(const StorageParams& storage, const Transfer& transfer);

/// Transfers of several jobs, from event to event: rates change where one begins or ends.
class StorageEvents {
 public:
  explicit StorageEvents(const StorageParams& storage) : storage_(storage) {}

  /// Number of a transfer that begins at its start, not before now.
  std::size_t begin(const Transfer& transfer);

  /// Gives up a transfer that has not ended.
  void cancel(std::size_t number);

  /// When the next transfer begins or ends; infinity: none is left.
  double next_s() const;

  /// Goes on to a time that is not after `next_s`.
  void advance(double t_s);

  /// When a transfer ended; infinity: it has not.
  double end_s(std::size_t number) const { return under_way_[number].end_s; }

 private:
  struct UnderWay {
    Transfer transfer;
    double left_b;
    double end_s;
    bool is_over = false;
    double rate_b_per_s = 0.0;
  };
  void share();

  StorageParams storage_;
  double now_s_ = 0.0;
  std::vector<UnderWay> under_way_;
};

/// When each of these transfers ends. [transfer]
std::vector<double> transfer_ends_s(const StorageParams& storage, std::span<const Transfer> transfers);

}  // namespace wattloop::workload
