// A step of affine units that are not alike (twin/units/unit_classes.hpp): the same forms as in twin/units/affine_step.hpp, with factors of
// their own for each of eight units side by side. What inlets say in them is put together once for stations with the same ones.
// Heat follows from the balance of energy, whose left side is linear in the states and alike for all classes:
//
//   heat = drawn - (stored at the end - stored at the begin)
//
// Power drawn at the begin follows from load and first state alone, die or chip: leakage is all that it has besides the load.
//
// Where units of a node stand one behind the other, the inlet of one behind is warmer by what the one before it gives off, at the begin and at
// the end of the step.
//
// Verified in tests/verification/units/unit_spread.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twin/units/affine_step.hpp"

namespace wattloop::twin {

template <AffineUnitModel Model>
class VariedStep {
 public:
  using OfClass = AffineStep<Model>;
  using Params = typename Model::Params;
  static_assert(Model::ports.size() == 1, "what several ports take does not follow from the balance alone");

  VariedStep() = default;

  /// From the steps of all classes, pattern by pattern and lane by lane, of units with the heat capacities of `params`.
  VariedStep(const Params& params, std::span<const OfClass> classes)
      : params_(params), patterns_(classes.size() / lane_count) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      Pattern& pattern = patterns_[k / lane_count];
      const std::size_t lane = k % lane_count;
      for (std::size_t form = 0; form < form_count; ++form) {
        for (std::size_t place = 0; place < own_count; ++place)
          pattern.own[form][place][lane] = factor(classes[k], form, place);
        pattern.at_begin[form][lane] = factor(classes[k], form, OfClass::at_begin_port);
        pattern.at_end[form][lane] = factor(classes[k], form, OfClass::at_end_port);
        pattern.constant[form][lane] = factor(classes[k], form, OfClass::constant_place);
      }
      pattern.of_inlets[drawn_at_begin][lane] = factor(classes[k], drawn_at_begin, OfClass::constant_place);
    }
  }

  /// What each lane of a pattern finds its inlet warmed by, in a node whose units stand in order.
  struct Order {
    std::array<std::size_t, lane_count> before{};  ///< [lane] its own number in front
    std::vector<double> warmed_at_begin = {},
                        warmed_at_end = {};  ///< [class] per kelvin of the one before above the inlet
  };
  void set_order(const Order& order) {
    stand_in_order_ = true;
    before_ = order.before;
    for (std::size_t k = 0; k < order.warmed_at_begin.size(); ++k) {
      patterns_[k / lane_count].warmed_at_begin[k % lane_count] = order.warmed_at_begin[k];
      patterns_[k / lane_count].warmed_at_end[k % lane_count] = order.warmed_at_end[k];
    }
  }

  /// Moves the units of a station, all of which have load. `pattern_of_unit`: of its units.
  void move(const UnitStep& station, const std::uint8_t* pattern_of_unit) noexcept {
    set_inlets(station.sample.begin[0].temperature_k, station.sample.end[0].temperature_k);
    if (stand_in_order_) {
      move_units<true>(station, pattern_of_unit);
    } else {
      move_units<false>(station, pattern_of_unit);
    }
  }

 private:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t own_count =
      OfClass::load_place + 1;  ///< arguments that each unit has of its own: states, load
  static constexpr std::size_t drawn = state_count, drawn_at_begin = drawn + 1, form_count = drawn_at_begin + 1;

  struct Pattern {
    Lanes own[form_count][own_count];
    Lanes at_begin[form_count], at_end[form_count], constant[form_count];
    Lanes of_inlets[form_count];  ///< the last three, at the inlets that were set; of power at the begin the constant
    Lanes warmed_at_begin{}, warmed_at_end{};
  };

  /// Of a form of this step, by its number among those of a class, which report heat before energy.
  static double factor(const OfClass& of_class, std::size_t form, std::size_t place) {
    return of_class.factor(form < drawn    ? form
                           : form == drawn ? OfClass::begin_power - 1
                                           : OfClass::begin_power,
                           place);
  }

  void set_inlets(double begin_k, double end_k) noexcept {
    if (begin_k == begin_k_ && end_k == end_k_) return;
    begin_k_ = begin_k;
    end_k_ = end_k;
    for (Pattern& pattern : patterns_) {
      for (std::size_t form = 0; form < drawn_at_begin; ++form) {
        pattern.of_inlets[form] =
            pattern.constant[form] + pattern.at_begin[form] * begin_k + pattern.at_end[form] * end_k;
      }
    }
  }

  /// What the unit before each gives heat with.
  Lanes before_each(const Lanes& of) const noexcept {
    Lanes lanes;
    for (std::size_t lane = 0; lane < lane_count; ++lane) lanes[lane] = of[before_[lane]];
    return lanes;
  }

  template <bool InOrder>
  [[gnu::flatten]] void move_units(const UnitStep& station, const std::uint8_t* pattern_of_unit) const noexcept {
    const UnitColumns units = station.units;
    const double* load_w = station.sample.load_w.data();
    const Pattern* patterns = patterns_.data();
    Lanes drawn_j{}, drawn_at_begin_w{}, change[state_count]{};
    DieLanes first_state;
    visit_by_lanes(
        units.count, [&](std::size_t first, auto count) __attribute__((always_inline)) {
          const Pattern& pattern = patterns[pattern_of_unit[first]];
          Lanes before[state_count];
          [[maybe_unused]] Lanes warmer_begin_k{}, warmer_end_k{};
          const Lanes loads_w = read_lanes(load_w + first, count);
          for (std::size_t s = 0; s < state_count; ++s)
            before[s] = read_lanes(units.first + s * units.stride + first, count);
          const auto value = [&](std::size_t form) __attribute__((always_inline)) {
            Lanes lanes = pattern.of_inlets[form] + pattern.own[form][OfClass::load_place] * loads_w;
            for (std::size_t j = 0; j < state_count; ++j) lanes += pattern.own[form][j] * before[j];
            if constexpr (InOrder)
              lanes += pattern.at_begin[form] * warmer_begin_k + pattern.at_end[form] * warmer_end_k;
            return lanes;
          };
          if constexpr (InOrder) {
            warmer_begin_k = pattern.warmed_at_begin * (before_each(before[1]) - begin_k_);
            warmer_end_k =
                pattern.warmed_at_end * (before_each(value(1)) - end_k_);  // those in front are warmed by no one
          }
          for (std::size_t s = 0; s < state_count; ++s) {
            const Lanes after = value(s);
            write_lanes(after, units.first + s * units.stride + first, count);
            add_lanes(after - before[s], change[s], count);
            if (s == 0 && station.digest != nullptr) first_state.add(after, first, count);
          }
          add_lanes(value(drawn), drawn_j, count);
          const Lanes power_w = pattern.of_inlets[drawn_at_begin] +
                                pattern.own[drawn_at_begin][OfClass::load_place] * loads_w +
                                pattern.own[drawn_at_begin][0] * before[0];
          add_lanes(power_w, drawn_at_begin_w, count);
          if (station.begin_power_w != nullptr) write_lanes(power_w, station.begin_power_w + first, count);
        });
    if (station.digest != nullptr) *station.digest = first_state.digest();
    std::array<double, state_count> all_k{};
    for (std::size_t s = 0; s < state_count; ++s) all_k[s] = sum_of(change[s]);
    station.yield->energy_j = sum_of(drawn_j);
    station.yield->heat_j[0] = station.yield->energy_j - Model::stored_energy_j(params_, all_k);
    station.yield->begin_power_w = sum_of(drawn_at_begin_w);
  }

  Params params_;
  std::vector<Pattern> patterns_;
  double begin_k_ = -1.0, end_k_ = -1.0;
  bool stand_in_order_ = false;
  std::array<std::size_t, lane_count> before_{};
};

}  // namespace wattloop::twin
