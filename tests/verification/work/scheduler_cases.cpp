// The batch scheduler in cases that are decided by hand: who passes the head of the queue, who gives way, which nodes a job gets.
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "workload/queue/queue_run.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
using Nodes = std::set<std::size_t>;

/// Twelve nodes, four in a rack.
ClusterNodes twelve_nodes() {
  ClusterNodes nodes;
  for (std::uint32_t node = 0; node < 12; ++node) nodes.rack_of_node.push_back(node / 4);
  return nodes;
}

JobRequest job(double submit_s, std::size_t nodes, double run_time_s, double time_limit_s, int priority = 0) {
  return {.submit_s = submit_s,
          .nodes = nodes,
          .run_time_s = run_time_s,
          .time_limit_s = time_limit_s,
          .priority = priority};
}

struct Queue {
  JobList jobs;
  SchedulerParams scheduler = {};
  QueueRunParams params = {};
  ClusterNodes nodes = twelve_nodes();
  QueueRunState state = {};
  QueueRun run{jobs, nodes, scheduler, params};

  explicit Queue(JobList list, SchedulerParams how = {}, QueueRunParams where = {},
                 ClusterNodes cluster = twelve_nodes())
      : jobs(std::move(list)), scheduler(std::move(how)), params(std::move(where)), nodes(std::move(cluster)) {
    state = run.at_begin();
  }
  Queue(const Queue&) = delete;

  Queue& until(double at_s) {
    run.advance(state, at_s);
    return *this;
  }
  double start_s(std::size_t number) const { return state.queue.records[number].first_start_s; }
  double end_s(std::size_t number) const { return state.queue.records[number].end_s; }
  bool runs(std::size_t number) const { return state.queue.records[number].is == JobIs::running; }
  Nodes nodes_of(std::size_t number) const {
    Nodes found;
    for (std::size_t node = 0; node < 12; ++node) {
      const std::uint32_t slot = state.queue.where.slot_of_node[node];
      if (slot != Placement::free_node && state.queue.slots[slot - 1].request == number) found.insert(node);
    }
    return found;
  }
};

}  // namespace

TEST_CASE("jobs start at decisions, end at their time, and leave nodes to the next decision",
          "[verification][scheduler]") {
  Queue queue({job(10.0, 12, 55.0, 100.0), job(11.0, 12, 200.0, 70.0), job(12.0, 13, 10.0, 10.0)});
  queue.until(never);
  CHECK(queue.start_s(0) == 30.0);
  CHECK(queue.end_s(0) == 85.0);
  CHECK(queue.start_s(1) == 90.0);
  CHECK(queue.end_s(1) == 160.0);
  CHECK(queue.state.queue.records[0].is == JobIs::done);
  CHECK(queue.state.queue.records[1].is == JobIs::over_limit);
  CHECK(queue.state.queue.records[2].is == JobIs::waiting);
  const QueueFigures figures = queue_figures(queue.jobs, queue.state);
  CHECK(figures.done == 1);
  CHECK(figures.over_limit == 1);
  CHECK(figures.unfinished == 1);
  CHECK(figures.mean_wait_s == (20.0 + 79.0) / 2.0);
  CHECK(figures.p50_wait_s == 20.0);
  CHECK(figures.p95_wait_s == 79.0);
  CHECK(figures.mean_slowdown == (75.0 / 55.0 + 149.0 / 70.0) / 2.0);
  CHECK(figures.makespan_s == 150.0);
  CHECK(figures.utilisation == 125.0 / 150.0);
}

TEST_CASE("a job passes the head of the queue if it ends in time or needs extra nodes only",
          "[verification][scheduler]") {
  const JobList jobs{job(0.0, 8, 600.0, 600.0),   // runs
                     job(1.0, 10, 100.0, 100.0),  // head: at 600 s, two nodes are extra
                     job(2.0, 3, 500.0, 590.0),   // too long for 3 nodes
                     job(3.0, 2, 900.0, never),   // extra nodes
                     job(4.0, 1, 900.0, never),   // no extra node is left
                     job(5.0, 2, 500.0, 570.0)};  // ends at 600 s
  Queue queue(jobs);
  queue.until(never);
  CHECK(queue.start_s(0) == 0.0);
  CHECK(queue.start_s(1) == 600.0);
  CHECK(queue.start_s(2) > 600.0);
  CHECK(queue.start_s(3) == 30.0);
  CHECK(queue.start_s(4) > 600.0);
  CHECK(queue.start_s(5) == 30.0);
  Queue strict(jobs, {.policy = QueuePolicy::first_come});
  strict.until(never);
  CHECK(strict.start_s(3) == 700.0 + 20.0);
}

TEST_CASE("no job passes a head whose time is unknown, and all pass one that cannot start",
          "[verification][scheduler]") {
  Queue unknown({job(0.0, 8, 600.0, never), job(1.0, 10, 100.0, 100.0), job(2.0, 1, 10.0, 10.0)});
  CHECK(unknown.until(never).start_s(2) == 600.0);
  Queue endless({job(0.0, 8, never, never), job(1.0, 10, 100.0, 100.0), job(2.0, 1, 10.0, 10.0)});
  endless.until(1e5);
  CHECK(endless.start_s(2) == 30.0);
  CHECK(endless.state.queue.records[1].is == JobIs::waiting);
  Queue drained({job(0.0, 12, 100.0, 100.0), job(1.0, 1, 10.0, 10.0)}, {},
                {.is_in_service = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}});
  CHECK(drained.until(1e5).start_s(1) == 30.0);
}

TEST_CASE("a job of higher priority takes the nodes of the fewest and youngest that it may",
          "[verification][scheduler]") {
  JobList jobs{job(-3.0, 5, 1e4, 1e4), job(-2.0, 3, 1e4, 1e4), job(-1.0, 3, 1e4, 1e4), job(10.0, 1, 1e4, 1e4),
               job(40.0, 3, 1e3, 1e3, 1)};
  for (std::size_t k = 0; k < 3; ++k) jobs[k].is_preemptable = true;
  Queue queue(jobs);
  queue.until(30.0);
  const Nodes young = queue.nodes_of(2);
  queue.until(60.0);
  CHECK(queue.runs(0));
  CHECK(queue.runs(1));
  CHECK_FALSE(queue.runs(2));
  CHECK(queue.nodes_of(4) == young);
  CHECK(queue.state.queue.records[2].node_time_s == 3.0 * 60.0);
  CHECK(queue.until(2000.0).runs(2));
  CHECK(queue.state.queue.records[2].starts == 2);
  jobs[4].nodes = 8;  // 5 + 3 nodes, not 5 + 3 + 3
  Queue large(jobs);
  large.until(60.0);
  CHECK(large.runs(1));
  CHECK_FALSE(large.runs(0));
  CHECK_FALSE(large.runs(2));
  jobs[4].priority = 0;
  Queue equal(jobs);
  CHECK_FALSE(equal.until(60.0).runs(4));
}

TEST_CASE("reserved nodes are kept for their jobs from the time at which others would still run",
          "[verification][scheduler]") {
  JobList jobs{job(0.0, 8, 90.0, 90.0), job(0.0, 1, 95.0, 95.0), job(1.0, 10, 50.0, 50.0), job(2.0, 10, 50.0, 50.0)};
  jobs[3].reservation = "course";
  Queue queue(jobs, {.reservations = {{"course", {0, 1, 2, 3}, 90.0, 1000.0}}});
  queue.until(0.0);
  CHECK(queue.nodes_of(0).contains(0) != queue.nodes_of(0).contains(11));
  CHECK_FALSE(queue.nodes_of(1).contains(0));
  queue.until(never);
  CHECK(queue.start_s(3) == 90.0);
  CHECK(queue.start_s(2) == 1020.0);
  JobList wrong = jobs;
  wrong[3].reservation = "curse";
  CHECK_THROWS_WITH(Scheduler(wrong, queue.nodes, queue.scheduler), Catch::Matchers::Contains("curse"));
}

TEST_CASE("a job waits until its domains have the power for its nodes", "[verification][scheduler]") {
  ClusterNodes nodes = twelve_nodes();
  nodes.domain_of_node = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  JobList jobs{job(0.0, 3, 100.0, 100.0), job(1.0, 5, 50.0, 50.0), job(2.0, 1, 10.0, 10.0)};
  for (JobRequest& each : jobs) each.node_power_w = 1000.0;
  Queue queue(jobs, {.placement = PlacementPolicy::power}, {.budget_w = {4000.0, 3000.0}}, nodes);
  queue.until(0.0);
  CHECK(queue.nodes_of(0) == Nodes{0, 1, 6});  // 4 kW, 3 kW and 3 kW, in turn
  queue.until(never);
  CHECK(queue.start_s(2) == 30.0);
  CHECK(queue.start_s(1) == 120.0);
}

TEST_CASE("nodes of a job are those of its placement", "[verification][scheduler]") {
  const ClusterNodes nodes = twelve_nodes();
  const std::vector<std::uint32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<double> rank{3, 2, 1, 0, 7, 6, 5, 4, 1, 1, 9, 9};
  using Taken = std::vector<std::uint32_t>;
  const auto ask = [&](PlacementPolicy policy, std::size_t count) {
    return PlacementAsk{.policy = policy, .nodes = count, .node_rank = rank};
  };
  CHECK(place(nodes, ask(PlacementPolicy::packed, 6), all) == Taken{0, 1, 2, 3, 4, 5});
  CHECK(place(nodes, ask(PlacementPolicy::packed, 2), {0, 1, 2, 3, 5, 6, 7, 8, 10}) == Taken{8, 10});
  CHECK(place(nodes, ask(PlacementPolicy::packed, 2), {0, 1, 2, 3, 4, 6, 7}) == Taken{6, 7});
  CHECK(place(nodes, ask(PlacementPolicy::packed, 5), {0, 1, 4, 5, 6, 7, 9}) == Taken{4, 5, 6, 7, 9});
  CHECK(place(nodes, ask(PlacementPolicy::spread, 5), all) == Taken{0, 1, 4, 5, 8});
  CHECK(place(nodes, ask(PlacementPolicy::spread, 4), {0, 4, 5, 6, 8}) == Taken{0, 4, 5, 8});
  CHECK(place(nodes, ask(PlacementPolicy::coolest, 4), all) == Taken{2, 3, 8, 9});
  CHECK(place(nodes, ask(PlacementPolicy::coolest, 13), all).empty());
}

TEST_CASE("decisions are due where something may have changed, and nowhere else", "[verification][scheduler]") {
  const JobList jobs{job(-5.0, 12, 100.0, 100.0), job(31.0, 12, 100.0, 100.0), job(60.0, 1, 100.0, 100.0)};
  const ClusterNodes nodes = twelve_nodes();
  const Scheduler scheduler(jobs, nodes, {});
  QueueState queue = scheduler.at_begin();
  CHECK(scheduler.next_decision_s(queue, -1.0) == 0.0);
  CHECK(scheduler.next_decision_s(queue, 0.0) == 30.0);
  REQUIRE(scheduler.decide(queue, 0.0, {}).size() == 1);
  CHECK(scheduler.next_decision_s(queue, 0.0) == 60.0);
  CHECK(scheduler.next_decision_s(queue, 59.0) == 60.0);
  CHECK(scheduler.decide(queue, 60.0, {}).empty());
  CHECK(scheduler.next_decision_s(queue, 60.0) == never);
  scheduler.end(queue, 0, 100.0, JobIs::done);
  CHECK(scheduler.next_decision_s(queue, 100.0) == 120.0);
  scheduler.decide(queue, 120.0, {});
  scheduler.requeue(queue, 0, 130.0, 10.0);
  CHECK(queue.waiting == std::vector<std::uint32_t>{1, 2});
  CHECK(queue.records[1].saved_s == 10.0);
  CHECK(scheduler.next_decision_s(queue, 130.0) == 150.0);
}
