// Power that follows levels with a first-order lag, and its energy in closed form.
//
//   dP/dt = (level - P) / tau        tau of rising or of falling; 0: at once
//
// Source: the first-order lag of [astrom_hagglund2006]. Verified in tests/verification/work/step_power.cpp.
#pragma once

#include <array>
#include <cstddef>

namespace wattloop::workload {

/// Time constants of GPU and supply.
struct LagTimes {
  double rise_s = 0.0;
  double fall_s = 0.0;
};

/// A few levels, one after the other. A value that allocates nothing.
class LaggedLevels {
 public:
  static constexpr std::size_t most_parts = 8;

  explicit LaggedLevels(const LagTimes& lag) : lag_(lag) {}

  /// At the end; one of no duration is left out. Throws std::length_error beyond `most_parts`.
  void add(double duration_s, double level_w);

  /// The power with which they begin. Before it is called, nothing else may be asked.
  void begin_at(double power_w);

  /// The power with which they begin where they repeat from ever to ever.
  void begin_as_they_end();

  double duration_s() const { return duration_s_; }
  double begin_w() const { return count_ > 0 ? parts_[0].begin_w : 0.0; }
  double end_w() const { return end_w_; }
  double energy_j() const { return energy_j_; }

  /// Up to a time since they began, from 0 to `duration_s`.
  double energy_until_j(double after_s) const;

 private:
  struct Part {
    double start_s = 0.0, duration_s = 0.0;
    double level_w = 0.0;
    double begin_w = 0.0;
    double energy_before_j = 0.0;
  };
  double tau_s(const Part& part) const { return part.level_w > part.begin_w ? lag_.rise_s : lag_.fall_s; }
  double power_in(const Part& part, double after_s) const;
  double energy_in_j(const Part& part, double after_s) const;

  LagTimes lag_;
  std::array<Part, most_parts> parts_ = {};
  std::size_t count_ = 0;
  double duration_s_ = 0.0;
  double energy_j_ = 0.0;
  double end_w_ = 0.0;
};

}  // namespace wattloop::workload
