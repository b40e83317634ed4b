// Counts of electrical equipment for racks laid over blocks of power: pure functions of figures.
#pragma once

#include <string>
#include <vector>

#include "twin/sizing/figures.hpp"

namespace wattloop::twin {

/// Blocks of power as `redundancy` lays racks over them.
struct BlockPlan {
  std::string redundancy = "2N";  ///< as asked: N, N+1, 2N, block, distributed
  int blocks = 2;                 ///< those that carry; `block` has a reserve besides
  int racks = 1;

  /// As the scenario language says it.
  std::string said() const;
  bool has_reserve() const { return redundancy == "block"; }
  int all_blocks() const { return blocks + (has_reserve() ? 1 : 0); }
  /// The scenario's names: a, b, c and so on, the reserve r.
  std::vector<std::string> names() const;
};

/// Two sides, one path, or as many blocks as keep each below two of the largest transformers.
BlockPlan plan_blocks(const std::string& redundancy, int racks, double it_w);

/// Racks that the fullest block carries, and the fullest of its PDUs, with nothing out and with the worst block out.
struct WorstRacks {
  double block_whole = 0.0, block_worst = 0.0, pdu_worst = 0.0;
};
WorstRacks worst_racks(const BlockPlan& plan, int pdus);

/// Share of the load of the whole hall that a block carries while another block is out.
double worst_share(const BlockPlan& plan);

/// Equal devices in parallel.
struct PowerCount {
  PowerFigures device;
  int count = 1, spare = 0;
  double load_w = 0.0;
  double rated_w() const { return device.rated_w * count; }
};

struct BlockSizes {
  PowerCount pdus, ups, transformers, generators;
  int low_voltage_buses = 1;                                          ///< that all of them are divided among
  double pdu_loss_w = 0.0, ups_loss_w = 0.0, ups_loss_whole_w = 0.0;  ///< of a block; the last with nothing out
};

/// PDUs, then the UPS of a block. `motors_w`: of all motors that the UPS feeds; `largest_w`: of the largest of them.
BlockSizes size_ups(const BlockPlan& plan, double rack_w, double motors_w, double largest_w,
                    const LibraryFigures& library);

/// Transformers and generators for the power that PDUs and UPS draw, and for motors of the hall that no UPS feeds.
void size_feeds(const BlockPlan& plan, double motors_w, double largest_w, const LibraryFigures& library,
                BlockSizes& sizes);

}  // namespace wattloop::twin
