// Bus bandwidth of all-reduce that users measured with nccl-tests, beside which that of a hall is drawn. Documented in docs/models/collectives.md.
#pragma once

#include <array>

namespace wattloop::network {

struct MeasuredBandwidth {
  double bytes_b;
  double bus_b_per_s;
};

/// Of 8 H100 of a node that reduce in their NVLink switches [nccl_tests].
inline constexpr std::array h100_in_switches{
    MeasuredBandwidth{134217728.0, 382.99e9},  MeasuredBandwidth{268435456.0, 412.35e9},
    MeasuredBandwidth{536870912.0, 431.81e9},  MeasuredBandwidth{1073741824.0, 465.25e9},
    MeasuredBandwidth{2147483648.0, 468.57e9}, MeasuredBandwidth{4294967296.0, 473.60e9}};

/// Of 4 GB200 of a host, by ring [azure_ai_benchmarking].
inline constexpr std::array gb200_by_ring{
    MeasuredBandwidth{1048576.0, 80.48e9}, MeasuredBandwidth{16777216.0, 331.09e9},
    MeasuredBandwidth{134217728.0, 574.19e9}, MeasuredBandwidth{1073741824.0, 646.87e9},
    MeasuredBandwidth{8589934592.0, 679.61e9}};

}  // namespace wattloop::network
