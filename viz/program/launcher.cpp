// What people start where the program is there for several levels of instructions: becomes the one that is asked for, else the best that
// the processor has. It holds nothing that takes time to load; whatever is wrong with the command line, the program reports.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "twin/platform/program_files.hpp"

namespace {

std::string_view asked_level(int argc, char** argv) {
  constexpr std::string_view option = "--isa";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == option && k + 1 < argc) return argv[k + 1];
    if (word.starts_with("--isa=")) return word.substr(option.size() + 1);
  }
  const char* value = std::getenv(wattloop::level_variable);
  return value == nullptr ? "" : value;
}

}  // namespace

int main(int argc, char** argv) {
  const auto there = wattloop::twin::installed_levels();
  const auto level = wattloop::chosen_level(asked_level(argc, argv), wattloop::level_of_processor(), there);
  if (level) wattloop::twin::become(*level, argv);
  if (there.empty()) {
    std::fputs("wattloop: none of its programs wattloop_v2, wattloop_v3 and wattloop_v4 is there\n", stderr);
  } else if (!level) {
    std::fputs("wattloop: this processor lacks instructions that every x86-64 processor since 2009 has (x86-64-v2)\n",
               stderr);
  } else {
    std::perror("wattloop: cannot start the program");
  }
  return 4;
}
