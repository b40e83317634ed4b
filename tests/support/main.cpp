// The test program's own main: any failure is exit code 1 (Catch2 returns the count), a skipped test 77.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.hpp"

#include <cstdio>
#include <cstdlib>

namespace {
bool any_skipped = false;
struct Skipped {};
}  // namespace

namespace wattloop::tests {

void skip(const std::string& reason) {
  any_skipped = true;
  std::printf("skipped: %s\n", reason.c_str());
  throw Skipped{};
}

std::string reference_data() {
  const char* folder = std::getenv("WATTLOOP_REFERENCE_DATA");
  if (folder == nullptr || *folder == '\0') skip("WATTLOOP_REFERENCE_DATA is not set");
  return folder;
}

}  // namespace wattloop::tests

CATCH_TRANSLATE_EXCEPTION(const Skipped&) { return "skipped"; }

int main(int argc, char** argv) {
  const int failures = Catch::Session().run(argc, argv);
  if (any_skipped && failures <= 1) return 77;
  return failures == 0 ? 0 : 1;
}
