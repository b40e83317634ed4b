// Units in steady state (twin/units/settled_units.hpp) of all classes of a group (twin/units/unit_classes.hpp), computed once for stations with the
// same flows, as long as these are few. Scratch of a loop over stations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/parts/unit_model.hpp"
#include "twin/units/flow_key.hpp"
#include "twin/units/settled_units.hpp"

namespace wattloop::twin {

template <UnitModel Model>
class SettledClasses {
 public:
  static constexpr std::size_t port_count = Model::ports.size();

  /// Sets the flows of `ports`. `params` [class] must be the same at every call, and outlive this object.
  void set(std::span<const typename Model::Params> params, const std::array<PortNow, port_count>& ports) {
    const FlowKey<port_count> flows(ports);
    if (now_ < known_.size() && flows == known_[now_].flows) return;
    const auto known = std::ranges::find(known_, flows, &AtFlows::flows);
    now_ = static_cast<std::size_t>(known - known_.begin());
    if (known != known_.end()) return;
    if (now_ == most_known) now_ = oldest_++ % most_known;
    if (now_ == known_.size()) known_.emplace_back();
    AtFlows& made = known_[now_];
    made.flows = flows;
    made.of_class.clear();
    made.of_class.reserve(params.size());
    for (const auto& of_class : params) made.of_class.emplace_back(of_class, ports);
  }

  const SettledUnits<Model>& operator[](std::size_t of_class) const { return known_[now_].of_class[of_class]; }

 private:
  static constexpr std::size_t most_known = 32;  ///< racks have a few flows on each loop, their fans a few speeds
  struct AtFlows {
    FlowKey<port_count> flows;
    std::vector<SettledUnits<Model>> of_class;
  };
  std::vector<AtFlows> known_;
  std::size_t now_ = 0;     ///< of `known_`: that of the flows set last
  std::size_t oldest_ = 0;  ///< of `known_`, counted on: which leaves for others
};

}  // namespace wattloop::twin
