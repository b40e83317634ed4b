// Logs that cannot be read: each is answered with file, line, what was expected, and a caret where there is one.
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/unit/imports/log_folder.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

const std::string smi = "timestamp, index, power.draw [W]\n2023/09/15 10:00:00.000, 0, 100.00 W\n";
const std::string wide = "t_s,node_1,node_2\n0,100,200\n";

struct BadLog {
  std::string name, file, text, expected;
};

const std::vector<BadLog> bad_logs{
    {"mixed units in a column of nvidia-smi", "a.csv", smi + "2023/09/15 10:00:01.000, 0, 0.1 kW\n",
     "a.csv:3:29: power.draw: '0.1 kW' is in kW, expected W\n"
     "    3 | 2023/09/15 10:00:01.000, 0, 0.1 kW\n"
     "      |                             ^\n"
     "      = all cells of a column are in one unit\n"},
    {"a unit that is none of power", "a.csv",
     "timestamp, index, power.draw [W]\n2023/09/15 10:00:00.000, 0, 100.00 C\n",
     "a.csv:2:29: power.draw: '100.00 C' is in C, expected W, kW or mW\n"},
    {"a line that was cut off", "a.csv", smi + "2023/09/15 10:00:01.0",
     "a.csv:3:22: 1 cell, but the first line names 3 columns\n    3 | 2023/09/15 10:00:01.0\n      |                   "
     "   ^\n      = if the line was cut off, delete it\n"},
    {"a cell too many", "a.csv", wide + "1,100,200,300\n", "a.csv:3:11: 4 cells, but the first line names 3 columns\n"},
    {"a second header with other columns", "a.csv",
     smi + "timestamp, index, temperature.gpu\n2023/09/15 10:00:01.000, 0, 60\n",
     "a.csv:3:1: a second header with other columns than line 1\n    3 | timestamp, index, temperature.gpu\n      | "
     "^\n      = two logs in one file? Split it, and import both files\n"},
    {"a second header of dcgmi dmon", "a.txt",
     "#Entity   POWER\nID        W\nGPU 0     100\n#Entity   POWER  TMPTR\nGPU 0     100    30\n",
     "a.txt:4:1: a second header with other columns than the first\n"},
    {"times that run backwards", "a.csv", wide + "1,100,200\n2,100,200\n3,100,200\n60,100,200\n30,100,200\n",
     "a.csv:7:1: the time of node_1 goes back by 30 s from the row before\n"},
    {"an empty file", "a.csv", "", "a.csv: the file is empty\n"},
    {"blank lines alone", "a.csv", "\n\n   \n", "a.csv:1:1: the format of this log is not known\n"},
    {"a binary file", "a.csv", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16),
     "a.csv: is a binary file, expected text\n"},
    {"UTF-16", "a.csv", std::string("\xff\xfet\0,\0", 6),
     "a.csv: is UTF-16 text, expected UTF-8\n      = iconv -f utf-16 -t utf-8 "},
    {"latin-1", "a.csv",
     "t_s,gr\xf6\xdf"
     "e,node_1\n0,1,2\n",
     "a.csv:1:7: is no UTF-8 text: latin-1 or windows-1252, perhaps\n"},
    {"a head alone", "a.csv", "t_s,node_1\n", "a.csv: there is no sample of power\n"},
    {"no column of power in nvidia-smi", "a.csv",
     "timestamp, index, utilization.gpu [%]\n2023/09/15 10:00:00.000, 0, 100 %\n",
     "a.csv:1:1: there is no column of power\n"
     "    1 | timestamp, index, utilization.gpu [%]\n"
     "      | ^\n"
     "      = nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv -lms 100\n"},
    {"no column of power in a table", "a.csv", "t_s,fan,inlet\n0,1,2\n",
     "a.csv:1:1: there is no column of power: no name contains 'power', 'watt' or a unit of power, and no name has a "
     "number, as in node_1\n"},
    {"no column of power in dcgmi dmon", "a.txt", "#Entity   TMPTR\nID        C\nGPU 0     60\n",
     "a.txt:1:1: there is no column of power\n"},
    {"no column of times", "a.csv", "node_1,node_2\n1,2\n", "a.csv:1:1: there is no column of times\n"},
    {"a GPU that has two rows for the same time", "a.csv", smi + "2023/09/15 10:00:00.000, 0, 101.00 W\n",
     "a.csv:3:29: GPU 0 of a has two rows for the same time\n    3 | 2023/09/15 10:00:00.000, 0, 101.00 W\n      |     "
     "                        ^\n      = write one row for each GPU and time\n"},
    {"GPUs that are not told apart", "a.csv",
     "timestamp, power.draw [W]\n2023/09/15 10:00:00.000, 100 W\n2023/09/15 10:00:00.000, 90 W\n",
     "a.csv:3:26: GPU 0 of a has two rows for the same time\n"},
    {"a time that is none", "a.csv", "timestamp, index, power.draw [W]\n15.9.23 10 Uhr, 0, 100.00 W\n",
     "a.csv:2:1: time '15.9.23 10 Uhr' cannot be read\n"},
    {"a number among dates", "a.csv", smi + "1694773425.5, 0, 100.00 W\n",
     "a.csv:3:1: time '1694773425.5' cannot be read\n"},
    {"a time that is missing", "a.csv", wide + ",100,200\n", "a.csv:3:1: the time is missing\n"},
    {"negative power", "a.csv", wide + "1,-5,200\n", "a.csv:3:3: node_1: power -5 is negative\n"},
    {"words for power", "a.csv", wide + "1,off,200\n", "a.csv:3:3: node_1: 'off' is not a power\n"},
    {"infinite power", "a.csv", wide + "1,inf,200\n", "a.csv:3:3: node_1: 'inf' is not a power\n"},
    {"decimal commas", "a.csv", "t_s;node_1\n0;100,5\n1;100,5\n",
     "a.csv:2:3: node_1: '100,5' is not a power\n    2 | 0;100,5\n      |   ^\n      = a decimal comma: numbers are "
     "written with a point, 100.5"},
    {"two columns of one name", "a.csv", "t_s,node_1,node_1\n0,1,2\n",
     "a.csv:1:12: two columns are called 'node_1', so the name is ambiguous\n"},
    {"numbers instead of names", "a.csv", "0,1,2\n1,1,2\n", "a.csv:1:1: the first line has no names of columns\n"},
    {"a quote that does not end", "a.csv", wide + "1,\"100,200\n", "a.csv:3:3: the quote does not end in this line\n"},
    {"labels that do not end", "a.prom", "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",Hostname=\"n1\n",
     "a.prom:1:45: the labels do not end in this line\n"},
    {"a metric without a value", "a.prom", "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"}\n",
     "a.prom:1:33: the line ends before its value\n"},
    {"metrics without power", "a.prom", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 60\n", "a.prom: it has no power of a GPU\n"},
    {"JSON that was cut off", "a.txt", ":::MLLOG {\"time_ms\": 1, \"key\": \"power_reading\", \"value\": 5\n",
     "a.txt:1:9: there is no JSON after :::MLLOG\n"},
    {"a log of no known format", "a.txt", "Hello\n",
     "a.txt:1:1: the format of this log is not known\n    1 | Hello\n      | ^\n      = write --format with one of: "
     "nvidia-smi, dcgm-exporter"},
    {"one sample alone", "a.csv", smi, "a.csv: there is only one sample, but the interval follows from two or more\n"},
    {"events alone", "a.csv", "t_s,event,value\n0,run_start,\n", "a.csv: there are events, but no log of power\n"},
};

}  // namespace

TEST_CASE("each mistake in a log is answered with its place and what was expected", "[imports]") {
  for (const BadLog& bad : bad_logs) {
    INFO(bad.name);
    LogFolder logs;
    logs.write(bad.file, bad.text);
    twin::TelemetryOptions options;
    if (bad.text.starts_with("t_s")) options.log.boundary = "node_ac";
    if (bad.text.starts_with("#Entity")) options.log.interval_s = 1.0;
    CHECK_THAT(logs.problems(options), Catch::StartsWith(bad.expected));
  }
}

TEST_CASE("all mistakes of all logs are reported at once, the first twenty of a file in full", "[imports]") {
  LogFolder logs;
  std::string text = wide;
  for (int k = 0; k < 30; ++k) text += fmt::format("{},-1,200\n", k + 1);
  logs.write("a.csv", text);
  logs.write("b.csv", wide + "1,-7,200\n");
  const std::string problems = logs.problems({.log = {.boundary = "node_ac"}});
  CHECK_THAT(problems, Contains("a.csv:22:4") && !Contains("a.csv:23:") && Contains("and 10 more") &&
                           Contains("b.csv:3:3: node_1: power -7 is negative"));
}

TEST_CASE("a boundary is asked for where the log does not say it, and refused where it says another", "[imports]") {
  LogFolder logs;
  SECTION("asked for") {
    logs.write("a.csv", wide + "1,100,200\n");
    CHECK(logs.problems() ==
          "a.csv: the log does not give the measurement boundary of its power\n      = write --boundary gpu, board, "
          "node_ac or node_dc: a GPU alone, its board, a node at its AC inlet or behind its power supplies\n");
  }
  SECTION("refused") {
    logs.write("a.csv", smi + "2023/09/15 10:00:01.000, 0, 100.00 W\n");
    CHECK(logs.problems({.log = {.boundary = "node_ac"}}) ==
          "--boundary: --boundary node_ac does not agree with the log, which says board: power.draw of nvidia-smi is "
          "the power of the whole board\n      = delete --boundary\n");
  }
  SECTION("nodes are no GPUs") {
    logs.write("a.csv", "t_s,n1.gpu0_W,n1.gpu1_W\n0,1,2\n1,1,2\n");
    CHECK_THAT(logs.problems({.log = {.boundary = "node_ac"}}),
               Contains("the log contains the power of GPUs (n1.gpu_0), not of nodes"));
  }
}

TEST_CASE("logs of two formats or two clocks are not mixed", "[imports]") {
  LogFolder logs;
  SECTION("formats") {
    logs.write("a.csv", smi + "2023/09/15 10:00:01.000, 0, 100.00 W\n");
    logs.write("b.csv", wide + "1,100,200\n");
    CHECK_THAT(logs.problems(), Contains("b.csv: is a log of another format (wide) than those before it (nvidia-smi)"));
  }
  SECTION("clocks") {
    logs.write("a.csv", wide + "1,100,200\n");
    logs.write("b.csv", "t_s,node_1\n2023-09-15T10:00:00,1\n2023-09-15T10:00:01,1\n");
    CHECK_THAT(logs.problems({.log = {.boundary = "node_ac"}}),
               Contains("b.csv: its time stamps are dates without an offset, but the time stamps of earlier files are "
                        "seconds since a start"));
  }
  SECTION("one file named twice") {
    const auto file = logs.write("a.csv", smi + "2023/09/15 10:00:01.000, 0, 100.00 W\n");
    logs.write("a.csv", smi + "2023/09/15 10:00:01.000, 0, 100.00 W\n");
    CHECK_THAT(logs.problems(), Contains("GPU 0 of a has two samples at 2023-09-15T10:00:00"));
  }
}
