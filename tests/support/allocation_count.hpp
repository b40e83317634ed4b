// Counts calls of operator new on the thread that asks, from construction on. Linking it replaces the global operators.
#pragma once

#include <cstddef>

namespace wattloop::tests {

class AllocationCount {
 public:
  AllocationCount();
  std::size_t allocations() const;

 private:
  std::size_t start_;
};

}  // namespace wattloop::tests
