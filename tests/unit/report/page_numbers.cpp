// Numbers in the tables and charts of a report against the figures and columns that they come from: made-up files in which no two numbers are
// equal, so that a neighbour, another month or another column would show.
#include <map>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/report/charts/run_charts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/charts/weather_views.hpp"
#include "twin/report/run/run_report.hpp"
#include "twin/report/run/run_tables.hpp"
#include "twin/report/run/value_sources.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

constexpr double zero_celsius_k = 273.15, mwh_j = 3.6e9, day_s = 86400.0;

/// Cells of the row that begins with that text; empty where no row does.
std::vector<std::string> row_of(const std::string& page, const std::string& first) {
  const std::size_t begin = page.find("<tr><td>" + first + "</td>");
  std::vector<std::string> cells;
  if (begin == std::string::npos) return cells;
  const std::string row = page.substr(begin, page.find("</tr>", begin) - begin);
  const std::regex cell("<td[^>]*>(.*?)</td>");
  for (std::sregex_iterator found(row.begin(), row.end(), cell), end; found != end; ++found)
    cells.push_back((*found)[1]);
  return cells;
}

using Cells = std::vector<std::string>;

}  // namespace

TEST_CASE("each key figure and each loading of a report is that of its own name in the summary", "[page_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_summary(std::vector<NamedValue>{{"pue", 1.234, "1", "PUE"},
                                               {"wue", 1.5e-9, "m3/J", "WUE"},
                                               {"utility_energy", 11.0 * mwh_j, "J", "u"},
                                               {"peak_utility_power", 12.5e6, "W", "u"},
                                               {"peak_demand", 11.75e6, "W", "u"},
                                               {"generator_energy", 2.0 * mwh_j, "J", "g"},
                                               {"peak_generator_power", 9.25e6, "W", "g"},
                                               {"peak_facility_power", 13.5e6, "W", "all"},
                                               {"peak_it_power", 8.5e6, "W", "IT"},
                                               {"peak_die_temperature", zero_celsius_k + 81.5, "K", "hottest"},
                                               {"peak_die_gpu", std::string("row_2.rack_3.node_4.gpu_5"), "", "of"},
                                               {"peak_die_time", 754.0, "s", "when"},
                                               {"smallest_throttle_margin", 5.5, "delta_K", "margin"},
                                               {"highest_loading", 0.913, "1", "of all"},
                                               {"highest_loading_of", std::string("pdu_a_7"), "", "of all"},
                                               {"highest_cdu_loading", 0.613, "1", "of CDUs"},
                                               {"highest_cdu_loading_of", std::string("cdu_8"), "", "of CDUs"},
                                               {"highest_pdu_loading", 0.914, "1", "of PDUs"},
                                               {"highest_pdu_loading_of", std::string("pdu_a_9"), "", "of PDUs"},
                                               {"lowest_state_of_charge", 0.427, "1", "charge"},
                                               {"lowest_state_of_charge_of", std::string("ups_b"), "", "charge"},
                                               {"lowest_voltage", 0.942, "1", "voltage"},
                                               {"lowest_voltage_of", std::string("bus_c"), "", "voltage"},
                                               {"lost_gpu_time", 3600.0 * 31.0, "s", "lost"},
                                               {"throttled_gpu_time", 3600.0 * 42.0, "s", "slowed"},
                                               {"capped_gpu_time", 3600.0 * 53.0, "s", "capped"},
                                               {"limits_exceeded", std::int64_t{6}, "1", "limits"},
                                               {"water_use", 64.0, "m3", "water"}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::string figures = key_figures(results), loadings = loadings_table(results);
  CHECK(row_of(figures, "PUE") == Cells{"PUE", "1.234", ""});
  CHECK(row_of(figures, "WUE").at(1) == "5.4 L/kWh");  // 1.5e-9 m3/J
  CHECK(row_of(figures, "Utility energy").at(1) == "11 MWh");
  CHECK(row_of(figures, "Utility peak power").at(1) == "12.5 MW");
  CHECK(row_of(figures, "Utility peak demand").at(1) == "11.75 MW");
  CHECK(row_of(figures, "Generator energy").at(1) == "2 MWh");
  CHECK(row_of(figures, "Generator peak power").at(1) == "9.25 MW");
  CHECK(row_of(figures, "Highest IT power").at(1) == "8.5 MW");
  const std::string die = "Hottest die: row 2, rack 3, node 4, GPU 5, at 12 min 34 s";
  CHECK(row_of(figures, die) == Cells{die, "81.5 degC", "limit 87 degC: 5.5 K left"});
  CHECK(row_of(figures, "Highest loading: PDU a 7").at(1) == "91.3 %");
  CHECK(row_of(figures, "Highest loading: PDU a 7").at(2) == "limit 100.0 %: 8.7 % left");
  CHECK(row_of(figures, "Lowest charge of a battery: UPS b").at(1) == "42.7 %");
  CHECK(row_of(figures, "Lowest voltage of a bus, over nominal: bus c").at(1) == "94.2 %");
  CHECK(row_of(figures, "GPU time lost").at(1) == "31.0 GPU h");
  CHECK(row_of(figures, "GPU time below full clock").at(1) == "42.0 GPU h");
  CHECK(row_of(figures, "GPU time below what the work asked for, by a power limit").at(1) == "53.0 GPU h");
  CHECK(row_of(figures, "Limits of parts exceeded at any time of the run").at(1) == "6");
  CHECK(row_of(figures, "Make-up water").at(1) == "64 m3");
  CHECK(row_of(loadings, "CDU") == Cells{"CDU", "61.3 %", "CDU 8"});
  CHECK(row_of(loadings, "PDU") == Cells{"PDU", "91.4 %", "PDU a 9"});
}

TEST_CASE(
    "each month of a report has its own figures in the columns of their names, and the whole run those of the summary",
    "[page_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto facility = writer.add_table(
      {.group = "facility", .columns = {{"dry_bulb", "K", "outside"}, {"max_die_temperature", "K", "die"}}});
  for (int day = 0; day <= 59; ++day) {  // dies are hottest on 10 January and on 9 February, 40 days later
    const bool is_later = day > 31;
    writer.append(facility, day * day_s,
                  std::vector<float>{is_later ? 278.15F : 274.15F, day == 10   ? 350.15F
                                                                   : day == 40 ? 353.15F
                                                                               : 330.15F});
  }
  const auto figures = [](double factor) {
    return std::vector<NamedValue>{{"utility_energy", factor * 11.0 * mwh_j, "J"},
                                   {"generator_energy", factor * 1.5 * mwh_j, "J"},
                                   {"facility_energy", factor * 12.5 * mwh_j, "J"},
                                   {"it_energy", factor * 10.0 * mwh_j, "J"},
                                   {"pue", 1.0 + 0.05 * factor, "1"},
                                   {"peak_utility_power", factor * 3e6, "W"},
                                   {"water_use", factor * 70.0, "m3"},
                                   {"wue", factor * 1e-9, "m3/J"},
                                   {"peak_demand", factor * 2.5e6, "W"},
                                   {"carbon", factor * 4000.0, "kg"}};
  };
  writer.write_months(std::vector<MonthRecord>{{"2026-01", 0.0, 31.0 * day_s, figures(2.0)},
                                               {"2026-02", 31.0 * day_s, 59.0 * day_s, figures(3.0)}});
  writer.write_summary(figures(5.0));
  writer.finish();
  const std::string page = months_table(ResultsReader(folder / "x.h5"));
  const std::regex head("<th>(.*?)</th>");
  Cells heads;
  for (std::sregex_iterator found(page.begin(), page.end(), head), end; found != end; ++found)
    heads.push_back((*found)[1]);
  const auto cell = [&](const std::string& month, const std::string& column) {
    const Cells cells = row_of(page, month);
    const auto at = std::size_t(std::ranges::find(heads, column) - heads.begin());
    INFO(month << ", " << column);
    REQUIRE(at < cells.size());
    return cells[at];
  };
  for (const auto& [month, factor] : {std::pair("2026-01", 2.0), {"2026-02", 3.0}, {"whole run", 5.0}}) {
    CHECK(cell(month, "utility") == fmt::format("{:g} MWh", 11.0 * factor));
    CHECK(cell(month, "generators") == fmt::format("{:g} MWh", 1.5 * factor));
    CHECK(cell(month, "facility") == fmt::format("{:g} MWh", 12.5 * factor));
    CHECK(cell(month, "IT") == fmt::format("{:g} MWh", 10.0 * factor));
    CHECK(cell(month, "PUE") == fmt::format("{:.4f}", 1.0 + 0.05 * factor));
    CHECK_THAT(cell(month, ""), Contains(fmt::format("width:{:.0f}px", 400.0 * 0.05 * factor)));
    CHECK(cell(month, "utility peak") == fmt::format("{:g} MW", 3.0 * factor));
    CHECK(cell(month, "make-up water") == fmt::format("{:g} m3", 70.0 * factor));
    CHECK(cell(month, "utility peak demand") == fmt::format("{:g} MW", 2.5 * factor));
  }
  CHECK(cell("2026-01", "hottest die in records") == "67 degC");  // the mean of two records, of which one is 77
  CHECK(cell("2026-02", "hottest die in records") == "68.5 degC");
  CHECK(cell("whole run", "hottest die in records") == "68.5 degC");
}

TEST_CASE("each chart of a report has the column of its title, in the colour and under the name of that column",
          "[page_numbers]") {
  struct Column {
    const char *group, *item, *name, *unit, *title, *label, *first, *second;
  };
  // Of SI values 10 and 20 in the first of these columns, 11 and 21 in the second, and so on; kelvins begin at 273.15.
  const std::vector<Column> columns{
      {"facility", "", "power", "W", "power of the facility, W", "facility power", "10", "20"},
      {"facility", "", "it_power", "W", "power of the facility, W", "IT power", "11", "21"},
      {"facility", "", "cooling_power", "W", "power of the facility, W", "cooling power", "12", "22"},
      {"facility", "", "electrical_loss", "W", "power of the facility, W", "electrical loss", "13", "23"},
      {"facility", "", "max_die_temperature", "K", "hottest and mean die, degC", "max die temperature", "14", "24"},
      {"facility", "", "mean_die_temperature", "K", "hottest and mean die, degC", "mean die temperature", "15", "25"},
      {"facility", "", "throttled_gpus", "1", "GPUs throttled, down and switched off", "throttled GPUs", "16", "26"},
      {"facility", "", "down_gpus", "1", "GPUs throttled, down and switched off", "down GPUs", "17", "27"},
      {"facility", "", "shut_down_gpus", "1", "GPUs throttled, down and switched off", "shut down GPUs", "18", "28"},
      {"facility", "", "dry_bulb", "K", "weather, degC", "dry bulb", "19", "29"},
      {"facility", "", "wet_bulb", "K", "weather, degC", "wet bulb", "20", "30"},
      {"facility", "", "water_flow", "kg/s", "make-up water, kg/s", "water flow", "21", "31"},
      {"loops", "loop", "flow", "kg/s", "flow of coolant loops, kg/s", "loop 1", "10", "20"},
      {"loops", "loop", "supply_temperature", "K", "supply of coolant loops, degC", "loop 1", "11", "21"},
      {"loops", "loop", "return_temperature", "K", "return of coolant loops, degC", "loop 1", "12", "22"},
      {"pumps", "pump", "speed", "1", "speed of pumps", "pump 1", "10", "20"},
      {"cdus", "cdu", "loading", "1", "loading of CDUs", "CDU 1", "10", "20"},
      {"cdus", "cdu", "valve_position", "1", "valves of CDUs", "CDU 1", "11", "21"},
      {"water_systems", "water_system", "supply_temperature", "K", "supply of water systems, degC", "facility", "10",
       "20"},
      {"rooms", "room", "temperature", "K", "air of rooms, degC", "room 1", "10", "20"},
      {"rows", "row", "cold_aisle_temperature", "K", "cold aisles, degC", "row 1", "10", "20"},
      {"ups", "ups", "battery_power", "W", "power from batteries, W", "UPS a", "10", "20"},
      {"ups", "ups", "state_of_charge", "1", "charge of batteries", "UPS a", "11", "21"},
      {"generators", "generator", "power", "W", "power of generators, W", "generator 1", "10", "20"}};
  const auto item_of = [](const Column& one) {
    const std::string item = one.item;
    return item.empty()             ? Cells{}
           : item == "ups"          ? Cells{"ups_a"}
           : item == "water_system" ? Cells{"facility"}
                                    : Cells{item + "_1"};
  };
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  for (std::size_t first = 0; first < columns.size();) {
    TableSpec table{
        .group = columns[first].group, .item_dimension = columns[first].item, .items = item_of(columns[first])};
    std::vector<float> now;
    for (; first < columns.size() && table.group == columns[first].group; ++first) {
      table.columns.push_back({columns[first].name, columns[first].unit, "words"});
      now.push_back(10.0F + float(now.size()) + (table.columns.back().unit == "K" ? float(zero_celsius_k) : 0.0F));
    }
    const auto place = writer.add_table(table);
    writer.append(place, 0.0, now);
    for (float& value : now) value += 10.0F;
    writer.append(place, 60.0, now);
  }
  writer.finish();
  LiveCharts charts(60.0);
  const std::string page = run_charts(ResultsReader(folder / "x.h5"), charts), script = charts.script({});
  std::map<std::string, std::string> data;  // by title
  const std::regex title("<figcaption>([^<]*?) <span"), chart("\\{\"unit\".*?\"rows\":\\[\\[.*?\\]\\]\\}");
  std::sregex_iterator one_title(page.begin(), page.end(), title), one_chart(script.begin(), script.end(), chart), end;
  for (; one_title != end && one_chart != end; ++one_title, ++one_chart) data[(*one_title)[1]] = one_chart->str();
  CHECK((one_title == end && one_chart == end));
  for (const Column& one : columns) {
    INFO(one.group << "/" << one.name);
    REQUIRE(data.contains(one.title));
    const std::string& text = data[one.title];
    const std::regex labels("\"labels\":\\[(.*?)\\]"), colours("\"colours\":\\[(.*?)\\]"),
        rows("\"rows\":\\[\\[(.*?)\\],\\[(.*?)\\]\\]");
    const auto list = [&](const std::regex& of, std::size_t group) {
      std::smatch found;
      REQUIRE(std::regex_search(text, found, of));
      Cells items;
      std::string item;
      for (const char letter : found[group].str() + ",") {
        if (letter != ',') {
          if (letter != '"') item += letter;
          continue;
        }
        items.push_back(std::exchange(item, {}));
      }
      return items;
    };
    const Cells names = list(labels, 1), before = list(rows, 1), after = list(rows, 2), drawn = list(colours, 1);
    const auto place = std::size_t(std::ranges::find(names, one.label) - names.begin());
    REQUIRE(place < names.size());
    CHECK(std::stod(before.at(place)) == Approx(std::stod(one.first)).margin(1e-3));
    CHECK(std::stod(after.at(place)) == Approx(std::stod(one.second)).margin(1e-3));
    CHECK((before[0] == "0" && after[0] == "60"));
    for (const auto& [column, colour] : {std::pair("power", meaning::facility_power),
                                         {"it_power", meaning::it_power},
                                         {"cooling_power", meaning::cooling_power},
                                         {"max_die_temperature", meaning::hottest_die},
                                         {"throttled_gpus", meaning::throttled},
                                         {"battery_power", meaning::battery}})
      if (std::string_view(one.name) == column && std::string_view(one.group) == "facility")
        CHECK(drawn.at(place - 1) == colour);
  }
}

TEST_CASE("sources of a report count the values that name them, each with its key", "[page_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const std::string scenario =
      "hall:\n"
      "  cdu:\n"
      "    rated_heat:\n"
      "      value: 800 kW\n"
      "      source: sheet_a\n"
      "    rated_flow:\n"
      "      value: 20 kg/s\n"
      "      source: sheet_b\n"
      "  pump:\n"
      "    speed:\n"
      "      value: 40 %\n"
      "      source: sheet_a\n";
  writer.write_provenance(std::vector<NamedValue>{{"scenario", scenario, "", "s"}});
  writer.finish();
  const std::string page = sources_list(ResultsReader(folder / "x.h5"));
  CHECK(row_of(page, "sheet_a") == Cells{"sheet_a", "2", "cdu.rated_heat 800 kW; pump.speed 40 %"});
  CHECK(row_of(page, "sheet_b") == Cells{"sheet_b", "1", "cdu.rated_flow 20 kg/s"});
}

TEST_CASE("below the plans a report has the hottest die of the run, and the page its end, residual and title",
          "[page_numbers]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_layout(std::vector<LayoutBox>{{"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
                                             {"row_1.rack_2", "rack", "", {2.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}});
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"row_1.rack_1", "row_1.rack_2"},
                                       .columns = {{"max_die_temperature", "K", "die"}}});
  writer.append(racks, 0.0, std::vector{330.15F, 331.15F});
  writer.append(racks, 60.0, std::vector{340.15F, 338.15F});
  writer.write_provenance(std::vector<NamedValue>{{"title", std::string("A hall of two racks"), "", "t"}});
  writer.write_summary(std::vector<NamedValue>{{"peak_die_temperature", zero_celsius_k + 68.25, "K", "hottest"},
                                               {"peak_die_gpu", std::string("row_1.rack_2.node_1.gpu_3"), "", "of"},
                                               {"peak_die_time", 42.0, "s", "when"},
                                               {"simulated_time", 90.0, "s", "time"}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::string page = run_report(results, "x.h5");
  CHECK_THAT(page, Contains("The hottest die of the run: 68.25 degC at 42 s, row 1, rack 2, node 1, GPU 3."));
  CHECK_THAT(page, Contains("<h1>A hall of two racks</h1>") && Contains("1 min 30 s simulated"));
  const std::string hottest = hottest_racks(results, RackTemperatures(results));
  CHECK(row_of(hottest, "row 1, rack 2") == Cells{"row 1, rack 2", "68.25 degC", "at 42 s"});
  CHECK(row_of(hottest, "row 1, rack 1") == Cells{"row 1, rack 1", "67 degC", "recorded at 1 min"});
  CHECK(hottest.find("row 1, rack 2") < hottest.find("row 1, rack 1"));
}
