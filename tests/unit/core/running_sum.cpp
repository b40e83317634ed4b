// Sums that stay in registers are those of a plain loop, bit by bit, also where two add to the same places.
#include "core/numbers/running_sum.hpp"

#include <random>
#include <vector>

#include "tests/support/catch.hpp"

namespace wattloop::tests {

TEST_CASE("running sums are those of a plain loop, to the bit", "[running_sum]") {
  std::mt19937 random(16);
  std::uniform_int_distribution<std::size_t> any_place(0, 4), any_length(1, 6);
  std::uniform_real_distribution<double> any_number(-1.0, 1.0);
  std::vector<double> plain{1.0, -2.0, 0.0, 0.5, 3.0}, together = plain;
  {
    RunningSum first(together), second(together);
    for (int interval = 0; interval < 1000; ++interval) {
      const std::size_t a = any_place(random), b = any_place(random);
      for (std::size_t k = any_length(random); k > 0; --k) {
        const double x = any_number(random), y = any_number(random);
        plain[a] += x;
        plain[b] += y;
        first.add(a, x, second);
        second.add(b, y, first);
      }
    }
  }
  CHECK(together == plain);
}

}  // namespace wattloop::tests
