#include "twin/ratings/limit_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/units.hpp"
#include "physics/units/node_rack.hpp"
#include "twin/plant/limit_words.hpp"
#include "twin/plant/parts_of.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

constexpr double told_nearer_ratio = 1e-3;  ///< of a limit: what an outage must bring nearer to be told

double margin(double value, double limit, Side side) { return side == Side::above ? limit - value : value - limit; }

std::string in_words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// " of hgx"; of a group that is alone nothing.
std::string of_group(const RackGroup& group) { return group.name.empty() ? "" : " of " + group.name; }

/// What comes nearest in this outage is kept, if it is nearer than what was.
void keep(NearLimit found, const Outage& outage, LimitMargin& in) {
  if (outage.sort == Outage::Sort::nothing) {
    if (found.margin < in.whole.margin) in.whole = std::move(found);
    return;
  }
  found.out = outage.text;
  const double told_below = in.nearest().margin - (in.worst ? 0.0 : told_nearer_ratio * std::abs(found.limit));
  if (found.margin < told_below) in.worst = std::move(found);
}

}  // namespace

LimitTable::LimitTable(const Plant& plant, const Scenario& scenario)
    : quantities_(limited_quantities(plant)), nodes_(node_couplings(scenario)) {
  for (const LimitedQuantity& quantity : quantities_) values_.resize(std::max(values_.size(), quantity.count()));
}

LimitMargin& LimitTable::margin_of(const LimitMargin& like) {
  const auto known = std::ranges::find_if(margins_, [&](const LimitMargin& other) {
    return other.of == like.of && other.why == like.why && other.side == like.side && other.beyond == like.beyond;
  });
  return known == margins_.end() ? margins_.emplace_back(like) : *known;
}

/// Racks group by group: other nodes have other limits.
void LimitTable::take_quantity(const LimitedQuantity& quantity, const Outage& outage, const Moment& moment) {
  const std::span<double> values = std::span(values_).first(quantity.count());
  quantity.parts->fill_column(quantity.column, moment.read_plant(), values);
  const std::string of = in_words(plural_of(std::string(quantity.part_kind)));
  if (quantity.parts != &parts_of<physics::NodeRack>(moment.plant))
    return take_parts(quantity, {of, 0, values.size()}, outage);
  for (const RackGroup& group : moment.plant.it.groups)
    take_parts(quantity, {of + of_group(group), group.first_rack, group.rack_count}, outage);
}

void LimitTable::take_parts(const LimitedQuantity& quantity, const Parts& parts, const Outage& outage) {
  NearLimit nearest;
  for (std::size_t part = parts.first; part < parts.first + parts.count; ++part) {
    const double left = margin(values_[part], quantity.limit[part], quantity.side);
    if (!(left < nearest.margin)) continue;
    nearest = {std::string(quantity.parts->names()[part]), std::string(quantity.name), values_[part],
               quantity.limit[part], left};
  }
  if (nearest.part.empty()) return;
  keep(std::move(nearest), outage,
       margin_of({parts.of, std::string(quantity.why), quantity.unit, quantity.beyond, quantity.side}));
}

/// Equipment of the power system that switches off in hot air.
void LimitTable::take_hot_air(const Outage& outage, const Moment& moment) {
  const electrical::PowerTree& tree = moment.plant.power_tree;
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    const double limit_k = tree.branch_limit[b].in_air.off_above_k;
    if (tree.branch_room[b] == electrical::outdoors || !std::isfinite(limit_k)) continue;
    const double air_k = moment.node_k(moment.plant.rooms[static_cast<std::size_t>(tree.branch_room[b])].node);
    keep({tree.branch_name[b], "air_temperature", air_k, limit_k, limit_k - air_k}, outage,
         margin_of({plural_of(std::string(tree.branch_kind[b])), "they switch off in hotter air", "K", Beyond::trip,
                    Side::above}));
  }
}

/// What firmware of nodes does in hot air.
void LimitTable::take_inlet(const Outage& outage, const Moment& moment) {
  const PartSetOf<physics::NodeRack>& racks = parts_of<physics::NodeRack>(moment.plant);
  if (racks.size() == 0) return;
  const auto inlet_k = [&](std::size_t rack) {
    return racks.now(rack, [&](std::size_t signal) { return moment.evaluation.signals[signal]; }).inlet_air_k;
  };
  for (const RackGroup& group : moment.plant.it.groups) {
    const workload::InletParams& inlet = nodes_[moment.plant.it.racks[group.first_rack].group].inlet_air;
    if (!inlet.is_enabled) continue;
    std::size_t hottest = group.first_rack;
    for (std::size_t rack = hottest; rack < group.first_rack + group.rack_count; ++rack)
      hottest = inlet_k(rack) > inlet_k(hottest) ? rack : hottest;
    const auto take_limit = [&](double limit_k, const char* why, Beyond beyond) {
      const double value_k = inlet_k(hottest);
      keep({racks.names()[hottest], "inlet_air_temperature", value_k, limit_k, limit_k - value_k}, outage,
           margin_of({"racks" + of_group(group), why, "K", beyond, Side::above}));
    };
    take_limit(inlet.slowdown_k, "firmware slows nodes down", Beyond::derate);
    take_limit(inlet.shutdown_k, "firmware switches nodes off", Beyond::trip);
  }
}

void LimitTable::take(const Outage& outage, const Moment& moment) {
  for (const LimitedQuantity& quantity : quantities_) {
    if (!quantity.is_rating) take_quantity(quantity, outage, moment);
  }
  take_inlet(outage, moment);
  take_hot_air(outage, moment);
  for (std::size_t group = 0; group < nodes_.size(); ++group) take_dies(group, outage, moment);
}

/// What firmware of GPUs does where dies are hot.
void LimitTable::take_dies(std::size_t group, const Outage& outage, const Moment& moment) {
  const workload::ProtectionParams& protection = nodes_[group].protection;
  if (!protection.is_enabled) return;
  const RackDigests racks = racks_of(moment.plant.it.groups[group], moment.all_racks());
  const auto hottest = std::ranges::max_element(racks, {}, &RackDigest::hottest_k);
  if (hottest == racks.end()) return;
  const std::string name = gpu_name(moment.plant, hottest->hottest_gpu), of = of_group(moment.plant.it.groups[group]);
  const auto take_limit = [&](double limit_k, const char* why, Beyond beyond) {
    keep({name, "die_temperature", hottest->hottest_k, limit_k, limit_k - hottest->hottest_k}, outage,
         margin_of({"dies" + of, why, "K", beyond, Side::above}));
  };
  take_limit(protection.throttle_k, "firmware slows GPUs down", Beyond::derate);
  take_limit(protection.slowdown_k, "firmware halves clocks", Beyond::derate);
  take_limit(protection.shutdown_k, "firmware switches nodes off", Beyond::trip);
}

std::string warning_text(const LimitMargin& of) {
  const NearLimit& near = of.nearest();
  return fmt::format("{}{}: {} {}, {}: {}", with_out(near.out), near.part, near.quantity,
                     limit_words(near.value, of.unit), of.why, limit_words(near.limit, of.unit));
}

std::string limit_table(const std::vector<LimitMargin>& margins) {
  using Row = std::array<std::string, 7>;
  std::vector<Row> rows{{"limit of", "what it is", "nothing out", "at worst", "out", "limit", "margin"}};
  for (const LimitMargin& of : margins) {
    const NearLimit& near = of.nearest();
    rows.push_back({of.of, of.why, limit_words(of.whole.value, of.unit),
                    of.worst ? limit_words(near.value, of.unit) : "-", of.worst ? near.out : "-",
                    limit_words(near.limit, of.unit),
                    of.unit == "K" ? fmt::format("{:.1f} K", near.margin) : limit_words(near.margin, of.unit)});
  }
  std::array<std::size_t, 7> width{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>{}}  {:<{}}  {:>{}}  {:>{}}\n", row[0], width[0], row[1], width[1],
                        row[2], width[2], row[3], width[3], row[4], width[4], row[5], width[5], row[6], width[6]);
  }
  return text;
}

}  // namespace wattloop::twin
