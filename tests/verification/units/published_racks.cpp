// Racks of a published library [modelica_buildings] as scenarios of ours, by what a run of them records.
//
//   cold plates      132 kW, load in pulses of 62 and 102 %, coolant of 30 degC, flow halved from 30 to 35 s: its outlet
//   air              10 kW, load in pulses of 60 and 100 %, fans that hold 10 K: outlet, power, flow
//
// Theirs is one mixed volume of 2 s at design flow. Re-computed with exact steps theirs comes out within 2.5 mK and 0.5 mK; tolerances
// are ten times that. Flow is compared as capacity rate: their PG25 is one of 25 % by mass (3944.64 J/(kg K)), their air is moist (1014.54).
// Fans of ours look every 5 s, theirs always: their case is compared from five time constants after a fan could answer.
//
// T_case of theirs is not compared: its resistance has a known defect, a smoothing of flow as wide as the flow itself.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_case.hpp"

using namespace wattloop::tests;

TEST_CASE("a published rack of cold plates leaves its coolant as warm, through pulses of load and half the flow",
          "[published][data]") {
  const PublishedCase rack("rack of cold plates of a published library", "cold_plate_rack", "coldplate_rack.csv", {},
                           "monolithic");
  const auto is_running = [](double time_s) { return time_s > 0.0; };
  rack.check(
      {"coolant that leaves, load in pulses, flow halved", "racks", "return_temperature", "senTOut.T", 25e-3, "K"},
      is_running);
  constexpr double same_rate = 3933.07 / 3944.64;
  const auto is_steady = [](double time_s) { return (time_s > 2.0 && time_s < 30.0) || time_s > 37.0; };
  rack.check({"flow, by capacity rate", "racks", "flow", "rac.port_a.m_flow", 1e-4, "kg/s", true, same_rate},
             is_steady);
}

// Plates of a thousandth of a second under the integrator whose windows are of seconds: edges of pulses fall within its steps, where
// 0.25 K stand for a sixth of a second of what coolant changes there.
TEST_CASE("a published rack of cold plates is the same by windows of seconds but at the edges of its pulses",
          "[published][data]") {
  const PublishedCase rack("rack of cold plates of a published library, windows of seconds", "cold_plate_rack",
                           "coldplate_rack.csv");
  const auto is_running = [](double time_s) { return time_s > 0.0; };
  const auto is_off_edges = [](double time_s) {
    const double in_pulse_s = std::fmod(time_s - 0.2 + 5.0, 5.0);
    const auto is_near = [&](double edge_s) { return std::abs(in_pulse_s - edge_s) < 0.5; };
    return time_s > 0.0 && !is_near(0.0) && !is_near(2.0) && !is_near(5.0);
  };
  rack.check({"coolant that leaves, off edges of pulses", "racks", "return_temperature", "senTOut.T", 25e-3, "K"},
             is_off_edges);
  rack.check({"coolant that leaves, edges of pulses, too", "racks", "return_temperature", "senTOut.T", 0.25, "K"},
             is_running);
}

TEST_CASE(
    "a published air-cooled rack moves the air, draws the watts and warms the air as ours with fans that hold 10 K",
    "[published][data]") {
  const PublishedCase rack("air-cooled rack of a published library", "air_rack", "air_rack.csv");
  // Pulses from 0.2 to 24.2 s of every minute; fans answer at the next 5 s, 2 s is the time constant.
  const auto is_settled = [](double time_s) {
    const double in_pulse_s = std::fmod(time_s - 0.2 + 60.0, 60.0);
    return time_s > 20.0 && ((in_pulse_s > 15.0 && in_pulse_s < 24.0) || in_pulse_s > 36.0);
  };
  // Air between nodes and door is a volume more, 3 s in all: 5 mK where fans have stood for 20 s, that is 30 s after a pulse at
  // the latest. Pulses end before that: 0.1 K there.
  const auto has_stood = [](double time_s) { return time_s > 30.0 && std::fmod(time_s - 0.2 + 60.0, 60.0) > 54.0; };
  rack.check({"air that leaves", "racks", "outlet_air_temperature", "senTOut.T", 5e-3, "K"}, has_stood);
  const auto ends_pulse = [](double time_s) {
    const double in_pulse_s = std::fmod(time_s - 0.2 + 60.0, 60.0);
    return time_s > 60.0 && in_pulse_s > 20.0 && in_pulse_s < 24.0;
  };
  rack.check({"air that leaves, end of a pulse", "racks", "outlet_air_temperature", "senTOut.T", 0.1, "K"}, ends_pulse);
  rack.check({"power with fans", "racks", "it_power", "rac.PTot", 3e-2, "W"}, is_settled);
  constexpr double same_rate = 1006.0 / 1014.54;
  rack.check({"air, by capacity rate", "racks", "airflow", "rac.port_a.m_flow", 1e-5, "kg/s", true, same_rate},
             is_settled);
}
