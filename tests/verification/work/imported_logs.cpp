// Imports of measured power and of measured jobs, each against a plain reading of the same file by this test.
//
// 8 H100 at 100 ms [wilkins2024]: the folded rows are written back as nvidia-smi would have, a line for each GPU, and imported: every number is the
// same. MLPerf records of nodes [mlperf_training_v40_smc] and others: energy within 0.01 % of the sum over the cells, each held until the next.
// Alibaba's tasks [weng2023]: 897 never ran, 3,078 of 6,989 tasks of one GPU ask for part of it.
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/verification.hpp"
#include "twin/imports/jobs/job_log.hpp"
#include "twin/imports/jobs/jobs_text.hpp"
#include "twin/imports/telemetry/import_telemetry.hpp"
#include "twin/imports/telemetry/telemetry_report.hpp"
#include "twin/imports/telemetry/trace_file.hpp"
#include "workload/queue/jobs_table.hpp"
#include "workload/replay/power_trace.hpp"

using namespace wattloop;
using namespace wattloop::tests;

namespace {

using Table = std::vector<std::vector<std::string>>;

/// Cells between commas, the head included.
Table plain_table(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  Table table;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::istringstream cells(line + ",");
    table.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) table.back().push_back(cell);
  }
  return table;
}

workload::PowerTrace replayed(const twin::ImportedTelemetry& imported) {
  const TemporaryFolder folder;
  const std::string path = (folder / "trace.csv").string();
  twin::write_trace(imported, path);
  Problems problems;
  workload::PowerTrace trace = workload::read_power_trace(path, {.meaning = imported.meaning()}, problems);
  problems.throw_if_any(path);
  return trace;
}

twin::ImportedTelemetry import_nodes(const std::string& path, const std::string& boundary) {
  twin::TelemetryOptions options;
  options.log.boundary = boundary;
  options.series.longest_gap_s = 120.0;
  return twin::import_telemetry({path}, options);
}

/// J of columns whose name begins with "node": each cell until the next one of its column. Up to three intervals at either end of the file have the
/// value beside them, as a replay fills them; before and after that a column draws nothing.
double plain_energy_j(const Table& table, double interval_s) {
  double begin_s = HUGE_VAL, end_s = 0.0;  // of rows with a node, not only with switches
  for (std::size_t row = 1; row < table.size(); ++row) {
    for (std::size_t column = 1; column < table[row].size(); ++column) {
      if (table.front()[column].rfind("node", 0) != 0 || table[row][column].empty()) continue;
      begin_s = std::min(begin_s, std::stod(table[row][0]));
      end_s = std::stod(table[row][0]) + interval_s;
    }
  }
  const double slack_s = 3.5 * interval_s;
  double sum_j = 0.0;
  for (std::size_t column = 1; column < table.front().size(); ++column) {
    if (table.front()[column].rfind("node", 0) != 0) continue;
    double held_w = -1.0, since_s = 0.0;
    for (std::size_t row = 1; row < table.size(); ++row) {
      if (table[row].size() <= column || table[row][column].empty()) continue;
      const double now_s = std::stod(table[row][0]), value_w = std::stod(table[row][column]);
      if (held_w >= 0.0) sum_j += held_w * (now_s - since_s);
      if (held_w < 0.0 && now_s - begin_s < slack_s) sum_j += value_w * (now_s - begin_s);
      held_w = value_w;
      since_s = now_s;
    }
    sum_j += held_w * (end_s - since_s - interval_s < slack_s ? end_s - since_s : interval_s);
  }
  return sum_j;
}

double plain_energy_of_trace_j(const workload::PowerTrace& trace) {
  double sum_j = 0.0;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    const double until_s = row + 1 < trace.rows() ? trace.stamps_s[row + 1] : trace.stamps_s[row] + trace.interval_s;
    for (const double power_w : trace.row(row)) sum_j += power_w * (until_s - trace.stamps_s[row]);
  }
  return sum_j;
}

/// A stamp of nvidia-smi so many milliseconds after ten o'clock.
std::string smi_stamp(long ms) {
  return fmt::format("2023/09/15 {:02}:{:02}:{:02}.{:03}", 10 + ms / 3600000, ms / 60000 % 60, ms / 1000 % 60,
                     ms % 1000);
}

}  // namespace

TEST_CASE("eight H100 at 100 ms, turned back to text of nvidia-smi, are imported to the last digit",
          "[imports][data]") {
  for (const char* const name : {"ckpt100.csv", "ckpt1000.csv"}) {
    const Table table = plain_table(reference_data() + "/power/h100_8gpu_training_100ms/" + name);
    const TemporaryFolder folder;
    std::ofstream log(folder / "node.csv");
    log << "timestamp, index, name, power.draw [W], temperature.gpu\n";
    for (std::size_t row = 1; row < table.size(); ++row) {
      const long ms = std::lround(1000.0 * std::stod(table[row][0]));
      for (std::size_t gpu = 0; gpu < 8; ++gpu)  // a millisecond for each second GPU, as nvidia-smi takes
        log << smi_stamp(ms + static_cast<long>(gpu) / 2) << ", " << gpu << ", NVIDIA H100 80GB HBM3, "
            << table[row][gpu + 1] << " W, 45\n";
    }
    log.close();
    const twin::ImportedTelemetry imported = twin::import_telemetry({folder / "node.csv"}, {});
    CHECK(imported.boundary == "board");
    CHECK(imported.log.late_rows == 0);
    CHECK(imported.facts.samples == 8 * (table.size() - 1));
    const workload::PowerTrace trace = replayed(imported);  // without fill, holes of up to a second being in it
    REQUIRE(trace.columns() == 8);
    std::size_t at = 0, different = 0;
    for (std::size_t row = 1; row < table.size(); ++row) {
      const double stamp_s = std::stod(table[row][0]) - std::stod(table[1][0]);
      while (at < trace.rows() && trace.stamps_s[at] < stamp_s - 1e-9) ++at;  // rows that bridge a hole
      REQUIRE(at < trace.rows());
      different += trace.stamps_s[at] == Approx(stamp_s).margin(1e-9) ? 0 : 1;
      for (std::size_t gpu = 0; gpu < 8; ++gpu)
        different += trace.row(at)[gpu] == std::stod(table[row][gpu + 1]) ? 0 : 1;
    }
    CHECK(different == 0);
    CHECK(imported.facts.long_holes > 0);
  }
}

TEST_CASE("the energy of each MLPerf record is that of its cells within 0.01 %", "[imports][data]") {
  struct Record {
    std::string path, boundary;
  };
  std::vector<Record> records{{"mlperf_smc_h100/gpt3_64node_run0_ac.csv", "node_ac"},
                              {"mlperf_smc_h100/gpt3_64node_run0_dc.csv", "node_dc"},
                              {"mlperf_smc_h100/llama2_70b_lora_8node_run0_ac.csv", "node_ac"},
                              {"mlperf_smc_h100/llama2lora_64node_run0_ac.csv", "node_ac"},
                              {"mlperf_smc_h100/bert_1node_run0_ac.csv", "node_ac"},
                              {"mlperf_b200/llama2_70b_lora_run0.csv", "node_ac"},
                              {"mlperf_b200/llama2_70b_lora_run1.csv", "node_ac"}};
  for (int run = 0; run < 5; ++run)
    records.push_back({fmt::format("mlperf_dell_h100_rdhx/llama2lora_result_{}.csv", run), "node_ac"});
  for (const Record& record : records) {
    INFO(record.path);
    const std::string path = reference_data() + "/power/" + record.path;
    const twin::ImportedTelemetry imported = import_nodes(path, record.boundary);
    const double plain_j = plain_energy_j(plain_table(path), imported.facts.interval_s);
    CHECK(imported.facts.energy_j == Approx(plain_j).epsilon(1e-4));
    CHECK(twin::energy_j(imported.trace) == Approx(plain_j).epsilon(1e-4));
    const double replayed_j = plain_energy_of_trace_j(replayed(imported));
    CHECK(replayed_j == Approx(plain_j).epsilon(1e-4));
    report_verification({"import of " + record.path, "plain parse of the file", "energy of its nodes",
                         replayed_j / 3.6e6, plain_j / 3.6e6, 1e-4 * plain_j / 3.6e6, "kWh"});
  }
}

TEST_CASE("thirty of 64 columns of the GPT-3 record repeat another one", "[imports][data]") {
  const twin::ImportedTelemetry imported =
      import_nodes(reference_data() + "/power/mlperf_smc_h100/gpt3_64node_run0_ac.csv", "node_ac");
  CHECK(imported.facts.doubles.size() == 30);
  CHECK(imported.trace.columns() == 64);
  CHECK(imported.facts.missing_samples == 894);
  CHECK(imported.facts.long_holes == 0);
}

TEST_CASE("events of the GPT-3 record cut it to its run", "[imports][data]") {
  const std::string folder = reference_data() + "/power/mlperf_smc_h100/gpt3_64node_run0_";
  twin::TelemetryOptions options;
  options.log.boundary = "node_ac";
  options.series.is_run_only = true;
  const twin::ImportedTelemetry imported = twin::import_telemetry({folder + "ac.csv", folder + "events.csv"}, options);
  CHECK(imported.log.events->evaluations == 24);
  CHECK(imported.log.events->mean_step_s == Approx(10.64).margin(0.05));
  CHECK(imported.facts.end_s == *imported.log.events->stop_s);
}

TEST_CASE("Alibaba's tasks: how many never ran, and how many ask for part of a GPU", "[imports][data]") {
  const twin::JobLog log =
      twin::import_jobs(reference_data() + "/jobs/alibaba_gpu_v2023/openb_pod_list_default.csv", {});
  CHECK(log.logged == 8152);
  CHECK(log.never_ran.count == 897);
  CHECK(log.one_gpu_jobs == 6989);
  CHECK(log.part_of_a_gpu.count == 3078);
  CHECK(log.backwards.count == 0);
  CHECK(log.jobs.size() + log.never_ran.count + log.without_resources.count + log.without_times.count == 8152);
  const Table table = plain_table(reference_data() + "/jobs/alibaba_gpu_v2023/openb_pod_list_default.csv");
  double gpu_s = 0.0;
  for (std::size_t row = 1; row < table.size(); ++row) {
    if (table[row].size() > 10 && !table[row][10].empty())
      gpu_s += std::stod(table[row][3]) * (std::stod(table[row][9]) - std::stod(table[row][10]));
  }
  CHECK(log.gpu_s == Approx(gpu_s).epsilon(1e-12));
  const TemporaryFolder folder;
  std::ofstream(folder / "jobs.csv") << workload::jobs_table_text(log.jobs, twin::jobs_comment(log));
  Problems problems;
  CHECK(workload::read_jobs_table(folder / "jobs.csv", problems) == log.jobs);
  CHECK(problems.empty());
}
