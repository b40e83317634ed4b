// What is remembered of overload: of each branch and source of the power tree the share of its endurance that is used.
#pragma once

#include <limits>
#include <vector>

namespace wattloop::twin {

/// The air around a part and what it leaves of its rating.
struct AirAround {
  double capacity_fraction = 1.0;
  double air_k = 0.0;  ///< where it feels that
  bool operator==(const AirAround&) const = default;
};

/// Of one branch or source; times are infinite where there is nothing to say.
struct PartOverload {
  static constexpr double never_s = std::numeric_limits<double>::infinity();

  double used_fraction = 0.0;      ///< of its endurance (core/parts/endurance.hpp)
  double loading_ratio = 0.0;      ///< of the last interval: power over the rating that the air leaves
  double highest_ratio = 0.0;      ///< the highest loading since it went over its rating
  double since_s = never_s;        ///< when it went over its rating
  double below_since_s = never_s;  ///< when it came back, until that is reported
  double highest_s = 0.0;          ///< when the loading was highest
  double reported_ratio = 0.0;     ///< loading that was reported; 0: none yet
  bool is_used_up = false;         ///< its endurance, at any time since it was last looked at
  bool is_trip_reported = false;   ///< that it would have tripped
  AirAround air = {};              ///< of the last interval
  double in_service_share = 1.0;   ///< the same, of its modules
  AirAround highest_air = {};      ///< when it was highest
  // Of the whole run.
  double first_s = never_s;  ///< when it was over its rating for the first time
  double worst_ratio = 0.0;
  double worst_s = 0.0;      ///< when the loading was highest
  AirAround worst_air = {};  ///< then
  double worst_in_service_share = 1.0;
  double over_s = 0.0;              ///< for how long, in all
  double beyond_first_s = never_s;  ///< when it was beyond what it carries without limit for the first time
  double beyond_s = 0.0;            ///< for how long, in all
  double hot_off_s = never_s;       ///< when the air around it first was too hot to work in
  double hot_off_k = 0.0;           ///< that air

  bool is_over() const { return since_s < never_s; }
  bool was_ever() const { return first_s < never_s; }
  /// Nothing at present is left but the shares used; what counts for the whole run stays.
  void forget() {
    const PartOverload kept = *this;
    *this = {.used_fraction = kept.used_fraction,
             .loading_ratio = kept.loading_ratio,
             .air = kept.air,
             .in_service_share = kept.in_service_share,
             .first_s = kept.first_s,
             .worst_ratio = kept.worst_ratio,
             .worst_s = kept.worst_s,
             .worst_air = kept.worst_air,
             .worst_in_service_share = kept.worst_in_service_share,
             .over_s = kept.over_s,
             .beyond_first_s = kept.beyond_first_s,
             .beyond_s = kept.beyond_s,
             .hot_off_s = kept.hot_off_s,
             .hot_off_k = kept.hot_off_k};
  }
  bool operator==(const PartOverload&) const = default;
};

struct OverloadState {
  double begin_s = 0.0, end_s = 0.0;  ///< of the last interval that is counted
  std::vector<PartOverload> branches;
  std::vector<PartOverload> sources;

  bool operator==(const OverloadState&) const = default;
};

}  // namespace wattloop::twin
