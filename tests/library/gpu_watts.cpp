// Watts that a program asks of every GPU. By hand: nodes of the hardware of these racks draw 1.6 kW and 1.12 W for each watt of their GPUs, so that the
// energy of nodes and of GPUs is the sum of the arrays times their times. Work of constant power contains the leakage of dies.
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

#include <wattloop/wattloop.h>
#include <wattloop/wattloop.hpp>

using namespace wattloop;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr std::size_t gpus_of_rack = 64, nodes_of_rack = 8;

Hall rack_hall(const std::string& workload = "{ kind: constant, node_power: 6 kW }",
               const std::string& integrator = "multirate") {
  return Hall::from_text("extends: scenarios/one_rack.yaml\nduration: 4 min\nworkload: " + workload + "\n",
                         WATTLOOP_SOURCE_DIR "/own.yaml", {.integrator = integrator});
}

std::vector<double> slope_of_watts(double first_w, double step_w) {
  std::vector<double> watts(gpus_of_rack);
  for (std::size_t gpu = 0; gpu < watts.size(); ++gpu) watts[gpu] = first_w + step_w * static_cast<double>(gpu);
  return watts;
}

double sum_of_watts(const std::vector<double>& watts) { return std::accumulate(watts.begin(), watts.end(), 0.0); }

std::vector<double> gpu_power(Hall& hall) {
  const auto now = hall.values(hall.series("gpus", "power"));
  return {now.begin(), now.end()};
}

double figure_of(const Hall& hall, const std::string& name) {
  for (const Figure& figure : hall.summary()) {
    if (figure.name == name) return std::get<double>(figure.value);
  }
  FAIL("no figure " << name);
  return 0.0;
}

std::string end_of_all(Hall& hall) {
  hall.advance_to(hall.end_s());
  std::string bytes;
  for (const SeriesInfo& info : hall.all_series()) {
    const auto values = hall.values(info.series);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  for (const char* energy : {"node_energy", "facility_energy", "rejected_energy", "capped_gpu_time"})
    bytes += std::to_string(figure_of(hall, energy));
  return bytes;
}

std::string refused(const auto& step) {
  try {
    step();
  } catch (const InputError& error) {
    return error.problems().front().message + " = " + error.problems().front().hint;
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("GPUs draw the watts that an array asks of them until another one does, and nodes what follows from these",
          "[library][gpu_watts]") {
  const std::vector<double> first = slope_of_watts(100.0, 8.0), second = slope_of_watts(600.0, -5.0);
  for (const char* integrator : {"multirate", "monolithic"}) {
    CAPTURE(integrator);
    Hall hall = rack_hall("{ kind: constant, node_power: 6 kW }", integrator);
    hall.meter(hall.series("facility.gpu_power"));
    hall.set("gpus.power", first);
    for (const double time_s : {31.25, 60.0, 90.0}) {
      hall.advance_to(time_s);
      const std::vector<double> now = gpu_power(hall);
      for (std::size_t gpu = 0; gpu < gpus_of_rack; ++gpu) CHECK_THAT(now[gpu], WithinRel(first[gpu], 1e-12));
    }
    hall.set("gpus.power", second);
    hall.advance_to(hall.end_s());
    const double gpus_j = 90.0 * sum_of_watts(first) + 150.0 * sum_of_watts(second);
    CHECK_THAT(240.0 * hall.mean(hall.series("facility.gpu_power")), WithinRel(gpus_j, 1e-9));
    CHECK_THAT(figure_of(hall, "node_energy"), WithinRel(nodes_of_rack * 1600.0 * 240.0 + 1.12 * gpus_j, 1e-9));
    CHECK(std::abs(figure_of(hall, "energy_residual")) < 1e-6);
  }
}

TEST_CASE("watts that are set contain leakage, whatever the work: GPUs draw them, and never less than nothing",
          "[library][gpu_watts]") {
  for (const char* workload : {"{ kind: training }", "{ kind: constant, node_power: 6 kW }"}) {
    CAPTURE(workload);
    Hall hall = rack_hall(workload);
    for (const double watts_w : {0.0, 1.0, 10.0, 90.0, 650.0}) {
      CAPTURE(watts_w);
      hall.set("gpus.power", std::vector<double>(gpus_of_rack, watts_w));
      hall.advance_to(hall.time_s() + 40.0);
      for (const double now_w : gpu_power(hall))
        CHECK_THAT(now_w, WithinAbs(watts_w, 1.0));  // dies move within a second
    }
  }
}

TEST_CASE("no part of a step draws more than a power limit, communication either", "[library][gpu_watts]") {
  Hall hall = rack_hall("{ kind: training }");
  hall.set("racks.gpu_power_limit", 250.0);
  hall.advance_to(20.0);
  for (double time_s = 21.0; time_s < 60.0; time_s += 1.0) {
    hall.advance_to(time_s);
    for (const double now_w : gpu_power(hall))
      CHECK(now_w < 250.0 + 14.0);  // what a die gains within a second (gpu_protection.md)
  }
}

TEST_CASE("forks, snapshots and the saved scenario repeat a hall whose GPUs got watts, to the bit",
          "[library][gpu_watts]") {
  const tests::TemporaryFolder folder;
  for (const char* workload : {"{ kind: constant, node_power: 6 kW }", "{ kind: training }"}) {
    CAPTURE(workload);
    Hall hall = rack_hall(workload);
    hall.advance_to(30.0);
    hall.set("gpus.power", slope_of_watts(90.0, 1.0));
    hall.set("gpus.power", slope_of_watts(100.0 / 3.0, 9.0));  // instead of the one before
    hall.act("fail: cdu_1.pump_a");
    hall.advance_to(77.7);
    hall.set("gpus.power", slope_of_watts(650.0, -7.0 / 9.0));
    Hall fork = hall.fork(), kept = Hall::from_snapshot(hall.snapshot());
    CHECK_THAT(hall.scenario(), Contains("own.gpu_power.csv"));
    for (Hall* one : {&hall, &fork, &kept}) {
      one->advance_to(120.0);
      one->set("gpus.power", slope_of_watts(200.0, 0.1));
    }
    const auto file = folder.path() / "mine.yaml";
    hall.save_scenario(file);
    CHECK(std::filesystem::exists(folder.path() / "mine.gpu_power.csv"));
    Hall told(file);
    const std::string end = end_of_all(hall);
    for (Hall* one : {&fork, &kept, &told}) CHECK((end_of_all(*one) == end));
    std::size_t count = 0;
    for (const Event& event : hall.events()) count += event.target == "gpus.power" ? 1 : 0;
    CHECK(count == 3);
  }
}

TEST_CASE("a power limit caps watts that are set, and a boot comes before them", "[library][gpu_watts]") {
  Hall hall = rack_hall();
  hall.set("gpus.power", slope_of_watts(600.0, 0.0));
  hall.set("racks.gpu_power_limit", "500 W");
  hall.advance_to(60.0);
  for (const double power_w : gpu_power(hall)) CHECK(power_w <= 500.0 * (1.0 + 1e-9));
  hall.act("open: row_1.rack_1");
  hall.advance_to(90.0);
  for (const double power_w : gpu_power(hall)) CHECK(power_w == 0.0);
}

TEST_CASE("arrays that do not fit are refused, and the hall is as it was", "[library][gpu_watts][mistakes]") {
  Hall hall = rack_hall(), same = rack_hall();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](double w) {
    std::vector<double> watts = slope_of_watts(100.0, 0.0);
    watts[9] = w;
    return watts;
  };
  CHECK_THAT(refused([&] { hall.set("gpus.power", std::vector<double>(63, 100.0)); }),
             Contains("63 numbers are given, but the hall has 64 GPUs"));
  CHECK_THAT(refused([&] { hall.set("gpus.power", std::vector<double>()); }),
             Contains("0 numbers are given, but the hall has 64 GPUs"));
  CHECK_THAT(refused([&] { hall.set("gpus.power", with(nan)); }),
             Contains("row_1.rack_1.node_2.gpu_2 = write 0 to 700 W"));
  CHECK_THAT(refused([&] { hall.set("gpus.power", with(-1.0)); }), Contains("-1 W of row_1.rack_1.node_2.gpu_2"));
  CHECK_THAT(refused([&] { hall.set("gpus.power", with(701.0)); }), Contains("701 W"));
  CHECK_THAT(refused([&] { hall.set("gpus.powr", with(100.0)); }), Contains("gpus.power"));
  CHECK_THAT(refused([&] { hall.set("gpus.power", 100.0); }), Contains("gpus.power takes an array, not one value"));
  CHECK_THAT(refused([&] { hall.set("gpus.powr", 100.0); }), Contains("did you mean 'gpus.power'?"));
  CHECK_THAT(refused([&] { hall.act("set: gpus.powr, to: 100 W"); }), Contains("did you mean 'gpus.power'?"));
  CHECK_THAT(refused([&] { hall.act("set: gpus.power, to: 100 W"); }), Contains("follow"));
  CHECK_THAT(refused([&] { hall.act("set: gpus.power, follow: { file: watts.csv }"); }), Contains("in the scenario"));
  CHECK(hall.scenario() == same.scenario());
  CHECK((end_of_all(hall) == end_of_all(same)));
  Hall stopped = rack_hall();
  stopped.set("gpus.power", with(100.0));
  CHECK_FALSE(stopped.advance_to(60.0, [] { return true; }));
  CHECK(stopped.time_s() == 0.0);
  CHECK_THAT(refused([&] { stopped.set("gpus.power", with(200.0)); }), Contains("an array of this instant already"));
  CHECK(stopped.advance_to(60.0));
  CHECK(gpu_power(stopped).front() == 100.0);
}

TEST_CASE("a file of watts that cannot be used is refused with its place", "[library][gpu_watts][mistakes]") {
  const tests::TemporaryFolder folder;
  const auto mistake = [&](const std::string& rows) {
    std::ofstream(folder.path() / "watts.csv") << rows;
    return refused([&] {
      Hall::from_text("extends: " WATTLOOP_SOURCE_DIR
                      "/scenarios/one_rack.yaml\nduration: 1 min\nevents:\n"
                      "  - { at: 0 s, set: gpus.power, follow: { file: watts.csv } }\n",
                      folder.path() / "own.yaml");
    });
  };
  CHECK_THAT(mistake("t_s,a,b\n0,1,2\n"), Contains("2 numbers are given, but the hall has 64 GPUs"));
  CHECK_THAT(mistake("time,a\n0,1\n"), Contains("the first column is not t_s"));
  CHECK_THAT(mistake("t_s,a\n0,x\n"), Contains("a cell has no number of seconds or watts"));
  CHECK_THAT(mistake("t_s,a\n5,1\n5,2\n"), Contains("times do not increase"));
  CHECK_THAT(mistake("t_s,a\n"), Contains("no rows"));
  std::string head = "t_s", row = "0";
  for (std::size_t gpu = 0; gpu < gpus_of_rack; ++gpu) {
    const std::size_t swapped = gpu < 2 ? 1 - gpu : gpu;
    head += ",row_1.rack_1.node_" + std::to_string(swapped / 8 + 1) + ".gpu_" + std::to_string(swapped % 8 + 1);
    row += ",100";
  }
  CHECK_THAT(mistake(head + "\n" + row + "\n"),
             Contains("column 2 of the file of watts is 'row_1.rack_1.node_1.gpu_2' = row_1.rack_1.node_1.gpu_1"));
}

TEST_CASE("the header for C sets an array by its length", "[library][gpu_watts]") {
  wattloop_error* error = nullptr;
  wattloop_hall* hall = wattloop_hall_open(WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", nullptr, &error);
  REQUIRE(hall != nullptr);
  const std::vector<double> watts = slope_of_watts(100.0, 1.0);
  CHECK(wattloop_set_array(hall, "gpus.power", watts.data(), watts.size(), &error) == WATTLOOP_OK);
  CHECK(wattloop_set_array(hall, "gpus.power", watts.data(), 3, &error) != WATTLOOP_OK);
  CHECK(error != nullptr);
  wattloop_error_free(error);
  wattloop_hall_free(hall);
}
