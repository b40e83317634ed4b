// The power supplies of a node with one cord and with both: what they give, and what is left for its GPUs.
//
//   on both cords   all supplies share the load
//   on one cord     half of them carry it, at twice the load each and so with other losses; GPUs are kept to
//                   (share x rated output - rest of the node) / GPUs
//
// The rest of the node is the largest there is, that at its nameplate or with GPUs at their own limit, so that supplies never give more than their rating. Where
// not even idle GPUs are left, nodes need both cords. That firmware caps GPUs where supplies are lost: [nvidia_dgx_h100_user_guide].
// Verified in tests/verification/power/supplies_on_one_cord.cpp.
#pragma once

#include <limits>

#include "electrical/supplies/psu_curve.hpp"

namespace wattloop::twin {

struct NodeSupplies {
  electrical::PsuCurve curve;
  double one_cord_share = 1.0;  ///< of the supplies
  double one_cord_gpu_limit_w = std::numeric_limits<double>::infinity();
  bool needs_both_cords = false;  ///< on one it cannot even idle
};

}  // namespace wattloop::twin
