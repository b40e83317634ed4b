// Work to the loads of units, rack by rack (twin/actions/work/coupling.hpp).

#include <algorithm>
#include <array>
#include <optional>

#include "core/numbers/lanes.hpp"
#include "twin/actions/work/coupling.hpp"

namespace wattloop::twin {

namespace {

constexpr std::ptrdiff_t fewest_parallel_batches = 4;  ///< with fewer, threads cost more than they bring

/// The loads of units of one kind from those of node `node` of its group on.
double* loads(const NodeLoads& of, std::size_t node, PlantState& state) {
  return state.inputs.data() + of.first_input + node * of.per_node;
}

/// Gives every unit of a kind in up to eight nodes `each_w` [node].
void give(Lanes each_w, workload::NodeRange nodes, const NodeLoads& of_kind, PlantState& state) {
  double* load_w = loads(of_kind, nodes.first, state);
  if (of_kind.per_node == 1 && nodes.count == lane_count) {
    put_lanes(each_w, load_w);
    return;
  }
  for (std::size_t n = 0; n < nodes.count; ++n) std::fill_n(load_w + n * of_kind.per_node, of_kind.per_node, each_w[n]);
}

/// The same with all units that share what GPUs and supplies leave, `left_w` [node].
void share_evenly(Lanes left_w, workload::NodeRange nodes, const RackGroup& it, PlantState& state) {
  std::size_t units = 0;
  for (const NodeLoads& of_kind : it.rest_loads) units += of_kind.per_node;
  left_w *= 1.0 / static_cast<double>(units);
  for (const NodeLoads& of_kind : it.rest_loads) give(left_w, nodes, of_kind, state);
}

/// All GPUs of a rack have the clock that their dies allow, until their power limit is looked at again.
void lift_caps(const RackNow& now, PlantState& state) {
  const auto first = static_cast<std::ptrdiff_t>(now.plant.it.racks[now.rack].first_gpu);
  std::fill_n(state.work.capped_clock_fraction.begin() + first, now.group().gpus_per_rack(), 1.0);
  state.work.capped_gpus[now.rack] = 0;
}

double hottest_die_k(const Plant& plant, std::size_t rack, const PlantState& state) {
  const RackGroup& group = plant.it.group_of(rack);
  const std::size_t first = plant.it.racks[rack].first_gpu - group.first_gpu;
  return largest_in(state.states.data() + plant.groups[group.gpu_units]->state_slot(0, first), group.gpus_per_rack());
}

/// Whether a GPU with the largest leakage of its kind would be beyond its power limit at any load and die of a rack, where it draws
/// `above_w` more than its load while it computes.
[[gnu::noinline]] bool is_any_beyond_limit(const RackNow& now, const PlantState& state, double above_w = 0.0) {
  const RackGroup& group = now.group();
  const UnitGroup& units = *now.plant.groups[group.gpu_units];
  const double limit_w = power_limit_w(now, state);
  const std::size_t first = now.plant.it.racks[now.rack].first_gpu - group.first_gpu, gpus = group.gpus_per_rack();
  const double* load_w = state.inputs.data() + group.gpu_loads.first_input + first;
  const double* die_k = state.states.data() + units.first_state + first;
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    if (load_w[gpu] + above_w + units.most_leakage_w(die_k[gpu]) > limit_w) return true;
  }
  return false;
}

/// Share of a power limit by which a capped GPU may be off it at the end of a window that skips seconds.
constexpr double noticed_of_limit_fraction = 5e-4;

/// Whether any GPU of a rack is so far from its power limit that its clock would noticeably change: a capped one on either side of it, another
/// one beyond it.
bool is_any_off_limit(const RackNow& now, const PlantState& state) {
  const RackGroup& group = now.group();
  const UnitGroup& units = *now.plant.groups[group.gpu_units];
  const double limit_w = power_limit_w(now, state), noticed_w = noticed_of_limit_fraction * limit_w;
  const std::size_t first = now.plant.it.racks[now.rack].first_gpu - group.first_gpu, gpus = group.gpus_per_rack();
  const double* load_w = state.inputs.data() + group.gpu_loads.first_input;
  for (std::size_t unit = first; unit < first + gpus; ++unit) {
    const double die_k = state.states[units.state_slot(0, unit)];
    const bool is_capped = state.work.capped_clock_fraction[group.first_gpu + unit] < 1.0;
    const double busy_w = is_capped ? state.work.capped_load_w[group.first_gpu + unit] : load_w[unit];
    const double beyond_w = busy_w + units.leakage_w(unit, die_k) - limit_w;
    const bool can_fall = busy_w > now.node.split.gpu_idle_w;  // idle power stays, whatever the limit
    if ((can_fall && beyond_w > noticed_w) || (is_capped && beyond_w < -noticed_w)) return true;
  }
  return false;
}

/// Up to eight nodes of one rack, computed together. Fewer leave the rest of the eight at no power.
class NodeBlock {
 public:
  static constexpr std::size_t most_nodes = lane_count;

  /// As many nodes as `asked` holds, from `first` of the hall on, whose GPUs have been given what they ask for.
  NodeBlock(const RackNow& now, const AskedWork& work, std::size_t first, const workload::NodeWatts& asked,
            PlantState& state)
      : now_(now),
        work_(work),
        group_(now.group()),
        gpus_(group_.gpus_per_node),
        first_(first),
        first_of_group_(first - group_.first_node),
        count_(asked.ac_w.size()),
        gpu_load_w_(loads(group_.gpu_loads, first_of_group_, state)),
        gpu_limit_w_(power_limit_w(now, state)),
        supply_share_(supply_share(now, state)),
        are_watts_set_(!state.work.set_gpu_w.empty()) {
    if (count_ == most_nodes) {
      asked_ac_w_ = lanes_at(asked.ac_w.data());
      asked_gpus_w_ = lanes_at(asked.gpus_w.data());
    } else {
      for (std::size_t n = 0; n < count_; ++n) asked_ac_w_[n] = asked.ac_w[n];
      for (std::size_t n = 0; n < count_; ++n) asked_gpus_w_[n] = asked.gpus_w[n];
    }
    fans_w_ = workload::fans_w(now.node.fan_w, fan_speed_fraction(state, now.rack));
    if (work.workload.has_contents_by_node()) look_at_contents(state);
    if (now.node.do_fans_add) asked_ac_w_ += do_fans_add_ * (fans_w_ - now.node.fan_w);
    asked_dc_w_ = asked_ac_w_;
    now.node.supplies.curve.to_output(asked_dc_w_);
    gpus_w_ = asked_gpus_w_;
  }

  /// Takes from GPUs what supply, firmware and power do not allow.
  void restrain_gpus(PlantState& state) {
    const bool is_served = electrical::is_served(state.switches, now_.plant.it.racks[now_.rack].load);
    const bool has_full_clocks = state.work.is_restrained[now_.rack] == 0;
    if (!has_full_clocks) ask_for_boots(state);
    may_cap_ = may_be_beyond_limit() && is_any_beyond_limit(now_, state, most_above_w());
    is_restrained_ = !(is_served && is_enough() && has_full_clocks) || may_cap_;
    if (!is_restrained_) return;  // as nearly always; a rack with a node that is not at work has no full clocks
    const auto clocks = std::span<const double>(state.work.clock_fraction)
                            .subspan(group_.first_gpu + first_of_group_ * gpus_, count_ * gpus_);
    for (std::size_t n = 0; n < count_; ++n) {
      is_on_[n] = is_served && is_switched_on(state.work.node_is[first_ + n]) ? 1.0 : 0.0;
      gpus_w_[n] = restrain(n, clocks.subspan(n * gpus_, gpus_), state);
    }
    if (largest_of(busier_w_) > 0.0) ask_for_busier();
  }

  /// Loads of all units besides GPUs: what supplies lose and fans draw, and what is left.
  void set_rest_loads(PlantState& state) const {
    Lanes rest_dc_w = asked_dc_w_ - asked_gpus_w_;
    Lanes drawn_w = asked_ac_w_;
    if (is_restrained_ || supply_share_ < 1.0) {
      rest_dc_w = larger(rest_dc_w, Lanes{});
      drawn_w = gpus_w_ + rest_dc_w;
      now_.node.supplies.curve.to_input_of_share(drawn_w, supply_share_);
      drawn_w = smaller(drawn_w, largest_input_w());  // never more: a supply loses something with nothing to deliver
    }
    Lanes left_w = drawn_w - gpus_w_;
    if (group_.supply_loads.per_node > 0) {
      const Lanes fans_w = smaller(rest_dc_w, same_lanes(fans_w_));
      const Lanes supplies_w = left_w - rest_dc_w + fans_w;
      left_w = rest_dc_w - fans_w;
      give(is_on_ * (1.0 / static_cast<double>(group_.supply_loads.per_node)) * supplies_w, {first_of_group_, count_},
           group_.supply_loads, state);
    }
    share_evenly(is_on_ * left_w, {first_of_group_, count_}, group_, state);
  }

  /// Takes the leakage of dies at present from loads of GPUs whose watts contain it: units add it.
  void take_contained_leakage(PlantState& state) const {
    for (std::size_t n = 0; n < count_; ++n) {
      if (!contains_leakage(n) || state.work.node_is[first_ + n] != NodeIs::at_work) continue;
      for (std::size_t gpu = n * gpus_; gpu < (n + 1) * gpus_; ++gpu)
        if (gpu_load_w_[gpu] > 0.0) gpu_load_w_[gpu] = std::max(0.0, gpu_load_w_[gpu] - leakage_w(gpu, state));
    }
  }

 private:
  /// What nodes differ in: watts that contain leakage of dies or fans.
  void look_at_contents(const PlantState& state) {
    contents_.emplace();
    for (std::size_t n = 0; n < count_; ++n) {
      (*contents_)[n] = work_.workload.contents(first_ + n, state.work.queue.where);
      do_fans_add_[n] = (*contents_)[n].fans ? 0.0 : 1.0;
    }
  }

  /// Watts that an array sets are all that a GPU is to draw.
  bool contains_leakage(std::size_t node) const { return are_watts_set_ || (contents_ && (*contents_)[node].leakage); }

  /// Of a GPU of the block, with its die as it is.
  double leakage_w(std::size_t gpu, const PlantState& state) const {
    const std::size_t unit = first_of_group_ * gpus_ + gpu;
    const UnitGroup& units = *now_.plant.groups[group_.gpu_units];
    return units.leakage_w(unit, state.states[units.state_slot(0, unit)]);
  }

  /// What nodes draw if they get all that they ask for.
  Lanes largest_input_w() const {
    if (supply_share_ == 1.0) return asked_ac_w_;
    Lanes input_w = asked_dc_w_;
    now_.node.supplies.curve.to_input_of_share(input_w, supply_share_);
    return chosen(asked_dc_w_ > 0.0, input_w, asked_ac_w_);
  }

  /// A node that boots or is spare asks for what it draws with idle GPUs, whatever the work asks of it.
  void ask_for_boots(const PlantState& state) {
    const double idle_w = now_.node.split.gpu_idle_w, gpus_w = idle_w * static_cast<double>(gpus_);
    for (std::size_t n = 0; n < count_; ++n) {
      const NodeIs is = state.work.node_is[first_ + n];
      if (is != NodeIs::booting && is != NodeIs::idle) continue;
      std::fill_n(gpu_load_w_ + n * gpus_, gpus_, idle_w);
      asked_gpus_w_[n] = gpus_w;
      asked_ac_w_[n] = workload::node_from_gpus_w(now_.node.split, gpus_w);
      if (now_.node.do_fans_add) asked_ac_w_[n] += fans_w_ - now_.node.fan_w;
    }
    asked_dc_w_ = asked_ac_w_;
    now_.node.supplies.curve.to_output(asked_dc_w_);
    gpus_w_ = asked_gpus_w_;
  }

  /// The rest of a node follows what its GPUs do: those that compute while others wait ask for more.
  void ask_for_busier() {
    asked_gpus_w_ += busier_w_;
    asked_ac_w_ += now_.node.split.overhead_ratio * busier_w_;
    asked_dc_w_ = asked_ac_w_;
    now_.node.supplies.curve.to_output(asked_dc_w_);
  }

  /// Whether any may be beyond the limit with its leakage; false is certain, as nearly always.
  bool may_be_beyond_limit() const {
    const double allowed_w = gpu_limit_w_ - now_.plant.groups[group_.gpu_units]->most_leakage_w(now_.hottest_die_k);
    return largest_in(gpu_load_w_, count_ * gpus_) > allowed_w || work_.workload.most_computing_w(first_) > allowed_w;
  }

  /// By how much GPUs of these nodes draw more while they compute than in the mean of the sample.
  double most_above_w() {
    shares_.emplace();
    double above_w = 0.0;
    for (std::size_t n = 0; n < count_; ++n) {
      (*shares_)[n] = shares_by_work(n);
      above_w = std::max(above_w, (*shares_)[n].busy_above_w);
    }
    return above_w;
  }

  /// GPUs whose watts are set do nothing but compute.
  workload::SampleShares shares_by_work(std::size_t n) const {
    return are_watts_set_ ? workload::SampleShares{} : work_.workload.shares(work_.sample, first_ + n);
  }

  workload::SampleShares shares_of(std::size_t n) const { return shares_ ? (*shares_)[n] : shares_by_work(n); }

  /// Whether supplies give what GPUs ask for.
  bool is_enough() const { return smallest_of(asked_dc_w_ - asked_gpus_w_) >= 0.0; }

  /// Sets the loads of the GPUs of node `n` and returns their sum.
  [[gnu::noinline]] double restrain(std::size_t n, std::span<const double> clocks, PlantState& state) {
    const double available_ratio = asked_gpus_w_[n] > asked_dc_w_[n] ? asked_dc_w_[n] / asked_gpus_w_[n] : 1.0;
    const bool is_at_work = state.work.node_is[first_ + n] == NodeIs::at_work;
    const workload::SampleShares shares = is_at_work ? shares_of(n) : workload::SampleShares{};
    double* load_w = gpu_load_w_ + n * gpus_;
    double sum_w = 0.0, busier_w = 0.0;
    for (std::size_t k = 0; k < gpus_; ++k) {
      const double available_w = load_w[k] * available_ratio;
      load_w[k] = is_on_[n] == 0.0 ? 0.0 : load_of(n * gpus_ + k, available_w, clocks[k], shares, state, busier_w);
      sum_w += load_w[k];
    }
    busier_w_[n] = busier_w;
    return sum_w;
  }

  /// What a GPU of the block draws of `asked_w`, its mean over the sample at full clock: while it computes, clock and power limit take from it;
  /// a slow one computes while others wait for it, and adds to `busier_w` what it asks for beyond them.
  double load_of(std::size_t gpu, double asked_w, double clock, const workload::SampleShares& shares, PlantState& state,
                 double& busier_w) const {
    const double idle_w = now_.node.split.gpu_idle_w;
    if (clock == 1.0 && !may_cap_) return asked_w;
    const double busy_w = asked_w + shares.busy_above_w;
    workload::CappedLoad busy{clock == 1.0 ? busy_w : workload::throttled_w(idle_w, busy_w, clock), 1.0};
    if (may_cap_) busy = capped(gpu, busy_w, busy.load_w, shares, state);
    const double slowness = slowness_of(std::min(clock, busy.clock_fraction), shares.slowest_fraction);
    const double waiting_fraction = slowness * shares.waiting_fraction;
    const double busy_fraction = shares.busy_fraction + waiting_fraction;
    busier_w += waiting_fraction * (busy_w - shares.waiting_w);
    if (busy_fraction == 1.0) return busy.load_w;
    const double rest_fraction = 1.0 - busy_fraction;
    const double rest_w = asked_w - shares.busy_fraction * busy_w - waiting_fraction * shares.waiting_w;
    double mean_rest_w = rest_fraction > 0.0 ? rest_w / rest_fraction : 0.0;
    if (clock < 1.0) mean_rest_w = workload::throttled_w(idle_w, mean_rest_w, clock);
    if (may_cap_) mean_rest_w = std::min(mean_rest_w, std::max(idle_w, allowed_w(gpu, state)));
    return busy_fraction * busy.load_w + rest_fraction * mean_rest_w;
  }

  /// 0 for a GPU at full clock, 1 for one as slow as the slowest of its job: its share of the time for which others wait.
  static double slowness_of(double clock, double slowest) {
    return slowest < 1.0 && clock > 0.0 ? std::min((1.0 / clock - 1.0) / (1.0 / slowest - 1.0), 1.0) : 0.0;
  }

  /// What the power limit leaves for the watts that are asked.
  double allowed_w(std::size_t gpu, const PlantState& state) const {
    return contains_leakage(gpu / gpus_) ? gpu_limit_w_ : gpu_limit_w_ - leakage_w(gpu, state);
  }

  /// A GPU of the block while it computes, kept to its power limit.
  workload::CappedLoad capped(std::size_t gpu, double asked_w, double given_w, const workload::SampleShares& shares,
                              PlantState& state) const {
    const std::size_t unit = first_of_group_ * gpus_ + gpu;
    const double contained_w = contains_leakage(gpu / gpus_) ? leakage_w(gpu, state) : 0.0;
    const workload::CappedLoad capped =
        workload::capped_load(now_.node.split.gpu_idle_w, asked_w, given_w, allowed_w(gpu, state));
    if (capped.clock_fraction == 1.0) return {given_w, 1.0};
    if (shares.busy_fraction + shares.waiting_fraction > 0.0) {
      state.work.capped_clock_fraction[group_.first_gpu + unit] = capped.clock_fraction;
      state.work.capped_load_w[group_.first_gpu + unit] = capped.load_w - contained_w;
      ++state.work.capped_gpus[now_.rack];
    }
    return capped;
  }

  const RackNow& now_;
  const AskedWork& work_;
  const RackGroup& group_;
  const std::size_t gpus_, first_, first_of_group_, count_;
  double* const gpu_load_w_;
  const double gpu_limit_w_;
  const double supply_share_;  ///< of those of a node that have power
  const bool are_watts_set_;
  std::optional<std::array<workload::SampleShares, most_nodes>> shares_;    ///< [node] where they were asked for
  std::optional<std::array<workload::WattsContain, most_nodes>> contents_;  ///< [node] where nodes differ in them
  Lanes do_fans_add_ = Lanes{} + 1.0;  ///< [node] what they draw more or less is not contained
  bool may_cap_ = false;               ///< a GPU of the rack may be beyond it
  double fans_w_ = 0.0;                ///< of a node
  Lanes asked_ac_w_{};                 ///< [node] by the work, or by its boot
  Lanes asked_dc_w_{};                 ///< [node] what its supplies give if they draw what it asks for
  Lanes asked_gpus_w_{};               ///< what of it its GPUs ask for
  Lanes gpus_w_{};                     ///< what they get
  Lanes busier_w_{};                   ///< by which they ask for more, since they compute while others wait
  bool is_restrained_ = false;
  Lanes is_on_ = Lanes{} + 1.0;  ///< 1, or 0 without power and switched off
};

}  // namespace

void ask_for_work(const Plant& plant, const workload::Workload& workload, const workload::SampleBasis& sample,
                  RackRange racks, PlantState& state, const workload::NodeWatts& asked) {
  const RackGroup& group = plant.it.group_of(racks.first);
  const workload::NodeRange nodes{plant.it.racks[racks.first].first_node, racks.count * group.nodes_per_rack};
  const std::span<double> gpu_w(loads(group.gpu_loads, nodes.first - group.first_node, state),
                                nodes.count * group.gpus_per_node);
  workload.sample_with_sums(sample, nodes, gpu_w, asked);
}

bool is_power_limit_due(const RackNow& now, const PlantState& state) {
  return state.work.capped_gpus[now.rack] > 0 || is_any_beyond_limit(now, state);
}

bool has_left_power_limit(const RackNow& now, const PlantState& state) {
  if (state.work.capped_gpus[now.rack] == 0 && !is_any_beyond_limit(now, state)) return false;
  return is_any_off_limit(now, state);
}

bool is_power_limit_due(const Plant& plant, const NodeCouplings& nodes, const PlantState& state) {
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
    if (is_power_limit_due({plant, nodes, rack, state.time_s}, state)) return true;
  }
  return false;
}

void restrain_rack_loads(const RackNow& now, const AskedWork& work, const workload::NodeWatts& asked,
                         PlantState& state) {
  if (state.work.capped_gpus[now.rack] > 0) lift_caps(now, state);
  if (!state.work.set_gpu_w.empty()) take_set_watts(now, asked, state);
  const std::size_t nodes = now.group().nodes_per_rack, first_node = now.plant.it.racks[now.rack].first_node;
  for (std::size_t first = 0; first < nodes; first += NodeBlock::most_nodes) {
    const std::size_t count = std::min(nodes - first, NodeBlock::most_nodes);
    const workload::NodeWatts of_block{asked.ac_w.subspan(first, count), asked.gpus_w.subspan(first, count)};
    NodeBlock block(now, work, first_node + first, of_block, state);
    block.restrain_gpus(state);
    block.set_rest_loads(state);
    block.take_contained_leakage(state);
  }
}

void apply_work(const Plant& plant, const NodeCouplings& nodes, const workload::Workload& workload, PlantState& state,
                AskedWatts& asked) {
  if (plant.it.racks.empty()) return;
  workload.prepare(state.time_s, jobs_now(state.work), asked.basis);
  const std::vector<RackRange>& ranges = asked.ranges;
  const auto batches = static_cast<std::ptrdiff_t>(ranges.size());
#pragma omp parallel for schedule(static) if (batches >= fewest_parallel_batches)
  for (std::ptrdiff_t batch = 0; batch < batches; ++batch) {
    const RackRange& range = ranges[static_cast<std::size_t>(batch)];
    const std::size_t per_rack = plant.it.nodes_in(range.first), first_node = plant.it.racks[range.first].first_node;
    ask_for_work(plant, workload, asked.basis, range, state, asked.of(first_node, range.count * per_rack));
    for (std::size_t r = 0; r < range.count; ++r) {
      const std::size_t rack = range.first + r;
      restrain_rack_loads({plant, nodes, rack, state.time_s, hottest_die_k(plant, rack, state)},
                          {workload, asked.basis}, asked.of(first_node + r * per_rack, per_rack), state);
    }
  }
}

}  // namespace wattloop::twin
