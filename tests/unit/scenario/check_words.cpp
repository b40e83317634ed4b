// What `check` says: of several outages in one sentence, of fans that turn slower than full, of each group of racks, of doubts in every
// row, of one machine.
#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "electrical/supplies/psu_curve.hpp"
#include "tests/support/catch.hpp"
#include "twin/integration/steady/steady_state.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

using Texts = std::vector<std::string>;

Scenario scenario_of(const std::string& name, const Texts& overrides = {}) {
  omp_set_num_threads(1);  // tests run side by side
  return read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / (name + ".yaml"), overrides);
}

constexpr const char* doubt = "the speed of node fans does not settle: the fans of ";

/// The air-cooled hall whose fans go to full speed within a hundredth of a kelvin, between those of dies at full and at lowest speed.
Scenario restless_hall(Texts overrides = {}) {
  overrides.insert(overrides.end(), {"power.topology=single", "power.generators=null"});  // fewer outages
  Scenario scenario = scenario_of("halls/dgx_h100_air", overrides);
  workload::ServerFanParams& fans = scenario.racks.at(0).hardware.fans;
  fans.trim_s = 0.0;
  fans.die_rise_k = 338.15;
  fans.die_full_speed_k = fans.die_rise_k + 0.01;
  return scenario;
}

bool is_limit(const CheckRow& row) { return row.kind == CheckRow::Kind::limit; }

Texts doubts_of(const Scenario& scenario) {
  Texts found = check_ratings(scenario).warnings;
  std::erase_if(found, [](const std::string& text) { return text.find(doubt) == text.npos; });
  return found;
}

}  // namespace

TEST_CASE("several outages are one sentence", "[ratings][words]") {
  const std::string valves(open_valves), nothing = Outage{}.text;
  CHECK(with_any_out({nothing}, 4) == "");
  CHECK(with_any_out({"cdu_1"}, 4) == with_out("cdu_1"));
  CHECK(with_any_out({valves}, 4) == with_out(valves));
  CHECK(with_any_out({"cdu_1", valves}, 4) == "with cdu_1 out, or with valves wide open, ");
  CHECK(with_any_out({"side a", "cdu_1"}, 4) == "with side a or cdu_1 out, ");
  CHECK(with_any_out({nothing, "cdu_1"}, 4) == "with nothing out, or with cdu_1 out, ");
  CHECK(with_any_out({"a", "b", valves, "c", "d"}, 2) ==
        "with a or b or any of 2 more out, or with valves wide open, ");
}

TEST_CASE("doubts about fans is reported of every row in which they are", "[ratings][words]") {
  const Scenario scenario = restless_hall();
  const Texts reported = doubts_of(scenario);
  NameplateHall hall(scenario);
  std::size_t rows = 0;
  for (const Outage& outage : outages(hall.plant())) {
    hall.settle(outage);
    if (hall.doubts().empty()) continue;
    ++rows;
    const std::string& text = hall.doubts().front();
    INFO(outage.text << ": " << text);
    const auto row = std::ranges::find_if(reported, [&](const std::string& one) { return one.ends_with(text); });
    REQUIRE(row != reported.end());
    const bool is_named = outage.kind == Outage::Kind::nothing || row->find(outage.text) != std::string::npos;
    CHECK(is_named);
  }
  CHECK(rows > 4);
}

TEST_CASE("doubts about the hall with ample chillers are reported as its", "[ratings][words]") {
  const Texts reported = doubts_of(restless_hall({"hall.cooling.chilled_water.chillers.with={rated_heat: 400 kW}"}));
  REQUIRE_FALSE(reported.empty());
  CHECK_THAT(reported.front(), Contains("with chillers that carry any heat, the speed of node fans does not settle"));
}

// With fewer machines at work they are searched again: two searches of fans, of up to forty steps each.
TEST_CASE("fans that find no speed are searched at none twice, and the hall is left in steady state at theirs",
          "[ratings][restless]") {
  NameplateHall hall(restless_hall());
  hall.settle({});
  REQUIRE_FALSE(hall.doubts().empty());
  CHECK(hall.searches() < 45);
  const Plant& plant = hall.plant();
  PlantState state = hall.snapshot().state;
  const std::vector<double> inputs = state.inputs;
  drive_fans(plant, state);
  CHECK(state.inputs == inputs);  // at the speeds that are reported
  Evaluation evaluation(plant);
  std::vector<double> rates(plant.map.state_count);
  std::ranges::copy(state.inputs, evaluation.inputs().begin());
  evaluate(plant, state.switches, state.states, evaluation, rates);
  CHECK(largest_relative_rate_per_s(plant, rates) < 1e-6);
}

TEST_CASE("limits that are not compared are reported with the outages in which no steady state was found",
          "[ratings][words]") {
  const RatingCheck at_rest = check_ratings(scenario_of("one_rack"));
  CHECK(at_rest.limits_not_compared.empty());
  CHECK(limits_not_compared_text(at_rest).empty());

  const Scenario trapped = scenario_of("one_rack", {"power.pdus.with.rated_power=4 W"});
  const RatingCheck none = check_ratings(trapped);
  const auto follows_state = [](const CheckRow& row) {
    return is_limit(row) && row.unit != "A";
  };  // fault levels do not
  CHECK(std::ranges::none_of(none.rows, follows_state));
  Texts all;
  for (const Outage& outage : outages(NameplateHall(trapped).plant())) {
    if (outage.kind != Outage::Kind::valves) all.push_back(outage.text);
  }
  CHECK(none.limits_not_compared == all);
  const std::string why = ": no steady state was found at nameplate load";
  CHECK(limits_not_compared_text(none) == "limits are not compared, whatever is out" + why);

  const RatingCheck some = check_ratings(scenario_of(
      "h100_10k", {"hall.cooling.chilled_water.chillers.count=5", "power.topology=single", "power.generators=null"}));
  CHECK(std::ranges::any_of(some.rows, is_limit));
  CHECK(some.limits_not_compared == Texts{"chiller_1"});
  CHECK(limits_not_compared_text(some) == "with chiller_1 out, limits are not compared" + why);
}

// Of a condenser that unloads its machine in any water there is nothing is left but what ample ones would carry.
TEST_CASE("ample chillers have no condenser limit either", "[ratings][words]") {
  const Texts reported =
      check_ratings(scenario_of("halls/dgx_h100_air",
                                {"power.topology=single", "power.generators=null",
                                 "hall.cooling.chilled_water.chillers.with.highest_condensing_temperature=26 degC"}))
          .warnings;
  const auto has = [&](const std::string& text) {
    return std::ranges::any_of(reported, [&](const std::string& one) { return one.find(text) != one.npos; });
  };
  CHECK(has("it removes less heat than its equipment releases; loads are those with chillers that carry any heat"));
  CHECK(has(", but condenser water of "));
  CHECK(has(" leaves it next to nothing"));
}

TEST_CASE("a UPS that hot air switches off is rated for nothing there, and that is reported", "[ratings][words]") {
  const auto ups_at = [](const std::string& off_above) {
    const std::string air = "{ rated_air_temperature: 15 degC, shutdown_air_temperature: " + off_above + " }";
    const std::vector<CheckRow> ratings = check_ratings(scenario_of("one_rack", {"power.ups.with=" + air})).rows;
    const auto ups = std::ranges::find(ratings, "ups_a", &CheckRow::name);
    REQUIRE(ups != ratings.end());
    return *ups;
  };
  const CheckRow off = ups_at("20 degC"), on = ups_at("30 degC");  // in air of 25.97 degC
  CHECK(off.quantity == "racks, PDUs, CDU pumps, off in air of 25.97 degC");
  CHECK(off.limit == 0.0);
  CHECK(on.quantity == "racks, PDUs, CDU pumps");
  CHECK(on.limit > 0.0);
  CHECK(on.value == Approx(off.value));
}

// Fans draw as the cube of their speed.
TEST_CASE("nodes whose fans turn slower than full are reported with their speed", "[ratings][words]") {
  const Scenario scenario = scenario_of("halls/dgx_h100_air");
  const std::vector<CheckRow> ratings = check_ratings(scenario).rows;
  const auto node = std::ranges::find(ratings, "power supplies of a node", &CheckRow::name);
  REQUIRE(node != ratings.end());
  const std::string begin = "DC power at the nameplate of the node, fans at ";
  REQUIRE(node->quantity.starts_with(begin));
  CHECK(node->quantity.ends_with(" %"));
  const double speed = std::stod(node->quantity.substr(begin.size())) / 100.0;
  CHECK(speed > 0.6);
  CHECK(speed < 0.995);
  const NodeHardware& hardware = scenario.racks.front().hardware;
  CHECK(hardware.nameplate_w - electrical::psu_input_w(hardware.psu, node->value) ==
        Approx(hardware.fan_w * (1.0 - speed * speed * speed)).epsilon(1e-4));     // fans turn in steps of a per cent
  const std::vector<CheckRow> full = check_ratings(scenario_of("one_rack")).rows;  // its fans follow nothing
  CHECK(std::ranges::find(full, "power supplies of a node", &CheckRow::name)->quantity ==
        "DC power at the nameplate of the node");
}

TEST_CASE("limits of dies and racks is reported of each group of racks", "[ratings][words]") {
  NameplateHall hall(scenario_of("halls/mixed"));
  const Plant& plant = hall.plant();
  LimitTable table(plant, hall.scenario());
  hall.settle({});
  table.take({}, hall.snapshot());
  const std::vector<CheckRow>& rows = table.rows();
  REQUIRE(plant.it.groups.size() > 2);
  for (const RackGroup& group : plant.it.groups) {
    INFO(group.name);
    const double hottest_k = hottest_die_k(racks_of(group, hall.snapshot().all_racks()));
    const auto row = [&](const std::string& of, const std::string& why) {
      const auto found = std::ranges::find_if(rows, [&](const CheckRow& margin) {
        return margin.of == of + " of " + group.name && margin.why.find(why) != std::string::npos;
      });
      REQUIRE(found != rows.end());
      return *found;
    };
    CHECK(row("dies", "slows GPUs down").value == Approx(hottest_k).margin(2e-3));
    const CheckRow inlet = row("racks", "hotter than the maker");
    const auto rack = std::ranges::find(plant.it.racks, inlet.name, &RackPart::name);
    REQUIRE(rack != plant.it.racks.end());
    CHECK(&plant.it.groups[rack->group] == &group);
    CHECK(inlet.value == hall.snapshot().reported("racks", inlet.name, "inlet_air_temperature"));
  }
  CHECK(std::ranges::none_of(rows, [](const CheckRow& margin) { return margin.of == "dies" || margin.of == "racks"; }));
}

TEST_CASE("one machine has a pump, not pumps", "[ratings][words]") {
  const RatingCheck check = check_ratings(scenario_of("h100_10k", {"hall.cooling.chilled_water.chillers.count=1"}));
  const auto has = [&](const std::string& equipment) {
    return std::ranges::any_of(check.rows, [&](const CheckRow& rating) { return rating.name == equipment; });
  };
  CHECK(has("pump of 1 chiller"));
  CHECK(std::ranges::none_of(check.rows, [](const CheckRow& rating) {
    return rating.name.find("1 chillers") != std::string::npos || rating.name.starts_with("1 air handlers");
  }));
}
