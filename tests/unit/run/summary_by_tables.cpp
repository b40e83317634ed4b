#include "tests/unit/run/summary_by_tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/halls/lively_hall.hpp"

namespace wattloop::tests {

using namespace twin;

namespace {

Scenario hot_hall() {
  Scenario scenario = lively_hall_scenario();
  for (CrahsSpec* crahs : {&scenario.cooling.crahs.front(), &scenario.power.rooms.crahs})
    crahs->has_water_valve = false;  // coils take more than the chillers have
  scenario.events.push_back(event(20.0, EventSpec::Kind::fail, {"cdu_1", "cdu_2"}));
  scenario.record = {.facility_s = 1.0, .racks_s = 1.0, .gpus_s = 1.0, .gpu_fields = {"die_temperature"}};
  return scenario;
}
const double no_number = std::nan("");
const std::vector<std::string> uses{
    "node", "fabric", "cdu_pump", "facility_pump", "tower", "chiller", "chilled_water_pump", "crah", "rear_door_fan"};

/// Of the utility: what the facility draws less what generators deliver in the same record.
void expect_peaks_of_sources(const Tables& tables, Numbers& must) {
  std::map<std::size_t, double> facility_w, generator_w;  // by record
  tables.for_each("facility", "power", "", [&](std::size_t row, auto&, double watts) { facility_w[row] = watts; });
  tables.for_each("generators", "power", "", [&](std::size_t row, auto&, double watts) { generator_w[row] += watts; });
  must["peak_utility_power"] = must["peak_generator_power"] = 0.0;
  for (const auto& [row, watts] : facility_w) {
    must["peak_utility_power"] = std::max(must["peak_utility_power"], watts - generator_w[row]);
    must["peak_generator_power"] = std::max(must["peak_generator_power"], generator_w[row]);
  }
}

void expect_energies(const Tables& tables, Numbers& must) {
  const double it_j = tables.integral("facility", "it_power"), all_j = tables.integral("facility", "power");
  for (const std::string& use : uses) must[use + "_energy"] = tables.integral("facility", use + "_power");
  must["transformer_loss_energy"] =
      tables.integral("feeders", "loss", "transformer") + tables.integral("feeders", "loss", "substation");
  must["ups_loss_energy"] = tables.integral("ups", "loss");
  must["pdu_loss_energy"] = tables.integral("feeders", "loss", "pdu");
  must["battery_energy"] = -tables.integral("ups", "battery_power");
  const Numbers parts = must;
  for (const auto& [name, energy_j] : parts) must["pue_" + name.substr(0, name.rfind('_'))] = energy_j / it_j;
  must["pue_battery"] =
      no_number;  // on battery: utility_a is lost for 20 s, and a minute does not recharge what that took
  must["facility_energy"] = all_j;
  must["generator_energy"] = tables.integral("generators", "power");
  must["utility_energy"] = all_j - must["generator_energy"];
  must["it_energy"] = it_j;
  must["pue"] = no_number;
  must["cooling_energy"] = tables.integral("facility", "cooling_power");
  must["electrical_loss_energy"] = tables.integral("facility", "electrical_loss");
  must["rejected_energy"] = tables.integral("facility", "heat_rejected");
  must["stored_energy"] = all_j - must["rejected_energy"];
  std::map<std::string, double> condensed_kg;  // by room, in its last record
  tables.for_each("rooms", "condensate", "",
                  [&](std::size_t, const std::string& room, double kg) { condensed_kg[room] = kg; });
  must["condensate"] = 0.0;
  for (const auto& [room, kg] : condensed_kg) must["condensate"] += kg;
  must["latent_energy"] = 2.501e6 * must["condensate"];  // J/kg
  must["water_use"] = tables.integral("facility", "water_flow") / 998.0;
  must["wue"] = must["water_use"] / it_j;
  must["mean_node_power"] = must["node_energy"] / lively_s;
  must["peak_node_power"] = tables.highest("facility", "node_power").value;
  must["peak_it_power"] = tables.highest("facility", "it_power").value;
  must["peak_facility_power"] = tables.highest("facility", "power").value;
  expect_peaks_of_sources(tables, must);
}

/// Racks that draw nothing in their last record.
double dark_at_the_end(const Tables& tables) {
  std::map<std::string, double> last_w;
  const auto keep = [&](std::size_t, const std::string& rack, double watts) { last_w[rack] = watts; };
  tables.for_each("racks", "it_power", "", keep);
  tables.for_each("network", "power", "", keep);
  return static_cast<double>(std::ranges::count_if(last_w, [](const auto& rack) { return rack.second == 0.0; }));
}

/// Of all parts of a group those for which that is as good as nothing in their last record.
double still_at_the_end(const Tables& tables, const std::string& group, const std::string& column) {
  std::map<std::string, double> last;
  tables.for_each(group, column, "", [&](std::size_t, const std::string& part, double is) { last[part] = is; });
  return static_cast<double>(std::ranges::count_if(last, [](const auto& part) { return part.second < 0.01; }));
}

std::string name_of_gpu(const Tables& tables, std::size_t gpu) {
  return fmt::format("{}.node_{}.gpu_{}", tables.results().table("racks").items[gpu / 64], gpu % 64 / 8 + 1,
                     gpu % 8 + 1);
}

void expect_dies(const Tables& tables, Must& must) {
  const Extreme hottest = tables.highest("facility", "max_die_temperature");
  const std::vector<float> dies_k =
      tables.results().frame("gpus", "die_temperature", static_cast<std::size_t>(hottest.time_s));
  must.texts["peak_die_gpu"] =
      name_of_gpu(tables, static_cast<std::size_t>(std::ranges::max_element(dies_k) - dies_k.begin()));
  must.numbers["peak_die_temperature"] = hottest.value;
  must.numbers["peak_die_time"] = hottest.time_s;
  must.numbers["smallest_throttle_margin"] = 87.0 + 273.15 - hottest.value;
  must.numbers["smallest_slowdown_margin"] = 89.0 + 273.15 - hottest.value;
  double off = 0.0, trips = 0.0;
  for (const EventRecord& event : tables.results().events()) {
    trips += event.kind == "tripped" ? 1.0 : 0.0;
    if (event.kind == "thermal_shutdown") off += 8.0;
    if (event.kind != "first_throttle") continue;
    must.texts["first_throttle_gpu"] = event.target;
    must.numbers["first_throttle_time"] = event.time_s;
  }
  must.numbers["shut_down_gpus"] = off;
  must.numbers["limits_exceeded"] = static_cast<double>(tables.results().limits().size());
  must.numbers["trips"] = trips;
  must.numbers["racks_without_power"] = dark_at_the_end(tables);
  must.numbers["loops_without_flow"] = still_at_the_end(tables, "loops", "flow");
  must.numbers["rooms_without_air"] = 0.0;
  must.numbers["most_throttled_gpus"] = tables.highest("facility", "throttled_gpus").value;
  double throttled_s = 0.0;  // from each second to the next
  tables.for_each("facility", "throttled_gpus", "", [&](std::size_t row, auto&, double gpus) {
    throttled_s += row < static_cast<std::size_t>(lively_s) ? gpus : 0.0;
  });
  must.numbers["throttled_gpu_time"] = throttled_s;
  must.numbers["capped_gpu_time"] = 0.0;  // watts of this hall contain leakage and are within the limit
}

/// Seconds after whose first instant each of a table was above its set-point or, where that is counted, below it; and by how much at most.
void expect_controlled(const Tables& tables, const char* group, const char* column, const char* set_point,
                       bool may_be_colder, Numbers& must) {
  const std::vector<float> set_points_k = tables.results().column(group, set_point);
  std::size_t item = 0;
  tables.for_each(group, column, "", [&](std::size_t row, const std::string& place, double is_k) {
    const auto set_point_k = static_cast<double>(set_points_k[item++]);
    if (!(set_point_k > 0.0)) return;  // nothing holds it
    const bool counts = row < static_cast<std::size_t>(lively_s);
    const auto look = [&](const std::string& side, double beyond_k) {
      must[place + "_" + side + "_set_point_time"] += counts && beyond_k > 0.5 ? 1.0 : 0.0;
      double& most_k = must[place + "_most_" + side + "_set_point"];
      if (beyond_k > 0.5) most_k = std::max(most_k, beyond_k);
    };
    look("above", is_k - set_point_k);
    if (!may_be_colder) look("below", set_point_k - is_k);
  });
}

void expect_temperatures(const Tables& tables, Numbers& must) {
  must["lowest_supply_temperature"] = tables.lowest("loops", "supply_temperature").value;
  must["highest_supply_temperature"] = tables.highest("loops", "supply_temperature").value;
  must["highest_return_temperature"] = tables.highest("loops", "return_temperature").value;
  double error_k = 0.0;
  const std::vector<float> set_points_k = tables.results().column("loops", "supply_set_point");
  tables.for_each("cdus", "supply_temperature", "", [&](std::size_t row, const std::string& cdu, double supply_k) {
    const float set_point_k = set_points_k[2 * row + (cdu <= "cdu_2" ? 0 : 1)];
    error_k = std::max(error_k, std::abs(supply_k - static_cast<double>(set_point_k)));
  });
  must["largest_supply_error"] = error_k;
  for (const auto& [name, system] : Texts{{"facility_water", "facility"}, {"chilled_water", "chilled_water"}}) {
    must["lowest_" + name + "_supply_temperature"] = tables.lowest("water_systems", "supply_temperature", system).value;
    must["highest_" + name + "_supply_temperature"] =
        tables.highest("water_systems", "supply_temperature", system).value;
    must["highest_" + name + "_return_temperature"] =
        tables.highest("water_systems", "return_temperature", system).value;
  }
  must["highest_cold_aisle_temperature"] = tables.highest("rows", "cold_aisle_temperature").value;
  must["highest_room_temperature"] = tables.highest("rooms", "temperature").value;
  expect_controlled(tables, "loops", "supply_temperature", "supply_set_point", false, must);
  expect_controlled(tables, "water_systems", "supply_temperature", "supply_set_point", false, must);
  expect_controlled(tables, "rooms", "temperature", "air_set_point", true, must);
}

void expect_loads(const Tables& tables, Must& must) {
  must.numbers["highest_loading"] = 0.0;
  const auto take = [&](const std::string& kind, const Extreme& peak) {
    must.numbers["highest_" + kind + "_loading"] = peak.value;
    must.texts["highest_" + kind + "_loading_of"] = peak.item;
    must.peak_at_s[kind] = {peak.time_s, peak.until_s};
    if (peak.value <= must.numbers["highest_loading"]) return;
    must.numbers["highest_loading"] = peak.value;
    must.texts["highest_loading_of"] = peak.item;
  };
  for (const auto& [kind, of] : rated_kinds()) take(kind, tables.highest(of.group, "loading", of.prefix));
  Extreme loop = tables.highest("loops", "heat");
  loop.value /= 2.0 * 300e3;
  take("loop", loop);
  const Extreme charge = tables.lowest("ups", "state_of_charge");
  must.numbers["lowest_state_of_charge"] = charge.value;
  must.texts["lowest_state_of_charge_of"] = charge.item;
}
}  // namespace

std::map<std::string, Kind> rated_kinds() {
  const Scenario scenario = hot_hall();
  return {{"chiller", {"chillers", "", 250e3}},
          {"tower", {"towers", "", 400e3}},
          {"cdu", {"cdus", "", 300e3}},
          {"crah", {"crahs", "", 40e3}},
          {"pdu", {"feeders", "pdu_", 120e3}},
          {"transformer", {"feeders", "transformer_", 2000e3}},
          {"substation", {"feeders", "substation_", 3000e3}},
          {"ups", {"ups", "", scenario.power.ups.rated_w}},
          {"generator", {"generators", "", 900e3}}};
}
HotRun::HotRun()
    : run(record_run(hot_hall(), UnevenWork(), folder / "hot.h5", RunWith::multirate)), tables(folder / "hot.h5") {
  expect_energies(tables, must.numbers);
  expect_dies(tables, must);
  expect_temperatures(tables, must.numbers);
  expect_loads(tables, must);
  must.numbers["simulated_time"] = lively_s;
  must.numbers["wall_time"] = 0.0;
  must.texts["unreached_settings"] =
      "chilled water: 20 degC asked, " +
      format_quantity(tables.lowest("water_systems", "supply_temperature", "chilled_water").value, "K") +
      " reached; coolant of loop_2: 34 degC asked, " +
      format_quantity(tables.highest("loops", "supply_temperature", "loop_2").value, "K") + " reached";
  must.numbers["warm_up_time"] = 0.0;
  must.numbers["settling_time"] = 600.0;  // begins in the steady state of its first instant
}

}  // namespace wattloop::tests
