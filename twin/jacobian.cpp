#include "twin/jacobian.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

/// d(power into the battery) / d(state of charge): it recharges while its branch draws from upstream.
double recharge_slope_w(const Evaluation& evaluation, const BatteryPart& battery) {
  const bool tapers = evaluation.signals[battery.charge_state] > 1.0 - electrical::recharge_taper_fraction;
  const bool is_fed = evaluation.power.branch_input_w[battery.branch] > 0.0;
  return tapers && is_fed ? -battery.charger_w / electrical::recharge_taper_fraction : 0.0;
}

}  // namespace

Jacobian::Jacobian(const Plant& plant) : plant_(plant), flow_derivatives_(plant.flows.make_derivatives()) {
  Evaluation evaluation(plant);
  for (std::size_t slot = 0; slot < plant.map.state_count; ++slot) {
    evaluation.signals[slot] = plant.layout.typical(slot);
  }
  std::copy(plant.initial_inputs.begin(), plant.initial_inputs.end(), evaluation.inputs().begin());
  visit_components(evaluation);
  build_pattern();
}

void Jacobian::assemble(const Evaluation& evaluation) {
  std::fill(values_.begin(), values_.end(), 0.0);
  next_entry_ = 0;
  visit_components(evaluation);
}

void Jacobian::visit_components(const Evaluation& evaluation) {
  plant_.flows.differentiate(evaluation.signals, flow_derivatives_);
  for (const auto& group : plant_.groups) group->differentiate(evaluation.signals, *this);
  for (const auto& set : plant_.components) set->differentiate(evaluation.signals, *this);
  for (const BatteryPart& battery : plant_.batteries) {
    add(battery.charge_state, battery.charge_state, recharge_slope_w(evaluation, battery));
  }
}

void Jacobian::add(std::size_t sink, std::size_t signal, double derivative) {
  const SignalMap& map = plant_.map;
  if (sink >= map.state_count) return;  // power of a load: reaches states only as losses
  const double value = derivative * plant_.rate_per_sink[sink];
  if (signal < map.state_count) {
    emit(sink, signal, value);
  } else if (signal < map.state_count + map.flow_count) {
    for (const FlowDerivative& d : flow_derivatives_.of_flow(signal - map.state_count)) {
      emit(sink, d.state, value * d.kg_per_s);
    }
  }
}

void Jacobian::emit(std::size_t row, std::size_t column, double value) {
  if (is_counting_) {
    entries_.emplace_back(static_cast<std::int64_t>(column), static_cast<std::int64_t>(row));
  } else {
    values_[static_cast<std::size_t>(position_[next_entry_++])] += value;
  }
}

void Jacobian::build_pattern() {
  const auto size = static_cast<std::int64_t>(plant_.map.state_count);
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
