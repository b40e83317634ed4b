// What work asks in the mean before a run, at any time: the steady state under it is where the work has brought a hall.
#pragma once

#include "workload/work/workload.hpp"

namespace wattloop::workload {

/// `work` must outlive it.
class MeanWork final : public Workload {
 public:
  explicit MeanWork(const Workload& work) : work_(work) {}
  double next_change_s(double) const override { return std::numeric_limits<double>::infinity(); }
  void sample(double, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    work_.mean_before(nodes, gpu_w, node_ac_w);
  }
  const JobQueue* queue() const override { return work_.queue(); }
  void prepare(double t_s, const JobsNow& jobs, SampleBasis& basis) const override { work_.prepare(t_s, jobs, basis); }
  void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                        const NodeWatts& of_nodes) const override {
    work_.mean_of(basis, nodes, gpu_w, of_nodes.ac_w);
    sum_gpus(nodes, gpu_w, of_nodes);
  }

 private:
  const Workload& work_;
};

}  // namespace wattloop::workload
