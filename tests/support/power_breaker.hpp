// A breaker that carries a power at a nominal voltage.
#pragma once

#include <numbers>

#include "electrical/breaker.hpp"

namespace wattloop::tests {

constexpr electrical::Breaker::Params breaker_for(double rated_w, double nominal_v = 400.0) {
  return {.rated_a = rated_w / (std::numbers::sqrt3 * nominal_v), .voltage_v = nominal_v};
}

}  // namespace wattloop::tests
