// Margins of racks to their nearest limits, by hand: on made-up results in which no two numbers are equal.
#include "twin/results/reader/rack_margins.hpp"

#include <cmath>
#include <limits>
#include <regex>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/contrast.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/run/recording/rack_limits.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

/// Four racks at two times. Limits are written in another order than racks; the last rack has none.
class MadeUp {
 public:
  explicit MadeUp(bool has_limits = true) {
    ResultsWriter writer(folder_ / "x.h5", "2026-01-01T00:00:00");
    std::vector<LayoutBox> layout;
    for (int rack = 1; rack <= 4; ++rack)
      layout.push_back({"row_1.rack_" + std::to_string(rack), "rack", "", {rack * 1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}});
    writer.write_layout(layout);
    const std::vector<ColumnSpec> columns{{"max_die_temperature", "K", "die"},
                                          {"inlet_air_temperature", "K", "air"},
                                          {"return_temperature", "K", "coolant"}};
    const auto racks = writer.add_table({.group = "racks",
                                         .item_dimension = "rack",
                                         .items = {"row_1.rack_1", "row_1.rack_2", "row_1.rack_3", "row_1.rack_4"},
                                         .columns = columns});
    if (has_limits) {
      const auto limits = writer.add_table({.group = std::string(rack_limits_group),
                                            .item_dimension = "rack",
                                            .items = {"row_1.rack_3", "row_1.rack_2", "row_1.rack_1"},
                                            .columns = columns});
      //                                           die of 3, 2, 1        air of 3, 2, 1        coolant of 3, 2, 1
      writer.append(limits, 0.0,
                    std::vector<float>{360.0F, 361.0F, 362.0F, 308.0F, none, 309.0F, 350.0F, 340.0F, none});
    }
    //                                          die of 1 to 4                  air                             coolant
    writer.append(racks, 0.0,
                  std::vector<float>{330.0F, 331.0F, 332.0F, 333.0F, 298.0F, 299.0F, 300.0F, 301.0F, 320.0F, 321.0F,
                                     322.0F, 323.0F});
    writer.append(racks, 60.0,
                  std::vector<float>{359.0F, 352.0F, 363.0F, 354.0F, 297.5F, 312.0F, 306.0F, 303.0F, 325.0F, 337.5F,
                                     327.0F, 328.0F});
    writer.write_events(std::vector<EventRecord>{{30.0, "set", "loop_1.supply_temperature", ""}});
    writer.finish();
  }
  ResultsReader results() const { return ResultsReader(folder_ / "x.h5"); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the margin of a rack is that to its nearest limit, by its own name", "[margins]") {
  const MadeUp file;
  const ResultsReader results = file.results();
  const RackMargins margins(results);
  REQUIRE(margins.are_known());
  const std::vector<RackMargin> begin = margins.at(results, 0), later = margins.at(results, 1);
  REQUIRE(begin.size() == 4);
  CHECK(begin[0].margin_k == 11.0F);  // air 309 - 298, die 362 - 330
  CHECK(begin[0].nearest == RackLimit::inlet_air);
  CHECK(begin[1].margin_k == 19.0F);  // coolant 340 - 321, die 361 - 331; no limit of air
  CHECK(begin[1].nearest == RackLimit::coolant);
  CHECK(begin[2].margin_k == 8.0F);
  CHECK(!begin[3].has_limit());
  CHECK(later[0].margin_k == 3.0F);
  CHECK(later[0].nearest == RackLimit::die);
  CHECK(later[1].margin_k == 2.5F);
  CHECK(later[2].margin_k == -3.0F);  // die 360 - 363, air 308 - 306
  CHECK(later[2].nearest == RackLimit::die);
  CHECK(margins.limit_k(0, RackLimit::die) == 362.0);
  CHECK(margins.limit_k(2, RackLimit::inlet_air) == 308.0);
  CHECK(std::isnan(margins.limit_k(1, RackLimit::inlet_air)));
  CHECK(std::isnan(margins.limit_k(3, RackLimit::die)));
  CHECK(nearest_limits_words(margins, later) ==
        "die 88.85 degC (1 rack), coolant 66.85 degC (1 rack), die 86.85 degC (1 rack)");
  CHECK(nearest_limits_words(margins, later, false) == "die 88.85 degC, coolant 66.85 degC, die 86.85 degC");
}

TEST_CASE("files without limits of racks have no margins, and their plans show dies", "[margins]") {
  const MadeUp file(false);
  const ResultsReader results = file.results();
  CHECK(!RackMargins(results).are_known());
  CHECK(RackMargins(results).at(results, 0).empty());
  const std::string page = plans(results, RackTemperatures(results), 60.0);
  CHECK_THAT(page, Contains("Hottest die of each rack") && !Contains("argin"));
}

TEST_CASE("plans of a report have the colour, the number and the limit of each rack", "[margins]") {
  const MadeUp file;
  const ResultsReader results = file.results();
  const std::string page = plans(results, RackTemperatures(results), 60.0);
  const auto box = [](double margin_k, const std::string& words) {
    return "fill='" + margin_colour(margin_k) + "'><title>" + words + "</title>";
  };
  CHECK_THAT(page, Contains(box(11.0, "row_1.rack_1: 11.0 K to inlet air 35.85 degC")));
  CHECK_THAT(page, Contains(box(19.0, "row_1.rack_2: 19.0 K to coolant 66.85 degC")));
  CHECK_THAT(page, Contains(box(2.5, "row_1.rack_2: 2.5 K to coolant 66.85 degC")));
  CHECK_THAT(page, Contains(box(-3.0, "row_1.rack_3: -3.0 K to die 86.85 degC")));
  CHECK_THAT(page, Contains("fill='#bec4ca'><title>row_1.rack_4: not recorded</title>"));
  const std::size_t table = page.find("nearest to a limit at worst");
  REQUIRE(table != std::string::npos);
  CHECK_THAT(page.substr(table),
             Contains("<tr><td>row 1, rack 3</td><td>-3.0 K</td><td>die 86.85 degC</td></tr>\n"
                      "<tr><td>row 1, rack 2</td><td>2.5 K</td><td>coolant 66.85 degC</td></tr>\n"
                      "<tr><td>row 1, rack 1</td><td>3.0 K</td><td>die 88.85 degC</td></tr>\n</table>"));
}

TEST_CASE("plans in which no rack is near a limit show the margins by which racks differ, on a scale that fits all",
          "[margins]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_layout(std::vector<LayoutBox>{{"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
                                             {"row_1.rack_2", "rack", "", {2.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}});
  const std::vector<ColumnSpec> columns{{"max_die_temperature", "K", "die"}, {"inlet_air_temperature", "K", "air"}};
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  const auto racks = writer.add_table({.group = "racks", .item_dimension = "rack", .items = names, .columns = columns});
  const auto limits = writer.add_table(
      {.group = std::string(rack_limits_group), .item_dimension = "rack", .items = names, .columns = columns});
  writer.append(limits, 0.0, std::vector<float>{360.15F, 360.15F, 308.15F, 308.15F});
  writer.append(racks, 0.0, std::vector<float>{338.65F, 336.15F, 296.15F, 296.15F});   // dies 21.5 and 24 K, air 12 K
  writer.append(racks, 60.0, std::vector<float>{340.15F, 337.15F, 297.15F, 297.15F});  // 20 and 23 K, air 11 K
  writer.append(racks, 120.0, std::vector<float>{339.15F, 336.65F, 296.65F, 296.65F});
  writer.write_events(std::vector<EventRecord>{{30.0, "set", "loop_1.supply_temperature", ""}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::string page = plans(results, RackTemperatures(results), 60.0);
  const auto box = [](double margin_k, const std::string& words) {
    return "fill='" + quiet_colour(margin_k, {20.0, 24.0}) + "'><title>" + words + "</title>";
  };
  CHECK_THAT(page, Contains(box(21.5, "row_1.rack_1: 21.5 K to die 87 degC")) &&
                       Contains(box(24.0, "row_1.rack_2: 24.0 K to die 87 degC")) &&
                       Contains(box(20.0, "row_1.rack_1: 20.0 K to die 87 degC")));
  CHECK_THAT(page, Contains("No rack is near a limit (at worst 11.0 K to inlet air 35 degC, 2 racks within 0.1 K)") &&
                       Contains("Colours from 20 to 24 K") && !Contains("0: limit"));
  CHECK(quiet_colour(20.0, {20.0, 24.0}) == margin_colour(10.0));  // grey
  CHECK(quiet_colour(22.0, {20.0, 24.0}) == margin_colour(20.0));
  CHECK(quiet_colour(24.0, {20.0, 24.0}) == margin_colour(30.0));
  CHECK_THAT(page, Contains("<td>row 1, rack 1 and 2 (2 racks)</td><td>11.0 K</td><td>inlet air 35 degC</td>"));
  CHECK_THAT(page, Contains("Colours show the margin to die 87 degC, by which racks differ most. The table shows the "
                            "nearest limit of each rack: inlet air 35 degC.") &&
                       Contains("The maker of the nodes may allow less inlet air"));
}

TEST_CASE("of three limits the one by which racks differ most colours a quiet plan, wherever it stands", "[margins]") {
  const std::vector<ColumnSpec> columns{{"max_die_temperature", "K", "die"},
                                        {"inlet_air_temperature", "K", "air"},
                                        {"return_temperature", "K", "coolant"}};
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  // Air is nearest, and the same to both; by which of the others racks differ more goes round.
  const std::vector<std::vector<float>> of_racks{{340, 336, 296, 296, 310, 307.5F}, {340, 337.5F, 296, 296, 310, 306}};
  for (std::size_t k = 0; k < of_racks.size(); ++k) {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const auto racks =
        writer.add_table({.group = "racks", .item_dimension = "rack", .items = names, .columns = columns});
    const auto limits = writer.add_table(
        {.group = std::string(rack_limits_group), .item_dimension = "rack", .items = names, .columns = columns});
    writer.append(limits, 0.0, std::vector<float>{360, 360, 308, 308, 340, 340});
    writer.append(racks, 0.0, of_racks[k]);
    writer.finish();
    const ResultsReader results(folder / "x.h5");
    const std::optional<QuietMargins> quiet = quiet_margins(RackMargins(results), results, 0);
    REQUIRE(quiet);
    CHECK_THAT(quiet->words, Contains("12.0 K to inlet air"));
    CHECK_THAT(quiet->limits, Contains(k == 0 ? "die 86.85 degC" : "coolant 66.85 degC"));
    CHECK(quiet->margin_k == (k == 0 ? std::vector<float>{20, 24} : std::vector<float>{30, 34}));
  }
}

TEST_CASE("margins go from red at the limit over grey to blue, and keep to the ends of their scale", "[margins]") {
  CHECK(margin_colour(-10.0) == "#b40426");
  CHECK(margin_colour(10.0) == "#dddddd");
  CHECK(margin_colour(30.0) == "#3b4cc0");
  CHECK(margin_colour(-40.0) == margin_colour(-10.0));
  CHECK(margin_colour(90.0) == margin_colour(30.0));
  CHECK(margin_colour(std::nan("")) == "#bec4ca");
  CHECK_THAT(margin_scale(), Contains("<text x='180' y='34' text-anchor='middle'>0: limit</text>") &&
                                 Contains("<text x='660' y='34' text-anchor='end'>&#8805; +30 K</text>") &&
                                 Contains("<text x='20' y='34' text-anchor='start'>&#8804; -10 K</text>"));
  CHECK_THAT(quiet_scale({26.0, 28.0}), Contains("<text x='20' y='34' text-anchor='start'>+26 K</text>") &&
                                            Contains("<text x='660' y='34' text-anchor='end'>+28 K</text>"));
  CHECK_THAT(heat_scale(), Contains("text-anchor='start'>30</text>") && Contains("text-anchor='end'>95</text>"));
  CHECK_THAT(difference_scale(),
             Contains("text-anchor='start'>&#8804; -20</text>") && Contains("text-anchor='end'>&#8805; +20</text>"));
}

TEST_CASE("a run writes the limits that its scenario gives to firmware, of each rack", "[margins]") {
  Scenario scenario = small_hall_scenario();
  for (RacksSpec& group : scenario.racks) {
    group.hardware.protection.throttle_k = 351.5;
    group.hardware.inlet_air.slowdown_k = 307.25;
  }
  const Plant plant = build_plant(scenario);
  const TemporaryFolder folder;
  const auto limits_of = [&](const char* name) {
    ResultsWriter writer(folder / name, "2026-01-01T00:00:00");
    write_rack_limits(scenario, plant, writer);
    writer.finish();
    return ResultsReader(folder / name);
  };
  const std::string group(rack_limits_group);
  const ResultsReader results = limits_of("a.h5");
  REQUIRE(results.table(group).items.size() == plant.it.racks.size());
  CHECK(results.table(group).items.front() == plant.it.racks.front().name);
  CHECK(results.frame(group, "max_die_temperature", 0).back() == 351.5F);
  CHECK(results.frame(group, "inlet_air_temperature", 0).back() == 307.25F);
  CHECK(results.frame(group, "return_temperature", 0).back() > 330.0F);
  for (RacksSpec& racks : scenario.racks) racks.hardware.protection.is_enabled = false;
  const ResultsReader unprotected = limits_of("b.h5");
  CHECK(std::isnan(unprotected.frame(group, "max_die_temperature", 0).back()));
  CHECK(unprotected.frame(group, "inlet_air_temperature", 0).back() == 307.25F);
}

TEST_CASE("hatching of a rack of eight pixels in a plan has lines and gaps of 1.5 pixels, and a contrast of 3.5 : 1",
          "[margins]") {
  const std::vector<LayoutBox> layout{{"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}};
  const std::vector<std::string> racks{"row_1.rack_1"};
  const std::regex pattern("<pattern id='(\\w+)' width='([0-9.]+)'.*?<rect width='([0-9.]+)'.*?fill='(#\\w+)'/>"),
      hatched("fill='url\\(#(\\w+)\\)'");
  std::set<std::string> used;
  for (float margin_k = -12.0F; margin_k < 33.0F; margin_k += 1.0F) {
    const std::string svg =
        margin_plan(layout, racks, std::vector{margin_k}, std::vector<std::string>{"die"}, std::vector{8.0F});
    std::smatch of_rack;
    REQUIRE(std::regex_search(svg, of_rack, hatched));
    used.insert(of_rack[1]);
    std::string lines;
    for (std::sregex_iterator found(svg.begin(), svg.end(), pattern), end; found != end; ++found) {
      if ((*found)[1] != of_rack[1]) continue;
      const double pixels_per_metre = 8.0 / 0.6, pitch = std::stod((*found)[2]), line = std::stod((*found)[3]);
      CHECK(line * pixels_per_metre >= 1.5);
      CHECK((pitch - line) * pixels_per_metre >= 1.5);
      lines = (*found)[4];
    }
    REQUIRE(!lines.empty());
    INFO(margin_k << " K: " << lines << " on " << margin_colour(double(margin_k)));
    CHECK(contrast(lines, margin_colour(double(margin_k))) >= 3.5);
  }
  CHECK(used == std::set<std::string>{"down", "down_dark"});
}
