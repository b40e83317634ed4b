// From samples to rows: holes, ends of records, clocks of nodes, doubles, order, means.
#include <cmath>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/unit/imports/log_folder.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

using Values = std::vector<double>;

twin::TelemetryOptions of_nodes() {
  twin::TelemetryOptions options;
  options.log.boundary = "node_ac";
  return options;
}

std::string rows(const std::string& head, int from, int until, const std::string& cells) {
  std::string text = head;
  for (int k = from; k < until; ++k) text += fmt::format("{},{}\n", k, cells);
  return text;
}

}  // namespace

TEST_CASE("a hole of more than three intervals holds, is interpolated or zero, and replays without fill", "[imports]") {
  LogFolder logs;
  logs.write("n.csv", "t_s,node_1\n0,100\n1,100\n2,200\n7,300\n8,300\n");
  SECTION("held") {
    const twin::ImportedTelemetry imported = logs.import(of_nodes());
    CHECK(imported.facts.holes == 1);
    CHECK(imported.facts.long_holes == 1);
    CHECK(imported.facts.missing_samples == 4);
    CHECK(imported.facts.longest_hole.from_s == 2.0);
    const workload::PowerTrace trace = logs.replayed(imported);
    CHECK(trace.stamps_s == Values{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(column_of(trace, 0) == Values{100, 100, 200, 200, 200, 200, 200, 300, 300});
    CHECK(imported.facts.energy_j == 100.0 * 2 + 200.0 * 5 + 300.0 * 2);
  }
  SECTION("interpolated") {
    twin::TelemetryOptions options = of_nodes();
    options.series.fill = "interpolate";
    CHECK(column_of(logs.replayed(logs.import(options)), 0) == Values{100, 100, 200, 220, 240, 260, 280, 300, 300});
  }
  SECTION("zero") {
    twin::TelemetryOptions options = of_nodes();
    options.series.fill = "zero";
    CHECK(column_of(logs.replayed(logs.import(options)), 0) == Values{100, 100, 200, 0, 0, 0, 0, 300, 300});
  }
  SECTION("refused, where it is longer than is asked for") {
    twin::TelemetryOptions options = of_nodes();
    options.series.longest_gap_s = 3.0;
    CHECK(logs.problems(options) ==
          "n.csv: node_1 has no sample between 2 s and 7 s: 4 missing in a row, at most 3 s are bridged\n      = write "
          "--longest-gap '5 s' to fill it, and --fill hold, interpolate or zero for the method; or split the log "
          "there\n");
  }
}

TEST_CASE("short holes are left to the replay, which reports them", "[imports]") {
  LogFolder logs;
  logs.write("n.csv", "t_s,node_1,node_2\n0,100,1\n1,,1\n2,,1\n3,,1\n4,200,1\n5,200,1\n6,200,1\n");
  const workload::PowerTrace trace = logs.replayed(logs.import(of_nodes()));
  CHECK(trace.holes.size() == 1);
  CHECK(column_of(trace, 0) == Values{100, 100, 100, 100, 200, 200, 200});
}

TEST_CASE("records that begin late or end early draw nothing there, or that time is left out", "[imports]") {
  LogFolder logs;
  std::string text = "t_s,node_1,node_2,node_3\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("{},100,{},{}\n", k, k < 8 ? "200" : "", k < 6 ? "" : "300");
  logs.write("n.csv", text);
  SECTION("all of the time") {
    const twin::ImportedTelemetry imported = logs.import(of_nodes());
    CHECK(imported.facts.ended_series == std::vector<std::string>{"node_2"});
    CHECK(imported.facts.late_series == std::vector<std::string>{"node_3"});
    CHECK(imported.facts.energy_j == 100 * 20 + 200 * 8 + 300 * 14);
    CHECK(twin::energy_j(imported.trace) == imported.facts.energy_j);
    const workload::PowerTrace trace = logs.replayed(imported);
    CHECK(column_of(trace, 1)[7] == 200.0);
    CHECK(column_of(trace, 1)[8] == 0.0);
    CHECK(column_of(trace, 2)[5] == 0.0);
    CHECK(column_of(trace, 2)[6] == 300.0);
  }
  SECTION("what all have in common") {
    twin::TelemetryOptions options = of_nodes();
    options.series.is_common_span = true;
    const workload::PowerTrace trace = logs.replayed(logs.import(options));
    CHECK(trace.stamps_s == Values{0.0, 1.0});
    CHECK(column_of(trace, 2) == Values{300.0, 300.0});
  }
}

TEST_CASE("columns that repeat another one are listed", "[imports]") {
  LogFolder logs;
  logs.write("n.csv", "t_s,node_1,node_2,node_3,node_4\n0,1,2,1,1\n1,2,2,2,2\n2,3,2,3,4\n");
  const twin::ImportedTelemetry imported = logs.import(of_nodes());
  REQUIRE(imported.facts.doubles.size() == 1);
  CHECK(imported.facts.doubles[0] == std::pair<std::string, std::string>{"node_3", "node_1"});
}

TEST_CASE("rows that come late by three intervals are sorted and counted, later ones are a mistake", "[imports]") {
  LogFolder logs;
  SECTION("sorted") {
    logs.write("n.csv", "t_s,node_1\n0,100\n1,110\n3,130\n2,120\n4,140\n");
    const twin::ImportedTelemetry imported = logs.import(of_nodes());
    CHECK(imported.log.late_rows == 1);
    CHECK(imported.log.most_late_s == 1.0);
    CHECK(column_of(logs.replayed(imported), 0) == Values{100, 110, 120, 130, 140});
  }
  SECTION("refused") {
    logs.write("n.csv", "t_s,node_1\n10,100\n11,110\n12,130\n1,120\n2,140\n3,140\n");
    CHECK_THAT(logs.problems(of_nodes()),
               Contains("n.csv:5:1: the time of node_1 goes back by 11 s from the row before\n"));
  }
}

TEST_CASE("clocks of nodes that differ by more than half a record are asked about", "[imports]") {
  LogFolder logs;
  logs.write("a.csv", rows("t_s,node_1\n", 0, 30, "100"));
  logs.write("b.csv", rows("t_s,node_1\n", 18000, 18030, "200"));
  CHECK(logs.problems(of_nodes()) ==
        "a.csv: b.node_1 begins 5 h after the first node, and records last 29 s: do their clocks differ?\n      = "
        "write --align first to put the first samples of all nodes at the same time, or --align none to keep the time "
        "stamps\n");
  twin::TelemetryOptions options = of_nodes();
  options.series.align = "first";
  const twin::ImportedTelemetry imported = logs.import(options);
  REQUIRE(imported.facts.node_begins.size() == 1);
  CHECK(imported.facts.node_begins[0].after_first_s == 18000.0);
  const workload::PowerTrace trace = logs.replayed(imported);
  CHECK(trace.rows() == 30);
  CHECK(column_of(trace, 1).front() == 200.0);
}

TEST_CASE("a clock that is some seconds behind shows in the power of a job", "[imports]") {
  const auto power = [](int second) {
    return 5000.0 + 1500.0 * ((second * 7919 / 13) % 11 < 5 ? 1.0 : -1.0) + 40.0 * (second % 7);
  };
  std::string text = "t_s,node_1,node_2,node_3\n";
  for (int k = 0; k < 600; ++k)
    text += fmt::format("{},{},{},{}\n", k, power(k + 100), power(k + 100) + 1.0, power(k + 96));
  LogFolder logs;
  logs.write("n.csv", text);
  const twin::ImportedTelemetry imported = logs.import(of_nodes());
  REQUIRE(imported.lags.size() == 1);
  CHECK(imported.lags[0].node == "node_3");
  CHECK(imported.lags[0].lag_s == 4.0);
  CHECK(imported.lags[0].correlation > 0.99);
}

TEST_CASE("series with clocks of their own become means of even rows with the same energy", "[imports]") {
  std::string one = "t_s,node_1\n", other = "t_s,node_1\n";
  double sum_j = 0.0;
  for (int k = 0; k < 400; ++k) {
    one += fmt::format("{:.3f},{}\n", 1.0 * k, 100 + k % 9);
    other += fmt::format("{:.3f},{}\n", 0.3 + 0.93 * k, 200 + k % 7);
  }
  LogFolder logs;
  logs.write("a.csv", one);
  logs.write("b.csv", other);
  const twin::ImportedTelemetry imported = logs.import(of_nodes());
  CHECK(imported.trace.has_means);
  CHECK(imported.trace.interval_s == 1.0);
  for (int k = 0; k < 400; ++k) sum_j += (100 + k % 9) * (k < 399 ? 1.0 : 0.93) + (200 + k % 7) * 0.93;
  sum_j += 200 * 0.3;  // from the begin of the other node on
  CHECK(imported.facts.energy_j == Approx(sum_j).epsilon(1e-6));
  CHECK(twin::energy_j(imported.trace) == Approx(sum_j).epsilon(1e-4));
  CHECK(logs.replayed(imported).holes.empty());
}

TEST_CASE("copies are of whole nodes, and the same whatever their number is", "[imports]") {
  LogFolder logs;
  std::string text = "timestamp, index, power.draw [W]\n";
  for (int k = 0; k < 50; ++k)
    text += fmt::format("2023/09/15 10:00:{:02}, 0, {}\n2023/09/15 10:00:{:02}, 1, {}\n", k, 100 + k, k, 1100 + k);
  logs.write("n.csv", text);
  twin::TelemetryOptions options;
  options.copies = {.nodes = 5, .jitter_s = 20.0, .spread_ratio = 0.05, .seed = 7};
  const twin::ImportedTelemetry five = logs.import(options);
  options.copies.nodes = 9;
  const twin::ImportedTelemetry nine = logs.import(options);
  const workload::PowerTrace trace = logs.replayed(nine);
  REQUIRE(trace.columns() == 18);
  CHECK(trace.names[3] == "node_2.gpu_1");
  for (std::size_t node = 0; node < 9; ++node) {
    const twin::NodeCopy& copy = nine.copies[node];
    CHECK(copy.shift_rows <= 20);
    if (node < 5) CHECK(copy.level_ratio == five.copies[node].level_ratio);
    if (node < 5) CHECK(copy.shift_rows == five.copies[node].shift_rows);
    for (std::size_t row = 0; row < 50; ++row) {
      const std::size_t from = (row + 50 - copy.shift_rows) % 50;
      CHECK(trace.row(row)[2 * node] == copy.level_ratio * (100.0 + static_cast<double>(from)));
      CHECK(trace.row(row)[2 * node + 1] == copy.level_ratio * (1100.0 + static_cast<double>(from)));
    }
  }
}
