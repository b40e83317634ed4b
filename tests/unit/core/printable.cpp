#include "core/text/printable.hpp"

#include <algorithm>
#include <string>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;

TEST_CASE("control characters are escaped, all other text is left alone", "[printable]") {
  CHECK(printable("Größe 45 °C, ${x}\\") == "Größe 45 °C, ${x}\\");
  CHECK(printable("\x1b[31mred\a\t\n\x7f") == "\\x1b[31mred\\x07\\t\\n\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m \xc2\xa0") == "\\x9b31m \xc2\xa0");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("the caret stands where it is meant to when characters before it take more room", "[printable]") {
  const Problem problem{{"a.yaml", 3, 5},
                        "wrong",
                        "",
                        "\x1b"
                        "x: y"};
  CHECK(format_problem(problem) == "a.yaml:3:5: wrong\n    3 | \\x1bx: y\n      |        ^\n");
}

TEST_CASE("of many problems a hundred are reported, and how many more there are", "[printable]") {
  Problems problems;
  for (int i = 0; i < 150; ++i) problems.add({{"a", i + 1, 0}, "wrong", "", ""});
  try {
    problems.throw_if_any("a");
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    const std::string text = error.what();
    CHECK(std::count(text.begin(), text.end(), '\n') == 101);
    CHECK_THAT(text, Catch::Matchers::EndsWith("a:100: wrong\nand 50 more\n150 problems in a"));
    CHECK(error.problems().size() == 150);
  }
}
