// Text that came from outside, as it may be sent to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace wattloop {

/// Control characters shown instead of sent: ESC becomes `\x1b`, a line break `\n`. All else stays, also bytes that are no UTF-8.
std::string printable(std::string_view text);

}  // namespace wattloop
