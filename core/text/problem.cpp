#include "core/text/problem.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"

namespace wattloop {

namespace {

std::string place_text(const Place& place) {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

constexpr std::size_t longest_text = 1000;    ///< of a message or a hint, in bytes
constexpr std::size_t longest_excerpt = 160;  ///< in characters
constexpr std::size_t before_caret = 100;     ///< of these, where there is more on either side

bool is_first_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string shortened(const std::string& text) {
  if (text.size() <= longest_text) return printable(text);
  std::size_t end = longest_text;
  while (end > 0 && !is_first_byte(text[end])) --end;
  return printable(text.substr(0, end)) + "...";
}

/// A line of a file around its caret, one character after the other as they are shown.
struct Excerpt {
  std::string text;
  std::size_t caret = 0;  ///< from 1; 0: none
};

Excerpt shortened_excerpt(const std::string& line, std::size_t caret) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i + 1;
    while (end < line.size() && !is_first_byte(line[end])) ++end;
    characters.push_back(printable(line.substr(i, end - i)));
    i = end;
  }
  const auto width = [](const std::string& shown) { return std::size_t(std::ranges::count_if(shown, is_first_byte)); };
  const bool is_long = characters.size() > longest_excerpt;
  const std::size_t first = is_long && caret > before_caret ? caret - before_caret : 0;
  const std::size_t last = is_long ? std::min(characters.size(), first + longest_excerpt) : characters.size();
  Excerpt excerpt{first > 0 ? "..." : "", caret == 0 ? 0 : 1 + (first > 0 ? std::size_t{3} : 0)};
  for (std::size_t i = first; i < last; ++i) {
    if (i + 1 < caret) excerpt.caret += width(characters[i]);
    excerpt.text += characters[i];
  }
  if (caret > last + 1) excerpt.caret += caret - last - 1;  // behind the line
  if (last < characters.size()) excerpt.text += "...";
  return excerpt;
}

std::string all_problems(const std::vector<Problem>& problems, std::string_view subject) {
  std::string text;
  const std::size_t reported = std::min(problems.size(), most_reported_problems);
  for (const Problem& problem : std::span(problems).first(reported)) text += format_problem(problem);
  std::size_t rest = 0, all = 0;
  for (const Problem& problem : problems) all += problem.count;
  for (const Problem& problem : std::span(problems).subspan(reported)) rest += problem.count;
  const auto is_of_command_line = [](const Problem& problem) {
    return problem.place.line == 0 && problem.place.file.starts_with("--");
  };
  if (!problems.empty() && std::ranges::all_of(problems, is_of_command_line)) subject = "the command line";
  if (rest > 0) text += fmt::format("and {} more\n", rest);
  return text + fmt::format("{} in {}", count_text(all, "problem"), printable(subject));
}

}  // namespace

std::string format_problem(const Problem& problem) {
  std::string text = printable(place_text(problem.place));
  text += (text.empty() ? "" : ": ") + shortened(problem.message) + "\n";
  if (!problem.excerpt.empty()) {
    const int caret = problem.caret > 0 ? problem.caret : problem.place.column;
    const Excerpt excerpt = shortened_excerpt(problem.excerpt, static_cast<std::size_t>(std::max(caret, 0)));
    text += fmt::format("{:5} | {}\n", problem.place.line, excerpt.text);
    if (excerpt.caret > 0) text += fmt::format("{:5} | {:>{}}\n", "", "^", excerpt.caret);
  }
  if (!problem.hint.empty()) text += fmt::format("      = {}\n", shortened(problem.hint));
  return text;
}

void Problems::throw_if_any(std::string_view subject) const {
  if (!problems_.empty()) throw InputError(problems_, subject);
}

InputError::InputError(std::vector<Problem> problems, std::string_view subject)
    : std::runtime_error(all_problems(problems, subject)), problems_(std::move(problems)) {}

}  // namespace wattloop
