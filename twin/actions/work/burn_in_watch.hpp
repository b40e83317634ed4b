// Acceptance tests of a hall: how long each GPU takes for its matrix products, and which GPUs, racks and nodes take longer than others.
//
//   time of a GPU over the median = median of the integrals of clocks over matrix products / its own
//
// Clocks are read every 5 s and count up to the next reading. A rack takes the median of its GPUs. Documented in docs/models/burn_in.md.
// Verified in tests/verification/work/burn_in.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"
#include "workload/burn_in/acceptance_test.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// Something that was tested, and how long it takes over the median.
struct TestedItem {
  std::string name = {};
  double time_ratio = 1.0;
};

/// What is known of a test at an instant: of matrix products and all-reduces that are over.
struct TestFindings {
  std::vector<TestedItem> racks = {}, gpus = {},
                          nodes = {};  ///< outliers, the slowest first; GPUs against their rack where that is one
  TestedItem slowest_rack = {}, slowest_gpu = {}, slowest_node = {};
  bool has_gpus = false, has_nodes = false;  ///< whether their tests are over
};

/// "passed", "failed" where there are outliers, "not over".
std::string_view burn_in_word(const TestFindings& found);

/// Of all tests of a hall together.
TestFindings test_findings(const Plant& plant, const std::vector<workload::TestedNodes>& tests,
                           const PlantState& state);

class BurnInWatch {
 public:
  /// `plant` and the tests must outlive it.
  BurnInWatch(const Plant& plant, std::vector<workload::TestedNodes> tests) : plant_(plant), tests_(std::move(tests)) {}

  void prepare(PlantState& state) const;
  void act(PlantState& state, std::vector<EventRecord>& events) const;
  double next_s(double time_s) const;

 private:
  void count(const workload::TestedNodes& tested, double from_s, double to_s, PlantState& state) const;
  void find_ratios(const workload::TestedNodes& tested, PlantState& state) const;

  const Plant& plant_;
  std::vector<workload::TestedNodes> tests_;
};

}  // namespace wattloop::twin
