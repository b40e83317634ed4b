// `wattloop events RESULTS`: what happened in a run, from its results file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

struct EventsOptions {
  std::filesystem::path results;
  std::vector<std::string> kinds;  ///< only these; empty: all
  bool is_json = false;
  bool is_csv = false;
};

/// Prints a line for each event (of the kind `first_throttle`, where it is asked for, one for each GPU), of nodes that heat switches off together one for all unless kinds are asked for, or a JSON array of each; what did not happen is reported on standard error. Exit code 0. Throws FileError.
int events_command(const EventsOptions& options);

}  // namespace wattloop::twin
