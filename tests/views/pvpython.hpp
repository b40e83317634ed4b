// ParaView's Python, where there is one.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "tests/support/catch.hpp"

namespace wattloop::tests {

/// $WATTLOOP_PVPYTHON, or pvpython on $PATH; skips the test where there is neither.
inline std::string pvpython() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("WATTLOOP_PVPYTHON"); given != nullptr && *given != '\0') return given;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / "pvpython")) return fs::path(folder) / "pvpython";
  skip("there is no pvpython on $PATH nor in $WATTLOOP_PVPYTHON");
}

}  // namespace wattloop::tests
