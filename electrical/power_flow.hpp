// Power in every part of a power tree at one instant.
#pragma once

#include <vector>

namespace wattloop::electrical {

/// Power everywhere, W.
struct PowerFlow {
  std::vector<double> branch_output_w;          ///< [branches]
  std::vector<double> branch_loss_w;            ///< [branches]
  std::vector<double> branch_input_w;           ///< [branches], from upstream, recharging included: 0 on battery
  std::vector<double> branch_battery_w;         ///< [branches], from the branch's own battery; negative into it
  std::vector<double> branch_loading_fraction;  ///< [branches], output over rating
  std::vector<double> bus_w;                    ///< [buses], all that they pass on
  std::vector<double> source_w;                 ///< [sources]
  std::vector<double> source_loading_fraction;  ///< [sources], power over rating; 0 where that is not known
  std::vector<double> load_served_w;            ///< [loads], 0 on dead buses
  std::vector<double> room_loss_w;              ///< [rooms]
  double outdoor_loss_w = 0.0;
  double loss_w = 0.0;    ///< of all branches, indoors and outdoors
  double served_w = 0.0;  ///< of all loads
  double source_total_w = 0.0;
  double battery_total_w = 0.0;  ///< negative while batteries recharge more than others give
};

}  // namespace wattloop::electrical
