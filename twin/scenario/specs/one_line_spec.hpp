// What a scenario says under `power.one_line`: the one-line diagram as drawn, each item with where it is written. What it becomes
// in a hall: twin/build/templates/template_one_line.cpp.
#pragma once

#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "electrical/one_line.hpp"

namespace wattloop::twin {

/// Names or patterns of components, each where it was written.
struct NamesSpec {
  std::vector<std::string> names;
  std::vector<Mention> mentions;
};

struct DrawnBus {
  std::string name;
  double voltage_v = 0.0;
  Mention mention;
};

struct DrawnSource {
  electrical::Source source;
  std::string hardware;     ///< of a generator
  bool is_enabled = true;   ///< of a generator: whether it starts when its bus is dead
  Mention mention, at_bus;  ///< its name, its bus
};

struct DrawnBranch {
  electrical::Branch branch;      ///< without its room
  std::string hardware;           ///< name in the library; empty: an ideal switch
  std::string room;               ///< that it stands in; empty: by its kind
  std::string bypass = "static";  ///< of a UPS
  bool has_impedance = false;     ///< a line without hardware, of which it says the impedance
  bool closes_by_itself = false;  ///< when one of its ends is dead and the other is not
  double closes_after_s = 2.0;
  double returns_after_s = 300.0;  ///< from when the dead end would be fed without it
  Mention mention, at_from, at_to;

  /// Whether it is the breaker or fuse of another branch, which that one says.
  bool is_of_branch() const { return !branch.protects.empty(); }

  /// Of a UPS in a room for UPS.
  std::string electrical_room() const { return room.empty() ? "electrical_room" : "electrical_room_" + room; }
};

/// A load besides racks and motors: lights, offices, neighbours on the same feeder. What it draws leaves the site.
struct DrawnLoad {
  std::string name, bus;
  double power_w = 0.0;  ///< at nominal voltage
  double power_factor = 0.95;
  double reactive_va = 0.0;  ///< instead of the power factor, where it is given
  bool has_reactive = false;
  double constant_current_fraction = 0.0, constant_impedance_fraction = 0.0;  ///< shares that follow the voltage
  Mention mention, at_bus;

  bool follows_voltage() const { return constant_current_fraction + constant_impedance_fraction > 0.0; }
};

/// Of its members so many at most are closed at a time; members before others.
struct DrawnInterlock {
  std::string name;
  NamesSpec members;
  int most_closed = 1;
  Mention mention;
};

struct OneLineSpec {
  bool is_given = false;
  std::vector<DrawnBus> buses;
  std::vector<DrawnSource> sources;
  std::vector<DrawnBranch> branches;
  std::vector<DrawnLoad> loads;
  std::vector<DrawnInterlock> interlocks;
};

}  // namespace wattloop::twin
