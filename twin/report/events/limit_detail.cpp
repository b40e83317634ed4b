#include "twin/report/events/limit_detail.hpp"

#include <algorithm>
#include <charconv>

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

namespace {

/// Where "; and N more of 160 racks" begins, or npos.
std::size_t more_parts(const std::string& detail) {
  const std::size_t found = detail.rfind("; and ");
  return found != std::string::npos && detail.find(" more of ", found) != std::string::npos ? found : std::string::npos;
}

}  // namespace

std::size_t parts_reported(const std::string& detail) {
  constexpr std::size_t before = 6;  // "; and "
  const std::size_t found = more_parts(detail);
  std::size_t more = 0;
  if (found != std::string::npos) std::from_chars(detail.data() + found + before, detail.data() + detail.size(), more);
  return 1 + more;
}

std::string without_more_parts(const std::string& detail) { return detail.substr(0, more_parts(detail)); }

}  // namespace wattloop::twin
