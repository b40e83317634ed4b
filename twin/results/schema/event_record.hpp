// Something that happened in a run.
#pragma once

#include <string>

namespace wattloop::twin {

struct EventRecord {
  double time_s = 0.0;
  std::string kind{}, target{}, detail{};
  bool operator==(const EventRecord&) const = default;
};

}  // namespace wattloop::twin
