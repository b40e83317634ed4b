// Expected distances are counted by hand.
#include "core/text/nearest.hpp"

#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop;

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps", "[nearest]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("pump", "pump") == 0);
  CHECK(edit_distance("", "pump") == 4);
  CHECK(edit_distance("pump", "pumps") == 1);
  CHECK(edit_distance("valve", "vlave") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("conductence", "conductance") == 1);
  CHECK(edit_distance("ab", "ba") == 1);
}

TEST_CASE("the nearest name is found whatever its case, and only if it is near", "[nearest]") {
  const std::vector<std::string> names{"supply_temperature", "volume", "pump_speed", "kW"};
  CHECK(nearest("suply_temperature", names) == "supply_temperature");
  CHECK(nearest("Volume", names) == "volume");
  CHECK(nearest("pmup_speed", names) == "pump_speed");
  CHECK(nearest("kw", names) == "kW");
  CHECK(nearest("kV", names).empty());
  CHECK(nearest("coolant", names).empty());
  CHECK(nearest("supply_t", names) == "supply_temperature");
  CHECK(nearest("su", names).empty());
  CHECK(nearest("x", {}).empty());
}

TEST_CASE("the hint names the nearest name, else a short list, else nothing", "[nearest]") {
  const std::vector<std::string> few{"hold", "zero"};
  CHECK(nearest_hint("hodl", few) == "did you mean 'hold'?");
  CHECK(nearest_hint("interpolate", few) == "known: hold, zero");
  const std::vector<std::string> many(20, "something_long");
  CHECK(nearest_hint("x", many).empty());
}
