#include "twin/report/study/study_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"
#include "twin/drawings/charts/xy_chart.hpp"
#include "twin/report/charts/diagrams.hpp"

namespace wattloop::twin {

namespace {

using Kind = TableColumn::Kind;

/// Reported apart by people who see few colours, too [okabe2008].
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222", "#8c8c8c"};
constexpr const char *met_colour = "#009e73", *violated_colour = "#d55e00";
constexpr std::size_t most_on_a_line = 40;  ///< values of x: with more a line would be a scrawl

std::size_t column_of(const StudyTable& table, const std::string& option, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &TableColumn::name);
  if (found != table.columns.end()) return static_cast<std::size_t>(found - table.columns.begin());
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns) names.push_back(column.name);
  throw InputError({{{name.empty() ? option : fmt::format("{} {}", option, name), 0, 0},
                     name.empty() ? "which column?" : fmt::format("the table has no column '{}'", name),
                     nearest_hint(name, names),
                     {}}},
                   "the command line");
}

std::string title_of(const TableColumn& column) {
  return column.unit.empty() || column.unit == "1" ? column.name : fmt::format("{}, {}", column.name, column.unit);
}

/// A column along an axis: numbers as they are, texts one after the other in the order in which they appear.
class Along {
 public:
  Along(const StudyTable& table, std::size_t column)
      : table_(table), column_(column), is_number_(table.columns[column].kind == Kind::number) {
    if (is_number_) return;
    for (const StudyRow& row : table.rows) {
      const std::string& cell = row.cells[column];
      if (std::ranges::find(names_, cell) == names_.end()) names_.push_back(cell);
    }
  }

  double at(std::size_t row) const {
    const std::string& cell = table_.rows[row].cells[column_];
    if (is_number_) return number_of(cell);
    return static_cast<double>(std::ranges::find(names_, cell) - names_.begin());
  }

  XyAxis axis() const {
    XyAxis axis{.title = title_of(table_.columns[column_])};
    if (!is_number_) {
      axis.low = -0.5, axis.high = static_cast<double>(names_.size()) - 0.5;
      for (const std::string& name : names_) axis.names.push_back(name.empty() ? "none" : name);
      return axis;
    }
    double least = INFINITY, most = -INFINITY;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const double value = at(row);
      if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
    }
    const double room = most > least ? 0.04 * (most - least) : std::max(1e-9, 0.01 * std::abs(most));
    axis.low = least >= 0.0 && least < 0.25 * most ? 0.0 : least - room;
    axis.high = most + room;
    return axis;
  }

  bool is_number() const { return is_number_; }

 private:
  const StudyTable& table_;
  std::size_t column_;
  bool is_number_;
  std::vector<std::string> names_;
};

/// Which line a run belongs to: the value of its colour, of numbers of many values one of five ranges.
class Groups {
 public:
  Groups(const StudyTable& table, std::size_t column) : table_(table), column_(column) {
    std::set<double> numbers;
    for (const StudyRow& row : table.rows) numbers.insert(number_of(row.cells[column]));
    is_binned_ = table.columns[column].kind == Kind::number && numbers.size() > colours.size();
    std::erase_if(numbers, [](double value) { return !std::isfinite(value); });
    if (is_binned_) least_ = *numbers.begin(), wide_ = (*numbers.rbegin() - least_) / bins;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::string name = name_of(row);
      if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    }
    if (table.columns[column].kind == Kind::number)
      std::ranges::sort(names_, {}, [](const std::string& name) { return number_of(name.substr(0, name.find(' '))); });
  }

  std::size_t of(std::size_t row) const {
    return static_cast<std::size_t>(std::ranges::find(names_, name_of(row)) - names_.begin());
  }

  /// Names of those that have a colour of their own; the last of many stands for all others.
  std::vector<std::string> names() const {
    std::vector<std::string> shown = names_;
    if (shown.size() > colours.size()) shown.resize(colours.size()), shown.back() = "others";
    for (std::string& name : shown) name = name.empty() ? "none" : name;
    return shown;
  }

  static const char* colour_of(const std::string& name, std::size_t number) {
    return name == "held" ? met_colour : name == "violated" ? violated_colour : colours.at(number);
  }

 private:
  static constexpr double bins = 5.0;

  std::string name_of(std::size_t row) const {
    const TableColumn& column = table_.columns[column_];
    const std::string& cell = table_.rows[row].cells[column_];
    if (column.kind != Kind::number || cell.empty()) return cell;
    const std::string unit = column.unit.empty() || column.unit == "1" ? "" : " " + column.unit;
    if (!is_binned_) return fmt::format("{:.6g}{}", number_of(cell), unit);
    const double bin = std::min(bins - 1.0, std::floor((number_of(cell) - least_) / wide_));
    return fmt::format("{:.4g} to {:.4g}{}", least_ + bin * wide_, least_ + (bin + 1.0) * wide_, unit);
  }

  const StudyTable& table_;
  std::size_t column_;
  bool is_binned_ = false;
  double least_ = 0.0, wide_ = 1.0;
  std::vector<std::string> names_;
};

using Points = std::multimap<double, double>;

/// Few values of x and one run at each of them: what is between them can be followed.
bool is_a_line(const std::vector<Points>& groups, const Along& x) {
  if (!x.is_number()) return false;
  std::set<double> different;
  for (const Points& points : groups) {
    std::set<double> own;
    for (const auto& [at, value] : points) {
      if (!own.insert(at).second) return false;
      different.insert(at);
    }
  }
  return different.size() <= most_on_a_line;
}

void add_lines(XyChart& chart, const Points& points, const XyLine& like, bool is_line) {
  XyLine dots = like;
  for (const auto& [at, value] : points) dots.x.push_back(at), dots.y.push_back(value);
  if (is_line) {
    XyLine line = dots;
    line.name.clear();
    chart.lines.push_back(std::move(line));
  }
  dots.mark = XyLine::Mark::dots;
  dots.width = 6.0;
  chart.lines.push_back(std::move(dots));
}

std::string words_of(const StudyTable& table, const StudyChart& chart, std::size_t shown) {
  std::string words = fmt::format("{} over {}", chart.y, chart.x);
  if (!chart.by.empty()) words += fmt::format(", colours: {}", chart.by);
  const std::size_t missing = table.rows.size() - shown;
  words += fmt::format("; {} runs", table.rows.size());
  return missing == 0 ? words : words + fmt::format(", {} without a value", missing);
}

}  // namespace

std::string study_chart_file(const StudyTable& table, const StudyChart& chart) {
  const Along x(table, column_of(table, "--x", chart.x)), y(table, column_of(table, "--y", chart.y));
  const bool has_colours = !chart.by.empty();
  const Groups groups(table, column_of(table, has_colours ? "--by" : "--x", has_colours ? chart.by : chart.x));
  const std::vector<std::string> names = has_colours ? groups.names() : std::vector<std::string>{""};
  std::vector<Points> points(names.size());
  std::size_t shown = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const double at = x.at(row), value = y.at(row);
    if (!std::isfinite(at) || !std::isfinite(value)) continue;
    points[has_colours ? std::min(groups.of(row), names.size() - 1) : 0].emplace(at, value);
    ++shown;
  }
  if (shown == 0)
    throw InputError({{{fmt::format("--x {} --y {}", chart.x, chart.y), 0, 0}, "no run has both values", {}, {}}},
                     "the command line");
  XyChart drawn{.x = x.axis(), .y = y.axis()};
  const bool is_line = is_a_line(points, x) && !table.is_drawn;
  for (std::size_t k = 0; k < names.size(); ++k)
    add_lines(drawn, points[k], {.name = names[k], .colour = Groups::colour_of(names[k], k)}, is_line);
  return standing_alone(xy_chart(drawn), {table.title, words_of(table, chart, shown)});
}

}  // namespace wattloop::twin
