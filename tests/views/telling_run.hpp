// A results file in which every number of every component at every time is another one, so that a picture which shows
// the number of something else is reported by it.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/halls/regular_hall.hpp"

namespace wattloop::tests {

struct ReportingRun {
  twin::HallCounts counts{};
  double duration_s = 3600.0;
  double power_scale = 1.0;  ///< of all powers: 1 is some kW, 1000 some MW
  bool has_gpus = false;
  bool is_on_battery = false;  ///< all the time: there is no PUE
  double off_gpus = 0.0;       ///< all the time
  double down_gpus = 0.0;      ///< all the time; 0: not recorded
};

/// A hall of eight racks with two or more of everything that serves it.
twin::HallCounts reporting_site();

/// What stands in the file, in its SI unit: smooth in time, no two columns or items (from 0) alike.
double reported(const ReportingRun& run, const std::string& group, const std::string& column, std::size_t item,
                double time_s);

/// Number of the item of that name in its group, as the file orders them.
std::size_t item_of(const ReportingRun& run, const std::string& group, const std::string& name);

/// Writes the run: 600 records of facility and loops, 60 of all else. The folder is removed when the program ends.
std::filesystem::path write_reporting_run(const ReportingRun& run, const std::string& name);

}  // namespace wattloop::tests
