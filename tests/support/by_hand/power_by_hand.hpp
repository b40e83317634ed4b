// Power up the one-line diagram by hand: what hangs on a bus and what feeds it by their names, losses by the data sheets of the
// scenario. Which buses are live and what each branch does is read from the switches.
#pragma once

#include <string>

#include "tests/support/by_name.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::tests {

struct BranchByHand {
  double output_w = 0.0, loss_w = 0.0, input_w = 0.0, battery_w = 0.0, rated_w = 0.0;
};

class PowerByHand {
 public:
  explicit PowerByHand(const twin::PowerSpec& spec) : spec_(spec) {}

  BranchByHand branch(const Instant& now, const std::string& name) const;
  double source_w(const Instant& now, const std::string& name) const;
  double all_sources_w(const Instant& now) const;
  /// Of all branches whose name begins so.
  double losses_w(const Instant& now, const std::string& prefix) const;
  double batteries_w(const Instant& now) const;

 private:
  double demand_w(const Instant& now, std::size_t bus) const;
  BranchByHand branch(const Instant& now, std::size_t number) const;

  twin::PowerSpec spec_;
};

}  // namespace wattloop::tests
