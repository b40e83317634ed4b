// `power.cords` and `power.absent` of a scenario. Whether the components exist is checked when the plant is built.
#include <fmt/format.h>

#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

void read_names(const Node& node, NamesSpec& names, Problems& problems) {
  const auto add = [&](const Node& item) {
    if (item.is_scalar() && !item.text.empty()) {
      names.names.push_back(item.text);
      names.mentions.push_back({item.place, item.excerpt});
    } else {
      problems.add(problem_at(item, fmt::format("expected the name of a component, found {}", describe(item))));
    }
  };
  for (const Node& item : node.items) add(item);
  if (!node.is_sequence()) add(node);
}

void read_cords(const Node& list, std::vector<CordsSpec>& cords, Problems& problems) {
  if (!list.is_sequence()) {
    problems.add(problem_at(list, fmt::format("cords is {}, expected a list", describe(list)),
                            "cords: [{ racks: row_1.rack_1, pdus: [pdu_a_1, pdu_b_1] }]"));
    return;
  }
  for (const Node& item : list.items) {
    MapReader reader(item, "cords", problems);
    if (!reader.is_map()) continue;
    CordsSpec spec;
    const bool is_of_motors = reader.find("motors") != nullptr;
    for (const char* key : {"racks", "pdus", "motors", "blocks"})
      reader.redirect(key, "either racks and pdus, or motors and blocks");
    const auto read = [&](const char* key, NamesSpec& names) {
      const Node* given = reader.require(key, "either racks and pdus, or motors and blocks");
      if (given == nullptr) return;
      read_names(*given, names, problems);
      if (given->is_sequence() && given->items.empty())
        problems.add(problem_at(*given, fmt::format("{} names nothing", key)));
    };
    read(is_of_motors ? "motors" : "racks", is_of_motors ? spec.motors : spec.racks);
    read(is_of_motors ? "blocks" : "pdus", is_of_motors ? spec.blocks : spec.pdus);
    reader.report_unknown_keys();
    cords.push_back(std::move(spec));
  }
}

}  // namespace

SpecialKey cords_key(std::vector<CordsSpec>& cords) {
  return {
      .key = "cords",
      .doc =
          "Racks that are fed by other PDUs than the usual order gives them, or motors that are fed by other blocks.",
      .rows = {{"racks", "text", "none", "", "Racks, network racks too: a name or a list; `*` matches within a name."},
               {"pdus", "text", "none", "", "With `racks`: one PDU for each of their cords."},
               {"motors", "text", "none", "",
                "Instead of `racks`: pumps, CDUs, air handlers, towers, chillers and parts, as `racks`."},
               {"blocks", "text", "none", "",
                "With `motors`: blocks of power, or sides; of two the first that is live carries them."}},
      .read = [&cords](const Node& list, Problems& problems) { read_cords(list, cords, problems); }};
}

SpecialKey names_key(std::string key, std::string doc, NamesSpec& names) {
  return {.key = std::move(key), .doc = std::move(doc), .read = [&names](const Node& given, Problems& problems) {
            read_names(given, names, problems);
          }};
}

SpecialKey absent_key(NamesSpec& absent) {
  return names_key("absent", "Feeds, generators, transformers, UPS and PDUs that are not installed: a name or a list.",
                   absent);
}

}  // namespace wattloop::twin
