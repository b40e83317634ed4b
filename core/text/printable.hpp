// Text that came from outside, as it may be sent to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace wattloop {

/// Control characters, marks of writing direction and bytes that are no UTF-8 are shown, not sent: ESC becomes `\x1b`, a line break `\n`.
std::string printable(std::string_view text);

}  // namespace wattloop
