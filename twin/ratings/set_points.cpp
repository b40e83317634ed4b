// Set-points that a hall in its steady state does not meet, and racks without power.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "physics/water/loop_pressure.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/power/voltage_rows.hpp"

namespace wattloop::twin {

namespace {

constexpr double met_within_fraction = 0.02;

class Finder {
 public:
  explicit Finder(const PlantSnapshot& snapshot) : now_(snapshot), plant_(snapshot.plant) {}

  std::vector<CheckRow> find() {
    find_systems([](const SystemPart& system) { return system.load_flow == no_part; });
    find_pressures();
    find_systems([](const SystemPart& system) { return system.load_flow != no_part; });
    for (const RoomPart& room : plant_.rooms) {
      if (room.set_point_input != no_part)
        compare("air of " + room.name, "air of " + room.name, now_.node_k(room.node), now_.input(room.set_point_input));
    }
    find_dark_racks();
    return std::move(list_);
  }

  std::vector<CheckRow> find_low() {
    for (const SystemPart& system : plant_.systems) {
      const double is_k = now_.node_k(system.supply_node), set_k = now_.input(system.set_point_input);
      if (!system.is_own() || is_k >= set_k - set_point_tolerance_k) continue;
      list_.push_back(set_point(system.fluids, system.fluid, "K", is_k, set_k));
      list_.back().side = Side::below;
      list_.back().note = outside_of(system);
    }
    return std::move(list_);
  }

 private:
  static CheckRow set_point(std::string of, std::string name, std::string_view unit, double value, double set_point) {
    return {.kind = CheckRow::Kind::set_point,
            .of = std::move(of),
            .name = std::move(name),
            .why = "its set-point",
            .unit = unit,
            .value = value,
            .limit = set_point};
  }

  void compare(std::string of, std::string name, double is_k, double set_k, std::string note = {}) {
    if (is_k <= set_k + set_point_tolerance_k) return;
    list_.push_back(set_point(std::move(of), std::move(name), "K", is_k, set_k));
    list_.back().note = std::move(note);
  }

  /// Systems with a set-point of their own, those that are requested.
  template <class IsRequested>
  void find_systems(const IsRequested& is_requested) {
    for (const SystemPart& system : plant_.systems) {
      if (!system.is_own() || !is_requested(system)) continue;
      compare(system.fluids, system.fluid, now_.node_k(system.supply_node), now_.input(system.set_point_input),
              cause_of(system));
    }
  }

  /// Users that draw more than goes through the machines take the rest as it came back; else what it is like outside.
  std::string cause_of(const SystemPart& system) const {
    if (system.load_flow == no_part) return outside_of(system);
    const double drawn_kg_per_s = now_.flow_kg_per_s(system.load_flow);
    const double cooled_kg_per_s = now_.flow_kg_per_s(system.source_flow);
    if (cooled_kg_per_s <= 0.0 || cooled_kg_per_s >= (1.0 - met_within_fraction) * drawn_kg_per_s)
      return outside_of(system);
    return fmt::format(
        ", while only {} of the {} that users draw passes through the machines that cool it: add a machine, or reduce "
        "the flow",
        format_quantity(cooled_kg_per_s, "kg/s"), format_quantity(drawn_kg_per_s, "kg/s"));
  }

  /// What it is like outside, for a system that is cooled there.
  std::string outside_of(const SystemPart& system) const {
    bool is_cooled_outside = false, evaporates = false;
    for (const NamedPart& part : plant_.named) {
      if (std::ranges::count(part.hangs_on, system.name) == 0 || std::ranges::count(part.hangs_on, "weather") == 0)
        continue;
      is_cooled_outside = true;
      evaporates = evaporates || part.kind == "tower cell";
    }
    if (!is_cooled_outside) return {};
    const double felt_k = now_.input(evaporates ? plant_.outside.wet_bulb : plant_.outside.dry_bulb);
    return fmt::format(", with a {} bulb of {} outside", evaporates ? "wet" : "dry", format_quantity(felt_k, "K"));
  }

  void find_pressures() {
    const auto& loops = parts_of<physics::LoopPressure>(plant_);
    for (std::size_t loop = 0; loop < loops.size(); ++loop) {
      const auto now = loops.now(loop, [&](std::size_t signal) { return now_.evaluation.signals[signal]; });
      const double is_pa = physics::LoopPressure::between_headers_pa(loops.params(loop), now);
      if (now.set_point_pa <= 0.0 || is_pa >= (1.0 - met_within_fraction) * now.set_point_pa) continue;
      list_.push_back(set_point("pressure of loops", "differential pressure of " + std::string(loops.names()[loop]),
                                "Pa", is_pa, now.set_point_pa));
      list_.back().side = Side::below;
    }
  }

  /// Counted beside all that there are.
  void find_dark_racks() {
    std::string first;
    std::size_t dark = 0, all = 0;
    const auto look = [&](const auto& rack) {
      ++all;
      if (electrical::is_served(now_.state.switches, rack.load)) return;
      if (dark++ == 0) first = rack.name;
    };
    std::ranges::for_each(plant_.it.racks, look);
    std::ranges::for_each(plant_.it.network_racks, look);
    std::ranges::for_each(plant_.it.storage_racks, look);
    if (dark == 0) return;
    const std::string more = dark > 1 ? fmt::format(" and {} more racks", dark - 1) : "";
    list_.push_back({.kind = CheckRow::Kind::power,
                     .of = "power of racks",
                     .name = first + more,
                     .quantity = "racks with power",
                     .why = "all racks",
                     .unit = "racks",
                     .side = Side::below,
                     .value = static_cast<double>(all - dark),
                     .limit = static_cast<double>(all)});
  }

  const PlantSnapshot& now_;
  const Plant& plant_;
  std::vector<CheckRow> list_;
};

}  // namespace

std::vector<CheckRow> unmet_set_points(const PlantSnapshot& snapshot, const std::vector<RacksSpec>& racks) {
  std::vector<CheckRow> rows = Finder(snapshot).find();
  std::ranges::move(voltage_rows(snapshot), std::back_inserter(rows));
  std::ranges::move(supply_voltage_rows(snapshot, racks), std::back_inserter(rows));
  return rows;
}

std::vector<CheckRow> low_set_points(const PlantSnapshot& snapshot) { return Finder(snapshot).find_low(); }

}  // namespace wattloop::twin
