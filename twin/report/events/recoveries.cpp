#include "twin/report/events/recoveries.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "twin/drawings/names/display_name.hpp"

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

/// "cdu_#.pump_#" of "cdu_1.pump_a": names that differ in numbers and single letters are of one kind.
std::string kind_of(std::string_view name) {
  std::string kind, word;
  const auto add_word = [&] {
    const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    kind += is_number || word.size() == 1 ? "#" : word;
    word.clear();
  };
  for (const char letter : name) {
    if (letter != '.' && letter != '_') {
      word += letter;
      continue;
    }
    add_word();
    kind += letter;
  }
  add_word();
  return kind;
}

/// Names of one kind.
struct Alike {
  std::string kind{};
  std::vector<std::string> names{};
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

std::string names_by_kind(std::span<const std::string> names) {
  constexpr std::size_t most_kinds = 4;
  std::vector<Alike> kinds;
  for (const std::string& name : names) {
    const std::string kind = kind_of(name);
    auto known = std::ranges::find(kinds, kind, &Alike::kind);
    if (known == kinds.end()) known = kinds.insert(kinds.end(), {.kind = kind});
    known->names.push_back(name);
  }
  std::string text;
  std::size_t more = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (k < most_kinds)
      text += (text.empty() ? "" : "; ") + display_names(kinds[k].names);
    else
      more += kinds[k].names.size();
  }
  return more > 0 ? fmt::format("{}; and {} more", text, more) : text;
}

}  // namespace wattloop::twin
