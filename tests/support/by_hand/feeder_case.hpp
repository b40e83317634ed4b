// A feeder of the reference data, data/electrical/NAME: buses with their loads, branches in ohm, and the voltages of another program.
#pragma once

#include <string>
#include <vector>

#include "electrical/admittance/ac_network.hpp"

namespace wattloop::tests {

struct FeederCase {
  electrical::AcNetwork network;             ///< a load for each bus, constant power; buses are named by their number
  std::vector<electrical::Complex> load_va;  ///< [loads]
  std::vector<double> solved_ratio;          ///< [buses]
  std::vector<double> solved_degrees;        ///< [buses]
};

/// Skips the test without reference data.
FeederCase read_feeder_case(const std::string& name);

/// The branch between two buses.
electrical::AcBranch& branch_between(FeederCase& feeder, const std::string& one, const std::string& other);

/// All loads with these shares.
void share_loads(FeederCase& feeder, const electrical::VoltageShares& shares);

}  // namespace wattloop::tests
