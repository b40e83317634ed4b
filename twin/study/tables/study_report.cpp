#include "twin/study/tables/study_report.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "twin/ratings/check_warnings.hpp"
#include "twin/run/figures/verdict_of_run.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;

constexpr double redraw_interval_s = 0.2, log_interval_s = 30.0;
constexpr int bar_width = 24;

bool is_violating(const StudyRow& row, const std::vector<TableColumn>& columns) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].kind == TableColumn::Kind::verdict && row.cells[c] == "violated") return true;
  }
  return false;
}

FigureSpread spread_of(const StudyTable& table, std::size_t column) {
  std::vector<std::pair<double, std::size_t>> values;
  for (const StudyRow& row : table.rows) {
    const double value = number_of(row.cells[column]);
    if (std::isfinite(value)) values.emplace_back(value, row.run);
  }
  FigureSpread spread{.column = column, .count = values.size()};
  if (values.empty()) return spread;
  std::ranges::sort(values);
  spread.least = values.front().first;
  spread.least_run = values.front().second;
  spread.most = values.back().first;
  spread.most_run = std::ranges::lower_bound(values, std::pair(spread.most, std::size_t{0}))->second;
  const std::size_t middle = values.size() / 2;
  spread.median =
      values.size() % 2 == 1 ? values[middle].first : 0.5 * (values[middle - 1].first + values[middle].first);
  return spread;
}

const StudyRow& row_at(const StudyTable& table, std::size_t run) {
  return *std::ranges::lower_bound(table.rows, run, {}, &StudyRow::run);
}

std::string shown(double value) { return fmt::format("{:.6g}", value); }

std::string first_runs(const StudyTable& table, const std::vector<std::size_t>& runs) {
  constexpr std::size_t most_shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), most_shown); ++i)
    text += fmt::format("    run {}: {}\n", runs[i], run_text(table, row_at(table, runs[i])));
  if (runs.size() > most_shown) text += fmt::format("    and {} more\n", runs.size() - most_shown);
  return text;
}

std::string failures_text(const StudyTable& table, const StudyFindings& findings) {
  if (findings.failed.empty()) return {};
  std::string text =
      fmt::format("\n{} runs have no answer\n{}", findings.failed.size(), first_runs(table, findings.failed));
  const std::string& message = row_at(table, findings.failed.front()).message;
  return text + fmt::format("    the first: {}\n", message.substr(0, message.find('\n')));
}

/// Runs that have something to say in a column of words: how many, and what the first of them say.
std::string remarks_text(const StudyTable& table, std::string_view column, std::string_view title) {
  constexpr std::size_t most_shown = 5;
  const auto found = std::ranges::find(table.columns, column, &TableColumn::name);
  if (found == table.columns.end()) return {};
  const auto c = static_cast<std::size_t>(found - table.columns.begin());
  std::string text;
  std::size_t count = 0;
  for (const StudyRow& row : table.rows) {
    if (row.cells[c].empty() || ++count > most_shown) continue;
    text += fmt::format("    run {}: {}\n      {}\n", row.run, run_text(table, row), row.cells[c]);
  }
  if (count == 0) return {};
  if (count > most_shown) text += fmt::format("    and {} more\n", count - most_shown);
  return fmt::format("\n{} in {} of {} runs\n{}", title, count, table.rows.size(), text);
}

/// Those of all runs.
Json remarks_json(const StudyTable& table, std::string_view column) {
  const auto found = std::ranges::find(table.columns, column, &TableColumn::name);
  Json json = Json::array();
  if (found == table.columns.end()) return json;
  const auto c = static_cast<std::size_t>(found - table.columns.begin());
  for (const StudyRow& row : table.rows) {
    if (!row.cells[c].empty()) json.push_back({{"run", row.run}, {"what", row.cells[c]}});
  }
  return json;
}

std::string limits_text(const StudyTable& table, const StudyFindings& findings) {
  if (findings.limits.empty()) return {};
  std::string text = "\nLimits\n";
  for (const LimitCount& limit : findings.limits) {
    const std::string& name = table.columns[limit.column].name;
    if (limit.violating.empty()) {
      text += fmt::format("  {}  held\n", name);
    } else {
      text += fmt::format("  {}  VIOLATED in {} of {} runs\n{}", name, limit.violating.size(),
                          findings.done - findings.failed.size(), first_runs(table, limit.violating));
    }
  }
  return text;
}

std::string spreads_text(const StudyTable& table, const StudyFindings& findings) {
  if (findings.spreads.empty()) return {};
  std::size_t width = 0;
  for (const FigureSpread& spread : findings.spreads) {
    const TableColumn& column = table.columns[spread.column];
    width = std::max(width, column.name.size() + unit_text(column).size());
  }
  std::string text = fmt::format("\n  {:<{}}  {:>12} {:>9}  {:>12}  {:>12} {:>9}\n", "", width, "least", "in run",
                                 "median", "most", "in run");
  for (const FigureSpread& spread : findings.spreads) {
    const TableColumn& column = table.columns[spread.column];
    text += fmt::format("  {:<{}}", column.name + unit_text(column), width);
    if (spread.count == 0) {
      text += "           n/a\n";
      continue;
    }
    text += fmt::format("  {:>12} {:>9}  {:>12}  {:>12} {:>9}\n", shown(spread.least), spread.least_run,
                        shown(spread.median), shown(spread.most), spread.most_run);
  }
  return text;
}

}  // namespace

StudyFindings find_in(const StudyTable& table) {
  StudyFindings findings{.runs = table.runs, .done = table.rows.size()};
  for (const StudyRow& row : table.rows) {
    if (row.exit_code != 0) findings.failed.push_back(row.run);
    if (is_violating(row, table.columns)) findings.violating.push_back(row.run);
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    if (column.kind == TableColumn::Kind::number && !column.is_change) findings.spreads.push_back(spread_of(table, c));
    if (column.kind != TableColumn::Kind::verdict) continue;
    LimitCount limit{.column = c};
    for (const StudyRow& row : table.rows) {
      if (row.cells[c] == "violated") limit.violating.push_back(row.run);
    }
    findings.limits.push_back(std::move(limit));
  }
  findings.drawn = drawn_findings(table);
  return findings;
}

std::string run_text(const StudyTable& table, const StudyRow& row) {
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    if (column.is_change)
      texts.push_back(
          fmt::format("{} = {}{}", column.name, row.cells[c].empty() ? "none" : row.cells[c], unit_text(column)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string findings_text(const StudyTable& table, const StudyFindings& findings) {
  return fmt::format("{}\n{} of {} runs done, {} failed, {} violate a limit\n{}{}{}{}{}{}{}", table.title,
                     findings.done, findings.runs, findings.failed.size(), findings.violating.size(),
                     spreads_text(table, findings), findings.drawn ? drawn_text(table, *findings.drawn) : "",
                     limits_text(table, findings), remarks_text(table, unreached_figure, "A set-point was not reached"),
                     remarks_text(table, exceeded_figure, "Limits of parts were exceeded"),
                     remarks_text(table, check_warnings_figure, "`wattloop check` warns"),
                     failures_text(table, findings));
}

std::string findings_json(const StudyTable& table, const StudyFindings& findings, const std::filesystem::path& folder) {
  Json json{{"study", table.title},  {"folder", folder.string()}, {"runs", findings.runs},
            {"done", findings.done}, {"failed", findings.failed}, {"violating", findings.violating}};
  json["limits"] = Json::array();
  for (const LimitCount& limit : findings.limits)
    json["limits"].push_back({{"limit", table.columns[limit.column].name}, {"violating", limit.violating}});
  json["figures"] = Json::object();
  for (const FigureSpread& spread : findings.spreads) {
    const TableColumn& column = table.columns[spread.column];
    Json figure{{"unit", column.unit}, {"count", spread.count}};
    if (spread.count > 0) {
      figure["least"] = {{"value", spread.least}, {"run", spread.least_run}};
      figure["median"] = spread.median;
      figure["most"] = {{"value", spread.most}, {"run", spread.most_run}};
    }
    json["figures"][column.name] = std::move(figure);
  }
  json["unreached_settings"] = remarks_json(table, unreached_figure);
  json["exceeded_limits"] = remarks_json(table, exceeded_figure);
  json["check_warnings"] = remarks_json(table, check_warnings_figure);
  if (findings.drawn) json["drawn"] = Json::parse(drawn_json(table, *findings.drawn));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

StudyProgress::StudyProgress(std::size_t done, std::size_t runs, ProgressStyle style, std::ostream& out, Clock clock)
    : begun_with_(done), done_(done), runs_(runs), style_(style), out_(out), clock_(std::move(clock)) {
  begin_s_ = last_s_ = clock_();
}

std::string StudyProgress::line(double elapsed_s) const {
  std::string text = fmt::format("{:3.0f} %  {} of {} runs",
                                 runs_ == 0 ? 100.0 : static_cast<double>(100 * done_ / runs_), done_, runs_);
  if (violating_ > 0) text += fmt::format("  {} violate a limit", violating_);
  if (failed_ > 0) text += fmt::format("  {} failed", failed_);
  if (done_ > begun_with_)
    text += fmt::format("  {} left", duration_text(elapsed_s * static_cast<double>(runs_ - done_) /
                                                   static_cast<double>(done_ - begun_with_)));
  return text;
}

void StudyProgress::add(std::span<const StudyRow> rows) {
  done_ += rows.size();
  for (const StudyRow& row : rows) {
    failed_ += row.exit_code != 0 ? 1 : 0;
    violating_ += std::ranges::count(row.cells, "violated") > 0 ? 1 : 0;
  }
  if (style_ == ProgressStyle::quiet) return;
  const double now_s = clock_();
  if (now_s - last_s_ < (style_ == ProgressStyle::terminal ? redraw_interval_s : log_interval_s)) return;
  last_s_ = now_s;
  if (style_ == ProgressStyle::terminal) {
    const int full = runs_ == 0 ? bar_width : static_cast<int>(bar_width * done_ / runs_);
    out_ << "\r\033[K[" << std::string(static_cast<std::size_t>(full), '#')
         << std::string(static_cast<std::size_t>(bar_width - full), '.') << "] " << line(now_s - begin_s_)
         << std::flush;
    is_open_ = true;
  } else {
    out_ << line(now_s - begin_s_) << std::endl;
  }
}

void StudyProgress::finish() noexcept {
  if (!is_open_) return;
  is_open_ = false;
  try {
    out_ << "\r\033[K" << std::flush;
  } catch (...) {  // a closed terminal must not end a study
  }
}

}  // namespace wattloop::twin
