#include "twin/commands/run/fault_levels_text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/printable.hpp"
#include "core/units/units.hpp"
#include "twin/commands/program/text_table.hpp"

namespace wattloop::twin {

namespace {

bool is_known(double current_a) { return current_a > 0.0 && std::isfinite(current_a); }

std::string cell(double current_a) { return is_known(current_a) ? format_quantity(current_a, "A") : "-"; }

}  // namespace

std::string fault_levels_text(std::span<const BusFaultLevels> buses) {
  TextTable table({"Fault level", "voltage", "largest", "smallest", "generators", "earth, largest", "earth, smallest",
                   "peak", "interrupted"},
                  120);
  for (const BusFaultLevels& of : buses) {
    table.add({printable(of.bus), of.nominal_v > 0.0 ? format_quantity(of.nominal_v, "V") : "-", cell(of.largest_a),
               cell(of.smallest_a), cell(of.generators_a), cell(of.largest_earth_a), cell(of.smallest_earth_a),
               cell(of.peak_a), cell(of.breaking_a)});
  }
  return table.text() +
         "\nInitial symmetrical currents by IEC 60909 in the normal position, at the voltage of the bus: three-phase "
         "from feeds "
         "and\ninverters, from generators alone, line to earth from feeds; the highest peak, which a switch must "
         "withstand when it\ncloses onto the fault; the breaking capacity of the weakest breaker or fuse there.\n";
}

std::string fault_levels_json(std::span<const BusFaultLevels> buses) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const auto value = [](double current_a) {
    return is_known(current_a) ? nlohmann::ordered_json(current_a) : nlohmann::ordered_json();
  };
  for (const BusFaultLevels& of : buses) {
    all.push_back({{"bus", of.bus},
                   {"nominal_V", value(of.nominal_v)},
                   {"largest_A", value(of.largest_a)},
                   {"smallest_A", value(of.smallest_a)},
                   {"generators_A", value(of.generators_a)},
                   {"largest_earth_A", value(of.largest_earth_a)},
                   {"smallest_earth_A", value(of.smallest_earth_a)},
                   {"peak_A", value(of.peak_a)},
                   {"breaking_capacity_A", value(of.breaking_a)}});
  }
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace wattloop::twin
