// Workloads are pure functions of time: the same values in any order, on any thread, however a boundary was
// computed; and nodes that are asked alike answer alike.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "tests/support/catch.hpp"
#include "workload/constant_load.hpp"
#include "workload/replay/replay.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

const NodeSplitParams h100{.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0};
const NodeSet rack{.nodes = 12, .gpus_per_node = 8, .split = h100};

/// Random watts in `columns` columns at irregular stamps of about 0.1 s.
PowerTrace random_trace(std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> power_w(500.0, 9000.0), step_s(0.05, 0.15);
  PowerTrace trace;
  for (std::size_t i = 0; i < columns; ++i) trace.names.push_back("c" + std::to_string(i));
  trace.interval_s = 0.1;
  double t_s = 17.0;  // traces need not start at 0
  for (int row = 0; row < 500; ++row) {
    trace.stamps_s.push_back(t_s);
    t_s += step_s(random);
    for (std::size_t i = 0; i < columns; ++i) trace.power_w.push_back(power_w(random));
  }
  return trace;
}

std::unique_ptr<Workload> make(int kind, std::uint64_t seed, const NodeSet& nodes = rack) {
  if (kind == 0) return make_training({.noise_interval_s = 0.7}, nodes, seed);
  if (kind == 4) return make_constant_load(6850.0, nodes);
  ReplayParams params{.meaning = kind == 2 ? "gpu" : "node_ac"};
  if (kind == 3) params.spread = {0.3, 7.0};
  return make_replay(random_trace(5, static_cast<unsigned>(seed)), params, nodes, {.seed = seed});
}

std::vector<double> sample(const Workload& work, double t_s, const NodeSet& nodes = rack) {
  std::vector<double> watts(nodes.nodes * (nodes.gpus_per_node + 1), -1.0);
  const auto gpus = static_cast<std::size_t>(nodes.nodes * nodes.gpus_per_node);
  work.sample_all(t_s, std::span(watts).first(gpus), std::span(watts).subspan(gpus));
  return watts;
}

std::vector<double> boundaries(const Workload& work, int count) {
  std::vector<double> times_s{0.0};
  while (static_cast<int>(times_s.size()) < count) times_s.push_back(work.next_change_s(times_s.back()));
  return times_s;
}

}  // namespace

TEST_CASE("a workload gives the same watts in any order and on any thread", "[workload]") {
  const int kind = GENERATE(0, 1, 2, 3);
  const std::uint64_t seed = GENERATE(1, 2, 3);
  const auto work = make(kind, seed);
  const std::vector<double> times_s = boundaries(*work, 1500);  // replay: three laps of the trace
  std::vector<std::vector<double>> in_order;
  for (const double t_s : times_s) in_order.push_back(sample(*work, t_s));

  std::vector<std::size_t> order(times_s.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(seed)));
  std::vector<std::vector<double>> shuffled(order.size());
  const auto fill = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) shuffled[order[i]] = sample(*work, times_s[order[i]]);
  };
  std::thread first(fill, 0, 700), second(fill, 700, 1100);
  fill(1100, order.size());
  first.join();
  second.join();
  CHECK(shuffled == in_order);
  CHECK(sample(*make(kind, seed), times_s[777]) == in_order[777]);  // built again
}

TEST_CASE("sums over the GPUs of a node are those of the watts asked of them", "[workload]") {
  const NodeSet hall{.nodes = 45, .gpus_per_node = GENERATE(4, 5, 8), .split = h100};
  const int kind = GENERATE(0, 1, 2, 3, 4);
  const auto work = make(kind, 6, hall);
  const auto gpus = static_cast<std::size_t>(hall.gpus_per_node);
  for (const double t_s : {0.0, 3.3, 139.2, 880.0}) {
    const std::vector<double> asked_w = sample(*work, t_s, hall);
    std::vector<double> gpu_w(45 * gpus), node_w(45), gpus_w(45, -1.0);
    SampleBasis basis{-1.0, {}, {7.0, 8.0, 9.0}};  // whatever it was for before
    work->prepare(t_s, basis);
    work->sample_with_sums(basis, {0, 45}, gpu_w, {node_w, gpus_w});
    CAPTURE(kind, gpus, t_s);
    CHECK(std::ranges::equal(gpu_w, std::span(asked_w).first(45 * gpus)));
    CHECK(std::ranges::equal(node_w, std::span(asked_w).last(45)));
    for (std::size_t node = 0; node < 45; ++node) {
      const auto first = gpu_w.begin() + static_cast<std::ptrdiff_t>(node * gpus);
      CHECK(gpus_w[node] == Approx(std::accumulate(first, first + hall.gpus_per_node, 0.0)).epsilon(1e-13));
    }
  }
}

TEST_CASE("a workload asks the same of a node, whatever range it is asked for in", "[workload]") {
  const NodeSet hall{.nodes = 333, .gpus_per_node = GENERATE(4, 5, 8), .split = h100};
  const int kind = GENERATE(0, 1, 2, 3, 4);
  const auto work = make(kind, 6, hall);
  const std::size_t gpus = hall.gpus_per_node, at_once = work->nodes_at_once();
  REQUIRE(at_once >= 1);
  for (const double t_s : {0.0, 3.3, 139.2, 880.0}) {
    const std::vector<double> all = sample(*work, t_s, hall);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{8}, at_once, at_once + 1}) {
      std::vector<double> in_ranges(all.size(), -1.0);
      for (std::size_t first = 0; first < 333; first += size) {
        const NodeRange range{first, std::min(size, 333 - first)};
        work->sample(t_s, range, std::span(in_ranges).subspan(first * gpus, range.count * gpus),
                     std::span(in_ranges).subspan(333 * gpus + first, range.count));
      }
      CAPTURE(kind, gpus, t_s, size);
      CHECK(in_ranges == all);
    }
  }
}

TEST_CASE("watts hold between boundaries, and a boundary belongs to the later sample", "[workload]") {
  const auto work = make(GENERATE(0, 1, 2, 3), 5);
  const std::vector<double> times_s = boundaries(*work, 1200);
  for (std::size_t i = 0; i + 1 < times_s.size(); ++i) {
    REQUIRE(times_s[i + 1] > times_s[i] + 0.01);
    const std::vector<double> here = sample(*work, times_s[i]);
    const double middle_s = 0.5 * (times_s[i] + times_s[i + 1]);
    REQUIRE(sample(*work, middle_s) == here);
    REQUIRE(work->next_change_s(middle_s) == Approx(times_s[i + 1]).margin(1e-9));
    REQUIRE(sample(*work, times_s[i + 1]) != here);
  }
}

TEST_CASE("round-off at a boundary changes nothing", "[workload]") {
  TrainingParams params;
  params.sample_interval_s = 0.1;
  const auto work = make_training(params, rack, 1);
  double added_s = 0.0;
  for (int k = 0; k < 20000; ++k, added_s += 0.1) {
    const double multiplied_s = k * 0.1, divided_s = k / 10.0;
    for (const double t_s : {added_s, multiplied_s, divided_s, std::nextafter(divided_s, 0.0)}) {
      if (t_s < 0.0) continue;
      REQUIRE(work->next_change_s(t_s) == Approx((k + 1) * 0.1).margin(1e-9));
    }
    if (k % 500 == 0) REQUIRE(sample(*work, added_s) == sample(*work, divided_s));
  }
}

TEST_CASE("a replay goes on as after_end says", "[workload][replay]") {
  const PowerTrace trace = random_trace(5, 1);
  const double end_s = trace.duration_s(), infinity = std::numeric_limits<double>::infinity();
  const auto repeat = make_replay(trace, {.after_end = "repeat"}, rack);
  const auto hold = make_replay(trace, {.after_end = "hold"}, rack);
  const auto idle = make_replay(trace, {.after_end = "idle"}, rack);
  const double last_s = trace.stamps_s.back() - trace.stamps_s.front();
  CHECK(sample(*repeat, end_s) == sample(*repeat, 0.0));
  CHECK(sample(*repeat, 1000.0 * end_s + 3.21) == sample(*repeat, 3.21));
  CHECK(repeat->next_change_s(last_s) == Approx(end_s));
  CHECK(sample(*hold, 1e6) == sample(*hold, last_s));
  CHECK(hold->next_change_s(last_s) == infinity);
  CHECK(sample(*idle, end_s - 0.01) == sample(*hold, last_s));
  CHECK(idle->next_change_s(last_s) == Approx(end_s));
  CHECK(idle->next_change_s(end_s) == infinity);
  const std::vector<double> at_rest = sample(*idle, end_s);
  CHECK(at_rest.front() == 72.0);
  CHECK(at_rest.back() == Approx(1600.0 + 1.12 * 8 * 72.0));
}

TEST_CASE("permuting the columns of a trace permutes the nodes", "[workload][replay]") {
  const PowerTrace trace = random_trace(12, 7);
  PowerTrace reversed = trace;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    std::reverse(reversed.power_w.begin() + row * 12, reversed.power_w.begin() + (row + 1) * 12);
  }
  const auto work = make_replay(trace, {}, rack), mirrored = make_replay(reversed, {}, rack);
  for (double t_s = 0.0; t_s < 50.0; t_s += 0.37) {
    const std::vector<double> a = sample(*work, t_s), b = sample(*mirrored, t_s);
    for (std::size_t node = 0; node < 12; ++node) {
      CHECK(a[12 * 8 + node] == b[12 * 8 + 11 - node]);
      for (std::size_t gpu = 0; gpu < 8; ++gpu) CHECK(a[node * 8 + gpu] == b[(11 - node) * 8 + gpu]);
    }
  }
}

TEST_CASE("more nodes than columns follow them in turn and DC watts go through the power supply",
          "[workload][replay]") {
  const PowerTrace trace = random_trace(5, 3);
  const ReplayParams dc{.meaning = "node_dc"};
  const auto ac_work = make_replay(trace, {}, rack);
  const auto dc_work = make_replay(trace, dc, rack, {.ac_from_dc_w = [](double dc_w) { return dc_w / 0.96 + 20.0; }});
  const std::vector<double> ac = sample(*ac_work, 1.0), through_psu = sample(*dc_work, 1.0);
  for (std::size_t node = 0; node < 12; ++node) {
    CHECK(ac[96 + node] == ac[96 + node % 5]);
    CHECK(through_psu[96 + node] == Approx(ac[96 + node] / 0.96 + 20.0));
    CHECK(through_psu[node * 8] == gpu_from_node_w(h100, through_psu[96 + node], 8));
  }
  CHECK_THROWS(make_replay(trace, dc, rack));
}

TEST_CASE("watts of single GPUs stay as measured and add up to their node", "[workload][replay]") {
  const PowerTrace trace = random_trace(5, 3);
  const std::vector<double> watts = sample(*make_replay(trace, {.meaning = "gpu"}, rack), 0.0);
  for (std::size_t node = 0; node < 12; ++node) {
    double sum_w = 0.0;
    for (std::size_t gpu = node * 8; gpu < node * 8 + 8; ++gpu) {
      CHECK(watts[gpu] == trace.row(0)[gpu % 5]);
      sum_w += watts[gpu];
    }
    CHECK(watts[96 + node] == Approx(1600.0 + 1.12 * sum_w));
  }
}

TEST_CASE("a training node draws the same in a small hall as in a large one", "[workload][training]") {
  const NodeSet hall{.nodes = 50, .gpus_per_node = 8, .split = h100};
  const auto small = make_training({}, rack, 9), large = make_training({}, hall, 9);
  for (const double t_s : {0.0, 5.0, 131.0, 880.0, 3599.0}) {
    const std::vector<double> a = sample(*small, t_s), b = sample(*large, t_s, hall);
    CHECK(std::equal(a.begin(), a.begin() + 96, b.begin()));
  }
}

TEST_CASE("every GPU count a node may have draws its own numbers", "[workload][training]") {
  const int gpus = GENERATE(1, 2, 3, 7, 72, 255);
  const NodeSet nodes{.nodes = 21, .gpus_per_node = gpus, .split = h100};
  TrainingParams params;
  params.gpu_spread_w = 0.0;  // only noise distinguishes GPUs
  const std::vector<double> watts = sample(*make_training(params, nodes, 4), 3.0, nodes);
  std::vector<double> node_w(watts.end() - 21, watts.end());
  std::sort(node_w.begin(), node_w.end());
  CHECK(std::adjacent_find(node_w.begin(), node_w.end()) == node_w.end());
  for (std::size_t node = 0; node < 21; ++node) {
    double sum_w = 0.0;
    for (int gpu = 0; gpu < gpus; ++gpu) sum_w += watts[node * gpus + gpu];
    CHECK(watts[21 * gpus + node] == Approx(1600.0 + 1.12 * sum_w));
  }
}

TEST_CASE("levels that a GPU cannot draw are refused in words", "[workload][training]") {
  TrainingParams params;
  CHECK(training_mistakes(params, rack).empty());
  params.compute_gpu_w = 800.0;
  params.evaluation_ratio = 0.2;
  const std::vector<std::string> mistakes = training_mistakes(params, rack);
  REQUIRE(mistakes.size() == 2);
  CHECK(mistakes[0] == "compute_gpu_power: 800 W is not between idle power 72 W and limit 700 W of a GPU");
  CHECK_THROWS(make_training(params, rack, 1));
}
