// EightDies H100 on heat sinks in air against their record: 10 Hz power and temperature of two training runs, as means of 2 s,
// [gpu_telemetry_h100_10hz]. t2: 530 W a GPU; t3: 690 W. Theirs is measured; what is fitted, on what, and what was not seen by the fit is said
// by each test. Beside the model stands what a free fit of two time constants to each GPU does, five numbers, no physics:
//
//   T = T_0 + R_1 lowpass(P, tau_1) + R_2 lowpass(P, tau_2)
//
// Fitted are three numbers of each GPU: its interface, its sink's heat capacity, the air before it. Film, flow and exponent are those of
// the library's device; front and rear GPUs stand in the air as the record reports. Fan speed is not recorded. Fans are assumed to run as
// workload/nodes/server_fans.hpp says, from the model's own hottest die, with its lines out of reach; the two numbers of its trim are from t3 as a whole
// unless a test fits them. In t2 no die comes above the trim's target for long: fans stay at lowest speed, and the fit learns nothing of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "physics/units/heat_sink.hpp"
#include "tests/support/by_hand/least_squares.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/library_device.hpp"
#include "tests/support/records/h100_air_record.hpp"
#include "tests/support/verification.hpp"
#include "workload/nodes/server_fans.hpp"

using namespace wattloop;
using physics::HeatSink;
using tests::H100Means;
using workload::ServerFanParams;

namespace {

using Record = std::vector<H100Means>;
using EightDies = std::array<double, tests::h100_count>;

constexpr std::size_t gpu_count = tests::h100_count, numbers_of_gpu = 3, numbers_of_trim = 2;
constexpr double interval_s = tests::h100_interval_s, step_s = 0.2;
constexpr double room_air_k = 293.15, air_j_per_kg_k = 1006.0;

struct Gpu {
  HeatSink::Params sink;
  double air_k = 299.15;
};

struct Server {
  std::array<Gpu, gpu_count> gpus;
  ServerFanParams fans;
  bool fans_follow = true;
};

/// The node before any fit.
Server server_of_library() {
  tests::AnyDevice device;
  tests::read_library_device("h100_sxm5_heat_sink", device);
  Server server;
  for (std::size_t g = 0; g < gpu_count; ++g) {
    server.gpus[g].sink = std::any_cast<HeatSink::Params&>(device.params);
    server.gpus[g].sink.leakage_w_per_k = 0.0;  // measured watts contain it
    server.gpus[g].sink.upstream_gpus_ratio = tests::is_downstream_h100[g] ? 1.0 : 0.0;
  }
  return server;
}

/// Moves a GPU by one interval with Runge-Kutta; the mean of its die.
double advance(const Gpu& gpu, UnitNow<2, 1>& now) {
  constexpr std::array weights{1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0}, reach{0.5, 0.5, 1.0, 0.0};
  const auto shared = HeatSink::conductances_w_per_k(gpu.sink, now.port);
  constexpr int steps = static_cast<int>(interval_s / step_s + 0.5);
  double sum_k = 0.0;
  for (int step = 0; step < steps; ++step) {
    const std::array<double, 2> begin = now.state;
    std::array<double, 2> mean{};
    for (std::size_t stage = 0; stage < 4; ++stage) {
      const std::array<double, 2> rate = HeatSink::rates(gpu.sink, now, shared).rate;
      for (std::size_t s = 0; s < 2; ++s) {
        mean[s] += weights[stage] * rate[s];
        now.state[s] = begin[s] + step_s * reach[stage] * rate[s];
      }
    }
    for (std::size_t s = 0; s < 2; ++s) now.state[s] = begin[s] + step_s * mean[s];
    sum_k += 0.5 * (begin[0] + now.state[0]);
  }
  return sum_k / steps;
}

/// Dies of the first `count` intervals, from the first measured temperature on.
std::vector<EightDies> dies_k(const Server& server, const Record& record, std::size_t count) {
  std::vector<EightDies> dies(count);
  std::array<UnitNow<2, 1>, gpu_count> now;
  for (std::size_t g = 0; g < gpu_count; ++g) {
    const double die_k = record[0].die_k[g];
    now[g].state = {die_k, die_k - record[0].power_w[g] / server.gpus[g].sink.die_to_sink_w_per_k};
  }
  double speed = workload::line_speed(server.fans, room_air_k, record[0].die_k[0]);
  for (std::size_t i = 0; i < count; ++i) {
    double hottest_k = 0.0;
    for (std::size_t g = 0; g < gpu_count; ++g) {
      const Gpu& gpu = server.gpus[g];
      const double full_kg_per_s = gpu.sink.design_flow_kg_per_s / gpu.sink.stream_gpus_ratio;
      now[g].port[0] = {gpu.air_k, workload::fans_kg_per_s(full_kg_per_s, speed), air_j_per_kg_k};
      now[g].load_w = record[i].power_w[g];
      dies[i][g] = advance(gpu, now[g]);
      hottest_k = std::max(hottest_k, now[g].state[0]);
    }
    if (server.fans_follow) speed = workload::next_speed(server.fans, speed, room_air_k, hottest_k, interval_s);
  }
  return dies;
}

struct Fitted {
  bool gpus = true, trim = false;
};

/// A server moved by unknowns that are 0 where it stands.
Server moved(Server server, Fitted what, std::span<const double> unknowns) {
  std::size_t k = 0;
  for (Gpu& gpu : server.gpus) {
    if (!what.gpus) break;
    gpu.sink.die_to_sink_w_per_k *= std::exp(unknowns[k++]);
    gpu.sink.sink_heat_capacity_j_per_k *= std::exp(unknowns[k++]);
    gpu.air_k += unknowns[k++];
  }
  if (what.trim) {
    server.fans.die_target_k += unknowns[k++];
    server.fans.trim_s *= std::exp(unknowns[k++]);
  }
  return server;
}

Server fitted(const Server& start, const Record& record, std::size_t count, Fitted what) {
  const auto off_k = [&](std::span<const double> unknowns) {
    const std::vector<EightDies> dies = dies_k(moved(start, what, unknowns), record, count);
    std::vector<double> off;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t g = 0; g < gpu_count; ++g) off.push_back(dies[i][g] - record[i].die_k[g]);
    }
    return off;
  };
  const std::size_t unknowns = (what.gpus ? numbers_of_gpu * gpu_count : 0) + (what.trim ? numbers_of_trim : 0);
  return moved(start, what, tests::least_squares(off_k, std::vector<double>(unknowns, 0.0)));
}

/// Root mean square of all GPUs over intervals `from` to `to`.
double rms_k(const std::vector<EightDies>& dies, const Record& record, std::size_t from, std::size_t to) {
  std::vector<double> off;
  for (std::size_t i = from; i < to; ++i) {
    for (std::size_t g = 0; g < gpu_count; ++g) off.push_back(dies[i][g] - record[i].die_k[g]);
  }
  return tests::root_mean_square(off);
}

double rms_k(const Server& server, const Record& record, std::size_t from, std::size_t to) {
  return rms_k(dies_k(server, record, to), record, from, to);
}

/// Means over intervals of what a first-order lag of `tau_s` makes of a GPU's power.
std::vector<double> lowpass_w(const Record& record, std::size_t gpu, double tau_s) {
  const double left = std::exp(-interval_s / tau_s);
  double now_w = record[0].power_w[gpu];
  std::vector<double> means;
  for (const H100Means& interval : record) {
    const double end_w = interval.power_w[gpu];
    means.push_back(end_w + (now_w - end_w) * tau_s / interval_s * (1.0 - left));
    now_w = end_w + (now_w - end_w) * left;
  }
  return means;
}

/// The free fit: its five numbers, scaled to order one.
std::vector<double> free_dies_k(const Record& record, std::size_t gpu, std::span<const double> x) {
  const std::vector<double> fast = lowpass_w(record, gpu, 0.5 * std::exp(x[3]));
  const std::vector<double> slow = lowpass_w(record, gpu, 30.0 * std::exp(x[4]));
  std::vector<double> dies;
  for (std::size_t i = 0; i < record.size(); ++i)
    dies.push_back(300.0 + 10.0 * x[0] + 0.03 * (x[1] * fast[i] + x[2] * slow[i]));
  return dies;
}

/// Dies of `other` by free fits to the first `count` intervals of `record`.
std::vector<EightDies> free_fits_k(const Record& record, std::size_t count, const Record& other) {
  std::vector<EightDies> dies(other.size());
  for (std::size_t g = 0; g < gpu_count; ++g) {
    const auto off_k = [&](std::span<const double> x) {
      std::vector<double> off = free_dies_k(record, g, x);
      off.resize(count);
      for (std::size_t i = 0; i < count; ++i) off[i] -= record[i].die_k[g];
      return off;
    };
    const std::vector<double> free = free_dies_k(other, g, tests::least_squares(off_k, {0.0, 1.0, 1.0, 0.0, 0.0}));
    for (std::size_t i = 0; i < other.size(); ++i) dies[i][g] = free[i];
  }
  return dies;
}

/// Root mean square of each GPU.
EightDies each_rms_k(const std::vector<EightDies>& dies, const Record& record) {
  EightDies each{};
  for (std::size_t g = 0; g < gpu_count; ++g) {
    std::vector<double> off;
    for (std::size_t i = 0; i < record.size(); ++i) off.push_back(dies[i][g] - record[i].die_k[g]);
    each[g] = tests::root_mean_square(off);
  }
  return each;
}

/// The model's figure, with the most that the test takes; theirs would be a perfect prediction.
void check_rms(const char* what, double ours_k, double most_k) {
  INFO(what << ": " << ours_k << " K");
  CHECK(ours_k < most_k);
  tests::report_verification({"eight H100 on heat sinks, " + std::string(what), "gpu_telemetry_h100_10hz",
                              "RMSE of dies", ours_k, 0.0, most_k, "K", "measured"});
}

}  // namespace

TEST_CASE("two time constants of each GPU fit t2 and do not carry over to t3", "[heat_sink][data]") {
  const Record t2 = tests::read_h100_air_record("t2"), t3 = tests::read_h100_air_record("t3");
  const std::vector<EightDies> here = free_fits_k(t2, t2.size(), t2), there = free_fits_k(t2, t2.size(), t3);
  for (const double each_k : each_rms_k(here, t2)) {
    CHECK(each_k > 0.32);
    CHECK(each_k < 0.44);
  }
  for (const double each_k : each_rms_k(there, t3)) {
    CHECK(each_k > 2.8);
    CHECK(each_k < 5.7);
  }
}

TEST_CASE("fitted on the first half of t2 the heat sink predicts its second half", "[heat_sink][data]") {
  const Record t2 = tests::read_h100_air_record("t2");
  const std::size_t half = t2.size() / 2;
  const Server server = fitted(server_of_library(), t2, half, {});
  CHECK(rms_k(server, t2, 0, half) < 0.45);
  check_rms("t2 at 530 W, second half after the first", rms_k(server, t2, half, t2.size()), 0.75);
  const double free_k = rms_k(free_fits_k(t2, half, t2), t2, half, t2.size());
  CHECK(rms_k(server, t2, half, t2.size()) < free_k);
  CHECK(free_k == Approx(0.85).margin(0.1));
}

TEST_CASE("fitted on the first half of t3 the heat sink predicts its second half, if its fans follow",
          "[heat_sink][data]") {
  const Record t3 = tests::read_h100_air_record("t3");
  const std::size_t half = t3.size() / 2;
  const Server start = server_of_library(), server = fitted(start, t3, half, {});
  CHECK(rms_k(server, t3, 0, half) < 0.55);
  check_rms("t3 at 690 W, second half after the first, trim of the whole", rms_k(server, t3, half, t3.size()), 0.65);
  const Server all = fitted(start, t3, half, {.gpus = true, .trim = true});  // nothing of the second half
  check_rms("t3 at 690 W, second half after the first", rms_k(all, t3, half, t3.size()), 1.3);
  CHECK(all.fans.die_target_k == Approx(start.fans.die_target_k).margin(3.0));
  CHECK(all.fans.trim_s == Approx(start.fans.trim_s).epsilon(0.3));
  Server still = start;  // what fans explain: without them no fit of the first half knows that dies will cool
  still.fans_follow = false;
  still = fitted(still, t3, half, {});
  CHECK(rms_k(still, t3, half, t3.size()) == Approx(3.9).margin(0.3));
  CHECK(rms_k(free_fits_k(t3, half, t3), t3, half, t3.size()) == Approx(3.85).margin(0.3));
}

TEST_CASE("fitted on t2 the heat sink predicts t3 by half its error, if its fans follow", "[heat_sink][data]") {
  const Record t2 = tests::read_h100_air_record("t2"), t3 = tests::read_h100_air_record("t3");
  const Server server = fitted(server_of_library(), t2, t2.size(), {});
  CHECK(rms_k(server, t2, 0, t2.size()) < 0.42);
  check_rms("t3 after a fit on t2, trim of t3", rms_k(server, t3, 0, t3.size()), 2.4);
  Server still = server;
  still.fans_follow = false;
  CHECK(rms_k(still, t3, 0, t3.size()) == Approx(5.1).margin(0.3));
  CHECK(rms_k(free_fits_k(t2, t2.size(), t3), t3, 0, t3.size()) == Approx(4.26).margin(0.3));
  // the best that any trim could do with GPUs of t2
  const Server best = fitted(server, t3, t3.size(), {.gpus = false, .trim = true});
  CHECK(rms_k(best, t3, 0, t3.size()) == Approx(1.85).margin(0.25));
}

TEST_CASE("the trim of fans is the one that the whole of t3 reports", "[heat_sink][server_fans][data]") {
  const Record t3 = tests::read_h100_air_record("t3");
  const Server start = server_of_library();
  const Server server = fitted(start, t3, t3.size(), {.gpus = true, .trim = true});
  CHECK(rms_k(server, t3, 0, t3.size()) < 0.5);
  CHECK(server.fans.die_target_k == Approx(start.fans.die_target_k).margin(0.5));
  CHECK(server.fans.trim_s == Approx(start.fans.trim_s).epsilon(0.15));
}
