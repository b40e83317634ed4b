#include "twin/report/events/recoveries.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace wattloop::twin {

namespace {

/// What kinds of events do to their target, and which undo it.
struct Undoing {
  std::string_view kind, undone_by;
};
constexpr std::array undoings{
    Undoing{"fail", "restore"},
    Undoing{"open", "close"},
    Undoing{"trip", "close"},
    Undoing{"tripped", "close"},
    Undoing{"on_battery", "off_battery"},
    Undoing{"job_stopped", "job_resumed"},
    Undoing{"job_slowed", "job_full_speed"},
};

bool ends_with(const EventRecord& event, std::string_view end) { return event.detail.ends_with(end); }

/// A valve that moves again, a passage that is clean.
bool is_freed(const EventRecord& event) {
  return (event.kind == "stick" && ends_with(event, " to free")) ||
         (event.kind == "clog" && ends_with(event, " to 100 %"));
}

bool is_trouble(const EventRecord& event) {
  if (event.kind == "stick" || event.kind == "clog") return !is_freed(event);
  if (event.kind == "open" && !event.detail.starts_with("scenario")) return false;  // by its controls
  return std::ranges::count(undoings, event.kind, &Undoing::kind) > 0;
}

bool undoes(const EventRecord& event, std::string_view kind) {
  if (kind == "stick" || kind == "clog") return event.kind == kind && is_freed(event);
  return std::ranges::any_of(undoings,
                             [&](const Undoing& one) { return one.kind == kind && one.undone_by == event.kind; });
}

bool changes_nothing(const EventRecord& event) { return event.detail.find("changes nothing") != std::string::npos; }

/// A part or a job, and which kinds of trouble last.
struct Concerned {
  std::string name{};
  std::vector<std::string_view> lasting{};
};

}  // namespace

Recoveries recoveries(std::span<const EventRecord> events) {
  std::vector<Concerned> all;
  for (const EventRecord& event : events) {
    if (changes_nothing(event)) continue;
    auto known = std::ranges::find(all, event.target, &Concerned::name);
    if (is_trouble(event)) {
      if (known == all.end()) known = all.insert(all.end(), {.name = event.target});
      if (std::ranges::count(known->lasting, event.kind) == 0) known->lasting.push_back(event.kind);
    } else if (known != all.end()) {
      std::erase_if(known->lasting, [&](std::string_view kind) { return undoes(event, kind); });
    }
  }
  Recoveries found;
  for (Concerned& one : all) (one.lasting.empty() ? found.back : found.lasting).push_back(std::move(one.name));
  return found;
}

}  // namespace wattloop::twin
