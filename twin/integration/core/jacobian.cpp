#include "twin/integration/core/jacobian.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "twin/plant/snapshot/storage_slopes.hpp"

namespace wattloop::twin {

namespace {

bool has_unit(const Plant& plant, std::span<const std::size_t> slots) {
  return std::any_of(plant.groups.begin(), plant.groups.end(), [&](const std::unique_ptr<UnitGroup>& group) {
    return std::find(slots.begin(), slots.end(), group->first_state) != slots.end();
  });
}

}  // namespace

Jacobian::Jacobian(const Plant& plant)
    : plant_(plant), row_of_slot_(plant.map.state_count), flow_derivatives_(plant.flows.make_derivatives()) {
  std::iota(row_of_slot_.begin(), row_of_slot_.end(), 0);
  fill_pattern();
}

Jacobian::Jacobian(const Plant& plant, std::span<const std::size_t> slots)
    : Jacobian(plant, slots, has_unit(plant, slots) ? Units::included : Units::left_out) {}

Jacobian Jacobian::with_settled_units(const Plant& plant, std::span<const std::size_t> slots, DriveColumns drives) {
  return Jacobian(plant, slots, Units::settled, drives);
}

Jacobian Jacobian::with_drives(const Plant& plant, std::span<const std::size_t> slots) {
  return Jacobian(plant, slots, has_unit(plant, slots) ? Units::included : Units::left_out, DriveColumns::means);
}

Jacobian::Jacobian(const Plant& plant, std::span<const std::size_t> slots, Units units, DriveColumns drives)
    : plant_(plant),
      row_of_slot_(plant.map.state_count, left_out),
      units_(units),
      drives_(drives),
      has_loads_(true),
      flow_derivatives_(plant.flows.make_derivatives(drives)) {
  for (std::size_t row = 0; row < slots.size(); ++row) row_of_slot_[slots[row]] = static_cast<std::int64_t>(row);
  if (drives_ == DriveColumns::means) {
    for (std::size_t d = 0; d < plant.flows.drive_count(); ++d) {
      row_of_slot_.push_back(static_cast<std::int64_t>(slots.size() + d));
    }
  }
  fill_pattern();
}

void Jacobian::fill_pattern() {
  Evaluation evaluation(plant_);
  for (std::size_t slot = 0; slot < plant_.map.state_count; ++slot) {
    evaluation.signals[slot] = plant_.layout.typical(slot);
  }
  std::copy(plant_.initial_inputs.begin(), plant_.initial_inputs.end(), evaluation.inputs().begin());
  visit_components(evaluation);
  build_pattern();
}

void Jacobian::assemble(const Evaluation& evaluation) {
  std::fill(values_.begin(), values_.end(), 0.0);
  next_entry_ = 0;
  visit_components(evaluation);
}

void Jacobian::visit_components(const Evaluation& evaluation) {
  evaluation_ = &evaluation;
  plant_.flows.differentiate(evaluation.signals, flow_derivatives_);
  for (const auto& group : plant_.groups) {
    if (units_ == Units::included) group->differentiate(evaluation.signals, *this);
    if (units_ == Units::settled) group->differentiate_settled(evaluation.signals, *this);
  }
  for (const auto& set : plant_.components) set->differentiate(evaluation.signals, *this);
  for_each_storage_slope(plant_, evaluation, [&](std::size_t state, double slope_w) {
    add(state, state, slope_w);
    if (has_loads_) add_rate(plant_.meters.feed, state, slope_w);
  });
  if (drives_ == DriveColumns::means) visit_drives();
}

/// Mean speeds from speeds, pressures from speeds and positions.
void Jacobian::visit_drives() {
  for (std::size_t d = 0; d < plant_.flows.drive_count(); ++d) {
    for (const DriveDerivative& by : flow_derivatives_.of_drive(d))
      emit(plant_.flows.drive_column(d), by.state, by.per_state);
  }
}

void Jacobian::add(std::size_t sink, std::size_t signal, double derivative) {
  if (sink < plant_.map.state_count) {
    add_rate(sink, signal, derivative * plant_.rate_per_sink[sink]);
  } else if (has_loads_) {
    add_load(sink - plant_.map.state_count, signal, derivative);
  }  // else power of a load reaches states only as losses
}

/// What a load draws comes from the feed, unless its bus is dead, and is metered by its use. Both meters are here, since
/// linearly implicit methods keep a sum of meters only where the Jacobian does.
void Jacobian::add_load(std::size_t load, std::size_t signal, double derivative) {
  const bool is_dead = evaluation_->loads_w()[load] != 0.0 && evaluation_->power.load_served_w[load] == 0.0;
  add_rate(plant_.meters.feed, signal, is_dead ? 0.0 : derivative);
  add_rate(plant_.meters.energy[plant_.load_use[load]], signal, derivative);
}

void Jacobian::add_rate(std::size_t sink, std::size_t signal, double derivative) {
  const SignalMap& map = plant_.map;
  if (signal < map.state_count) {
    emit(sink, signal, derivative);
  } else if (signal < map.state_count + map.flow_count) {
    for (const FlowDerivative& d : flow_derivatives_.of_flow(signal - map.state_count)) {
      emit(sink, d.state, derivative * d.kg_per_s);
    }
  }
}

void Jacobian::emit(std::size_t row_slot, std::size_t column_slot, double value) {
  if (!is_counting_) {
    const std::int64_t position = position_[next_entry_++];
    if (position != left_out) values_[static_cast<std::size_t>(position)] += value;
    return;
  }
  const std::int64_t row = row_of_slot_[row_slot], column = row_of_slot_[column_slot];
  const bool is_left_out = row == left_out || column == left_out;
  position_.push_back(is_left_out ? left_out : static_cast<std::int64_t>(entries_.size()));
  if (!is_left_out) entries_.emplace_back(column, row);
}

/// Compressed columns from the entries as they came: rows are sorted and merged column by column.
void Jacobian::build_pattern() {
  const auto size =
      row_of_slot_.size() - static_cast<std::size_t>(std::count(row_of_slot_.begin(), row_of_slot_.end(), left_out));
  for (std::size_t k = 0; k < size; ++k) entries_.emplace_back(k, k);  // the diagonal, last
  std::vector<std::size_t> begin(size + 1, 0);
  for (const auto& [column, row] : entries_) ++begin[static_cast<std::size_t>(column) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> by_column(entries_.size());  // numbers of entries
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t e = 0; e < entries_.size(); ++e) by_column[next[static_cast<std::size_t>(entries_[e].first)]++] = e;

  std::vector<std::int64_t> position_of(entries_.size());
  column_starts_.assign(1, 0);
  for (std::size_t column = 0; column < size; ++column) {
    const auto of_column = std::span(by_column).subspan(begin[column], begin[column + 1] - begin[column]);
    std::sort(of_column.begin(), of_column.end(),
              [this](std::size_t a, std::size_t b) { return entries_[a].second < entries_[b].second; });
    for (const std::size_t entry : of_column) {
      const bool is_new =
          rows_.size() == static_cast<std::size_t>(column_starts_.back()) || rows_.back() != entries_[entry].second;
      if (is_new) rows_.push_back(entries_[entry].second);
      position_of[entry] = static_cast<std::int64_t>(rows_.size()) - 1;
    }
    column_starts_.push_back(static_cast<std::int64_t>(rows_.size()));
  }
  diagonal_.assign(position_of.end() - static_cast<std::ptrdiff_t>(size), position_of.end());
  for (std::int64_t& position : position_) {
    if (position != left_out) position = position_of[static_cast<std::size_t>(position)];
  }
  values_.assign(rows_.size(), 0.0);
  entries_ = {};
  is_counting_ = false;
}

}  // namespace wattloop::twin
