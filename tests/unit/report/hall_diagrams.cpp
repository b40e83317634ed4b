// The one-line diagram and the cooling schematic against a small file whose numbers are known: means all of one span, what flows and in which
// unit, the bypass, texts that keep within their boxes, headings within the picture.
#include "twin/drawings/diagrams/hall_diagrams.hpp"

#include <cmath>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/names/fitted_text.hpp"
#include "twin/report/charts/diagrams.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

constexpr double kelvin = 273.15;
const std::string long_name = "chilled_water_of_the_eastern_hall_with_a_very_long_name_indeed";

/// Means every 10 s of a PDU and a CDU, every minute of racks; k kW in the k-th interval of 10 s.
ResultsReader results_in(const tests::TemporaryFolder& folder, const std::vector<EventRecord>& events = {}) {
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto mean = [](const char* name, const char* unit, const char* words) {
    return ColumnSpec{name, unit, words, true};
  };
  const std::size_t feeders = writer.add_table({.group = "feeders",
                                                .item_dimension = "feeder",
                                                .items = {"pdu_1"},
                                                .columns = {mean("power", "W", "p")}}),
                    racks = writer.add_table({.group = "racks",
                                              .item_dimension = "rack",
                                              .items = {"row_1.rack_1"},
                                              .columns = {mean("it_power", "W", "p")}}),
                    cdus =
                        writer.add_table({.group = "cdus",
                                          .item_dimension = "cdu",
                                          .items = {"cdu_1"},
                                          .columns = {mean("flow", "kg/s", "coolant through the unit"),
                                                      mean("facility_flow", "kg/s", "facility water through the unit"),
                                                      {"supply_temperature", "K", "coolant leaving the unit"}}}),
                    waters = writer.add_table({.group = "water_systems",
                                               .item_dimension = "water_system",
                                               .items = {"facility", long_name},
                                               .columns = {mean("flow", "kg/s", "water to all users"),
                                                           mean("bypass_flow", "kg/s", "water from the supply")}});
  for (int k = 0; k <= 18; ++k) {
    const double time_s = 10.0 * k;
    const float now = static_cast<float>(k);
    writer.append(feeders, time_s, std::vector{1e3F * now});
    writer.append(cdus, time_s, std::vector{now, 100.0F + now, static_cast<float>(kelvin) + now});
    writer.append(waters, time_s, std::vector{50.0F, 60.0F, now - 20.0F, 0.0F});
    if (k % 6 == 0) writer.append(racks, time_s, std::vector{k == 0 ? 0.0F : 1e3F * (now - 2.5F)});  // the mean of six
  }
  Topology topology;
  for (const auto& [name, kind] :
       {std::pair{"pdu_1", "PDU"}, {"row_1.rack_1", "rack"}, {"cdu_1", "CDU"}, {"facility", "water system"}})
    topology.parts.push_back({name, kind});
  topology.parts.push_back({long_name, "water system"});
  topology.connections = {{"pdu_1", "row_1.rack_1", "electricity"},
                          {"row_1.rack_1", "cdu_1", "heat"},
                          {"cdu_1", "facility", "heat"},
                          {"facility", long_name, "heat"}};
  writer.write_topology(topology);
  writer.write_events(events);
  writer.finish();
  return ResultsReader(folder / "x.h5");
}

/// Texts of the box with that title.
std::string box_of(const std::string& svg, const std::string& title) {
  const std::size_t at = svg.find(title + "</text>");
  if (at == std::string::npos) return {};
  const std::size_t begin = svg.rfind("<g class='box", at);
  return svg.substr(begin, svg.find("</g>", at) - begin);
}

}  // namespace

TEST_CASE("all powers of a one-line diagram are means of one span, that of the rarest records", "[hall_diagrams]") {
  const tests::TemporaryFolder folder;
  const ResultsReader results = results_in(folder);
  const std::string at_one_minute = one_line_diagram(results, {.time_s = 60.0});
  CHECK_THAT(box_of(at_one_minute, "PDU 1"), Contains(">9.5 kW<"));  // 7 to 12 kW in the minute that follows
  CHECK_THAT(box_of(at_one_minute, "row 1, rack 1"), Contains(">IT power 9.5 kW<"));
  const std::string at_the_end = one_line_diagram(results, {.time_s = 180.0});
  CHECK_THAT(box_of(at_the_end, "PDU 1"), Contains(">15.5 kW<"));
  CHECK_THAT(box_of(at_the_end, "row 1, rack 1"), Contains(">IT power 15.5 kW<"));
}

TEST_CASE("a diagram says over what its means are, and what switched within", "[hall_diagrams]") {
  const tests::TemporaryFolder folder;
  const ResultsReader results = results_in(folder, {{60.0, "open", "utility_a", "scenario"},
                                                    {80.0, "on_battery", "ups_a", "dead"},
                                                    {80.0, "reset", "facility.supply_temperature", "by a sequence"},
                                                    {90.0, "lost_power", "tower", "2 of 8: tower_1, tower_2; dead"}});
  CHECK(span_words(results, 0.0) == "powers, heats and flows are means over the 1 min after it");
  CHECK(span_words(results, 60.0) ==
        "powers, heats and flows are means over the 1 min after it; within it, at 1 min 20 s: UPS a on battery (dead), "
        "and 1 "
        "more");
  CHECK(span_words(results, 120.0) == "powers, heats and flows are means over the 1 min after it");
  CHECK(span_words(results, 180.0) == "powers, heats and flows are means over the 1 min before it");
}

TEST_CASE("a cooling schematic says what flows through a CDU, and draws a bypass that carries", "[hall_diagrams]") {
  const tests::TemporaryFolder folder;
  const ResultsReader results = results_in(folder);
  const std::string svg = cooling_schematic(results, {.time_s = 60.0});
  const std::string cdu = box_of(svg, "CDU 1"), bypass = box_of(svg, "bypass of facility water");
  CHECK_THAT(cdu, Contains(">coolant 9.5 kg/s<") && Contains(">facility water 109.5 kg/s<"));
  CHECK_THAT(cdu, Contains(">supply 6 degC<"));  // of that time
  CHECK_THAT(bypass, Contains(">water 10.5 kg/s<") && Contains("from return to supply"));
  CHECK(svg.find("bypass of chilled") == std::string::npos);  // nothing ever passes there
}

TEST_CASE("texts keep within their boxes and headings within the picture, however long", "[hall_diagrams]") {
  const tests::TemporaryFolder folder;
  const ResultsReader results = results_in(folder, {{70.0, "fail", long_name, "scenario"}});
  const std::regex box("<rect x='([-0-9.]+)' y='[-0-9.]+' width='([0-9.]+)'[^>]*/>"),
      text("<text[^>]* x='([-0-9.]+)'[^>]*?(?:font-size:([0-9.]+)px[^>]*)?>([^<]+)<");
  for (const char* kind : {"one-line", "cooling"}) {
    const std::string svg =
        diagram_file(results, kind,
                     {60.0, "a reason that is told in very many words, so that it is longer than the picture is wide"});
    std::size_t texts = 0;
    for (std::size_t at = svg.find("<g class='box"); at != std::string::npos; at = svg.find("<g class='box", at + 1)) {
      const std::string one = svg.substr(at, svg.find("</g>", at) - at);
      std::smatch frame;
      REQUIRE(std::regex_search(one, frame, box));
      for (std::sregex_iterator found(one.begin(), one.end(), text), end; found != end; ++found, ++texts) {
        const double size = (*found)[2].matched ? std::stod((*found)[2]) : 11.5;
        INFO((*found)[3]);
        CHECK(svg_letters * size * letters_width((*found)[3].str()) <= std::stod(frame[2]));
      }
    }
    CHECK(texts > 3);
    const std::regex view("viewBox='[-0-9.]+ [-0-9.]+ ([0-9.]+) "),
        heading("font-size:([0-9.]+)px;font-weight:[a-z]+;fill:#222'>([^<]+)<");
    std::smatch wide;
    REQUIRE(std::regex_search(svg, wide, view));
    std::size_t lines = 0;
    for (std::sregex_iterator found(svg.begin(), svg.end(), heading), end; found != end; ++found, ++lines) {
      INFO((*found)[2]);
      CHECK(svg_letters * std::stod((*found)[1]) * letters_width((*found)[2].str()) <= std::stod(wide[1]));
    }
    CHECK(lines > 1);
  }
}

TEST_CASE("what is too long for its lines gets smaller, then ends in dots, and no letter is cut in two",
          "[hall_diagrams]") {
  const auto width = [](const FittedLine& line) { return line.size * letters_width(line.text); };
  const std::vector<FittedLine> one = fitted_lines("short", 100.0, 12.0, 2);
  REQUIRE(one.size() == 1);
  CHECK((one[0].text == "short" && one[0].size == 12.0));
  const std::vector<FittedLine> word = fitted_lines("onewordthatiswide", 110.0, 12.0, 2);
  REQUIRE(word.size() == 1);
  CHECK((word[0].text == "onewordthatiswide" && word[0].size < 12.0 && width(word[0]) <= 110.0));
  for (const std::string& text : {std::string(300, 'w'), "ü" + std::string(200, 'x') + " °C °C °C",
                                  std::string("a b ") + std::string(90, 'm') + " c d"}) {
    for (const FittedLine& line : fitted_lines(text, 140.0, 12.0, 2)) {
      CHECK(width(line) <= 140.0);
      CHECK((static_cast<unsigned char>(line.text.back()) & 0xC0U) != 0x80U);
    }
  }
}
