// The Carnot-fraction chiller against its implicit equations, the first law, and makers' maps of 157
// machines.
//
// Source: [energyplus_chillers] reference points and Carrier 19XR 742 kW (5.56 degC leaving, 21.11 degC
// entering condenser water, COP 5.42); Carnot's limit in closed form.
#include "physics/water/chiller.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "physics/air/psychrometrics.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double water_heat = 4186.0;

ChillerParams machine_1250kw() {
  ChillerParams machine;
  machine.rated_heat_w = 1.25e6;
  machine.rated_power_w = 250e3;
  machine.carnot_fraction = 0.5;
  machine.chilled_design_flow_kg_per_s = 37.3;
  machine.condenser_design_flow_kg_per_s = 60.0;
  return machine;
}

PortNow chilled(double celsius, double flow = 37.3) { return {freezing_k + celsius, flow, water_heat}; }
PortNow condenser(double celsius, double flow = 60.0) { return {freezing_k + celsius, flow, water_heat}; }

struct Record {
  std::map<std::string, double> of;
  std::string name;
};

std::vector<Record> read_records(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::string line, cell;
  std::vector<std::string> names;
  std::getline(file, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::vector<Record> records;
  while (std::getline(file, line)) {
    Record record;
    std::istringstream cells(line);
    for (std::size_t k = 0; k + 1 < names.size() && std::getline(cells, cell, ','); ++k) {
      if (k == 0)
        record.name = cell;
      else
        record.of[names[k]] = std::stod(cell);
    }
    records.push_back(record);
  }
  return records;
}

/// The machine at a record's flows, at full load, for an entering condenser temperature.
ChillerNow full_load(const Record& record, double carnot_fraction, double heat_w, double condenser_c) {
  ChillerParams machine = machine_1250kw();
  machine.rated_heat_w = heat_w;
  machine.rated_power_w = heat_w;
  machine.carnot_fraction = carnot_fraction;
  const double flow = record.of.at("mEva_kg_s"), leaving_c = record.of.at("TevaLvg_ref_C");
  return chiller_now(machine, chilled(leaving_c + heat_w / (flow * water_heat), flow),
                     condenser(condenser_c, record.of.at("mCon_kg_s")), freezing_k + leaving_c);
}

/// The Carnot fraction with which the machine has the record's COP at its reference point.
double implied_carnot_fraction(const Record& record) {
  double low = 0.1, high = 1.0;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    const ChillerNow now = full_load(record, middle, 1e3 * record.of.at("Qref_kW"), record.of.at("TconEnt_ref_C"));
    (now.evaporator_heat_w / now.power_w < record.of.at("COPref") ? low : high) = middle;
  }
  return low;
}

}  // namespace

TEST_CASE("the chiller fulfils Carnot's fraction between its own refrigerant temperatures", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  for (double inlet_c : {22.0, 25.0, 28.0}) {
    for (double condenser_c : {24.0, 30.0, 36.0}) {
      const ChillerNow now = chiller_now(machine, chilled(inlet_c), condenser(condenser_c), freezing_k + 20.0);
      REQUIRE(now.evaporator_heat_w > 0.15 * 1.25e6);
      const double cold_k = now.chilled_leaving_k - 2.0, hot_k = now.condenser_leaving_k + 3.0;
      CHECK(now.evaporator_heat_w / now.power_w == Approx(0.5 * cold_k / (hot_k - cold_k)).epsilon(1e-10));
    }
  }
}

TEST_CASE("condenser heat is evaporator heat plus power, whatever limits the chiller", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  for (double inlet_c : {10.0, 20.0, 20.5, 25.0, 40.0}) {
    for (double condenser_c : {5.0, 25.0, 45.0, 90.0}) {
      for (double flow : {1e-6, 1.0, 60.0}) {
        const PortNow cold = chilled(inlet_c), warm = condenser(condenser_c, flow);
        const ChillerNow now = chiller_now(machine, cold, warm, freezing_k + 20.0);
        CHECK(now.condenser_heat_w == Approx(now.evaporator_heat_w + now.power_w).epsilon(1e-14));
        CHECK(now.evaporator_heat_w >= 0.0);
        CHECK(now.evaporator_heat_w <= 1.25e6);
        CHECK(now.power_w >= 0.0);
        CHECK(now.power_w <= 250e3 * (1.0 + 1e-9));
        CHECK(37.3 * water_heat * (cold.temperature_k - now.chilled_leaving_k) ==
              Approx(now.evaporator_heat_w).margin(1e-3));
        CHECK(now.evaporator_heat_w * (now.chilled_leaving_k - freezing_k - 20.0) >= -1e-3);
      }
    }
  }
}

TEST_CASE("rated heat and motor power limit the chiller, and it warms its water beyond them", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  machine.highest_condensing_k = freezing_k + 90.0;
  const ChillerNow full = chiller_now(machine, chilled(35.0), condenser(28.0), freezing_k + 20.0);
  CHECK(full.evaporator_heat_w == 1.25e6);
  CHECK(full.chilled_leaving_k > freezing_k + 20.0);
  const ChillerNow hot = chiller_now(machine, chilled(28.0), condenser(60.0), freezing_k + 20.0);
  CHECK(hot.power_w == Approx(250e3).epsilon(1e-9));
  CHECK(hot.evaporator_heat_w < 0.8 * 1.25e6);
}

TEST_CASE("at its condenser limit a chiller unloads, so that its refrigerant condenses at the limit", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  machine.rated_power_w = 1e6;  // the motor is not the limit
  for (const double limit_c : {45.0, 50.0, 55.0}) {
    machine.highest_condensing_k = freezing_k + limit_c;
    const ChillerNow below = chiller_now(machine, chilled(29.0), condenser(limit_c - 12.0), freezing_k + 20.0);
    CHECK(below.evaporator_heat_w == 1.25e6);
    const ChillerNow at = chiller_now(machine, chilled(29.0), condenser(limit_c - 5.0), freezing_k + 20.0);
    CHECK(at.condenser_leaving_k + 3.0 == Approx(freezing_k + limit_c).epsilon(1e-12));
    CHECK(at.evaporator_heat_w < 0.5 * 1.25e6);
    // First law and Carnot's fraction at 2 K of warming in 60 kg/s: evaporating where full load would, 2 K below what leaves.
    const double cop = 0.5 * (freezing_k + 29.0 - 1.25e6 / (37.3 * water_heat) - 2.0) /
                       (limit_c - (29.0 - 1.25e6 / (37.3 * water_heat) - 2.0));
    CHECK(at.evaporator_heat_w == Approx(60.0 * water_heat * 2.0 * cop / (1.0 + cop)).epsilon(1e-9));
    CHECK(at.power_w == Approx(60.0 * water_heat * 2.0 / (1.0 + cop)).epsilon(1e-9));
    const ChillerNow none = chiller_now(machine, chilled(29.0), condenser(limit_c - 3.0), freezing_k + 20.0);
    CHECK(none.evaporator_heat_w == 0.0);
    CHECK(none.power_w == 0.0);
  }
}

TEST_CASE("what its waters leave of a chiller's rating is what it moves with its set-point just held", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  CHECK(chiller_left_w(machine, chilled(21.0), condenser(25.0), freezing_k + 20.0) == Approx(1.25e6).epsilon(1e-12));
  CHECK(chiller_left_w(machine, chilled(21.0, 1.0), condenser(60.0), freezing_k + 20.0) == 1.25e6);  // it stands
  CHECK(chiller_left_w(machine, chilled(21.0), condenser(60.0), freezing_k + 20.0) == 12.5e3);
  const double left_w = chiller_left_w(machine, chilled(21.0), condenser(43.0), freezing_k + 20.0);
  CHECK(left_w < 1.1e6);
  ChillerParams small = machine;  // rated for that much it holds its set-point, whatever comes
  small.rated_heat_w = left_w;
  small.minimum_part_load_fraction = 0.0;
  const PortNow warm = chilled(20.0 + left_w / (37.3 * water_heat));
  CHECK(chiller_now(small, warm, condenser(43.0), freezing_k + 20.0).evaporator_heat_w == Approx(left_w).epsilon(1e-9));
  CHECK(chiller_now(machine, chilled(30.0), condenser(43.0), freezing_k + 20.0).chilled_leaving_k > freezing_k + 20.5);
}

TEST_CASE("power does not fall below that of the smallest load and follows the inverse Carnot fraction", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  const double smallest_w =
      chiller_now(machine, chilled(20.0 + 0.15 * 1.25e6 / (37.3 * water_heat)), condenser(28.0), freezing_k + 20.0)
          .power_w;
  for (double inlet_c : {15.0, 20.0, 20.5}) {
    const double power_w = chiller_now(machine, chilled(inlet_c), condenser(28.0), freezing_k + 20.0).power_w;
    CHECK(power_w > 0.0);
    if (inlet_c >= 20.0) CHECK(power_w == Approx(smallest_w).epsilon(1e-9));
  }
  const PortNow endless = condenser(28.0, 1e9);
  const double half_w = chiller_now(machine, chilled(25.0), endless, freezing_k + 20.0).power_w;
  machine.carnot_fraction = 1.0;
  CHECK(2.0 * chiller_now(machine, chilled(25.0), endless, freezing_k + 20.0).power_w == Approx(half_w).epsilon(1e-6));
  // Carnot itself: 18 to 31 degC.
  const ChillerNow ideal = chiller_now(machine, chilled(25.0), endless, freezing_k + 20.0);
  CHECK(ideal.evaporator_heat_w / ideal.power_w == Approx(291.15 / 13.0).epsilon(1e-5));
}

TEST_CASE("without water on either side a chiller does nothing", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  for (const auto& [cold, warm] : {std::pair{0.0, 60.0}, std::pair{37.3, 0.0}, std::pair{-1.0, 60.0}}) {
    const ChillerNow now = chiller_now(machine, chilled(25.0, cold), condenser(28.0, warm), freezing_k + 20.0);
    CHECK(now.power_w == 0.0);
    CHECK(now.evaporator_heat_w == 0.0);
    CHECK(now.condenser_leaving_k == freezing_k + 28.0);
  }
}

TEST_CASE("the Carnot fractions of catalogue machines lie where the model's parameter is documented",
          "[chiller][data]") {
  const std::string folder = tests::reference_data();
  const std::vector<Record> records = read_records(folder + "/equipment/chillers_eir.csv");
  REQUIRE(records.size() == 157);
  std::vector<double> fractions;
  for (const Record& record : records) {
    if (record.of.at("mEva_kg_s") > 0.0 && record.of.at("mCon_kg_s") > 0.0) {
      fractions.push_back(implied_carnot_fraction(record));
    }
  }
  std::ranges::sort(fractions);
  CAPTURE(fractions.size(), fractions.front(), fractions.back(), fractions[fractions.size() / 2]);
  CHECK(fractions.size() >= 150);
  CHECK(fractions[fractions.size() / 20] > 0.5);
  CHECK(fractions[fractions.size() / 2] == Approx(0.67).margin(0.02));
  CHECK(fractions.back() < 0.85);  // no machine does better than Carnot allows
}

TEST_CASE("fitted at its reference point the model predicts a Carrier 19XR off it", "[chiller][data]") {
  const std::string folder = tests::reference_data();
  const std::vector<Record> records = read_records(folder + "/equipment/chillers_eir.csv");
  const auto found = std::ranges::find(records, "Carrier_19XR_742kW_5_42COP_VSD", &Record::name);
  REQUIRE(found != records.end());
  const auto& of = found->of;
  const double fraction = implied_carnot_fraction(*found), leaving_c = of.at("TevaLvg_ref_C");
  for (double condenser_c : {15.0, 18.0, 21.11, 23.89}) {
    const auto biquadratic = [&](const std::string& f) {
      return of.at(f + "_a") + of.at(f + "_bTe") * leaving_c + of.at(f + "_cTe2") * leaving_c * leaving_c +
             of.at(f + "_dTc") * condenser_c + of.at(f + "_eTc2") * condenser_c * condenser_c +
             of.at(f + "_fTeTc") * leaving_c * condenser_c;
    };
    const double heat_w = 1e3 * of.at("Qref_kW") * biquadratic("capFT");
    const double part = of.at("eirPLR_a") + of.at("eirPLR_b") + of.at("eirPLR_c");
    const double map_cop = of.at("COPref") / (biquadratic("eirFT") * part);
    const ChillerNow now = full_load(*found, fraction, heat_w, condenser_c);
    const double cop = now.evaporator_heat_w / now.power_w;
    CAPTURE(condenser_c, cop, map_cop, fraction);
    CHECK(std::abs(cop / map_cop - 1.0) < 0.08);
    if (map_cop == Approx(of.at("COPref")).epsilon(0.01)) continue;  // where it is fitted
    tests::report_verification(
        {"Carrier 19XR, full load, condenser water " + std::to_string(condenser_c).substr(0, 5) + " degC",
         "energyplus_chillers", "COP", cop, map_cop, 0.08 * map_cop, "1"});
  }
}
