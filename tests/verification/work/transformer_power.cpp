// Watts of a transformer job beside those of the run of GPT-3 on 64 nodes [mlperf_training_v40_smc], 3,412 s at 2 s. Step time, bubble and
// communication follow from the model; nothing of them is typed. Times and level of evaluations are those of the synthetic job.
//
// Meters are applied before the comparison. The DC meters of the run read moments, its AC meters means, each node at an instant of its own within 2 s: a
// common instant would give nodes a correlation of 0.97, theirs is 0.29 (DC). The window of the AC meters, 2.4 s, is fitted to the deviation of a node;
// watts by kind are one fit to the mean of the synthetic job. Everything else is predicted.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/node_power_record.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/verification.hpp"
#include "workload/transformer_job/transformer_job.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Which = tests::NodePowerStatistics::Which;

namespace {

constexpr double interval_s = 2.0;            ///< of readings
constexpr double fine_s = 0.2;                ///< of samples that meters average
constexpr std::size_t fine_per_reading = 10;  ///< interval_s / fine_s
constexpr std::size_t readings = 1706;
const tests::RailTimes rails{tests::h100_links()};

TransformerParams gpt3() {
  TransformerParams params;
  params.model = *find_published_model("gpt3_175b");
  params.precision = "fp8";
  params.batch = 2048;
  params.parallel = {.tensor = 4, .pipeline = 8, .virtual_stages = 12, .micro_batch = 2};
  params.overlap.tensor_fraction = by_precision;
  params.job.sample_interval_s = fine_s;
  params.job.evaluation_s = TrainingParams{}.evaluation_s;
  params.job.checkpoint_s = 0.0;
  return params;
}

struct ModelledRun {
  std::vector<std::vector<double>> node_w;  ///< [node][sample of 0.2 s]
  double step_s = 0.0;
};

ModelledRun modelled_run(std::uint64_t seed) {
  const NodeSet hall{.nodes = 64,
                     .gpus_per_node = 8,
                     .split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0}};
  const WorkRequest request{
      .nodes = hall, .network = &rails, .seed = seed, .mention_of = [](std::string_view) { return Mention{}; }};
  Problems problems;
  const MadeWork made = make_work(gpt3(), request, problems);
  problems.throw_if_any("a test");
  ModelledRun run{std::vector<std::vector<double>>(64), step_time(plan_job(gpt3(), hall).setup(rails)).step_s};
  std::vector<double> gpu_w(512), node_w(64);
  for (std::size_t k = 0; k < (readings + 2) * fine_per_reading; ++k) {
    made.workload->sample_all(fine_s * static_cast<double>(k), gpu_w, node_w);
    for (std::size_t node = 0; node < 64; ++node) run.node_w[node].push_back(node_w[node]);
  }
  return run;
}

/// What meters read that average over some samples, each at an instant of its own.
tests::NodePowerRecord metered(const ModelledRun& run, std::size_t window) {
  tests::NodePowerRecord record;
  for (std::size_t node = 0; node < 64; ++node) {
    const std::size_t offset = 3 * node % fine_per_reading;
    std::vector<double>& read_w = record.node_w.emplace_back();
    for (std::size_t k = 2; k < readings + 2; ++k) {
      const auto end = run.node_w[node].begin() + static_cast<std::ptrdiff_t>(k * fine_per_reading + offset - 9);
      read_w.push_back(std::accumulate(end - static_cast<std::ptrdiff_t>(window), end, 0.0) /
                       static_cast<double>(window));
    }
  }
  const double evaluation_s = TrainingParams{}.evaluation_s, cycle_s = 12.0 * run.step_s + evaluation_s;
  for (int k = 0; k < 24; ++k) {
    const double start_s = k * cycle_s + 12.0 * run.step_s - 2.0 * interval_s;
    record.evaluations.push_back({start_s, start_s + evaluation_s});
  }
  return record;
}

std::vector<double> total_w(const tests::NodePowerRecord& record) {
  std::vector<double> sum_w(record.node_w.front().size());
  for (const std::vector<double>& node : record.node_w) {
    for (std::size_t k = 0; k < sum_w.size(); ++k)
      sum_w[k] += node[k] * 64.0 / static_cast<double>(record.node_w.size());
  }
  return sum_w;
}

double quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

/// Shares of the variance in octaves below the Nyquist frequency of 0.25 Hz, by the definition of the Fourier transform; the last has all that is slower.
std::array<double, 8> shares_by_octave(const std::vector<double>& values) {
  std::array<double, 8> shares{};
  const std::size_t n = values.size();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  double sum = 0.0;
  for (std::size_t bin = 1; 2 * bin < n; ++bin) {
    std::complex<double> height = 0.0;
    for (std::size_t k = 0; k < n; ++k)
      height += (values[k] - mean) *
                std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(bin * k % n) / static_cast<double>(n));
    const double octave = std::floor(std::log2(static_cast<double>(n) / 2.0 / static_cast<double>(bin)));
    shares.at(std::min<std::size_t>(7, static_cast<std::size_t>(octave))) += std::norm(height);
    sum += std::norm(height);
  }
  for (double& share : shares) share /= sum;
  return shares;
}

void report(const char* meters, const char* quantity, const char* unit, double ours, double theirs, double tolerance) {
  tests::report_verification({std::string("transformer job, GPT-3 on 64 nodes, ") + meters, "mlperf_training_v40_smc",
                              quantity, ours, theirs, tolerance, unit, "measured"});
}

/// Largest difference of shares of the spectrum.
double spectrum_difference(const tests::NodePowerRecord& ours, const tests::NodePowerRecord& theirs) {
  const std::array<double, 8> our_shares = shares_by_octave(total_w(ours)),
                              their_shares = shares_by_octave(total_w(theirs));
  double largest = 0.0;
  for (std::size_t k = 0; k < 8; ++k) largest = std::max(largest, std::abs(our_shares[k] - their_shares[k]));
  return largest;
}

const std::string folder = "/power/mlperf_smc_h100";

}  // namespace

TEST_CASE("a transformer job through AC meters has mean, spread and spectrum of the run of GPT-3 on 64 nodes",
          "[transformer_job][data]") {
  const tests::NodePowerRecord theirs = tests::read_gpt3_record(tests::reference_data() + folder, "ac");
  const tests::NodePowerRecord ours = metered(modelled_run(1), 12);
  const auto their = tests::node_power_statistics(theirs).values, our = tests::node_power_statistics(ours).values;
  const std::vector<double> their_w = total_w(theirs), our_w = total_w(ours);
  const auto check = [](const char* quantity, const char* unit, double mine, double their_value, double epsilon) {
    CAPTURE(quantity);
    CHECK(mine == Approx(their_value).epsilon(epsilon));
    report("AC meters", quantity, unit, mine, their_value, epsilon * their_value);
  };
  check("mean node power", "W", our[Which::mean_w], their[Which::mean_w], 0.03);
  check("1st percentile of all nodes", "W", quantile(our_w, 0.01), quantile(their_w, 0.01), 0.05);
  check("99th percentile of all nodes", "W", quantile(our_w, 0.99), quantile(their_w, 0.99), 0.05);
  check("power of evaluations over that of steps", "1", our[Which::ratio], their[Which::ratio], 0.02);
  check("deviation of a node", "W", our[Which::deviation_w], their[Which::deviation_w], 0.05);  // the fit of the window
  CHECK(spectrum_difference(ours, theirs) < 0.05);
  report("AC meters", "largest difference of shares of the spectrum", "1", spectrum_difference(ours, theirs), 0.0,
         0.05);
}

TEST_CASE("a transformer job read at moments has the swings that the DC meters of the run read",
          "[transformer_job][data]") {
  const tests::NodePowerRecord theirs = tests::read_gpt3_record(tests::reference_data() + folder, "dc");
  const tests::NodePowerRecord ours = metered(modelled_run(1), 1);
  const auto their = tests::node_power_statistics(theirs).values, our = tests::node_power_statistics(ours).values;
  constexpr double dc_over_ac = 0.984;  // of the energy of the two meters, in the description of the record
  CHECK(our[Which::deviation_w] * dc_over_ac == Approx(their[Which::deviation_w]).epsilon(0.10));
  CHECK(our[Which::correlation] == Approx(their[Which::correlation]).margin(0.05));
  CHECK(quantile(total_w(ours), 0.01) * dc_over_ac == Approx(quantile(total_w(theirs), 0.01)).epsilon(0.05));
  CHECK(spectrum_difference(ours, theirs) < 0.10);
  report("DC meters", "deviation of a node", "W", our[Which::deviation_w] * dc_over_ac, their[Which::deviation_w],
         0.10 * their[Which::deviation_w]);
}

// Their steps take 10.638 s, which with 12 of them leaves 1.5 s of a cycle to neither steps nor evaluation: 1.1 % that no model has. Ours are 2.4 % faster.
TEST_CASE("evaluations of a transformer job come as often as in the run, as its steps take",
          "[transformer_job][data]") {
  const tests::NodePowerRecord theirs = tests::read_gpt3_record(tests::reference_data() + folder, "ac");
  const double their_cycle_s = (theirs.evaluations.back().start_s - theirs.evaluations.front().start_s) / 23.0;
  const double our_cycle_s = 12.0 * modelled_run(1).step_s + TrainingParams{}.evaluation_s;
  CHECK(our_cycle_s == Approx(their_cycle_s).epsilon(0.035));
  report("AC meters", "time from one evaluation to the next", "s", our_cycle_s, their_cycle_s, 0.035 * their_cycle_s);
}

namespace {

/// Largest rise and fall of a series within a time: of readings that are so far apart.
struct Ramps {
  double rise_w = 0.0, fall_w = 0.0;
};

/// GPUs of a node by nvidia-smi, which reports the mean of the last second.
struct GpuReadings {
  std::vector<double> t_s, node_w;
};

GpuReadings read_gpus(const std::string& file) {
  std::ifstream in(file);
  GpuReadings readings_of;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    double sum_w = 0.0;
    int count = 0;
    readings_of.t_s.push_back(std::stod(cell));
    for (; std::getline(cells, cell, ','); ++count) sum_w += cell.empty() ? std::nan("") : std::stod(cell);
    readings_of.node_w.push_back(count == 8 ? sum_w : std::nan(""));
  }
  return readings_of;
}

/// The tenth largest changes between readings `apart_s` +- 10 % apart: a few readings of the record carry the time of another one.
Ramps ramps(const GpuReadings& of, double apart_s) {
  std::vector<double> changes;
  for (std::size_t k = 0, later = 0; k < of.t_s.size(); ++k) {
    while (later + 1 < of.t_s.size() && of.t_s[later] < of.t_s[k] + 0.95 * apart_s) ++later;
    const double change = of.node_w[later] - of.node_w[k];
    if (std::abs(of.t_s[later] - of.t_s[k] - apart_s) < 0.1 * apart_s && !std::isnan(change)) changes.push_back(change);
  }
  std::ranges::sort(changes);
  return {changes[changes.size() - 10], -changes[9]};
}

}  // namespace

TEST_CASE("through a meter of 1 s, GPUs of a node rise and fall as fast as measured ones", "[transformer_job][data]") {
  // All of the ramps of the record are straight and last 1.0 s: the meter's mean. What is below, a jump, is faster than 0.1 s.
  TransformerParams params = gpt3();
  params.job.sample_interval_s = 0.05;
  const NodeSet hall{.nodes = 64,
                     .gpus_per_node = 8,
                     .split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0}};
  const WorkRequest request{.nodes = hall, .network = &rails, .mention_of = [](std::string_view) { return Mention{}; }};
  Problems problems;
  const MadeWork made = make_work(params, request, problems);
  std::vector<double> gpu_w(8), node_w(1), fine_w;
  GpuReadings ours;
  for (int k = 0; k < 6000; ++k) {
    made.workload->sample(0.05 * k, {0, 1}, gpu_w, node_w);
    fine_w.push_back(std::accumulate(gpu_w.begin(), gpu_w.end(), 0.0));
    if (k < 20 || k % 2 != 0) continue;
    ours.t_s.push_back(0.05 * k);
    ours.node_w.push_back(std::accumulate(fine_w.end() - 20, fine_w.end(), 0.0) / 20.0);
  }
  const std::string file = tests::reference_data() + "/power/h100_8gpu_training_100ms/ckpt1000.csv";
  const GpuReadings theirs = read_gpus(file);
  for (const double apart_s : {0.1, 1.0}) {
    const Ramps our = ramps(ours, apart_s), their = ramps(theirs, apart_s);
    CAPTURE(apart_s, our.rise_w, their.rise_w, our.fall_w, their.fall_w);
    CHECK(our.rise_w == Approx(their.rise_w).epsilon(0.30));
    CHECK(our.fall_w == Approx(their.fall_w).epsilon(0.30));
    const std::string within = apart_s < 1.0 ? "0.1 s" : "1 s";
    tests::report_verification({"GPUs of a node in a transformer job, meter of 1 s", "wilkins2024",
                                "rise within " + within, our.rise_w, their.rise_w, 0.30 * their.rise_w, "W",
                                "measured"});
    tests::report_verification({"GPUs of a node in a transformer job, meter of 1 s", "wilkins2024",
                                "fall within " + within, our.fall_w, their.fall_w, 0.30 * their.fall_w, "W",
                                "measured"});
  }
}
