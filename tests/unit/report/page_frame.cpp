// What readers without eyes or mouse get of a page: names of pictures, heads of tables, a list of contents.
#include "twin/report/run/page_frame.hpp"

#include "tests/support/catch.hpp"

using namespace wattloop::twin;
using Catch::Contains;

TEST_CASE("pictures of a page have a role and the name of their section", "[page_frame]") {
  const std::string page =
      section("Where it's hot",
              "<svg class='plan' viewBox='0 0 1 1'></svg><svg viewBox='0 0 2 2'></svg>"
              "<canvas id='heat_map' width='3'></canvas><svg class='scale' role='img' aria-label='x'></svg>");
  CHECK_THAT(page, Contains("<svg class='plan' role='img' aria-label='Where it&#39;s hot' viewBox='0 0 1 1'>"));
  CHECK_THAT(page, Contains("<svg role='img' aria-label='Where it&#39;s hot' viewBox='0 0 2 2'>"));
  CHECK_THAT(page, Contains("<canvas role='img' aria-label='Where it&#39;s hot' id='heat_map' width='3'>"));
  CHECK_THAT(page, Contains("<svg class='scale' role='img' aria-label='x'></svg>"));
}

TEST_CASE("heads of tables have a scope and are repeated on each sheet", "[page_frame]") {
  const std::string page = section("T", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>");
  CHECK_THAT(page, Contains("<thead><tr><th scope='col'>a</th><th scope='col'>b</th></tr></thead><tr><td>1"));
}

TEST_CASE("pictures with many texts keep their width on a phone, each in a box of its own that moves", "[page_frame]") {
  const std::string page =
      section("T", "<svg class='lanes' viewBox='0 0 1 1'></svg><p>x</p><svg class='sankey'></svg>");
  CHECK_THAT(
      page,
      Contains("<div class='wide'><svg class='lanes' role='img' aria-label='T' viewBox='0 0 1 1'></svg></div><p>"));
  CHECK_THAT(page, Contains("<p>x</p><div class='wide'><svg class='sankey' role='img' aria-label='T'></svg></div>"));
  CHECK_THAT(section("T", "<svg class='plan'></svg>"), !Contains("class='wide'"));
}

TEST_CASE("rows of tables of many columns, and of those that ask for it, become lines on a phone", "[page_frame]") {
  const std::string heads = "<tr><th>part</th><th>limit</th><th></th><th>worst</th></tr>\n",
                    row = "<tr class='x'><td>a</td><td class='number'>1</td><td>-</td><td>2</td></tr>\n";
  const std::string page = section("T", "<p>before</p><table>" + heads + row + row + "</table><p>behind</p>");
  const std::string cells =
      "<tr class='x'><td data-head='part'>a</td><td data-head='limit' class='number'>1</td>"
      "<td>-</td><td data-head='worst'>2</td></tr>\n";
  CHECK_THAT(page, Contains("<p>before</p><table class='lines'><thead><tr><th scope='col'>part</th>") &&
                       Contains("</thead>\n" + cells + cells + "</table><p>behind</p>"));
  CHECK_THAT(section("T", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"),
             !Contains("data-head") && !Contains("lines"));
  CHECK_THAT(section("T", "<table class='lines'><tr><th>a</th></tr><tr><td>1</td></tr></table>"),
             Contains("<table class='lines'><thead>") && Contains("<td data-head='a'>1</td>"));
}

TEST_CASE("a page says of what is wider than its column that it moves", "[page_frame]") {
  CHECK_THAT(page_begin(report_head, "t", "b"), Contains("move it sideways") && Contains(".on_phone{display:none}"));
  CHECK_THAT(page_end(), Contains("classList.toggle('moves', moves)") && Contains("</body></html>"));
}
