#include "workload/work_of_groups.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wattloop::workload {

namespace {

class WorkOfGroups final : public Workload {
 public:
  explicit WorkOfGroups(std::vector<GroupWork> groups) : groups_(std::move(groups)) {
    std::size_t first = 0;
    for (const GroupWork& group : groups_) {
      first_node_.push_back(first);
      first += group.nodes;
    }
  }

  double next_change_s(double t_s) const override {
    double next_s = std::numeric_limits<double>::infinity();
    for (const GroupWork& group : groups_) next_s = std::min(next_s, group.work->next_change_s(t_s));
    return next_s;
  }

  void sample(double t_s, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const std::size_t group = group_of(nodes);
    groups_[group].work->sample(t_s, {nodes.first - first_node_[group], nodes.count}, gpu_w, node_ac_w);
  }

  void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const std::size_t group = group_of(nodes);
    groups_[group].work->mean_before({nodes.first - first_node_[group], nodes.count}, gpu_w, node_ac_w);
  }

  std::vector<JobNodes> jobs() const override {
    std::vector<JobNodes> jobs;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      jobs.resize(std::max(jobs.size(), groups_[group].job + 1));
      JobNodes& job = jobs[groups_[group].job];
      for (const JobNodes& own : groups_[group].work->jobs()) {
        if (job.program == nullptr) job.program = own.program;
        job.nodes.push_back({first_node_[group], groups_[group].nodes});
      }
    }
    return jobs;
  }

  std::vector<TestedNodes> tests() const override {
    std::vector<TestedNodes> tests;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (const TestedNodes& own : groups_[group].work->tests())
        tests.push_back({own.test, first_node_[group] + own.first_node});
    }
    return tests;
  }

  void prepare(double t_s, const JobsNow& jobs, SampleBasis& basis) const override {
    basis.t_s = t_s;
    basis.of_groups.resize(groups_.size());
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const std::span<const JobClock> all = jobs.clocks;
      groups_[group].work->prepare(t_s, {all.empty() ? all : all.subspan(groups_[group].job, 1)},
                                   basis.of_groups[group]);
    }
  }

  SampleShares shares(const SampleBasis& basis, std::size_t node) const override {
    const std::size_t group = group_of({node, 1});
    return groups_[group].work->shares(basis.of_groups[group], node - first_node_[group]);
  }
  double computing_w(std::size_t node, std::size_t gpu, const Placement& where) const override {
    const std::size_t group = group_of({node, 1});
    return groups_[group].work->computing_w(node - first_node_[group], gpu, where);
  }
  double most_computing_w(std::size_t node) const override {
    const std::size_t group = group_of({node, 1});
    return groups_[group].work->most_computing_w(node - first_node_[group]);
  }

  void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                        const NodeWatts& of_nodes) const override {
    const std::size_t group = group_of(nodes);
    groups_[group].work->sample_with_sums(basis.of_groups[group], {nodes.first - first_node_[group], nodes.count},
                                          gpu_w, of_nodes);
  }

  std::size_t nodes_at_once() const override {
    std::size_t nodes = 1;
    for (const GroupWork& group : groups_) nodes = std::max(nodes, group.work->nodes_at_once());
    return nodes;
  }

 private:
  std::size_t group_of(NodeRange nodes) const {
    const auto next = std::ranges::upper_bound(first_node_, nodes.first);
    const auto group = static_cast<std::size_t>(next - first_node_.begin()) - 1;
    if (nodes.first + nodes.count > first_node_[group] + groups_[group].nodes)
      throw std::invalid_argument("nodes of two groups were asked for together");
    return group;
  }

  std::vector<GroupWork> groups_;
  std::vector<std::size_t> first_node_;
};

}  // namespace

std::unique_ptr<Workload> make_work_of_groups(std::vector<GroupWork> groups) {
  if (groups.empty()) throw std::invalid_argument("work of no nodes");
  if (groups.size() == 1) return std::move(groups.front().work);
  return std::make_unique<WorkOfGroups>(std::move(groups));
}

}  // namespace wattloop::workload
