// What was typed to start this program.
#pragma once

#include <string>

namespace wattloop::twin {

/// "wattloop view run.h5 --at end", as a shell reads it; the name of the program without its folder. Empty where the system does not report.
std::string typed_command();

}  // namespace wattloop::twin
