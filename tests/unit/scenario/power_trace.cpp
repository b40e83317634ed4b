// Reading power traces: what is accepted, how holes are filled and listed, and every mistake with its exact
// text.
#include "workload/replay/power_trace.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tests/support/allocation_count.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "workload/replay/replay.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

/// A file with the given content, gone at the end of its scope.
class TraceFile {
 public:
  explicit TraceFile(const std::string& content) : path_((folder_ / "trace.csv").string()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  const std::string& path() const { return path_; }

 private:
  tests::TemporaryFolder folder_;
  std::string path_;
};

PowerTrace read(const std::string& content, const ReplayParams& params = {}) {
  const TraceFile file(content);
  Problems problems;
  PowerTrace trace = read_power_trace(file.path(), params, problems);
  problems.throw_if_any("the trace");
  return trace;
}

/// All problems as the user sees them, the file being called "t.csv".
std::string problems_in(const std::string& content, const ReplayParams& params = {}) {
  const TraceFile file(content);
  Problems problems;
  read_power_trace(file.path(), params, problems);
  std::string text;
  for (Problem problem : problems.all()) {
    REQUIRE(problem.place.file == file.path());
    problem.place.file = "t.csv";
    text += format_problem(problem);
  }
  return text;
}

std::vector<double> column(const PowerTrace& trace, std::size_t index) {
  std::vector<double> values;
  for (std::size_t row = 0; row < trace.rows(); ++row) values.push_back(trace.row(row)[index]);
  return values;
}

using Values = std::vector<double>;

}  // namespace

TEST_CASE("a trace is read whatever its line ends, quotes, blanks and comments", "[trace]") {
  const auto [content, what] = GENERATE(table<std::string, std::string>({
      {"t_s,a,b\n0,10,20\n2,30.5,40\n", "plain"},
      {"t_s,a,b\r\n0,10,20\r\n2,30.5,40\r\n", "CRLF"},
      {"t_s,a,b\n0,10,20\n2,30.5,40", "no line end at the end"},
      {"\"t_s\",\"a\",\"b\"\n\"0\",\"10\",\"20\"\n2,\"30.5\",40\n", "quotes"},
      {"# measured\n\nt_s, a , b\n 0, 10,\t20\n# later\n\n2 ,3.05e1 , 40 \n\n", "blanks and comments"},
      {"\xEF\xBB\xBFt_s,a,b\n0,10,20\n2,30.5,40\n", "byte order mark"},
  }));
  INFO(what);
  const PowerTrace trace = read(content);
  CHECK(trace.names == std::vector<std::string>{"a", "b"});
  CHECK(trace.stamps_s == Values{0.0, 2.0});
  CHECK(trace.power_w == Values{10.0, 20.0, 30.5, 40.0});
  CHECK(trace.interval_s == 2.0);
  CHECK(trace.duration_s() == 4.0);
  CHECK(trace.holes.empty());
}

TEST_CASE("a quoted name may hold a comma, a nameless column gets its number", "[trace]") {
  CHECK(read("t_s,\"rack 1, node 2\",,c\n0,1,2,3\n1,4,5,6\n").names ==
        std::vector<std::string>{"rack 1, node 2", "column 2", "c"});
}

TEST_CASE("columns are chosen by number and in the order asked for", "[trace]") {
  const std::string content = "t_s,a,b,c,d\n0,1,2,3,text\n1,5,6,7,-1\n";
  const PowerTrace trace = read(content, {.columns = "3,1..2"});
  CHECK(trace.names == std::vector<std::string>{"c", "a", "b"});
  CHECK(trace.power_w == Values{3, 1, 2, 7, 5, 6});
  CHECK(problems_in(content, {.columns = "1..5"}) ==
        "t.csv:1:1: columns: 5 asked for, but the trace has 4\n"
        "    1 | t_s,a,b,c,d\n"
        "      | ^\n");
  const std::string wrong = GENERATE("", "0", "2..1", "1,", "a", "1;2", "all,1");
  CHECK(problems_in(content, {.columns = wrong}) == "t.csv:1:1: columns: '" + wrong +
                                                        "' is not a list of columns such as 1..8,12\n"
                                                        "    1 | t_s,a,b,c,d\n"
                                                        "      | ^\n");
}

TEST_CASE("holes hold the last value, the start is filled backwards, each is listed", "[trace]") {
  const PowerTrace trace = read("t_s,a,b\n0,,1\n1,,2\n2,5,\n3,,3\n4,,\n5,,\n6,7,\n");
  CHECK(column(trace, 0) == Values{5, 5, 5, 5, 5, 5, 7});
  CHECK(column(trace, 1) == Values{1, 2, 2, 3, 3, 3, 3});
  REQUIRE(trace.holes.size() == 4);
  const auto check = [&](std::size_t i, std::size_t column, double start_s, int intervals, int line) {
    CHECK(trace.holes[i].column == column);
    CHECK(trace.holes[i].start_s == start_s);
    CHECK(trace.holes[i].intervals == intervals);
    CHECK(trace.holes[i].line == line);
  };
  check(0, 0, 0.0, 2, 2);
  check(1, 0, 3.0, 3, 5);
  check(2, 1, 2.0, 1, 4);
  check(3, 1, 4.0, 3, 6);
  CHECK(describe_holes(trace) ==
        std::vector<std::string>{"4 holes filled, the longest of 3 intervals in column 'a' at 3 s"});
  CHECK(describe_holes(trace, {.every_hole = true}).back() == "column 'b': 3 intervals missing at 4 s");
}

TEST_CASE("only holes in columns that nodes follow are reported", "[trace][replay]") {
  const PowerTrace trace = read("t_s,a,b\n0,1,1\n1,,2\n2,5,\n3,5,\n4,5,4\n");
  const auto note_for = [&](int nodes) {
    return describe_replay(trace, {}, {.nodes = nodes, .gpus_per_node = 8, .split = {}}, 1.0).at(1);
  };
  CHECK(note_for(1) == "1 hole filled, the longest of 1 interval in column 'a' at 1 s");
  CHECK(note_for(2) == "2 holes filled, the longest of 2 intervals in column 'b' at 2 s");
  CHECK(note_for(5) == note_for(2));
  CHECK(describe_holes(trace, {.columns = 0}) == std::vector<std::string>{"no sample is missing"});
}

TEST_CASE("rows that are missing as a whole are holes of every column", "[trace]") {
  const PowerTrace trace = read("t_s,a,b\n0,1,2\n2,3,4\n8,5,6\n10,7,8\n12,7,8\n");
  REQUIRE(trace.holes.size() == 2);
  for (const Hole& hole : trace.holes) {
    CHECK(hole.start_s == 4.0);
    CHECK(hole.intervals == 2);
    CHECK(hole.line == 4);
  }
  CHECK(trace.stamps_s == Values{0, 2, 8, 10, 12});
}

TEST_CASE("for irregular stamps the interval is the median step", "[trace]") {
  const PowerTrace trace = read("t_s,a\n0,1\n0.9,2\n2.0,3\n3.05,4\n4,5\n7.0,6\n");
  CHECK(trace.interval_s == Approx(1.05));
  REQUIRE(trace.holes.size() == 1);
  CHECK(trace.holes[0].intervals == 2);
  CHECK(trace.holes[0].start_s == Approx(5.05));
}

TEST_CASE("holes of more than three intervals are refused unless fill says what to put there", "[trace]") {
  const std::string content = "t_s,node_1,node_2\n0,100,1\n1,,1\n2,,1\n3,,1\n4,,1\n5,200,1\n10,300,1\n";
  CHECK(problems_in(content) ==
        "t.csv:3:3: column 'node_1' has no sample from 1 s until 5 s: 4 intervals of 1 s missing in a row, at most 3 "
        "are filled\n    3 | 1,,1\n      |   ^\n      = to accept longer holes, write fill: hold, interpolate or zero; "
        "if a record ends, write fill: end\nt.csv:8:1: there are no rows from 6 s until 10 s: 4 intervals of 1 s "
        "missing in a row, at most 3 are filled\n    8 | 10,300,1\n      | ^\n      = to accept longer holes, write "
        "fill: hold, interpolate or zero; if a record ends, write fill: end\n");

  const PowerTrace hold = read(content, {.fill = "hold"});
  CHECK(column(hold, 0) == Values{100, 100, 100, 100, 100, 200, 300});

  const PowerTrace interpolated = read(content, {.fill = "interpolate"});
  CHECK(interpolated.stamps_s == Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(column(interpolated, 0) == Values{100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300});
  CHECK(column(interpolated, 1) == Values(11, 1.0));

  const PowerTrace zero = read(content, {.fill = "zero"});
  CHECK(zero.stamps_s == Values{0, 1, 2, 3, 4, 5, 6, 10});
  CHECK(column(zero, 0) == Values{100, 0, 0, 0, 0, 200, 0, 300});
  for (const PowerTrace& trace : {hold, interpolated, zero}) {
    REQUIRE(trace.holes.size() == 3);  // node_1: four cells, then the rows; node_2: the rows
    for (const Hole& hole : trace.holes) CHECK(hole.intervals == 4);
  }
}

TEST_CASE("short holes hold the last value whatever fill says", "[trace]") {
  const std::string fill = GENERATE("hold", "interpolate", "zero");
  CHECK(column(read("t_s,a\n0,10\n1,\n2,\n3,\n4,20\n", {.fill = fill}), 0) == Values{10, 10, 10, 10, 20});
}

TEST_CASE("long holes at the ends are filled as asked", "[trace]") {
  const std::string content = "t_s,a,b\n0,,1\n1,,1\n2,,1\n3,,1\n4,9,1\n5,8,1\n6,,1\n7,,1\n8,,1\n9,,1\n";
  CHECK(column(read(content, {.fill = "interpolate"}), 0) == Values{9, 9, 9, 9, 9, 8, 8, 8, 8, 8});
  CHECK(column(read(content, {.fill = "zero"}), 0) == Values{0, 0, 0, 0, 9, 8, 0, 0, 0, 0});
}

TEST_CASE("every mistake in a trace is answered with its place", "[trace][errors]") {
  CHECK(problems_in("t_s,node_1,node_2\n0,100,abc\n1,-5,nan\n2,inf,1e999\n2,7,12 W\n1.5,8,\"9\n,1,1\nx,1,1\n") ==
        "t.csv:6:7: the quote does not end in this line\n    6 | 1.5,8,\"9\n      |       ^\nt.csv:5:1: time '2' does "
        "not come after '2' of the row before\n    5 | 2,7,12 W\n      | ^\nt.csv:7:1: the time is missing\n    7 | "
        ",1,1\n      | ^\nt.csv:8:1: time 'x' is not a finite number of s\n    8 | x,1,1\n      | ^\n      = times are "
        "numbers, in `time_unit`; `time` names their column\nt.csv:2:7: node_2: 'abc' is not a number\n    2 | "
        "0,100,abc\n      |       ^\n      = write power in W; leave the cell empty if a sample is missing\nt.csv:3:3: "
        "node_1: power -5 W is negative\n    3 | 1,-5,nan\n      |   ^\nt.csv:4:3: node_1: 'inf' is not a finite "
        "power\n    4 | 2,inf,1e999\n      |   ^\n      = write power in W; leave the cell empty if a sample is "
        "missing\nt.csv:4:7: node_2: '1e999' is not a finite power\n    4 | 2,inf,1e999\n      |       ^\n      = "
        "write power in W; leave the cell empty if a sample is missing\nt.csv:5:5: node_2: '12 W' is not a number\n    "
        "5 | 2,7,12 W\n      |     ^\n      = a cell contains only a number: write its unit as `unit: W`\n");
}

TEST_CASE("ragged rows are refused", "[trace][errors]") {
  CHECK(problems_in("t_s,a,b\n0,1,2\n1,1\n2,1,2,3,4\n") ==
        "t.csv:3:4: 2 cells, but the first line names 3 columns\n"
        "    3 | 1,1\n"
        "      |    ^\n"
        "      = a line that was cut off? Fill its cells, or delete it\n"
        "t.csv:4:7: 5 cells, but the first line names 3 columns\n"
        "    4 | 2,1,2,3,4\n"
        "      |       ^\n"
        "      = decimal commas? Numbers are written with a point: 35.5\n");
}

TEST_CASE("power is read in its unit and scale, by the names of its times", "[trace]") {
  const PowerTrace trace = read("a,stamp,b\n1,100,2\n,101,3\n5,102,NaN\n",
                                {.unit = "kW", .scale_ratio = 2.0, .times = {.time = "stamp", .time_unit = "min"}});
  CHECK(trace.names == std::vector<std::string>{"a", "b"});
  CHECK(trace.stamps_s == Values{6000.0, 6060.0, 6120.0});
  CHECK(trace.power_w == Values{2e3, 4e3, 2e3, 6e3, 10e3, 6e3});
  CHECK(trace.holes.size() == 2);
  CHECK(read("a,stamp,b,c\n1,0,2,3\n1,1,2,3\n", {.times = {.time = "stamp"}, .columns = "3,1"}).names ==
        std::vector<std::string>{"c", "a"});
  CHECK_THAT(problems_in("t,a\n0,1\n1,2\n", {.times = {.time = "stam"}}), Catch::Contains("no column 'stam'"));
  CHECK_THAT(problems_in("t,a\n0,1\n1,2\n", {.unit = "degC"}), Catch::Contains("degC"));
}

TEST_CASE("stamps are the begin, the end or the instant of what is held", "[trace]") {
  const std::string content = "t,a\n10,1\n20,2\n30,3\n";
  CHECK(read(content, {.times = {.stamp = "begin"}}).stamps_s == Values{10, 20, 30});
  CHECK(read(content, {.times = {.stamp = "end"}}).stamps_s == Values{0, 10, 20});
  CHECK(read(content, {.times = {.stamp = "instant"}}).stamps_s == Values{10, 15, 25});  // the run begins at the first
}

TEST_CASE("of dates the row that holds at the begin of the run is the first", "[trace]") {
  const TraceFile file("t,a\n2026-07-15 10:00,1\n2026-07-15 11:00,2\n2026-07-15 12:00,3\n");
  const auto read_at = [&](double hour, Problems& problems) {
    return read_power_trace(file.path(), {.times = {.time_unit = "date"}}, problems,
                            {.run = RunSpan{{2026, 7, 15, 3600.0 * hour}, 1800.0}});
  };
  Problems problems;
  const PowerTrace trace = read_at(11.5, problems);
  CHECK(problems.empty());
  CHECK(trace.stamps_s == Values{0.0, 1800.0});
  CHECK(trace.power_w == Values{2.0, 3.0});
  read_at(5.0, problems);
  read_at(14.0, problems);
  REQUIRE(problems.size() == 2);
  CHECK_THAT(problems.all()[0].message, Catch::Contains("begins 5 h before the first row"));
  CHECK_THAT(problems.all()[1].message, Catch::Contains("after the last row, 2026-07-15T12:00"));
}

TEST_CASE("a column that ends before the file does draws nothing from there on, where asked for", "[trace]") {
  const std::string content = "t,a,b\n0,1,1\n1,1,1\n2,,1\n3,,1\n4,,1\n5,,1\n";
  CHECK_THAT(problems_in(content), Catch::Contains("if a record ends, write fill: end"));
  const PowerTrace trace = read(content, {.fill = "end"});
  CHECK(column(trace, 0) == Values{1, 1, 0, 0, 0, 0});
  CHECK(trace.ended_columns == 1);
  CHECK_THAT(describe_holes(trace).front(), Catch::Contains("1 of 2 columns end"));
  CHECK_THAT(problems_in("t,a\n0,1\n1,\n2,\n3,\n4,\n5,1\n", {.fill = "end"}), Catch::Contains("4 intervals"));
}

TEST_CASE("files that are no traces are refused in one line", "[trace][errors]") {
  const std::string header_hint = "      = the first line names the columns, such as t_s,node_1,node_2\n";
  CHECK(problems_in("") == "t.csv: the file is empty\n" + header_hint);
  CHECK(problems_in("# nothing\n\n") == "t.csv: the file holds no header and no rows\n" + header_hint);
  CHECK(problems_in("t_s,a\n") == "t.csv: no data rows after the header\n");
  CHECK(problems_in("t_s,a\n0,1\n") ==
        "t.csv:2:1: there is only one data row, but the interval follows from two or more\n    2 | 0,1\n      | ^\n");
  CHECK(problems_in(std::string("\x89PNG\r\n\0\0", 8)) == "t.csv: is a binary file, not CSV text\n");
  CHECK(problems_in(std::string("t_s,a\n0,1\0\n", 11)) == "t.csv: is a binary file, not CSV text\n");
  CHECK(problems_in("0,100\n1,100\n") ==
        "t.csv:1:1: the first line contains numbers, but names of columns are expected\n    1 | 0,100\n      | ^\n" +
            header_hint);
  CHECK(problems_in("power\n100\n") ==
        "t.csv:1:1: there is no column of power beside the column of times\n    1 | power\n      | ^\n" + header_hint);
  CHECK(problems_in("t_s,a,b\n0,1,\n1,1,\n") == "t.csv: column 'b' has no sample at all\n");
}

TEST_CASE("a trace that cannot be opened is reported where it was named", "[trace][errors]") {
  Problems problems;
  read_power_trace("no/such.csv", {}, problems, {.named_at = {{"hall.yaml", 7, 10}, {}}});
  read_power_trace("no/such.csv", {}, problems);
  const tests::TemporaryFolder folder;
  read_power_trace(folder.path().string(), {}, problems, {.named_at = {{"hall.yaml", 7, 10}, {}}});
  REQUIRE(problems.size() == 3);
  CHECK(format_problem(problems.all()[0]) ==
        "hall.yaml:7:10: 'no/such.csv': no such file\n      = there is no folder 'no'\n");
  CHECK(format_problem(problems.all()[1]) == "no/such.csv: no such file\n      = there is no folder 'no'\n");
  CHECK(format_problem(problems.all()[2]).ends_with("is a folder, expected a CSV file\n"));
}

TEST_CASE("long lines are shortened around the mistake", "[trace][errors]") {
  std::string header = "t_s", row = "0", good = "1";
  for (int i = 1; i <= 40; ++i) {
    header += fmt::format(",n{}", i);
    row += i == 30 ? ",bad" : fmt::format(",{}", 1000 + i);
    good += ",1";
  }
  CHECK(problems_in(header + "\n" + row + "\n" + good + "\n") ==
        "t.csv:2:148: n30: 'bad' is not a number\n    2 | "
        "...021,1022,1023,1024,1025,1026,1027,1028,1029,bad,1031,1032,1033,1034,1035,1036,1037,1038,10...\n      |     "
        "                                           ^\n      = write power in W; leave the cell empty if a sample is "
        "missing\n");
}

TEST_CASE("many mistakes are shown up to a limit, the rest counted", "[trace][errors]") {
  std::string content = "t_s,a\n";
  for (int i = 0; i < 37; ++i) content += fmt::format("{},x\n", i);
  const TraceFile file(content);
  Problems problems;
  read_power_trace(file.path(), {}, problems);
  REQUIRE(problems.size() == 21);
  CHECK(problems.all()[20].message == "and 17 more");
}

TEST_CASE("a trace of 64 columns and 1,707 rows is read without an allocation for every row", "[trace]") {
  std::string content = "t_s";
  for (int i = 1; i <= 64; ++i) content += fmt::format(",node_{}", i);
  for (int row = 0; row < 1707; ++row) {
    content += fmt::format("\n{}", 2 * row);
    for (int i = 1; i <= 64; ++i) content += fmt::format(",{}", 4000 + (row * 64 + i) % 3000);
  }
  const TraceFile file(content);
  Problems problems;
  const tests::AllocationCount count;
  const PowerTrace trace = read_power_trace(file.path(), {}, problems);
  CHECK(count.allocations() < 1707);
  CHECK(trace.power_w.size() == 64 * 1707);
}
