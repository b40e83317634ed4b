// A feeder as others list it, buses.csv and branches.csv of one folder, and the scenario with a one-line diagram that it becomes
// (docs/import_feeder.md reports the columns).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

/// The first line of an imported feeder, by which it is known.
inline constexpr const char* imported_feeder_head = "# Written by wattloop import feeder";

struct ListedBus {
  std::string name;  ///< in the scenario
  double nominal_v = 0.0, load_w = 0.0, load_var = 0.0;
  bool is_source = false;
};

struct ListedLine {
  std::string name, from, to;  ///< in the scenario
  double resistance_ohm = 0.0, reactance_ohm = 0.0;
  double rated_a = 0.0;  ///< 0: not known
  bool is_closed = true;
};

struct ListedFeeder {
  std::vector<ListedBus> buses;
  std::vector<ListedLine> lines;
  std::vector<std::string> notes;  ///< what is not read
};

/// Throws InputError with every inconsistency.
ListedFeeder read_feeder_lists(const std::filesystem::path& folder);

/// The scenario: the feeder as `power.one_line`, and a hall of one rack on a feed of its own, for a hall is what a scenario is of.
std::string feeder_text(const ListedFeeder& feeder, const std::string& title);

}  // namespace wattloop::twin
