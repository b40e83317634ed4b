// Standard Workload Format of the Parallel Workloads Archive [chapin1999]: 18 numbers a line, -1 where nothing is known, comments behind ';'.
//
//   ; MaxNodes: 128            1 job  2 submit  3 wait  4 run time  5 processors  8 asked processors  9 asked time  11 status  15 queue
//   ; MaxProcs: 1024           status: 0 failed, 1 completed, 5 cancelled; 2, 3, 4 parts of a job
//   ; UnixStartTime: 846398400
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "twin/imports/jobs/job_log.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t fields = 18;

/// The number behind "; MaxNodes:".
std::optional<double> head_number(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + key.size());
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == ':' || rest.front() == '\t')) rest.remove_prefix(1);
  return number_in(rest.substr(0, rest.find_first_of(" \t(")));
}

/// Column of the field with that number, from 1; of the first character where there are fewer.
int column_of_field(std::string_view text, std::size_t number) {
  std::size_t at = text.find_first_not_of(" \t");
  for (std::size_t field = 1; field < number && at != std::string_view::npos; ++field)
    at = text.find_first_not_of(" \t", text.find_first_of(" \t", at));
  return at == std::string_view::npos ? 1 : static_cast<int>(at) + 1;
}

class SwfReader {
 public:
  explicit SwfReader(ReadingJobs& file) : file_(file) {}

  void run() {
    CsvLine line;
    while (file_.lines.next(line)) {
      if (line.text[line.text.find_first_not_of(" \t")] == ';')
        read_comment(line.text);
      else if (!read_job(line))
        return;
    }
    if (start_s_) {
      file_.log.clock = ClockKind::unix_time;
      file_.log.notes.push_back(fmt::format("submissions count from {}", clock_text(ClockKind::unix_time, *start_s_)));
    }
  }

 private:
  void read_comment(std::string_view text) {
    if (const auto value = head_number(text, "MaxNodes")) max_nodes_ = value;
    if (const auto value = head_number(text, "MaxProcs")) max_procs_ = value;
    if (const auto value = head_number(text, "UnixStartTime")) start_s_ = value;
  }

  /// line: of the first job.
  bool settle_procs_per_node(const CsvLine& line) {
    if (file_.request.procs_per_node)
      procs_per_node_ = static_cast<double>(*file_.request.procs_per_node);
    else if (max_nodes_ && max_procs_ && *max_nodes_ > 0.0)
      procs_per_node_ = *max_procs_ / *max_nodes_;
    if (procs_per_node_ >= 1.0) {
      file_.log.notes.push_back(
          fmt::format("{:.6g} processors count as a node{}", procs_per_node_,
                      file_.request.procs_per_node ? "" : ", by MaxProcs and MaxNodes of the log"));
      return true;
    }
    file_.problems.add(line, column_of_field(line.text, 5),
                       "the log counts processors and does not give the number of processors of a node",
                       "--procs-per-node 8");
    return false;
  }

  bool read_job(const CsvLine& line) {
    if (procs_per_node_ == 0.0 && !settle_procs_per_node(line)) return false;
    std::array<double, fields> field{};
    std::size_t count = 0;
    for (std::size_t at = line.text.find_first_not_of(" \t"); at != std::string_view::npos;
         at = line.text.find_first_not_of(" \t", at)) {
      const std::size_t end = std::min(line.text.find_first_of(" \t", at), line.text.size());
      const std::optional<double> value = number_in(line.text.substr(at, end - at));
      if (!value || !std::isfinite(*value)) {
        file_.problems.add(line, static_cast<int>(at) + 1,
                           fmt::format("'{}' is no number", line.text.substr(at, end - at)),
                           "write 18 numbers on each line, -1 for unknown values");
        return true;
      }
      if (count < fields) field[count] = *value;
      ++count;
      at = end;
    }
    if (count != fields) {
      file_.problems.add(line, static_cast<int>(line.text.size()) + 1,
                         fmt::format("{} numbers, expected {}", count, fields),
                         count < fields ? "a line that was cut off? Delete it" : "two lines in one? Split it");
      return true;
    }
    take(field, line);
    return true;
  }

  void take(const std::array<double, fields>& field, const CsvLine& line) {
    const auto known = [&](std::size_t number) {
      return field[number - 1] >= 0.0 ? std::optional(field[number - 1]) : std::nullopt;
    };
    const double status = field[10];
    if (status >= 2.0 && status <= 4.0) {  // parts of a job that has a line of its own
      ++file_.log.skipped_lines;
      return;
    }
    LoggedJob job{.name = fmt::format("{:.0f}", field[0])};
    const double procs = known(5).value_or(0.0) > 0.0 ? *known(5) : known(8).value_or(0.0);
    job.nodes = std::ceil(procs / procs_per_node_);
    job.submit_s = known(2);
    if (job.submit_s && start_s_) *job.submit_s += *start_s_;
    job.run_time_s = known(4);
    const bool has_run = job.run_time_s && *job.run_time_s > 0.0;
    if (has_run && job.submit_s && known(3)) job.start_s = *job.submit_s + *known(3);
    if (status == 5.0 && !has_run) job.run_time_s = std::nullopt;
    if (known(9).value_or(0.0) > 0.0) job.time_limit_s = known(9);
    if (known(15)) job.job_class = fmt::format("queue_{:.0f}", *known(15));
    file_.book.add(job, line.number);
  }

  ReadingJobs& file_;
  std::optional<double> max_nodes_, max_procs_, start_s_;
  double procs_per_node_ = 0.0;
};

}  // namespace

void read_swf(ReadingJobs& file) { SwfReader(file).run(); }

}  // namespace wattloop::twin
