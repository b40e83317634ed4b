// A scenario in code for tests of the plant: one rack of eight H100 nodes on one CDU. Figures are those of the hardware
// library, rounded; tests that need exact ones read the library.
#pragma once

#include <span>

#include "twin/scenario/specs/scenario.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::tests {

twin::Scenario one_rack_scenario();

/// Every GPU asks for `gpu_w`, every node for `node_w`, without limit.
class ConstantWork final : public workload::Workload {
 public:
  ConstantWork(double gpu_w, double node_w) : gpu_w_(gpu_w), node_w_(node_w) {}
  double next_change_s(double t_s) const override;
  void sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
              std::span<double> node_ac_w) const override;

 private:
  double gpu_w_, node_w_;
};

/// GPUs and nodes jump between two levels every `period_s` / 2; node k is ahead by k / 8 of a period.
class SquareWork final : public workload::Workload {
 public:
  explicit SquareWork(double period_s) : half_s_(period_s / 2.0) {}
  double next_change_s(double t_s) const override;
  void sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
              std::span<double> node_ac_w) const override;

 private:
  double half_s_;
};

}  // namespace wattloop::tests
