// Overload of equipment against closed forms.
//
//   inverse time        t = TMS k / ((I / I_s)^a - 1), k and a of [iec_60255_151]; standard inverse, TMS 0.1, at twice: 1.003 s
//   UPS                 125 % for 600 s, 150 % for 60 s [mge_galaxy_pw]; at 137.5 % their geometric mean, 189.7 s
//   steps               what is used adds up: after half of the time at one load half of the time at another is left
//   recovery            linear: after half of the recovery time half is left
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "electrical/equipment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::electrical;
using tests::report_verification;

namespace {

constexpr Ups::Params ups{
    .rated_w = 1.5e6, .constant_loss_fraction = 0.007, .linear_loss_fraction = 0.008, .quadratic_loss_fraction = 0.016};
constexpr Generator::Params generator{.rated_w = 3e6};
constexpr Breaker::Params breaker{
    .rated_a = 1e5 / (std::numbers::sqrt3 * 400.0), .voltage_v = 400.0, .overload_limit_ratio = 1.0};
constexpr Pdu::Params pdu{.rated_w = 1e6, .constant_loss_fraction = 0.001, .quadratic_loss_fraction = 0.007};
constexpr Transformer::Params transformer{.rated_va = 2.5e6, .no_load_loss_w = 3.2e3, .load_loss_w = 20e3};

struct Step {
  double loading_ratio;
  double duration_s;
};

/// When a rested part has used up what it endures, in steps of a course; counted in pieces of `piece_s`.
double trips_at_s(const Endurance& endurance, const std::vector<Step>& course, double piece_s) {
  double used = 0.0, now_s = 0.0;
  for (const Step& step : course) {
    for (double done_s = 0.0; done_s < step.duration_s; done_s += piece_s) {
      const double left_s = time_left_s(endurance, used, step.loading_ratio);
      if (left_s <= piece_s) return now_s + left_s;
      used = used_after(endurance, used, step.loading_ratio, piece_s);
      now_s += piece_s;
    }
  }
  return for_ever_s;
}

void check(const std::string& name, const std::string& source, double ours_s, double theirs_s) {
  CHECK(ours_s == Approx(theirs_s).epsilon(1e-9));
  report_verification({name, source, "time to trip", ours_s, theirs_s, 1e-9 * theirs_s, "s"});
}

}  // namespace

TEST_CASE("a breaker of standard inverse time, TMS 0.1, trips at twice its current after 1.003 s", "[overload]") {
  const OverloadLimit limit = overload_limit(Equipment{breaker});
  CHECK(limit.trips);
  check("breaker, standard inverse, TMS 0.1, twice", "iec_60255_151", trip_time_s(limit.endurance, 2.0),
        0.1 * 0.14 / (std::exp(0.02 * std::log(2.0)) - 1.0));
  CHECK(trip_time_s(limit.endurance, 2.0) == Approx(1.003).margin(5e-4));
  CHECK(trip_time_s(limit.endurance, 1.0) == for_ever_s);
}

TEST_CASE("PDUs and transformers trip by the inverse curves of their headers, above their limits", "[overload]") {
  const Endurance of_pdu = overload_limit(Equipment{pdu}).endurance;
  check("PDU, extremely inverse, 180 %", "iec_60255_151", trip_time_s(of_pdu, 1.8),
        80.0 / (1.8 * 1.8 / (1.1 * 1.1) - 1.0));
  const Endurance of_transformer = overload_limit(Equipment{transformer}).endurance;
  check("transformer, long inverse, 150 %", "iec_60255_151", trip_time_s(of_transformer, 1.5),
        120.0 / (1.5 / 1.1 - 1.0));
  CHECK(trip_time_s(of_transformer, 1.1) == for_ever_s);
  CHECK(trip_time_s(of_pdu, 1e3) == breaker_opens_s);  // never faster than the switch
}

TEST_CASE("a UPS carries 125 % for 10 min, 150 % for 1 min, and what is between for their geometric mean",
          "[overload]") {
  const Endurance endurance = overload_limit(Equipment{ups}).endurance;
  check("UPS at 150 %", "mge_galaxy_pw", trip_time_s(endurance, 1.5), 60.0);
  check("UPS at 125 %", "mge_galaxy_pw", trip_time_s(endurance, 1.25), 600.0);
  check("UPS at 137.5 %", "closed form", trip_time_s(endurance, 1.375), std::sqrt(60.0 * 600.0));
  CHECK(trip_time_s(endurance, 1.1) == for_ever_s);
}

TEST_CASE("a generator of a standby rating carries 110 % for 10 s, one of a prime rating for an hour, and both stall",
          "[overload]") {
  const OverloadLimit standby = overload_limit(SourceEquipment{generator});
  CHECK(standby.trips);
  CHECK(trip_time_s(standby.endurance, 1.1) == Approx(10.0));
  check("standby generator at 130 %", "closed form", trip_time_s(standby.endurance, 1.3), std::sqrt(10.0));
  Generator::Params of_prime_rating = generator;
  of_prime_rating.overload_110_s = 3600.0;
  of_prime_rating.overload_150_s = 10.0;
  const OverloadLimit prime = overload_limit(SourceEquipment{of_prime_rating});
  CHECK(trip_time_s(prime.endurance, 1.1) == Approx(3600.0));
  check("generator at 130 %", "closed form", trip_time_s(prime.endurance, 1.3), std::sqrt(36000.0));
  for (const OverloadLimit& limit : {standby, prime}) {
    CHECK(trip_time_s(limit.endurance, 2.69) == 1.0);
    CHECK(trip_time_s(limit.endurance, 1.0) == for_ever_s);
  }
}

TEST_CASE("what is used of an overload adds up over steps of load, however they are cut", "[overload]") {
  const Endurance of_ups = overload_limit(Equipment{ups}).endurance;
  const Endurance of_breaker = overload_limit(Equipment{breaker}).endurance;
  for (const double piece_s : {0.01, 0.1, 1.0}) {
    INFO(piece_s);
    check("UPS, 150 % for 30 s, then 125 %, in pieces of " + std::to_string(piece_s) + " s", "closed form",
          trips_at_s(of_ups, {{1.5, 30.0}, {1.25, 1000.0}}, piece_s), 30.0 + 300.0);
  }
  const double at_three_s = 0.1 * 0.14 / (std::pow(3.0, 0.02) - 1.0),
               at_two_s = 0.1 * 0.14 / (std::pow(2.0, 0.02) - 1.0);
  check("breaker, three times for 0.3 s, then twice", "closed form",
        trips_at_s(of_breaker, {{3.0, 0.3}, {2.0, 10.0}}, 0.01), 0.3 + (1.0 - 0.3 / at_three_s) * at_two_s);
}

TEST_CASE("an overload that ends in time does not trip, and is half forgotten after half of its recovery",
          "[overload]") {
  const Endurance endurance = overload_limit(Equipment{ups}).endurance;
  CHECK(trips_at_s(endurance, {{1.5, 59.0}, {1.0, 1e4}}, 1.0) == for_ever_s);
  double used = used_after(endurance, 0.0, 1.5, 48.0);
  CHECK(used == Approx(0.8));
  used = used_after(endurance, used, 0.5, 240.0);
  CHECK(used == Approx(0.8 - 240.0 / 600.0));
  CHECK(used_after(endurance, used, 0.5, 1e6) == 0.0);
  CHECK(time_left_s(endurance, used, 1.5) == Approx(60.0 * (1.0 - used)));
}

TEST_CASE("air above 40 degC leaves a UPS 2 % less of its rating for each kelvin, and nothing more is taken below",
          "[overload]") {
  const InAir in_air = overload_limit(Equipment{ups}).in_air;
  CHECK(capacity_fraction(in_air, 313.15) == 1.0);
  CHECK(capacity_fraction(in_air, 313.15 + 1e-6) == Approx(1.0 - 2e-8).epsilon(1e-12));
  CHECK(capacity_fraction(in_air, 318.15) == Approx(0.9));
  CHECK(capacity_fraction(in_air, 323.15) == Approx(0.8));
  CHECK(capacity_fraction(in_air, 1000.0) == 0.1);
  CHECK(capacity_fraction(InAir{}, 1000.0) == 1.0);
  CHECK(in_air.off_above_k == 323.15);
}

TEST_CASE("what declares no limit is neither reported nor tripped, a converter is reported of alone", "[overload]") {
  const OverloadLimit feed = overload_limit(SourceEquipment{UtilityFeed::Params{}});
  CHECK_FALSE(feed.trips);
  CHECK(feed.endurance.limit == for_ever_s);
  const OverloadLimit converter =
      overload_limit(Equipment{Converter::Params{.rated_w = 1e3, .constant_w = 0.0, .efficiency_fraction = 0.96}});
  CHECK_FALSE(converter.trips);
  CHECK(converter.endurance.limit == 1.0);
  CHECK(used_per_s(converter.endurance, 5.0) == 0.0);
}

TEST_CASE("constants of inverse curves are those of the reference data", "[overload][data]") {
  std::ifstream file(tests::reference_data() + "/equipment/protection_curves.csv");
  REQUIRE(file);
  std::map<std::string, InverseCurve> curves;
  for (std::string line; std::getline(file, line);) {
    std::istringstream row(line);
    std::string name, form, k, exponent;
    std::getline(row, name, ','), std::getline(row, form, ','), std::getline(row, k, ','),
        std::getline(row, exponent, ',');
    if (name.starts_with("IEC ")) curves[name.substr(4)] = {std::stod(k), std::stod(exponent)};
  }
  const std::map<std::string, InverseCurve> ours{{"standard inverse", standard_inverse},
                                                 {"very inverse", very_inverse},
                                                 {"extremely inverse", extremely_inverse},
                                                 {"long inverse", long_inverse}};
  REQUIRE(curves.size() == ours.size());
  for (const auto& [name, curve] : ours) {
    INFO(name);
    CHECK(curves.at(name).k_s == curve.k_s);
    CHECK(curves.at(name).exponent == curve.exponent);
  }
}
