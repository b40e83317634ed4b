#include "twin/platform/waiting_threads.hpp"

#include <unistd.h>

#include <cstdlib>

namespace wattloop::twin {

void let_waiting_threads_sleep(char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  if (setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
  execv("/proc/self/exe", arguments);  // returns only where it fails
}

}  // namespace wattloop::twin
