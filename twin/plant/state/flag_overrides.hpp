// Flags of parts (failed, open) that events set: permanent values, and temporary overrides on top of them.
//
// A temporary override hides the value below and does not change it: when it ends, the flag has the value that it would have without it. The
// last of several temporary overrides is in force; a permanent value ends them all. So two failures that overlap last until the later
// end, and a part that failed permanently meanwhile stays failed. Of a part of the fabric the largest loss is in force.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wattloop::twin {

/// One flag of a part while it has temporary overrides: failed, or open.
struct FlagOverride {
  struct Temporary {
    std::size_t pair = 0;  ///< of the events that begin and end it
    std::uint8_t value = 0;
  };
  enum class Flag {
    motor_failed,
    branch_failed,
    branch_open,
    source_failed,
    source_open,
    module_failed,
    load_open,
    fans_failed,
    node_failed,
    gpu_slow,      ///< its value is the clock in percent, 0: full
    node_drained,  ///< known by its order alone, which lasts as long as the node is drained
    fabric_lost    ///< the same; its value is what a part of the fabric has lost, in percent, 100: it failed
  };
  Flag flag = Flag::motor_failed;
  std::size_t part = 0;      ///< number among the parts of its kind
  std::uint8_t lasting = 0;  ///< its value without them
  std::vector<Temporary> temporary = {};

  std::uint8_t value() const {
    if (flag != Flag::fabric_lost) return temporary.empty() ? lasting : temporary.back().value;
    std::uint8_t most = lasting;  // what failed is not better because it is slow, too
    for (const Temporary& one : temporary) most = std::max(most, one.value);
    return most;
  }
};

/// One flag of one part, and the list of its overrides while any is temporary.
struct OrderedFlag {
  std::vector<FlagOverride>& orders;
  FlagOverride::Flag flag;
  std::size_t part;
  std::uint8_t& value;

  auto find() const {
    return std::find_if(orders.begin(), orders.end(),
                        [this](const FlagOverride& order) { return order.flag == flag && order.part == part; });
  }

  /// From now on.
  void set(std::uint8_t requested) const {
    if (const auto order = find(); order != orders.end()) orders.erase(order);
    value = requested;
  }

  /// Until `end` with the same pair.
  void set_for_a_while(std::uint8_t requested, std::size_t pair) const {
    if (find() == orders.end()) orders.push_back({.flag = flag, .part = part, .lasting = value});
    find()->temporary.push_back({pair, requested});
    value = requested;
  }

  /// False where there is nothing to end any more, because a permanent value was set meanwhile.
  bool end(std::size_t pair) const {
    const auto order = find();
    if (order == orders.end()) return false;
    const auto erased = std::erase_if(order->temporary, [pair](const auto& one) { return one.pair == pair; });
    value = order->value();
    if (order->temporary.empty()) orders.erase(order);
    return erased > 0;
  }
};

}  // namespace wattloop::twin
