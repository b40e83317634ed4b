// Units over one sample where they are not alike: the exponential step of each one's class (twin/units/exponential_propagation.hpp),
// eight side by side where the model is affine and all of a station have load (twin/units/varied_step.hpp), else one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "twin/units/exponential_propagation.hpp"
#include "twin/units/flow_key.hpp"
#include "twin/units/unit_classes.hpp"
#include "twin/units/varied_step.hpp"

namespace wattloop::twin {

/// The same model, taken in stages whatever it says of itself: it then keeps no steps of its own.
template <UnitModel Model>
struct InStages : Model {
  static constexpr bool is_affine_at_given_flows = false;
};

/// Of a node some units may stand behind others, in its only stream.
template <class Model>
concept StandsInOrder = requires(const typename Model::Params& p, const PortNow& port) {
  Model::warmed_by(p, p, port);
};

/// Affine, and with one port: all heat goes there.
template <class Model>
concept VariesByLanes = AffineUnitModel<Model> && Model::ports.size() == 1;

/// Steps of all classes by the flows that they are for, the last few of them. Nothing at all for models that do not go by lanes.
template <UnitModel Model>
class VariedSteps {
 public:
  explicit VariedSteps(std::span<const typename Model::Params>) {}
};

template <VariesByLanes Model>
class VariedSteps<Model> {
 public:
  using Params = typename Model::Params;
  using Tables = PropagationTables<Model>;
  using Ports = typename AffineStep<Model>::Ports;

  explicit VariedSteps(std::span<const Params> params) : params_(params.begin(), params.end()) {
    for (const Params& of_class : params_) tables_.emplace_back(of_class);
  }

  VariedStep<Model>& at(const UnitSample& sample) {
    const Flows asked(sample.duration_s, sample.begin, sample.end);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const std::size_t place = (last_ + k) % kept_.size();
      if (kept_[place].flows != asked) continue;
      last_ = place;
      return kept_[place].step;
    }
    if (kept_.size() < most_kept) {
      last_ = kept_.size();
      kept_.push_back({asked, compose(sample)});
    } else {
      last_ = oldest_;
      oldest_ = (oldest_ + 1) % most_kept;
      kept_[last_] = {asked, compose(sample)};
    }
    return kept_[last_].step;
  }

 private:
  static constexpr std::size_t most_kept = 128;  ///< racks of a loop have a few flows, halls a few dozen loops
  static constexpr double any_load_w = 300.0;    ///< an affine model asks only whether there is some

  using Flows = FlowKey<Model::ports.size()>;

  struct Kept {
    Flows flows;
    VariedStep<Model> step;
  };

  VariedStep<Model> compose(const UnitSample& sample) {
    Ports begin{}, end{};
    std::copy_n(sample.begin.begin(), begin.size(), begin.begin());
    std::copy_n(sample.end.begin(), end.size(), end.begin());
    std::vector<AffineStep<Model>> classes;
    for (std::size_t k = 0; k < params_.size(); ++k) {
      const auto& table =
          tables_[k].at({sample.duration_s, any_load_w, begin, end}, [] { return typename Tables::States{}; });
      classes.emplace_back(params_[k], StepMatrices<Model>(table, sample.duration_s), begin, end);
    }
    VariedStep<Model> step(params_.back(), classes);
    if constexpr (StandsInOrder<Model>) {
      if (Model::has_places(params_.back())) step.set_order(order(begin[0], end[0]));
    }
    return step;
  }

  typename VariedStep<Model>::Order order(const PortNow& begin, const PortNow& end) const {
    typename VariedStep<Model>::Order order;
    for (std::size_t k = 0; k < params_.size(); ++k) {
      const std::size_t lane = k % lane_count, before = Model::place_before(params_.back(), lane);
      order.before[lane] = before;
      const Params& by = params_[k - lane + before];
      order.warmed_at_begin.push_back(Model::warmed_by(by, params_[k], begin));
      order.warmed_at_end.push_back(Model::warmed_by(by, params_[k], end));
    }
    return order;
  }

  std::vector<Params> params_;
  std::vector<Tables> tables_;
  std::vector<Kept> kept_;
  std::size_t last_ = 0, oldest_ = 0;
};

template <UnitModel Model>
class VariedPropagation final : public UnitPropagation {
 public:
  using Params = typename Model::Params;

  /// Both must outlive it; parameters of all classes, of which the last is the mean.
  VariedPropagation(std::span<const Params> params, const UnitClasses& classes)
      : classes_(classes), params_(params), steps_(params) {
    for (const Params& of_class : params) one_by_one_.emplace_back(of_class);
  }

  using UnitPropagation::advance;

  void advance(std::span<const UnitStep> steps) override {
    if constexpr (VariesByLanes<Model>) {
      VariedStep<Model>* of_flows = nullptr;  // that the step before this one took, if any
      for (const UnitStep& step : steps) {
        if (!have_all_load({&step, 1})) {
          of_flows = nullptr;
          advance_one_by_one(step);
          continue;
        }
        if (of_flows == nullptr || !step.has_flows_of_previous) of_flows = &steps_.at(step.sample);
        of_flows->move(step, classes_.pattern_of_unit.data() + step.first_unit);
      }
    } else {
      for (const UnitStep& step : steps) advance_one_by_one(step);
    }
  }

  double mismatch_k(std::span<const PortNow> used, std::span<const PortNow> actual, double load_w,
                    const UnitColumns& units) override {
    return one_by_one_.back().mismatch_k(used, actual, load_w, units);
  }

 private:
  /// The inlets of a unit at both ends of a step.
  struct Inlets {
    std::array<PortNow, Model::ports.size()> begin, end;
  };

  /// Inlets of a station, behind the unit before one of them; `begin_k`: second states of its node at the begin.
  Inlets inlets_of(const UnitStep& station, std::size_t unit, std::span<const double, lane_count> begin_k) const {
    Inlets inlets;
    std::copy_n(station.sample.begin.begin(), inlets.begin.size(), inlets.begin.begin());
    std::copy_n(station.sample.end.begin(), inlets.end.size(), inlets.end.begin());
    if constexpr (StandsInOrder<Model>) {
      const std::size_t lane = unit % lane_count, before = Model::place_before(params_.back(), lane);
      if (before == lane || !Model::has_places(params_.back())) return inlets;
      const std::size_t by_unit = unit - lane + before;
      const Params &by = params_of(station.first_unit + by_unit), &behind = params_of(station.first_unit + unit);
      const double end_k = station.units.first[station.units.stride + by_unit];
      PortNow &at_begin = inlets.begin[0], &at_end = inlets.end[0];
      at_begin.temperature_k += Model::warmed_by(by, behind, at_begin) * (begin_k[before] - at_begin.temperature_k);
      at_end.temperature_k += Model::warmed_by(by, behind, at_end) * (end_k - at_end.temperature_k);
    }
    return inlets;
  }

  const Params& params_of(std::size_t unit) const { return params_[classes_.class_of_unit[unit]]; }

  void advance_one_by_one(const UnitStep& station) {
    UnitYield sum;
    std::array<double, lane_count> begin_k{};
    for (std::size_t unit = 0; unit < station.units.count; ++unit) {
      UnitYield yield;
      UnitStep one = station;
      for (std::size_t k = unit; unit % lane_count == 0 && k < std::min(unit + lane_count, station.units.count); ++k)
        begin_k[k - unit] = station.units.first[(Model::states.size() - 1) * station.units.stride + k];
      const Inlets inlets = inlets_of(station, unit, begin_k);
      one.sample.begin = inlets.begin;
      one.sample.end = inlets.end;
      one.sample.load_w = station.sample.load_w.subspan(unit, 1);
      one.units = {station.units.first + unit, station.units.stride, 1};
      one.begin_power_w = station.begin_power_w == nullptr ? nullptr : station.begin_power_w + unit;
      one.yield = &yield;
      one.digest = nullptr;
      one.has_flows_of_previous = false;
      one_by_one_[classes_.class_of_unit[station.first_unit + unit]].advance({&one, 1});
      for (std::size_t p = 0; p < Model::ports.size(); ++p) sum.heat_j[p] += yield.heat_j[p];
      sum.energy_j += yield.energy_j;
      sum.begin_power_w += yield.begin_power_w;
    }
    *station.yield = sum;
    if (station.digest != nullptr) *station.digest = digest_dies({station.units.first, station.units.count});
  }

  const UnitClasses& classes_;
  const std::span<const Params> params_;  ///< [class]
  VariedSteps<Model> steps_;
  std::vector<ExponentialPropagation<InStages<Model>>> one_by_one_;  ///< [class]
};

}  // namespace wattloop::twin
