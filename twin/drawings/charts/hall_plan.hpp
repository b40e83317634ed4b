// The hall from above as SVG: racks coloured by their hottest die, on a scale that is the same on every page.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/part_conditions.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// Colour of a temperature, 30 to 95 degC from violet to yellow ("#46039f"), as pictures have them; grey where it is not a number.
std::string heat_colour(double temperature_k);

/// What a plan shows of a piece of equipment.
struct PlanPart {
  PartCondition condition = PartCondition::running;
  std::string words{};   ///< behind its condition where it is pointed at; may be empty
  std::string beyond{};  ///< "loading 112.3 % where 100.0 % is allowed"; empty where it is within its limits
};

/// By names of boxes of the layout.
using PlanParts = std::map<std::string, PlanPart, std::less<>>;

/// Racks of the layout as pictures of the hall have them, with numbers of rows and the temperature of each of `racks` (same length);
/// others are grey, hatched are those with GPUs in nodes that are down, and with a foot those with GPUs that are throttled (same length, or
/// none). Of equipment `parts` are drawn, with names where there is room: failed is crossed out, impaired has one stroke, what is idle or without power
/// is hatched, what is beyond a limit has a red frame, and what carries the load instead of the utility is orange. Empty without racks.
std::string hall_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                      std::span<const float> die_temperatures_k, std::span<const float> down_gpus = {},
                      std::span<const float> throttled_gpus = {}, const PlanParts& parts = {});

/// Colour of a margin to a limit, -10 to 30 K from red over grey to blue, as pictures have it; grey where it is not a number.
std::string margin_colour(double margin_k);

/// Ends of a scale that is fitted to margins, K, the lower one first; nothing: the fixed scale.
using MarginEnds = std::optional<std::array<double, 2>>;

/// Colour of a margin where nothing is near a limit, from grey to blue between these ends: never one that the fixed scale has for what is near.
std::string quiet_colour(double margin_k, const std::array<double, 2>& ends_k);
std::string quiet_scale(const std::array<double, 2>& ends_k);

/// As `hall_plan`, coloured by margins in K; `limits`: what each is a margin to, "inlet air 35 degC" (same length).
std::string margin_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                        std::span<const float> margins_k, std::span<const std::string> limits,
                        std::span<const float> down_gpus = {}, std::span<const float> throttled_gpus = {},
                        const PlanParts& parts = {}, const MarginEnds& quiet = {});

/// A part of a rack in a colour of its own.
struct PlanShare {
  std::string colour{};
  double share = 0.0;
};

/// What has nodes of a rack: parts of it, one beside the other, and the same in words.
struct PlanShares {
  std::vector<PlanShare> shares{};
  std::string words{};
};

/// As `hall_plan`, racks divided (same length as `racks`).
std::string share_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                       std::span<const PlanShares> shares, std::span<const float> down_gpus = {},
                       std::span<const float> throttled_gpus = {}, const PlanParts& parts = {});

/// The scale of margins, with the limit at 0 marked.
std::string margin_scale();

/// Colour of a difference of temperatures, -20 to 20 K from blue over grey to red; grey where it is not a number.
std::string difference_colour(double difference_k);

/// As `hall_plan`, coloured by differences in K.
std::string difference_plan(std::span<const LayoutBox> layout, std::span<const std::string> racks,
                            std::span<const float> differences_k);
std::string difference_scale();

/// The scale itself, with the limits 87, 89 and 95 degC marked.
std::string heat_scale();

}  // namespace wattloop::twin
