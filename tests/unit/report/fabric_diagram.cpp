// The picture of a fabric by tiers and islands, from numbers of results alone.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/drawings/diagrams/fabric_diagram.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

std::size_t count_of(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// Leaves and spines in so many islands below one tier of cores.
std::vector<DrawnFabricTier> islands(int count) {
  std::vector<DrawnFabricTier> tiers;
  for (const char* word : {"leaf", "spine"}) {
    for (int island = 1; island <= count; ++island)
      tiers.push_back({word + (".island_" + std::to_string(island)), 64.0, 2048.0, 0.0, 0.0, 0.25, 0.5});
  }
  tiers.push_back({"core", 32.0, 1024.0, 0.0, 0.0, 0.1, 0.2});
  return tiers;
}

}  // namespace

TEST_CASE("a fabric is drawn tier by tier, the top first, with an island for each column",
          "[diagram][fabric_diagram]") {
  std::vector<DrawnFabricTier> tiers = islands(4);
  tiers[1].failed_switches = 1.0;
  tiers[1].impaired_links = 40.0;
  const std::string svg = fabric_diagram(tiers);
  CHECK(svg.find("core: 32 switches") < svg.find("spine: 256 switches"));
  CHECK(svg.find("spine: 256 switches") < svg.find("leaf: 256 switches"));
  CHECK_THAT(svg, Contains("in 4 islands") && Contains("8192 links down: load 25 %, most 50 %"));
  CHECK(count_of(svg, ">1 switch failed, 40 links impaired<") == 1);  // of the tier; a box has it in its title
  CHECK_THAT(svg, Contains("<title>leaf.island_2: 64 switches, load of links down 25 %, most 50 %, 1 switch failed, 40 "
                           "links impaired</title>"));
  CHECK(count_of(svg, "stroke='#d55e00' stroke-width='2.5'") == 2);  // the box, and the scale
  CHECK(count_of(svg, "<title>") == 1 + tiers.size());
  CHECK(fabric_diagram(std::vector<DrawnFabricTier>{}).empty());
}

TEST_CASE("a fabric of many islands keeps its width and has no text in narrow boxes", "[diagram][fabric_diagram]") {
  const std::string few = fabric_diagram(islands(4)), many = fabric_diagram(islands(49));
  CHECK(many.substr(0, 40) == few.substr(0, 40));  // the view box
  CHECK_THAT(few, Contains(">island 3<"));
  CHECK_THAT(many, !Contains(">island 3<"));
  CHECK(many.size() < 100'000);
}
