// By how much a job on GPUs in air slows down in the hot hours of a day: docs/studies/mid_day_loss.md is what this prints of runs of
// scenarios/training_cluster/llama3_16k_hot_day.yaml. Published: 1 to 2 % of the throughput of Llama 3 on 16,384 H100 [llama3_herd]. Nothing is fitted to it.
//
// Where a changed number is meant, WATTLOOP_WRITE_CLAIMS=1 writes the page anew; read what changed in it.
//
// By hand, of equal GPUs: clock = sqrt((limit - slope (die - reference) - idle) / (asked - idle)), pace = 1 / (share / clock + 1 - share).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/printed_numbers.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/job_figures.hpp"

using namespace wattloop;

namespace {

constexpr double h_s = 3600.0, share = 0.877, asked_w = 700.0, limit_w = 700.0, idle_w = 72.0;
constexpr double slope_w_per_k = 1.4, reference_k = 338.15;
constexpr std::size_t gpus = 64, hours = 24;
const std::string page_file = WATTLOOP_SOURCE_DIR "/docs/studies/mid_day_loss.md";
/// The hall without the sequence: events move the set-point of the air, coolest at 3:00 and warmest at 15:00.
std::vector<std::string> with_swing(int swing_k, std::vector<std::string> more = {}) {
  more.emplace_back("sequences=null");
  if (swing_k > 0)
    more.push_back(
        fmt::format("events=[{{at: 3 h, set: room_1.air_temperature, by: +{0} K, over: 12 h}}, "
                    "{{at: 15 h, set: room_1.air_temperature, by: -{0} K, over: 9 h}}]",
                    swing_k));
  return more;
}

struct Hour {
  double inlet_k = 0.0, hottest_die_k = 0.0, pace = 0.0;  ///< pace: work done over that at full clock
};

/// Hour by hour; values of air and dies are those of its end.
std::vector<Hour> day_of(const std::vector<std::string>& overrides) {
  tests::ScenarioRun run("training_cluster/llama3_16k_hot_day", overrides, tests::ScenarioRun::By::multirate);
  std::vector<Hour> day;
  double done_s = 0.0;
  for (std::size_t hour = 0; hour < hours; ++hour) {
    run.until(static_cast<double>(hour + 1) * h_s);
    const double now_s = twin::job_figures(run.jobs(), run.state()).gained_s;
    day.push_back({run.node_k("row_1.cold_aisle"), run.hottest_die_k(gpus), (now_s - done_s) / h_s});
    done_s = now_s;
  }
  return day;
}

template <class Member>
double swing_of(const std::vector<Hour>& day, Member member) {
  const auto [low, high] = std::ranges::minmax(day, {}, member);
  return high.*member - low.*member;
}

/// Of the slowest hour against the fastest.
double loss_of(const std::vector<Hour>& day) {
  const auto [slowest, fastest] = std::ranges::minmax(day, {}, &Hour::pace);
  return 1.0 - slowest.pace / fastest.pace;
}

double degc(double k) { return k - 273.15; }

const std::string intro =
    "# The loss at mid-day\n"
    "\n"
    "On 16,384 H100, the throughput of Llama 3 405B varied by 1 to 2 % in the course of a day. Its "
    "authors give the reason: higher temperatures at mid-day\n"
    "change the voltage and frequency scaling of the GPUs [llama3_herd]. This page gives the variation "
    "in a run of\n"
    "[a hot day](../../scenarios/training_cluster/llama3_16k_hot_day.yaml), and the quantities on which "
    "it depends. No constant is fitted to the published\n"
    "number. `tests/verification/jobs/mid_day_loss.cpp` runs the scenario and writes this page.\n"
    "\n"
    "The mechanism is as follows. The [power limit](../models/gpu_protection.md#power-limit) of a GPU "
    "contains the leakage of its die, 1.4 W/K. A warmer die\n"
    "leaves less power for the work, so the clock falls. The [slowest GPU sets the "
    "step](../models/job_coupling.md).\n"
    "\n"
    "    clock = sqrt((limit - leakage - idle) / (asked - idle)),  step = computing / clock + "
    "communication\n"
    "\n";

}  // namespace

TEST_CASE("the page of the mid-day loss is what runs say", "[verification][claims][mid_day]") {
  const std::vector<Hour> day = day_of({});
  std::string text = intro;
  text += fmt::format("## A hot day\n\nThe slowest hour has {:.2f} % less throughput than the fastest hour.\n\n",
                      100.0 * loss_of(day));
  text += "| until | inlet air | hottest die | throughput over throughput at full clock |\n|---|---|---|---|\n";
  for (std::size_t hour = 2; hour < hours; hour += 3)
    text += fmt::format("| {}:00 | {:.1f} degC | {:.1f} degC | {:.2f} % |\n", hour + 1, degc(day[hour].inlet_k),
                        degc(day[hour].hottest_die_k), 100.0 * day[hour].pace);
  text +=
      "\n## What it depends on\n\nSwings are differences between values at whole hours. If fans have just changed "
      "their speed, a die may be below its target at that time.\n\n| day | swing of the inlet air | swing of the "
      "hottest die | loss "
      "|\n|---|---|---|---|\n";
  const auto add = [&](const std::string& name, const std::vector<Hour>& other) {
    text += fmt::format("| {} | {:.1f} K | {:.1f} K | {:.2f} % |\n", name, swing_of(other, &Hour::inlet_k),
                        swing_of(other, &Hour::hottest_die_k), 100.0 * loss_of(other));
    return loss_of(other);
  };
  const auto row = [&](const std::string& name, const std::vector<std::string>& overrides) {
    return add(name, day_of(overrides));
  };
  const std::string leakage = "hall.racks.with.units.gpu.with.leakage_slope=";
  const std::string fixed_fans = "hall.racks.with.fans.controlled=false";
  CHECK(row("air of a constant set-point", with_swing(0)) < 5e-4);
  add("air that follows the wet bulb, as above", day);
  row("a set-point that rises by 6 K until 15:00", with_swing(6));
  const double with_fans = row("a set-point that rises by 12 K until 15:00", with_swing(12));
  const double without_fans = row("the same, fans at full speed all the time", with_swing(12, {fixed_fans}));
  const double no_leakage = row("the same without leakage", with_swing(12, {fixed_fans, leakage + "0 W/K"}));
  const double half = row("the same, leakage 0.7 W/K", with_swing(12, {fixed_fans, leakage + "0.7 W/K"}));
  const double twice = row("the same, leakage 2.8 W/K", with_swing(12, {fixed_fans, leakage + "2.8 W/K"}));
  const double cool =
      row("12 K, full fan speed, 613 W asked for", with_swing(12, {fixed_fans, "workload.compute_gpu_power=613 W"}));
  row("12 K, full fan speed, 700 W asked for", with_swing(12, {fixed_fans, "workload.compute_gpu_power=700 W"}));
  row("12 K, full fan speed, equal GPUs",
      with_swing(12, {fixed_fans, "hall.racks.gpu_spread=none", "workload.gpu_spread=0 W"}));
  CHECK(no_leakage < 1e-6);
  CHECK(cool < 1e-6);
  CHECK(half <= without_fans);
  CHECK(without_fans <= twice);
  CHECK(with_fans < without_fans);
  const double per_k = 0.5 * share * slope_w_per_k / (limit_w - idle_w);
  text += fmt::format(
      "\n"
      "## What 1 to 2 % would take\n"
      "\n"
      "Consider a GPU whose work asks for its limit of 700 W. If its die becomes a kelvin warmer, 1.4 W more "
      "of the 628 W above idle power are leakage. The clock\n"
      "falls by half of the share 1.4 / 628, and {:.1f} % of the time of a step depend on the clock. So each "
      "kelvin costs {:.3f} % of the throughput. Therefore a loss\n"
      "of 1 to 2 % needs two conditions: the slowest GPU is at its limit all day, and its die is {:.0f} to {:.0f} K "
      "warmer at mid-day.\n"
      "\n"
      "* The fans of these nodes keep the hottest die at 69.5 degC ([server "
      "fans](../models/server_fans.md)). So warmer air raises fan power and does not lower the clock. The fan\n"
      "  control is fitted to one record. If fans are at full speed, or at one speed, dies follow the "
      "air.\n"
      "* The 685 W of matrix products are fitted to another job "
      "([transformer](../models/transformer.md#power-of-a-step)). With this value, only the GPUs at the\n"
      "  upper end of the spread are at their limit.\n"
      "* GPUs draw 678 W for 87.7 % of a step in this scenario. In the planned job, GPUs wait at 220 W for "
      "a part of this time. Their mean is 553 W instead of\n"
      "  622 W, so dies are cooler.\n"
      "* The leakage of 1.4 W/K is an estimate. It represents all effects by which the same work draws "
      "more power in a warmer die.\n"
      "* The model does not contain firmware that lowers voltage and frequency at temperatures below 87 "
      "degC, or air that differs between racks of one hall.\n"
      "\n"
      "The air temperature in the published cluster, and its variation, are not published.\n",
      100.0 * share, 100.0 * per_k, 0.01 / per_k, 0.02 / per_k);
  if (std::getenv("WATTLOOP_WRITE_CLAIMS") != nullptr) std::ofstream(page_file) << text;
  CHECK(text == tests::file_text(page_file));
}

TEST_CASE("the clock and the pace of a hot day are those of the power limit by hand", "[verification][mid_day]") {
  tests::ScenarioRun run(
      "training_cluster/llama3_16k_hot_day",
      {"workload.compute_gpu_power=700 W", "workload.gpu_spread=0 W", "hall.racks.gpu_spread=none", "duration=16 h"},
      tests::ScenarioRun::By::multirate);
  run.until(15.0 * h_s);
  const double before_s = twin::job_figures(run.jobs(), run.state()).gained_s;
  const auto clock_by_hand = [&] {
    return std::sqrt((limit_w - slope_w_per_k * (run.hottest_die_k(gpus) - reference_k) - idle_w) / (asked_w - idle_w));
  };
  const double first = clock_by_hand();
  REQUIRE(first < 0.999);
  CHECK_THAT(run.state().work.job_clocks.front().clock_fraction, Catch::Matchers::WithinAbs(first, 1e-3));
  run.to_end();
  const double clock = 0.5 * (first + clock_by_hand());
  const double pace = (twin::job_figures(run.jobs(), run.state()).gained_s - before_s) / h_s;
  const double by_hand = 1.0 / (share / clock + 1.0 - share);
  CHECK_THAT(pace, Catch::Matchers::WithinAbs(by_hand, 1e-3));
  tests::report_verification({"Llama 3 in air from 15:00 to 16:00 of a hot day, GPUs alike, 700 W asked for",
                              "closed form", "throughput over that at full clock", pace, by_hand, 1e-3, "1"});
}
