// Readers of logs of schedulers, and what they leave out.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/imports/jobs/job_log.hpp"

#include <fstream>

using namespace wattloop;
using namespace wattloop::tests;
using Catch::Matchers::Contains;
using workload::JobRow;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

class JobFile {
 public:
  explicit JobFile(const std::string& text) : file_(folder_ / "log") { std::ofstream(file_, std::ios::binary) << text; }
  twin::JobLog import(const twin::JobRequest& request = {}) const { return twin::import_jobs(file_, request); }
  std::string problems(const twin::JobRequest& request = {}) const {
    try {
      import(request);
    } catch (const InputError& error) {
      std::string text;
      for (Problem problem : error.problems()) {
        if (problem.place.file == file_.string()) problem.place.file = "log";
        text += format_problem(problem);
      }
      return text;
    }
    return {};
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

const std::string sacct_head =
    "JobID|Partition|Submit|Start|End|Elapsed|State|NNodes|NCPUS|AllocTRES|Timelimit|Priority\n";
const std::string acme_head =
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,end_time,"
    "fail_time,stop_time,duration,queue,gpu_time\n";

}  // namespace

TEST_CASE("jobs of sacct have GPUs, nodes, limits and run times in its units", "[imports]") {
  const JobFile file(
      sacct_head +
      "100|large|2024-05-01T08:00:00|2024-05-01T08:00:12|2024-05-02T09:30:12|1-01:30:00|COMPLETED|4|256|billing=256,"
      "cpu=256,gres/gpu:h100=32,gres/gpu=32,mem=4000G,node=4|3-00:00:00|5000\n"
      "100.batch||2024-05-01T08:00:12|2024-05-01T08:00:12|2024-05-02T09:30:12|1-01:30:00|COMPLETED|1|64|cpu=64,mem="
      "1000G,node=1||\n"
      "100.0||2024-05-01T08:00:13|2024-05-01T08:00:13|2024-05-02T09:30:12|1-01:29:59|COMPLETED|4|256|cpu=256,gres/"
      "gpu=32||\n"
      "101|huge|2024-05-01T08:10:00|2024-05-01T09:00:00|2024-05-01T09:30:00|30:00|TIMEOUT|2K|16K|gres/"
      "gpu:h100=8K,node=2048|UNLIMITED|7\n"
      "102_3|small|2024-05-01T08:20:00|2024-05-01T08:21:00|2024-05-01T08:21:05|00:00:05|FAILED|1|8|gres/"
      "gpu=1|01:00:00|0\n"
      "102_[4-9%2]|small|2024-05-01T08:20:00|Unknown|Unknown|00:00:00|PENDING|1|8||01:00:00|0\n"
      "103|small|2024-05-01T08:30:00|None|2024-05-01T08:31:00|00:00:00|CANCELLED by 1000|1|8||01:00:00|0\n"
      "104|small|2024-05-01T08:40:00|2024-05-01T08:41:00|Unknown|02:00:00|RUNNING|1|8|gres/gpu=8|1-00:00:00|0\n"
      "105|small|2024-05-01T08:50:00|2024-05-01T08:51:00|2024-05-01T08:41:00|00:10:00|COMPLETED|1|8|gres/"
      "gpu=8|1-00:00:00|0\n");
  const twin::JobLog log = file.import();
  CHECK(log.format == "sacct");
  CHECK(log.skipped_lines == 3);
  CHECK(log.logged == 6);
  CHECK(log.never_ran.count == 1);
  CHECK(log.never_ran.first == "103");
  CHECK(log.never_ran.first_line == 8);
  CHECK(log.running.count == 1);
  CHECK(log.backwards.count == 1);
  REQUIRE(log.jobs.size() == 4);
  CHECK(log.jobs[0] == JobRow{"100", 0.0, 4, 32, 91800.0, 259200.0, 5000, "large"});
  CHECK(log.jobs[1] == JobRow{"101", 600.0, 2048, 8192, 1800.0, none, 7, "huge"});
  CHECK(log.jobs[2] == JobRow{"102_3", 1200.0, 1, 1, 5.0, 3600.0, 0, "small"});
  CHECK(log.jobs[3] == JobRow{"104", 2400.0, 1, 8, 7200.0, 86400.0, 0, "small"});
  CHECK(twin::clock_text(log.clock, log.begin_s) == "2024-05-01T08:00:00");
}

TEST_CASE("jobs of the Standard Workload Format are nodes of so many processors", "[imports]") {
  const std::string head = "; Version: 2.2\n; MaxNodes: 128\n; MaxProcs: 1024\n; UnixStartTime: 846398400\n";
  const std::string jobs =
      "1 0 10 3600 16 -1 -1 16 7200 -1 1 3 1 -1 2 -1 -1 -1\n"
      "2 5 0 60 9 -1 -1 9 -1 -1 0 3 1 -1 1 -1 -1 -1\n"
      "3 20 -1 -1 -1 -1 -1 64 600 -1 5 3 1 -1 1 -1 -1 -1\n"
      "4 30 5 100 8 -1 -1 8 600 -1 3 3 1 -1 1 -1 -1 -1\n"
      "5 25 5 100 -1 -1 -1 8 600 -1 1 3 1 -1 1 -1 -1 -1\n";
  const twin::JobLog log = JobFile(head + jobs).import();
  CHECK(log.format == "swf");
  CHECK(log.logged == 4);
  CHECK(log.skipped_lines == 1);
  CHECK(log.never_ran.count == 1);
  REQUIRE(log.jobs.size() == 3);
  CHECK(log.jobs[0] == JobRow{"1", 0.0, 2, 0, 3600.0, 7200.0, 0, "queue_2"});
  CHECK(log.jobs[1] == JobRow{"2", 5.0, 2, 0, 60.0, none, 0, "queue_1"});
  CHECK(log.jobs[2] == JobRow{"5", 25.0, 1, 0, 100.0, 600.0, 0, "queue_1"});
  CHECK(twin::clock_text(log.clock, log.begin_s) == "1996-10-27T06:40:00Z");
  CHECK_THAT(JobFile(jobs).problems(),
             Contains("log:1:13: the log counts processors and does not give the number of processors "
                      "of a node\n"));
  CHECK(JobFile(jobs).import({.procs_per_node = 4}).jobs[0].nodes == 4);
}

TEST_CASE("jobs of Acme have nodes, and their type as class", "[imports]") {
  const twin::JobLog log =
      JobFile(acme_head +
              "dlctk,uf794,8,64,960,1000,100.0,Pretrain,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 "
              "11:01:08+00:00,2023-05-17 11:01:16+00:00,,,18,10,512\n"
              "dla,u1,1,0,8,10,1.0,Other,COMPLETED,2023-05-17 11:00:50+00:00,2023-05-17 11:01:08+00:00,2023-05-17 "
              "11:01:16+00:00,,,8,10,0\n"
              "dlb,u1,1,8,8,10,1.0,Other,CANCELLED,2023-05-17 11:02:00+00:00,,2023-05-17 11:03:00+00:00,,,0,60,0\n"
              "dlc,u1,1,8,8,10,1.0,SFT,COMPLETED,2023-05-17 11:02:00+00:00,2023-05-17 11:02:00+00:00,,,,300,0,2400\n")
          .import();
  CHECK(log.format == "acme");
  CHECK(log.logged == 4);
  CHECK(log.gpu_jobs == 3);
  CHECK(log.out_of_order == 1);
  CHECK(log.never_ran.count == 1);
  CHECK(log.without_resources.count == 1);
  REQUIRE(log.jobs.size() == 2);
  CHECK(log.jobs[0] == JobRow{"dlctk", 0.0, 8, 64, 8.0, none, 0, "Pretrain"});
  CHECK(log.jobs[1] == JobRow{"dlc", 62.0, 1, 8, 300.0, none, 0, "SFT"});
}

TEST_CASE("jobs of Alibaba that ask for part of a GPU count as a whole one, and that is reported", "[imports]") {
  const twin::JobLog log = JobFile(
                               "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
                               "deletion_time,scheduled_time\n"
                               "p0,12000,16384,1,1000,,LS,Running,0,3600,0\n"
                               "p1,6000,12288,1,460,,BE,Running,100,7300,100\n"
                               "p2,6000,12288,0,0,,BE,Running,100,7300,100\n"
                               "p3,6000,12288,8,1000,,BE,Pending,200,900,\n"
                               "p1,6000,12288,8,1000,,BE,Running,300,1300,400\n")
                               .import();
  CHECK(log.part_of_a_gpu.count == 1);
  CHECK(log.part_of_a_gpu.first_line == 3);
  CHECK(log.one_gpu_jobs == 2);
  CHECK(log.never_ran.count == 1);
  CHECK(log.gpu_s == 3600.0 + 7200.0 + 8 * 900.0);
  CHECK(log.asked_gpu_s == 3600.0 + 0.46 * 7200.0 + 8 * 900.0);
  REQUIRE(log.jobs.size() == 3);
  CHECK(log.jobs[1] == JobRow{"p1", 100.0, 0, 1, 7200.0, none, 0, "BE"});
  CHECK(log.jobs[2] == JobRow{"p1.run_2", 300.0, 0, 8, 900.0, none, 0, "BE"});
}

TEST_CASE("mistakes in logs of jobs are answered with their places", "[imports]") {
  CHECK(JobFile(sacct_head + "100|large|yesterday|2024-05-01T08:00:12|Unknown|25:00:00:00|COMPLETED|four|256|||\n")
            .problems() ==
        "log:2:11: Submit: 'yesterday' cannot be read\n"
        "    2 | 100|large|yesterday|2024-05-01T08:00:12|Unknown|25:00:00:00|COMPLETED|four|256|||\n"
        "      |           ^\n"
        "      = 2024-05-01T08:00:00\n"
        "log:2:49: Elapsed: '25:00:00:00' cannot be read\n"
        "    2 | 100|large|yesterday|2024-05-01T08:00:12|Unknown|25:00:00:00|COMPLETED|four|256|||\n"
        "      |                                                 ^\n"
        "      = D-HH:MM:SS\n"
        "log:2:71: NNodes: 'four' cannot be read\n"
        "    2 | 100|large|yesterday|2024-05-01T08:00:12|Unknown|25:00:00:00|COMPLETED|four|256|||\n"
        "      |                                                                       ^\n"
        "      = a number, such as 4 or 2K\n");
  CHECK_THAT(JobFile(sacct_head + "100|large|2024-05\n").problems(),
             Contains("log:2:18: 3 cells, but the first line names 12 columns\n"));
  CHECK_THAT(JobFile("JobID|Submitt|Start|NNodes|Elapsed\n1|a|b|1|1\n").problems(),
             Contains("there is no column 'Submit'") && Contains("did you mean 'Submitt'?"));
  CHECK_THAT(JobFile("1 0 10 3600 16\n").problems({.procs_per_node = 8}),
             Contains("log:1:15: 5 numbers, expected 18\n"));
  CHECK_THAT(JobFile("1 0 ten 3600 16 -1 -1 16 7200 -1 1 3 1 -1 2 -1 -1 -1\n")
                 .problems({.format = "swf", .procs_per_node = 8}),
             Contains("log:1:5: 'ten' is no number\n"));
  CHECK_THAT(JobFile("; nothing\n").problems({.procs_per_node = 8}), Contains("log: there is no job in this log\n"));
  CHECK_THAT(JobFile("a,b\n1,2\n").problems(), Contains("log:1:1: the format of this log is not known\n"));
  CHECK_THAT(
      JobFile(acme_head + "dlb,u1,1,-8,8,10,1.0,Other,CANCELLED,2023-05-17 11:02:00+00:00,,,,,0,60,0\n").problems(),
      Contains("log:2:10: gpu_num: '-8' is no number, or negative\n"));
  CHECK_THAT(
      JobFile(acme_head + "dlb,u1,1,8,8,10,1.0,Other,CANCELLED,2023-05-17 11:02:00+00:00,,,,,0,60,0\n").problems(),
      Contains("log:2:1: none of its 1 jobs can be used: 1 never ran (the first is dlb in line 2)\n    2 | dlb,u1"));
  CHECK_THAT(JobFile("").problems(), Contains("log: the file is empty\n"));
}
