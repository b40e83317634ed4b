// `power.cords` and `power.absent` of a scenario. Whether the components exist is checked when the plant is built.
#include <fmt/format.h>

#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

/// Lists of buses and PDUs that racks or motors take in turn: of `[x, y]` there is one, of `[[x, y], [z, w]]` there are two.
void read_feeds(const Node& node, std::vector<NamesSpec>& feeds, Problems& problems) {
  const auto add = [&](const Node& list) {
    feeds.emplace_back();
    read_names(list, feeds.back(), problems);
    if (list.is_sequence() && list.items.size() > 2)
      problems.add(problem_at(list, fmt::format("{} cords are given, and a load has one or two", list.items.size()),
                              "`[x, y]` are the two cords of a rack; with `[[x, y], [z, w]]` racks take the first and "
                              "the second list alternately"));
    if (list.is_sequence() && list.items.empty()) problems.add(problem_at(list, "no cords, and a load has one or two"));
  };
  const bool are_lists = node.is_sequence() && !node.items.empty() && node.items.front().is_sequence();
  if (!are_lists) return add(node);
  for (const Node& item : node.items) add(item);
}

class CordsReader {
 public:
  CordsReader(MapReader& reader, CordsSpec& spec) : reader_(reader), spec_(spec) {}

  void read() {
    for (const char* key : {"racks", "pdus", "motors", "blocks", "buses"}) reader_.redirect(key, ways);
    const bool is_of_motors = reader_.find("motors") != nullptr;
    if (const Node* names = required(is_of_motors ? "motors" : "racks"))
      read_names(*names, is_of_motors ? spec_.motors : spec_.racks, reader_.problems());
    const bool has_buses = reader_.find("buses") != nullptr;
    const char* key = has_buses ? "buses" : is_of_motors ? "blocks" : "pdus";
    if (const Node* feeds = required(key)) {
      if (key == std::string_view("blocks"))
        read_names(*feeds, spec_.blocks, reader_.problems());
      else
        read_feeds(*feeds, spec_.feeds, reader_.problems());
    }
    const Node* gang = is_of_motors ? nullptr : reader_.find("static_switch");
    if (gang != nullptr)
      read_field(*gang, {&spec_.has_static_switch, {"static_switch", {}, Range::any, {}, {}}}, reader_.problems());
    reader_.report_unknown_keys();
  }

 private:
  static constexpr const char* ways = "write racks and pdus, racks and buses, motors and blocks, or motors and buses";

  const Node* required(const char* key) {
    const Node* given = reader_.require(key, ways);
    if (given != nullptr && given->is_sequence() && given->items.empty())
      reader_.problems().add(problem_at(*given, fmt::format("{} names nothing", key)));
    return given;
  }

  MapReader& reader_;
  CordsSpec& spec_;
};

void read_cords(const Node& list, std::vector<CordsSpec>& cords, Problems& problems) {
  if (!list.is_sequence()) {
    problems.add(problem_at(list, fmt::format("cords is {}, expected a list", describe(list)),
                            "write cords: [{ racks: row_1.rack_1, pdus: [pdu_a_1, pdu_b_1] }]"));
    return;
  }
  for (const Node& item : list.items) {
    MapReader reader(item, "cords", problems);
    if (!reader.is_map()) continue;
    CordsSpec spec;
    CordsReader(reader, spec).read();
    cords.push_back(std::move(spec));
  }
}

}  // namespace

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

SpecialKey cords_key(std::vector<CordsSpec>& cords) {
  return {
      .key = "cords",
      .doc =
          "Cords of racks and motors that differ from the usual order; with `one_line`, the cords of all racks and "
          "motors.",
      .rows = {{"racks", "text", "none", "",
                "Racks, including network racks: a name or a list; `*` matches within a name."},
               {"pdus", "text", "none", "",
                "With `racks`: a list with one PDU or bus for each cord. With several lists, `[[pdu_a_1, pdu_b_1], "
                "[pdu_a_2, pdu_b_2]]`, the first rack takes the first list, the second rack the second list, and so "
                "on, then again from the first list."},
               {"buses", "text", "none", "", "Names of buses and PDUs, for racks and motors; written like `pdus`."},
               {"static_switch", "true or false", "false", "",
                "With `racks`: true: racks draw all power from the first bus that is live. false: they draw half from "
                "each bus."},
               {"motors", "text", "none", "",
                "Other loads instead of `racks`: pumps, CDUs, air handlers, towers, chillers and parts; names are "
                "written as under `racks`."},
               {"blocks", "text", "none", "",
                "With `motors`: power blocks or sides; if two are given, the first that is live carries the motors."}},
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
