// One key for the same flows.
#include "twin/units/flow_key.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "tests/support/catch.hpp"

namespace wattloop::tests {

namespace {

using twin::FlowKey;
using Ports = std::array<PortNow, 2>;

constexpr Ports begin{PortNow{300.0, 0.01, 3800.0}, PortNow{290.0, 0.2, 1006.0}};
constexpr Ports end{PortNow{301.0, 0.02, 3800.0}, PortNow{291.0, 0.2, 1006.0}};

}  // namespace

TEST_CASE("flows are the same to the bit, whatever their temperatures", "[flow key]") {
  const FlowKey<2> key(1.0, begin, end);
  Ports warmer = begin;
  for (PortNow& port : warmer) port.temperature_k += 7.0;
  CHECK(FlowKey<2>(1.0, warmer, end) == key);
  CHECK(FlowKey<2>(1.0, warmer, end).place(9) == key.place(9));
  CHECK(FlowKey<2>(2.0, begin, end) != key);
  CHECK(FlowKey<2>(1.0, end, begin) != key);
  for (std::size_t p = 0; p < 2; ++p) {
    Ports other = begin;
    other[p].flow_kg_per_s = std::nextafter(other[p].flow_kg_per_s, 1.0);
    CHECK(FlowKey<2>(1.0, other, end) != key);
    CHECK(FlowKey<2>(other) != FlowKey<2>(begin));
    other = begin;
    other[p].specific_heat_j_per_kg_k += 1e-9;
    CHECK(FlowKey<2>(1.0, other, end) != key);
    other = end;
    other[p].flow_kg_per_s = std::nextafter(other[p].flow_kg_per_s, 1.0);
    CHECK(FlowKey<2>(1.0, begin, other) != key);
  }
}

TEST_CASE("a key of nothing is that of no flows", "[flow key]") {
  const FlowKey<2> none;
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const Ports nothing{};
  const Ports wrong{PortNow{not_a_number, not_a_number, not_a_number},
                    PortNow{not_a_number, not_a_number, not_a_number}};
  CHECK(none != FlowKey<2>(nothing));
  CHECK(none != FlowKey<2>(begin));
  CHECK(none != FlowKey<2>(not_a_number, wrong, wrong));
}

TEST_CASE("stations with fewer ports than a key has room for have keys, too", "[flow key]") {
  const std::span one = std::span(begin).first(1);
  Ports other = begin;
  other[1].flow_kg_per_s = 5.0;
  CHECK(FlowKey<2>(one) == FlowKey<2>(std::span<const PortNow>(other).first(1)));
  CHECK(FlowKey<2>(one) != FlowKey<2>(begin));
}

}  // namespace wattloop::tests
