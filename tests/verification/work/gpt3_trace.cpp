// The measured GPT-3 run on 64 nodes of 8 H100 [mlperf_training_v40_smc]: 1,707 rows at 2 s, 3,412 s from
// first to last stamp. The hold integral of our reader is set against one computed here by a plain parse of
// the same file, and both against 52.129 kWh (nodes 1 to 8) and 415.344 kWh (all). The submitters state
// 415.22 kWh for the run, from their own meter series; 0.1 % is allowed to that.
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/numbers/series.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "workload/replay/replay.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

constexpr double joules_per_kwh = 3.6e6;

std::string path_of_trace() { return tests::reference_data() + "/power/mlperf_smc_h100/gpt3_64node_run0_ac.csv"; }

PowerTrace read_trace(const ReplayParams& params) {
  Problems problems;
  PowerTrace trace = read_power_trace(path_of_trace(), params, problems);
  problems.throw_if_any(path_of_trace());
  return trace;
}

/// Energy of one column in kWh, its last sample not counted: lines split at commas, an empty cell repeats the
/// value before, the start is filled backwards.
struct PlainColumn {
  double energy_kwh = 0.0;
  int empty_cells = 0;
};

PlainColumn parse_plainly(int column) {
  std::ifstream file(path_of_trace());
  std::string line, cell;
  std::getline(file, line);
  std::vector<double> values, stamps;
  PlainColumn result;
  while (std::getline(file, line)) {
    std::istringstream cells(line + ",");
    std::getline(cells, cell, ',');
    stamps.push_back(std::stod(cell));
    for (int i = 0; i < column; ++i) std::getline(cells, cell, ',');
    if (cell.empty()) ++result.empty_cells;
    values.push_back(!cell.empty() ? std::stod(cell) : values.empty() ? -1.0 : values.back());
  }
  double first = -1.0;
  for (const double value : values) {
    if (value >= 0.0 && first < 0.0) first = value;
  }
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    result.energy_kwh += (values[i] < 0.0 ? first : values[i]) * (stamps[i + 1] - stamps[i]) / joules_per_kwh;
  }
  return result;
}

double energy_kwh(const PowerTrace& trace, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < trace.rows(); ++row) values.push_back(trace.row(row)[column]);
  return hold_integral(trace.stamps_s, values, trace.stamps_s.back()) / joules_per_kwh;
}

}  // namespace

TEST_CASE("the GPT-3 trace integrates to the energy of a plain parse, column by column", "[trace][data]") {
  const PowerTrace trace = read_trace({});
  REQUIRE(trace.columns() == 64);
  REQUIRE(trace.rows() == 1707);
  CHECK(trace.interval_s == 2.0);
  CHECK(trace.stamps_s.back() - trace.stamps_s.front() == 3412.0);
  double first_eight = 0.0, all = 0.0;
  int empty_cells = 0;
  for (int column = 0; column < 64; ++column) {
    const PlainColumn plain = parse_plainly(column + 1);
    const double ours = energy_kwh(trace, column);
    CHECK(ours == Approx(plain.energy_kwh).epsilon(1e-12));
    if (column < 8) first_eight += ours;
    all += ours;
    empty_cells += plain.empty_cells;
  }
  CHECK(std::abs(first_eight - 52.129) < 0.0005);
  CHECK(std::abs(all - 415.344) < 0.0005);
  CHECK(all == Approx(415.22).epsilon(1e-3));
  tests::report_verification(
      {"GPT-3 trace, nodes 1 to 8", "plain parse of the file", "hold integral", first_eight, 52.129, 0.0005, "kWh"});
  tests::report_verification(
      {"GPT-3 trace, 64 nodes", "plain parse of the file", "hold integral", all, 415.344, 0.0005, "kWh"});
  tests::report_verification(
      {"GPT-3 trace, 64 nodes", "mlperf_training_v40_smc", "energy as submitted", all, 415.22, 0.41522, "kWh"});

  CHECK(static_cast<int>(trace.holes.size()) == empty_cells);  // each is one interval long
  for (const Hole& hole : trace.holes) CHECK(hole.intervals == 1);
  CHECK(describe_holes(trace).front() == "894 holes filled, the longest of 1 interval in column 'node_1' at 0 s");
}

TEST_CASE("eight nodes replay columns 1 to 8 with their energy, and every watt is a GPU's or the rest's",
          "[trace][replay][data]") {
  const ReplayParams params{.columns = "1..8"};
  const PowerTrace trace = read_trace(params);
  const NodeSet nodes{.nodes = 8, .gpus_per_node = 8, .split = {1600.0, 1.12, 72.0, 700.0}};
  const auto work = make_replay(trace, params, nodes);
  std::vector<double> gpu_w(64), node_w(8);
  double energy_j = 0.0;
  int samples = 0;
  for (double t_s = 0.0; t_s < 3412.0; ++samples) {
    const double next_s = work->next_change_s(t_s);
    work->sample_all(t_s, gpu_w, node_w);
    for (std::size_t node = 0; node < 8; ++node) {
      energy_j += node_w[node] * (next_s - t_s);
      double gpus_w = 0.0;
      for (std::size_t gpu = 0; gpu < 8; ++gpu) gpus_w += gpu_w[node * 8 + gpu];
      CHECK(gpus_w <= node_w[node]);
      CHECK(1600.0 + 1.12 * gpus_w == Approx(node_w[node]).epsilon(1e-12));  // no clamp acts in this run
    }
    t_s = next_s;
  }
  CHECK(samples == 1706);
  double expected_kwh = 0.0;
  for (int column = 1; column <= 8; ++column) expected_kwh += parse_plainly(column).energy_kwh;
  CHECK(energy_j / joules_per_kwh == Approx(expected_kwh).epsilon(1e-9));
  CHECK(std::abs(energy_j / joules_per_kwh - 52.129) < 0.0005);
}
