#include "twin/platform/version.hpp"

namespace wattloop::twin {

std::string_view version() { return WATTLOOP_VERSION; }
std::string_view commit() { return WATTLOOP_COMMIT; }

}  // namespace wattloop::twin
