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
