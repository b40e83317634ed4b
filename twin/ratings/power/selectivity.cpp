#include "twin/ratings/power/selectivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "electrical/protection/grading.hpp"
#include "electrical/tree_voltages.hpp"
#include "twin/ratings/power/fault_levels.hpp"
#include "twin/ratings/power/fault_network.hpp"
#include "twin/ratings/power/protection_devices.hpp"

namespace wattloop::twin {

namespace {

using electrical::OvercurrentDevice;
using electrical::PowerTree;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The stage of a device that operates at a current.
std::string stage_text(const OvercurrentDevice& device, double current_a) {
  if (current_a > device.earth.pickup_a && operating_time_s(device, current_a) >= device.earth.time_s)
    return fmt::format("earth fault above {}", format_quantity(device.earth.pickup_a, "A"));
  if (current_a > device.instantaneous.pickup_a)
    return fmt::format("instantaneous above {}", format_quantity(device.instantaneous.pickup_a, "A"));
  const double inverse_s = operating_time_s(device.curve, device.time_multiplier, current_a / device.pickup_a);
  if (current_a > device.short_time.pickup_a && device.short_time.time_s < inverse_s)
    return fmt::format("short time above {}", format_quantity(device.short_time.pickup_a, "A"));
  const double exponent = device.curve.inverse.exponent;
  const double added_s = device.time_multiplier * device.curve.inverse.added_s;
  return fmt::format("{:.4g} s / ({} - 1){}{}, pickup {}", device.time_multiplier * device.curve.inverse.k_s,
                     exponent == 1.0 ? "M" : fmt::format("M^{:g}", exponent),
                     added_s > 0.0 ? fmt::format(" + {:.3g} s", added_s) : "",
                     inverse_s < device.fastest_s ? ", at least " + format_quantity(device.fastest_s, "s") : "",
                     format_quantity(device.pickup_a, "A"));
}

std::string curve_text(const OvercurrentDevice& device, double current_a) {
  return fmt::format("{} operates in {} ({})", device.name,
                     format_quantity(electrical::operating_time_s(device, current_a), "s"),
                     stage_text(device, current_a));
}

class ProtectionCheck {
 public:
  ProtectionCheck(const PowerTree& tree, bool and_met)
      : tree_(tree),
        and_met_(and_met),
        switches_(electrical::normal_switch_state(tree)),
        nominal_v_(electrical::nominal_voltages(tree)),
        largest_(currents_of_buses(tree, FaultSize::largest)),
        least_{least_currents(FaultSize::smallest)} {
    if (has_spare_modules(tree)) least_.push_back(least_currents(FaultSize::smallest_spared));
  }

  std::vector<CheckRow> rows() {
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      if (!is_device(tree_, branch) || switches_.branch_mode[branch] != electrical::BranchMode::carrying) continue;
      check_smallest(branch);
      check_smallest_to_earth(branch);
    }
    for (const ProtectedPlace& place : protected_places(tree_, switches_)) check_place(place);
    return std::move(rows_);
  }

 private:
  /// The smallest short circuits with some modules in service.
  struct LeastCurrents {
    FaultSize size;
    BusCurrents of_buses;
    std::vector<double> from_sets_a;  ///< [buses] from generators alone
  };

  LeastCurrents least_currents(FaultSize size) const {
    return {size, currents_of_buses(tree_, size),
            short_circuit_currents_a(tree_, FaultFrom::generators, size, FaultReach::through_bypasses)};
  }

  /// The smaller one that is reached.
  static double least(double one_a, double other_a) {
    return one_a == 0.0 ? other_a : other_a == 0.0 ? one_a : std::min(one_a, other_a);
  }

  /// What generators deliver counts where it goes through the device.
  void check_smallest(std::size_t branch) {
    const auto [before, to] = electrical::ends_of_flow(tree_, switches_, branch);
    const OvercurrentDevice device = *device_of(tree_, branch, nominal_v_[static_cast<std::size_t>(to)]);
    const Seen seen = least_seen(branch, device.pickup_a, [&, from = before](const LeastCurrents& of, std::size_t bus) {
      const double from_feeds_a = of.of_buses.three_phase_a[bus];
      return of.from_sets_a[static_cast<std::size_t>(from)] > 0.0 ? least(from_feeds_a, of.from_sets_a[bus])
                                                                  : from_feeds_a;
    });
    if (seen.current_a > 0.0) add_smallest(device, "protection", "smallest fault level", seen);
  }

  /// Where it has a stage for earth faults, or its pickup is too high for them. A transformer sees those behind it from its other side.
  void check_smallest_to_earth(std::size_t branch) {
    if (is_transformer(tree_, branch)) return;
    const auto to = static_cast<std::size_t>(electrical::ends_of_flow(tree_, switches_, branch).second);
    const OvercurrentDevice device = *earth_device_of(tree_, branch, nominal_v_[to]);
    const Seen seen = least_seen(branch, lowest_pickup_a(device),
                                 [](const LeastCurrents& of, std::size_t bus) { return of.of_buses.earth_a[bus]; });
    if (seen.current_a > 0.0 && (std::isfinite(device.earth.pickup_a) || seen.current_a <= seen.pickup_a))
      add_smallest(device, "earth-fault protection", "smallest earth fault", seen);
  }

  struct Seen {
    double current_a = 0.0;  ///< 0 where none is reached
    double pickup_a = 1.0;   ///< of the modules in service
    std::size_t bus = 0;
    bool is_behind_cables = false;  ///< at a bus that cables lead to from the device
  };

  /// In the zone of the device, with redundant modules in service or out, which may be its own: what is nearest to its pickup.
  template <class CurrentOf>
  Seen least_seen(std::size_t branch, double pickup_a, CurrentOf current_a) const {
    Seen nearest;
    const std::vector<std::size_t> zone = zone_of(tree_, switches_, branch);
    for (const std::size_t bus : zone) {
      for (const LeastCurrents& of : least_) {
        const Seen seen{current_a(of, bus), pickup_a * in_service_share(tree_, branch, of.size), bus,
                        bus != zone.front()};
        const bool is_nearer = seen.current_a * nearest.pickup_a < nearest.current_a * seen.pickup_a;
        if (seen.current_a > 0.0 && (nearest.current_a == 0.0 || is_nearer)) nearest = seen;
      }
    }
    return nearest;
  }

  void add_smallest(const OvercurrentDevice& device, const char* of, const std::string& quantity, const Seen& seen) {
    CheckRow row{.kind = CheckRow::Kind::limit,
                 .of = of,
                 .name = std::string(device.name),
                 .quantity = quantity + (seen.is_behind_cables ? " at " + tree_.bus_name[seen.bus] : " behind it"),
                 .why = "its protection needs more than",
                 .unit = "A",
                 .side = Side::below,
                 .value = seen.current_a,
                 .limit = seen.pickup_a};
    if (and_met_ || !row.is_met()) rows_.push_back(std::move(row));
  }

  /// Of what opens the same it is compared what operates first.
  void check_place(const ProtectedPlace& place) {
    for (const UpstreamDevice& above : upstream_devices(tree_, switches_, place))
      check_pair(above, place, static_cast<std::size_t>(place.to));
  }

  void check_pair(const UpstreamDevice& above, const ProtectedPlace& place, std::size_t to) {
    const double at_v = nominal_v_[to];
    const OvercurrentDevice upstream = *device_of(tree_, above.branch, at_v),
                            device = *device_of(tree_, place.device, at_v);
    if (upstream.selective_ratio > 0.0 && device.selective_ratio > 0.0) return check_ratio(upstream, device);
    electrical::GradingRule rule{.largest_a = largest_.three_phase_a[to],
                                 .smallest_a = above.more_than_w / (std::numbers::sqrt3 * at_v)};
    const auto beside = place.beside ? device_of(tree_, *place.beside, at_v) : std::nullopt;
    if (beside) rule.beside = &*beside;
    add_breaches(upstream, device, rule, "for currents");
    check_earth_pair(above, place, to, rule);
  }

  /// A transformer between the two ends currents to earth.
  void check_earth_pair(const UpstreamDevice& above, const ProtectedPlace& place, std::size_t to,
                        electrical::GradingRule rule) {
    if (above.is_beyond_transformer || is_transformer(tree_, above.branch)) return;
    const double at_v = nominal_v_[to];
    const OvercurrentDevice upstream = *earth_device_of(tree_, above.branch, at_v),
                            device = *earth_device_of(tree_, place.device, at_v);
    if (std::isinf(upstream.earth.pickup_a) && std::isinf(device.earth.pickup_a)) return;
    const auto beside = place.beside ? earth_device_of(tree_, *place.beside, at_v) : std::nullopt;
    rule.beside = beside ? &*beside : nullptr;
    rule.largest_a = largest_.earth_a[to];
    add_breaches(upstream, device, rule, "for earth faults");
    const double seen_above_a = std::min(lowest_pickup_a(device), beside ? lowest_pickup_a(*beside) : infinite);
    check_earth_pickups(upstream, device, seen_above_a, largest_.earth_a[to]);
  }

  /// Two fuses melt one after the other where their ratings are far enough apart.
  void check_ratio(const OvercurrentDevice& upstream, const OvercurrentDevice& device) {
    const double ratio = upstream.pickup_a / device.pickup_a;
    if (ratio >= upstream.selective_ratio * (1.0 - CheckRow::rounding)) return;
    add_pair(upstream, device,
             {.quantity = fmt::format("rated current over that of {}", device.name),
              .why = "less than fuses in series need",
              .unit = "1",
              .value = ratio,
              .limit = upstream.selective_ratio});
  }

  void add_breaches(const OvercurrentDevice& upstream, const OvercurrentDevice& device,
                    const electrical::GradingRule& rule, const char* what) {
    for (const electrical::GradingBreach& breach : electrical::grading_breaches(upstream, device, rule)) {
      const bool is_beside_first = rule.beside != nullptr && operating_time_s(*rule.beside, breach.worst_a) <
                                                                 operating_time_s(device, breach.worst_a);
      add_pair(
          upstream, device,
          {.quantity = fmt::format("{} of {} to {}, delay in addition to the delay of {}", what,
                                   format_quantity(breach.from_a, "A"), format_quantity(breach.to_a, "A"), device.name),
           .why = fmt::format("selective protection needs more (at {} {}, {})", format_quantity(breach.worst_a, "A"),
                              curve_text(upstream, breach.worst_a),
                              curve_text(is_beside_first ? *rule.beside : device, breach.worst_a)),
           .unit = "s",
           .value = breach.smallest_margin_s,
           .limit = rule.margin_s});
    }
  }

  /// An earth fault that only the upstream device sees takes all behind it.
  void check_earth_pickups(const OvercurrentDevice& upstream, const OvercurrentDevice& device, double seen_above_a,
                           double largest_a) {
    const double needed_a = std::min(seen_above_a, largest_a);
    if (!(lowest_pickup_a(upstream) < needed_a)) return;
    add_pair(upstream, device,
             {.quantity = "pickup of earth faults",
              .why = fmt::format("{} sees no earth fault below {}", device.name, format_quantity(needed_a, "A")),
              .unit = "A",
              .value = lowest_pickup_a(upstream),
              .limit = needed_a});
  }

  /// Pairs of the same settings and currents are one row, with the names of the others.
  void add_pair(const OvercurrentDevice& upstream, const OvercurrentDevice& device, CheckRow row) {
    const std::string pair = fmt::format("{} and {}", upstream.name, device.name);
    std::string without_names = row.quantity + row.why;
    for (const std::string_view name : {upstream.name, device.name}) {
      for (std::size_t at = without_names.find(name); at != std::string::npos; at = without_names.find(name, at))
        without_names.replace(at, name.size(), "_");
    }
    const auto [known, is_new] =
        pairs_.emplace(fmt::format("{} {:.6g} {:.6g}", without_names, row.value, row.limit), rows_.size());
    if (!is_new) return rows_[known->second].alike.push_back(pair);
    row.kind = CheckRow::Kind::limit;
    row.side = Side::below;
    row.of = "selectivity of " + pair;
    row.name = std::string(upstream.name);
    rows_.push_back(std::move(row));
  }

  const PowerTree& tree_;
  const bool and_met_;
  const electrical::SwitchState switches_;
  const std::vector<double> nominal_v_;  ///< [buses]
  const BusCurrents largest_;
  std::vector<LeastCurrents> least_;  ///< with all modules; and with redundant ones out, where there are some
  std::vector<CheckRow> rows_;
  std::map<std::string, std::size_t> pairs_;  ///< what a row reports without names of devices: its number
};

}  // namespace

std::vector<CheckRow> protection_rows(const PowerTree& tree, bool and_met) {
  return ProtectionCheck(tree, and_met).rows();
}

std::vector<CheckRow> short_circuit_rows(const Plant& plant) {
  const bool is_drawn = !plant.switch_rules.may_be_out.empty();
  std::vector<CheckRow> rows;
  for (CheckRow& row : fault_level_rows(plant.power_tree)) keep_worst(std::move(row), rows);
  for (CheckRow& row : protection_rows(plant.power_tree, is_drawn)) keep_worst(std::move(row), rows);
  return rows;
}

}  // namespace wattloop::twin
