// The trace as a file that a replay reads.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/quoted_text.hpp"
#include "twin/imports/telemetry/trace_file.hpp"
#include "twin/platform/whole_file.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t piece_bytes = 1 << 20;

/// The shortest digits that are read back as the same number.
void append_number(double value, std::string& text) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

std::string head_of(const ImportedTelemetry& imported) {
  std::vector<std::string> names;
  for (const std::string& file : imported.log.files) names.push_back(std::filesystem::path(file).filename().string());
  constexpr std::size_t few = 4;
  const std::size_t count = names.size();
  if (count > few) names.resize(few);
  std::string text(imported_trace_head);
  text += fmt::format("# from {}{}: {}, from {} on, boundary {}{}\n",
                      comment_text(fmt::format("{}", fmt::join(names, ", "))),
                      count > few ? fmt::format(" and {} more", count - few) : "", imported.log.format,
                      clock_text(imported.log.clock.value_or(ClockKind::seconds), imported.facts.begin_s),
                      imported.boundary, imported.trace.has_means ? ", means over each row" : "");
  if (imported.facts.long_holes > 0)
    text += fmt::format("# {} holes of more than three intervals are filled: {}\n", imported.facts.long_holes,
                        imported.options.fill);
  if (!imported.copies.empty())
    text += fmt::format("# {} nodes from {} measured ones, jitter {} s, spread {}, seed {}\n", imported.copies.size(),
                        imported.trace.nodes.size(), imported.asked.jitter_s, imported.asked.spread_ratio,
                        imported.asked.seed);
  return text;
}

/// Columns of what is written: of the trace, or of the source of each copy.
struct WrittenColumn {
  NodeCopy copy;
  std::size_t column;
  std::string name;
};

std::vector<WrittenColumn> written_columns(const ImportedTelemetry& imported) {
  const TraceRows& trace = imported.trace;
  std::vector<WrittenColumn> written;
  if (imported.copies.empty()) {
    for (std::size_t column = 0; column < trace.columns(); ++column)
      written.push_back({{}, column, trace.names[column]});
    return written;
  }
  for (std::size_t node = 0; node < imported.copies.size(); ++node) {
    for (std::size_t column = 0; column < trace.columns(); ++column) {
      if (trace.node_of[column] != imported.copies[node].source) continue;
      const std::string& gpu = trace.gpus[column];
      written.push_back(
          {imported.copies[node], column, fmt::format("node_{}{}", node + 1, gpu.empty() ? "" : ".gpu_" + gpu)});
    }
  }
  return written;
}

}  // namespace

TraceSums write_trace(const ImportedTelemetry& imported, const std::filesystem::path& output) {
  const TraceRows& trace = imported.trace;
  const std::vector<WrittenColumn> columns = written_columns(imported);
  WholeFile file(output);
  std::string text = head_of(imported) + "t_s";
  for (const WrittenColumn& one : columns) text += "," + one.name;
  std::vector<double> held_w(columns.size(), 0.0);
  TraceSums sums{.least_w = HUGE_VAL};
  double squares = 0.0, counted = 0.0;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    text += '\n';
    append_number(trace.stamps_s[row], text);
    double sum_w = 0.0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double value_w = copied_power_w(trace, columns[k].copy, row, columns[k].column);
      text += ',';
      if (!std::isnan(value_w)) append_number(value_w, text);
      if (!std::isnan(value_w)) held_w[k] = value_w;
      sum_w += held_w[k];
    }
    ++counted;
    const double off_w = sum_w - sums.mean_w;  // Welford
    sums.mean_w += off_w / counted;
    squares += off_w * (sum_w - sums.mean_w);
    sums.least_w = std::min(sums.least_w, sum_w);
    sums.most_w = std::max(sums.most_w, sum_w);
    if (text.size() > piece_bytes) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text + "\n");
  file.finish();
  sums.deviation_w = std::sqrt(squares / counted);
  return sums;
}

}  // namespace wattloop::twin
