// Affine steps by the flows that they are for, so that each is composed once while flows stand still.
#pragma once

#include <cstddef>
#include <vector>

#include "twin/units/affine_step.hpp"
#include "twin/units/flow_key.hpp"

namespace wattloop::twin {

/// Nothing at all for models that are not affine.
template <UnitModel Model>
class AffineSteps {};

/// Each class of flows has one place; a newcomer takes it over. What is found does not depend on what was asked before.
template <AffineUnitModel Model>
class AffineSteps<Model> {
 public:
  static constexpr std::size_t port_count = Model::ports.size();
  using Ports = typename AffineStep<Model>::Ports;

  AffineSteps() : kept_(place_count) {}

  /// The step of this duration and these flows; `make` composes it where it is not present.
  template <class Make>
  const AffineStep<Model>& at(double duration_s, const Ports& begin, const Ports& end, const Make& make) {
    const FlowKey<port_count> asked(duration_s, begin, end);
    Kept& kept = kept_[asked.place(place_bits)];
    if (kept.flows != asked) kept = {asked, make()};
    return kept.step;
  }

 private:
  static constexpr int place_bits = 9;
  static constexpr std::size_t place_count = std::size_t{1} << place_bits;

  struct Kept {
    FlowKey<port_count> flows;
    AffineStep<Model> step;
  };

  std::vector<Kept> kept_;
};

}  // namespace wattloop::twin
