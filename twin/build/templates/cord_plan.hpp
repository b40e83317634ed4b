// How loads are laid over blocks of power: which blocks the cords of a rack go to, and which ones the transfer switch of a motor
// chooses from.
//
//   single        one block, in turn
//   2N            both of two; motors prefer them in turn
//   block         one of those that carry, in turn, and the reserve, which takes over: racks have a static switch
//   distributed   two of n, all pairs in turn, neighbours first: with one block out each of the others carries n / (n - 1) of what
//                 it did
//
// A plan is that of some loads, which may hang on all blocks or on some. Tested by hand in tests/unit/scenario/power_blocks.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/scenario/specs/power_spec.hpp"

namespace wattloop::twin {

/// Where a cord goes. `turn`, `slot` and `slots` spread cords over the PDUs of the block, those of each slot alike: so the racks that
/// have their other cord on one block hang on all PDUs of this one.
struct Cord {
  std::size_t block = 0;
  std::size_t turn = 0;             ///< how many of its slot hang there before it
  std::size_t slot = 0, slots = 1;  ///< among the cords that go there in one round of turns

  std::size_t pdu_of(std::size_t pdus) const { return (turn + slot * pdus / slots) % pdus; }
};

class CordPlan {
 public:
  /// `blocks`: numbers of those that the loads may hang on; `reserve` may be among them. Fewer than the redundancy needs give what
  /// cords can be.
  CordPlan(std::string_view redundancy, std::vector<std::size_t> blocks, std::optional<std::size_t> reserve);

  /// Of the rack of that number: one or two.
  std::vector<Cord> cords(std::size_t rack) const;
  /// Blocks that a motor draws from: the first that is live.
  std::vector<std::size_t> motor_blocks(std::size_t motor) const;
  /// How many motors hang on the same blocks, in the same order, before it.
  std::size_t motor_turn(std::size_t motor) const { return motor / motor_turns_.size(); }
  /// Whether the second cord of a rack waits behind a static switch; else both share.
  bool racks_transfer() const { return racks_transfer_; }

 private:
  using Turn = std::vector<std::size_t>;

  std::vector<Turn> turns_;        ///< blocks of racks, again and again
  std::vector<Turn> motor_turns_;  ///< the same of motors
  bool racks_transfer_ = false;
};

/// Names of the blocks that these are, in the order of the blocks; none where they are all of them: any.
std::vector<std::string> named_blocks(const PowerSpec& power, std::span<const std::string> on);

/// The plan of loads that hang on the blocks of these names; without names on any. Names of blocks that are not there are left out.
CordPlan cord_plan(const PowerSpec& power, std::span<const std::string> on = {});

}  // namespace wattloop::twin
