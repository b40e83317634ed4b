// An option of the command line that cannot be followed.
#pragma once

#include <string>

namespace wattloop::viz {

/// Throws the `InputError` that names `option` ("--at"), says what is wrong and what was expected.
[[noreturn]] void refuse_option(const std::string& option, const std::string& message, const std::string& hint);

}  // namespace wattloop::viz
