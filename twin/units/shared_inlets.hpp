// Units that share their inlets, as a loop over them sees their model.
#pragma once

#include <array>

#include "core/parts/unit_model.hpp"

namespace wattloop::twin {

/// `rates` of units that share their inlets, with the conductances of the ports computed once.
template <UnitModel Model>
class SharedInlets {
 public:
  static constexpr std::size_t port_count = Model::ports.size();
  using Ports = std::array<PortNow, port_count>;
  using Now = UnitNow<Model::states.size(), port_count>;
  using Rates = UnitRates<Model::states.size(), port_count>;
  using Params = typename Model::Params;

  SharedInlets() = default;
  SharedInlets(const Params& params, const Ports& ports) {
    if constexpr (SharesConductances<Model>) conductances_w_per_k_ = Model::conductances_w_per_k(params, ports);
  }

  /// With conductances that are known.
  explicit SharedInlets(const std::array<double, port_count>& conductances_w_per_k)
      : conductances_w_per_k_(conductances_w_per_k) {}

  Rates rates(const Params& params, const Now& now) const noexcept {
    if constexpr (SharesConductances<Model>) {
      return Model::rates(params, now, conductances_w_per_k_);
    } else {
      return Model::rates(params, now);
    }
  }

 private:
  std::array<double, port_count> conductances_w_per_k_{};
};

}  // namespace wattloop::twin
