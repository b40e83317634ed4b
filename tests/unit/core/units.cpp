// Expected numbers: definitions of the units in SI (international foot and pound, US gallon of 231 cubic
// inches, IT calorie), worked by hand; relative 1e-12 where the unit is exact in SI, else what UDUNITS-2
// states.
#include "core/units/units.hpp"

#include <cmath>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop;

namespace {

/// "message | hint" of what is wrong with the text.
std::string refusal(std::string_view text, std::string_view si_unit) {
  try {
    const double value = to_si(text, si_unit);
    return "accepted as " + std::to_string(value);
  } catch (const QuantityError& error) {
    return std::string(error.what()) + " | " + error.hint;
  }
}

Approx exactly(double value) { return Approx(value).epsilon(1e-12).margin(0.0); }

}  // namespace

TEST_CASE("quantities are read into SI units", "[units]") {
  CHECK(to_si("45 degC", "K") == exactly(318.15));
  CHECK(to_si("25 °C", "K") == exactly(298.15));
  CHECK(to_si("77 degF", "K") == exactly(298.15));
  CHECK(to_si("8 K", "delta_K") == 8.0);
  CHECK(to_si("-8 K", "delta_K") == -8.0);
  CHECK(to_si("+8 K", "delta_K") == 8.0);
  CHECK(to_si("1.2 MW", "W") == exactly(1.2e6));
  CHECK(to_si("1.2MW", "W") == exactly(1.2e6));
  CHECK(to_si("30 L/min", "m3/s") == exactly(5e-4));
  CHECK(to_si("3.6 m³/h", "m3/s") == exactly(1e-3));
  CHECK(to_si("  2 h ", "s") == 7200.0);
  CHECK(to_si("1 h 30 min", "s") == 5400.0);
  CHECK(to_si("1 d 2 h 3 min 4.5 s", "s") == exactly(93784.5));
  CHECK(to_si("250 kPa", "Pa") == exactly(2.5e5));
  CHECK(to_si("-1.9233e-4 kPa/(L/min)^2", "Pa s2 m-6") == exactly(-1.9233e-4 * 1e3 * 3.6e9));
}

TEST_CASE("compounds of a temperature difference take kelvin in any spelling", "[units]") {
  CHECK(to_si("1.4 W/K", "W/delta_K") == 1.4);
  CHECK(to_si("1.4 W/degC", "W/delta_K") == 1.4);
  CHECK(to_si("1.4 W/delta_K", "W/delta_K") == 1.4);
  CHECK(to_si("3 %/K", "delta_K-1") == exactly(0.03));
  CHECK(to_si("0.03 1/K", "delta_K-1") == exactly(0.03));
  CHECK(to_si("0.03 /K", "delta_K-1") == exactly(0.03));
  CHECK(to_si("0.03 K-1", "delta_K-1") == exactly(0.03));
}

TEST_CASE("the trade's units are known", "[units]") {
  CHECK(to_si("1 kWh", "J") == exactly(3.6e6));
  CHECK(to_si("2 MWh", "J") == exactly(7.2e9));
  CHECK(to_si("100 Ah", "C") == exactly(3.6e5));
  CHECK(to_si("100 gpm", "m3/s") == exactly(100 * 231 * std::pow(0.0254, 3) / 60));
  CHECK(to_si("1000 CFM", "m3/s") == exactly(1000 * std::pow(0.3048, 3) / 60));
  CHECK(to_si("30 LPM", "m3/s") == exactly(5e-4));
  CHECK(to_si("2.5 MVA", "V A") == exactly(2.5e6));
  CHECK(to_si("2.5 kV A", "V A") == exactly(2.5e3));
  CHECK(to_si("300 kvar", "var") == exactly(3e5));
  CHECK(to_si("2 Mvar", "var") == exactly(2e6));
  CHECK(to_si("10 kVAr", "var") == exactly(1e4));
  CHECK(to_si("1 ton_of_refrigeration", "W") == Approx(12000 * 1055.05585262 / 3600).epsilon(1e-9));
  CHECK(to_si("0.12 EUR/kWh", "EUR/J") == exactly(0.12 / 3.6e6));
}

TEST_CASE("information has bytes, decimal and binary, and bits of an eighth", "[units]") {
  CHECK(to_si("5.2 TB", "B") == exactly(5.2e12));
  CHECK(to_si("500 GB/s", "B/s") == exactly(5e11));
  CHECK(to_si("400 Gbit/s", "B/s") == exactly(5e10));
  CHECK(to_si("3 GiB", "B") == exactly(3.0 * 1024 * 1024 * 1024));
  CHECK(to_si("1 TiB", "B") == exactly(1099511627776.0));
  CHECK(to_si("12 bytes", "B") == 12.0);
  CHECK(to_si("2 kbyte", "B") == exactly(2000.0));
  CHECK(refusal("400 Gbps", "B/s") == "'400 Gbps' is ambiguous, expected B/s | write GB or Gbit, GB/s or Gbit/s");
  CHECK(refusal("40 GB", "B/s") == "'40 GB' is in GB, expected B/s | ");
  CHECK(refusal("5 bytes", "1") == "'5 bytes' is in bytes, expected a ratio | write 0.5 or 50 %");
  CHECK(format_quantity(5.67e12, "B") == "5.67 TB");
  CHECK(format_quantity(5e11, "B/s") == "500 GB/s");
}

TEST_CASE("ratios are bare numbers or percent", "[units]") {
  CHECK(to_si("0.5", "1") == 0.5);
  CHECK(to_si("50 %", "1") == 0.5);
  CHECK(to_si("50%", "1") == 0.5);
  CHECK(refusal("20 W", "1") == "'20 W' is in W, expected a ratio | write 0.5 or 50 %");
  CHECK(refusal("30 degree", "1") == "'30 degree' is in degree, expected a ratio | write 0.5 or 50 %");
}

TEST_CASE("a unit of another dimension is refused with what it is and what was expected", "[units]") {
  CHECK(refusal("20 W", "W/K") == "'20 W' is in W, expected W/K | ");
  CHECK(refusal("5 kWh", "W") == "'5 kWh' is in kWh, expected W | kWh is energy, kW is power");
  CHECK(refusal("45 C", "K") == "'45 C' is in C, expected degC | did you mean '45 degC'?");
  CHECK(refusal("5 m", "s") == "'5 m' is in m, expected s | m is metre: did you mean '5 min'?");
  CHECK(refusal("30 L/min", "kg/s") == "'30 L/min' is in L/min, expected kg/s | for water, write '0.5 kg/s'");
}

TEST_CASE("apparent and reactive power are not power", "[units]") {
  CHECK(refusal("2.5 MVA", "W") ==
        "'2.5 MVA' is in MVA, expected W | apparent power times power factor is power: write kW");
  CHECK(refusal("2.5 MW", "V A") ==
        "'2.5 MW' is in MW, expected VA | power over power factor is apparent power: write kVA");
  CHECK(refusal("3 kVA", "var") == "'3 kVA' is in kVA, expected var | reactive power is written in kvar");
  CHECK(refusal("3 voltampere", "W").starts_with("'3 voltampere' is in voltampere, expected W"));
}

TEST_CASE("reciprocals are not converted silently", "[units]") {
  CHECK(refusal("0.02 K/W", "W/K") == "'0.02 K/W' is in K/W, expected W/K | did you mean '50 W/K'?");
  CHECK(refusal("10 Hz", "s") == "'10 Hz' is in Hz, expected s | did you mean '0.1 s'?");
}

TEST_CASE("a number without unit is refused with an example", "[units]") {
  CHECK(refusal("20", "W/K") == "'20' has no unit, expected W/K | write '20 W/K'");
  CHECK(refusal("5", "s") == "'5' has no unit, expected s | write '5 s', or the same in min, h, d or years");
  CHECK(refusal("0.08", "USD/J") == "'0.08' has no unit, expected USD/J | write '0.08 USD/kWh'");
  CHECK(refusal("12", "J") == "'12' has no unit, expected J | write '12 kWh'");
  CHECK(refusal("45", "K") == "'45' has no unit, expected degC | write '45 degC'");
  CHECK(refusal("8", "delta_K") == "'8' has no unit, expected a difference in K | write '8 K'");
  CHECK(refusal("2.5e6", "V A") == "'2.5e6' has no unit, expected VA | write '2.5e+06 VA'");
}

TEST_CASE("a temperature is no difference", "[units]") {
  CHECK(refusal("8 degC", "delta_K") == "'8 degC' is a temperature, expected a difference in K | write '8 K'");
  CHECK(refusal("14.4 degF", "delta_K") == "'14.4 degF' is a temperature, expected a difference in K | write '8 K'");
  CHECK(refusal("8 delta_K", "K") == "'8 delta_K' is a difference, expected degC | write '8 degC'");
  CHECK(refusal("-300 degC", "K") == "'-300 degC' is below absolute zero, expected degC | ");
}

TEST_CASE("ambiguous units are refused with what to write", "[units]") {
  CHECK(refusal("100 tons", "W") ==
        "'100 tons' is ambiguous, expected W | write ton_of_refrigeration or kW for cooling, tonne or "
        "short_ton for mass");
  CHECK(refusal("20 gal", "m3") ==
        "'20 gal' is ambiguous, expected m3 | write gpm for a flow, US_liquid_gallon or L for a volume");
  CHECK(refusal("3000 rpm", "Hz") ==
        "'3000 rpm' is ambiguous, expected Hz | write Hz for turns per second, 1/min for turns per minute");
  CHECK(refusal("0.95 pu", "1") == "'0.95 pu' is ambiguous, expected a ratio | write a ratio: 0.95 or 95 %");
}

TEST_CASE("an unknown unit is refused with the nearest one", "[units]") {
  CHECK(refusal("20 kw", "W") == "'20 kw' has the unknown unit 'kw', expected W | did you mean 'kW'?");
  CHECK(refusal("3 hrs", "s") == "'3 hrs' has the unknown unit 'hrs', expected s | did you mean 'h'?");
  CHECK(refusal("2 Kg/s", "kg/s") == "'2 Kg/s' has the unknown unit 'Kg', expected kg/s | did you mean 'kg'?");
}

TEST_CASE("what is not a finite number with a plain unit is refused", "[units]") {
  CHECK(refusal("nan W", "W") == "'nan W' is not finite, expected W | ");
  CHECK(refusal("inf W", "W") == "'inf W' is not finite, expected W | ");
  CHECK(refusal(".inf", "1") == "'.inf' is not finite, expected a ratio | ");
  CHECK(refusal("1e999 W", "W") == "'1e999 W' is not finite, expected W | ");
  CHECK(refusal("1e308 GW", "W") == "'1e308 GW' is not finite, expected W | ");
  CHECK(refusal("1,5 kW", "W") ==
        "'1,5 kW' is no number with a unit, expected W | write '.' before decimals, and nothing between "
        "thousands");
  CHECK(refusal("abc", "W") == "'abc' is no number with a unit, expected W | for example '20 W'");
  CHECK(refusal("", "W") == "no value, expected W | ");
  for (const char* text :
       {"5 10 W", "5 W 10", "5 W/10", "5 K @ 3", "5 (W", "3 dBW", "5 s since 1970-01-01", "1 h -2 min"}) {
    CHECK_THROWS_AS(to_si(text, "W"), QuantityError);
    CHECK_THROWS_AS(to_si(text, "s"), QuantityError);
  }
}

TEST_CASE("a number and its unit apart are converted, too", "[units]") {
  CHECK(to_si(2.5, "kW", "W") == 2500.0);
  CHECK(to_si(45.0, "degC", "K") == exactly(318.15));
  CHECK_THROWS_AS(to_si(2.5, "", "W"), QuantityError);
}

TEST_CASE("an SI unit that does not exist is a mistake of the program", "[units]") {
  CHECK_THROWS_AS(to_si("2 W", "wots"), std::invalid_argument);
}

TEST_CASE("threads may read quantities at the same time", "[units]") {
  std::vector<double> sums(4, 0.0);
  std::vector<std::thread> threads;
  for (double& sum : sums) {
    threads.emplace_back([&sum] {
      for (int i = 0; i < 500; ++i) sum += to_si("2 kW", "W");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) CHECK(sum == 1e6);
}

TEST_CASE("quantities are shown in the unit that reads best", "[units]") {
  CHECK(format_quantity(318.15, "K") == "45 degC");
  CHECK(format_quantity(8.0, "delta_K") == "8 K");
  CHECK(format_quantity(697.0, "W") == "697 W");
  CHECK(format_quantity(999.97, "W") == "1 kW");
  CHECK(format_quantity(13.06e6, "W") == "13.06 MW");
  CHECK(format_quantity(1.58e-3 / 3.6e6, "m3/J") == "1.58 L/kWh");
  CHECK(format_quantity(-5000.0, "W") == "-5 kW");
  CHECK(format_quantity(2.5e6, "V A") == "2.5 MVA");
  CHECK(format_quantity(3e5, "var") == "300 kvar");
  CHECK(format_quantity(52.129 * 3.6e6, "J") == "52.13 kWh");
  CHECK(format_quantity(9.2e10, "J") == "25.56 MWh");
  CHECK(format_quantity(1.15e5, "Pa") == "115 kPa");
  CHECK(format_quantity(0.01413, "kg/s") == "0.01413 kg/s");
  CHECK(format_quantity(0.06, "m3") == "60 L");
  CHECK(format_quantity(60.0, "m3") == "60 m3");
  CHECK(format_quantity(1.4, "W/delta_K") == "1.4 W/K");
  CHECK(format_quantity(0.03, "delta_K-1") == "0.03 1/K");
  CHECK(format_quantity(0.6, "1") == "0.6");
  CHECK(format_quantity(0.0, "W") == "0 W");
  CHECK(format_quantity(std::nan(""), "W") == "n/a");
}

TEST_CASE("durations are shown in their two largest parts", "[units]") {
  CHECK(format_quantity(0.5, "s") == "0.5 s");
  CHECK(format_quantity(59.998, "s") == "1 min");
  CHECK(format_quantity(3412.0, "s") == "56 min 52 s");
  CHECK(format_quantity(7500.0, "s") == "2 h 5 min");
  CHECK(format_quantity(7199.9, "s") == "2 h");
  CHECK(format_quantity(97200.0, "s") == "1 d 3 h");
  CHECK(format_quantity(-7500.0, "s") == "-2 h 5 min");
}

TEST_CASE("inch-pound readers get degF, gpm and psi", "[units]") {
  CHECK(format_quantity(298.15, "K", UnitStyle::inch_pound) == "77 degF");
  CHECK(format_quantity(10.0, "delta_K", UnitStyle::inch_pound) == "18 degF");
  CHECK(format_quantity(6.30901964e-3, "m3/s", UnitStyle::inch_pound) == "100 gpm");
  CHECK(format_quantity(1e5, "Pa", UnitStyle::inch_pound) == "14.5 psi");
  CHECK(format_quantity(2e6, "W", UnitStyle::inch_pound) == "2 MW");
}

TEST_CASE("what is shown can be read again", "[units]") {
  for (const std::string_view unit :
       {"K", "delta_K", "W",   "V A",       "var",       "J", "Pa", "kg/s", "m3", "m3/s",
        "s", "W/K",     "J/K", "W/delta_K", "delta_K-1", "1", "kg", "V",    "A",  "Pa s2 m-6"}) {
    for (const double value : {300.0, 7200.0, 4.5e5, 1.2e10}) {
      INFO(unit << " " << value << " " << format_quantity(value, unit));
      CHECK(to_si(format_quantity(value, unit), unit) == Approx(value).epsilon(1e-3));
    }
  }
}

TEST_CASE("results files get units that UDUNITS-2 knows", "[units]") {
  CHECK(unit_in_files("delta_K") == "K");
  CHECK(unit_in_files("W/delta_K") == "W/K");
  CHECK(unit_in_files("delta_K-1") == "K-1");
  CHECK(unit_in_files("V A") == "V A");
}
