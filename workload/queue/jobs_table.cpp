#include "workload/queue/jobs_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/tables/csv_table.hpp"
#include "core/text/nearest.hpp"
#include "core/text/quoted_text.hpp"

namespace wattloop::workload {

namespace {

constexpr double most_count = 1e9;
const std::vector<std::string> column_names{"name",       "submit_s",     "nodes",    "gpus",
                                            "run_time_s", "time_limit_s", "priority", "class"};

class JobsReader {
 public:
  JobsReader(const CsvTable& table, CsvProblems& problems) : table_(table), problems_(problems) {}

  std::vector<JobRow> read() {
    if (!read_head()) return {};
    std::vector<JobRow> jobs;
    jobs.reserve(table_.rows.size());
    for (const CsvLine& row : table_.rows) jobs.push_back(read_row(row));
    std::ranges::stable_sort(jobs, {}, &JobRow::submit_s);
    return jobs;
  }

 private:
  bool read_head() {
    for (std::size_t k = 0; k < table_.names.size(); ++k) {
      if (std::ranges::find(column_names, table_.names[k]) == column_names.end())
        problems_.add(table_.head, table_.cell(table_.head, k).column,
                      fmt::format("a table of jobs has no column '{}'", table_.names[k]),
                      nearest_hint(table_.names[k], column_names));
    }
    for (const char* const name : {"name", "submit_s", "run_time_s"}) {
      if (!table_.column(name))
        problems_.add(table_.head, 1, fmt::format("there is no column '{}'", name), table_.names_hint(name));
    }
    if (!table_.column("nodes") && !table_.column("gpus"))
      problems_.add(table_.head, 1, "there is no column 'nodes' and no column 'gpus'",
                    "write one of these columns: it gives the size of each job");
    return problems_.empty();
  }

  JobRow read_row(const CsvLine& row) {
    JobRow job;
    const std::size_t name = *table_.column("name");
    job.name = table_.cell(row, name).unquoted();
    if (job.name.empty())
      problems_.add(row, table_.cell(row, name).column, "the name is empty", "give each job its own name");
    const auto [before, is_new] = lines_.try_emplace(job.name, row.number);
    if (!is_new)
      problems_.add(row, table_.cell(row, name).column,
                    fmt::format("the job '{}' is in line {} already", job.name, before->second),
                    "give each job its own name");
    job.submit_s = seconds(row, "submit_s").value_or(0.0);
    job.run_time_s = seconds(row, "run_time_s").value_or(0.0);
    job.nodes = count(row, "nodes");
    job.gpus = count(row, "gpus");
    if (job.nodes == 0 && job.gpus == 0)
      problems_.add(row, 1, fmt::format("the job '{}' asks for no node and no GPU", job.name),
                    "write nodes or gpus of 1 or more");
    job.time_limit_s = limit(row);
    job.priority = priority(row);
    if (const std::optional<std::size_t> column = table_.column("class"))
      job.job_class = table_.cell(row, *column).unquoted();
    return job;
  }

  /// A number with a unit behind it has that of its column; anything else is no number.
  void add_no_number(const CsvLine& row, const CsvCell& cell, std::string message, std::string otherwise) {
    const std::size_t blank = cell.text.find(' ');
    if (blank != std::string_view::npos && number_in(cell.text.substr(0, blank)))
      return problems_.add(row, cell.column, std::move(message),
                           fmt::format("cells hold numbers alone, as their columns say: {}", otherwise));
    problems_.add_no_number(row, cell, std::move(message), std::move(otherwise));
  }

  /// A number that must be there.
  std::optional<double> seconds(const CsvLine& row, std::string_view name) {
    const CsvCell cell = table_.cell(row, *table_.column(name));
    const std::optional<double> value = number_in(cell.text);
    if (!value || !std::isfinite(*value)) {
      add_no_number(row, cell, fmt::format("{}: '{}' is no number of seconds", name, cell.text),
                    "seconds, such as 5400");
      return std::nullopt;
    }
    if (*value < 0.0)
      problems_.add(row, cell.column, fmt::format("{}: {} is negative", name, cell.text), "0 s or more");
    return value;
  }

  std::size_t count(const CsvLine& row, std::string_view name) {
    const std::optional<std::size_t> column = table_.column(name);
    if (!column) return 0;
    const CsvCell cell = table_.cell(row, *column);
    if (cell.text.empty()) return 0;
    const std::optional<double> value = number_in(cell.text);
    const bool is_good = value && *value >= 0.0 && *value <= most_count && *value == std::floor(*value);
    if (!is_good)
      add_no_number(row, cell, fmt::format("{}: '{}' is not a whole number", name, cell.text), "0, 1, 2, ...");
    return is_good ? static_cast<std::size_t>(*value) : 0;
  }

  double limit(const CsvLine& row) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const std::optional<std::size_t> column = table_.column("time_limit_s");
    if (!column) return none;
    const CsvCell cell = table_.cell(row, *column);
    if (cell.text.empty() || cell.text == "none" || cell.text == "inf") return none;
    const std::optional<double> value = number_in(cell.text);
    if (value && *value > 0.0) return *value;
    add_no_number(row, cell, fmt::format("time_limit_s: '{}' is not a valid limit", cell.text),
                  "write seconds, more than 0, or leave the cell empty if there is no limit");
    return none;
  }

  int priority(const CsvLine& row) {
    const std::optional<std::size_t> column = table_.column("priority");
    if (!column) return 0;
    const CsvCell cell = table_.cell(row, *column);
    if (cell.text.empty()) return 0;
    int value = 0;
    const auto [end, error] = std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), value);
    if (error != std::errc{} || end != cell.text.data() + cell.text.size())
      problems_.add(row, cell.column, fmt::format("priority: '{}' is not a whole number", cell.text),
                    "a higher number starts first; write 0 if all jobs have the same priority");
    return value;
  }

  const CsvTable& table_;
  CsvProblems& problems_;
  std::unordered_map<std::string, int> lines_;
};

/// The shortest digits that are read back as the same number.
std::string number_text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

/// A cell, quoted where it must be.
std::string cell_text(const std::string& text) {
  const bool is_plain = text.find_first_of(",;\"\t#") == std::string::npos &&
                        (text.empty() || (text.front() != ' ' && text.back() != ' '));
  if (is_plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<JobRow> read_jobs_table(const std::filesystem::path& path, Problems& problems, const Mention& named_at) {
  const std::optional<CsvTable> table = read_csv_table(path, problems, named_at);
  if (!table) return {};
  CsvProblems collected(path.string(), problems);
  std::vector<JobRow> jobs = JobsReader(*table, collected).read();
  collected.finish();
  return jobs;
}

std::string jobs_table_text(std::span<const JobRow> jobs, std::span<const std::string> comment) {
  std::string text;
  for (const std::string& line : comment) text += "# " + comment_text(line) + "\n";
  for (std::size_t k = 0; k < column_names.size(); ++k) text += (k > 0 ? "," : "") + column_names[k];
  text += '\n';
  for (const JobRow& job : jobs) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{}\n", cell_text(job.name), number_text(job.submit_s), job.nodes, job.gpus,
                    number_text(job.run_time_s), std::isinf(job.time_limit_s) ? "" : number_text(job.time_limit_s),
                    job.priority, cell_text(job.job_class));
  }
  return text;
}

void write_jobs_table(const std::filesystem::path& path, std::span<const JobRow> jobs,
                      std::span<const std::string> comment) {
  std::ofstream file(path, std::ios::binary);
  file << jobs_table_text(jobs, comment);
  file.close();
  if (!file) throw FileError(fmt::format("cannot write {}", path.string()));
}

}  // namespace wattloop::workload
