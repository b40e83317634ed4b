#include "workload/work/shared_storage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "workload/checkpoints/storage.hpp"

namespace wattloop::workload {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();
constexpr double rounding_s = 1e-6;  ///< of the instant at which a read or a write begins or ends
constexpr double rounding = 1e-9;    ///< of bandwidths

/// A read or write in time.
struct Use {
  double begin_s, end_s;
  double alone_b_per_s;
  double fraction;  ///< of its rate alone, where it is under way

  bool is_under_way(double t_s) const { return begin_s <= t_s + rounding_s && end_s > t_s + rounding_s; }
};

/// Of a restart under way, or later in it.
Use read_of(const StorageUse& use, const JobMemory& memory) {
  if (!memory.is_restarting) return {never_s, never_s, use.read_b_per_s, 1.0};
  const double begin_s = memory.read_fraction < 1.0 ? -never_s : memory.due_s - use.read_s;
  return {begin_s, memory.due_s, use.read_b_per_s, memory.read_fraction};
}

Use write_of(const SynchronousJob& program, const JobClock& clock, double t_s) {
  const StorageWrite write = program.write_at(clock, t_s);
  return {write.begin_s, write.end_s, program.storage_use()->write_b_per_s, clock.write_fraction};
}

bool reads(const StorageJobs& jobs, std::size_t job, double now_s) {
  return read_of(*jobs.programs[job]->storage_use(), jobs.memories[job]).is_under_way(now_s);
}

bool writes(const StorageJobs& jobs, std::size_t job, double now_s) {
  return write_of(*jobs.programs[job], jobs.clocks[job], now_s).is_under_way(now_s);
}

/// With the bandwidths that are there. A job that waits for all of them has a rate that is nearly zero, so that its times stay finite.
StorageParams available(const StorageNow& now) {
  constexpr double smallest_fraction = 1e-6;
  const double fraction = std::clamp(now.available_fraction, smallest_fraction, 1.0);
  if (fraction == 1.0) return now.storage;
  StorageParams less = now.storage;
  less.read_b_per_s *= fraction;
  less.write_b_per_s *= fraction;
  return less;
}

/// Shares of their rates alone of those jobs that read, or write, now. [job], 1 of others
std::vector<double> fractions(const StorageNow& now, const StorageJobs& jobs, bool is_read, double now_s) {
  std::vector<Transfer> transfers;
  std::vector<std::size_t> of;
  for (std::size_t job = 0; job < jobs.programs.size(); ++job) {
    if (jobs.programs[job] == nullptr) continue;
    if (!(is_read ? reads(jobs, job, now_s) : writes(jobs, job, now_s))) continue;
    of.push_back(job);
    transfers.push_back({.nodes = jobs.programs[job]->storage_use()->nodes, .is_read = is_read});
  }
  std::vector<double> shares(jobs.programs.size(), 1.0);
  const std::vector<double> rates = transfer_rates_b_per_s(available(now), transfers);
  for (std::size_t k = 0; k < of.size(); ++k)
    shares[of[k]] = rates[k] / transfer_rates_b_per_s(now.storage, std::span(&transfers[k], 1)).front();
  return shares;
}

bool set_write(const SynchronousJob& program, double fraction, double now_s, JobClock& clock, JobMemory& memory) {
  const JobClock other = program.at_storage(clock, now_s, fraction);
  if (other.write_fraction == clock.write_fraction && other.save_wait_s == clock.save_wait_s) return false;
  memory.storage_wait_s += program.progress(clock, now_s).storage_wait_s;
  clock = other;
  memory.storage_wait_s -= program.progress(clock, now_s).storage_wait_s;
  return true;
}

bool set_read(double fraction, double now_s, JobMemory& memory) {
  if (fraction == memory.read_fraction) return false;
  const double due_s = now_s + (memory.due_s - now_s) * memory.read_fraction / fraction;
  memory.read_wait_s += due_s - memory.due_s;
  memory.due_s = due_s;
  memory.read_fraction = fraction;
  return true;
}

/// Next instant at which the shares of these change. They are sorted by begin here.
double next_change_s(double bandwidth_b_per_s, std::vector<Use>& uses, double now_s) {
  std::ranges::stable_sort(uses, {}, &Use::begin_s);
  const bool is_shared =
      std::ranges::any_of(uses, [&](const Use& use) { return use.is_under_way(now_s) && use.fraction < 1.0; });
  double next_s = never_s;
  for (std::size_t k = 0; k < uses.size(); ++k) {
    const double begin_s = uses[k].begin_s;
    if (is_shared && uses[k].is_under_way(now_s)) next_s = std::min(next_s, uses[k].end_s);
    if (begin_s <= now_s + rounding_s) continue;
    if (begin_s >= next_s) break;
    double asked_b_per_s = 0.0;
    for (std::size_t other = 0; other < uses.size() && uses[other].begin_s <= begin_s + rounding_s; ++other)
      asked_b_per_s += uses[other].is_under_way(begin_s) ? uses[other].alone_b_per_s : 0.0;
    if (asked_b_per_s > bandwidth_b_per_s * (1.0 + rounding)) next_s = begin_s;
  }
  return next_s;
}

}  // namespace

bool share_storage(const StorageNow& storage, std::span<const SynchronousJob* const> programs,
                   std::span<JobClock> clocks, std::span<JobMemory> memories, double now_s) {
  const StorageJobs jobs{programs, clocks, memories};
  const std::vector<double> of_writes = fractions(storage, jobs, false, now_s);
  const std::vector<double> of_reads = fractions(storage, jobs, true, now_s);
  bool has_changed = false;
  for (std::size_t job = 0; job < programs.size(); ++job) {
    if (programs[job] == nullptr) continue;
    has_changed = set_write(*programs[job], of_writes[job], now_s, clocks[job], memories[job]) || has_changed;
    if (reads(jobs, job, now_s)) has_changed = set_read(of_reads[job], now_s, memories[job]) || has_changed;
  }
  return has_changed;
}

double next_share_s(const StorageNow& storage, const StorageJobs& jobs, double now_s, double until_s) {
  const StorageParams there = available(storage);
  std::vector<Use> of_reads, of_writes;
  double next_s = never_s;
  for (std::size_t job = 0; job < jobs.programs.size(); ++job) {
    if (jobs.programs[job] == nullptr) continue;
    const SynchronousJob& program = *jobs.programs[job];
    const JobClock& clock = jobs.clocks[job];
    next_s = std::min(next_s, program.next_storage_change_s(clock, now_s));
    const Use read = read_of(*program.storage_use(), jobs.memories[job]);
    if (read.begin_s < until_s) of_reads.push_back(read);
    for (Use write = write_of(program, clock, now_s); write.begin_s < until_s;
         write = write_of(program, clock, write.end_s))
      of_writes.push_back(write);
  }
  next_s = std::min(next_s, next_change_s(there.read_b_per_s, of_reads, now_s));
  next_s = std::min(next_s, next_change_s(there.write_b_per_s, of_writes, now_s));
  return next_s < until_s ? next_s : never_s;
}

StorageTraffic storage_traffic(const StorageJobs& jobs, double now_s) {
  StorageTraffic sum;
  for (std::size_t job = 0; job < jobs.programs.size(); ++job) {
    if (jobs.programs[job] == nullptr) continue;
    const StorageUse& use = *jobs.programs[job]->storage_use();
    if (reads(jobs, job, now_s)) sum.read_b_per_s += use.read_b_per_s * jobs.memories[job].read_fraction;
    if (writes(jobs, job, now_s)) sum.write_b_per_s += use.write_b_per_s * jobs.clocks[job].write_fraction;
  }
  return sum;
}

double next_traffic_s(const StorageJobs& jobs, double now_s) {
  double next_s = never_s;
  const auto take = [&](const Use& use) {
    for (const double change_s : {use.begin_s, use.end_s})
      if (change_s > now_s + rounding_s) next_s = std::min(next_s, change_s);
  };
  for (std::size_t job = 0; job < jobs.programs.size(); ++job) {
    if (jobs.programs[job] == nullptr) continue;
    take(read_of(*jobs.programs[job]->storage_use(), jobs.memories[job]));
    take(write_of(*jobs.programs[job], jobs.clocks[job], now_s));
  }
  return next_s;
}

}  // namespace wattloop::workload
