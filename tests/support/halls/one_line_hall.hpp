// Small halls for tests of the one-line diagram: switches, powers and voltages are written by hand. What is drawn is found by its texts.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twin/results/schema/topology.hpp"

namespace wattloop::tests::one_line {

struct BranchAt {
  std::string name, kind, from, to;
  bool goes_both_ways = false;
  float state = 1.0F, power_w = 5e3F;     ///< negative: from `to` to `from`, which voltages show
  std::optional<float> state_at_start{};  ///< where it is another: what is drawn is then the end
};

struct OneLineHall {
  std::vector<std::string> buses;
  std::vector<std::string> feeds;  ///< "utility_a" at bus "feed_a" is "a"
  std::vector<BranchAt> branches;
  std::map<std::string, std::vector<std::string>> loads;              ///< buses of each
  std::map<std::string, std::string> generators{};                    ///< bus of each
  std::map<std::string, std::pair<float, float>> generator_states{};  ///< at the start and now, of those that have any
  std::map<std::string, float> voltages_v{};
  std::map<std::string, double> fault_levels_a{};
  std::optional<float> other_loads_w{};  ///< of all loads called "other load_..."
};

twin::Topology topology_of(const OneLineHall& hall);

/// The diagram of the hall at the start.
std::string one_line_of(const OneLineHall& hall);

/// Class of the bar or box with that title, then its texts. Empty without one.
std::string box_titled(const std::string& svg, const std::string& title);

struct BarAt {
  double left = 0.0, y = 0.0, right = 0.0;
  bool touches(double x, double at_y) const { return left - 0.2 <= x && x <= right + 0.2 && std::abs(at_y - y) < 0.2; }
};

BarAt bar_titled(const std::string& svg, const std::string& title);

struct WayAt {
  std::string look;
  double begin_x = 0.0, begin_y = 0.0;
  std::string path;
};

/// Lines between boxes.
std::vector<WayAt> ways_in(const std::string& svg);

std::size_t times_in(const std::string& svg, const std::string& text);

}  // namespace wattloop::tests::one_line
