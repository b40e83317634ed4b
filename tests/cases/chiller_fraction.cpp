// Case: chillers half as good in the reference hall at nameplate, held against the hall as it is.
//
// What must change: power of the chillers; heat in their condensers, so the facility return, the towers' duty and heat to the
// sky; transformers, substations and the feed, which carry the power. What must not: all that is cooled. Chilled water and the
// coolant of the loops are held at their set-points as long as chillers and towers have reserve, which they have on a mild day.
//
// Expected values and where they come from:
//   chillers   P = g(x) Q (T_hot - T_cold) / (eta T_cold) by hand from waters' temperatures in the run, for both fractions; 0.5 %
//   feed       rises by the chillers' power and what transformers lose on it: between 1 and 1.02 times as much, towers' fans
//              left out
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/by_hand/chiller_by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

/// Sum over the chillers of P = g(x) Q (T_hot - T_cold) / (eta T_cold), pinches of 2 and 3 K as in the data sheet.
double compressors_by_hand_w(const ScenarioRun& run, double carnot_fraction) {
  double sum_w = 0.0;
  for (const std::string& chiller : tests::running_chillers(run)) {
    const double leaving_k = run.node_k(chiller + ".evaporator");
    const double heat_w = tests::evaporator_heat_by_hand_w(run, chiller);
    const double cold_k = leaving_k - 2.0, hot_k = run.node_k(chiller + ".condenser") + 3.0;
    CHECK(hot_k - cold_k > 10.0);  // the least lift of the machine does not bind
    const double factor =
        tests::part_load_by_hand(true, heat_w / 1.25e6);  // its motor could lift all of its rated heat
    sum_w += factor * heat_w * (hot_k - cold_k) / (carnot_fraction * cold_k);
  }
  return sum_w;
}

/// Chilled water and condenser pumps of the machines that run: flow x pressure / efficiency.
double chiller_pumps_w(const ScenarioRun& run) {
  return static_cast<double>(tests::running_chillers(run).size()) * 60.0 / 998.0 * (80e3 + 120e3) / 0.75;
}

/// Names of what differs by more than `tolerance`.
template <class Value>
std::vector<std::string> changed(const std::vector<std::string>& names, Value value, double tolerance) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::abs(value(i)) > tolerance) list.push_back(names[i]);
  }
  return list;
}

}  // namespace

TEST_CASE("chillers half as good change their power and what lies upstream of it, nothing else", "[case]") {
  const auto by = GENERATE(ScenarioRun::By::monolithic, ScenarioRun::By::multirate);
  ScenarioRun good("pump_failure/no_failure", {}, by);
  ScenarioRun poor("pump_failure/no_failure", {"hall.cooling.chilled_water.chillers.with.carnot_fraction=0.3"}, by);
  for (ScenarioRun* run : {&good, &poor}) run->until(120.0);
  const Plant& plant = good.plant;

  const double good_w = good.use_w("chiller"), poor_w = poor.use_w("chiller");
  CHECK(good_w == Approx(compressors_by_hand_w(good, 0.6) + chiller_pumps_w(good)).epsilon(0.005));
  CHECK(poor_w == Approx(compressors_by_hand_w(poor, 0.3) + chiller_pumps_w(poor)).epsilon(0.005));
  CHECK(poor_w - chiller_pumps_w(poor) > 2.0 * (good_w - chiller_pumps_w(good)));  // warmer condensers on top

  std::vector<std::string> uses;
  for (const UseOfPower& use : plant.uses) uses.emplace_back(use.name);
  const auto use_w = [&](std::string_view use) { return poor.use_w(use) - good.use_w(use); };
  CHECK(changed(
            uses, [&](std::size_t use) { return use_w(uses[use]); }, 1.0) ==
        std::vector<std::string>{"tower", "chiller"});

  const auto branch_w = [&](std::size_t b) {
    return poor.evaluation().power.branch_output_w[b] - good.evaluation().power.branch_output_w[b];
  };
  for (const std::string& name : changed(plant.power_tree.branch_name, branch_w, 1.0)) {
    INFO(name);
    CHECK((name.starts_with("substation_") || name.starts_with("transformer_")));
  }
  const double feed_w = poor.evaluation().power.source_total_w - good.evaluation().power.source_total_w;
  const double used_w = use_w("chiller") + use_w("tower");
  CHECK(feed_w > used_w);
  CHECK(feed_w < 1.02 * used_w);

  std::vector<std::string> nodes;
  for (const ThermalNode& node : plant.nodes) nodes.push_back(node.name);
  const auto node_k = [&](std::size_t n) { return poor.node_k(n) - good.node_k(n); };
  for (const std::string& name : changed(nodes, node_k, 0.01)) {
    INFO(name);
    CHECK((name.rfind("tower_", 0) == 0 || name.rfind("chiller_", 0) == 0 || name == "facility.users_return" ||
           name == "facility.return"));
  }
  CHECK(poor.node_k("facility.return") - good.node_k("facility.return") > 0.1);
  for (std::size_t gpu = 0; gpu < plant.it.gpu_count(); ++gpu) {
    if (std::abs(poor.die_k(gpu) - good.die_k(gpu)) > 0.01) FAIL_CHECK("die " << gpu << " changed");
  }
  CHECK(std::abs(poor.energy_residual()) < 1e-6);
}
