// A second place in what is said of a mistake: where the other thing stands.
#pragma once

#include <string>

#include "core/text/problem.hpp"

namespace wattloop::twin {

/// "line 12" of the file of `here`, "column 5" of the same line of it, else "hall.yaml:12"; of an override its text.
std::string other_place(const Place& other, const Place& here);

}  // namespace wattloop::twin
