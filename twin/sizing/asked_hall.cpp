#include "twin/sizing/asked_hall.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array coolings{
    AskedChoice{"warm_water", "CDUs on cooling-tower water, rear doors on chilled water; for nodes with cold plates"},
    AskedChoice{"dry_coolers",
                "CDUs and chillers on water of dry coolers, nothing evaporates; for nodes with cold plates"},
    AskedChoice{"chilled_water", "CDUs and rear doors on water of air-cooled chillers; for nodes with cold plates"},
    AskedChoice{"air", "air handlers on chilled water, towers; for nodes without coolant"},
    AskedChoice{"rear_doors", "rear doors on chilled water, towers; for nodes without coolant"},
};

constexpr std::array redundancies{
    AskedChoice{"N", "one power path with the equipment that it needs"},
    AskedChoice{"N+1", "one power path with one module and one transformer more than needed"},
    AskedChoice{"2N", "two power paths, each of which carries the whole load"},
    AskedChoice{"block", "power blocks for the load, and a reserve block that takes over from one of them"},
    AskedChoice{"distributed", "three power blocks or more, each rack on two of them; one block may be out of service"},
};

constexpr std::array climates{
    AskedChoice{"leesburg", "Leesburg, Virginia: the built-in day `summer`"},
    AskedChoice{"chicago", "Chicago O'Hare: the weather file of the reference data, ${WATTLOOP_REFERENCE_DATA}"},
};

std::string small(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return out;
}

}  // namespace

std::span<const AskedChoice> cooling_choices() { return coolings; }
std::span<const AskedChoice> redundancy_choices() { return redundancies; }
std::span<const AskedChoice> climate_choices() { return climates; }

std::string chosen_name(std::string_view option, const std::string& name, std::span<const std::string> choices) {
  std::vector<std::string> begun;
  for (const std::string& choice : choices) {
    if (small(choice) == small(name)) return choice;
    if (!name.empty() && small(choice).starts_with(small(name))) begun.push_back(choice);
  }
  if (begun.size() == 1) return begun.front();
  const std::string hint =
      begun.empty() ? nearest_hint(name, choices) : fmt::format("one of: {}", fmt::join(begun, ", "));
  const std::string all = fmt::format("known: {}", fmt::join(choices, ", "));
  throw InputError({{{std::string(option), 0, 0},
                     fmt::format("there is no '{}'", name),
                     (hint.empty() ? all : hint) + "; wattloop new --list shows all",
                     {}}},
                   "the command line");
}

std::string chosen_name(std::string_view option, const std::string& name, std::span<const AskedChoice> choices) {
  std::vector<std::string> names;
  for (const AskedChoice& choice : choices) names.emplace_back(choice.name);
  return chosen_name(option, name, names);
}

}  // namespace wattloop::twin
