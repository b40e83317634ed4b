#include "core/text/name_pattern.hpp"

#include "tests/support/catch.hpp"

using namespace wattloop;

TEST_CASE("a pattern without a wildcard fits only itself", "[name_pattern]") {
  CHECK(fits_pattern("cdu_7.pump_a", "cdu_7.pump_a"));
  CHECK_FALSE(fits_pattern("cdu_7.pump_a", "cdu_7"));
  CHECK_FALSE(fits_pattern("cdu_7", "cdu_7.pump_a"));
  CHECK(fits_pattern("", ""));
  CHECK_FALSE(has_wildcard("cdu_7"));
  CHECK(has_wildcard("cdu_*"));
}

TEST_CASE("a star stands for any text, none included", "[name_pattern]") {
  CHECK(fits_pattern("cdu_7", "cdu_*"));
  CHECK(fits_pattern("cdu_", "cdu_*"));
  CHECK(fits_pattern("cdu_12", "*_12"));
  CHECK(fits_pattern("a_xbxb", "a_*b"));
  CHECK(fits_pattern("aXbYbZc", "a*b*c"));
  CHECK_FALSE(fits_pattern("aXbYbZ", "a*b*c"));
  CHECK_FALSE(fits_pattern("pump_7", "cdu_*"));
}

TEST_CASE("a star does not reach over a dot", "[name_pattern]") {
  CHECK(fits_pattern("cdu_7.pump_a", "cdu_*.pump_a"));
  CHECK(fits_pattern("row_3.rack_12.node_4", "row_*.*.node_4"));
  CHECK_FALSE(fits_pattern("cdu_7.pump_a", "cdu_*"));
  CHECK_FALSE(fits_pattern("cdu_7.pump_a", "*"));
  CHECK_FALSE(fits_pattern("row_3.rack_12.node_4", "row_*.node_4"));
  CHECK_FALSE(fits_pattern("cdu_7.pump_b", "cdu_*.pump_a"));
}

TEST_CASE("fitting names are given by their numbers in their order", "[name_pattern]") {
  NameIndex names({"cdu_1.pump_a", "cdu_1.pump_b", "cdu_2.pump_a", "loop_1"});
  CHECK(names.fitting("cdu_*.pump_a") == std::vector<std::size_t>{0, 2});
  CHECK(names.fitting("loop_1") == std::vector<std::size_t>{3});
  CHECK(names.fitting("tower_*").empty());
  CHECK(names.fitting("cdu_1").empty());
  CHECK(names.add("loop_2") == 4);
  CHECK(names.add("cdu_1.pump_b") == 1);
  CHECK(names.names().size() == 5);
}

TEST_CASE("each star of a pattern stands for a text of the name", "[name_pattern]") {
  using Texts = std::vector<std::string>;
  CHECK(stars_of("row_3.rack_12.node_4", "row_*.*.node_4") == Texts{"3", "rack_12"});
  CHECK(stars_of("cdu_7", "cdu_*") == Texts{"7"});
  CHECK(stars_of("cdu_", "cdu_*") == Texts{""});
  CHECK(stars_of("a_xbxb", "a_*b") == Texts{"xbx"});
  CHECK(stars_of("cdu_7", "cdu_7").empty());
}
