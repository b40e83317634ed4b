// Case: 64 nodes in eight racks replay a measured GPT-3 training run [mlperf_training_v40_smc] node by node,
// cold plates at 25 degC.
//
// Expected values and where they come from:
//   node energy   the hold integral of all 64 columns over 3,412 s, computed here from the file; 1e-6. As a
//   figure of its
//                 own 415.344 kWh, as in tests/verification/work/gpt3_trace.cpp
//   supply        within 0.3 K of its set-point, what a CDU's controller must hold
//   flow          each rack within 5 % of what its eight nodes are designed for, 8 x 0.1548 kg/s
//   [cdu_checklist]

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/verification.hpp"
#include "twin/commands/run/run_command.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double zero_c = 273.15;
constexpr double joule_per_kwh = 3.6e6;

/// Every cell holds for 2 s; an empty one repeats the one before it, the first takes the one after.
double hold_integral_j(const std::string& file, double end_s) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<double> held_w, late_s;  // [column] nothing yet: below zero, and for how long
  double energy_j = 0.0;
  while (std::getline(in, line)) {
    std::stringstream cells(line + ",");
    std::string cell;
    std::getline(cells, cell, ',');
    if (std::stod(cell) >= end_s) break;
    for (std::size_t column = 0; std::getline(cells, cell, ','); ++column) {
      if (column == held_w.size()) held_w.push_back(-1.0), late_s.push_back(0.0);
      if (!cell.empty()) held_w[column] = std::stod(cell);
      late_s[column] += 2.0;
      if (held_w[column] < 0.0) continue;
      energy_j += held_w[column] * late_s[column];
      late_s[column] = 0.0;
    }
  }
  return energy_j;
}

std::filesystem::path run_case(const tests::TemporaryFolder& folder) {
  RunOptions options;
  options.scenario = std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/replay_gpt3.yaml";
  options.output = folder / "replay_gpt3.h5";
  options.is_quiet = true;
  REQUIRE(run(options) == 0);
  return options.output;
}

}  // namespace

TEST_CASE("eight racks replay all 64 measured nodes of a GPT-3 training run", "[case]") {
  const std::string trace = tests::reference_data() + "/power/mlperf_smc_h100/gpt3_64node_run0_ac.csv";
  const tests::TemporaryFolder folder;
  const ResultsReader results(run_case(folder));
  const double measured_j = hold_integral_j(trace, 3412.0);

  const double node_j = results.summary_number("node_energy").value();
  tests::report_verification({"GPT-3 replay on 64 nodes", "mlperf_training_v40_smc", "node energy",
                              node_j / joule_per_kwh, measured_j / joule_per_kwh, 415.344e-6, "kWh"});
  CHECK(node_j == Approx(measured_j).epsilon(1e-6));
  CHECK(node_j / joule_per_kwh == Approx(415.344).margin(0.0005));
  CHECK(std::abs(results.summary_number("energy_residual").value()) < 1e-6);

  for (const float supply_k : results.series("loops", "supply_temperature")) {
    CHECK(std::abs(static_cast<double>(supply_k) - (25.0 + zero_c)) < 0.3);
  }
  for (const float flow_kg_per_s : results.frame("racks", "flow", 0)) {
    CHECK(static_cast<double>(flow_kg_per_s) == Approx(8.0 * 0.1548).epsilon(0.05));
  }
}
