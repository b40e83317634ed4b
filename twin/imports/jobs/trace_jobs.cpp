// Public traces of GPU clusters as tables: Alibaba GPU 2023 [weng2023] and AcmeTrace [hu2024].
//
//   name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
//   job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
#include <cmath>

#include <fmt/format.h>

#include "core/tables/log_table.hpp"
#include "twin/imports/jobs/job_log.hpp"
#include "twin/imports/telemetry/log_clock.hpp"

namespace wattloop::twin {

namespace {

constexpr double milli = 1000.0;

/// A number of a row, not negative; none where the cell is empty. Reports what is none.
std::optional<double> number_of(const LogTable& table, const std::optional<std::size_t>& column,
                                CsvProblems& problems) {
  if (!column) return std::nullopt;
  const CsvCell& cell = table.cell(*column);
  if (is_missing_number(cell.text)) return std::nullopt;
  const std::optional<double> value = number_in(cell.text);
  if (value && std::isfinite(*value) && *value >= 0.0) return value;
  const std::string message = fmt::format("{}: '{}' is no number, or negative", table.names()[*column], cell.text);
  const std::string_view first = cell.text.substr(0, cell.text.find(' '));
  if (first != cell.text && number_in(first))
    problems.add(table.row(), cell.column, message, fmt::format("cells hold numbers alone: {}", first));
  else
    problems.add_no_number(table.row(), cell, message, "a number, or nothing");
  return std::nullopt;
}

std::optional<double> stamp_of(const LogTable& table, std::size_t column, LogClock& clock, CsvProblems& problems) {
  const CsvCell& cell = table.cell(column);
  if (is_missing_number(cell.text)) return std::nullopt;
  const std::optional<double> time_s = clock.read(cell.text);
  if (!time_s)
    problems.add(table.row(), cell.column, fmt::format("{}: '{}' cannot be read", table.names()[column], cell.text),
                 clock.expected());
  return time_s;
}

}  // namespace

void read_alibaba(ReadingJobs& file) {
  LogTable table(file.lines, file.problems);
  if (!table.has_head()) return;
  const auto name = table.demand_column({"name"}), gpus = table.demand_column({"num_gpu"}),
             share = table.demand_column({"gpu_milli"});
  const auto created = table.demand_column({"creation_time"}), deleted = table.demand_column({"deletion_time"});
  const auto scheduled = table.demand_column({"scheduled_time"}), qos = table.column({"qos"});
  if (!file.problems.empty()) return;
  while (table.next()) {
    LoggedJob job{.name = table.cell(*name).unquoted()};
    job.gpus = number_of(table, gpus, file.problems).value_or(0.0);
    const std::optional<double> of_a_gpu = number_of(table, share, file.problems);
    if (job.gpus == 1.0 && of_a_gpu && *of_a_gpu < milli) job.gpus = *of_a_gpu / milli;
    job.submit_s = number_of(table, created, file.problems);
    job.start_s = number_of(table, scheduled, file.problems);
    job.end_s = number_of(table, deleted, file.problems);
    if (qos) job.job_class = table.cell(*qos).unquoted();
    file.book.add(job, table.row().number);
  }
}

void read_acme(ReadingJobs& file) {
  LogTable table(file.lines, file.problems);
  if (!table.has_head()) return;
  const auto name = table.demand_column({"job_id"}), gpus = table.demand_column({"gpu_num"}),
             submit = table.demand_column({"submit_time"});
  const auto start = table.demand_column({"start_time"}), end = table.demand_column({"end_time"}),
             duration = table.column({"duration"});
  const auto nodes = table.column({"node_num"}), type = table.column({"type"}), state = table.column({"state"});
  if (!file.problems.empty()) return;
  LogClock clock;
  while (table.next()) {
    LoggedJob job{.name = table.cell(*name).unquoted()};
    job.gpus = number_of(table, gpus, file.problems).value_or(0.0);
    job.nodes = number_of(table, nodes, file.problems).value_or(0.0);
    job.submit_s = stamp_of(table, *submit, clock, file.problems);
    job.start_s = stamp_of(table, *start, clock, file.problems);
    job.end_s = stamp_of(table, *end, clock, file.problems);
    if (job.start_s && !job.end_s) job.run_time_s = number_of(table, duration, file.problems);
    job.is_running = state && table.cell(*state).text == "RUNNING";
    if (type) job.job_class = table.cell(*type).unquoted();
    if (job.gpus == 0.0) job.nodes = 0.0;  // a job of CPUs alone
    file.book.add(job, table.row().number);
  }
  file.log.clock = clock.kind();
}

}  // namespace wattloop::twin
