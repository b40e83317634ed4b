// Which values come from which source, in the text of a scenario as results keep it.
#include "twin/report/run/value_sources.hpp"

#include "tests/support/catch.hpp"

using namespace wattloop::twin;

TEST_CASE("values are reported by name, with their sections, below the sources that they name", "[report]") {
  const ValuesBySource found = values_by_source(
      "title: \"a: b\"\n"
      "library:\n"
      "  cold_plate:\n"
      "    die_heat_capacity:\n"
      "      value: 60 J/K\n"
      "      source: estimate\n"
      "    width:\n"
      "      value: 0.5 m\n"
      "      source: a_datasheet\n"
      "    plain: 3 K\n"
      "    hardware:\n"
      "      depth:\n"
      "        value: 0.1 m\n"
      "        source: a_datasheet\n"
      "  parts:\n"
      "    - kind: fan\n"
      "      power:\n"
      "        value: 340 W\n"
      "        source: estimate\n");
  CHECK(found == ValuesBySource{{"a_datasheet", {"cold_plate.width 0.5 m", "cold_plate.depth 0.1 m"}},
                                {"estimate", {"cold_plate.die_heat_capacity 60 J/K", "parts.power 340 W"}}});
  CHECK(values_by_source("title: x\n").empty());
}
