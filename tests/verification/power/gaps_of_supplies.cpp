// Gaps of power that supplies of nodes carry, and voltages that they work at.
//
// The only feed of all racks fails, UPS and bypass; a transfer switch goes to the other one after a time. Supplies of psu_titanium carry 10 ms. What is
// longer switches 512 GPUs off, which boot for 5 min: of a run that ends 2 min after the failure they lose 512 x 120 s.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/ratings/rating_check.hpp"

using namespace wattloop;

namespace {

using Run = tests::ScenarioRun;

constexpr const char* base = "../tests/unit/mistakes/base/one_line";

std::vector<std::string> with_gap(double gap_s, std::vector<std::string> more = {}) {
  std::vector<std::string> all{
      "duration=3 min", fmt::format("power.one_line.transfers.sts.after={} s", gap_s),
      "power.cords=[{racks: row_*.rack_*, buses: [critical]}, {motors: cdu_*.pump_*, buses: [critical]}]",
      "events=[{at: 1 min, fail: [ups_a, ups_a.bypass]}]"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

bool has(const Run& run, const std::string& kind, const std::string& target) {
  return !run.times_s(kind, target).empty();
}

}  // namespace

TEST_CASE("nodes ride through a gap as long as their supplies carry it, and lose their work in a longer one",
          "[verification][supplies]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    for (const double gap_s : {0.004, 0.008, 0.01, 0.0101, 0.1}) {
      CAPTURE(gap_s);
      const bool is_carried = gap_s <= 0.01;
      Run run(base, with_gap(gap_s), integrator);
      run.until(60.0 + 0.5 * gap_s);
      CHECK(run.evaluation().loads_w()[run.plant.it.racks[0].load] == 0.0);
      run.to_end();
      CHECK(run.times_s("transfer").front() == Approx(60.0 + gap_s).epsilon(1e-12));
      CHECK(has(run, "held_up", "node") == is_carried);
      CHECK(has(run, "lost_power", "node") == !is_carried);
      CHECK(has(run, "lost_power", "cdu_pump"));
      const bool are_all_at_work = std::ranges::all_of(run.state().work.node_is,
                                                       [](twin::NodeIs node) { return node == twin::NodeIs::at_work; });
      CHECK(are_all_at_work == is_carried);
      CHECK(std::abs(run.energy_residual()) < 1e-9);
    }
  }
}

TEST_CASE("the gap of a node is that of its own supplies", "[verification][supplies]") {
  for (const auto& [hold_up, is_carried] :
       {std::pair{"20 ms", true}, std::pair{"19 ms", false}, std::pair{"0 s", false}}) {
    CAPTURE(hold_up);
    Run run(base, with_gap(0.02, {fmt::format("hall.racks.with.psu.with.hold_up_time={}", hold_up)}),
            Run::By::multirate);
    run.to_end();
    CHECK(has(run, "held_up", "node") == is_carried);
    CHECK(std::ranges::count(run.state().work.node_is, twin::NodeIs::at_work) == (is_carried ? 64 : 0));
  }
}

TEST_CASE("check compares the voltage at supplies with the window that they work in", "[verification][supplies]") {
  const auto rows_of = [](const std::string& lowest, const std::string& highest) {
    const Run run(base,
                  {"power.flow=radial", "hall.racks.with.psu.with.lowest_input_voltage=" + lowest,
                   "hall.racks.with.psu.with.highest_input_voltage=" + highest},
                  Run::By::multirate);
    std::vector<twin::CheckRow> rows = twin::check_ratings(run.scenario).rows;
    std::erase_if(rows, [](const twin::CheckRow& row) { return row.quantity != "input voltage"; });
    return rows;
  };
  // 415 V between phases; the UPS makes its nominal voltage, and a transformer of 6 % and 1 % at a third of its rating takes 0.5 to 3 % of that behind it.
  const std::vector<twin::CheckRow> rows = rows_of("180 V", "264 V");
  REQUIRE(rows.size() >= 2);
  const double nominal_v = 415.0 / std::sqrt(3.0);
  const auto [least, most] = std::ranges::minmax(rows, {}, &twin::CheckRow::value);
  CHECK(most.value == Approx(nominal_v).epsilon(1e-12));
  CHECK(least.value < 0.995 * nominal_v);
  CHECK(least.value > 0.97 * nominal_v);
  CHECK(std::ranges::all_of(rows, &twin::CheckRow::is_met));
  CHECK_FALSE(std::ranges::all_of(rows_of("239.7 V", "264 V"), &twin::CheckRow::is_met));
  CHECK_FALSE(std::ranges::all_of(rows_of("180 V", "239 V"), &twin::CheckRow::is_met));
}
