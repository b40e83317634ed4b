#include "twin/study/plan/chosen_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/name_pattern.hpp"
#include "core/text/nearest.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

ChosenParts::ChosenParts(std::span<const PartRow> parts, Problems& problems) : parts_(parts), problems_(problems) {
  for (const PartRow& part : parts) names_.push_back(part.name);
}

std::vector<Node> ChosenParts::of(const std::vector<Node>& patterns, const std::string& event) const {
  std::vector<Node> found;
  for (const Node& pattern : patterns) {
    bool fits_any = false, is_able = false;
    for (const PartRow& part : parts_) {
      if (!fits_pattern(part.name, pattern.text)) continue;
      fits_any = true;
      if (!event.empty() && std::ranges::find(part.events, event) == part.events.end()) continue;
      is_able = true;
      if (std::ranges::find(found, part.name, &Node::text) == found.end())
        found.push_back(scalar_at(pattern, part.name));
    }
    if (!is_able) report_none(pattern, event, fits_any);
  }
  return found;
}

void ChosenParts::report_none(const Node& pattern, const std::string& event, bool fits_any) const {
  if (fits_any)
    return problems_.add(problem_at(pattern,
                                    fmt::format("no part that is called '{}' has an event '{}'", pattern.text, event),
                                    "wattloop explain --parts SCENARIO lists events"));
  std::string hint = nearest_hint(pattern.text, names_);
  if (hint.empty()) hint = "wattloop explain --parts SCENARIO lists all parts";
  problems_.add(problem_at(pattern, fmt::format("no part of the base is called '{}'", pattern.text), std::move(hint)));
}

std::string event_word(const Node& event) {
  for (const char* word : {"fail", "restore", "open", "close"}) {
    const Node* target = find(event, word);
    if (target != nullptr && target->text == "value") return word;
  }
  return {};
}

}  // namespace wattloop::twin
