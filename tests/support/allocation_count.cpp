#include "tests/support/allocation_count.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t calls = 0;
}

void* operator new(std::size_t size) {
  ++calls;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace wattloop::tests {

AllocationCount::AllocationCount() : start_(calls) {}
std::size_t AllocationCount::allocations() const { return calls - start_; }

}  // namespace wattloop::tests
