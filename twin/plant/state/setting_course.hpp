// The course of a setting that events have changed: what it is for good, and temporary settings on top of it.
//
// A setting that is temporary hides the course below and leaves it alone: when it ends, the setting is where it would be
// without it. Of temporary settings the one that began last is in force. What is set for good ends them all.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace wattloop::twin {

/// From one value to another, linear in time; at `to` from its end on.
struct Ramp {
  double from = 0.0, to = 0.0;
  double start_s = 0.0, end_s = 0.0;

  double at(double t_s) const;
};

/// A setting with an end. With a ramp it leaves as it came: over the same time, from where it is to the course below.
struct TemporarySetting {
  std::size_t pair = 0;  ///< of the events that begin and end it
  Ramp ramp = {};
  double leaves_s = std::numeric_limits<double>::infinity();  ///< when its end has come
  double gone_s = std::numeric_limits<double>::infinity();    ///< when nothing of it is left
};

struct SettingCourse {
  std::size_t input = 0;
  Ramp lasting = {};
  std::vector<TemporarySetting> temporary = {};  ///< in the order in which they began
  bool is_moving = false;                        ///< a ramp is under way, up to and with the instant that sees its end
  bool is_set = false;                           ///< for good; else `lasting` is what the input is without events

  double at(double t_s) const;

  /// Whether a ramp goes on after `t_s`.
  bool moves_after(double t_s) const;
};

/// For good from now on. `over_s` 0: at once.
void set_lasting(SettingCourse& course, double value, double now_s, double over_s);

/// Until `end_temporary` with the same pair.
void set_temporary(SettingCourse& course, std::size_t pair, const Ramp& ramp);

/// False where it is no longer there, since something was set for good meanwhile.
bool end_temporary(SettingCourse& course, std::size_t pair, double now_s, double over_s);

/// Drops temporary settings of which nothing is left.
void drop_gone(SettingCourse& course, double now_s);

}  // namespace wattloop::twin
