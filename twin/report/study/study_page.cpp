#include "twin/report/study/study_page.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/quoted_text.hpp"
#include "twin/report/charts/drawn_section.hpp"
#include "twin/report/run/page_frame.hpp"
#include "twin/report/study/study_findings.hpp"
#include "twin/report/study/study_script.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

using Kind = TableColumn::Kind;

std::string number(double value, const TableColumn& column) {
  return fmt::format("{:.5g}{}", value, unit_text(column));
}

std::string run_link(const StudyTable& table, std::size_t row) {
  return fmt::format("run {} ({})", table.rows[row].run, run_text(table, table.rows[row]));
}

/// "run 2", "runs 1 to 3, 7 and 9": their numbers, those that follow each other together.
std::string runs_text(const StudyTable& table, const std::vector<std::size_t>& rows) {
  constexpr std::size_t most_ranges = 12;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const std::size_t row : rows) {
    const std::size_t run = table.rows[row].run;
    if (!ranges.empty() && ranges.back().second + 1 == run) {
      ranges.back().second = run;
    } else {
      ranges.emplace_back(run, run);
    }
  }
  std::string text = rows.size() == 1 ? "run " : "runs ";
  for (std::size_t k = 0; k < std::min(ranges.size(), most_ranges); ++k) {
    const bool is_last = k + 1 == ranges.size();
    text += k == 0 ? "" : is_last ? " and " : ", ";
    const auto& [first, last] = ranges[k];
    text += first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
  }
  return ranges.size() > most_ranges ? text + " and more" : text;
}

/// "supply 35 degC instead of 45 degC": how a run differs from another.
std::string differences_text(const StudyTable& table, const StudyRow& run, const StudyRow& other) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    if (!column.is_change || run.cells[c] == other.cells[c]) continue;
    const auto shown = [&](const std::string& cell) { return cell.empty() ? "none" : cell + unit_text(column); };
    text += fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", column.name, shown(run.cells[c]),
                        shown(other.cells[c]));
  }
  return text;
}

/// "supply: every run holds up to 35 degC, the first violation is at 40 degC".
std::string first_text(const StudyTable& table, const FirstViolation& first) {
  const TableColumn& change = table.columns[first.change];
  if (first.largest_met)
    return fmt::format("{}: every run holds up to {}, the first violation is at {}", change.name,
                       number(*first.largest_met, change), number(first.smallest_violated, change));
  if (first.smallest_met)
    return fmt::format("{}: every run holds from {} on, the last violation is at {}", change.name,
                       number(*first.smallest_met, change), number(first.largest_violated, change));
  return fmt::format("{}: violations at values from {} to {}", change.name, number(first.smallest_violated, change),
                     number(first.largest_violated, change));
}

/// Times of the table that say when something first happened: the earliest.
std::string minutes_to_act(const StudyTable& table) {
  std::string lines;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    if (!column.name.starts_with("first_") || !column.name.ends_with("_time") || column.kind != Kind::number) continue;
    std::size_t earliest = table.rows.size();
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const double time = number_of(table.rows[row].cells[c]);
      if (!std::isfinite(time)) continue;
      if (earliest == table.rows.size() || time < number_of(table.rows[earliest].cells[c])) earliest = row;
    }
    if (earliest < table.rows.size())
      lines +=
          fmt::format("<li>earliest {}: {}, {}</li>\n", page_text(column.name),
                      number(number_of(table.rows[earliest].cells[c]), column), page_text(run_link(table, earliest)));
  }
  return lines;
}

/// From the run that is farthest beyond the limit to the nearest that holds all.
std::string remedy_line(const StudyTable& table, const LimitFinding& finding, const auto& margin_text) {
  const std::size_t from = finding.worst ? finding.worst->row : finding.violating_rows.front();
  if (!finding.remedy_row)
    return fmt::format("<li>no run with what run {} had to bear holds all limits</li>\n", table.rows[from].run);
  const StudyRow& remedy = table.rows[*finding.remedy_row];
  return fmt::format("<li>smallest change of run {} among those searched that holds all limits: {} (run {}{})</li>\n",
                     table.rows[from].run, page_text(differences_text(table, remedy, table.rows[from])), remedy.run,
                     finding.remedy_margin ? ", " + margin_text({0, *finding.remedy_margin}) + " left" : "");
}

std::string decision_card(const StudyTable& table, const LimitFinding& finding) {
  const auto margin_text = [&](const RunMargin& margin) {
    const TableColumn& figure = table.columns[finding.figure.value()];
    std::string unit = unit_text(figure);
    if (unit == " degC") unit = " K";
    return fmt::format("{:.4g}{}", std::abs(margin.margin), unit);
  };
  std::string lines =
      fmt::format("<li>held in {} of {} runs</li>\n", finding.judged - finding.violating, finding.judged);
  if (finding.violating > 0)
    lines += fmt::format("<li>violated in {}</li>\n", runs_text(table, finding.violating_rows));
  if (finding.least_met)
    lines += fmt::format("<li>smallest margin of those that hold: {}, {}</li>\n", margin_text(*finding.least_met),
                         page_text(run_link(table, finding.least_met->row)));
  if (finding.worst)
    lines += fmt::format("<li>farthest beyond it: {}, {}</li>\n", margin_text(*finding.worst),
                         page_text(run_link(table, finding.worst->row)));
  for (const FirstViolation& first : finding.first) lines += "<li>" + page_text(first_text(table, first)) + "</li>\n";
  if (finding.violating > 0) lines += remedy_line(table, finding, margin_text);
  return fmt::format("<div class='card {}'><h3>{}: {}</h3><ul>{}</ul></div>\n",
                     finding.violating > 0 ? "violated" : "held", page_text(table.columns[finding.column].name),
                     finding.violating == 0 ? "held" : fmt::format("violated in {} runs", finding.violating), lines);
}

std::string decisions(const StudyTable& table) {
  std::string cards;
  for (const LimitFinding& finding : limit_findings(table)) cards += decision_card(table, finding);
  if (cards.empty()) cards = "<p>The study has no limits to judge by: see <code>limits</code> of studies.</p>\n";
  const std::string times = minutes_to_act(table);
  return times.empty() ? cards : cards + "<div class='card'><h3>Time to act</h3><ul>" + times + "</ul></div>\n";
}

std::string spreads(const StudyTable& table, const StudyFindings& findings) {
  std::string rows;
  for (const FigureSpread& spread : findings.spreads) {
    const TableColumn& column = table.columns[spread.column];
    if (spread.count == 0) continue;
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        page_text(column.name), number(spread.least, column), spread.least_run,
                        number(spread.median, column), number(spread.most, column), spread.most_run);
  }
  return rows.empty() ? rows
                      : "<table><tr><th>figure</th><th>least</th><th>in run</th><th>median</th><th>most</th><th>in "
                        "run</th></tr>\n" +
                            rows + "</table>";
}

std::string sensitivities(const StudyTable& table) {
  std::string rows, head;
  std::vector<std::size_t> changes;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].is_change) changes.push_back(c), head += "<th>" + page_text(table.columns[c].name) + "</th>";
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].is_change || table.columns[c].kind != Kind::number) continue;
    std::string cells;
    bool varies = false;
    for (const std::size_t change : changes) {
      const std::optional<double> share = explained_share(table, change, c);
      varies = varies || share.has_value();
      cells += share ? fmt::format("<td><span class='bar' style='width:{:.0f}px'></span> {:.0f} %</td>", 100.0 * *share,
                                   100.0 * *share)
                     : "<td></td>";
    }
    if (varies) rows += fmt::format("<tr><td>{}</td>{}</tr>\n", page_text(table.columns[c].name), cells);
  }
  if (rows.empty()) return "<p>No figure varies with a change.</p>";
  return fmt::format(
      "<table><tr><th>figure</th>{}</tr>\n{}</table>\n<p>How much of the variance of each figure over the runs a "
      "change explains by "
      "itself (correlation ratio). What is missing to 100 % they do together; shares of changes that were not varied "
      "independently overlap.</p>",
      head, rows);
}

/// JSON in a string of a script.
std::string data(const StudyTable& table) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array(), rows = nlohmann::ordered_json::array();
  columns.push_back({{"name", "run"}, {"unit", ""}, {"kind", "number"}, {"change", false}});
  for (const TableColumn& column : table.columns)
    columns.push_back({{"name", column.name},
                       {"unit", column.unit == "1" ? "" : column.unit},
                       {"kind", column.kind == Kind::number    ? "number"
                                : column.kind == Kind::verdict ? "verdict"
                                                               : "text"},
                       {"change", column.is_change}});
  columns.push_back({{"name", "message"}, {"unit", ""}, {"kind", "text"}, {"change", false}});
  for (const StudyRow& row : table.rows) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array({row.run});
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const double value = number_of(row.cells[c]);
      if (table.columns[c].kind != Kind::number)
        cells.push_back(row.cells[c]);
      else
        cells.push_back(std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr));
    }
    cells.push_back(row.message);
    rows.push_back(std::move(cells));
  }
  const nlohmann::ordered_json all{{"columns", columns}, {"rows", rows}};
  return script_text(all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

constexpr const char* explorer =
    "<p><select id='y'></select> against <select id='x'></select>, coloured by <select id='colour'></select>, front of "
    "<select id='front'><option value='none'>nothing</option><option value='ll'>both small</option><option "
    "value='mm'>both "
    "large</option><option value='lm'>x small, y large</option><option value='ml'>x large, y "
    "small</option></select></p>\n"
    "<canvas id='scatter' width='1100' height='460'></canvas>\n<p id='selection'></p>\n";

constexpr const char* table_frame =
    "<p id='shown'></p>\n<div class='table'><table id='table'><thead><tr></tr><tr class='filters'></tr></thead>"
    "<tbody></tbody></table></div>\n";

/// What a search was asked for: all that it said; its trials can be opened.
std::string answer_of_a_search(const std::string& said) {
  if (said.empty()) return {};
  const std::size_t trials = std::min(said.find("\nTrials\n"), said.size());
  std::string answer = said.substr(0, trials);
  while (!answer.empty() && (answer.back() == '\n' || answer.back() == ' ')) answer.pop_back();
  std::string page = "<pre class='verdict' id='answer'>" + page_text(answer) + "</pre>\n";
  if (trials < said.size())
    page += "<details><summary>its trials</summary><pre>" + page_text(said.substr(trials + 1)) + "</pre></details>\n";
  return section("Answer", page);
}

}  // namespace

std::string study_page(const StudyTable& table, const std::string& name) {
  const StudyFindings findings = find_in(table);
  std::string verdict = fmt::format("{} of {} runs done, {} failed, {} violate a limit.", findings.done, findings.runs,
                                    findings.failed.size(), findings.violating.size());
  return page_begin(study_head, table.title.empty() ? name : table.title, name) + answer_of_a_search(table.answer) +
         "<p class='verdict'>" + verdict + "</p>\n" + section("Decision", decisions(table)) +
         (findings.drawn ? section("How likely", drawn_section(table, *findings.drawn)) : "") +
         section("Figures over all runs", spreads(table, findings)) + section("What matters", sensitivities(table)) +
         section("Two columns against each other", explorer) +
         section("All runs",
                 "<p>A click on a head sorts; fields below filter: <code>&lt;= 80</code>, or a part of a text. "
                 "The chart above shows what passes.</p>\n" +
                     std::string(table_frame)) +
         "<script>\nvar study = JSON.parse(" + data(table) + ");\n" + std::string(study_script) + "</script>\n" +
         page_end();
}

}  // namespace wattloop::twin
