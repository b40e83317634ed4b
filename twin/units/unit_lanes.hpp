// Units of a station eight at a time, in registers: what steps of units and sums over them are made of.
#pragma once

#include <array>
#include <cstddef>

#include "core/numbers/lanes.hpp"
#include "core/parts/unit_model.hpp"
#include "twin/units/shared_inlets.hpp"

namespace wattloop::twin {

/// A unit model at given flows.
template <UnitModel Model>
class UnitLanes {
 public:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t port_count = Model::ports.size();
  using Params = typename Model::Params;
  using Inlets = SharedInlets<Model>;
  using Ports = std::array<PortNow, port_count>;

  struct States {
    Lanes of[state_count];
  };

  struct Rates {
    Lanes rate[state_count];
    Lanes given_w[port_count + 1];  ///< heat to each port, then power drawn
  };

  UnitLanes(const Params& params, const Inlets& inlets) : params_(params), inlets_(inlets) {}

  /// Rates of eight units. Arrays of eight stand for registers here: compilers vectorise the loop over lanes, model inside.
  [[gnu::always_inline]] Rates rates(const Ports& ports, const States& states, Lanes loads_w) const noexcept {
    double state[state_count][lane_count], load_w[lane_count];
    for (std::size_t s = 0; s < state_count; ++s) put_lanes(states.of[s], state[s]);
    put_lanes(loads_w, load_w);
    double rate[state_count][lane_count], given_w[port_count + 1][lane_count];
#pragma GCC unroll 1
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      UnitNow<state_count, port_count> now;
      for (std::size_t p = 0; p < port_count; ++p) {
        const PortNow& port = ports[p];  // one by one, else the loop stays one of scalars
        now.port[p] = {port.temperature_k, port.flow_kg_per_s, port.specific_heat_j_per_kg_k};
      }
      for (std::size_t s = 0; s < state_count; ++s) now.state[s] = state[s][lane];
      now.load_w = load_w[lane];
      const auto found = inlets_.rates(params_, now);
      for (std::size_t s = 0; s < state_count; ++s) rate[s][lane] = found.rate[s];
      for (std::size_t p = 0; p < port_count; ++p) given_w[p][lane] = found.heat_w[p];
      given_w[port_count][lane] = found.power_w;
    }
    Rates to;
    for (std::size_t s = 0; s < state_count; ++s) to.rate[s] = lanes_at(rate[s]);
    for (std::size_t q = 0; q <= port_count; ++q) to.given_w[q] = lanes_at(given_w[q]);
    return to;
  }

 private:
  const Params params_;
  const Inlets inlets_;
};

}  // namespace wattloop::twin
