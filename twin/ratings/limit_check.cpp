#include "twin/ratings/limit_check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text/count_text.hpp"
#include "physics/units/node_rack.hpp"
#include "twin/planning/work/node_couplings.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

constexpr double equal_k = 1e-3;  ///< of racks alike, of which the first is named

/// " of hgx"; of a group that is alone nothing.
std::string of_group(const RackGroup& group) { return group.name.empty() ? "" : " of " + group.name; }

}  // namespace

LimitTable::LimitTable(const Plant& plant, const Scenario& scenario)
    : quantities_(limited_quantities(plant)), nodes_(node_couplings(scenario)) {
  for (const LimitedQuantity& quantity : quantities_) values_.resize(std::max(values_.size(), quantity.count()));
}

void LimitTable::keep(CheckRow row, const Outage& outage) {
  row.kind = CheckRow::Kind::limit;
  row.out = outage.text;
  keep_nearest(std::move(row), outage.kind == Outage::Kind::nothing, rows_);
}

/// Racks group by group: other nodes have other limits.
void LimitTable::take_quantity(const LimitedQuantity& quantity, const Outage& outage, const PlantSnapshot& snapshot) {
  const std::span<double> values = std::span(values_).first(quantity.count());
  quantity.parts->fill_column(quantity.column, snapshot.read_plant(), values);
  const std::string of = words_of_name(plural_of(std::string(quantity.part_kind)));
  if (quantity.parts != &parts_of<physics::NodeRack>(snapshot.plant))
    return take_parts(quantity, {of, 0, values.size()}, outage);
  for (const RackGroup& group : snapshot.plant.it.groups)
    take_parts(quantity, {of + of_group(group), group.first_rack, group.rack_count}, outage);
}

void LimitTable::take_parts(const LimitedQuantity& quantity, const Parts& parts, const Outage& outage) {
  CheckRow row{.of = parts.of,
               .quantity = std::string(quantity.name),
               .why = std::string(quantity.why),
               .unit = quantity.unit,
               .side = quantity.side,
               .beyond = quantity.beyond};
  CheckRow nearest = row;
  for (std::size_t part = parts.first; part < parts.first + parts.count; ++part) {
    row.value = values_[part];
    row.limit = quantity.limit[part];
    const bool is_first = nearest.name.empty();
    if (!std::isfinite(row.margin()) || (!is_first && !is_nearer(row, nearest))) continue;
    nearest.value = row.value;
    nearest.limit = row.limit;
    nearest.name = quantity.parts->names()[part];
  }
  if (!nearest.name.empty()) keep(std::move(nearest), outage);
}

/// Equipment of the power system that switches off in hot air.
void LimitTable::take_hot_air(const Outage& outage, const PlantSnapshot& snapshot) {
  const electrical::PowerTree& tree = snapshot.plant.power_tree;
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    const double limit_k = tree.branch_limit[b].in_air.off_above_k;
    const std::size_t air = air_around(snapshot.plant, b);
    if (air == no_part || !std::isfinite(limit_k)) continue;
    const double air_k = snapshot.evaluation.signals[air];
    keep({.of = plural_of(std::string(tree.branch_kind[b])),
          .name = tree.branch_name[b],
          .quantity = "air_temperature",
          .why = "they switch off in hotter air",
          .unit = "K",
          .beyond = Beyond::trip,
          .value = air_k,
          .limit = limit_k},
         outage);
  }
}

/// What firmware of nodes does in hot air.
void LimitTable::take_inlet(const Outage& outage, const PlantSnapshot& snapshot) {
  const PartSetOf<physics::NodeRack>& racks = parts_of<physics::NodeRack>(snapshot.plant);
  if (racks.size() == 0) return;
  const auto inlet_k = [&](std::size_t rack) {
    return racks.now(rack, [&](std::size_t signal) { return snapshot.evaluation.signals[signal]; }).inlet_air_k;
  };
  for (const RackGroup& group : snapshot.plant.it.groups) {
    const workload::InletParams& inlet = nodes_[snapshot.plant.it.racks[group.first_rack].group].inlet_air;
    if (!inlet.is_enabled) continue;
    std::size_t hottest = group.first_rack;
    for (std::size_t rack = hottest; rack < group.first_rack + group.rack_count; ++rack)
      hottest = inlet_k(rack) > inlet_k(hottest) + equal_k ? rack : hottest;
    const auto take_limit = [&](double limit_k, const char* why, Beyond beyond) {
      keep({.of = "racks" + of_group(group),
            .name = racks.names()[hottest],
            .quantity = "inlet_air_temperature",
            .why = why,
            .unit = "K",
            .beyond = beyond,
            .value = inlet_k(hottest),
            .limit = limit_k},
           outage);
    };
    take_limit(inlet.slowdown_k, "firmware slows nodes down", Beyond::derate);
    take_limit(inlet.shutdown_k, "firmware switches nodes off", Beyond::trip);
  }
}

void LimitTable::take(const Outage& outage, const PlantSnapshot& snapshot) {
  for (const LimitedQuantity& quantity : quantities_) {
    if (!quantity.is_rating) take_quantity(quantity, outage, snapshot);
  }
  take_inlet(outage, snapshot);
  take_hot_air(outage, snapshot);
  for (std::size_t group = 0; group < nodes_.size(); ++group) take_dies(group, outage, snapshot);
}

/// What firmware of GPUs does where dies are hot.
void LimitTable::take_dies(std::size_t group, const Outage& outage, const PlantSnapshot& snapshot) {
  const workload::ProtectionParams& protection = nodes_[group].protection;
  if (!protection.is_enabled) return;
  const RackDigests racks = racks_of(snapshot.plant.it.groups[group], snapshot.all_racks());
  if (racks.empty()) return;
  auto hottest = racks.begin();
  for (auto rack = racks.begin(); rack != racks.end(); ++rack)
    hottest = rack->hottest_k > hottest->hottest_k + equal_k ? rack : hottest;
  const std::string name = gpu_name(snapshot.plant, hottest->hottest_gpu),
                    of = of_group(snapshot.plant.it.groups[group]);
  const auto take_limit = [&](double limit_k, const char* why, Beyond beyond) {
    keep({.of = "dies" + of,
          .name = name,
          .quantity = "die_temperature",
          .why = why,
          .unit = "K",
          .beyond = beyond,
          .value = hottest->hottest_k,
          .limit = limit_k},
         outage);
  };
  take_limit(protection.throttle_k, "firmware slows GPUs down", Beyond::derate);
  take_limit(protection.slowdown_k, "firmware halves clocks", Beyond::derate);
  take_limit(protection.shutdown_k, "firmware switches nodes off", Beyond::trip);
}

}  // namespace wattloop::twin
