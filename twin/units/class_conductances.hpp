// Conductances of the ports of all classes of units (twin/units/unit_classes.hpp), computed once for stations that follow one another with the
// same flows. Scratch of a loop over stations, on its stack.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/parts/unit_model.hpp"
#include "twin/units/flow_key.hpp"
#include "twin/units/shared_inlets.hpp"
#include "twin/units/unit_classes.hpp"

namespace wattloop::twin {

template <UnitModel Model>
class ClassConductances {
 public:
  static constexpr std::size_t port_count = Model::ports.size();
  using Ports = std::array<PortNow, port_count>;
  using Params = typename Model::Params;

  /// Rates of a unit of class `of_class`, whose parameters stand in `params` [class], at the inlets set last.
  template <class Now>
  auto rates(std::span<const Params> params, std::size_t of_class, const Now& now) const noexcept {
    if constexpr (SharesConductances<Model>) {
      return Model::rates(params[of_class], now, w_per_k_[of_class]);
    } else {
      return Model::rates(params[of_class], now);
    }
  }

  /// Units of one class at the inlets set last.
  SharedInlets<Model> shared(std::size_t of_class) const noexcept {
    if constexpr (SharesConductances<Model>) return SharedInlets<Model>(w_per_k_[of_class]);
    return {};
  }

  void set(std::span<const Params> params, const Ports& ports) noexcept {
    if constexpr (SharesConductances<Model>) {
      const FlowKey<port_count> flows(ports);
      if (flows == flows_) return;
      flows_ = flows;
      for (std::size_t k = 0; k < params.size(); ++k) w_per_k_[k] = Model::conductances_w_per_k(params[k], ports);
    }
  }

 private:
  FlowKey<port_count> flows_;  ///< that conductances were computed for
  std::array<std::array<double, port_count>, UnitClasses::most_classes> w_per_k_;
};

}  // namespace wattloop::twin
