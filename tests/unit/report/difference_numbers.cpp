// Numbers of the page of two runs against the two files: A is not B, the first differs from the second, and the farthest item and time are found.
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/report/charts/overlaid_charts.hpp"
#include "twin/report/run/difference_page.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// Two racks and two pumps over three minutes; `warmer` is added to the dies of rack 2 after two minutes, half of it to those of rack 1.
void write_run(const std::filesystem::path& file, float warmer_k, double pue, double slowed_gpu_s, float speed) {
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  const std::vector<std::string> names{"row_1.rack_1", "row_1.rack_2"};
  writer.write_layout(std::vector<LayoutBox>{{names[0], "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
                                             {names[1], "rack", "", {2.0, 0.0, 1.0}, {0.6, 1.2, 2.2}}});
  const auto racks = writer.add_table(
      {.group = "racks", .item_dimension = "rack", .items = names, .columns = {{"max_die_temperature", "K", "die"}}});
  const auto pumps = writer.add_table({.group = "pumps",
                                       .item_dimension = "pump",
                                       .items = {"pump_1", "pump_2"},
                                       .columns = {{"speed", "1", "speed"}}});
  for (int minute = 0; minute < 4; ++minute) {
    const float by_k = minute == 2 ? warmer_k : 0.25F * warmer_k;
    writer.append(racks, 60.0 * minute, std::vector{330.15F + 0.5F * by_k, 332.15F + by_k});
    writer.append(pumps, 60.0 * minute, std::vector{0.5F, minute == 3 ? speed : 0.625F});
  }
  writer.write_events(std::vector<EventRecord>{{60.0 + double(warmer_k), "fail", "cdu_1", "scenario"}});
  writer.write_provenance(std::vector<NamedValue>{{"title", std::string(warmer_k > 0.0F ? "warm" : "cool"), "", "t"}});
  writer.write_summary(std::vector<NamedValue>{{"pue", pue, "1", "PUE"},
                                               {"throttled_gpu_time", slowed_gpu_s, "s", "slowed"},
                                               {"simulated_time", 180.0, "s", "time"}});
  writer.finish();
}

struct TwoRuns {
  TwoRuns() {
    write_run(folder / "a.h5", 0.0F, 1.25, 3600.0, 0.75F);
    write_run(folder / "b.h5", 8.0F, 1.5, 10800.0, 0.25F);
    page = std::regex_replace(difference_page(folder / "a.h5", folder / "b.h5"), std::regex(" data-head='[^']*'"), "");
  }
  TemporaryFolder folder{};
  std::string page{};
};

}  // namespace

TEST_CASE("the page of two runs has each figure of A under A, of B under B, and B less A", "[difference_numbers]") {
  const TwoRuns runs;
  CHECK_THAT(runs.page, Contains("<h1>A: cool; B: warm</h1>") && Contains("A is a.h5, B is b.h5"));
  CHECK_THAT(runs.page, Contains("<tr><td>pue</td><td>1.25</td><td>1.5</td><td>+0.25 (+20.00 %)</td></tr>"));
  CHECK_THAT(
      runs.page,
      Contains("<tr><td>throttled_gpu_time</td><td>1 GPU h</td><td>3 GPU h</td><td>+2 GPU h (3 times)</td></tr>"));
}

TEST_CASE("the plan of two runs shows each rack at the time at which racks are farthest apart",
          "[difference_numbers]") {
  const TwoRuns runs;
  CHECK_THAT(runs.page, Contains("<title>row_1.rack_1: +4.00 K</title>") &&
                            Contains("<title>row_1.rack_2: +8.00 K</title>") &&
                            Contains("B less A, in K, at 2 min, where they are farthest apart: 8 K."));
}

TEST_CASE("charts of two runs have A and B of the item that differs most", "[difference_numbers]") {
  const TwoRuns runs;
  const ResultsReader a(runs.folder / "a.h5"), b(runs.folder / "b.h5");
  LiveCharts charts(180.0);
  CHECK_THAT(overlaid_charts(a, b, charts), Contains("pumps: speed of pump 2, which differs most"));
  CHECK_THAT(charts.script({}),
             Contains("\"labels\":[\"s\",\"A\",\"B\"]") && Contains("[180,75,25]") && Contains("[0,62.5,62.5]"));
}

TEST_CASE("the page of two runs has where series are farthest apart, and events at the time of each run",
          "[difference_numbers]") {
  const TwoRuns runs;
  CHECK_THAT(runs.page,
             Contains("<td>racks: max die temperature</td><td>") && Contains("<td>59 degC and 67 degC at 2 min</td>"));
  CHECK_THAT(runs.page, Contains("<td>pumps: speed</td><td>pump 2</td>") && Contains("at 3 min</td>"));
  CHECK_THAT(runs.page, Contains("1 min: fail cdu_1") && Contains("1 min 8 s: fail cdu_1"));
}
