// Jobs drawn from the classes of the library against what was published of four clusters [acme_trace], and lists made of the rows of a trace.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/document/field_reader.hpp"
#include "workload/queue/job_mix.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const std::string source = WATTLOOP_SOURCE_DIR;

std::vector<JobClass> classes_of_library(const std::string& name) {
  Problems problems;
  const twin::Node file = twin::read_document(source + "/scenarios/job_mixes/" + name + ".yaml", problems);
  const twin::Node* classes = twin::find(file, "classes");
  REQUIRE(classes != nullptr);
  std::vector<JobClass> found;
  for (const twin::Entry& entry : classes->entries) {
    JobClass& job_class = found.emplace_back();
    job_class.name = entry.key.text;
    twin::read_params(entry.value, "class", job_class, problems, twin::Sources::demanded);
    CHECK(class_mistakes(job_class).empty());
  }
  REQUIRE(problems.empty());
  return found;
}

/// [cluster][column]
std::map<std::string, std::map<std::string, double>> published() {
  std::ifstream file(tests::reference_data() + "/jobs/acme_cluster_summary.csv");
  std::string line;
  std::vector<std::string> columns;
  std::map<std::string, std::map<std::string, double>> rows;
  while (std::getline(file, line)) {
    std::istringstream stream(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    for (std::size_t k = 1; k < cells.size(); ++k) {
      if (!cells[k].empty()) rows[cells[0]][columns[k]] = std::stod(cells[k]);
    }
  }
  return rows;
}

void check(const std::string& cluster, const std::string& quantity, double ours, double theirs, double tolerance) {
  INFO(cluster << ", " << quantity);
  CHECK_THAT(ours, WithinRel(theirs, tolerance));
  tests::report_verification({"1e6 jobs of " + cluster, "acme_trace", quantity, ours, theirs, tolerance * theirs,
                              quantity.find("time") != std::string::npos ? "s" : "1", "fit"});
}

}  // namespace

TEST_CASE("a million jobs of each cluster of the library run as long, and are as large, as published",
          "[verification][job_mix]") {
  const auto rows = published();
  const std::map<std::string, std::string> clusters{
      {"seren", "Seren"}, {"kalos", "Kalos"}, {"philly", "Philly"}, {"helios", "Helios"}};
  for (const auto& [name, cluster] : clusters) {
    const JobMix mix(classes_of_library(name), 1);
    const std::map<std::string, double>& row = rows.at(cluster);
    constexpr std::size_t draws = 1'000'000;
    std::vector<double> run_times_s;
    double run_time_s = 0.0, gpus = 0.0, gpu_time_s = 0.0, pause_s = 0.0, square = 0.0;
    std::uint32_t most = 0;
    std::size_t single = 0;
    for (std::size_t k = 0; k < draws; ++k) {
      const DrawnJob job = mix.job(k);
      run_times_s.push_back(job.run_time_s);
      run_time_s += job.run_time_s / draws;
      gpus += static_cast<double>(job.gpus) / draws;
      gpu_time_s += job.gpus * job.run_time_s / draws;
      pause_s += job.pause_s / draws;
      square += job.pause_s * job.pause_s / draws;
      most = std::max(most, job.gpus);
      single += job.gpus == 1 ? 1 : 0;
    }
    std::ranges::sort(run_times_s);
    check(cluster, "median run time", run_times_s[draws / 2], row.at("med_run_time_gpu"), 0.05);
    check(cluster, "mean run time", run_time_s, row.at("avg_run_time_gpu"), 0.05);
    check(cluster, "mean GPUs", gpus, row.at("avg_gpu_num"), 0.05);
    const double published_s = row.at("complete_gpu_time") + row.at("cancel_gpu_time") + row.at("fail_gpu_time");
    check(cluster, "mean GPU time", gpu_time_s, published_s / row.at("gpu_job_num"), 0.15);
    CHECK(run_times_s.back() == row.at("max_run_time_gpu"));
    CHECK(most == row.at("max_gpu"));
    CHECK_THAT(static_cast<double>(single) / draws, WithinAbs(0.6, 0.002));
    CHECK_THAT(pause_s, WithinAbs(1.0, 0.005));
    CHECK_THAT(square, WithinAbs(2.0, 0.02));  // exponential
  }
}

TEST_CASE("run times of a class are a log-normal distribution that is cut", "[verification][job_mix]") {
  JobClass plain{.median_run_time_s = 100.0,
                 .mean_run_time_s = 100.0 * std::exp(0.5),
                 .longest_run_time_s = 1e12,
                 .mean_gpus = 1.0,
                 .most_gpus = 1};
  CHECK(class_mistakes(plain).empty());
  const JobDistribution whole(plain);
  CHECK_THAT(whole.log_deviation(), WithinRel(1.0, 1e-9));
  CHECK(whole.gpus(5.0) == 1);
  CHECK_THAT(whole.run_time_s(2.0), WithinRel(100.0 * std::exp(2.0), 1e-9));
  plain.longest_run_time_s = 200.0;
  plain.mean_run_time_s = 99.0;
  plain.mean_gpus = 1.5;
  CHECK(class_mistakes(plain).size() == 2);
  plain.longest_run_time_s = 50.0;
  CHECK(class_mistakes(plain).front().starts_with("longest_run_time"));
  plain.median_run_time_s = required;  // not given, which its reader reports
  REQUIRE(class_mistakes(plain).size() == 1);
  CHECK(class_mistakes(plain).front().starts_with("mean_gpus"));
}

TEST_CASE("the jobs of a seed are the same at another rate, and those larger than the hall are reported",
          "[verification][job_mix]") {
  const JobMix mix(classes_of_library("kalos"), 5);
  const FoundJobs slow = jobs_of_mix(mix, {.rate_per_s = 0.01, .to_s = 1e6}, {.nodes = 32, .gpus_per_node = 8});
  const FoundJobs fast = jobs_of_mix(mix, {.rate_per_s = 0.1, .to_s = 1e5}, {.nodes = 32, .gpus_per_node = 8});
  REQUIRE(slow.jobs.size() == fast.jobs.size());
  for (std::size_t k = 0; k < slow.jobs.size(); ++k) {
    REQUIRE(slow.jobs[k].name == fast.jobs[k].name);
    REQUIRE(slow.jobs[k].run_time_s == fast.jobs[k].run_time_s);
    REQUIRE_THAT(slow.jobs[k].submit_s, WithinRel(10.0 * fast.jobs[k].submit_s, 1e-9));
    REQUIRE(slow.jobs[k].nodes <= 32);
  }
  const std::size_t all = slow.jobs.size() + slow.too_large.size();
  CHECK_THAT(static_cast<double>(all), WithinAbs(1e4, 500.0));  // five deviations of a Poisson process
  CHECK(slow.too_large.size() > 10);
  for (const TooLarge& job : slow.too_large) CHECK(job.nodes > 32);
}

TEST_CASE("rows of a trace become jobs of whole nodes", "[verification][job_mix]") {
  const std::vector<JobTraceRow> rows{{.name = "late", .submit_s = 500.0, .gpus = 9.0, .run_time_s = 10.0},
                                      {.name = "share", .submit_s = 100.0, .gpus = 0.25, .run_time_s = 20.0},
                                      {.name = "large", .submit_s = 300.0, .gpus = 40.0, .run_time_s = 20.0},
                                      {.name = "nodes",
                                       .submit_s = 100.0,
                                       .nodes = 3.0,
                                       .gpus = 4.0,
                                       .run_time_s = 30.0,
                                       .time_limit_s = 60.0,
                                       .priority = 2}};
  const FoundJobs found = jobs_of_rows(rows, {.nodes = 4, .gpus_per_node = 8}, 100.0);
  REQUIRE(found.jobs.size() == 3);
  CHECK(found.source == std::vector<std::size_t>{1, 3, 0});
  CHECK(found.jobs[0].nodes == 1);
  CHECK(found.jobs[0].submit_s == 1.0);
  CHECK(std::isinf(found.jobs[0].time_limit_s));
  CHECK(found.jobs[1].nodes == 3);
  CHECK(found.jobs[1].time_limit_s == 60.0);
  CHECK(found.jobs[1].priority == 2);
  CHECK(found.jobs[2].nodes == 2);
  CHECK(found.jobs[2].run_time_s == 10.0);
  REQUIRE(found.too_large.size() == 1);
  CHECK(found.too_large[0].name == "large");
  CHECK(found.too_large[0].nodes == 5);
  CHECK(found.too_large[0].row == 2);
}
