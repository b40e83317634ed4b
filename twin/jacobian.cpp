#include "twin/jacobian.hpp"

#include <algorithm>
#include <numeric>

namespace wattloop::twin {

namespace {

/// d(power into the battery) / d(state of charge): it recharges while its branch draws from upstream.
double recharge_slope_w(const Evaluation& evaluation, const BatteryPart& battery) {
  const bool tapers = evaluation.signals[battery.charge_state] > 1.0 - electrical::recharge_taper_fraction;
  const bool is_fed = evaluation.power.branch_input_w[battery.branch] > 0.0;
  return tapers && is_fed ? -battery.charger_w / electrical::recharge_taper_fraction : 0.0;
}

}  // namespace

Jacobian::Jacobian(const Plant& plant)
    : plant_(plant), row_of_slot_(plant.map.state_count), flow_derivatives_(plant.flows.make_derivatives()) {
  std::iota(row_of_slot_.begin(), row_of_slot_.end(), 0);
  fill_pattern();
}

Jacobian::Jacobian(const Plant& plant, std::span<const std::size_t> slots)
    : plant_(plant),
      row_of_slot_(plant.map.state_count, left_out),
      has_units_(false),
      has_loads_(true),
      flow_derivatives_(plant.flows.make_derivatives()) {
  for (std::size_t row = 0; row < slots.size(); ++row) row_of_slot_[slots[row]] = static_cast<std::int64_t>(row);
  for (const auto& group : plant.groups) has_units_ = has_units_ || row_of_slot_[group->first_state] != left_out;
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
  if (has_units_) {
    for (const auto& group : plant_.groups) group->differentiate(evaluation.signals, *this);
  }
  for (const auto& set : plant_.components) set->differentiate(evaluation.signals, *this);
  for (const BatteryPart& battery : plant_.batteries) {
    add(battery.charge_state, battery.charge_state, recharge_slope_w(evaluation, battery));
    if (has_loads_) add_rate(plant_.meters.feed, battery.charge_state, recharge_slope_w(evaluation, battery));
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
  add_rate(plant_.meters.energy[index(plant_.load_use[load])], signal, derivative);
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
  const std::int64_t row = row_of_slot_[row_slot], column = row_of_slot_[column_slot];
  if (row == left_out || column == left_out) return;
  if (is_counting_) {
    entries_.emplace_back(column, row);
  } else {
    values_[static_cast<std::size_t>(position_[next_entry_++])] += value;
  }
}

void Jacobian::build_pattern() {
  const auto size = static_cast<std::int64_t>(row_of_slot_.size()) -
                    std::count(row_of_slot_.begin(), row_of_slot_.end(), left_out);
  std::vector<std::pair<std::int64_t, std::int64_t>> pattern = entries_;
  for (std::int64_t k = 0; k < size; ++k) pattern.emplace_back(k, k);
  std::sort(pattern.begin(), pattern.end());
  pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());

  const auto position_of = [&](std::pair<std::int64_t, std::int64_t> entry) {
    return std::lower_bound(pattern.begin(), pattern.end(), entry) - pattern.begin();
  };
  column_starts_.assign(static_cast<std::size_t>(size) + 1, 0);
  for (const auto& [column, row] : pattern) {
    rows_.push_back(row);
    ++column_starts_[static_cast<std::size_t>(column) + 1];
  }
  for (std::size_t k = 1; k < column_starts_.size(); ++k) column_starts_[k] += column_starts_[k - 1];
  for (const auto& entry : entries_) position_.push_back(position_of(entry));
  for (std::int64_t k = 0; k < size; ++k) diagonal_.push_back(position_of({k, k}));
  values_.assign(pattern.size(), 0.0);
  entries_ = {};
  is_counting_ = false;
}

}  // namespace wattloop::twin
