// A queue by hand: decision by decision, with sets of nodes, every question answered by looking at all nodes and all jobs again. It shares
// with ours the structs that say what is asked, and no code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "workload/queue/scheduler.hpp"

namespace wattloop::tests {

struct ByHandFailure {
  double at_s = 0.0;
  std::size_t node = 0;
  bool takes_node = true;
};

struct ByHandCluster {
  workload::JobList jobs = {};
  workload::ClusterNodes nodes = {};
  workload::SchedulerParams scheduler = {};
  std::vector<double> node_rank = {}, budget_w = {};
  std::vector<std::uint8_t> is_in_service = {};
  double checkpoint_interval_s = 0.0, repair_s = 0.0;
  std::vector<ByHandFailure> failures = {};
};

class QueueByHand {
 public:
  explicit QueueByHand(const ByHandCluster& cluster);

  /// To the next decision, that decision included.
  void step();

  struct Job {
    enum { to_come, waiting, running, over } is = to_come;
    std::set<std::size_t> nodes = {};
    double start_s = 0.0, saved_s = 0.0, end_s = 0.0;
    double promised_s =
        std::numeric_limits<double>::infinity();  ///< when it was to start, since it was first in the queue
    std::vector<double> starts_s = {};
  };
  double now_s = 0.0;
  std::vector<Job> jobs = {};
  std::size_t backfilled = 0, preempted = 0, passed_over = 0;

  bool is_over() const;

 private:
  using Set = std::set<std::size_t>;
  double ends_at_s(std::size_t job) const;
  double limit_at_s(std::size_t job) const;
  void stop(std::size_t job, double at_s);
  void events_until_now();
  void decide();
  bool may_have(std::size_t job, std::size_t node, double at_s) const;
  bool fits(std::size_t job, const Set& free, std::vector<double> power_w, double at_s) const;
  bool fits_when_over(std::size_t job, double at_s) const;
  bool fits_without(std::size_t job, const Set& victims) const;
  std::vector<double> power_now_w(const Set& without) const;
  Set free_now() const;
  Set pick(std::size_t job) const;
  std::vector<std::size_t> can_have(std::size_t job) const;
  Set pick_packed(Set free, std::size_t count) const;
  Set pick_spread(const std::vector<std::size_t>& can, std::size_t count) const;
  Set pick_by_power(const std::vector<std::size_t>& can, std::size_t job) const;
  void start(std::size_t job, const Set& on);
  std::optional<Set> victims_of(std::size_t job) const;
  double shadow_s(std::size_t job) const;
  std::size_t domain(std::size_t node) const;

  const ByHandCluster& c_;
  std::vector<double> back_s_;
  std::size_t next_failure_ = 0;
  long tick_ = -1;
};

}  // namespace wattloop::tests
