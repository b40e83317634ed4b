// Lines of the boxes of a diagram: which columns of the results they tell, and how those of several parts are told together.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

enum class Together { sum, most, least, range };

/// A line of a box: a column of the results, and how those of its parts are told together. Before a flow stands what flows.
struct Told {
  std::string_view column, unit, before, after;
  Together together;
};

inline constexpr std::array power_lines{
    Told{"power", "W", "", "", Together::sum},
    Told{"it_power", "W", "IT power ", "", Together::sum},
    Told{"loading", "1", "", " loaded", Together::most},
    Told{"state_of_charge", "1", "charge ", "", Together::least},
};
inline constexpr std::array cooling_lines{
    Told{"heat", "W", "heat ", "", Together::sum},
    Told{"it_power", "W", "IT power ", "", Together::sum},
    Told{"flow", "kg/s", "", "", Together::sum},
    Told{"facility_flow", "kg/s", "", "", Together::sum},
    Told{"supply_temperature", "K", "supply ", "", Together::range},
    Told{"return_temperature", "K", "return ", "", Together::range},
    Told{"leaving_temperature", "K", "leaving ", "", Together::range},
    Told{"temperature", "K", "", "", Together::range},
    Told{"max_die_temperature", "K", "hottest die ", "", Together::most},
    Told{"valve_position", "1", "valve ", "", Together::range},
    Told{"fan_speed", "1", "fan ", "", Together::range},
    Told{"cop", "1", "COP ", "", Together::range},
};

/// Below these nothing passes: what is left of rounding.
inline constexpr double nothing_w = 1.0, nothing_kg_per_s = 1e-3;

/// "2.415 MW", "76 %"; of `cop` a plain number. `value` in SI.
std::string told_quantity(double value, std::string_view unit, std::string_view column = {});

/// Of any values.
std::string told_together(const Told& line, const std::vector<double>& values);

}  // namespace wattloop::twin
