#include "twin/run/meters/job_meter.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace wattloop::twin {

namespace {

constexpr std::uint32_t shared = std::numeric_limits<std::uint32_t>::max();

}  // namespace

JobMeter::JobMeter(const Plant& plant, const workload::JobQueue& queue)
    : plant_(&plant), energy_j_(queue.jobs.size()) {}

double JobMeter::of_jobs_j() const { return std::accumulate(energy_j_.begin(), energy_j_.end(), 0.0); }

/// To whom racks belong.
void JobMeter::look_at(const workload::QueueState& queue) {
  if (!owner_.empty() && stamp_ == queue.stamp) return;
  const std::span<const std::uint32_t> slots = queue.where.slot_of_node;
  stamp_ = queue.stamp;
  owner_.clear();
  for (std::size_t rack = 0; rack < plant_->it.racks.size(); ++rack) {
    const auto nodes = slots.subspan(plant_->it.racks[rack].first_node, plant_->it.nodes_in(rack));
    const bool is_alike = std::ranges::all_of(nodes, [&](std::uint32_t slot) { return slot == nodes.front(); });
    owner_.push_back(is_alike ? nodes.front() : shared);
  }
}

void JobMeter::add(std::uint32_t slot_number, double energy_j, const workload::QueueState& queue) {
  if (slot_number == workload::Placement::free_node)
    idle_j_ += energy_j;
  else
    energy_j_[queue.slots[slot_number - 1].request] += energy_j;
}

/// What units of a node draw: their loads, and the leakage of its dies as they are.
double JobMeter::node_w(std::size_t rack, std::size_t node, const PlantState& state) const {
  const RackGroup& group = plant_->it.group_of(rack);
  const UnitGroup& units = *plant_->groups[group.gpu_units];
  const std::size_t of_group = node - group.first_node;
  double sum_w = 0.0;
  const auto add = [&](const NodeLoads& loads) {
    const double* load_w = state.inputs.data() + loads.first_input + of_group * loads.per_node;
    for (std::size_t k = 0; k < loads.per_node; ++k) sum_w += load_w[k];
  };
  add(group.gpu_loads);
  add(group.supply_loads);
  for (const NodeLoads& loads : group.rest_loads) add(loads);
  const std::size_t first = group.unit_of(plant_->it.racks[rack].first_gpu) +
                            (node - plant_->it.racks[rack].first_node) * group.gpus_per_node;
  for (std::size_t unit = first; unit < first + group.gpus_per_node; ++unit)
    sum_w += units.leakage_w(unit, state.states[units.state_slot(0, unit)]);
  return std::max(0.0, sum_w);
}

void JobMeter::share(std::size_t rack, double rack_j, const PlantState& state) {
  const std::size_t first = plant_->it.racks[rack].first_node, nodes = plant_->it.nodes_in(rack);
  weights_.resize(nodes);
  for (std::size_t node = 0; node < nodes; ++node) weights_[node] = node_w(rack, first + node, state);
  double sum_w = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  if (!(sum_w > 0.0)) {  // what little nodes take that are switched off
    std::ranges::fill(weights_, 1.0);
    sum_w = static_cast<double>(nodes);
  }
  for (std::size_t node = 0; node < nodes; ++node)
    add(state.work.queue.where.slot_of_node[first + node], rack_j * weights_[node] / sum_w, state.work.queue);
}

void JobMeter::integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) {
  const workload::QueueState& queue = state.work.queue;
  if (queue.where.is_fixed()) return;
  look_at(queue);
  const std::span<const double> loads_w = evaluation.loads_w();
  for (std::size_t rack = 0; rack < owner_.size(); ++rack) {
    const double rack_j = duration_s * loads_w[plant_->it.racks[rack].load];
    if (owner_[rack] == shared)
      share(rack, rack_j, state);
    else
      add(owner_[rack], rack_j, queue);
  }
}

}  // namespace wattloop::twin
