#include "twin/ratings/power/selectivity.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "electrical/protection/grading.hpp"
#include "electrical/tree_voltages.hpp"
#include "twin/ratings/power/fault_levels.hpp"
#include "twin/ratings/power/fault_network.hpp"

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
  const double added_s = device.time_multiplier * device.curve.inverse.added_s;
  return fmt::format("{:.4g} s / (M^{:g} - 1){}{}, pickup {}", device.time_multiplier * device.curve.inverse.k_s,
                     device.curve.inverse.exponent, added_s > 0.0 ? fmt::format(" + {:.3g} s", added_s) : "",
                     inverse_s < device.fastest_s ? ", at least " + format_quantity(device.fastest_s, "s") : "",
                     format_quantity(device.pickup_a, "A"));
}

std::string curve_text(const OvercurrentDevice& device, double current_a) {
  return fmt::format("{} in {} ({})", device.name,
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
        smallest_(currents_of_buses(tree, FaultSize::smallest)),
        sets_a_(
            short_circuit_currents_a(tree, FaultFrom::generators, FaultSize::smallest, FaultReach::through_bypasses)) {}

  std::vector<CheckRow> rows() {
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
      const auto [before, behind] = electrical::ends_of_flow(tree_, switches_, branch);
      const auto to = static_cast<std::size_t>(behind);
      const auto device = device_of(tree_, branch, nominal_v_[to]);
      if (!device || switches_.branch_mode[branch] != electrical::BranchMode::carrying) continue;
      check_smallest(*device, static_cast<std::size_t>(before), to);
      check_smallest_to_earth(branch, to);
      check_selectivity(branch, to);
    }
    return std::move(rows_);
  }

 private:
  /// The smaller one that is reached.
  static double least(double one_a, double other_a) {
    return one_a == 0.0 ? other_a : other_a == 0.0 ? one_a : std::min(one_a, other_a);
  }

  /// What generators deliver counts where it goes through the device.
  void check_smallest(const OvercurrentDevice& device, std::size_t before, std::size_t to) {
    const double smallest_a =
        sets_a_[before] > 0.0 ? least(smallest_.three_phase_a[to], sets_a_[to]) : smallest_.three_phase_a[to];
    if (smallest_a == 0.0) return;
    add_smallest(device, "smallest fault level behind it", smallest_a, device.pickup_a);
  }

  /// Where it has a stage for earth faults, or its pickup is too high for them. A transformer sees those behind it from its other side.
  void check_smallest_to_earth(std::size_t branch, std::size_t to) {
    const OvercurrentDevice device = *earth_device_of(tree_, branch, nominal_v_[to]);
    const double pickup_a = lowest_pickup_a(device), smallest_a = smallest_.earth_a[to];
    if (smallest_a == 0.0 || is_transformer(branch)) return;
    if (std::isfinite(device.earth.pickup_a) || smallest_a <= pickup_a)
      add_smallest(device, "smallest earth fault behind it", smallest_a, pickup_a);
  }

  void add_smallest(const OvercurrentDevice& device, const char* quantity, double smallest_a, double pickup_a) {
    CheckRow row{.kind = CheckRow::Kind::limit,
                 .of = "protection",
                 .name = std::string(device.name),
                 .quantity = quantity,
                 .why = "its protection needs more than",
                 .unit = "A",
                 .side = Side::below,
                 .value = smallest_a,
                 .limit = pickup_a};
    if (and_met_ || !row.is_met()) rows_.push_back(std::move(row));
  }

  bool is_transformer(std::size_t branch) const { return tree_.branch_transformer[branch].rated_va > 0.0; }

  /// A breaker in series with the equipment whose name it has: nothing else is between the two.
  bool is_own_breaker(std::size_t breaker, std::size_t of) const {
    if (!tree_.branch_name[breaker].starts_with(tree_.branch_name[of] + ".")) return false;
    const bool is_behind = tree_.branch_from[breaker] == tree_.branch_to[of];
    const int between = is_behind ? tree_.branch_from[breaker] : tree_.branch_to[breaker];
    return (is_behind || between == tree_.branch_from[of]) &&
           std::ranges::count(tree_.branch_from, between) + std::ranges::count(tree_.branch_to, between) == 2;
  }

  struct Upstream {
    std::size_t device;
    double more_than_w;  ///< below it inverters of a UPS between the two feed what is behind it, beyond its bypass does
  };

  /// The nearest devices on all ways to sources; a way ends at a converter without a bypass, which feeds no short circuit from beyond.
  std::vector<Upstream> upstream_of(std::size_t branch) const {
    std::vector<Upstream> devices;
    struct Reached {
      int bus;
      double more_than_w;
    };
    std::vector<Reached> reached{{electrical::ends_of_flow(tree_, switches_, branch).first, 0.0}};
    for (std::size_t place = 0; place < reached.size(); ++place) {
      const Reached here = reached[place];
      for (std::size_t other = 0; other < tree_.branch_name.size(); ++other) {
        const auto [from, to] = electrical::ends_of_flow(tree_, switches_, other);
        if (to != here.bus || switches_.branch_mode[other] != electrical::BranchMode::carrying) continue;
        if (!passes_short_circuits(tree_, other)) continue;
        const double limited_w = tree_.branch_short_circuit_ratio[other] * tree_.branch_rated_w[other];
        if (device_of(tree_, other, 1.0)) {
          devices.push_back({other, here.more_than_w});
        } else if (std::ranges::find(reached, from, &Reached::bus) == reached.end()) {
          reached.push_back({from, std::max(here.more_than_w, limited_w)});
        }
      }
    }
    return devices;
  }

  void check_selectivity(std::size_t branch, std::size_t to) {
    for (const Upstream& above : upstream_of(branch)) {
      if (!is_own_breaker(branch, above.device) && !is_own_breaker(above.device, branch)) check_pair(above, branch, to);
    }
  }

  void check_pair(const Upstream& above, std::size_t branch, std::size_t to) {
    const double at_v = nominal_v_[to];
    electrical::GradingRule rule{.largest_a = largest_.three_phase_a[to],
                                 .smallest_a = above.more_than_w / (std::numbers::sqrt3 * at_v)};
    add_breaches(*device_of(tree_, above.device, at_v), *device_of(tree_, branch, at_v), rule, "for currents");
    if (is_transformer(above.device) || is_transformer(branch)) return;
    const OvercurrentDevice upstream = *earth_device_of(tree_, above.device, at_v),
                            device = *earth_device_of(tree_, branch, at_v);
    if (std::isinf(upstream.earth.pickup_a) && std::isinf(device.earth.pickup_a)) return;
    rule.largest_a = largest_.earth_a[to];
    add_breaches(upstream, device, rule, "for earth faults");
    check_earth_pickups(upstream, device, largest_.earth_a[to]);
  }

  void add_breaches(const OvercurrentDevice& upstream, const OvercurrentDevice& device,
                    const electrical::GradingRule& rule, const char* what) {
    for (const electrical::GradingBreach& breach : electrical::grading_breaches(upstream, device, rule)) {
      rows_.push_back(
          {.kind = CheckRow::Kind::limit,
           .of = fmt::format("selectivity of {} and {}", upstream.name, device.name),
           .name = std::string(upstream.name),
           .quantity = fmt::format("time after {}, {} of {} to {}", device.name, what,
                                   format_quantity(breach.from_a, "A"), format_quantity(breach.to_a, "A")),
           .why = fmt::format("at {} {}, {}; selective protection needs", format_quantity(breach.worst_a, "A"),
                              curve_text(upstream, breach.worst_a), curve_text(device, breach.worst_a)),
           .unit = "s",
           .side = Side::below,
           .value = breach.smallest_margin_s,
           .limit = rule.margin_s});
    }
  }

  /// An earth fault that only the upstream device sees takes all behind it.
  void check_earth_pickups(const OvercurrentDevice& upstream, const OvercurrentDevice& device, double largest_a) {
    const double needed_a = std::min(lowest_pickup_a(device), largest_a);
    if (!(lowest_pickup_a(upstream) < needed_a)) return;
    rows_.push_back({.kind = CheckRow::Kind::limit,
                     .of = fmt::format("selectivity of {} and {}", upstream.name, device.name),
                     .name = std::string(upstream.name),
                     .quantity = "pickup of earth faults",
                     .why = fmt::format("{} sees none of less than {}", device.name, format_quantity(needed_a, "A")),
                     .unit = "A",
                     .side = Side::below,
                     .value = lowest_pickup_a(upstream),
                     .limit = needed_a});
  }

  const PowerTree& tree_;
  const bool and_met_;
  const electrical::SwitchState switches_;
  const std::vector<double> nominal_v_;  ///< [buses]
  const BusCurrents largest_, smallest_;
  const std::vector<double> sets_a_;  ///< [buses] smallest, from generators alone
  std::vector<CheckRow> rows_;
};

}  // namespace

bool passes_short_circuits(const PowerTree& tree, std::size_t branch) {
  return tree.branch_makes_voltage[branch] == 0 ||
         std::ranges::find(tree.branch_bypassed, static_cast<int>(branch)) != tree.branch_bypassed.end();
}

std::optional<OvercurrentDevice> device_of(const PowerTree& tree, std::size_t branch, double at_v) {
  const Endurance& endurance = tree.branch_limit[branch].endurance;
  const double rated_a = tree.branch_rated_w[branch] / (std::numbers::sqrt3 * at_v);
  if (endurance.law != Endurance::Law::inverse || !std::isfinite(rated_a) || !(rated_a > 0.0)) return std::nullopt;
  const electrical::FixedStages& stages = tree.branch_stages[branch];
  const auto pickup_a = [&](double ratio) { return ratio > 0.0 ? ratio * rated_a : infinite; };
  return OvercurrentDevice{.name = tree.branch_name[branch],
                           .curve = {"", {endurance.scale_s, endurance.steepness, endurance.added_s}},
                           .pickup_a = endurance.limit * rated_a,
                           .time_multiplier = 1.0,
                           .short_time = {pickup_a(stages.short_time_ratio), stages.short_time_s},
                           .instantaneous = {pickup_a(stages.instantaneous_ratio), endurance.fastest_s},
                           .fastest_s = endurance.fastest_s};
}

std::optional<OvercurrentDevice> earth_device_of(const PowerTree& tree, std::size_t branch, double at_v) {
  std::optional<OvercurrentDevice> device = device_of(tree, branch, at_v);
  const electrical::FixedStages& stages = tree.branch_stages[branch];
  if (!device || !(stages.earth_ratio > 0.0)) return device;
  const double rated_a = tree.branch_rated_w[branch] / (std::numbers::sqrt3 * at_v);
  device->earth = {stages.earth_ratio * rated_a, stages.earth_s};
  return device;
}

std::vector<CheckRow> protection_rows(const PowerTree& tree, bool and_met) {
  return ProtectionCheck(tree, and_met).rows();
}

std::vector<CheckRow> short_circuit_rows(const Plant& plant) {
  const bool is_drawn = !plant.switch_rules.may_be_out.empty();
  std::vector<CheckRow> rows = fault_level_rows(plant.power_tree);
  std::ranges::move(generator_fault_rows(plant.power_tree, is_drawn), std::back_inserter(rows));
  std::ranges::move(protection_rows(plant.power_tree, is_drawn), std::back_inserter(rows));
  return rows;
}

}  // namespace wattloop::twin
