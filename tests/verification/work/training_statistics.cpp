// The synthetic training job beside the run that it is fitted to [mlperf_training_v40_smc]: AC watts of 64 nodes, 3,412 s at 2 s. "Theirs"
// is computed here from the record, with the functions that are put to ours; what each means stands in
// tests/support/records/node_power_record.hpp. Tolerances are two standard errors of the record's own scatter.
//
// It says that the job has the statistics of the run, not that it predicts another: nine numbers of it are fitted to these eight.
#include <array>

#include "tests/support/catch.hpp"
#include "tests/support/records/node_power_record.hpp"
#include "tests/support/verification.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Which = tests::NodePowerStatistics::Which;

namespace {

struct Name {
  Which which;
  const char* quantity;
  const char* unit;
};

constexpr std::array names{
    Name{Which::mean_w, "mean node power", "W"},
    Name{Which::deviation_w, "deviation of a node", "W"},
    Name{Which::common_deviation_w, "deviation of the mean node", "W"},
    Name{Which::correlation, "mean correlation of nodes", "1"},
    Name{Which::largest_change_w, "largest change of all nodes in 2 s", "W"},
    Name{Which::fall_w, "mean fall of all nodes in 2 s as evaluations start", "W"},
    Name{Which::ratio, "power of evaluations over that of steps", "1"},
    Name{Which::peak_s, "period of the spectral peak between evaluations", "s"},
};
static_assert(names.size() == Which::count);

/// 64 nodes at 2 s for as long as the record, without checkpoints, of which it has none.
tests::NodePowerRecord synthetic(std::uint64_t seed, TrainingParams params = {}) {
  params.sample_interval_s = 2.0;
  params.checkpoint_s = 0.0;
  const NodeSet hall{.nodes = 64,
                     .gpus_per_node = 8,
                     .split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0}};
  const auto work = make_training(params, hall, seed);
  tests::NodePowerRecord record;
  record.node_w.resize(64);
  std::vector<double> gpu_w(512), node_w(64);
  for (int k = 0; k < 1707; ++k) {
    work->sample_all(2.0 * k, gpu_w, node_w);
    for (std::size_t node = 0; node < 64; ++node) record.node_w[node].push_back(node_w[node]);
  }
  constexpr double block_s = 12 * 10.765, evaluation_s = 12.97;
  for (int e = 0; e < 24; ++e) {
    const double start_s = block_s + e * (block_s + evaluation_s);
    record.evaluations.push_back({start_s, start_s + evaluation_s});
  }
  return record;
}

}  // namespace

TEST_CASE("the synthetic job has the statistics of the run that it is fitted to", "[training][data]") {
  const tests::NodePowerRecord measured =
      tests::read_gpt3_record(tests::reference_data() + "/power/mlperf_smc_h100", "ac");
  REQUIRE(measured.node_w.size() == 34);
  REQUIRE(measured.node_w.front().size() == 1707);
  REQUIRE(measured.evaluations.size() == 24);
  const auto theirs = tests::node_power_statistics(measured).values;
  const auto errors = tests::standard_errors(measured).values;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto ours = tests::node_power_statistics(synthetic(seed)).values;
    for (const Name& name : names) {
      const double tolerance = 2.0 * errors[name.which];
      INFO(name.quantity << ", seed " << seed << ": ours " << ours[name.which] << ", theirs " << theirs[name.which]
                         << " +- " << tolerance);
      CHECK(std::abs(ours[name.which] - theirs[name.which]) < tolerance);
      if (seed != 1) continue;
      tests::report_verification({"synthetic training fitted to this run, 64 nodes at 2 s", "mlperf_training_v40_smc",
                                  name.quantity, ours[name.which], theirs[name.which], tolerance, name.unit, "fit"});
    }
  }
}

TEST_CASE("the statistics of the measured run are those that the documentation quotes", "[training][data]") {
  const std::string folder = tests::reference_data() + "/power/mlperf_smc_h100";
  const auto ac = tests::node_power_statistics(tests::read_gpt3_record(folder, "ac")).values;
  const auto dc = tests::node_power_statistics(tests::read_gpt3_record(folder, "dc")).values;
  CHECK(ac[Which::mean_w] == Approx(6846.0).margin(0.5));
  CHECK(ac[Which::deviation_w] == Approx(418.8).margin(0.05));
  CHECK(ac[Which::common_deviation_w] == Approx(332.4).margin(0.05));
  CHECK(ac[Which::correlation] == Approx(0.619).margin(0.0005));
  CHECK(ac[Which::largest_change_w] == Approx(97.5e3).margin(50.0));
  CHECK(ac[Which::fall_w] == Approx(58.3e3).margin(50.0));
  CHECK(dc[Which::mean_w] == Approx(6734.8).margin(0.5));  // the DC meters read moments, the AC meters a second or two
  CHECK(dc[Which::deviation_w] == Approx(723.5).margin(0.05));
  CHECK(dc[Which::correlation] == Approx(0.290).margin(0.0005));
}
