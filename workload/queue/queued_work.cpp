#include "workload/queue/queued_work.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "workload/work/work_by_nodes.hpp"

namespace wattloop::workload {

namespace {

class QueuedWork final : public Workload {
 public:
  QueuedWork(std::vector<ProgramsOfNodes> groups, JobQueue queue, std::vector<WattsContain> contents)
      : groups_(std::move(groups)), queue_(std::move(queue)), contents_(std::move(contents)) {
    const auto differs = [&](const WattsContain& one) {
      return one.leakage != contents_.front().leakage || one.fans != contents_.front().fans;
    };
    do_contents_differ_ = std::ranges::any_of(contents_, differs);
    std::size_t first = 0;
    for (const ProgramsOfNodes& group : groups_) {
      first_node_.push_back(first);
      first += group.nodes;
    }
    for (std::size_t program = 0; program < groups_.front().programs.size(); ++program) {
      const std::vector<JobNodes> jobs = groups_.front().programs[program]->jobs();
      const SynchronousJob* clock = jobs.empty() ? nullptr : jobs.front().program;
      has_clock_.push_back(clock != nullptr);
      queue_.programs.push_back(clock != nullptr ? clock : &independent_);
      for (const ProgramsOfNodes& group : groups_)
        by_nodes_.push_back(dynamic_cast<const WorkByNodes*>(group.programs[program].get()));
    }
  }

  double next_change_s(double t_s) const override {
    double next_s = std::numeric_limits<double>::infinity();
    for (const ProgramsOfNodes& group : groups_) {
      for (const auto& program : group.programs) next_s = std::min(next_s, program->next_change_s(t_s));
    }
    return next_s;
  }

  const JobQueue* queue() const override { return &queue_; }

  bool has_contents_by_node() const override { return do_contents_differ_; }
  WattsContain contents(std::size_t node, const Placement& where) const override {
    const std::uint32_t slot = where.is_fixed() ? Placement::free_node : where.slot_of_node[node];
    return slot == Placement::free_node ? WattsContain{} : contents_[where.program_of_slot[slot - 1]];
  }

  /// Without jobs.
  void sample(double, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    be_idle(group_of(nodes), {nodes, gpu_w, {node_ac_w, {}}});
  }

  void mean_of(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
               std::span<double> node_ac_w) const override {
    for_each_part(basis, nodes, gpu_w, {node_ac_w, {}},
                  [](const Part& part, const SampleBasis&, const Workload& program) {
                    program.mean_before(part.nodes, part.gpu_w, part.of_nodes.ac_w);
                  });
  }

  void prepare(double t_s, const JobsNow& jobs, SampleBasis& basis) const override {
    basis.t_s = t_s;
    basis.slot_of_node.clear();
    if (jobs.where == nullptr || jobs.where->is_fixed()) return;
    const Placement& where = *jobs.where;
    basis.slot_of_node = where.slot_of_node;
    const std::size_t slots = where.program_of_slot.size();
    basis.numbers.assign(slots * (1 + 2 * groups_.size()), 0.0);
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const std::span of_nodes = std::span(basis.slot_of_node).subspan(first_node_[group], groups_[group].nodes);
      for (std::size_t node = 0, end = 0; node < of_nodes.size(); node = end) {
        const std::uint32_t slot = of_nodes[node];
        for (end = node + 1; end < of_nodes.size() && of_nodes[end] == slot;) ++end;
        if (slot == Placement::free_node) continue;
        basis.numbers[slot - 1] = where.program_of_slot[slot - 1];
        const std::span<double> ends = nodes_in(basis, slot - 1, group, slots);
        if (ends[1] == 0.0) ends[0] = static_cast<double>(node);
        ends[1] = static_cast<double>(end);
      }
    }
    basis.of_groups.resize(slots * groups_.size());
    for (std::size_t slot = 0; slot < slots; ++slot) {
      for (std::size_t group = 0; group < groups_.size(); ++group) {
        const std::span<const double> ends = nodes_in(basis, slot, group, slots);
        if (ends[1] == 0.0) continue;
        const auto first = static_cast<std::size_t>(ends[0]), end = static_cast<std::size_t>(ends[1]);
        prepare_job(t_s, jobs, slot, group, {first, end - first}, basis);
      }
    }
  }

  SampleShares shares(const SampleBasis& basis, std::size_t node) const override {
    const std::size_t group = group_of({node, 1});
    const std::uint32_t slot = slot_of(basis, node);
    if (slot == Placement::free_node) return {};
    return program_in(basis, slot, group).shares(basis_in(basis, slot, group), node - first_node_[group]);
  }

  double computing_w(std::size_t node, std::size_t gpu, const Placement& where) const override {
    const std::size_t group = group_of({node, 1});
    const std::uint32_t slot = where.is_fixed() ? Placement::free_node : where.slot_of_node[node];
    if (slot == Placement::free_node) return 0.0;
    const Workload& program = *groups_[group].programs[where.program_of_slot[slot - 1]];
    return program.computing_w(node - first_node_[group], gpu, where);
  }

  /// Of whichever job it may have.
  double most_computing_w(std::size_t node) const override {
    const std::size_t group = group_of({node, 1});
    double most_w = 0.0;
    for (const auto& program : groups_[group].programs)
      most_w = std::max(most_w, program->most_computing_w(node - first_node_[group]));
    return most_w;
  }

  void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                        const NodeWatts& of_nodes) const override {
    for_each_part(basis, nodes, gpu_w, of_nodes,
                  [&](const Part& part, const SampleBasis& own, const Workload& program) {
                    program.sample_with_sums(own, part.nodes, part.gpu_w, part.of_nodes);
                  });
  }

  std::size_t nodes_at_once() const override {
    std::size_t nodes = 1;
    for (const ProgramsOfNodes& group : groups_) {
      for (const auto& program : group.programs) nodes = std::max(nodes, program->nodes_at_once());
    }
    return nodes;
  }

 private:
  /// Nodes side by side that have one job or none.
  struct Part {
    NodeRange nodes;  ///< of their group
    std::span<double> gpu_w;
    NodeWatts of_nodes;
  };

  static std::uint32_t slot_of(const SampleBasis& basis, std::size_t node) {
    return basis.slot_of_node.empty() ? Placement::free_node : basis.slot_of_node[node];
  }
  const Workload& program_in(const SampleBasis& basis, std::uint32_t slot, std::size_t group) const {
    return *groups_[group].programs[static_cast<std::size_t>(basis.numbers[slot - 1])];
  }
  const SampleBasis& basis_in(const SampleBasis& basis, std::uint32_t slot, std::size_t group) const {
    return basis.of_groups[(slot - 1) * groups_.size() + group];
  }

  /// Numbers of a basis are [slot] program, then [slot][group] first node of its job in the group, and 1 more than the last.
  std::span<double> nodes_in(SampleBasis& basis, std::size_t slot, std::size_t group, std::size_t slots) const {
    return std::span(basis.numbers).subspan(slots + 2 * (slot * groups_.size() + group), 2);
  }

  /// `nodes` of the group: from the first to the last of the job.
  void prepare_job(double t_s, const JobsNow& jobs, std::size_t slot, std::size_t group, NodeRange nodes,
                   SampleBasis& basis) const {
    const auto program = static_cast<std::size_t>(basis.numbers[slot]);
    const Workload& work = *groups_[group].programs[program];
    SampleBasis& own = basis.of_groups[slot * groups_.size() + group];
    const JobClock& clock = jobs.clocks[slot];
    const double at_s = has_clock_[program] ? t_s : clock.position_s + (t_s - clock.since_s);
    const JobsNow job = has_clock_[program] ? JobsNow{.clocks = jobs.clocks.subspan(slot, 1)} : JobsNow{};
    const WorkByNodes* by_nodes = by_nodes_[program * groups_.size() + group];
    by_nodes != nullptr ? by_nodes->prepare_nodes(at_s, job, nodes, own) : work.prepare(at_s, job, own);
  }

  /// act(part, basis, program) for the nodes of each job; others are idle.
  template <class Act>
  void for_each_part(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w, const NodeWatts& of_nodes,
                     const Act& act) const {
    const std::size_t group = group_of(nodes), gpus = gpu_w.size() / nodes.count;
    for (std::size_t first = 0, count = 0; first < nodes.count; first += count) {
      const std::uint32_t slot = slot_of(basis, nodes.first + first);
      count = 1;
      while (first + count < nodes.count && slot_of(basis, nodes.first + first + count) == slot) ++count;
      const Part part{{nodes.first + first - first_node_[group], count},
                      gpu_w.subspan(first * gpus, count * gpus),
                      {of_nodes.ac_w.subspan(first, count),
                       of_nodes.gpus_w.empty() ? of_nodes.gpus_w : of_nodes.gpus_w.subspan(first, count)}};
      if (slot == Placement::free_node)
        be_idle(group, part);
      else
        act(part, basis_in(basis, slot, group), program_in(basis, slot, group));
    }
  }

  void be_idle(std::size_t group, const Part& part) const {
    const NodeSplitParams& split = groups_[group].split;
    const std::size_t gpus = part.gpu_w.size() / part.nodes.count;
    const double gpus_w = static_cast<double>(gpus) * split.gpu_idle_w;
    std::ranges::fill(part.gpu_w, split.gpu_idle_w);
    std::ranges::fill(part.of_nodes.gpus_w, gpus_w);
    std::ranges::fill(part.of_nodes.ac_w, node_from_gpus_w(split, gpus_w));
  }

  std::size_t group_of(NodeRange nodes) const {
    const auto next = std::ranges::upper_bound(first_node_, nodes.first);
    const auto group = static_cast<std::size_t>(next - first_node_.begin()) - 1;
    if (nodes.first + nodes.count > first_node_[group] + groups_[group].nodes)
      throw std::invalid_argument("nodes of two groups were asked for together");
    return group;
  }

  std::vector<ProgramsOfNodes> groups_;
  JobQueue queue_;
  IndependentJob independent_;
  std::vector<WattsContain> contents_;  ///< [program]
  bool do_contents_differ_ = false;
  std::vector<std::size_t> first_node_;       ///< [group]
  std::vector<bool> has_clock_;               ///< [program]
  std::vector<const WorkByNodes*> by_nodes_;  ///< [program][group]; null: prepared for all nodes
};

}  // namespace

std::unique_ptr<Workload> make_queued_work(std::vector<ProgramsOfNodes> groups, JobQueue queue,
                                           std::vector<WattsContain> contents) {
  if (groups.empty()) throw std::invalid_argument("work of no nodes");
  return std::make_unique<QueuedWork>(std::move(groups), std::move(queue), std::move(contents));
}

}  // namespace wattloop::workload
