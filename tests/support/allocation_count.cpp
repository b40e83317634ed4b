#include "tests/support/allocation_count.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t calls = 0;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++calls;
  return std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}

void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return operator new(size, std::nothrow); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace wattloop::tests {

AllocationCount::AllocationCount() : start_(calls) {}
std::size_t AllocationCount::allocations() const { return calls - start_; }

}  // namespace wattloop::tests
