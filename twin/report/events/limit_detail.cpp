#include "twin/report/events/limit_detail.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wattloop::twin {

std::string limit_before_reason(const std::string& detail) {
  const std::size_t end = std::min(detail.find(';'), detail.size());
  const std::size_t comma = detail.find(", "), colon = detail.rfind(": ", end);
  if (comma == std::string::npos || colon == std::string::npos || colon < comma || colon > end) return detail;
  const std::string reason = detail.substr(comma + 2, colon - comma - 2);
  return fmt::format("{}, limit {} ({}){}", detail.substr(0, comma), detail.substr(colon + 2, end - colon - 2), reason,
                     detail.substr(end));
}

}  // namespace wattloop::twin
