// Settings: what a `set` event can change in a component, by the last part of its target
// ("loop_1.supply_temperature").
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"
#include "twin/document/number_limits.hpp"

namespace wattloop::twin {

inline constexpr std::array settings{
    FieldInfo{"supply_temperature", "K", Range::positive, "Set-point of a loop, or given temperature of a supply.", {}},
    FieldInfo{
        "pump_speed",
        "1",
        Range::fraction,
        "Speed of the running pumps of a loop divided by rated speed; the highest speed if the pumps keep a pressure.",
        {}},
    FieldInfo{"differential_pressure",
              "Pa",
              Range::non_negative,
              "Pressure that the pumps of a loop keep between its headers, or that water from outside has at its "
              "entry; 0: none.",
              {}},
    FieldInfo{"flow", "kg/s", Range::non_negative, "Water flow through each rear door.", {}},
    FieldInfo{
        "gpu_power_limit",
        "W",
        Range::non_negative,
        "Power cap of each GPU of a group of racks, at most the limit of its hardware; GPUs keep their idle power.",
        {}},
    FieldInfo{"air_temperature", "K", Range::positive, "Set-point of the air handlers of a room.", {}},
    FieldInfo{
        "power", "W", Range::non_negative, "Power that a load of the one-line diagram draws at nominal voltage.", {}},
    FieldInfo{"dry_bulb",
              "K",
              Range::positive,
              "Outdoor dry bulb; a wet bulb that is not set keeps its difference from the dry bulb.",
              {}},
    FieldInfo{
        "wet_bulb",
        "K",
        Range::positive,
        "Outdoor wet bulb, at most the dry bulb; a dry bulb that is not set keeps its difference from the wet bulb.",
        {}},
};

/// These, and those of parts that a scenario may name.
std::span<const FieldInfo> all_settings();

/// The setting of that name; nullptr if there is none.
const FieldInfo* find_setting(std::string_view name);

/// What a `set` event may set it to: `number_limits`, of temperatures what coolant, water and air have.
NumberLimits setting_limits(const FieldInfo& setting);

/// Names of all settings, for hints.
std::vector<std::string> setting_names();

}  // namespace wattloop::twin
