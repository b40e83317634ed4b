#include "workload/power_trace.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/series.hpp"
#include "workload/column_list.hpp"
#include "workload/csv_text.hpp"
#include "workload/trace_gaps.hpp"

namespace wattloop::workload {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view header_example = "the first line names the columns, such as t_s,node_1,node_2";

/// The number that is all of `text`; infinite where it is too large.
std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return value;
}

bool is_binary(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return true;
  for (const char c : text.substr(0, 4096)) {
    if (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\r' && c != '\t') return true;
  }
  return false;
}

/// Text of the file; empty, with a problem, if there is none to be had.
std::optional<std::string> read_text(const std::string& path, Problems& problems, Place named_at) {
  if (named_at.file.empty()) named_at.file = path;
  const auto refuse = [&](std::string_view why) {
    problems.add({named_at, fmt::format("trace '{}' {}", path, why), {}, {}});
    return std::nullopt;
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return refuse("does not exist");
  if (!std::filesystem::is_regular_file(path, ignored)) return refuse("is not a file");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return refuse("cannot be opened");
  std::string text(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0);
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size()))) return refuse("cannot be read");
  return text;
}

class TraceReader {
 public:
  TraceReader(PowerTrace& trace, const ReplayParams& params, CsvProblems& problems)
      : trace_(trace), params_(params), problems_(problems) {}

  void run(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.empty()) return problems_.add("the file is empty");
    if (is_binary(text)) return problems_.add("this is a binary file, not CSV text");
    CsvLines lines(text);
    CsvLine line;
    if (!lines.next(line)) return problems_.add("the file holds no header and no rows", std::string(header_example));
    if (!read_header(line)) return;
    while (lines.next(line)) read_row(line);
    if (!problems_.empty()) return;
    if (trace_.rows() == 0) return problems_.add("no data rows after the header");
    if (trace_.rows() == 1) return problems_.add(line, 1, "one data row only: the interval takes at least two");
    fill_gaps(trace_, source_, params_.fill, problems_);
  }

 private:
  bool read_header(const CsvLine& line) {
    std::vector<std::string> names;
    bool has_text = false;
    for (std::size_t position = 0; position <= line.text.size();) {
      const CsvCell cell = next_cell(line.text, position);
      has_text = has_text || (!cell.text.empty() && !number_in(cell.text));
      names.push_back(cell.text.empty() ? fmt::format("column {}", names.size()) : std::string(cell.text));
    }
    cell_count_ = names.size();
    if (!has_text) {
      problems_.add(line, 1, "the first line holds numbers, not names", std::string(header_example));
      return false;
    }
    if (cell_count_ < 2) {
      problems_.add(line, 1, "there is no column of watts beside the seconds", std::string(header_example));
      return false;
    }
    const std::string mistake = read_column_list(params_.columns, cell_count_ - 1, source_.file_columns);
    if (!mistake.empty()) problems_.add(line, 1, mistake);
    slot_.assign(cell_count_, -1);
    for (const std::size_t column : source_.file_columns) {
      slot_[column] = static_cast<int>(trace_.names.size());
      trace_.names.push_back(names[column]);
    }
    return mistake.empty();
  }

  void read_row(const CsvLine& line) {
    const std::size_t first = trace_.power_w.size();
    trace_.power_w.resize(first + trace_.columns(), missing);
    std::size_t position = 0;
    const double stamp_s = read_stamp(line, next_cell(line.text, position));
    std::size_t cells = 1;
    for (; position <= line.text.size(); ++cells) {
      if (cells == cell_count_) return refuse_surplus(line, position);
      const int slot = slot_[cells];
      if (slot < 0) {
        next_cell(line.text, position);
      } else if (!read_plain(line.text, position, trace_.power_w[first + slot])) {
        trace_.power_w[first + slot] = read_power(line, next_cell(line.text, position), trace_.names[slot]);
      }
    }
    if (cells < cell_count_) {
      problems_.add(line, static_cast<int>(line.text.size()) + 1,
                    fmt::format("{} cells, but the header names {} columns", cells, cell_count_));
    }
    trace_.stamps_s.push_back(stamp_s);
    source_.lines.push_back(line);
  }

  void refuse_surplus(const CsvLine& line, std::size_t position) {
    const int column = static_cast<int>(position) + 1;
    std::size_t cells = cell_count_;
    for (; position <= line.text.size(); ++cells) next_cell(line.text, position);
    problems_.add(line, column, fmt::format("{} cells, but the header names {} columns", cells, cell_count_));
  }

  /// The common case, fast: a bare positive number right up to the comma. Leaves everything else to
  /// `read_power`.
  static bool read_plain(std::string_view line, std::size_t& position, double& power_w) {
    double value = 0.0;
    const char* const line_end = line.data() + line.size();
    const auto [end, error] = std::from_chars(line.data() + position, line_end, value);
    if (error != std::errc{} || (end != line_end && *end != ',') || !(value > 0.0) || std::isinf(value)) return false;
    power_w = value;
    position = static_cast<std::size_t>(end - line.data()) + 1;
    return true;
  }

  double read_power(const CsvLine& line, const CsvCell& cell, const std::string& name) {
    if (cell.is_quote_open) {
      problems_.add(line, cell.column, fmt::format("{}: the quote does not end in this line", name));
    } else if (!cell.text.empty()) {
      const std::optional<double> value = number_in(cell.text);
      if (value && std::isfinite(*value) && *value >= 0.0) return *value + 0.0;  // no negative zero
      const bool is_negative = value && std::isfinite(*value);
      problems_.add(line, cell.column,
                    is_negative ? fmt::format("{}: power {} W is negative", name, cell.text)
                    : value     ? fmt::format("{}: '{}' is not a finite power", name, cell.text)
                                : fmt::format("{}: '{}' is not a number", name, cell.text),
                    is_negative ? "" : "power in W; where a sample is missing the cell stays empty");
    }
    return missing;
  }

  double read_stamp(const CsvLine& line, const CsvCell& cell) {
    const std::optional<double> value = cell.text.empty() ? std::nullopt : number_in(cell.text);
    if (!value || !std::isfinite(*value)) {
      problems_.add(line, cell.column,
                    cell.text.empty() ? std::string("the time is missing")
                                      : fmt::format("time '{}' is not a finite number of seconds", cell.text));
      return missing;
    }
    if (!(*value - latest_s_ > 2.0 * boundary_slack_s)) {
      problems_.add(line, cell.column, fmt::format("time {:.12g} s does not come after {:.12g} s", *value, latest_s_));
    }
    latest_s_ = *value;
    return *value;
  }

  PowerTrace& trace_;
  const ReplayParams& params_;
  CsvProblems& problems_;
  TraceSource source_;
  std::vector<int> slot_;       // [cell of a line] column of the trace, or -1
  std::size_t cell_count_ = 0;  // in each line
  double latest_s_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

PowerTrace read_power_trace(const std::string& path, const ReplayParams& params, Problems& problems,
                            const Place& named_at) {
  PowerTrace trace;
  trace.file = path;
  const std::optional<std::string> text = read_text(path, problems, named_at);
  if (!text) return trace;
  CsvProblems collected(path, problems);
  TraceReader(trace, params, collected).run(*text);
  collected.finish();
  return trace;
}

}  // namespace wattloop::workload
