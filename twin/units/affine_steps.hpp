// Affine steps by the flows that they are for, so that each is composed once while flows stand still.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "twin/units/affine_step.hpp"

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

  /// The step of this duration and these flows; `make` composes it where it is not at hand.
  template <class Make>
  const AffineStep<Model>& at(double duration_s, const Ports& begin, const Ports& end, const Make& make) {
    Question asked{duration_s, {}};
    for (std::size_t p = 0; p < port_count; ++p) {
      asked.ports[p] = {begin[p].flow_kg_per_s, end[p].flow_kg_per_s, begin[p].specific_heat_j_per_kg_k};
    }
    Kept& kept = kept_[place_of(asked)];
    if (kept.question != asked) kept = {asked, make()};
    return kept.step;
  }

 private:
  static constexpr int place_bits = 9;
  static constexpr std::size_t place_count = std::size_t{1} << place_bits;

  struct Question {
    double duration_s = -1.0;
    std::array<std::array<double, 3>, port_count> ports{};  ///< flow at begin and end, specific heat
    bool operator==(const Question&) const = default;
  };

  struct Kept {
    Question question;
    AffineStep<Model> step;
  };

  static std::size_t place_of(const Question& question) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // of the golden ratio: multiplication spreads neighbours
    std::uint64_t mixed = std::bit_cast<std::uint64_t>(question.duration_s);
    for (const auto& port : question.ports) {
      for (const double value : port) mixed = (std::rotl(mixed, 23) ^ std::bit_cast<std::uint64_t>(value)) * factor;
    }
    return mixed >> (64 - place_bits);
  }

  std::vector<Kept> kept_;
};

}  // namespace wattloop::twin
