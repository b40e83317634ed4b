#include "twin/commands/results/compare_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/printable.hpp"
#include "twin/commands/program/text_table.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_named = 4, longest_text = 24;
constexpr std::string_view nothing = "-";

/// The first few, and how many more.
std::string named(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_named);
  const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return printable(
      fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more));
}

/// Words in lines of 80 columns, indented, those after the first more.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 80;
  std::string out, line = " ";
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (shown_length(line) + 1 + shown_length(word) > width) {
      out += line + '\n';
      line = "   ";
    }
    line += " " + word;
  }
  return out + line + '\n';
}

class Page {
 public:
  Page(const Comparison& comparison, const CompareStyle& style) : of_(comparison), style_(style) {}

  std::string text() {
    write_files();
    for (std::size_t k = 1; k < of_.files.size(); ++k) write_scenario(k);
    write_figures();
    for (std::size_t k = 1; k < of_.files.size(); ++k) write_series(k);
    for (std::size_t k = 1; k < of_.files.size(); ++k) write_events(k);
    write_racks();
    write_verdicts();
    for (std::size_t k = 0; k < of_.files.size(); ++k) write_notes(k);
    return std::move(out_);
  }

 private:
  std::string show(double value, const std::string& unit) const {
    return std::isnan(value) ? "n/a" : format_quantity(value, unit, style_.units);
  }
  /// Of a difference: with its sign, a temperature as a difference.
  std::string show_difference(double value, const std::string& unit) const {
    if (std::isnan(value)) return "n/a";
    const std::string size = format_quantity(std::abs(value), unit == "K" ? "delta_K" : unit, style_.units);
    return value == 0.0 ? "0" : (value < 0.0 ? "-" : "+") + size;
  }
  static std::string show_ratio(double ratio) {
    if (!std::isfinite(ratio)) return "n/a";
    const double percent = 100.0 * ratio;
    if (percent == 0.0) return "0";
    return std::abs(percent) >= 1e6 ? fmt::format("{:+.1e}", percent)
                                    : fmt::format("{:+.{}f}", percent, std::abs(percent) < 1.0 ? 3 : 1);
  }
  /// The letter of a file where there are more than two: of two the other one is meant.
  std::string title(const std::string& words, std::size_t file) const {
    return of_.files.size() == 2 ? words : fmt::format("{}, {} and A", words, file_letter(file));
  }
  bool is_full(std::size_t line) const { return style_.lines > 0 && line >= style_.lines; }
  void report_rest(std::size_t all, const std::string& of) {
    if (style_.lines > 0 && all > style_.lines)
      out_ += fmt::format("  and {} {} more; --lines 0 shows all\n", all - style_.lines, of);
  }

  void write_files() {
    for (std::size_t k = 0; k < of_.files.size(); ++k) {
      const ComparedFile& file = of_.files[k];
      out_ += fmt::format("{:<3}{}\n", file_letter(k), printable(file.file.string()));
      if (!file.title.empty()) out_ += fmt::format("   {}\n", printable(file.title));
    }
  }

  void write_scenario(std::size_t k) {
    const auto& differences = of_.files[k].scenario;
    if (differences.empty()) out_ += fmt::format("\n{}\n  no difference\n", title("Scenario", k));
    TextTable table({title("Scenario", k), "A", file_letter(k)});
    std::string long_ones;
    for (std::size_t line = 0; line < differences.size() && !is_full(line); ++line) {
      const ScenarioDifference& one = differences[line];
      const std::string a = printable(one.a.value_or(std::string(nothing))),
                        b = printable(one.b.value_or(std::string(nothing)));
      if (std::max(shown_length(a), shown_length(b)) <= longest_text) {
        table.add({printable(one.path), a, b});
      } else {
        long_ones += fmt::format("  {}\n    A  {}\n    {}  {}\n", printable(one.path), a, file_letter(k), b);
      }
    }
    if (!differences.empty()) out_ += "\n" + table.text() + long_ones;
    report_rest(differences.size(), "keys");
  }

  std::string figure_text(const FigureRow& row, std::size_t file) const {
    if (!row.of[file]) return std::string(nothing);
    if (const auto* count = std::get_if<std::int64_t>(&row.of[file]->value)) return fmt::format("{}", *count);
    return show(row.number(file), row.unit);
  }
  static std::string count_difference(double value) {
    return std::isnan(value) ? "n/a" : fmt::format("{:+.0f}", value);
  }

  void write_figures() {
    std::vector<std::string> head{"Figures", "A"};
    for (std::size_t k = 1; k < of_.files.size(); ++k) {
      const std::string letter = file_letter(k);
      head.insert(head.end(), {letter, letter + " - A", "%"});
    }
    TextTable table(head);
    std::string texts;
    std::size_t equal = 0;
    for (const FigureRow& row : of_.figures) {
      if (row.is_equal()) ++equal;
      if (row.is_equal() && !style_.shows_equal) continue;
      if (row.is_text()) {
        texts += fmt::format("  {}\n", printable(row.name));
        for (std::size_t k = 0; k < row.of.size(); ++k) {
          const auto* text = row.of[k] ? std::get_if<std::string>(&row.of[k]->value) : nullptr;
          texts += fmt::format("    {}  {}\n", file_letter(k),
                               text == nullptr || text->empty() ? std::string(nothing) : printable(*text));
        }
        continue;
      }
      std::vector<std::string> cells{printable(row.name), figure_text(row, 0)};
      for (std::size_t k = 1; k < row.of.size(); ++k) {
        const bool is_count = row.of[0] && std::holds_alternative<std::int64_t>(row.of[0]->value);
        cells.insert(cells.end(),
                     {figure_text(row, k),
                      is_count ? count_difference(row.difference(k)) : show_difference(row.difference(k), row.unit),
                      show_ratio(row.difference_ratio(k))});
      }
      table.add(std::move(cells));
    }
    out_ += "\n" + table.text() + texts;
    if (equal > 0)
      out_ += fmt::format("  {} figures are equal{}\n", equal, style_.shows_equal ? "" : "; --all shows them");
  }

  void write_series(std::size_t k) {
    const SeriesComparison& series = of_.files[k].series;
    out_ += fmt::format("\n{}: beyond {}\n", title("First divergence", k), of_.tolerances.text());
    if (series.divergences.empty()) {
      out_ += fmt::format("  none in {} recorded quantities\n", series.columns);
      return;
    }
    const Divergence& first = series.divergences.front();
    out_ += wrapped(fmt::format("{}: {}/{}{}: A {}, {} {}", show(first.first.time_s, "s"), first.table, first.column,
                                first.first.item.empty() ? "" : " of " + printable(first.first.item),
                                show(first.first.a, first.unit), file_letter(k), show(first.first.b, first.unit)));
    TextTable table({fmt::format("Divergent, {} of {}", series.divergences.size(), series.columns), "first at",
                     "most at", "A", file_letter(k), "off"});
    for (std::size_t line = 0; line < series.divergences.size() && !is_full(line); ++line) {
      const Divergence& one = series.divergences[line];
      std::string name = fmt::format("{}/{}", one.table, one.column);
      if (!one.most.item.empty()) name += ", " + printable(one.most.item);
      if (one.items > 1) name += fmt::format(" and {} more", one.items - 1);
      table.add({name, show(one.first.time_s, "s"), show(one.most.time_s, "s"), show(one.most.a, one.unit),
                 show(one.most.b, one.unit), show_difference(one.most.b - one.most.a, one.unit)});
    }
    out_ += table.text();
    report_rest(series.divergences.size(), "quantities");
  }

  void write_events(std::size_t k) {
    const auto& events = of_.files[k].events;
    out_ += fmt::format("\n{}\n", title("Events", k));
    if (events.empty()) out_ += "  no difference\n";
    for (std::size_t line = 0; line < events.size() && !is_full(line); ++line) {
      const EventDifference& one = events[line];
      const EventRecord& event = one.a ? *one.a : *one.b;
      std::string how = fmt::format("only in {}, {}", one.a ? "A" : file_letter(k), show(event.time_s, "s"));
      if (one.a && one.b) {
        const bool is_moved = std::abs(one.moved_s()) > smallest_reported_move_s;
        how = is_moved ? fmt::format("A {}, {} {}: {}", show(one.a->time_s, "s"), file_letter(k),
                                     show(one.b->time_s, "s"), show_difference(one.moved_s(), "s"))
                       : fmt::format("{}, with different text: A '{}', {} '{}'", show(one.a->time_s, "s"),
                                     printable(one.a->detail), file_letter(k), printable(one.b->detail));
      }
      out_ += wrapped(fmt::format("{} {}: {}", printable(event.kind), printable(event.target), how));
    }
    report_rest(events.size(), "events");
  }

  void write_racks() {
    std::size_t most = 0;
    for (const ComparedFile& file : of_.files) most = std::max(most, file.racks.size());
    if (most == 0) return;
    std::vector<std::string> head{"Hottest racks"};
    for (std::size_t k = 0; k < of_.files.size(); ++k) head.insert(head.end(), {file_letter(k), "die", "at"});
    TextTable table(head);
    for (std::size_t rank = 0; rank < most; ++rank) {
      std::vector<std::string> cells{fmt::format("{}", rank + 1)};
      for (const ComparedFile& file : of_.files) {
        if (rank >= file.racks.size()) {
          cells.insert(cells.end(), {std::string(nothing), "", ""});
          continue;
        }
        const WorstRack& rack = file.racks[rank];
        cells.insert(cells.end(), {printable(rack.rack), show(rack.die_k, "K"), show(rack.time_s, "s")});
      }
      table.add(std::move(cells));
    }
    out_ += "\n" + table.text();
  }

  void write_verdicts() {
    for (std::size_t k = 0; k < of_.files.size(); ++k) {
      std::string text = verdicts_text(of_.files[k].verdicts);
      const std::string head = "\nVerdicts";
      if (text.starts_with(head)) text.insert(head.size(), " on " + file_letter(k));
      out_ += text;
    }
  }

  void write_notes(std::size_t k) {
    const ComparedFile& file = of_.files[k];
    std::string text;
    for (const Unshared& one : file.series.unshared) {
      if (!one.only_a.empty()) text += wrapped(fmt::format("{} only in A: {}", one.what, named(one.only_a)));
      if (!one.only_b.empty())
        text += wrapped(fmt::format("{} only in {}: {}", one.what, file_letter(k), named(one.only_b)));
    }
    for (const std::string& note : file.series.notes) text += wrapped(printable(note));
    for (const std::string& note : file.notes) text += wrapped(printable(note));
    if (!text.empty()) out_ += fmt::format("\nNot shared, {}\n{}", k == 0 ? "A" : file_letter(k) + " and A", text);
  }

  const Comparison& of_;
  CompareStyle style_;
  std::string out_;
};

}  // namespace

std::string compare_text(const Comparison& comparison, const CompareStyle& style) {
  return Page(comparison, style).text();
}

}  // namespace wattloop::twin
