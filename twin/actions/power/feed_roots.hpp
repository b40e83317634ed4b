// Where the power of a live bus comes from in the end.
#pragma once

#include <string>

#include "electrical/power_tree.hpp"

namespace wattloop::twin {

/// A source, or equipment that makes its own voltage; without a name where the bus is dead.
struct FeedRoot {
  std::string name;
  bool is_standby = false;
  bool operator==(const FeedRoot&) const = default;
};

FeedRoot root_of(const electrical::PowerTree& tree, const electrical::SwitchState& switches, int bus);

/// Whether a live branch, carrying or not, leads to the bus from what does not stand by: generators are no feed of others.
bool has_feed(const electrical::PowerTree& tree, const electrical::SwitchState& switches, std::size_t bus);

}  // namespace wattloop::twin
