// A hall in which no two things are alike: seven racks in rows of three, three and one, on loops of four and three; two power
// sides with batteries and generators; doors with fans; every GPU at another power. Much happens in its minute: a pump and a tower
// fail, a set-point moves, a rack loses power and boots, a feed is lost for 20 s and comes back.
#pragma once

#include "twin/scenario/specs/scenario.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::tests {

inline constexpr double lively_s = 60.0;

twin::Scenario lively_hall_scenario();

/// Every GPU asks for another power, which changes every second, and every node for what its GPUs make of it.
class UnevenWork final : public workload::Workload {
 public:
  double next_change_s(double t_s) const override;
  void sample(double t_s, workload::NodeRange nodes, std::span<double> gpu_w,
              std::span<double> node_ac_w) const override;
};

}  // namespace wattloop::tests
