// J of a unit model, the slopes of its heat and power, and the phi functions of J over one sample, kept by class.
//
// A class is a duration, the flow and specific heat of each port, whether there is load, and - for models whose J moves
// with them - mean load, inlets and states. Tables are made by differences of `rates` at the centre of a class, so that
// results depend on neither history nor thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "core/parts/unit_model.hpp"
#include "twin/units/flow_key.hpp"
#include "twin/units/phi_functions.hpp"
#include "twin/units/unit_propagation.hpp"

namespace wattloop::twin {

template <UnitModel Model>
class PropagationTables {
 public:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t port_count = Model::ports.size();
  using Now = UnitNow<state_count, port_count>;
  using Rates = UnitRates<state_count, port_count>;
  using Params = typename Model::Params;
  using States = std::array<double, state_count>;
  using Ports = std::array<PortNow, port_count>;

  template <std::size_t Rows>
  using Rectangle = std::array<std::array<double, state_count>, Rows>;

  struct Table {
    Rectangle<state_count> jacobian, phi_1, phi_2;
    Rectangle<port_count + 1> slope;                 ///< d(heat of port, power)/d(state)
    Rectangle<port_count + 1> by_rate, by_residual;  ///< h H phi_2 and h H phi_3, H: the slopes
  };

  /// A sample of units in terms of what J may move with; the state is asked for only if it matters.
  struct Question {
    double duration_s;
    double load_w;  ///< mean of the units
    const Ports& begin;
    const Ports& end;
  };

  explicit PropagationTables(const Params& params) : params_(params), moves_(find_dependence(params)) {}

  /// Whether it is sure at a glance that two samples are of one class, and their conductances the same.
  bool are_alike(const UnitSample& a, const UnitSample& b) const {
    if (!depends_on_flows_alone_ || !(a.load_w[0] > 0.0 && b.load_w[0] > 0.0)) return false;
    return flows_of(a) == flows_of(b);
  }

  /// The table for a sample. `mean_state` is called for models whose J moves with states. Allocates for a new class only.
  template <class MeanState>
  const Table& at(const Question& question, const MeanState& mean_state) {
    const Asked asked{{question.duration_s, question.begin, question.end}, question.load_w > 0.0};
    if (last_ != nullptr && depends_on_flows_alone_ && asked == last_asked_) return *last_;
    const Key key = key_of(question, mean_state);
    if (last_ == nullptr || key != last_key_) {
      const auto found = tables_.find(key);
      last_ = found != tables_.end() ? &found->second : &tables_.emplace(key, make_table(key)).first->second;
      last_key_ = key;
    }
    last_asked_ = asked;
    return *last_;
  }

 private:
  static constexpr double difference_step_k = 0.01;
  static constexpr double state_bin_k = 8.0, inlet_bin_k = 8.0, load_bin_w = 40.0;
  static constexpr double typical_load_w = 300.0, typical_inlet_k = 300.0;
  static constexpr double smallest_flow_kg_per_s = 1e-9;  ///< below: no flow
  static constexpr int flow_bits = 6;                     ///< of the mantissa: classes 0.8 to 1.6 % wide
  static constexpr int duration_bits = 20;
  static constexpr std::int64_t no_load = -1;

  /// Duration, load, then flow, specific heat and temperature of each port, then states.
  using Key = std::array<std::int64_t, 2 + 3 * port_count + state_count>;

  /// What J of the model moves with, besides flow and whether there is load.
  struct Dependence {
    bool load = false, inlets = false, states = false;
  };

  /// All that the class of a sample follows from, for models whose J moves with flows and with whether there is load.
  struct Asked {
    FlowKey<port_count> flows;
    bool has_load = false;
    bool operator==(const Asked&) const = default;
  };

  static FlowKey<port_count> flows_of(const UnitSample& sample) {
    return {sample.duration_s, sample.begin, sample.end};
  }

  static void differentiate(const Params& params, Now now, Table& table) {
    for (std::size_t j = 0; j < state_count; ++j) {
      const double kept = now.state[j];
      now.state[j] = kept + difference_step_k;
      const Rates above = Model::rates(params, now);
      now.state[j] = kept - difference_step_k;
      const Rates below = Model::rates(params, now);
      now.state[j] = kept;
      const double scale = 0.5 / difference_step_k;
      for (std::size_t s = 0; s < state_count; ++s) table.jacobian[s][j] = (above.rate[s] - below.rate[s]) * scale;
      for (std::size_t p = 0; p < port_count; ++p) table.slope[p][j] = (above.heat_w[p] - below.heat_w[p]) * scale;
      table.slope[port_count][j] = (above.power_w - below.power_w) * scale;
    }
  }

  /// Asks the model at a few points, always the same, what its J moves with.
  static Dependence find_dependence(const Params& params) {
    Dependence found;
    for (const double flow_kg_per_s : {1e-3, 1e-2, 1e-1}) {
      Now middle{};
      for (std::size_t s = 0; s < state_count; ++s) middle.state[s] = Model::states[s].typical;
      for (PortNow& port : middle.port) port = {typical_inlet_k, flow_kg_per_s, 3000.0};
      middle.load_w = typical_load_w;
      Now other = middle;
      other.load_w = 2.5 * typical_load_w;
      found.load = found.load || !has_same_jacobian(params, middle, other);
      other = middle;
      for (PortNow& port : other.port) port.temperature_k += 2.5 * inlet_bin_k;
      found.inlets = found.inlets || !has_same_jacobian(params, middle, other);
      for (std::size_t s = 0; s < state_count; ++s) {
        other = middle;
        other.state[s] += 2.5 * state_bin_k;
        found.states = found.states || !has_same_jacobian(params, middle, other);
      }
    }
    return found;
  }

  static bool has_same_jacobian(const Params& params, const Now& a, const Now& b) {
    constexpr double same_ratio = 1e-6;
    Table at_a{}, at_b{};
    differentiate(params, a, at_a);
    differentiate(params, b, at_b);
    double largest = 0.0, difference = 0.0;
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) {
        largest = std::max(largest, std::abs(at_a.jacobian[s][j]));
        difference = std::max(difference, std::abs(at_a.jacobian[s][j] - at_b.jacobian[s][j]));
      }
    }
    return difference <= same_ratio * largest;
  }

  static std::int64_t leading_bits(double value, int mantissa_bits) {
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value) >> (52 - mantissa_bits));
  }

  /// The begin of the class, or its middle.
  static double from_leading_bits(std::int64_t bits, int mantissa_bits, bool is_middle) {
    const std::uint64_t begin = static_cast<std::uint64_t>(bits) << (52 - mantissa_bits);
    return std::bit_cast<double>(is_middle ? begin | std::uint64_t{1} << (51 - mantissa_bits) : begin);
  }

  static std::int64_t bin(double value, double width) { return static_cast<std::int64_t>(std::floor(value / width)); }
  static double middle_of(std::int64_t bin_number, double width) {
    return (static_cast<double>(bin_number) + 0.5) * width;
  }

  template <class MeanState>
  Key key_of(const Question& question, const MeanState& mean_state) const {
    Key key{};
    std::size_t next = 0;
    const double rounding_ratio = 1.0 + std::ldexp(1.0, -duration_bits - 2);  // 1 s stays 1 s, however it was computed
    key[next++] = leading_bits(question.duration_s * rounding_ratio, duration_bits);
    key[next++] = question.load_w <= 0.0 ? no_load : moves_.load ? bin(question.load_w, load_bin_w) : 0;
    for (std::size_t p = 0; p < port_count; ++p) {
      const double flow_kg_per_s = 0.5 * (question.begin[p].flow_kg_per_s + question.end[p].flow_kg_per_s);
      key[next++] = flow_kg_per_s > smallest_flow_kg_per_s ? leading_bits(flow_kg_per_s, flow_bits) : 0;
      key[next++] = std::bit_cast<std::int64_t>(question.begin[p].specific_heat_j_per_kg_k);
      key[next++] = moves_.inlets ? bin(question.begin[p].temperature_k, inlet_bin_k) : 0;
    }
    if (moves_.states) {
      for (const double mean : mean_state()) key[next++] = bin(mean, state_bin_k);
    }
    return key;
  }

  Now centre(const Key& key) const {
    Now now{};
    std::size_t next = 1;
    const std::int64_t load = key[next++];
    now.load_w = load == no_load ? 0.0 : moves_.load ? middle_of(load, load_bin_w) : typical_load_w;
    for (PortNow& port : now.port) {
      const std::int64_t flow = key[next++];
      port.flow_kg_per_s = flow == 0 ? 0.0 : from_leading_bits(flow, flow_bits, true);
      port.specific_heat_j_per_kg_k = std::bit_cast<double>(key[next++]);
      const std::int64_t inlet = key[next++];
      port.temperature_k = moves_.inlets ? middle_of(inlet, inlet_bin_k) : typical_inlet_k;
    }
    for (std::size_t s = 0; s < state_count; ++s) {
      now.state[s] = moves_.states ? middle_of(key[next++], state_bin_k) : Model::states[s].typical;
    }
    return now;
  }

  Table make_table(const Key& key) const {
    Table table{};
    differentiate(params_, centre(key), table);
    const double duration_s = from_leading_bits(key[0], duration_bits, false);
    std::array<double, state_count * state_count> z;
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) z[s * state_count + j] = duration_s * table.jacobian[s][j];
    }
    const PhiFunctions phi = phi_functions(z, state_count);
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) {
        table.phi_1[s][j] = phi.phi_1[s * state_count + j];
        table.phi_2[s][j] = phi.phi_2[s * state_count + j];
        for (std::size_t q = 0; q <= port_count; ++q) {
          table.by_rate[q][j] += duration_s * table.slope[q][s] * phi.phi_2[s * state_count + j];
          table.by_residual[q][j] += duration_s * table.slope[q][s] * phi.phi_3[s * state_count + j];
        }
      }
    }
    return table;
  }

  const Params params_;
  const Dependence moves_;
  std::map<Key, Table> tables_;
  const bool depends_on_flows_alone_ = !moves_.load && !moves_.inlets && !moves_.states;
  Asked last_asked_;  ///< what the last table was for
  Key last_key_{};
  const Table* last_ = nullptr;
};

}  // namespace wattloop::twin
