// Units at rest (twin/units/settled_units.hpp) of all classes of a group (twin/units/unit_classes.hpp), computed once for stations that follow one
// another with the same flows. Scratch of a loop over stations.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/unit_model.hpp"
#include "twin/units/flow_key.hpp"
#include "twin/units/settled_units.hpp"

namespace wattloop::twin {

template <UnitModel Model>
class SettledClasses {
 public:
  static constexpr std::size_t port_count = Model::ports.size();

  /// To the flows of `ports`; `params` [class] are the same at every call, and outlive this.
  void set(std::span<const typename Model::Params> params, const std::array<PortNow, port_count>& ports) {
    const FlowKey<port_count> flows(ports);
    if (!of_class_.empty() && flows == flows_) return;
    flows_ = flows;
    of_class_.clear();
    of_class_.reserve(params.size());
    for (const auto& of_class : params) of_class_.emplace_back(of_class, ports);
  }

  const SettledUnits<Model>& operator[](std::size_t of_class) const { return of_class_[of_class]; }

 private:
  FlowKey<port_count> flows_;  ///< that `of_class_` was made for
  std::vector<SettledUnits<Model>> of_class_;
};

}  // namespace wattloop::twin
