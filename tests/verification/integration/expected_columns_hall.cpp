// Columns of rooms, rows and air handlers, of racks, network racks and GPUs; and which rack stands where.
#include <algorithm>
#include <any>
#include <cmath>

#include <fmt/format.h>

#include "physics/fluids/fluid.hpp"
#include "physics/units/cold_plate.hpp"
#include "tests/verification/integration/expected_columns.hpp"
#include "tests/verification/water/exchange_by_hand.hpp"

namespace wattloop::tests {

namespace {

using Item = const std::string&;

constexpr std::size_t racks_of_first_loop = 4;

double die_k(const Instant& now, const std::string& gpu) { return now.state_of(gpu + ".die_temperature"); }

Expected node_k(const std::string& suffix) {
  return [suffix](const Instant& now, Item item) { return now.k(item + suffix); };
}

std::string row_of_rack(const std::string& rack) {
  return rack.starts_with("network_rack") ? "network_row" : rack.substr(0, rack.find('.'));
}

/// Of the water that a coil gets with its valve open, by an equal-percentage valve of 50 with half of the pressure drop; below 1 / ln 50 its curve
/// goes to zero along its tangent.
double share_of_open(double position) {
  const double range = std::log(50.0);
  const double opening =
      position < 1.0 / range ? position * range * std::exp(1.0 - range) : std::pow(50.0, position - 1.0);
  return 1.0 / std::sqrt(0.5 + 0.5 / (opening * opening));
}

/// What a coil takes up over what it can, with its fan at full speed and its valve open, from air half a kelvin above the set-point, or from that at present if it is
/// warmer. At most its rated heat, at least a hundredth of it.
double crah_loading(const HallByName& hall, const twin::CrahsSpec& spec, const Instant& now, Item crah) {
  const int of_hall = hall.scenario.cooling.crahs.front().count, of_side = hall.scenario.power.rooms.crahs.count;
  const int behind = std::stoi(crah.substr(5)) - of_hall;
  const std::string room = behind <= 0 ? "room_1" : behind <= of_side ? "electrical_room_a" : "electrical_room_b";
  const double flow = now.kg_per_s(crah + ".supply"), water_k = now.k("chilled_water.supply");
  const double open_flow = flow / share_of_open(now.state_of(crah + ".valve_position"));
  const auto w_per_k = [&](double fan, double kg_per_s) {
    const double ua = two_films(spec.crah.design_conductance_w_per_k, 0.8, fan, 0.5,
                                kg_per_s / spec.crah.water_design_flow_kg_per_s, 0.8);
    return crossflow(fan * spec.crah.air_design_flow_kg_per_s * 1006.0, kg_per_s * hall.water_j_per_kg_k, ua);
  };
  const double able_w = w_per_k(1.0, open_flow) * (std::max(now.k(room), spec.air_k + 0.5) - water_k);
  const double moved_w = w_per_k(now.state_of(crah + ".speed"), flow) * (now.k(room) - water_k);
  return std::max(moved_w, 0.0) / std::clamp(able_w, 0.01 * spec.crah.rated_heat_w, spec.crah.rated_heat_w);
}

void expect_air(const HallByName& hall, ExpectedColumns& columns) {
  const PowerByHand power(hall.scenario.power);
  const auto crahs_of = [hall](Item crah) -> const twin::CrahsSpec& {
    const twin::CrahsSpec& of_hall = hall.scenario.cooling.crahs.front();
    return std::stoi(crah.substr(5)) <= of_hall.count ? of_hall : hall.scenario.power.rooms.crahs;
  };
  columns["rooms/temperature"] = node_k("");
  columns["rooms/mass_temperature"] = node_k(".mass");
  const Expected nothing = [](const Instant&, Item) {
    return 0.0;
  };  // its water is warmer than the dew points of its rooms
  columns["rooms/condensate"] = columns["crahs/condensate"] = columns["crahs/latent_heat"] = nothing;
  columns["rooms/electrical_loss"] = [power](const Instant& now, Item room) {
    if (room == "room_1") return power.losses_w(now, "pdu_");
    return power.losses_w(now, "ups_" + room.substr(room.size() - 1));
  };
  columns["rooms/air_set_point"] = [hall](const Instant&, Item room) {
    const twin::Scenario& scenario = hall.scenario;
    return room == "room_1" ? scenario.cooling.crahs.front().air_k : scenario.power.rooms.crahs.air_k;
  };
  columns["rows/cold_aisle_temperature"] = node_k(".cold_aisle");
  columns["rows/hot_aisle_temperature"] = node_k(".hot_aisle");
  columns["rows/airflow"] = [](const Instant& now, Item row) {
    double sum = 0.0;
    for (const auto& [name, number] : now.names.links) {
      if (!name.ends_with(".door_air")) continue;
      if (row_of_rack(name.substr(0, name.size() - std::string(".door_air").size())) == row) sum += now.kg_per_s(name);
    }
    return sum;
  };
  columns["rows/supplied_airflow"] = [](const Instant& now, Item row) { return now.kg_per_s(row + ".supply"); };
  const Expected crah_w = [hall](const Instant& now, Item crah) {
    return now.kg_per_s(crah + ".return") * hall.water_j_per_kg_k *
           (now.k(crah + ".water") - now.k("chilled_water.supply"));
  };
  columns["crahs/return_temperature"] = node_k(".water");
  columns["crahs/fan_speed"] = [](const Instant& now, Item crah) { return now.state_of(crah + ".speed"); };
  columns["crahs/flow"] = [](const Instant& now, Item crah) { return now.kg_per_s(crah + ".supply"); };
  columns["crahs/valve_position"] = [](const Instant& now, Item crah) {
    return now.state_of(crah + ".valve_position");
  };
  columns["crahs/airflow"] = [crahs_of](const Instant& now, Item crah) {
    return crahs_of(crah).crah.air_design_flow_kg_per_s * now.state_of(crah + ".speed");
  };
  columns["crahs/heat"] = crah_w;
  columns["crahs/power"] = [](const Instant& now, Item crah) { return now.load_w(crah); };
  columns["crahs/loading"] = [=](const Instant& now, Item crah) {
    return crah_loading(hall, crahs_of(crah), now, crah);
  };
}

void expect_rack_air(const std::string& group, const std::string& power, const HallByName& hall,
                     ExpectedColumns& columns) {
  columns[group + "/" + power] = [](const Instant& now, Item rack) { return now.load_w(rack); };
  columns[group + "/inlet_air_temperature"] = [](const Instant& now, Item rack) {
    return now.k(row_of_rack(rack) + ".cold_aisle");
  };
  columns[group + "/outlet_air_temperature"] = node_k(".exhaust");
  columns[group + "/door_return_temperature"] = node_k(".door");
  columns[group + "/airflow"] = [](const Instant& now, Item rack) { return now.kg_per_s(rack + ".intake"); };
  columns[group + "/door_heat"] = [hall](const Instant& now, Item rack) {
    return now.kg_per_s(rack + ".door_return") * hall.water_j_per_kg_k *
           (now.k(rack + ".door") - now.k("chilled_water.supply"));
  };
}

void expect_racks(const HallByName& hall, ExpectedColumns& columns) {
  expect_rack_air("racks", "it_power", hall, columns);
  expect_rack_air("network", "power", hall, columns);
  columns["racks/supply_temperature"] = node_k(".supply");
  columns["racks/return_temperature"] = node_k(".return");
  columns["racks/flow"] = [](const Instant& now, Item rack) { return now.kg_per_s(rack + ".return_hose"); };
  columns["racks/max_die_temperature"] = [hall](const Instant& now, Item rack) {
    double hottest_k = 0.0;
    for (const std::string& gpu : hall.gpus_of_rack(rack)) hottest_k = std::max(hottest_k, die_k(now, gpu));
    return hottest_k;
  };
  columns["racks/mean_die_temperature"] = [hall](const Instant& now, Item rack) {
    double sum_k = 0.0;
    for (const std::string& gpu : hall.gpus_of_rack(rack)) sum_k += die_k(now, gpu);
    return sum_k / 64.0;
  };
  columns["racks/throttled_gpus"] = [hall](const Instant& now, Item rack) {
    const auto first = now.state.work.clock_fraction.begin() +
                       64 * (std::find(hall.racks.begin(), hall.racks.end(), rack) - hall.racks.begin());
    return static_cast<double>(std::count_if(first, first + 64, [](double c) { return c > 0.0 && c < 1.0; }));
  };
  columns["racks/shut_down_gpus"] = [hall](const Instant& now, Item rack) {
    const auto first = now.state.work.clock_fraction.begin() +
                       64 * (std::find(hall.racks.begin(), hall.racks.end(), rack) - hall.racks.begin());
    return static_cast<double>(std::count(first, first + 64, 0.0));
  };
  columns["racks/down_gpus"] = [hall](const Instant& now, Item rack) {
    const auto first = now.state.work.node_is.begin() +
                       8 * (std::find(hall.racks.begin(), hall.racks.end(), rack) - hall.racks.begin());
    return 8.0 *
           static_cast<double>(std::count_if(first, first + 8, [](auto is) { return is != twin::NodeIs::at_work; }));
  };
  columns["facility/hottest_rack_inlet_temperature"] = [](const Instant& now, Item) {
    return std::max({now.k("row_1.cold_aisle"), now.k("row_2.cold_aisle"), now.k("row_3.cold_aisle")});
  };
}

/// Load and leakage of one GPU, which is off where it has no load.
double gpu_w(const twin::Scenario& scenario, const Instant& now, const std::string& gpu) {
  const double load_w = now.input(gpu + ".load");
  for (const twin::NodeUnits& units : scenario.racks.front().hardware.units) {
    const auto* plate = std::any_cast<physics::ColdPlate::Params>(&units.spec.params);
    if (plate != nullptr && load_w > 0.0)
      return load_w + plate->leakage_w_per_k * (die_k(now, gpu) - plate->leakage_reference_k);
  }
  return 0.0;
}

void expect_gpus(const HallByName& hall, ExpectedColumns& columns) {
  const std::vector<std::string> gpus = hall.all_gpus();
  const auto name = [gpus](Item number) { return gpus[static_cast<std::size_t>(std::stoi(number)) - 1]; };
  const twin::Scenario scenario = hall.scenario;
  columns["gpus/power"] = [=](const Instant& now, Item number) { return gpu_w(scenario, now, name(number)); };
  columns["gpus/clock_fraction"] = [](const Instant& now, Item number) {
    return now.state.work.clock_fraction[static_cast<std::size_t>(std::stoi(number)) - 1];
  };
  columns["gpus/die_temperature"] = [=](const Instant& now, Item number) { return die_k(now, name(number)); };
  columns["gpus/plate_temperature"] = [=](const Instant& now, Item number) {
    return now.state_of(name(number) + ".plate_temperature");
  };
  columns["facility/gpu_power"] = [=](const Instant& now, Item) {
    double sum_w = 0.0;
    for (const std::string& gpu : gpus) sum_w += gpu_w(scenario, now, gpu);
    return sum_w;
  };
}

}  // namespace

std::vector<std::string> HallByName::racks_of_loop(const std::string& loop) const {
  const auto first_of_second = racks.begin() + racks_of_first_loop;
  if (loop == "loop_1") return {racks.begin(), first_of_second};
  return {first_of_second, racks.end()};
}

std::string HallByName::loop_of_cdu(const std::string& cdu) const {
  return cdu == "cdu_1" || cdu == "cdu_2" ? "loop_1" : "loop_2";
}

std::vector<std::string> HallByName::gpus_of_rack(const std::string& rack) const {
  std::vector<std::string> gpus;
  for (int node = 1; node <= 8; ++node) {
    for (int gpu = 1; gpu <= 8; ++gpu) gpus.push_back(fmt::format("{}.node_{}.gpu_{}", rack, node, gpu));
  }
  return gpus;
}

std::vector<std::string> HallByName::all_gpus() const {
  std::vector<std::string> gpus;
  for (const std::string& rack : racks) {
    const std::vector<std::string> more = gpus_of_rack(rack);
    gpus.insert(gpus.end(), more.begin(), more.end());
  }
  return gpus;
}

HallByName hall_by_name(const twin::Scenario& scenario, const std::vector<std::string>& racks) {
  constexpr double water_k = 293.15;  // where the program takes it
  const double supply_k = scenario.cooling.loops.front().supply_k;
  return {scenario, racks, physics::find_fluid("water").specific_heat_j_per_kg_k(water_k),
          physics::find_fluid(scenario.cooling.loops.front().coolant).specific_heat_j_per_kg_k(supply_k)};
}

void expect_hall(const HallByName& hall, ExpectedColumns& columns) {
  expect_air(hall, columns);
  expect_racks(hall, columns);
  expect_gpus(hall, columns);
}

}  // namespace wattloop::tests
