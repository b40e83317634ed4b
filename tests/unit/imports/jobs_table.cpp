// The table of jobs: what is written is read back, and every mistake has its line.
#include "workload/queue/jobs_table.hpp"

#include <fstream>
#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::workload;
using Catch::Matchers::Contains;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

std::vector<JobRow> read(const std::string& text, Problems& problems) {
  const TemporaryFolder folder;
  std::ofstream(folder / "jobs.csv", std::ios::binary) << text;
  return read_jobs_table(folder / "jobs.csv", problems);
}

std::string problems_in(const std::string& text) {
  Problems problems;
  read(text, problems);
  std::string shown;
  for (Problem problem : problems.all()) {
    problem.place.file = "jobs.csv";
    shown += format_problem(problem);
  }
  return shown;
}

}  // namespace

TEST_CASE("a table of jobs is read back as it was written, by submission", "[imports][jobs]") {
  const std::vector<JobRow> jobs{
      {"pretrain", 0.0, 1024, 8192, 5e6, none, 10, "large"},
      {"a \"b\", c", 12.5, 0, 1, 0.125, 3600.0, 0, ""},
      {"#1", 12.5, 3, 0, 60.0, 120.0, -5, "small;cheap"},
  };
  const TemporaryFolder folder;
  write_jobs_table(folder / "jobs.csv", jobs, std::vector<std::string>{"from a log", "times in s\nand more"});
  Problems problems;
  CHECK(read_jobs_table(folder / "jobs.csv", problems) == jobs);
  CHECK(problems.empty());
  const std::vector<JobRow> sorted = read("name,submit_s,gpus,run_time_s\nb,5,1,2\na,1,1,2\nc,5,1,2\n", problems);
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0] == JobRow{"a", 1.0, 0, 1, 2.0, none, 0, ""});
  CHECK(sorted[1].name == "b");
  CHECK(problems.empty());
}

TEST_CASE("mistakes in a table of jobs are reported at once, with line and nearest name", "[imports][jobs]") {
  CHECK(problems_in("name,submitt_s,nodes,run_time_s\na,0,1,1\n") ==
        "jobs.csv:1:6: a table of jobs has no column 'submitt_s'\n"
        "    1 | name,submitt_s,nodes,run_time_s\n"
        "      |      ^\n"
        "      = did you mean 'submit_s'?\n"
        "jobs.csv:1:1: there is no column 'submit_s'\n"
        "    1 | name,submitt_s,nodes,run_time_s\n"
        "      | ^\n"
        "      = did you mean 'submitt_s'?\n");
  const std::string text = problems_in(
      "name,submit_s,nodes,gpus,run_time_s,time_limit_s,priority,class\n"
      "a,0,1,8,60,0,high,x\n"
      "a,-1,1.5,8,,60,0,x\n"
      ",nan,0,0,\"1,5\",,0,x\n");
  CHECK_THAT(text, Contains("jobs.csv:2:12: time_limit_s: '0' is not a valid limit"));
  CHECK_THAT(text, Contains("jobs.csv:2:14: priority: 'high' is not a whole number"));
  CHECK_THAT(text, Contains("jobs.csv:3:1: the job 'a' is in line 2 already"));
  CHECK_THAT(text, Contains("jobs.csv:3:3: submit_s: -1 is negative"));
  CHECK_THAT(text, Contains("jobs.csv:3:6: nodes: '1.5' is not a whole number"));
  CHECK_THAT(text, Contains("jobs.csv:3:12: run_time_s: '' is no number of seconds"));
  CHECK_THAT(text, Contains("jobs.csv:4:1: the name is empty"));
  CHECK_THAT(text, Contains("jobs.csv:4:2: submit_s: 'nan' is no number of seconds"));
  CHECK_THAT(text, Contains("a decimal comma"));
  CHECK_THAT(text, Contains("jobs.csv:4:1: the job '' asks for no node and no GPU"));
  CHECK_THAT(problems_in("name,submit_s,run_time_s\na,0,1\n"),
             Contains("there is no column 'nodes' and no column 'gpus'"));
}
