// Lines of the boxes of a diagram: which columns of the results they report, and how those of several parts are reported together.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

enum class Together { sum, most, least, range };

/// A line of a box: a column of the results, and how those of its parts are reported together. Before a flow stands what flows.
struct BoxLine {
  std::string_view column, unit, before, after;
  Together together;
};

inline constexpr std::array power_lines{
    BoxLine{"power", "W", "", "", Together::sum},
    BoxLine{"pump_power", "W", "pumps ", "", Together::sum},
    BoxLine{"it_power", "W", "IT power ", "", Together::sum},
    BoxLine{"loading", "1", "", " loaded", Together::most},
    BoxLine{"current", "A", "", "", Together::most},
    BoxLine{"power_factor", "1", "power factor ", "", Together::least},
    BoxLine{"state_of_charge", "1", "charge ", "", Together::least},
};
inline constexpr std::array cooling_lines{
    BoxLine{"heat", "W", "heat ", "", Together::sum},
    BoxLine{"it_power", "W", "IT power ", "", Together::sum},
    BoxLine{"flow", "kg/s", "", "", Together::sum},
    BoxLine{"facility_flow", "kg/s", "", "", Together::sum},
    BoxLine{"supply_temperature", "K", "supply ", "", Together::range},
    BoxLine{"return_temperature", "K", "return ", "", Together::range},
    BoxLine{"leaving_temperature", "K", "leaving ", "", Together::range},
    BoxLine{"temperature", "K", "", "", Together::range},
    BoxLine{"max_die_temperature", "K", "hottest die ", "", Together::most},
    BoxLine{"valve_position", "1", "valve ", "", Together::range},
    BoxLine{"fan_speed", "1", "fan ", "", Together::range},
    BoxLine{"cop", "1", "COP ", "", Together::range},
};

/// Below these nothing passes: what is left of rounding.
inline constexpr double nothing_w = 1.0, nothing_kg_per_s = 1e-3;

/// "2.415 MW", "76 %"; of `cop` and power factors a plain number. `value` in SI.
std::string quantity_text(double value, std::string_view unit, std::string_view column = {});

/// Of any values.
std::string joined_text(const BoxLine& line, const std::vector<double>& values);

}  // namespace wattloop::twin
