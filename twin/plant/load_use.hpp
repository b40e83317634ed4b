// What electrical loads are for, and what loses power on the way to them: the parts of which PUE is made.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wattloop::twin {

enum class LoadUse : std::size_t {
  node,
  fabric,
  cdu_pump,
  facility_pump,
  tower,
  chiller,
  chilled_water_pump,
  crah,
  rear_door_fan
};

inline constexpr std::array<std::string_view, 9> load_use_names{
    "node", "fabric", "cdu_pump", "facility_pump", "tower", "chiller", "chilled_water_pump", "crah", "rear_door_fan"};
inline constexpr std::size_t load_use_count = load_use_names.size();

/// For sentences.
inline constexpr std::array<std::string_view, 9> load_use_texts{
    "nodes at their AC inlets", "switches of the fabric",     "CDU pumps",           "facility-water pumps",
    "towers, with their pumps", "chillers, with their pumps", "chilled-water pumps", "air handlers",
    "fans of rear doors"};

/// For tables.
inline constexpr std::array<std::string_view, 9> load_use_labels{"nodes",          "fabric",       "CDU pumps",
                                                                 "facility pumps", "towers",       "chillers",
                                                                 "chilled pumps",  "air handlers", "door fans"};

/// For sentences: all that is no IT equipment.
inline constexpr std::string_view cooling_power_text =
    "power of all pumps, towers, chillers, air handlers and door fans";
inline constexpr std::string_view cooling_energy_text = "energy of all pumps, towers, chillers and air handlers";

constexpr std::size_t index(LoadUse use) { return static_cast<std::size_t>(use); }

/// IT equipment; everything else is cooling.
constexpr bool is_it(LoadUse use) { return use == LoadUse::node || use == LoadUse::fabric; }

/// Equipment of the power tree that loses power on the way, by kind.
enum class LossKind : std::size_t { transformer, ups, pdu };

inline constexpr std::array<std::string_view, 3> loss_kind_names{"transformer", "ups", "pdu"};
inline constexpr std::size_t loss_kind_count = loss_kind_names.size();

constexpr std::size_t index(LossKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace wattloop::twin
