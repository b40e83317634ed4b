#include "twin/ratings/limit_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/units.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

constexpr double told_nearer_ratio = 1e-3;  ///< of a limit: what an outage must bring nearer to be told

double margin(double value, double limit, Side side) { return side == Side::above ? limit - value : value - limit; }

std::string in_words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

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
    : quantities_(limited_quantities(plant)), protection_(scenario.racks.hardware.protection) {
  for (const LimitedQuantity& quantity : quantities_) values_.resize(std::max(values_.size(), quantity.count()));
}

LimitMargin& LimitTable::margin_of(const LimitMargin& like) {
  const auto known = std::ranges::find_if(margins_, [&](const LimitMargin& other) {
    return other.of == like.of && other.why == like.why && other.side == like.side && other.beyond == like.beyond;
  });
  return known == margins_.end() ? margins_.emplace_back(like) : *known;
}

void LimitTable::take_quantity(const LimitedQuantity& quantity, const Outage& outage, const Moment& moment) {
  const std::span<double> values = std::span(values_).first(quantity.count());
  quantity.parts->fill_column(quantity.column, moment.read_plant(), values);
  NearLimit nearest;
  for (std::size_t part = 0; part < values.size(); ++part) {
    const double left = margin(values[part], quantity.limit[part], quantity.side);
    if (!(left < nearest.margin)) continue;
    nearest = {std::string(quantity.parts->names()[part]), std::string(quantity.name), values[part],
               quantity.limit[part], left};
  }
  if (nearest.part.empty()) return;
  keep(std::move(nearest), outage,
       margin_of({in_words(plural_of(std::string(quantity.part_kind))), std::string(quantity.why), quantity.unit,
                  quantity.beyond, quantity.side}));
}

void LimitTable::take(const Outage& outage, const Moment& moment) {
  for (const LimitedQuantity& quantity : quantities_) {
    if (!quantity.is_rating) take_quantity(quantity, outage, moment);
  }
  if (!protection_.is_enabled) return;
  const RackDigests racks = moment.all_racks();
  const auto hottest = std::ranges::max_element(racks, {}, &RackDigest::hottest_k);
  if (hottest == racks.end()) return;
  const std::string& name = moment.plant.groups[moment.plant.it.gpu_group]->unit_names[hottest->hottest_gpu];
  keep({name, "die_temperature", hottest->hottest_k, protection_.throttle_k,
        protection_.throttle_k - hottest->hottest_k},
       outage, margin_of({"dies", "firmware slows GPUs down", "K", Beyond::derate, Side::above}));
}

std::string warning_text(const LimitMargin& of) {
  const NearLimit& near = of.nearest();
  return fmt::format("{}{}: {} {}, {}: {}", with_out(near.out), near.part, near.quantity,
                     format_quantity(near.value, of.unit), of.why, format_quantity(near.limit, of.unit));
}

std::string limit_table(const std::vector<LimitMargin>& margins) {
  using Row = std::array<std::string, 7>;
  std::vector<Row> rows{{"limit of", "what it is", "nothing out", "at worst", "out", "limit", "margin"}};
  for (const LimitMargin& of : margins) {
    const NearLimit& near = of.nearest();
    rows.push_back({of.of, of.why, format_quantity(of.whole.value, of.unit),
                    of.worst ? format_quantity(near.value, of.unit) : "-", of.worst ? near.out : "-",
                    format_quantity(near.limit, of.unit),
                    of.unit == "K" ? fmt::format("{:.1f} K", near.margin) : format_quantity(near.margin, of.unit)});
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
