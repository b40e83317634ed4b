// Two columns of a study as a picture: where points stand by hand, colours, what is missing, texts along an axis, names that are none.
#include "twin/report/study/study_chart.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
using Kind = TableColumn::Kind;

namespace {

/// supply 30, 35, 40, 45 degC with and without a lost CDU; die = supply + 25, 8 hotter without the CDU.
StudyTable sample_table() {
  StudyTable table{.title = "losses & <tags>",
                   .runs = 8,
                   .columns = {{"supply", "degC", "", Kind::number, true},
                               {"part", "", "", Kind::text, true},
                               {"die", "degC", "", Kind::number, false},
                               {"die <= 70 degC", "", "", Kind::verdict, false}}};
  for (int k = 0; k < 8; ++k) {
    const double supply = 30.0 + 5.0 * (k / 2), die = supply + 25.0 + (k % 2 == 1 ? 8.0 : 0.0);
    table.rows.push_back({.run = static_cast<std::size_t>(k + 1),
                          .cells = {fmt::format("{}", supply), k % 2 == 1 ? "cdu_1" : "", fmt::format("{}", die),
                                    die <= 70.0 ? "held" : "violated"}});
  }
  return table;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("columns of a study stand where their axes say, a line for each colour", "[study_chart]") {
  const std::string svg = study_chart_file(sample_table(), {.x = "supply", .y = "die", .by = "part"});
  CHECK(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  CHECK_THAT(svg, Contains("losses &amp; &lt;tags&gt;") && Contains("die over supply, colours: part; 8 runs<"));
  CHECK_THAT(svg, Contains(">supply, degC<") && Contains(">die, degC<") && Contains(">none<") && Contains(">cdu_1<"));
  // Axes go 4 % of the range beyond it: 29.4 to 45.6 over 760, 54.08 to 78.92 over 340 from 366 upwards.
  const auto x = [](double supply) { return 70.0 + 760.0 * (supply - 29.4) / 16.2; };
  const auto y = [](double die) { return 366.0 - 340.0 * (die - 54.08) / 24.84; };
  for (const auto& [supply, die] : {std::pair{30.0, 55.0}, {45.0, 70.0}, {30.0, 63.0}, {45.0, 78.0}})
    CHECK_THAT(svg, Contains(fmt::format("M{:.1f} {:.1f}h0", x(supply), y(die))));
  CHECK_THAT(svg, Contains(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x(30.0), y(55.0), x(35.0), y(60.0))));
  CHECK(count(svg, "stroke-linejoin") == 2);
}

TEST_CASE("verdicts have colours of their own, and runs at one place are dots", "[study_chart]") {
  const std::string svg = study_chart_file(sample_table(), {.x = "supply", .y = "die", .by = "die <= 70 degC"});
  CHECK(count(svg, "stroke-linejoin") == 0);  // two are met at 30 degC
  CHECK_THAT(svg,
             Contains(">held<") && Contains(">violated<") && Contains("fill='#009e73'") && Contains("fill='#d55e00'"));
  StudyTable drawn = sample_table();
  drawn.is_drawn = true;
  CHECK(count(study_chart_file(drawn, {.x = "supply", .y = "die", .by = "part"}), "stroke-linejoin") == 0);
}

TEST_CASE("values that a run does not have are counted, not drawn", "[study_chart]") {
  StudyTable table = sample_table();
  table.rows[7].cells[2] = "";
  const std::string svg = study_chart_file(table, {.x = "supply", .y = "die"});
  CHECK_THAT(svg, Contains("die over supply; 8 runs, 1 without a value<"));
  for (StudyRow& row : table.rows) row.cells[2] = "";
  CHECK_THROWS_WITH(study_chart_file(table, {.x = "supply", .y = "die"}), Contains("no run has both values"));
}

TEST_CASE("texts stand along an axis in the order in which they come", "[study_chart]") {
  const std::string svg = study_chart_file(sample_table(), {.x = "part", .y = "die <= 70 degC", .by = "die"});
  CHECK_THAT(svg, Contains(">none</text>") && Contains(">cdu_1</text>") && Contains("rotate(-35"));
  CHECK(svg.find(">held</text>") < svg.find(">violated</text>"));
  CHECK_THAT(svg, Contains("M260.0 281.0h0"));  // "none" and "held": a quarter from the left, a quarter from below
}

TEST_CASE("numbers of many values are distinguished by fifths", "[study_chart]") {
  StudyTable table = sample_table();
  for (int k = 0; k < 100; ++k)
    table.rows.push_back(
        {.run = static_cast<std::size_t>(k + 9),
         .cells = {fmt::format("{}", 30.0 + 0.15 * k), "", fmt::format("{}", 55.0 + 0.1 * k), "held"}});
  const std::string svg = study_chart_file(table, {.x = "die", .y = "die", .by = "supply"});
  CHECK_THAT(svg, Contains(">30 to 33 degC<") && Contains(">42 to 45 degC<"));
  CHECK(svg.find(">30 to 33 degC<") > svg.find(">42 to 45 degC<"));  // the legend is written from its end
}

TEST_CASE("a column that the table does not have is reported with the nearest one", "[study_chart][mistakes]") {
  CHECK_THROWS_WITH(study_chart_file(sample_table(), {.x = "suply", .y = "die"}),
                    Contains("--x suply: the table has no column 'suply'") && Contains("did you mean 'supply'?"));
  CHECK_THROWS_WITH(study_chart_file(sample_table(), {.x = "supply"}), Contains("--y: which column?"));
  CHECK_THROWS_WITH(study_chart_file(sample_table(), {.x = "supply", .y = "die", .by = "parts"}),
                    Contains("did you mean 'part'?"));
}
