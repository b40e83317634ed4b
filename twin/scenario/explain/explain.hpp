// What a scenario may say, for people: the text of `wattloop explain` and the generated reference.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/document/field_reader.hpp"

namespace wattloop::twin {

/// One thing that can be asked about.
struct Topic {
  enum class Group { scenario, hardware, unit, study };

  Group group;
  std::string name;  ///< "scenario", "hall.racks", "training", "events", "settings", "cdu", "cdu.pump", "cold_plate"
  std::string doc;
  std::vector<FieldRow> rows;
  std::vector<std::string> notes;  ///< further sentences
};

/// Of one topic, or the list of all where `name` is empty; `further` are topics of who knows more than scenarios. Throws InputError, with the nearest name, where
/// there is none.
std::string explain(std::string_view name = {}, std::span<const Topic> further = {});

/// Text of docs/scenario_reference.md.
std::string scenario_reference_markdown(std::span<const Topic> further = {});

}  // namespace wattloop::twin
