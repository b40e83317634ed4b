#include "workload/work/storage_note.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "workload/checkpoints/storage.hpp"

namespace wattloop::workload {

namespace {

/// "20.8 s instead of 10.4 s".
std::string at_once_text(std::span<const StorageUsers> users, bool is_read) {
  std::vector<Transfer> transfers;
  std::vector<double> alone_s;
  for (const StorageUsers& one : users) {
    const double time_s = is_read ? one.use.read_s : one.use.write_s;
    const double bytes_b = time_s * (is_read ? one.use.read_b_per_s : one.use.write_b_per_s);
    for (std::size_t k = 0; k < one.count; ++k) {
      transfers.push_back({.bytes_b = bytes_b, .nodes = one.use.nodes, .is_read = is_read});
      alone_s.push_back(time_s);
    }
  }
  const std::vector<double> ends_s = transfer_ends_s(users.front().use.storage, transfers);
  std::size_t longest = 0;
  for (std::size_t k = 1; k < ends_s.size(); ++k) {
    if (ends_s[k] - alone_s[k] > ends_s[longest] - alone_s[longest]) longest = k;
  }
  return fmt::format("{} instead of {}", format_quantity(ends_s[longest], "s"), format_quantity(alone_s[longest], "s"));
}

}  // namespace

std::string storage_note(std::span<const StorageUsers> users) {
  const StorageParams& storage = users.front().use.storage;
  std::size_t jobs = 0;
  for (const StorageUsers& one : users) jobs += one.count;
  const std::string bandwidths =
      fmt::format("a storage that reads {} and writes {}", format_quantity(storage.read_b_per_s, "B/s"),
                  format_quantity(storage.write_b_per_s, "B/s"));
  if (jobs == 1) return fmt::format("{} is the only job that saves to {}", users.front().name, bandwidths);
  constexpr std::size_t most_jobs = 1000;  // each end is an event
  if (jobs > most_jobs) return fmt::format("{} jobs share {}", jobs, bandwidths);
  return fmt::format(
      "{} jobs share {}: if all save at the same time, a save takes up to {}; if all restart, a read takes up to {}",
      jobs, bandwidths, at_once_text(users, false), at_once_text(users, true));
}

}  // namespace wattloop::workload
