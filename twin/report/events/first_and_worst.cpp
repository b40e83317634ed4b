#include "twin/report/events/first_and_worst.hpp"

#include <vector>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/count_text.hpp"
#include "twin/report/events/most_important.hpp"

namespace wattloop::twin {

std::string first_and_worst(std::span<const EventSummaryLine> event_lines, const std::string& start_iso) {
  constexpr std::size_t of_the_beginning = 3;  // the first cause, the last before harm, and the first harm
  std::vector<EventSummaryLine> lines = most_important(event_lines, of_the_beginning);
  std::erase_if(lines, [](const EventSummaryLine& line) { return line.weight == Weight::routine; });
  if (lines.size() > 2) lines.erase(lines.begin() + 1, lines.end() - 1);
  std::string said;
  for (const EventSummaryLine& line : lines)
    said += fmt::format("{}At {} {}.", said.empty() ? "" : " ", instant_text(start_iso, line.first_s), line.words);
  if (const std::size_t more = events_left_out(event_lines, lines); !said.empty() && more > 0)
    said.insert(said.size() - 1, fmt::format(", and {}, listed under What happened", count_text(more, "more event")));
  return said;
}

}  // namespace wattloop::twin
