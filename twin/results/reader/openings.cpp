#include "twin/results/reader/openings.hpp"

#include <utility>

namespace wattloop::twin {

std::map<std::string, std::string, std::less<>> openings_at(const ResultsReader& results, double time_s) {
  std::map<std::string, std::string, std::less<>> openings;
  for (const EventRecord& event : results.events()) {
    if (event.time_s > time_s) continue;
    if (event.kind == "tripped" || event.kind == "trip")
      openings[event.target] = "tripped";
    else if (event.kind == "open")
      openings[event.target] = "open";
    else if (event.kind == "close" || event.kind == "restore" || event.kind == "fail")
      openings.erase(event.target);
  }
  return openings;
}

}  // namespace wattloop::twin
