// The batch scheduler against one by hand (tests/support/by_hand/queue_by_hand.hpp), which shares no code with it: 500 random lists of jobs on
// small clusters, all policies, priorities, time limits, nodes out of service, failures, reservations and budgets. And what EASY backfill
// promises [lifka1995]: the first job of the queue starts no later than if no other passed it and all ran until their limits.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/support/by_hand/queue_by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "workload/queue/queue_run.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using tests::QueueByHand;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::array placements{PlacementPolicy::packed, PlacementPolicy::spread, PlacementPolicy::coolest,
                                PlacementPolicy::power};

/// What a list of jobs has.
struct Kind {
  bool has_priorities, has_reservations, has_budgets, has_failures, is_lenient;
};

class Dice {
 public:
  explicit Dice(unsigned seed) : generator_(seed) {}
  int roll(int first, int last) { return std::uniform_int_distribution<int>(first, last)(generator_); }
  bool happens(double chance) { return std::uniform_real_distribution<double>()(generator_) < chance; }

 private:
  std::mt19937 generator_;
};

JobRequest any_job(Dice& dice, const Kind& kind, int nodes) {
  JobRequest job;
  job.nodes = static_cast<std::size_t>(dice.happens(0.4) ? dice.roll(1, nodes + 1) : dice.roll(1, 4));
  job.run_time_s = dice.roll(10, 900);
  if (dice.happens(0.85))
    job.time_limit_s = job.run_time_s + (dice.happens(0.7) ? dice.roll(0, 600) : -dice.roll(1, 9));
  if (kind.is_lenient && dice.happens(0.03)) job.run_time_s = never;
  if (kind.has_priorities) {
    job.priority = dice.roll(0, 2);
    job.is_preemptable = dice.happens(0.5);
  }
  if (kind.has_reservations && dice.happens(0.3)) job.reservation = dice.happens(0.5) ? "one" : "other";
  if (kind.has_budgets) job.node_power_w = 1000.0 * dice.roll(0, 8);
  return job;
}

Reservation any_reservation(Dice& dice, const std::string& name, int nodes) {
  Reservation reservation{.name = name};
  for (int node = 0; node < nodes; ++node) {
    if (dice.happens(0.3)) reservation.nodes.push_back(static_cast<std::size_t>(node));
  }
  reservation.from_s = dice.roll(0, 2000);
  reservation.to_s = reservation.from_s + dice.roll(1, 1500);
  return reservation;
}

tests::ByHandCluster any_cluster(unsigned seed, const Kind& kind) {
  Dice dice(seed);
  tests::ByHandCluster cluster;
  const int nodes = dice.roll(3, 12), rack = dice.roll(2, 5), racks_of_domain = dice.roll(1, 2);
  for (int node = 0; node < nodes; ++node) {
    cluster.nodes.rack_of_node.push_back(static_cast<std::uint32_t>(node / rack));
    cluster.nodes.domain_of_node.push_back(static_cast<std::uint32_t>(node / rack / racks_of_domain));
    cluster.node_rank.push_back(dice.roll(0, 5));
    cluster.is_in_service.push_back(dice.happens(0.9) ? 1 : 0);
  }
  cluster.scheduler.policy = dice.happens(0.25) ? QueuePolicy::first_come : QueuePolicy::backfill;
  cluster.scheduler.placement = placements[static_cast<std::size_t>(dice.roll(0, 3))];
  cluster.scheduler.interval_s = dice.happens(0.5) ? 30.0 : 20.0;
  if (kind.has_reservations) {
    for (const char* name : {"one", "other", "one"}) {
      cluster.scheduler.reservations.push_back(any_reservation(dice, name, nodes));
    }
  }
  if (kind.has_budgets) {
    for (std::uint32_t k = 0; k <= cluster.nodes.domain_of_node.back(); ++k) {
      cluster.budget_w.push_back(1000.0 * dice.roll(5, 30));
    }
  }
  double submit_s = -50.0;
  for (int k = 0; k < 30; ++k) {
    submit_s += dice.happens(0.2) ? 0.0 : dice.roll(0, 120);
    cluster.jobs.push_back(any_job(dice, kind, nodes));
    cluster.jobs.back().submit_s = submit_s;
  }
  cluster.checkpoint_interval_s = std::array{0.0, 50.0, never}[static_cast<std::size_t>(dice.roll(0, 2))];
  return cluster;
}

FailureParams any_failures() {
  return {.kinds = {{"node", 20000.0, true}, {"software", 30000.0, false}}, .repair_s = 700.0};
}

struct Compared {
  int lists = 0, decisions = 0, starts = 0, promises = 0;
  std::size_t backfilled = 0, preempted = 0, passed_over = 0;
};

/// Job after job and node after node; the first that differs, or nothing.
std::string difference(const QueueByHand& theirs, const QueueRunState& ours) {
  using By = QueueByHand::Job;
  std::vector<std::set<std::size_t>> nodes(theirs.jobs.size());
  for (std::size_t node = 0; node < ours.queue.where.slot_of_node.size(); ++node) {
    const std::uint32_t slot = ours.queue.where.slot_of_node[node];
    if (slot != Placement::free_node) nodes.at(ours.queue.slots.at(slot - 1).request).insert(node);
  }
  for (std::uint32_t job = 0; job < theirs.jobs.size(); ++job) {
    const QueueByHand::Job& it = theirs.jobs[job];
    const JobRecord& record = ours.queue.records[job];
    const bool is_over = record.is == JobIs::done || record.is == JobIs::over_limit;
    const bool is_waiting = record.is == JobIs::waiting;
    const bool is_same = record.starts == it.starts_s.size() &&
                         (record.starts == 0 || record.first_start_s == it.starts_s.front()) &&
                         is_over == (it.is == By::over) && is_waiting == (it.is == By::waiting) &&
                         (record.is == JobIs::running) == (it.is == By::running) && nodes[job] == it.nodes &&
                         (!is_over || std::abs(record.end_s - it.end_s) < 1e-6) &&
                         std::ranges::count(ours.queue.waiting, job) == (is_waiting ? 1 : 0);
    if (!is_same) return "job " + std::to_string(job);
  }
  for (const RunningJob& job : ours.queue.slots) {
    if (job.nodes != (job.request == RunningJob::no_job ? 0 : nodes[job.request].size())) return "number of nodes";
  }
  return "";
}

void run_both(unsigned seed, const Kind& kind, Compared& compared) {
  tests::ByHandCluster cluster = any_cluster(seed, kind);
  const FailureParams params = any_failures();
  const FailureProcess process(params, cluster.nodes.rack_of_node.size() * 2, seed);
  if (kind.has_failures) {
    cluster.repair_s = params.repair_s;
    for (FailureCounters counters = process.at_begin(); process.next_s(counters) < 20000.0;) {
      const double at_s = process.next_s(counters);
      const FailureProcess::Failure failure = process.take_next(counters);
      cluster.failures.push_back({at_s, failure.gpu / 2, failure.kind == 0});
    }
  }
  QueueByHand theirs(cluster);
  const QueueRun run(cluster.jobs, cluster.nodes, cluster.scheduler,
                     {.checkpoint_interval_s = cluster.checkpoint_interval_s,
                      .is_in_service = cluster.is_in_service,
                      .node_rank = cluster.node_rank,
                      .budget_w = cluster.budget_w,
                      .failures = kind.has_failures ? &process : nullptr,
                      .gpus_per_node = 2});
  QueueRunState ours = run.at_begin();
  for (int decision = 0; decision < 500 && !theirs.is_over(); ++decision) {
    theirs.step();
    run.advance(ours, theirs.now_s);
    INFO("seed " << seed << ", at " << theirs.now_s << " s");
    REQUIRE(difference(theirs, ours) == "");
    ++compared.decisions;
  }
  ++compared.lists;
  for (const QueueByHand::Job& job : theirs.jobs) compared.starts += static_cast<int>(job.starts_s.size());
  compared.backfilled += theirs.backfilled;
  compared.preempted += theirs.preempted;
  compared.passed_over += theirs.passed_over;
  if (kind.has_priorities || kind.has_failures || kind.has_reservations) return;
  for (const QueueByHand::Job& job : theirs.jobs) {
    if (job.promised_s == never || job.starts_s.empty()) continue;
    ++compared.promises;
    REQUIRE(job.starts_s.front() <= job.promised_s);
  }
}

}  // namespace

TEST_CASE("the scheduler starts the jobs of 500 random lists when and where one by hand does",
          "[verification][scheduler]") {
  Compared compared;
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const Kind kind{.has_priorities = seed % 2 == 0,
                    .has_reservations = seed % 5 == 0,
                    .has_budgets = seed % 3 == 0,
                    .has_failures = seed % 4 == 1,
                    .is_lenient = seed % 7 == 0};
    run_both(seed, kind, compared);
  }
  CHECK(compared.lists == 500);
  CHECK(compared.starts > 10000);
  CHECK(compared.backfilled > 1000);
  CHECK(compared.preempted > 200);
  CHECK(compared.passed_over > 100);
  CHECK(compared.promises > 500);
}
