#include "core/units/unit_advice.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"

namespace wattloop {

namespace {

struct Advice {
  std::string_view name;
  std::string_view instead;
};

constexpr std::string_view tons = "write ton_of_refrigeration or kW for cooling, tonne or short_ton for mass";
constexpr std::string_view gallons = "write gpm for a flow, US_liquid_gallon or L for a volume";
constexpr std::string_view speeds = "write Hz for turns per second, 1/min for turns per minute";
constexpr std::string_view bits = "write GB or Gbit, GB/s or Gbit/s";
constexpr std::string_view per_unit = "write a ratio: 0.95 or 95 %";

/// Names that UDUNITS-2 takes for something else than the trade means, or that the trade uses for several
/// things.
constexpr std::array ambiguous{
    Advice{"pu", per_unit},
    Advice{"rpm", speeds},
    Advice{"RPM", speeds},
    Advice{"ton", tons},
    Advice{"tons", tons},
    Advice{"TR", tons},
    Advice{"RT", tons},
    Advice{"gal", gallons},
    Advice{"gallon", gallons},
    Advice{"gallons", gallons},
    Advice{"mph", "write mile/hour"},
    Advice{"psig", "write the pressure difference in psi"},
    Advice{"Gb", bits},
    Advice{"Tb", bits},
    Advice{"Mb", bits},
    Advice{"bps", bits},
    Advice{"Mbps", bits},
    Advice{"Gbps", bits},
    Advice{"Tbps", bits},
    Advice{"MBps", bits},
    Advice{"GBps", bits},
    Advice{"TBps", bits},
    Advice{"barg", "write the pressure difference in bar"},
};

/// Quantities for which a number without a unit is hardly ever in the SI unit.
constexpr std::array meant_without_unit{
    Advice{"J", "kWh"},         Advice{"kg/J", "kg/kWh"},  Advice{"USD/J", "USD/kWh"},
    Advice{"EUR/J", "EUR/kWh"}, Advice{"USD/W", "USD/kW"}, Advice{"EUR/W", "EUR/kW"},
};

constexpr std::array misspelt{
    Advice{"hrs", "h"},  Advice{"mins", "min"}, Advice{"secs", "s"},
    Advice{"lbs", "lb"}, Advice{"CMH", "m3/h"}, Advice{"sqft", "ft2"},
    Advice{"sqm", "m2"}, Advice{"Kelvin", "K"}, Advice{"Celsius", "degC"},
};

constexpr std::string_view usual_units =
    "W kW MW GW Wh kWh MWh J kJ MJ VA kVA MVA var kvar Mvar V kV A kA Ah K degC degF celsius Pa kPa MPa bar "
    "psi "
    "s ms min h hour day week second minute L m3 m mm ft kg g tonne gpm CFM lpm Hz kHz B kB MB GB TB PB GiB TiB Gbit "
    "Ohm percent watt "
    "kelvin "
    "ton_of_refrigeration";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool names_any(std::string_view unit, std::initializer_list<std::string_view> names) {
  for (const std::string& name : unit_names(unit)) {
    for (const std::string_view looked_for : names) {
      if (name == looked_for) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> unit_names(std::string_view unit) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < unit.size();) {
    std::size_t end = i;
    while (end < unit.size() && (is_letter(unit[end]) || (end > i && is_digit(unit[end])))) ++end;
    std::size_t name_end = end;
    while (name_end > i && is_digit(unit[name_end - 1])) --name_end;
    if (name_end > i) names.emplace_back(unit.substr(i, name_end - i));
    i = end > i ? end : i + 1;
  }
  return names;
}

std::string_view instead_of_ambiguous(std::string_view unit_name) {
  for (const Advice& advice : ambiguous) {
    if (advice.name == unit_name) return advice.instead;
  }
  return {};
}

std::string instead_of_unknown(std::string_view unit_name) {
  for (const Advice& advice : misspelt) {
    if (advice.name == unit_name) return fmt::format("did you mean '{}'?", advice.instead);
  }
  return nearest_hint(unit_name, unit_names(usual_units));
}

std::string confusion_hint(double number, std::string_view unit, std::string_view si_unit) {
  const bool is_coulomb_or_farad = unit == "C" || unit == "F";
  if (si_unit == "K" && is_coulomb_or_farad) return fmt::format("did you mean '{:g} deg{}'?", number, unit);
  if (si_unit == "delta_K" && unit == "C") return fmt::format("did you mean '{:g} K'?", number);
  const bool is_apparent = names_any(unit, {"VA", "kVA", "MVA"});
  if (si_unit == "W" && is_apparent) return "apparent power times power factor is power: write kW";
  if (si_unit == "var" && is_apparent) return "reactive power is written in kvar";
  if (si_unit == "V A" && names_any(unit, {"W", "kW", "MW"}))
    return "power over power factor is apparent power: write kVA";
  if (si_unit == "s" && unit == "m") return fmt::format("m is metre: did you mean '{:g} min'?", number);
  if (si_unit == "W" && names_any(unit, {"Wh", "kWh", "MWh", "GWh"})) return "kWh is energy, kW is power";
  return {};
}

std::string example_quantity(double number, std::string_view si_unit) {
  if (si_unit == "1") return fmt::format("{:g}", number);
  const auto usual = std::ranges::find(meant_without_unit, si_unit, &Advice::name);
  if (usual != meant_without_unit.end()) return fmt::format("{:g} {}", number, usual->instead);
  return fmt::format("{:g} {}", number, unit_for_people(si_unit));
}

}  // namespace wattloop
