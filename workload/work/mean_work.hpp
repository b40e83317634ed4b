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

 private:
  const Workload& work_;
};

}  // namespace wattloop::workload
