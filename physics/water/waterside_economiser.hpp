// Waterside economiser in three modes: when the weather lets a plate exchanger cool chilled water with water of the towers, how long a
// mode lasts at least, and what the towers are to hold then.
//
//   T_p = max(T_wb + a_tower, T_low) + a_exchanger       predicted leaving the exchanger
//   mechanical -> partial   T_p < T_return - enable      partial -> mechanical   T_p > T_return - disable
//   partial -> full         T_p < T_set - full           full -> partial         T_p > T_set, or T_supply > T_set + warm for a while
//   T_tower = max(T_wb + a_tower, T_set - a_exchanger, T_low),  T_low = max(T_basin, T_dew + margin, T_condenser)
//
// A mode lasts its least time; only a supply that is too warm ends it before. From mechanical to full, and from full to
// mechanical, in one step where the weather has moved that far. T_dew bounds where tower water goes through the hall, T_condenser
// while chillers run on it.
//
// Source: [ashrae_guideline36] 5.20 as [modelica_buildings] has it: margins of 2, 1 and 1 degF, 20 min, and stage up from the
// economiser alone. Approaches are constant there only at design; here always. Verified in tests/verification/water/waterside_economiser.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/parts/sequence.hpp"
#include "physics/water/cooling_mode.hpp"

namespace wattloop::physics {

struct WatersideEconomiser {
  static constexpr std::string_view kind = "waterside_economiser";
  static constexpr std::string_view doc =
      "Waterside economiser: plate exchangers and chillers in three modes: off, exchangers before the chillers "
      "(partial), exchangers instead of the chillers (full).";

  struct Params {
    double tower_approach_k = 4.0, exchanger_approach_k = 3.0;
    double enable_margin_k = 1.1, disable_margin_k = 0.55, full_margin_k = 0.55;
    double warm_supply_margin_k = 1.1, warm_supply_time_s = 600.0;
    double minimum_time_s = 1200.0;
    double minimum_basin_k = 278.15, minimum_condenser_k = 285.95, dew_point_margin_k = 2.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::tower_approach_k, "tower_approach", temperature_difference, Range::non_negative,
                   "Predicted approach of the towers: tower water minus wet bulb."},
          Field<P>{&P::exchanger_approach_k, "exchanger_approach", temperature_difference, Range::non_negative,
                   "Predicted approach of the exchanger: leaving water minus tower water."},
          Field<P>{&P::enable_margin_k, "enable_margin", temperature_difference, Range::non_negative,
                   "The exchanger starts if its predicted leaving water is colder than the return water by at least "
                   "this difference."},
          Field<P>{&P::disable_margin_k, "disable_margin", temperature_difference, Range::non_negative,
                   "The exchanger stops if its predicted leaving water is colder than the return water by less than "
                   "this difference."},
          Field<P>{&P::full_margin_k, "full_margin", temperature_difference, Range::non_negative,
                   "Chillers stop if the predicted leaving water of the exchanger is colder than the set-point of the "
                   "chilled water by at least this difference."},
          Field<P>{&P::warm_supply_margin_k, "warm_supply_margin", temperature_difference, Range::positive,
                   "Chillers are needed again if the chilled water is warmer than its set-point by this difference."},
          Field<P>{&P::warm_supply_time_s, "warm_supply_time", "s", Range::non_negative,
                   "Time for which the chilled water must be warmer than its set-point by `warm_supply_margin` before "
                   "chillers start."},
          Field<P>{&P::minimum_time_s, "minimum_time", "s", Range::non_negative, "Shortest time in one mode."},
          Field<P>{&P::minimum_basin_k, "minimum_basin_temperature", "K", Range::positive,
                   "Lowest set-point of the towers, to avoid ice."},
          Field<P>{&P::minimum_condenser_k, "minimum_condenser_temperature", "K", Range::positive,
                   "Lowest set-point of the towers while chillers run whose condensers use tower water."},
          Field<P>{&P::dew_point_margin_k, "dew_point_margin", temperature_difference, Range::non_negative,
                   "Smallest difference between the set-point and the dew point of the hall, if the water flows "
                   "through the hall."},
      };
    }
  };

  static constexpr auto names() {
    return std::array{
        SequenceName{"exchanger", "", "Name of a plate exchanger under `parts`, or the common name of several."},
        SequenceName{"towers", "facility", "Water system whose towers cool the exchanger."},
        SequenceName{"chilled_water", "chilled_water", "Water system that the exchanger cools."},
    };
  }

  static std::string_view mistake(const Params& p) noexcept {
    return p.disable_margin_k > p.enable_margin_k
               ? "disable_margin is above enable_margin: the exchanger would start and stop continuously"
               : "";
  }

  /// What it sees.
  struct Now {
    double wet_bulb_k;
    double return_k;  ///< that users bring back
    double supply_k;
    double set_point_k;  ///< of the chilled water
    double dew_point_k;  ///< of the hall
  };

  /// What of its plant bounds it.
  struct Plant {
    bool can_precool = true;  ///< else it knows no partial mode
    bool cools_rooms = false;
    bool cools_condensers = false;
  };

  /// Coldest water that the towers are to make in a mode.
  static double lowest_tower_k(const Params& p, const Plant& plant, const Now& now, CoolingMode mode) noexcept {
    double lowest_k = p.minimum_basin_k;
    if (plant.cools_rooms) lowest_k = std::max(lowest_k, now.dew_point_k + p.dew_point_margin_k);
    if (plant.cools_condensers && mode != CoolingMode::full) lowest_k = std::max(lowest_k, p.minimum_condenser_k);
    return lowest_k;
  }

  /// What would leave the exchanger in a mode.
  static double predicted_k(const Params& p, const Plant& plant, const Now& now, CoolingMode mode) noexcept {
    const double tower_k = std::max(now.wet_bulb_k + p.tower_approach_k, lowest_tower_k(p, plant, now, mode));
    return tower_k + p.exchanger_approach_k;
  }

  /// What the towers are to hold while the exchanger works: no colder than it needs, and than they can.
  static double tower_k(const Params& p, const Plant& plant, const Now& now, CoolingMode mode) noexcept {
    const double needed_k = now.set_point_k - p.exchanger_approach_k;
    return std::max({needed_k, now.wet_bulb_k + p.tower_approach_k, lowest_tower_k(p, plant, now, mode)});
  }

  /// The mode that fits the weather, with the margins at which `held` is left.
  static CoolingMode fitting(const Params& p, const Plant& plant, const Now& now,
                             CoolingMode held = CoolingMode::mechanical) noexcept {
    const double alone_k = predicted_k(p, plant, now, CoolingMode::full);
    const double full_margin_k = held == CoolingMode::full ? 0.0 : p.full_margin_k;
    if (alone_k < now.set_point_k - full_margin_k) return CoolingMode::full;
    if (!plant.can_precool) return CoolingMode::mechanical;
    const double margin_k = held == CoolingMode::mechanical ? p.enable_margin_k : p.disable_margin_k;
    const double before_k = predicted_k(p, plant, now, CoolingMode::partial);
    return before_k < now.return_k - margin_k ? CoolingMode::partial : CoolingMode::mechanical;
  }

  /// The mode in which chillers run again.
  static CoolingMode with_chillers(const Plant& plant) noexcept {
    return plant.can_precool ? CoolingMode::partial : CoolingMode::mechanical;
  }

  static bool is_too_warm(const Params& p, const Now& now) noexcept {
    return now.supply_k > now.set_point_k + p.warm_supply_margin_k;
  }

  /// What it remembers once it has looked.
  static CoolingModeMemory look(const Params& p, const Plant& plant, const Now& now, const CoolingModeMemory& memory,
                                double time_s) noexcept {
    const bool is_warm = memory.mode == CoolingMode::full && is_too_warm(p, now);
    CoolingModeMemory next = memory;
    next.warm_since_s = is_warm ? std::min(memory.warm_since_s, time_s) : std::numeric_limits<double>::infinity();
    CoolingMode requested = memory.mode;
    if (is_warm && time_s >= next.warm_since_s + p.warm_supply_time_s) {
      requested = with_chillers(plant);
    } else if (time_s >= memory.may_leave_s) {
      requested = fitting(p, plant, now, memory.mode);
    }
    if (requested == memory.mode) return next;
    return {.mode = requested, .since_s = time_s, .may_leave_s = time_s + p.minimum_time_s};
  }
};

static_assert(ModeSequence<WatersideEconomiser>);

}  // namespace wattloop::physics
