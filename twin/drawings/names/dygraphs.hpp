// The chart library dygraphs as texts, made a part of the program when it was built (cmake/dygraphs.cmake).
#pragma once

#include <string_view>

namespace wattloop::twin {

/// With its synchronizer; empty where Wattloop was built without it.
std::string_view dygraphs_script();
std::string_view dygraphs_style();

}  // namespace wattloop::twin
