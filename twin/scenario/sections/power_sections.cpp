// `power` of a scenario: the way from the utility feeds to the racks, and the rooms that its losses heat.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

FieldRef number_of(int& count, std::string_view name, std::string_view doc) {
  return {&count, FieldInfo{name, {}, Range::positive, doc, {}}};
}

FieldRef spares_of(int& redundant) {
  return {&redundant, FieldInfo{"redundant",
                                {},
                                Range::non_negative,
                                "Number of these units at a low-voltage bus that may be out of service while the other "
                                "units carry the whole load; `check` tests this.",
                                {}}};
}

FieldRef batteries_of(std::string& batteries) {
  return {&batteries, FieldInfo{"batteries",
                                {},
                                Range::any,
                                "per_module: a battery for each module, out of service together with it. shared: one "
                                "common battery for all modules.",
                                "per_module|shared"}};
}

FieldRef bypass_of(std::string& bypass) {
  return {&bypass, FieldInfo{"bypass",
                             {},
                             Range::any,
                             "Equipment that carries the load while the UPS does not: a static bypass, or none.",
                             "static|none"}};
}

/// `noun`: what there are so many of.
void check_spares(const Node& map, std::string_view noun, int count, int redundant, Problems& problems) {
  if (redundant < count || redundant == 0) return;
  const Node* written = find(map, "redundant");
  problems.add(problem_at(written != nullptr ? *written : map,
                          fmt::format("redundant is {}, but there {} {} at a low-voltage bus", redundant,
                                      count == 1 ? "is only" : "are", count_text(count, noun)),
                          count == 1 ? std::string("write redundant: 0, or give more units")
                                     : fmt::format("write at most {}: the others carry the whole load", count - 1)));
}

/// Each low-voltage bus has as many as the others.
void check_division(const Node& map, std::string_view key, std::string_view noun, int count, int buses,
                    Problems& problems) {
  if (count % buses == 0) return;
  const Node* written = find(map, key);
  const int below = count / buses * buses;
  problems.add(problem_at(
      written != nullptr ? *written : map,
      fmt::format("{} cannot be divided equally among {} low-voltage buses", count_text(count, noun), buses),
      below > 0 ? fmt::format("{}: {} or {}", key, below, below + buses) : fmt::format("{}: {}", key, buses)));
}

Section utility_section(PowerBlockSpec& block) {
  return {.key = "utility",
          .doc = "Utility feed of each side, as a source of short-circuit current.",
          .fields = field_refs(block.utility),
          .is_optional = true,
          .check = [&block](const Node& map, Problems& problems) { check_feed(map, block.utility, problems); }};
}

Section substation_section(PowerBlockSpec& block) {
  return {.key = "substation",
          .doc = "One transformer from the utility's high voltage for each side.",
          .device = {transformer_device(block.substation)},
          .device_name = &block.substation_name,
          .is_given = &block.has_substation,
          .is_optional = true};
}

Section transformers_section(PowerBlockSpec& block) {
  return {
      .key = "transformers",
      .doc = "Transformers from medium to low voltage: transformers: { count: 1, hardware: transformer_2500kva }.",
      .fields = {number_of(block.transformers, "count", "Number of transformers, in parallel at each low-voltage bus."),
                 number_of(block.low_voltage_buses, "low_voltage_buses",
                           "Number of low-voltage buses; transformers, generators, UPS modules and PDUs are divided "
                           "equally among them. For unit substations write the number of transformers."),
                 spares_of(block.redundant_transformers)},
      .device = {transformer_device(block.transformer)},
      .device_name = &block.transformer_name,
      .check = [&block](const Node& map, Problems& problems) {
        const int buses = block.low_voltage_buses;
        check_division(map, "count", "transformer", block.transformers, buses, problems);
        check_spares(map, "transformer", block.transformers / buses, block.redundant_transformers, problems);
      }};
}

Section generators_section(PowerBlockSpec& block) {
  GeneratorsSpec& generators = block.generators;
  return {.key = "generators",
          .doc = "Standby generators at the low voltage of each side, downstream of its transformers.",
          .fields = field_refs(generators),
          .device = {generator_device(generators)},
          .device_name = &generators.generator_name,
          .is_given = &generators.is_given,
          .is_optional = true,
          .check = [&block](const Node& map, Problems& problems) {
            check_division(map, "count", "generator", block.generators.count, block.low_voltage_buses, problems);
          }};
}

Section ups_section(PowerBlockSpec& block) {
  return {.key = "ups",
          .doc = "Uninterruptible power supplies; write `ups: none` if the low voltage feeds the PDUs directly.",
          .fields = {number_of(block.ups_modules, "modules", "Number of modules in parallel."),
                     spares_of(block.redundant_ups_modules), batteries_of(block.ups_batteries),
                     bypass_of(block.ups_bypass)},
          .device = {ups_device(block)},
          .device_name = &block.ups_name,
          .is_none = &block.is_without_ups,
          .check = [&block](const Node& map, Problems& problems) {
            const int buses = block.low_voltage_buses;
            check_division(map, "modules", "UPS module", block.ups_modules, buses, problems);
            check_spares(map, "module", block.ups_modules / buses, block.redundant_ups_modules, problems);
          }};
}

Section pdus_section(PowerBlockSpec& block) {
  return {.key = "pdus",
          .doc = "Power distribution units with their busways: pdus: { count: 1, hardware: pdu_1mva }.",
          .fields = {number_of(block.pdus, "count", "Number of PDUs; the racks are divided among them.")},
          .device = {pdu_device(block)},
          .device_name = &block.pdu_name,
          .check = [&block](const Node& map, Problems& problems) {
            check_division(map, "count", "PDU", block.pdus, block.low_voltage_buses, problems);
          }};
}

Section rooms_section(ElectricalRoomsSpec& rooms) {
  std::vector<FieldRef> fields = field_refs(rooms.room);
  std::erase_if(fields, [](const FieldRef& field) { return field.info.name == "recirculation"; });
  return {.key = "rooms",
          .doc = "A room of its own for the UPS of each side; without it the UPS are in the hall.",
          .fields = std::move(fields),
          .sections = {crahs_section(rooms.crahs, "Air handlers of each room."), humidity_section(rooms.room.humidity)},
          .is_given = &rooms.is_given,
          .is_optional = true};
}

}  // namespace

std::vector<Section> equipment_sections(PowerBlockSpec& block) {
  return {utility_section(block),    substation_section(block), transformers_section(block),
          generators_section(block), ups_section(block),        pdus_section(block)};
}

Section power_section(PowerSpec& power) {
  std::vector<Section> sections = equipment_sections(power);
  for (Section& section : sections) section.replaced_by = {"blocks", "one_line"};
  sections.push_back(rooms_section(power.rooms));
  return {
      .key = "power",
      .doc =
          "Power from the utility feed to the racks. Each count is the number of devices of one side; these devices "
          "share the load of the side.",
      .fields = field_refs(power),
      .sections = std::move(sections),
      .special = {blocks_key(power), one_line_key(power.one_line), cords_key(power.cords), absent_key(power.absent)},
      .check =
          [&power](const Node& map, Problems& problems) {
            check_blocks(map, power, problems);
            check_one_line(map, power, problems);
          },
  };
}

void check_feed(const Node& map, const electrical::UtilityFeed::Params& feed, Problems& problems) {
  const Node* smallest = find(map, "smallest_short_circuit_power");
  if (smallest == nullptr || feed.short_circuit_va == 0.0) return;
  if (feed.smallest_short_circuit_va <= feed.short_circuit_va) return;
  problems.add(problem_at(*smallest,
                          fmt::format("smallest_short_circuit_power is {}, expected at most short_circuit_power, {}",
                                      format_quantity(feed.smallest_short_circuit_va, "V A"),
                                      format_quantity(feed.short_circuit_va, "V A")),
                          "write at most short_circuit_power, which is the largest value"));
}

}  // namespace wattloop::twin
