#include "twin/scenario/sections/branch_breaker.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "twin/document/map_reader.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

using electrical::Branch;
constexpr const char* example = "breaker: breaker_4000a";

template <class... Kinds>
bool is_one_of(const electrical::Equipment& equipment) {
  return (std::holds_alternative<typename Kinds::Params>(equipment) || ...);
}

/// The device in `{ hardware: ..., with: ... }`, or what is said itself: that of the library, or its values.
const Node* hardware_in(const Node& said, const std::string& name, Problems& problems) {
  const bool is_device = said.is_map() && find(said, "kind") != nullptr;
  if (is_device || !said.is_map()) return &said;
  MapReader reader(said, name, problems);
  const Node* hardware = reader.require("hardware", example);
  reader.offer("with");
  reader.report_unknown_keys();
  return hardware;
}

}  // namespace

void add_breaker(const Node& said, DrawnBranch& of, OneLineSpec& spec, Problems& problems) {
  Branch& branch = of.branch;
  const Node* hardware = hardware_in(said, branch.name + ".breaker", problems);
  if (hardware == nullptr) return;
  const Node* name = find(*hardware, "name");  // of the library, at its place in the scenario
  const Node& place = name != nullptr ? *name : *hardware;
  if (is_one_of<electrical::Breaker, electrical::Fuse>(branch.equipment)) {
    problems.add(problem_at(place, fmt::format("{} is a switch itself, and has no breaker", branch.name),
                            "hardware: says which breaker it is"));
    return;
  }
  DrawnBranch breaker;
  breaker.mention = {place.place, place.excerpt};
  const auto equipment = read_equipment(*hardware, breaker.hardware, problems);
  if (!equipment) return;
  if (!is_one_of<electrical::Breaker, electrical::Fuse>(*equipment)) {
    problems.add(problem_at(place,
                            fmt::format("breaker of {} is a {}, expected a breaker or a fuse", branch.name,
                                        electrical::kind_of(*equipment)),
                            example));
    return;
  }
  const bool is_behind = is_one_of<electrical::Transformer, electrical::Ups>(branch.equipment);
  std::string& end = is_behind ? branch.to : branch.from;
  const auto bus = std::ranges::find(spec.buses, end, &DrawnBus::name);
  if (bus == spec.buses.end()) return;  // reported with the diagram
  const std::string between = branch.name + ".terminals";
  spec.buses.push_back({between, bus->voltage_v, breaker.mention});
  breaker.branch = {.name = branch.name + ".breaker",
                    .from = is_behind ? between : end,
                    .to = is_behind ? end : between,
                    .equipment = *equipment,
                    .modules = branch.modules,
                    .protects = branch.name};
  breaker.branch.spare_modules = branch.spare_modules;
  breaker.branch.goes_both_ways = branch.goes_both_ways;
  end = between;
  spec.branches.push_back(std::move(breaker));
}

}  // namespace wattloop::twin
