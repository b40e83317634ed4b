// Curves of protection devices, time over current, both by powers of ten, as SVG: what is selective shows curves that neither cross nor touch.
#pragma once

#include <string>
#include <vector>

namespace wattloop::twin {

struct TimeCurrentCurve {
  std::string name{};
  std::vector<double> currents_a{};  ///< rising, all at one voltage
  std::vector<double> times_s{};     ///< of each; infinity where the device does not operate
  double largest_a =
      0.0;  ///< three-phase short circuit behind it, which a dashed line marks, and a dot if the curve ends there; 0: not known
  double smallest_a = 0.0;          ///< the same, a dotted line
  bool is_of_earth_faults = false;  ///< a stage of the device whose curve is before it: dashed, in the same colour
};

/// `voltage_text`: "415 V", of which all currents are. Empty without a curve that operates.
std::string time_current_chart(const std::vector<TimeCurrentCurve>& curves, const std::string& voltage_text);

}  // namespace wattloop::twin
