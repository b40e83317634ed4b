#include "core/text/count_text.hpp"

#include <cstdint>

#include "tests/support/catch.hpp"

using namespace wattloop;

TEST_CASE("one is singular, and every other count is plural", "[text]") {
  CHECK(count_text(0, "rack") == "0 racks");
  CHECK(count_text(1, "rack") == "1 rack");
  CHECK(count_text(std::size_t{2}, "storage rack") == "2 storage racks");
  CHECK(count_text(std::int64_t{-1}, "rack") == "-1 racks");
  CHECK(count_text(std::size_t{10240}, "GPU") == "10240 GPUs");
}

TEST_CASE("names of keys are words in texts", "[text]") {
  CHECK(words_of_name("return_water_temperature") == "return water temperature");
  CHECK(words_of_name("") == "");
}
