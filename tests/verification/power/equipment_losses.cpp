// Losses of equipment against published efficiency points; percentages are checked to their printed digits.
//
//   transformer 25 MVA 110/20 kV: no-load loss 14 kW, load loss 102.5 kW [pandapower]; at half and full load
//     12.5 MW / (12.5 MW + 14 kW + 102.5 kW / 4) = 99.68 %,  25 MW / (25 MW + 116.5 kW) = 99.54 %
//   UPS of the 97 % class: loss 0.007 + 0.008 L + 0.016 L^2, an engineering estimate: 92.6 / 96.2 / 97.1
//   / 97.2 / 97.0 % PSU 80 PLUS Titanium at 230 V: 90 / 94 / 96 / 91 % at 10 / 20 / 50 / 100 %
//   [program_80plus]
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "electrical/equipment.hpp"
#include "electrical/supplies/psu_curve.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/power_breaker.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::electrical;
using wattloop::tests::report_verification;

namespace {

constexpr Ups::Params ups_97_class{
    .rated_w = 1.5e6, .constant_loss_fraction = 0.007, .linear_loss_fraction = 0.008, .quadratic_loss_fraction = 0.016};
constexpr PsuParams titanium{.rated_w = 12e3,
                             .efficiency_at_10_fraction = 0.90,
                             .efficiency_at_20_fraction = 0.94,
                             .efficiency_at_50_fraction = 0.96,
                             .efficiency_at_100_fraction = 0.91};

double efficiency_percent(const LossCurve& curve, double output_w) {
  return 100.0 * output_w / (output_w + loss_w(curve, output_w));
}

double psu_loss_w(double load_fraction) {
  const double output_w = load_fraction * titanium.rated_w;
  return psu_input_w(titanium, output_w) - output_w;
}

std::string at_load(const std::string& equipment, double load_fraction) {
  return equipment + " at " + std::to_string(static_cast<int>(std::lround(100.0 * load_fraction))) + " % load";
}

}  // namespace

TEST_CASE("a 25 MVA transformer reaches 99.68 % at half and 99.54 % at full load", "[transformer]") {
  const LossCurve curve =
      loss_curve(Transformer::Params{.rated_va = 25e6, .no_load_loss_w = 14e3, .load_loss_w = 102.5e3});
  for (const auto& [load_fraction, percent] : {std::pair{0.5, 99.68}, std::pair{1.0, 99.54}}) {
    const double ours = efficiency_percent(curve, load_fraction * 25e6);
    CHECK(ours == Approx(percent).margin(0.005));
    report_verification({at_load("transformer 25 MVA 110/20 kV", load_fraction), "pandapower", "efficiency", ours,
                         percent, 0.005, "%"});
  }
  CHECK(loss_w(curve, 0.0) == 14e3);
  CHECK(loss_w(curve, 50e6) == Approx(14e3 + 4.0 * 102.5e3).epsilon(1e-14));  // beyond rating the curve goes on
}

TEST_CASE("a UPS of the 97 % class has its five efficiency points", "[ups]") {
  const LossCurve curve = loss_curve(ups_97_class);
  for (const auto& [load_fraction, percent] : {std::pair{0.10, 92.6}, std::pair{0.25, 96.2}, std::pair{0.50, 97.1},
                                               std::pair{0.75, 97.2}, std::pair{1.00, 97.0}}) {
    const double ours = efficiency_percent(curve, load_fraction * 1.5e6);
    CHECK(ours == Approx(percent).margin(0.05));
  }
}

TEST_CASE("a PDU loses its constant part always and its quadratic part by load", "[pdu]") {
  const LossCurve curve =
      loss_curve(Pdu::Params{.rated_w = 1e6, .constant_loss_fraction = 0.004, .quadratic_loss_fraction = 0.012});
  CHECK(loss_w(curve, 0.0) == Approx(4e3).epsilon(1e-14));
  CHECK(loss_w(curve, 0.5e6) == Approx(4e3 + 3e3).epsilon(1e-14));
}

TEST_CASE("a feeder loses three times resistance times current squared", "[feeder]") {
  // NAYY 4x150: 0.208 ohm/km [pandapower]; 100 m at 400 V carrying 150 kW: 216.5 A, 2.925 kW
  const LossCurve curve = loss_curve(Feeder::Params{.rated_w = 187e3, .voltage_v = 400.0, .resistance_ohm = 0.0208});
  const double current_a = 150e3 / (1.7320508075688772 * 400.0);
  CHECK(loss_w(curve, 150e3) == Approx(3.0 * 0.0208 * current_a * current_a).epsilon(1e-14));
  CHECK(loss_w(curve, 150e3) == Approx(2925.0).epsilon(1e-12));
}

TEST_CASE("modules in parallel lose what each loses with its share", "[parallel]") {
  const LossCurve one = loss_curve(ups_97_class);
  CHECK(loss_w(in_parallel(one, 12), 9e6) == Approx(12.0 * loss_w(one, 0.75e6)).epsilon(1e-14));
}

TEST_CASE("a UPS battery at rated output is empty after its battery time", "[battery]") {
  const double power_w = 1.5e6 * (1.0 + 0.007 + 0.008 + 0.016);  // output and loss at L = 1
  const double energy_j = battery_of(ups_97_class).energy_j;
  CHECK(energy_j == Approx(300.0 * power_w).epsilon(1e-14));
  CHECK(battery_rate_per_s(energy_j, power_w) == Approx(-1.0 / 300.0).epsilon(1e-14));
  CHECK(battery_rate_per_s(energy_j, -power_w) == Approx(1.0 / 300.0).epsilon(1e-14));
  CHECK(battery_rate_per_s(0.0, power_w) == 0.0);
}

TEST_CASE("a Titanium supply has the efficiencies of the 80 PLUS points", "[psu]") {
  for (const auto& [load_fraction, percent] :
       {std::pair{0.1, 90.0}, std::pair{0.2, 94.0}, std::pair{0.5, 96.0}, std::pair{1.0, 91.0}}) {
    const double output_w = load_fraction * titanium.rated_w;
    const double ours = 100.0 * output_w / psu_input_w(titanium, output_w);
    CHECK(ours == Approx(percent).epsilon(1e-14));
  }
}

TEST_CASE("the loss of a supply is a line in the output between the 80 PLUS points", "[psu]") {
  CHECK(psu_loss_w(0.15) == Approx(0.5 * (psu_loss_w(0.1) + psu_loss_w(0.2))).epsilon(1e-13));
  CHECK(psu_loss_w(0.30) == Approx((2.0 * psu_loss_w(0.2) + psu_loss_w(0.5)) / 3.0).epsilon(1e-13));
  CHECK(psu_loss_w(0.60) == Approx(0.8 * psu_loss_w(0.5) + 0.2 * psu_loss_w(1.0)).epsilon(1e-13));
  CHECK(psu_loss_w(1.25) == Approx(1.5 * psu_loss_w(1.0) - 0.5 * psu_loss_w(0.5)).epsilon(1e-13));
  // no output: 2 * 0.1 (1 / 0.90 - 1) - 0.2 (1 / 0.94 - 1) = 0.00945626 of rated output
  CHECK(psu_loss_w(0.0) == Approx(12e3 * (0.2 / 0.9 - 0.2 / 0.94)).epsilon(1e-13));
}

TEST_CASE("output and input of a supply are inverse to 1e-12 and rise together", "[psu]") {
  double last_input_w = 0.0;
  for (int step = 0; step <= 1500; ++step) {
    const double output_w = titanium.rated_w * step / 1000.0;
    const double input_w = psu_input_w(titanium, output_w);
    CHECK(input_w > last_input_w);
    last_input_w = input_w;
    CHECK(psu_output_w(titanium, input_w) == Approx(output_w).epsilon(1e-12).margin(1e-12 * titanium.rated_w));
    CHECK(psu_input_w(titanium, psu_output_w(titanium, input_w)) == Approx(input_w).epsilon(1e-12));
  }
  CHECK(psu_output_w(titanium, 0.5 * psu_input_w(titanium, 0.0)) == 0.0);
  CHECK(check(titanium).empty());
}

TEST_CASE("supplies that would draw less for more output are reported with both loads", "[psu]") {
  PsuParams odd = titanium;
  odd.efficiency_at_10_fraction = 0.40;
  const std::vector<std::string> messages = check(odd);
  REQUIRE(messages.size() >= 1);
  CHECK(messages.back().find("at 10 %") != std::string::npos);
  CHECK(messages.back().find("at 20 %") != std::string::npos);
}

TEST_CASE("equipment names its kind and its rating", "[equipment]") {
  CHECK(kind_of(Equipment{ups_97_class}) == "ups");
  CHECK(rated_w(Equipment{ups_97_class}) == 1.5e6);
  const Equipment transformer = Transformer::Params{.rated_va = 25e6, .no_load_loss_w = 0.0, .load_loss_w = 0.0};
  CHECK(kind_of(transformer) == "transformer");
  CHECK(rated_w(transformer) == 25e6);
  CHECK(loss_w(loss_curve(Equipment{wattloop::tests::breaker_for(1e6)}), 5e5) == 0.0);
}
