// A node on one of its two cords: half of its supplies carry it, at other losses, and never more than their rating.
//
// Six supplies of 3.3 kW with the efficiencies of 80 PLUS Titanium, 90 / 94 / 96 / 91 % at 10 / 20 / 50 / 100 % [program_80plus], input linear in
// output between them. By hand for 10.20 kW at the inlet: 9,790.4 W of DC, 98.9 % of three supplies, which draw
// 4950 / 0.96 + (9790.4 - 4950) (9900 / 0.91 - 4950 / 0.96) / 4950 = 10,752 W.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/specs/node_supplies.hpp"

using namespace wattloop;

namespace {

using Run = tests::ScenarioRun;

constexpr electrical::PsuParams six_titanium{.rated_w = 19.8e3,
                                             .supplies = 6,
                                             .cords = 2,
                                             .efficiency_at_10_fraction = 0.90,
                                             .efficiency_at_20_fraction = 0.94,
                                             .efficiency_at_50_fraction = 0.96,
                                             .efficiency_at_100_fraction = 0.91};

std::vector<std::string> small_hall(std::vector<std::string> more) {
  std::vector<std::string> all{"hall.racks={count: 4, rows: 2, nodes: 1}",
                               "hall.network.racks=1",
                               "duration=2 min",
                               "workload={kind: constant}",
                               "initial=steady",
                               "hall.racks.with.psu.with.cords=2"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

double node_w(const Run& run, std::size_t rack) { return run.evaluation().loads_w()[run.plant.it.racks[rack].load]; }

double gpus_w(const Run& run, std::size_t rack) { return run.evaluation().racks[rack].gpu_power_w; }

}  // namespace

TEST_CASE("three of six supplies draw what two curves by hand say", "[verification][supplies]") {
  const electrical::PsuCurve curve(six_titanium);
  CHECK(electrical::share_on_one_cord(six_titanium) == 0.5);
  for (const auto& [both_w, one_w] :
       {std::pair{6900.0, 7037.0}, std::pair{8400.0, 8726.0}, std::pair{10200.0, 10752.0}}) {
    double input_w = curve.output_w(both_w);
    curve.to_input_of_share(input_w, electrical::share_on_one_cord(six_titanium));
    CHECK(input_w == Approx(one_w).margin(0.5));
    tests::report_verification(
        {"six Titanium supplies, one of two cords lost, of " + std::to_string(static_cast<int>(both_w)) + " W",
         "closed form", "AC input", input_w, one_w, 0.5, "W"});
  }
}

TEST_CASE("of an odd number of supplies the smaller part is left, and a switch in the rack leaves all", "[supplies]") {
  electrical::PsuParams psu = six_titanium;
  psu.supplies = 5;
  CHECK(electrical::share_on_one_cord(psu) == 0.4);
  psu.cords = 1;
  CHECK(electrical::share_on_one_cord(psu) == 1.0);
  CHECK(electrical::check(psu).empty());
  psu.cords = 2;
  psu.supplies = 1;
  CHECK(electrical::check(psu).size() == 1);
  psu.cords = 3;
  CHECK(electrical::check(psu).size() == 1);
  psu.cords = 1;
  psu.lowest_input_v = 264.0;
  psu.highest_input_v = 180.0;
  CHECK(electrical::check(psu) ==
        std::vector<std::string>{"lowest_input_voltage of 264 V is not below highest_input_voltage of 180 V"});
}

TEST_CASE("a node that loses a cord draws more from the other, in both integrators", "[verification][supplies]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("h100_10k", small_hall({"events=[{at: 1 min, open: pdu_b_1, for: 30 s}]"}), integrator);
    run.until(59.0);
    const double both_w = node_w(run, 0), gpus_before_w = gpus_w(run, 0);
    run.until(75.0);
    CHECK(both_w == Approx(10200.0).epsilon(1e-9));
    CHECK(node_w(run, 0) == Approx(10752.4).margin(0.5));
    CHECK(gpus_w(run, 0) == Approx(gpus_before_w).epsilon(1e-9));
    run.to_end();
    CHECK(node_w(run, 0) == Approx(both_w).epsilon(1e-9));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

// 14.3 kW ask for more than 9.9 kW of DC: GPUs are kept to what is left beside the rest of the node at its nameplate.
TEST_CASE("supplies on one cord that are too small hold GPUs to what they give", "[verification][supplies]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("h100_10k",
            small_hall({"hall.racks.hardware=hgx_b200_liquid", "events=[{at: 1 min, open: pdu_b_1, for: 30 s}]"}),
            integrator);
    const twin::NodeHardware& node = run.scenario.racks.front().hardware;
    run.until(59.0);
    const double both_w = node_w(run, 0);
    run.until(75.0);
    const double rest_dc_w = electrical::psu_output_w(node.psu, 14.3e3) - 8.0 * node.split.gpu_limit_w;
    CHECK(both_w > 14e3);
    CHECK(gpus_w(run, 0) == Approx(9900.0 - rest_dc_w).epsilon(1e-9));
    CHECK(node_w(run, 0) <= 9900.0 / 0.91 * (1.0 + 1e-12));
    CHECK(run.state().work.capped_gpu_s > 0.0);
    run.to_end();
    CHECK(node_w(run, 0) == Approx(both_w).epsilon(1e-9));
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("nodes whose supplies on one cord cannot even idle are dark with it, and the log says why", "[supplies]") {
  Run run("h100_10k",
          small_hall({"hall.racks.with.psu.with.rated_power=4 kW", "events=[{at: 1 min, open: pdu_b_1, for: 30 s}]"}),
          Run::By::multirate);
  run.until(59.0);
  CHECK(node_w(run, 0) > 0.0);
  run.until(75.0);
  CHECK(node_w(run, 0) == 0.0);
  const auto lost = std::ranges::find(run.events(), "lost_power", &twin::EventRecord::kind);
  REQUIRE(lost != run.events().end());
  CHECK(lost->detail.ends_with("pdu_b_1.output dead, and supplies on one cord cannot carry a node"));
}

TEST_CASE("check compares supplies on one cord with the nameplate of the node", "[supplies]") {
  const auto row_of = [](const std::string& hardware) {
    const Run run("h100_10k", small_hall({"hall.racks.hardware=" + hardware}), Run::By::multirate);
    const std::vector<twin::CheckRow> rows = twin::check_ratings(run.scenario).rows;
    return *std::ranges::find(rows, "one cord", &twin::CheckRow::of);
  };
  const twin::CheckRow h100 = row_of("hgx_h100_liquid"), b200 = row_of("hgx_b200_liquid");
  CHECK(h100.is_met());
  CHECK(h100.value / h100.limit == Approx(0.989).margin(5e-4));
  CHECK_FALSE(b200.is_met());
}
