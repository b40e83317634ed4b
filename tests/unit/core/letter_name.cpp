#include "core/text/letter_name.hpp"

#include <set>

#include "tests/support/catch.hpp"

using wattloop::letter_name;

TEST_CASE("machines beyond the twenty-sixth have two letters, and no two have one name", "[letter_name]") {
  CHECK(letter_name(0) == "a");
  CHECK(letter_name(25) == "z");
  CHECK(letter_name(26) == "aa");
  CHECK(letter_name(51) == "az");
  CHECK(letter_name(52) == "ba");
  CHECK(letter_name(26 + 26 * 26 - 1) == "zz");
  CHECK(letter_name(26 + 26 * 26) == "aaa");
  std::set<std::string> names;
  for (std::size_t number = 0; number < 2000; ++number) names.insert(letter_name(number));
  CHECK(names.size() == 2000);
}
