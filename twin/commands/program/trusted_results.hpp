// Results without a valid seal, which HDF5 may not survive: read where somebody trusts them, by a process that may end.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// How long a process may take that reads such results, and how much memory; 0: no limit.
struct ReadingLimits {
  unsigned long processor_s = 300;
  unsigned long memory_bytes = 0;
};

/// Adds `--trust`. Running again takes as long as it takes.
enum class Trusted { reading, running };
void add_trust(CLI::App& command, Trusted what = Trusted::reading);

/// The action itself, or where --trust is given, in a process of its own.
int with_trust(const std::function<int()>& action);

/// Exit code of the action in a process with these limits. Throws FileError where a signal ends that process.
int in_limited_process(const std::function<int()>& action, const ReadingLimits& limits);

}  // namespace wattloop::twin
