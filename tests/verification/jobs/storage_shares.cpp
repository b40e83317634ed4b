// Clocks of jobs that share a storage, without a hall. By hand: 5.2 TB at 500 GB/s take 10.4 s, and two jobs at once 20.8 s, each at half of the
// bandwidth as long as both write. Against storage that is followed transfer by transfer without jobs (workload/checkpoints/storage.hpp).
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tests/support/catch.hpp"
#include "workload/checkpoints/storage.hpp"
#include "workload/training/training.hpp"
#include "workload/training/training_checkpoints.hpp"
#include "workload/training/training_schedule.hpp"
#include "workload/work/shared_storage.hpp"
#include "workload/work/storage_note.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr StorageParams wide{
    .is_given = true, .is_shared = true, .read_b_per_s = 1e12, .write_b_per_s = 5e11, .per_node_b_per_s = 1e12};
constexpr double never_s = std::numeric_limits<double>::infinity();

NodeSet nodes_of(int count) {
  NodeSet nodes;
  nodes.nodes = count;
  nodes.split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
  return nodes;
}

/// Saves 5.2 TB every 29 steps of 10 s: the first save begins at 290 s.
TrainingParams large_job() {
  TrainingParams params;
  params.step_s = 10.0;
  params.evaluation_s = params.evaluation_dip_s = params.gpu_noise_w = params.node_noise_w = params.gpu_spread_w = 0.0;
  params.checkpoint_band_w = params.stage_lag_s = 0.0;
  params.detection_s = 60.0;
  params.restart_s = 120.0;
  params.storage = wide;
  params.checkpoint.is_given = true;
  params.checkpoint.contents = "weights";
  params.checkpoint.parameters = 2.6e12;
  params.checkpoint.interval_s = 300.0;
  return params;
}

TrainingParams asynchronous_job(double interval_s) {
  TrainingParams params = large_job();
  params.checkpoint.mode = "asynchronous";
  params.checkpoint.stall_s = 2.0;
  params.checkpoint.interval_s = interval_s;
  return params;
}

/// Jobs from instant to instant, and the energy of a GPU of each.
class Jobs {
 public:
  explicit Jobs(const StorageParams& storage = wide) : storage_(storage) {}

  void add(const TrainingParams& params, int nodes = 4, double start_s = 0.0) {
    const NodeSet set = nodes_of(nodes);
    works_.push_back(make_training(with_checkpoints(params, set), set, 1));
    programs_.push_back(works_.back()->jobs().front().program);
    clocks_.push_back({.since_s = start_s});
    memories_.emplace_back();
    energy_j_.push_back(0.0);
  }

  /// Interrupts a job now, and looks at all of them.
  void interrupt(std::size_t job) {
    memories_[job].is_interrupted = true;
    act();
  }

  void until(double end_s) {
    while (now_s_ < end_s) {
      double next_s =
          std::min(end_s, next_share_s({storage_}, {programs_, clocks_, memories_}, now_s_, now_s_ + 600.0));
      for (const JobMemory& memory : memories_) {
        if (memory.due_s > now_s_) next_s = std::min(next_s, memory.due_s);
      }
      next_s = std::min(next_s, works_.front()->next_change_s(now_s_));
      for (std::size_t job = 0; job < works_.size(); ++job) energy_j_[job] += gpu_w(job) * (next_s - now_s_);
      now_s_ = next_s;
      act();
    }
  }

  double gpu_w(std::size_t job) const {
    SampleBasis basis;
    std::vector<double> gpu_w(8), ac_w(1), gpus_w(1);
    works_[job]->prepare(now_s_, {.clocks = std::span(&clocks_[job], 1)}, basis);
    works_[job]->sample_with_sums(basis, {0, 1}, gpu_w, {ac_w, gpus_w});
    return gpu_w.front();
  }
  double gpu_j(std::size_t job) const { return energy_j_[job]; }
  double wait_s(std::size_t job) const { return storage_wait_s(*programs_[job], clocks_[job], memories_[job], now_s_); }
  double gained_s(std::size_t job) const { return programs_[job]->progress(clocks_[job], now_s_).gained_s; }
  const JobMemory& memory(std::size_t job) const { return memories_[job]; }
  const StorageUse& use(std::size_t job) const { return *programs_[job]->storage_use(); }
  StorageTraffic traffic() const { return storage_traffic({programs_, clocks_, memories_}, now_s_); }

 private:
  void act() {
    for (std::size_t job = 0; job < works_.size(); ++job)
      advance(*programs_[job], clocks_[job], memories_[job], now_s_, false);
    share_storage({storage_}, programs_, clocks_, memories_, now_s_);
  }

  StorageParams storage_;
  double now_s_ = 0.0;
  std::vector<std::unique_ptr<Workload>> works_;
  std::vector<const SynchronousJob*> programs_;
  std::vector<JobClock> clocks_;
  std::vector<JobMemory> memories_;
  std::vector<double> energy_j_;
};

/// Of a GPU that computes and communicates for so long, from the begin of a step on.
double steps_j(const TrainingParams& params, double time_s) {
  const double steps = std::floor(time_s / params.step_s), computing_s = params.step_s * 0.944;
  const double busy_s = steps * computing_s + std::min(time_s - steps * params.step_s, computing_s);
  return busy_s * params.compute_gpu_w + (time_s - busy_s) * params.communication_gpu_w;
}

}  // namespace

TEST_CASE("jobs that save at once take as many times as long, with the energy of the longer dip",
          "[verification][storage_shares]") {
  for (const int count : {1, 2, 3}) {
    for (const double step_s : {10.0, 9.87}) {  // the second begins to save within a sample
      TrainingParams params = large_job();
      params.step_s = step_s;
      Jobs jobs;
      for (int job = 0; job < count; ++job) jobs.add(params);
      const double begin_s = 29.0 * step_s, save_s = 10.4 * count;
      jobs.until(begin_s + 5.0);
      CHECK_THAT(jobs.gpu_w(0), WithinRel(params.checkpoint_gpu_w, 1e-9));
      CHECK_THAT(jobs.traffic().write_b_per_s, WithinRel(5e11, 1e-9));
      jobs.until(500.0);
      for (int job = 0; job < count; ++job) {
        const auto k = static_cast<std::size_t>(job);
        CHECK_THAT(jobs.wait_s(k), WithinAbs(save_s - 10.4, 1e-9));
        CHECK_THAT(jobs.gained_s(k), WithinAbs(500.0 - (save_s - 10.4), 1e-9));
        CHECK_THAT(jobs.gpu_j(k), WithinRel(steps_j(params, begin_s) + save_s * params.checkpoint_gpu_w +
                                                steps_j(params, 500.0 - begin_s - save_s),
                                            1e-9));
      }
    }
  }
}

TEST_CASE("saves that begin one after the other share the storage while both write", "[verification][storage_shares]") {
  Jobs jobs;
  jobs.add(large_job());
  jobs.add(large_job(), 4, 5.0);
  jobs.until(500.0);
  // From 295 to 305.8 s both write: the first has 2.7 TB left, at 250 GB/s; then the second has 2.5 TB left, at 500 GB/s.
  for (const std::size_t job : {0, 1}) CHECK_THAT(jobs.wait_s(job), WithinAbs(5.4, 1e-9));
  CHECK_THAT(jobs.gained_s(0), WithinAbs(500.0 - 5.4, 1e-9));
  CHECK_THAT(jobs.gained_s(1), WithinAbs(495.0 - 5.4, 1e-9));
  jobs.until(3600.0);  // the second is 5 s behind to the end, each save as the first
  const double saves = std::floor(3600.0 / (290.0 + 15.8));
  CHECK_THAT(jobs.wait_s(0), WithinAbs(saves * 5.4, 1e-6));
}

TEST_CASE("a job that its nodes limit delays others by its own rate alone", "[verification][storage_shares]") {
  const StorageParams narrow{
      .is_given = true, .is_shared = true, .read_b_per_s = 1e11, .write_b_per_s = 1e11, .per_node_b_per_s = 4e10};
  Jobs jobs(narrow);
  TrainingParams params = large_job();
  params.storage = narrow;
  params.checkpoint.parameters = 2e11;
  jobs.add(params, 1);
  params.checkpoint.parameters = 5e11;
  jobs.add(params, 4);
  // 40 of 100 GB/s for ten seconds: the other has written 0.6 of its 1 TB then, and needs four seconds more.
  jobs.until(500.0);
  CHECK(jobs.wait_s(0) == 0.0);
  CHECK_THAT(jobs.wait_s(1), WithinAbs(4.0, 1e-9));
}

TEST_CASE("restarts read beside saves, and for longer where others read", "[verification][storage_shares]") {
  Jobs beside;
  beside.add(large_job());
  beside.add(large_job());
  beside.until(110.8);
  beside.interrupt(0);  // a minute to notice it, two to restart, then it reads from 290.8 to 296 s
  beside.until(292.0);
  CHECK(beside.traffic().read_b_per_s == 1e12);
  CHECK(beside.traffic().write_b_per_s == 5e11);
  beside.until(500.0);
  CHECK_THAT(beside.memory(0).stopped_in_all_s, WithinAbs(185.2, 1e-9));
  CHECK(beside.wait_s(0) == 0.0);
  CHECK(beside.wait_s(1) == 0.0);

  Jobs at_once;
  for (int job = 0; job < 2; ++job) at_once.add(large_job());
  at_once.until(100.0);
  at_once.interrupt(0);
  at_once.until(102.6);
  at_once.interrupt(1);
  // From 282.6 s, where the first has read a half, both read; at 287.8 s it is done, and the second has a half left.
  at_once.until(400.0);
  CHECK_THAT(at_once.wait_s(0), WithinAbs(2.6, 1e-9));
  CHECK_THAT(at_once.wait_s(1), WithinAbs(2.6, 1e-9));
  for (const std::size_t job : {0, 1}) CHECK_THAT(at_once.memory(job).stopped_in_all_s, WithinAbs(185.2, 1e-9));
  CHECK_THAT(at_once.gained_s(0), WithinAbs(400.0 - 100.0 - 185.2 - 2.6, 1e-9));

  Jobs again;  // interrupted while it reads, it waits no longer
  for (int job = 0; job < 2; ++job) again.add(large_job());
  again.until(100.0);
  for (const std::size_t job : {0, 1}) again.interrupt(job);
  again.until(284.0);  // both have read for 4 s, as much as alone in 2 s
  again.interrupt(0);
  again.until(600.0);
  CHECK_THAT(again.wait_s(0), WithinAbs(2.0, 1e-9));
  CHECK_THAT(again.memory(0).stopped_in_all_s, WithinAbs(184.0 - 2.0 + 185.2, 1e-9));
  CHECK_THAT(again.wait_s(1), WithinAbs(2.0, 1e-9));  // it has 3.2 s left, alone
}

TEST_CASE("what is written beside others is whole later, and a stop before that goes back to the save before it",
          "[verification][storage_shares]") {
  struct Case {
    double first_s, second_s;  ///< when they are interrupted
    double first_saved_s, second_saved_s;
  };
  // 30 steps, a stall of 2 s, then 5.2 TB: alone whole at 312.4 s, together at 322.8 s. What is left at 315 s, 1.95 TB, takes 3.9 s alone.
  for (const Case& at : {Case{315.0, 318.0, 0.0, 0.0}, Case{315.0, 320.0, 0.0, 302.0}, Case{322.0, 322.5, 0.0, 302.0},
                         Case{323.0, 324.0, 302.0, 302.0}, Case{312.5, 312.6, 0.0, 0.0}}) {
    Jobs jobs;
    for (int job = 0; job < 2; ++job) jobs.add(asynchronous_job(300.0));
    jobs.until(310.0);
    CHECK_THAT(jobs.gpu_w(0), WithinRel(613.0, 1e-9));  // GPUs go on meanwhile
    jobs.until(at.first_s);
    jobs.interrupt(0);
    jobs.until(at.second_s);
    jobs.interrupt(1);
    jobs.until(550.0);
    CAPTURE(at.first_s, at.second_s);
    CHECK_THAT(jobs.memory(0).redone_s, WithinAbs(at.first_s - at.first_saved_s, 1e-6));
    CHECK_THAT(jobs.memory(1).redone_s, WithinAbs(at.second_s - at.second_saved_s, 1e-6));
  }
}

TEST_CASE("an asynchronous save waits until the one before it is whole", "[verification][storage_shares]") {
  // Two steps and a stall of 2 s, but 20.8 s of writing: each save but the first waits 0.8 s, and begins 22.8 s after the one before.
  Jobs jobs;
  for (int job = 0; job < 2; ++job) jobs.add(asynchronous_job(15.0));
  jobs.until(200.0);
  for (const std::size_t job : {0, 1}) {
    CHECK_THAT(jobs.wait_s(job), WithinAbs(7.0 * 0.8, 1e-6));
    CHECK_THAT(jobs.gained_s(job), WithinAbs(200.0 - 7.0 * 0.8, 1e-6));
  }
  const TrainingParams params = large_job();
  const double in_saves_s = 8.0 * 2.0 + 7.0 * 0.8;  // the eighth is over at 181.6 s
  CHECK_THAT(jobs.gpu_j(0), WithinRel(8.0 * steps_j(params, 20.0) + in_saves_s * params.checkpoint_gpu_w +
                                          steps_j(params, 200.0 - 181.6),
                                      1e-6));
}

TEST_CASE("a job that never writes beside others has the clock that it has alone", "[verification][storage_shares]") {
  Jobs jobs;
  jobs.add(large_job());
  jobs.add(large_job(), 4, 100.0);
  CHECK(next_share_s({wide}, {}, 0.0, never_s) == never_s);
  jobs.until(2000.0);
  CHECK(jobs.wait_s(0) == 0.0);
  CHECK(jobs.wait_s(1) == 0.0);
  CHECK(jobs.gained_s(0) == 2000.0);
  CHECK(jobs.gained_s(1) == 1900.0);
}

TEST_CASE("saves of jobs end where the same transfers end without jobs", "[verification][storage_shares]") {
  const StorageParams storage{
      .is_given = true, .is_shared = true, .read_b_per_s = 1e12, .write_b_per_s = 5e11, .per_node_b_per_s = 6e10};
  constexpr double end_s = 500.0;
  for (int variant = 0; variant < 40; ++variant) {
    Jobs jobs(storage);
    std::vector<Transfer> transfers;
    for (int job = 0; job < 5; ++job) {
      TrainingParams params = large_job();
      params.storage = storage;
      params.step_s = 3.0 + 0.37 * ((7 * job + variant) % 11);
      params.checkpoint.parameters = 5e11 + 3e11 * ((3 * job + variant) % 7);
      const int nodes = 1 + job * (1 + variant % 3);
      const TrainingSchedule schedule = make_schedule(with_checkpoints(params, nodes_of(nodes)));
      jobs.add(params, nodes);
      transfers.push_back({.start_s = schedule.steps_per_checkpoint * params.step_s,
                           .bytes_b = params.checkpoint.parameters * 2.0,
                           .nodes = static_cast<double>(nodes)});
    }
    jobs.until(end_s);
    const std::vector<double> ends_s = transfer_ends_s(storage, transfers);
    for (std::size_t job = 0; job < transfers.size(); ++job) {
      CAPTURE(variant, job);
      REQUIRE(ends_s[job] < end_s);
      const double wait_s = ends_s[job] - transfers[job].start_s - transfer_s(storage, transfers[job]);
      CHECK_THAT(jobs.wait_s(job), WithinAbs(wait_s, 1e-6));
      CHECK_THAT(jobs.gained_s(job), WithinAbs(end_s - wait_s, 1e-6));
    }
  }
}

TEST_CASE("the note of a shared storage says how long the last of all takes", "[verification][storage_shares]") {
  Jobs jobs;
  jobs.add(large_job());
  CHECK(storage_note(std::vector{StorageUsers{"a", 2, jobs.use(0)}}) ==
        "2 jobs share a storage that reads 1 TB/s and writes 500 GB/s: if all save at the same time, a save takes up "
        "to 20.8 s instead of 10.4 s; if all restart, a read takes up to 10.4 s instead of 5.2 s");
  CHECK(storage_note(std::vector{StorageUsers{"a", 1, jobs.use(0)}}) ==
        "a is the only job that saves to a storage that reads 1 TB/s and writes 500 GB/s");
}
