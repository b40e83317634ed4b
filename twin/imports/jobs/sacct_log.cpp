// `sacct -P` of Slurm: a header, then columns between bars.
//
//   JobID|Submit|Start|End|Elapsed|State|NNodes|NCPUS|AllocTRES|Timelimit
//   12041|2024-05-01T08:00:00|2024-05-01T08:00:12|2024-05-02T09:30:12|1-01:30:00|COMPLETED|4|256|billing=256,cpu=256,gres/gpu=32,mem=4000G,node=4|3-00:00:00
//
// Lines of steps (12041.batch) and of array tasks that wait (12041_[5-9]) are no jobs: skipped and counted. Numbers may have K, M, G, of 1024 each.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/tables/log_table.hpp"
#include "twin/imports/jobs/job_log.hpp"
#include "twin/imports/telemetry/log_clock.hpp"

namespace wattloop::twin {

namespace {

/// "1-01:30:00", "01:30:00", "30:00.5": days, hours, minutes, seconds.
std::optional<double> slurm_duration(std::string_view text) {
  double days = 0.0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const std::optional<double> value = number_in(text.substr(0, dash));
    if (!value || *value < 0.0) return std::nullopt;
    days = *value;
    text.remove_prefix(dash + 1);
  }
  double seconds = 0.0;
  int parts = 0;
  for (;; ++parts) {
    const std::size_t colon = text.find(':');
    const std::optional<double> value = number_in(text.substr(0, colon));
    if (!value || *value < 0.0 || parts > 2) return std::nullopt;
    seconds = 60.0 * seconds + *value;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts == 0) return std::nullopt;  // seconds alone are not how Slurm writes them
  return 86400.0 * days + seconds;
}

/// "4", "2K".
std::optional<double> slurm_number(std::string_view text) {
  constexpr double k = 1024.0;
  double scale = 1.0;
  if (!text.empty()) {
    const char last = text.back();
    scale = last == 'K' ? k : last == 'M' ? k * k : last == 'G' ? k * k * k : 1.0;
    if (scale > 1.0) text.remove_suffix(1);
  }
  const std::optional<double> value = number_in(text);
  if (!value || *value < 0.0 || !std::isfinite(*value)) return std::nullopt;
  return scale * *value;
}

/// GPUs of "cpu=64,gres/gpu=8,gres/gpu:h100=8": the sum where it is there, else that of the types. 0 where there are none.
double gpus_of_tres(std::string_view tres) {
  double typed = 0.0;
  for (std::size_t at = 0; at < tres.size();) {
    const std::size_t end = std::min(tres.find(',', at), tres.size());
    const std::string_view one = tres.substr(at, end - at);
    const std::size_t equals = one.find('=');
    at = end + 1;
    if (equals == std::string_view::npos || !one.starts_with("gres/gpu") || one.starts_with("gres/gpumem") ||
        one.starts_with("gres/gpuutil"))
      continue;
    const double value = slurm_number(one.substr(equals + 1)).value_or(0.0);
    if (one.substr(0, equals) == "gres/gpu") return value;
    typed += value;
  }
  return typed;
}

bool is_unknown(std::string_view text) {
  return text.empty() || text == "Unknown" || text == "None" || text == "N/A" || text == "INVALID";
}

class SacctReader {
 public:
  SacctReader(LogTable& table, ReadingJobs& file) : table_(table), file_(file) {}

  void run() {
    id_ = table_.demand_column({"JobID", "JobIDRaw"});
    submit_ = table_.demand_column({"Submit"});
    start_ = table_.demand_column({"Start"});
    end_ = table_.column({"End"});
    elapsed_ = table_.column({"Elapsed"});
    raw_elapsed_ = table_.column({"ElapsedRaw"});
    nodes_ = table_.column({"NNodes", "AllocNodes", "ReqNodes"});
    tres_ = table_.column({"AllocTRES"});
    asked_tres_ = table_.column({"ReqTRES"});
    state_ = table_.column({"State"});
    if (!nodes_ && !tres_)
      file_.problems.add(table_.head(), 1, "there is no column 'NNodes' and no column 'AllocTRES'", std::string(query));
    if (!elapsed_ && !raw_elapsed_ && !end_)
      file_.problems.add(table_.head(), 1, "there is no column 'Elapsed' and no column 'End'", std::string(query));
    if (!file_.problems.empty()) return;
    while (table_.next()) read_row();
    file_.log.clock = clock_.kind();
  }

 private:
  static constexpr std::string_view query =
      "sacct -P -a -X --format=JobID,Partition,Submit,Start,End,Elapsed,State,NNodes,AllocTRES,Timelimit,Priority";

  std::string_view text(const std::optional<std::size_t>& column) const {
    return column ? table_.cell(*column).text : std::string_view();
  }

  template <class Read>
  std::optional<double> value(const std::optional<std::size_t>& column, std::string_view what, const Read& read) {
    const std::string_view cell = text(column);
    if (is_unknown(cell)) return std::nullopt;
    const std::optional<double> found = read(cell);
    if (!found)
      file_.problems.add(table_.row(), table_.cell(*column).column,
                         fmt::format("{}: '{}' cannot be read", table_.names()[*column], cell), std::string(what));
    return found;
  }

  void read_row() {
    const std::string_view id = text(id_);
    if (id.find('.') != std::string_view::npos || id.find('[') != std::string_view::npos) {
      ++file_.log.skipped_lines;
      return;
    }
    const auto stamp = [&](std::string_view cell) { return clock_.read(cell); };
    LoggedJob job{.name = std::string(id)};
    job.submit_s = value(submit_, "2024-05-01T08:00:00", stamp);
    job.start_s = value(start_, "2024-05-01T08:00:00", stamp);
    job.end_s = value(end_, "2024-05-01T08:00:00", stamp);
    job.is_running = text(state_).starts_with("RUNNING");
    if (job.start_s && raw_elapsed_) job.run_time_s = value(raw_elapsed_, "seconds", slurm_number);
    if (job.start_s && !job.run_time_s) job.run_time_s = value(elapsed_, "D-HH:MM:SS", slurm_duration);
    if (text(state_).starts_with("PENDING") ||
        (job.run_time_s && *job.run_time_s == 0.0 && text(state_).starts_with("CANCELLED")))
      job.start_s = job.run_time_s = std::nullopt;
    job.time_limit_s = limit();
    job.nodes = value(nodes_, "a number, such as 4 or 2K", slurm_number).value_or(0.0);
    job.gpus = gpus_of_tres(text(tres_).empty() ? text(asked_tres_) : text(tres_));
    job.priority = static_cast<int>(
        std::min(value(table_.column({"Priority"}), "a whole number", slurm_number).value_or(0.0), 2147483647.0));
    const std::optional<std::size_t> owner = table_.column({"Partition", "QOS", "Account"});
    job.job_class = text(owner);
    file_.book.add(job, table_.row().number);
  }

  std::optional<double> limit() {
    if (const auto raw = table_.column({"TimelimitRaw"}); raw && number_in(text(raw)))
      return 60.0 * *number_in(text(raw));
    const auto column = table_.column({"Timelimit"});
    if (text(column) == "UNLIMITED" || text(column) == "Partition_Limit") return std::nullopt;
    return value(column, "D-HH:MM:SS or UNLIMITED", slurm_duration);
  }

  LogTable& table_;
  ReadingJobs& file_;
  LogClock clock_;
  std::optional<std::size_t> id_, submit_, start_, end_, elapsed_, raw_elapsed_, nodes_, tres_, asked_tres_, state_;
};

}  // namespace

void read_sacct(ReadingJobs& file) {
  LogTable table(file.lines, file.problems, '|');
  if (table.has_head()) SacctReader(table, file).run();
}

}  // namespace wattloop::twin
