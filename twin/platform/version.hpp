// Which Wattloop this is.
#pragma once

#include <string_view>

namespace wattloop::twin {

std::string_view version();  ///< "0.2.0"
std::string_view
commit();  ///< of the source tree when it was configured; "unknown" outside a repository and a release tarball

}  // namespace wattloop::twin
