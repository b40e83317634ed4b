// Power of a storage appliance: idle power, and a share of the rest for the share of its bandwidth that is in use.
//
//   P = P_idle + (P_active - P_idle) x        x = reads / read bandwidth + writes / write bandwidth, at most 1
//
// A pure function of the traffic of an instant. Assumption: drives, processors and adapters draw in proportion to the bytes that pass. Several
// appliances share all traffic equally. Source of the values: scenarios/hardware/storage_appliance.yaml. Verified in
// tests/verification/jobs/storage_racks.cpp. Documented in docs/models/checkpoints.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::workload {

struct ApplianceParams {
  static constexpr std::string_view kind = "storage_appliance";

  double idle_w = required;
  double active_w = required;
  double read_b_per_s = required;
  double write_b_per_s = required;
  int per_rack = required_count;
  double airflow_kg_per_s = required;
  double highest_inlet_k = 308.15;
  double hold_up_s = 0.01;

  static constexpr auto fields() {
    using P = ApplianceParams;
    return std::array{
        Field<P>{&P::idle_w, "idle_power", "W", Range::non_negative, "Power of one appliance without traffic."},
        Field<P>{&P::active_w, "active_power", "W", Range::positive,
                 "Power of one appliance that reads or writes with its full bandwidth; the power of a rack of "
                 "appliances is planned with it."},
        Field<P>{&P::read_b_per_s, "read_bandwidth", "B/s", Range::positive, "Read bandwidth of one appliance."},
        Field<P>{&P::write_b_per_s, "write_bandwidth", "B/s", Range::positive, "Write bandwidth of one appliance."},
        Field<P>{&P::per_rack, "per_rack", Range::positive, "Highest number of appliances in one rack."},
        Field<P>{&P::airflow_kg_per_s, "airflow", "kg/s", Range::positive, "Air flow of the fans of one appliance."},
        Field<P>{&P::highest_inlet_k, "highest_inlet_temperature", "K", Range::positive,
                 "Highest inlet air temperature that the maker allows."},
        Field<P>{&P::hold_up_s, "hold_up_time", "s", Range::non_negative,
                 "Hold-up time: time for which its power supplies carry it without input."},
    };
  }
};

/// What jobs read and write at an instant.
struct StorageTraffic {
  double read_b_per_s = 0.0, write_b_per_s = 0.0;
};

/// Share of the bandwidth of `count` appliances that is in use, 0 to 1; 0 of none.
constexpr double used_share(const ApplianceParams& params, double count, const StorageTraffic& traffic) noexcept {
  if (!(count > 0.0)) return 0.0;
  const double share =
      traffic.read_b_per_s / (count * params.read_b_per_s) + traffic.write_b_per_s / (count * params.write_b_per_s);
  return std::clamp(share, 0.0, 1.0);
}

/// Power of one appliance at that share.
constexpr double appliance_power_w(const ApplianceParams& params, double share) noexcept {
  return params.idle_w + (params.active_w - params.idle_w) * share;
}

/// As few appliances as read and write with these bandwidths.
inline double appliances_for(const ApplianceParams& params, const StorageTraffic& most) noexcept {
  constexpr double rounding = 1e-9;
  const double exact = std::max(most.read_b_per_s / params.read_b_per_s, most.write_b_per_s / params.write_b_per_s);
  return std::max(1.0, std::ceil(exact - rounding));
}

/// What is wrong with powers that each are in range: power does not fall with traffic.
inline std::vector<std::string> check(const ApplianceParams& params) {
  if (!(params.active_w < params.idle_w)) return {};
  return {"active_power of a storage appliance is below its idle_power"};
}

}  // namespace wattloop::workload
