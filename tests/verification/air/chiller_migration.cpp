// A chiller with condenser water colder than its chilled water: refrigerant moves heat by itself, and what is missing is
// compressed.
//
// By hand: 6 % of the rated heat for each kelvin of condenser water entering below chilled water leaving, at most 40 %
// [energyplus_refrigerant_migration]; the first law; the second: entropy of the two waters together never falls,
// m_c c ln(T_c,out / T_c,in) + m_e c ln(T_e,out / T_e,in) >= 0; compressed heat never at more than Carnot's coefficient.
#include <cmath>

#include "physics/air/psychrometrics.hpp"
#include "physics/water/chiller.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double water_heat = 4186.0, rated_w = 1.25e6;

ChillerParams machine_with(double migration_share) {
  ChillerParams machine;
  machine.rated_heat_w = rated_w;
  machine.rated_power_w = 250e3;
  machine.carnot_fraction = 0.6;
  machine.migration_share_fraction = migration_share;
  machine.chilled_design_flow_kg_per_s = 60.0;
  machine.condenser_design_flow_kg_per_s = 60.0;
  return machine;
}

/// Chilled water to 20 degC with a load, condenser water at a temperature, 60 kg/s each unless said otherwise.
ChillerNow at(const ChillerParams& machine, double load_w, double condenser_c, double condenser_kg_per_s = 60.0) {
  const double warm_k = freezing_k + 20.0 + load_w / (60.0 * water_heat);
  return chiller_now(machine, {warm_k, 60.0, water_heat}, {freezing_k + condenser_c, condenser_kg_per_s, water_heat},
                     freezing_k + 20.0);
}

}  // namespace

TEST_CASE("with condenser water 5 and 10 K below chilled water the compressor stands", "[chiller]") {
  const ChillerParams machine = machine_with(0.4);
  for (const auto& [condenser_c, load] : {std::pair{15.0, 0.30}, std::pair{15.0, 0.17}, std::pair{10.0, 0.40}}) {
    const ChillerNow now = at(machine, load * rated_w, condenser_c);
    CAPTURE(condenser_c, load);
    CHECK(now.power_w == Approx(0.0).margin(1e-6));
    CHECK(now.evaporator_heat_w == Approx(load * rated_w).epsilon(1e-9));
    CHECK(now.chilled_leaving_k == Approx(freezing_k + 20.0).epsilon(1e-12));
    CHECK(at(machine_with(0.0), load * rated_w, condenser_c).power_w > 5e3);  // without the valves it compresses
  }
}

TEST_CASE("what refrigerant does not move by itself is compressed at the smallest lift", "[chiller]") {
  const ChillerNow now = at(machine_with(0.4), 0.7 * rated_w, 15.0);
  // 30 % moves by itself; 40 % at 10 K and fixed speed: P = (0.260 + 0.504 x 0.4 + 0.236 x 0.16) Q_rated 10 / (0.6 x 291.15)
  CHECK(now.power_w == Approx((0.260 + 0.504 * 0.4 + 0.236 * 0.16) * rated_w * 10.0 / (0.6 * 291.15)).epsilon(1e-9));
  CHECK(now.evaporator_heat_w == Approx(0.7 * rated_w).epsilon(1e-12));
}

TEST_CASE("where condenser water is warmer nothing moves by itself, to the bit", "[chiller]") {
  for (double condenser_c : {23.0, 24.0, 29.0, 36.0, 60.0}) {
    for (double load : {0.0, 0.1, 0.5, 1.0, 1.5}) {
      const ChillerNow with = at(machine_with(0.4), load * rated_w, condenser_c);
      const ChillerNow without = at(machine_with(0.0), load * rated_w, condenser_c);
      CHECK(with.power_w == without.power_w);
      CHECK(with.evaporator_heat_w == without.evaporator_heat_w);
      CHECK(with.condenser_leaving_k == without.condenser_leaving_k);
    }
  }
}

TEST_CASE("heat and power have no jump over condenser water, load and flow", "[chiller]") {
  const ChillerParams machine = machine_with(0.4);
  constexpr double step = 1e-3;
  for (double load : {0.0, 0.05, 0.1, 0.17, 0.3, 0.4, 0.6, 1.0}) {
    for (double condenser_c = 2.0; condenser_c < 40.0; condenser_c += step) {
      const ChillerNow now = at(machine, load * rated_w, condenser_c);
      const ChillerNow next = at(machine, load * rated_w, condenser_c + step);
      if (std::abs(next.power_w - now.power_w) > 20.0) FAIL("power jumps at " << condenser_c << " degC, load " << load);
      if (std::abs(next.evaporator_heat_w - now.evaporator_heat_w) > 200.0) FAIL("heat jumps at " << condenser_c);
    }
  }
  for (double condenser_c : {8.0, 14.0, 19.9, 25.0}) {
    for (double load = 0.0; load < 1.2; load += 1e-4) {
      const ChillerNow now = at(machine, load * rated_w, condenser_c);
      const ChillerNow next = at(machine, (load + 1e-4) * rated_w, condenser_c);
      if (std::abs(next.power_w - now.power_w) > 60.0) FAIL("power jumps at load " << load);
    }
    for (double flow = 0.0; flow < 70.0; flow += 1e-2) {
      const ChillerNow now = at(machine, 0.5 * rated_w, condenser_c, flow);
      const ChillerNow next = at(machine, 0.5 * rated_w, condenser_c, flow + 1e-2);
      if (std::abs(next.power_w - now.power_w) > 500.0) FAIL("power jumps at " << flow << " kg/s");
      if (std::abs(next.evaporator_heat_w - now.evaporator_heat_w) > 2000.0) FAIL("heat jumps at " << flow << " kg/s");
    }
  }
}

TEST_CASE("with or without its compressor a chiller obeys both laws", "[chiller]") {
  for (double share : {0.0, 0.4, 1.0}) {
    ChillerParams machine = machine_with(share);
    for (double per_kelvin : {0.06, 5.0}) {  // the second moves more than the condenser water can take
      machine.migration_share_per_k = per_kelvin;
      for (double load : {-0.2, 0.0, 0.1, 0.5, 1.0, 2.0}) {
        for (double condenser_c : {1.0, 10.0, 19.0, 19.999, 20.0, 25.0, 45.0}) {
          for (double flow : {0.0, 7.0, 12.0, 30.0, 60.0}) {
            const ChillerNow now = at(machine, load * rated_w, condenser_c, flow);
            CAPTURE(share, per_kelvin, load, condenser_c, flow);
            CHECK(now.condenser_heat_w == Approx(now.evaporator_heat_w + now.power_w).epsilon(1e-14));
            CHECK(now.power_w >= 0.0);
            CHECK(now.evaporator_heat_w >= 0.0);
            const double chilled_in_k = freezing_k + 20.0 + load * rated_w / (60.0 * water_heat);
            const double entropy_w_per_k =
                water_heat * (flow * std::log(now.condenser_leaving_k / (freezing_k + condenser_c)) +
                              60.0 * std::log(now.chilled_leaving_k / chilled_in_k));
            CHECK(entropy_w_per_k >= -1e-6);
            if (now.power_w < 1e-9 && now.evaporator_heat_w > 0.0)
              CHECK(now.condenser_leaving_k <= now.chilled_leaving_k + 1e-9);
            if (share == 0.0 && now.power_w > 0.0 && now.condenser_leaving_k > now.chilled_leaving_k) {
              const double carnot = now.chilled_leaving_k / (now.condenser_leaving_k - now.chilled_leaving_k);
              CHECK(now.evaporator_heat_w <= carnot * now.power_w);
            }
          }
        }
      }
    }
  }
}
