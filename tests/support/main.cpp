// The main of every test program. Exit codes: 0 all passed, 77 some skipped and none failed, 1 anything
// failed (Catch2's own code is a count, which wraps to 0 at 256).
#define CATCH_CONFIG_RUNNER
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "tests/support/catch.hpp"

namespace {
std::set<std::string> skipped_cases;  // a case with sections is entered, and may skip, several times
}

namespace wattloop::tests {

void skip(const std::string& reason) {
  const std::string name = Catch::getResultCapture().getCurrentTestName();
  if (skipped_cases.insert(name).second) std::printf("skipped: %s: %s\n", name.c_str(), reason.c_str());
#ifdef SKIP  // Catch2 3.3 and later
  SKIP(reason);
#else
  throw Catch::TestFailureException{};  // leaves the case without adding a failure to those already counted
#endif
  std::abort();
}

std::string reference_data() {
  const char* folder = std::getenv("WATTLOOP_REFERENCE_DATA");
  if (folder == nullptr || *folder == '\0') skip("WATTLOOP_REFERENCE_DATA is not set");
  if (!std::filesystem::is_directory(folder)) {
    throw std::runtime_error(std::string("WATTLOOP_REFERENCE_DATA is not a folder: ") + folder);
  }
  return folder;
}

}  // namespace wattloop::tests

int main(int argc, char** argv) {
  omp_set_num_threads(1);  // tests run side by side; those about threads say how many
  Catch::Session session;
#ifndef SKIP
  session.configData().warnings = Catch::WarnAbout::NoTests;  // a name that matches nothing is a failure
#endif
  const int result = session.run(argc, argv);
#ifdef SKIP
  const bool is_all_skipped = result == 4 && !skipped_cases.empty();
#else
  const bool is_all_skipped = false;
#endif
  if (result != 0 && !is_all_skipped) return 1;
  if (skipped_cases.empty()) return 0;
  std::printf("%zu test case%s skipped\n", skipped_cases.size(), skipped_cases.size() == 1 ? "" : "s");
  return 77;
}
